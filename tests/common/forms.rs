//! The forms in which agents write a list of files, from fixtures/claims/forms.json.

use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::test_runner::{Config as ProptestConfig, RngSeed};
use serde::Deserialize;

/// The same few cases each time, so that a change is what makes a test fail. `PROPTEST_CASES` asks
/// for that many new ones.
#[expect(clippy::disallowed_methods, reason = "a setting of the test")]
pub fn cases(few: u32) -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok();
    let asked = asked.and_then(|text| text.parse().ok());
    ProptestConfig {
        cases: asked.unwrap_or(few),
        rng_seed: asked.map_or(RngSeed::Fixed(1), |_| RngSeed::Random),
        max_shrink_iters: 200,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// One way to write a report of DONE with its files.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Form {
    pub name: String,
    before: String,
    /// One file; `{path}` stands for it.
    item: String,
    between: String,
    /// What stands before the last file, if that is something else.
    last: Option<String>,
    after: String,
}

/// All forms.
pub fn forms() -> &'static [Form] {
    static FORMS: OnceLock<Vec<Form>> = OnceLock::new();
    FORMS.get_or_init(|| {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/claims/forms.json");
        serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
    })
}

/// As many forms, each time the next ones: every scenario has some, and all scenarios together have all.
pub fn next_forms(count: usize) -> impl Iterator<Item = &'static Form> {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let first = NEXT.fetch_add(count, Ordering::Relaxed);
    (first..first + count).map(|index| &forms()[index % forms().len()])
}

/// The names in a list that is nothing but names.
pub fn names(list: &str) -> Option<Vec<&str>> {
    let is_name =
        |name: &str| !matches!(name, "none" | "N/A") && !name.contains([' ', '*', '`', ':', '"']);
    let names: Vec<_> = list.split(", ").collect();
    names.iter().all(|name| is_name(name)).then_some(names)
}

impl Form {
    /// A report of an agent in `folder` that claims the files.
    pub fn report(&self, folder: &Path, files: &[&str]) -> String {
        let folder = folder.display().to_string();
        self.render(files).replace("{root}", &folder)
    }

    /// Whether a ghost beside the file is surely named: forms are made for names without spaces, of
    /// letters that every one of them carries.
    pub fn carries(file: &str) -> bool {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
        file.starts_with(|c: char| c.is_ascii_alphabetic()) && file.chars().all(is_plain)
    }

    /// A report that claims the files, with `{root}` for the folder of the agent.
    pub fn render(&self, files: &[&str]) -> String {
        let mut text = self.before.clone();
        for (index, file) in files.iter().enumerate() {
            if index > 0 {
                let is_last = index + 1 == files.len();
                let last = self.last.as_ref().filter(|_| is_last);
                text.push_str(last.unwrap_or(&self.between));
            }
            text.push_str(&self.item.replace("{path}", file));
        }
        text.push_str(&self.after);
        text
    }
}
