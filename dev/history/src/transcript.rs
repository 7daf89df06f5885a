//! Transcripts of Claude Code, of agents that were sent back and of those that are still at work.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use crate::dice::Dice;
use crate::{Cost, Plan, Truth, began};

/// Tokens of the context that the transcripts speak of.
const WINDOW: u64 = 200_000;

/// Where the transcript of an agent lies.
pub(crate) fn path(folder: &Path, agent: &str) -> PathBuf {
    folder.join(format!("agent-{agent}.jsonl"))
}

/// Writes them, and notes what going on after a block has cost.
pub(crate) fn write(plan: &Plan, truth: &mut Truth) -> io::Result<()> {
    let (folder, most) = &plan.transcripts;
    fs::create_dir_all(folder)?;
    for (number, (agent, percent)) in truth.at_work.iter().enumerate() {
        let context = u64::from(*percent) * WINDOW / 100;
        let mut text = String::new();
        reply(&mut text, "m1", began(plan, number), context - 400, 400);
        fs::write(path(folder, agent), text)?;
    }
    let went_on = |stop: &&mut crate::Stop| stop.fate.is_some() && stop.host == "claude-code";
    let newest = truth.stops.iter_mut().rev().filter(went_on).take(*most);
    for (number, stop) in (0..).zip(newest) {
        let mut dice = Dice(plan.seed.wrapping_add(number));
        let mut text = String::new();
        // A second apart, up to the stop.
        let at = |back: i64| stop.at - SignedDuration::from_secs(back);
        reply(&mut text, "before", stop.started, 20_000, 700);
        let turns = 1 + u32::try_from(dice.below(5)).unwrap_or(0);
        let mut cost = Cost::default();
        for turn in (0..turns).rev() {
            let (input, output) = (21_000 + dice.below(9000), 50 + dice.below(1500));
            reply(
                &mut text,
                &format!("m{turn}"),
                at(i64::from(turn) + 1),
                input,
                output,
            );
            cost.turns += 1;
            cost.input += input;
            cost.output += output;
        }
        stop.cost = Some(cost);
        fs::write(path(folder, &stop.agent), text)?;
    }
    Ok(())
}

/// A reply of the model, on two lines as the host writes it.
fn reply(text: &mut String, id: &str, at: Timestamp, input: u64, output: u64) {
    for part in ["thinking", "text"] {
        let line = json!({
            "type": "assistant", "isSidechain": true, "timestamp": at.to_string(),
            "message": {
                "id": id, "role": "assistant", "model": "claude-opus-4",
                "content": [{"type": part, part: "…"}],
                "usage": {
                    "input_tokens": 4, "cache_creation_input_tokens": 1000,
                    "cache_read_input_tokens": input - 1004, "output_tokens": output,
                },
            },
        });
        let _ = writeln!(text, "{line}");
    }
}
