//! What agents that were sent back used until they stopped again.

use std::time::{Duration, Instant};

use attest_host::hosts;
use attest_state::history::{self, AfterBlocks, Sent, Stats};
use attest_state::{Store, StoreError};
use attest_transcript::{Spent, spent_between};
use jiff::{SignedDuration, Timestamp};

use attest_base::ui::counted;
use attest_base::ui::duration;

/// Transcripts that are read at most for a sum: a person waits for it.
const MOST_READ: usize = 20;
/// How long they may take. It is long enough that the same ones are counted each time.
const READING: Duration = Duration::from_secs(2);
/// The same for one agent.
const READING_ONE: Duration = Duration::from_millis(500);

/// What the agent of a block used from then to its next stop, if its transcript has it.
pub(super) fn of_one(
    store: &Store,
    block: i64,
    times: (Timestamp, Timestamp),
) -> Result<Option<Spent>, StoreError> {
    spent(store, block, times, Instant::now() + READING_ONE)
}

/// Adds what the newest blocks have cost, as far as transcripts are there.
pub(super) fn add(store: &Store, stats: &mut Stats) -> Result<(), StoreError> {
    let deadline = Instant::now() + READING;
    for sent in stats.sent.iter().rev().take(MOST_READ) {
        let Sent {
            tallies,
            seq,
            from,
            to,
            ..
        } = sent;
        if Instant::now() >= deadline {
            break;
        }
        let Some(spent) = spent(store, *seq, (*from, *to), deadline)? else {
            continue;
        };
        let add = |to: &mut AfterBlocks| {
            to.transcripts += 1;
            to.spent += spent;
        };
        add(&mut stats.all.after_blocks);
        for place in tallies {
            if let Some(tally) = stats.tallies.get_mut(*place) {
                add(&mut tally.after_blocks);
            }
        }
    }
    Ok(())
}

/// A transcript that is gone or cannot be read leaves it unknown.
fn spent(
    store: &Store,
    block: i64,
    times: (Timestamp, Timestamp),
    deadline: Instant,
) -> Result<Option<Spent>, StoreError> {
    let Some((path, harness)) = history::transcript_of(store, block)? else {
        return Ok(None);
    };
    let host = hosts::named(&harness).unwrap_or_else(|_| hosts::usual());
    let spent = spent_between(&path, host.profile().transcripts, times, deadline);
    Ok(spent.ok().flatten())
}

/// Turns and tokens in words.
pub(super) fn in_words(spent: &Spent) -> String {
    format!(
        "{}, {} tokens read and {} written",
        counted(spent.turns as usize, "turn"),
        short(spent.input_tokens),
        short(spent.output_tokens)
    )
}

/// What all the blocks have cost, in a sentence; `None` if no agent went on after one.
pub(super) fn sentence(after: &AfterBlocks) -> Option<String> {
    let blocks = counted(after.blocks as usize, "block");
    let seconds = |seconds: u64| {
        let seconds = i64::try_from(seconds).unwrap_or(i64::MAX);
        duration(SignedDuration::from_secs(seconds))
    };
    let each = after.seconds.checked_div(after.blocks.into())?;
    let went_on = if after.blocks == 1 {
        "its agent"
    } else {
        "their agents"
    };
    let mut text = format!(
        "after {blocks} {went_on} worked on for {}",
        seconds(after.seconds)
    );
    if after.blocks > 1 {
        text.push_str(&format!(", {} each", seconds(each)));
    }
    let spent = in_words(&after.spent);
    match after.transcripts {
        0 => text.push_str("; no transcript says what that cost"),
        all if all == after.blocks => text.push_str(&format!(": {spent}")),
        some => text.push_str(&format!(
            "; the transcripts of the newest say for {some} of them: {spent}"
        )),
    }
    Some(text)
}

/// Tokens, short.
pub(super) fn short(tokens: u64) -> String {
    match tokens {
        0..1000 => tokens.to_string(),
        1000..1_000_000 => format!("{}.{}k", tokens / 1000, tokens % 1000 / 100),
        _ => format!("{}.{}M", tokens / 1_000_000, tokens % 1_000_000 / 100_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_blocks_cost_is_one_sentence() {
        let mut after = AfterBlocks::default();
        assert_eq!(sentence(&after), None);
        after = AfterBlocks {
            blocks: 2,
            seconds: 120,
            ..after
        };
        let unknown = "after 2 blocks their agents worked on for 2m 0s, 1m 0s each; no transcript says what that cost";
        assert_eq!(sentence(&after).as_deref(), Some(unknown));
        after = AfterBlocks {
            blocks: 1,
            seconds: 58,
            transcripts: 1,
            spent: Spent {
                turns: 3,
                input_tokens: 1_250_000,
                output_tokens: 999,
            },
        };
        let known =
            "after 1 block its agent worked on for 58s: 3 turns, 1.2M tokens read and 999 written";
        assert_eq!(sentence(&after).as_deref(), Some(known));
    }
}
