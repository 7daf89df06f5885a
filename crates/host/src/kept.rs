//! Where a host keeps the transcripts of its sessions, and what one says of itself.

use std::path::{Component, Path, PathBuf};

use attest_json::Object;
use attest_transcript::Whose;

/// Folders of one session that are kept.
const MAX_FOLDERS: usize = 64;

/// The transcripts that a host leaves on the disk.
pub struct KeptSessions {
    /// The folder that has them, below the host's own.
    pub folder: &'static str,
    /// Whose transcript the file of JSON lines at this place below that folder is; `None` if it is no transcript.
    pub of_file: fn(&[&str]) -> Option<Of>,
    /// Takes from a line what it says of the session, and says whose the line is.
    pub of_line: fn(&Object<'_>, &mut About) -> Whose,
    /// The file in the first folder below that one which names the folder of the work, if the lines do not.
    pub folder_file: Option<&'static str>,
    /// The ending of transcripts that the host has packed, which are not read.
    pub packed: Option<&'static str>,
}

/// Whose transcript a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// That of a main agent.
    Session,
    /// That of a subagent, of which only the last report counts.
    Subagent,
}

/// What a transcript says of its session.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct About {
    /// The session.
    pub session: Option<String>,
    /// The subagent.
    pub agent: Option<String>,
    /// Its type.
    pub agent_type: Option<String>,
    /// The folders that it worked in, in order.
    pub folders: Vec<PathBuf>,
    /// Whether there are more of them.
    pub has_more_folders: bool,
    /// Whether its first line is of a main agent.
    pub(crate) is_of_main: Option<bool>,
    /// Whether it goes on from a conversation that is in another file.
    pub goes_on: bool,
    /// The folder of the last line, as it stands there: the same one is not read again.
    last_folder: String,
}

impl About {
    /// Takes the folder that a field of a line names.
    pub(crate) fn add_folder(&mut self, line: &Object<'_>, field: &str) {
        let Some(raw) = line.raw(field).filter(|raw| *raw != self.last_folder) else {
            return;
        };
        raw.clone_into(&mut self.last_folder);
        let folder = line.text(field).map(PathBuf::from);
        let Some(folder) = folder.filter(|it| it.is_absolute() && !self.folders.contains(it))
        else {
            return;
        };
        if self.folders.len() >= MAX_FOLDERS {
            self.has_more_folders = true;
        } else {
            self.folders.push(folder);
        }
    }

    /// Takes a name, if there is none yet.
    pub(crate) fn name(held: &mut Option<String>, line: &Object<'_>, field: &str) {
        if held.is_none() {
            *held = line.text(field).filter(|text| !text.is_empty());
        }
    }
}

/// The parts of a path below the folder of a host, if all of them are text.
fn parts(path: &Path) -> Option<Vec<&str>> {
    let part = |part| match part {
        Component::Normal(name) => name.to_str(),
        _ => None,
    };
    path.components().map(part).collect()
}

impl KeptSessions {
    /// Whose transcript the file at `path` below the folder is.
    #[must_use]
    pub fn of(&self, path: &Path) -> Option<Of> {
        path.extension().filter(|it| *it == "jsonl")?;
        (self.of_file)(&parts(path)?)
    }

