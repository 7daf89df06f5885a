//! What holds for every text.

use std::time::Duration;

use attest_clock::processor_time;
use proptest::prelude::*;

use super::{Claim, MAX_MESSAGE_BYTES, Meaning, Target, heavy, parse, said, short_entry};

/// Of letters that stand for no others: `yyy.py` may be any name.
fn name() -> impl Strategy<Value = String> {
    "[a-w]{1,8}(/[a-w]{1,8}){0,3}\\.(py|rs|tsx)"
}

fn decorated(name: &str, style: u8) -> String {
    match style % 8 {
        0 => name.to_owned(),
        1 => format!("`{name}`"),
        2 => format!("**{name}**"),
        3 => format!("{name} (new)"),
        4 => format!("{name} — added a thing, and a test"),
        5 => format!("{name}:12"),
        6 => format!("[{name}]({name})"),
        _ => format!("\"{name}\""),
    }
}

proptest! {
    #[test]
    fn any_text_is_parsed(text in "\\PC*") {
        let _ = parse(&text);
    }

    #[test]
    fn any_text_of_markdown_is_parsed(parts in proptest::collection::vec(prop_oneof![
        Just("## Handoff\n"), Just("status: DONE\n"), Just("files_changed: "), Just("- "), Just("```\n"),
        Just("> "), Just("\n"), Just("\t"), Just("a.py"), Just(", "), Just("`"), Just("**"), Just("["),
        Just("]("), Just(")"), Just(" -> "), Just("é"), Just("\\"), Just("\""), Just("|"), Just("---\n"),
        Just(":12"), Just("#L"), Just("<!--"), Just("-->"), Just("1. "), Just("Created:\n"),
    ], 0..60)) {
        let _ = parse(&parts.concat());
    }

    #[test]
    fn entries_have_few_readings_and_no_odd_characters(value in "\\PC{0,80}") {
        for entry in parse(&format!("Files changed: {value}")).entries {
            if let Meaning::Paths(readings) = entry.meaning {
                prop_assert!(!readings.is_empty() && readings.len() <= 16);
                let is_sound = |name: &&str| !name.trim().is_empty() && !name.contains(char::REPLACEMENT_CHARACTER);
                prop_assert!(readings.iter().all(|reading| names(&reading.target).iter().all(is_sound)));
            }
        }
    }

    #[test]
    fn a_name_with_separators_is_among_its_readings(
        name in "[a-z]{1,6}((, | and | \\(|\\) |\\[| - |: | -> | & )[a-z]{1,6}){0,3}\\.py"
    ) {
        let claim = parse(&format!("Status: DONE\nFiles changed: {name}\n"));
        for entry in &claim.entries {
            if let Meaning::Paths(readings) = &entry.meaning {
                prop_assert!(
                    readings.iter().any(|reading| names(&reading.target).contains(&name.as_str())),
                    "{:?}", entry
                );
            }
        }
    }

    #[test]
    fn an_example_is_never_the_claim(name in name(), style in 0..4) {
        let example = format!("## Handoff\nstatus: DONE\nfiles_changed: {name}\n");
        let hidden = match style {
            0 => format!("```\n{example}```\n"),
            1 => format!("> {}\n", example.trim_end().replace('\n', "\n> ")),
            2 => format!("<!--\n{example}-->\n"),
            _ => format!("    {}\n", example.trim_end().replace('\n', "\n    ")),
        };
        let text = format!("As you asked:\n\n{hidden}\nSo far the form.\n");
        prop_assert!(!parse(&text).is_claim(), "{}", text);
    }

    #[test]
    fn prose_is_never_a_claim(words in proptest::collection::vec("[a-zA-Z./`*]{1,10}", 1..40)) {
        let text = format!("I did this: {}.", words.join(" "));
        prop_assert!(!parse(&text).is_claim());
    }

    #[test]
    fn honest_lists_read_back(names in proptest::collection::vec((name(), any::<u8>()), 1..8), nested: bool) {
        let mut text = String::from(if nested { "- **Status:** DONE\n- **Files changed:**\n" } else { "Status: DONE\nFiles changed:\n" });
        for (name, style) in &names {
            text.push_str(if nested { "  - " } else { "- " });
            text.push_str(&decorated(name, *style));
            text.push('\n');
        }
        let claim = parse(&text);
        let found: Vec<_> = claim.entries.iter().filter(|e| matches!(e.meaning, Meaning::Paths(_))).map(short_entry).collect();
        let expected: Vec<_> = names.iter().map(|(name, _)| name.clone()).collect();
        prop_assert_eq!(found, expected, "{}", text);
    }
}

