//! Which transcript another one goes on from: a host that forks a conversation copies its records.

use std::path::Path;
use std::time::Instant;

use crate::scan::scan;
use crate::{Forms, TranscriptError};

/// The id of the first record that has one, and when it was written. A copy keeps both.
pub fn first_record(
    path: &Path,
    forms: Forms<'_>,
    deadline: Instant,
) -> Result<Option<(String, Option<String>)>, TranscriptError> {
    let mut first = None;
    scan(path, deadline, |line| {
        let id = forms.iter().find_map(|form| form.record_id(line));
        first = id.map(|id| (id, line.text("timestamp")));
        first.is_none()
    })?;
    Ok(first)
}

/// Whether the transcript has the record.
pub fn has_record(
    path: &Path,
    forms: Forms<'_>,
    id: &str,
    deadline: Instant,
) -> Result<bool, TranscriptError> {
    let mut is_there = false;
    scan(path, deadline, |line| {
        is_there = forms
            .iter()
            .any(|form| form.record_id(line).as_deref() == Some(id));
        !is_there
    })?;
    Ok(is_there)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::forms;

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
        let deadline = Instant::now() + Duration::from_mins(1);
        let (id, at) = first_record(&fork, forms::ALL, deadline).unwrap().unwrap();
        assert_eq!((&*id, at.as_deref()), ("u1", Some("t-u1")));
        assert!(has_record(&old, forms::ALL, &id, deadline).unwrap());
        assert!(!has_record(&other, forms::ALL, &id, deadline).unwrap());
        let empty = put("empty", head);
        assert_eq!(first_record(&empty, forms::ALL, deadline).unwrap(), None);
    }
}
