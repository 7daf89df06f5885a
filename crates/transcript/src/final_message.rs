//! The last thing an agent said, as soon as it is complete.

mod reply;

use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crate::backward::{BackwardLines, Line};
use crate::record::{self, Event};
use crate::{Forms, ReadLimits, TranscriptError, open};
use reply::LastReply;

/// Pause between two looks at a file. The final message was seen to arrive 25 to 65 ms after the
/// hook was called, so looking every 10 ms loses little time.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// The agent's final message: the last text block of its last reply, trimmed, which is what Claude
/// Code 2.1.329 itself reports as `last_assistant_message`.
///
/// The host writes late: in all 20 observed stop hooks the message was missing at the start. So
/// while the last line is not the end of a finished reply, the file is looked at again until `wait`
/// has passed. The answer is then `None` if the newest entry is a tool's result, a prompt or a
/// hook's feedback, because what the agent said before that is no longer its report. It is also
/// `None` if the newest entry is the host's own error message, which is not a claim of the agent.
///
/// Only what was said at a time counts that `is_old` does not know as too early, in the host's format: a host
/// may write so late that the file still ends with what it was asked before. A line without a time is not old.
///
/// Waits for nothing but the file's growth: a pipe, a folder or a device is an error at once, a
/// missing file after `wait`. What could not be read by the deadline is an error.
pub fn final_message(
    path: &Path,
    forms: Forms<'_>,
    limits: ReadLimits,
    is_old: &dyn Fn(&str) -> bool,
) -> Result<Option<String>, TranscriptError> {
    let ReadLimits { wait, deadline } = limits;
    let begun = Instant::now();
    let mut last_look = None;
    loop {
        let look = look(path, forms, is_old, (last_look, deadline));
        let over = begun.elapsed() >= wait || Instant::now() >= deadline;
        match look {
            Ok(look) if look.answer.is_final || over => return Ok(look.answer.text),
            Ok(look) => last_look = Some(look),
            Err(error) if over || !error.is_transient() => return Err(error),
            Err(_) => last_look = None,
        }
        thread::sleep(POLL_INTERVAL.min(wait.saturating_sub(begun.elapsed())));
    }
}

/// The final message, as far as the file shows it.
#[derive(Debug, Default, PartialEq, Eq)]
struct Answer {
    text: Option<String>,
    /// Nothing that is still to be written can change it.
    is_final: bool,
}

/// What was read, and the state of the file at that time.
struct Look {
    length: u64,
    modified: Option<SystemTime>,
    answer: Answer,
}

/// Reads the end of the file, unless it is unchanged since the last look.
fn look(
    path: &Path,
    forms: Forms<'_>,
    is_old: &dyn Fn(&str) -> bool,
    (last, deadline): (Option<Look>, Instant),
) -> Result<Look, TranscriptError> {
    let (file, metadata) = open::regular_file(path)?;
    let (length, modified) = (metadata.len(), metadata.modified().ok());
    if let Some(last) = last
        && (last.length, last.modified) == (length, modified)
    {
        return Ok(last);
    }
    let read = || answer_from(BackwardLines::new(file)?.until(deadline), forms, is_old);
    let answer = read().map_err(TranscriptError::unreadable(path))?;
    Ok(Look {
        length,
        modified,
        answer,
    })
}

/// Goes from the newest line to the first one that decides. That depends on what the model's last
/// reply is, and on who spoke after it.
fn answer_from(
    lines: impl Iterator<Item = io::Result<Line>>,
    forms: Forms<'_>,
    is_old: &dyn Fn(&str) -> bool,
) -> io::Result<Answer> {
    let mut unfinished = false;
    let mut last: Option<LastReply> = None;
    for line in lines {
        let line = line?;
        let record = line
            .bytes
            .as_deref()
            .and_then(|line| record::decode(line, forms));
        let is_too_early = record.as_ref().and_then(|record| record.at.as_deref());
        if is_too_early.is_some_and(is_old) {
            break;
        }
        match record.map(|record| record.event) {
            // A line that is still being written may be the newest entry; a complete but unreadable
            // one is skipped.
            None => unfinished |= !line.ended,
            Some(Event::Other) => {}
            Some(Event::User(_)) => break,
            Some(Event::Assistant(part)) => match &mut last {
                None => last = Some(LastReply::new(part)),
                Some(reply) if reply.is_continued_by(&part) => reply.prepend(part),
                Some(_) => break,
            },
        }
        if last.as_ref().is_some_and(LastReply::is_decided) {
            break;
        }
    }
    let mut answer = last.map(LastReply::into_answer).unwrap_or_default();
    answer.is_final &= !unfinished;
    Ok(answer)
}

#[cfg(test)]
mod tests;
