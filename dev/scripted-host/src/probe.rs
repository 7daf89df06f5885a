//! A hook that writes down the payload it was given, and sends the agent back once if asked to.

use std::fs::OpenOptions;
use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

/// What the hook does.
#[derive(Debug, clap::Args)]
pub struct Probe {
    /// Where the payloads go: one file each, whose names sort in the order of the events.
    directory: PathBuf,
    /// Block every `SubagentStop` that is not the consequence of a block, with this reason.
    #[arg(long)]
    block: Option<String>,
}

/// Why the payload could not be written down.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    /// Reading or writing failed.
    #[error("cannot record the payload: {0}")]
    Io(#[from] std::io::Error),
    /// The host sent something else.
    #[error("the payload is not JSON: {0}")]
    Json(#[from] serde_json::Error),
}

impl Probe {
    /// Reads a payload from standard input, records it, and answers.
    pub fn run(&self) -> Result<(), ProbeError> {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text)?;
        let payload: Value = serde_json::from_str(&text)?;
        self.record(&payload)?;
        if let Some(reply) = self.reply(&payload) {
            writeln!(std::io::stdout(), "{reply}")?;
        }
        Ok(())
    }

    /// The process id keeps apart two hooks that run in the same nanosecond.
    fn record(&self, payload: &Value) -> Result<(), ProbeError> {
        std::fs::create_dir_all(&self.directory)?;
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
            .as_nanos();
        let event = payload["hook_event_name"].as_str().unwrap_or("unknown");
        let name = format!("{now:020}-{}-{event}.json", std::process::id());
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(self.directory.join(name))?;
        file.write_all(&serde_json::to_vec_pretty(payload)?)?;
        Ok(())
    }

    fn reply(&self, payload: &Value) -> Option<Value> {
        let reason = self.block.as_ref()?;
        let first =
            payload["hook_event_name"] == "SubagentStop" && payload["stop_hook_active"] == false;
        first.then(|| json!({"decision": "block", "reason": reason}))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn probe(directory: PathBuf) -> Probe {
        Probe {
            directory,
            block: Some("again".to_owned()),
        }
    }

    #[test]
    fn blocks_the_first_stop_only() {
        let probe = probe(PathBuf::new());
        let stop = |active| json!({"hook_event_name": "SubagentStop", "stop_hook_active": active});
        assert_eq!(
            probe.reply(&stop(false)).unwrap(),
            json!({"decision": "block", "reason": "again"})
        );
        assert_eq!(probe.reply(&stop(true)), None);
        assert_eq!(probe.reply(&json!({"hook_event_name": "Stop"})), None);
    }

    #[test]
    fn records_every_payload_in_order() {
        let directory = tempfile::tempdir().unwrap();
        let probe = probe(directory.path().join("made"));
        for event in ["SubagentStart", "SubagentStop"] {
            probe.record(&json!({"hook_event_name": event})).unwrap();
        }
        let mut names: Vec<_> = std::fs::read_dir(directory.path().join("made"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert!(names[0].ends_with("-SubagentStart.json"));
        assert!(names[1].ends_with("-SubagentStop.json"));
    }
}
