//! Which transcript another one goes on from: a host that forks a conversation copies its records.

use std::path::Path;

use attest_evidence::Budget;
use attest_json::Object;
use memchr::memmem;

use crate::forward::{ForwardLines, Next};
use crate::{Forms, TranscriptError, open};

/// Whether the transcript of another session has the record with this id.
pub fn has_record(
    path: &Path,
    forms: Forms<'_>,
    id: &str,
    budget: &Budget,
) -> Result<bool, TranscriptError> {
    let unreadable = TranscriptError::unreadable(path);
    let (file, _) = open::regular_file(path)?;
    let mut lines = ForwardLines::new(file);
    loop {
        match lines.next(budget).map_err(unreadable)? {
            Next::Line(line) if is_of(line, forms, id) => return Ok(true),
            Next::Line(_) | Next::TooLong => {}
            Next::End { .. } | Next::Over | Next::Spent => return Ok(false),
        }
    }
}

fn is_of(line: &[u8], forms: Forms<'_>, id: &str) -> bool {
    if memmem::find(line, id.as_bytes()).is_none() {
        return false;
    }
    let text = attest_json::lossy(line);
    let mut fields = forms.iter().filter_map(|form| form.record_id());
    Object::parse(&text).is_ok_and(|line| fields.any(|it| line.text(it).as_deref() == Some(id)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Session, Whose, forms};

    #[test]
    fn a_fork_has_the_records_of_the_conversation_that_it_goes_on_from() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let record = |session: &str, id: &str| {
            format!(
                "{{\"type\":\"user\",\"uuid\":\"{id}\",\"sessionId\":\"{session}\",\"timestamp\":\"t-{id}\"}}\n"
            )
        };
        let head = "{\"type\":\"mode\",\"sessionId\":\"x\"}\n";
        let old = put(
            "old",
            &format!("{head}{}{}", record("old", "u1"), record("old", "u2")),
        );
        let fork = put(
            "fork",
            &format!("{head}{}{}", record("fork", "u1"), record("fork", "u3")),
        );
        let other = put("other", &record("other", "u9"));
        let budget = &Budget::default();
        let first_record = |path: &Path| {
            let look = &mut |_: &Object<'_>| Whose::Own;
            let session = Session::read(path, forms::ALL, budget, look);
            session.unwrap().first_record
        };
        let id = first_record(&fork).unwrap();
        assert_eq!(id, "u1");
        assert!(has_record(&old, forms::ALL, &id, budget).unwrap());
        assert!(!has_record(&other, forms::ALL, &id, budget).unwrap());
        let empty = put("empty", head);
        assert_eq!(first_record(&empty), None);
    }
}
