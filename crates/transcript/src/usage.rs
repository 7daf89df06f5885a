//! How many tokens the last turn of an agent used.

use std::fs::File;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use attest_json::Object;

use crate::backward::BackwardLines;
use crate::{Forms, TranscriptError, open, record};

/// The context window of models whose transcripts do not name one, in tokens.
const USUAL_WINDOW: u64 = 200_000;
/// The context window of such a model if more than the usual one was used.
const LARGE_WINDOW: u64 = 1_000_000;

/// How long the end of one transcript is searched: a command reads those of many agents.
const READING: Duration = Duration::from_millis(500);

/// The tokens of one turn.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Usage {
    /// The model, if the transcript names it.
    pub model: Option<String>,
    /// Input that was not cached.
    pub input_tokens: u64,
    /// Input that was not cached before, and now is.
    pub cache_creation_input_tokens: u64,
    /// Input from the cache.
    pub cache_read_input_tokens: u64,
    /// Output.
    pub output_tokens: u64,
    /// The model's context window, if the transcript names it.
    pub named_window: Option<u64>,
}

impl Usage {
    /// The context of the model at the end of the turn: everything that it read, and its answer.
    #[must_use]
    pub fn context_tokens(&self) -> u64 {
        [
            self.input_tokens,
            self.cache_creation_input_tokens,
            self.cache_read_input_tokens,
            self.output_tokens,
        ]
        .into_iter()
        .fold(0, u64::saturating_add)
    }

    /// The size of the model's context window, in tokens; `None` if it is not known.
    ///
    /// A Claude transcript does not say which of the two windows was bought. More tokens than fit
    /// into the usual one show that it was the large one.
    #[must_use]
    pub fn window(&self) -> Option<u64> {
        self.named_window.or_else(|| {
            let model = self.model.as_deref()?;
            let is_large = model.contains("[1m]") || self.context_tokens() > USUAL_WINDOW;
            let window = if is_large { LARGE_WINDOW } else { USUAL_WINDOW };
            model.contains("claude").then_some(window)
        })
    }
}

/// The usage of the last turn in the transcript at `path`, whose lines are in one of `forms`;
/// `None` if no turn says it.
///
/// Reads backwards, in bounded memory, and never waits; what takes longer than half a second is an error.
pub fn last_usage(path: &Path, forms: Forms<'_>) -> Result<Option<Usage>, TranscriptError> {
    let (file, _) = open::regular_file(path)?;
    find(file, forms, Instant::now() + READING).map_err(|source| TranscriptError::Unreadable {
        path: path.to_owned(),
        source,
    })
}

fn find(file: File, forms: Forms<'_>, deadline: Instant) -> io::Result<Option<Usage>> {
    for line in BackwardLines::new(file)?.until(deadline) {
        if let Some(usage) = line?.bytes.as_deref().and_then(|line| of_line(line, forms)) {
            return Ok(Some(usage));
        }
    }
    Ok(None)
}

fn of_line(line: &[u8], forms: Forms<'_>) -> Option<Usage> {
    let text = String::from_utf8_lossy(line);
    let line = Object::parse(&text).ok()?;
    record::read(&line, forms).usage
}

/// A count in a line; 0 if it is missing.
pub(crate) fn number(object: &Object<'_>, name: &str) -> u64 {
    object
        .raw(name)
        .and_then(|json| json.parse().ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::disallowed_methods, reason = "tests start what they need")]

    use std::fs;

    use super::*;

    fn usage_of(text: &str) -> Option<Usage> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.jsonl");
        fs::write(&path, text).unwrap();
        last_usage(&path, crate::forms::ALL).unwrap()
    }

    fn reply(model: &str, output: u64) -> String {
        format!(
            r#"{{"type":"assistant","message":{{"model":"{model}","usage":{{"input_tokens":1,"cache_creation_input_tokens":20,"cache_read_input_tokens":300,"output_tokens":{output}}}}}}}"#
        ) + "\n"
    }

    #[test]
    fn the_last_turn_counts_with_all_four_fields() {
        let text = reply("claude-x", 9) + &reply("claude-x", 4000) + "{\"type\":\"user\"}\n";
        let usage = usage_of(&text).unwrap();
        assert_eq!(usage.context_tokens(), 4321);
        assert_eq!(usage.output_tokens, 4000);
        assert_eq!(usage.window(), Some(200_000));
    }

    #[test]
    fn a_line_that_is_longer_than_any_tail_is_read() {
        let padding = format!(
            "{{\"type\":\"user\",\"x\":\"{}\"}}\n",
            "y".repeat(3_000_000)
        );
        let usage = usage_of(&(reply("claude-x", 7) + &padding));
        assert_eq!(usage.unwrap().output_tokens, 7);
    }

    #[test]
    fn a_torn_line_and_the_words_of_the_host_cost_nothing_but_themselves() {
        let text = reply("claude-x", 7) + &reply("<synthetic>", 0) + r#"{"type":"assistant","mes"#;
        assert_eq!(usage_of(&text).unwrap().output_tokens, 7);
        assert_eq!(usage_of(""), None);
        assert_eq!(usage_of("{\"type\":\"assistant\",\"message\":{}}\n"), None);
    }

    #[test]
    fn windows_are_named_measured_or_unknown() {
        assert_eq!(usage_of(&reply("other", 1)).unwrap().window(), None);
        let large = usage_of(&reply("claude-x", 200_000)).unwrap();
        assert_eq!(large.window(), Some(1_000_000));
        let named = usage_of(&reply("claude-x[1m]", 1)).unwrap();
        assert_eq!(named.window(), Some(1_000_000));
    }

    #[test]
    fn a_count_of_codex_is_read() {
        let text = r#"{"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":9999},"last_token_usage":{"input_tokens":1000,"cached_input_tokens":900,"output_tokens":50},"model_context_window":258400}}}
{"type":"event_msg","payload":{"type":"token_count","info":null}}
"#;
        let usage = usage_of(text).unwrap();
        assert_eq!(usage.input_tokens, 100);
        assert_eq!(usage.cache_read_input_tokens, 900);
        assert_eq!(usage.context_tokens(), 1050);
        assert_eq!(usage.window(), Some(258_400));
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_an_error_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        assert!(last_usage(&pipe, crate::forms::ALL).is_err());
    }
}
