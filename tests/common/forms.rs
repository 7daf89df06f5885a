//! The forms in which agents write a list of files, from fixtures/claims/forms.json.

use std::path::Path;

use serde::Deserialize;

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
pub fn forms() -> Vec<Form> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/claims/forms.json");
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

impl Form {
    /// A report that claims the files.
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
