//! How many tokens a turn of an agent used.

use attest_json::Object;

/// The context window of models whose transcripts do not name one, in tokens.
const USUAL_WINDOW: u64 = 200_000;
/// The context window of such a model if more than the usual one was used.
const LARGE_WINDOW: u64 = 1_000_000;

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

/// A count in a line; 0 if it is missing.
pub(crate) fn number(object: &Object<'_>, name: &str) -> u64 {
    object
        .raw(name)
        .and_then(|json| json.parse().ok())
        .unwrap_or(0)
}
