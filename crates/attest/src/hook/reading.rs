//! What reading transcripts may take, and when their lines were written.

use std::time::{Duration, Instant};

use attest_snapshot::Budget;
use jiff::Timestamp;

use super::context::Context;

/// How long lines that are still to be written are waited for.
pub(super) const WAIT: Duration = Duration::from_millis(300);
/// The most that reading may cost. It is enough for some hundred megabytes.
const READING: Duration = Duration::from_secs(1);
/// The most that all searches may cost together which only judge what is claimed beside files.
const QUESTIONS: Duration = Duration::from_millis(450);

/// What a reading that begins now may take.
pub(super) fn reading(context: &Context) -> Budget {
    context.limits.budget.by(reading_deadline(context))
}

/// When a reading that begins now is to end.
pub(super) fn reading_deadline(context: &Context) -> Instant {
    let now = Instant::now();
    let left = context.limits.budget.deadline;
    let left = left.map_or(Duration::MAX, |deadline| {
        deadline.saturating_duration_since(now)
    });
    // Half of what is left: a block that is due has to be recorded in time.
    now + READING.min(left / 2)
}

/// The same for a search that can only leave a claim open: all of these have one bound. What may excuse an agent is
/// never cut short by them, since a block may rest on it.
pub(super) fn question_deadline(context: &Context) -> Instant {
    let first = context.first_question.get_or_init(Instant::now);
    reading_deadline(context).min(*first + QUESTIONS)
}

/// Whether the time of a line is certainly before this moment, in nanoseconds since the epoch.
pub(super) fn is_earlier(at: &str, moment: i64) -> bool {
    let at = at.parse::<Timestamp>();
    at.is_ok_and(|at| at.as_nanosecond() < i128::from(moment))
}
