//! The report that an agent ends with.

use std::time::Duration;

use super::report::Source;
use super::{Context, shrug};

/// How long a transcript that lags behind the hook is waited for. Hosts were measured to write
/// the last message up to 65 ms after the hook begins.
const TRANSCRIPT_WAIT: Duration = Duration::from_millis(300);

/// The report, and where it was found.
pub(super) fn message(context: &Context) -> (String, Source) {
    let payload = &context.payload;
    if let Some(message) = &payload.message {
        return (message.clone(), Source::Payload);
    }
    let Some(path) = payload.message_transcript() else {
        return (String::new(), Source::Payload);
    };
    match attest_transcript::final_message(path, context.harness.transcripts(), TRANSCRIPT_WAIT) {
        Ok(message) => (message.unwrap_or_default(), Source::Transcript),
        Err(error) => {
            shrug(&context.log, "TRANSCRIPT_UNREADABLE", &error);
            (String::new(), Source::Transcript)
        }
    }
}