fn names(target: &Target) -> Vec<&str> {
    match target {
        Target::File(name) | Target::Dir(name) => vec![name],
        Target::Rename { from, to } => vec![from, to],
    }
}

fn size(claim: &Claim) -> usize {
    let target = |target: &Target| names(target).iter().map(|name| name.len()).sum::<usize>();
    let entry = |entry: &super::Entry| match &entry.meaning {
        Meaning::Paths(readings) => {
            readings
                .iter()
                .map(|reading| target(&reading.target))
                .sum::<usize>()
                + entry.raw.len()
        }
        Meaning::Unresolvable(_) => entry.raw.len(),
    };
    claim.entries.iter().map(entry).sum()
}

/// All readings together stay within a multiple of the message, so no later stage can be drowned.
#[test]
fn readings_grow_with_the_text() {
    for (name, text) in heavy::inputs(1_000) {
        let size = size(&parse(&text));
        assert!(size <= 64 * text.len(), "{name}: {size}");
    }
}

/// Four times the text takes about four times as long, and not sixteen times. What takes a few milliseconds
/// tells nothing, and is tried again.
#[test]
fn time_grows_with_the_text() {
    let [alone, in_list, ..] = heavy::PLACES else {
        panic!()
    };
    for place in [alone, in_list] {
        assert_grows(place, |text| processor_time(|| parse(text)));
    }
    assert_grows(alone, |text| processor_time(|| said(text)));
}

fn assert_grows(place: &str, time: impl Fn(&str) -> Duration) {
    for piece in heavy::PIECES {
        let text = |bytes: usize| format!("{place}{}", piece.repeat(bytes / piece.len()));
        let (short, long) = (text(1_000), text(4_000));
        let grows = || time(&long) > Duration::from_millis(8) + 8 * time(&short);
        assert!(!(0..5).all(|_| grows()), "{place:?} {piece:?}");
    }
}

/// The same of a long heading and of the keys below it, which grow together.
#[test]
fn a_heading_is_read_once_for_all_keys_below_it() {
    let time = |count: usize| {
        let heading = "word and more ".repeat(count * 4);
        let keys = "Files changed:\n- src/a.py\n\nTests: pass\n\n".repeat(count);
        let text = format!("## Next steps {heading}\n\n{keys}Status: DONE\n");
        processor_time(|| parse(&text))
    };
    let grows = || time(400) > Duration::from_millis(8) + 8 * time(100);
    assert!(!(0..5).all(|_| grows()));
}

/// A stack that is used once per mark would be gone long before the end.
#[test]
fn depth_costs_no_stack() {
    let deep = || {
        for piece in heavy::PIECES {
            let text = format!("Files changed:\n- {}", piece.repeat(4_000 / piece.len()));
            let _ = parse(&text);
        }
    };
    let thread = std::thread::Builder::new().stack_size(128 * 1024);
    assert!(thread.spawn(deep).unwrap().join().is_ok());
}

#[test]
fn a_message_that_nobody_writes_is_not_read() {
    let report = "Status: DONE\nFiles changed: a.py\n";
    let long = |bytes: usize| format!("{}\n{report}", "x".repeat(bytes - report.len() - 1));
    assert_eq!(parse(&long(MAX_MESSAGE_BYTES)).entries.len(), 1);
    assert!(!parse(&long(MAX_MESSAGE_BYTES + 1)).is_claim());
}