    /// Whether the host has packed the transcript at `path`.
    #[must_use]
    pub fn is_packed(&self, path: &Path) -> bool {
        let name = path.file_name().and_then(|name| name.to_str());
        name.zip(self.packed)
            .is_some_and(|(name, end)| name.ends_with(end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts;

    fn of(host: &str, path: &str) -> Option<Of> {
        let kept = hosts::named(host).unwrap().profile().kept.unwrap();
        kept.of(Path::new(path))
    }

    #[test]
    fn transcripts_are_known_by_their_places() {
        for (host, path, expected) in [
            ("claude-code", "-w/s.jsonl", Some(Of::Session)),
            ("claude-code", "-w/agent-a1.jsonl", Some(Of::Subagent)),
            (
                "claude-code",
                "-w/s/subagents/agent-a1.jsonl",
                Some(Of::Subagent),
            ),
            (
                "claude-code",
                "-w/s/subagents/workflows/w/agent-a1.jsonl",
                Some(Of::Subagent),
            ),
            ("claude-code", "-w/s/tool-results/x.jsonl", None),
            ("claude-code", "-w/s.json", None),
            ("codex", "2026/01/02/rollout-1.jsonl", Some(Of::Session)),
            ("codex", "2026/01/02/rollout-1.jsonl.zst", None),
            ("codex", "history.jsonl", None),
            ("copilot", "s/events.jsonl", Some(Of::Session)),
            ("copilot", "s/other.jsonl", None),
            ("droid", "-w/s.jsonl", Some(Of::Session)),
            ("gemini", "p/chats/session-1.jsonl", Some(Of::Session)),
            ("gemini", "p/chats/s/a.jsonl", Some(Of::Subagent)),
            ("gemini", "p/logs.jsonl", None),
        ] {
            assert_eq!(of(host, path), expected, "{host} {path}");
        }
        let codex = hosts::named("codex").unwrap().profile().kept.unwrap();
        assert!(codex.is_packed(Path::new("2026/01/02/rollout-1.jsonl.zst")));
        assert!(!codex.is_packed(Path::new("2026/01/02/rollout-1.jsonl")));
    }

    fn about(host: &str, lines: &[&str]) -> (About, Vec<Whose>) {
        let kept = hosts::named(host).unwrap().profile().kept.unwrap();
        let mut about = About::default();
        let whose = lines.iter().map(|line| {
            let line = Object::parse(line).unwrap();
            (kept.of_line)(&line, &mut about)
        });
        let whose = whose.collect();
        (about, whose)
    }

    #[cfg(unix)]
    #[test]
    fn each_host_says_where_it_worked_and_as_whom() {
        let (found, _) = about(
            "claude-code",
            &[
                r#"{"type":"user","cwd":"/w","sessionId":"s","agentId":"a","isSidechain":true}"#,
                r#"{"type":"assistant","cwd":"/w/b","attributionAgent":"Explore","sessionId":"t","isSidechain":true}"#,
                r#"{"type":"user","cwd":"rel"}"#,
            ],
        );
        assert_eq!(found.session.as_deref(), Some("s"));
        assert_eq!(found.agent.as_deref(), Some("a"));
        assert_eq!(found.agent_type.as_deref(), Some("Explore"));
        assert_eq!(found.folders, [Path::new("/w"), Path::new("/w/b")]);
        let (found, _) = about(
            "codex",
            &[
                r#"{"type":"session_meta","payload":{"id":"c","session_id":"s","cwd":"/w","forked_from_id":"s",
                    "source":{"subagent":{"thread_spawn":{"parent_thread_id":"s","agent_role":"worker"}}}}}"#,
                r#"{"type":"session_meta","payload":{"id":"s","cwd":"/old"}}"#,
                r#"{"type":"turn_context","payload":{"cwd":"/x"}}"#,
            ],
        );
        assert_eq!(found.session.as_deref(), Some("s"));
        assert_eq!(found.agent.as_deref(), Some("c"));
        assert_eq!(found.agent_type.as_deref(), Some("worker"));
        assert_eq!(found.folders, ["/w", "/old", "/x"].map(Path::new));
        assert!(found.goes_on);
        let (found, _) = about(
            "copilot",
            &[r#"{"type":"session.start","data":{"sessionId":"s","context":{"cwd":"/w"}}}"#],
        );
        assert_eq!(
            (found.session.as_deref(), found.folders),
            (Some("s"), vec!["/w".into()])
        );
        let (found, _) = about(
            "droid",
            &[r#"{"type":"session_start","id":"s","cwd":"/w"}"#],
        );
        assert_eq!(
            (found.session.as_deref(), found.folders),
            (Some("s"), vec!["/w".into()])
        );
        let (found, _) = about("gemini", &[r#"{"sessionId":"s","kind":"main"}"#]);
        assert_eq!(found.session.as_deref(), Some("s"));
    }

    #[test]
    fn a_subagent_in_the_file_of_a_session_is_another() {
        let (_, whose) = about(
            "claude-code",
            &[
                r#"{"type":"user","sessionId":"s","isSidechain":false}"#,
                r#"{"type":"assistant","sessionId":"s","isSidechain":true}"#,
                r#"{"type":"assistant","sessionId":"s","isSidechain":true,"agentId":"a"}"#,
            ],
        );
        assert_eq!(whose, [Whose::Own, Whose::Others, Whose::Others]);
        let (about, whose) = about(
            "claude-code",
            &[r#"{"type":"assistant","sessionId":"s","isSidechain":true,"agentId":"a"}"#],
        );
        assert_eq!(
            (about.agent.as_deref(), whose),
            (Some("a"), vec![Whose::Own])
        );
    }
}
