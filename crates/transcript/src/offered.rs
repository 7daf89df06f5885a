//! The tools that an agent is offered, as far as its transcript names them.

use std::path::Path;
use std::time::Instant;

use crate::scan::scan;
use crate::{Forms, TranscriptError};

/// Whether the transcript shows that none of the tools which the agent is offered can write. One that names no
/// tools shows nothing, and a tool that is not known may write.
pub fn offers_no_writer(
    path: &Path,
    forms: Forms<'_>,
    deadline: Instant,
) -> Result<bool, TranscriptError> {
    let (mut has_any, mut has_writer) = (false, false);
    let is_whole = scan(path, deadline, |line| {
        for tool in forms.iter().flat_map(|form| form.offered(line)) {
            has_any = true;
            has_writer |= !forms.iter().any(|form| form.only_reads(&tool));
        }
        !has_writer
    })?;
    Ok(is_whole && has_any && !has_writer)
}

/// The words in the names of tools that run a command.
const SHELLS: [&str; 6] = ["bash", "shell", "exec", "terminal", "command", "run_"];

/// Whether the agent may be able to run a command: the transcript offers it a tool that does, or names no tools.
pub fn may_run_commands(
    path: &Path,
    forms: Forms<'_>,
    deadline: Instant,
) -> Result<bool, TranscriptError> {
    let (mut has_any, mut has_shell) = (false, false);
    scan(path, deadline, |line| {
        for tool in forms.iter().flat_map(|form| form.offered(line)) {
            let tool = tool.to_lowercase();
            has_any = true;
            has_shell |= SHELLS.iter().any(|word| tool.contains(word));
        }
        !has_shell
    })?;
    Ok(has_shell || !has_any)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};

    use super::*;
    use crate::forms;

    fn offers_no_writer_in(lines: &[Value]) -> bool {
        let file = tempfile::NamedTempFile::new().unwrap();
        let text: String = lines.iter().map(|line| line.to_string() + "\n").collect();
        std::fs::write(file.path(), text).unwrap();
        let deadline = Instant::now() + Duration::from_mins(1);
        offers_no_writer(file.path(), forms::ALL, deadline).unwrap()
    }

    /// As 2.1.330 writes them: for the model, and for the request.
    #[test]
    fn tools_that_only_read_and_one_that_may_write() {
        let snapshot = |tools: &[&str]| {
            let tools: Vec<_> = tools.iter().map(|name| json!({"name": name})).collect();
            json!({"type": "attachment", "attachment": {"type": "prompt_snapshot", "tools": tools}})
        };
        let later = json!({"type": "attachment", "attachment": {"type": "deferred_tools_delta",
            "addedNames": ["NotebookEdit"]}});
        let shape = json!({"type": "api-request-shape", "shape": {"tools": [{"name": "Edit"}]}});
        let reads = snapshot(&["Read", "Grep", "Glob"]);
        assert!(offers_no_writer_in(std::slice::from_ref(&reads)));
        for writes in [later, shape, snapshot(&["Bash"]), snapshot(&["mcp__x__y"])] {
            assert!(!offers_no_writer_in(&[reads.clone(), writes]));
        }
        assert!(!offers_no_writer_in(&[]), "nothing is named");
        assert!(!offers_no_writer_in(&[snapshot(&[])]));
    }
}
