//! The forms in which agents write a list of files, from `forms.json`.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use serde::Deserialize;

/// One way to write a report of DONE with its files.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Form {
    /// What it is called where a test fails.
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
///
/// # Panics
///
/// If their file cannot be read.
pub fn forms() -> &'static [Form] {
    static FORMS: OnceLock<Vec<Form>> = OnceLock::new();
    FORMS.get_or_init(|| {
        let text = fs::read_to_string(crate::folder().join("forms.json")).expect("the forms");
        serde_json::from_str(&text).expect("a list of forms")
    })
}

impl Form {
    /// A report of an agent in `folder` that claims the files.
    #[must_use]
    pub fn report(&self, folder: &Path, files: &[&str]) -> String {
        let folder = folder.display().to_string();
        self.render(files).replace("{root}", &folder)
    }

    /// Whether a ghost beside the file is surely named: forms are made for names without spaces, of
    /// letters that every one of them carries.
    #[must_use]
    pub fn carries(file: &str) -> bool {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
        file.starts_with(|c: char| c.is_ascii_alphabetic()) && file.chars().all(is_plain)
    }

    /// A report that claims the files, with `{root}` for the folder of the agent.
    #[must_use]
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
