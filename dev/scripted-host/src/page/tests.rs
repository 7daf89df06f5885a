use super::*;

fn played(faults: &[&str], blocks: &[&str]) -> Ending {
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    Ending::Played {
        faults: owned(faults),
        events: owned(&["Events: `SubagentStart`, `SubagentStop`"]),
        blocks: owned(blocks),
    }
}

fn version(endings: Vec<(&'static str, Ending)>) -> Version<'static> {
    let rows = endings.into_iter().map(|(scenario, ending)| Row {
        scenario,
        about: "What it is about.",
        ending,
    });
    Version {
        name: "1.0".to_owned(),
        rows: rows.collect(),
    }
}

#[test]
fn a_text_that_two_scenarios_share_is_there_once() {
    let version = version(vec![
        ("one", played(&[], &["go back"])),
        ("other", played(&[], &["go back", "at once"])),
    ]);
    let page = details(&[version]);
    assert_eq!(page.matches("\ngo back\n").count(), 1);
    assert!(page.contains("- Told to an agent: text 1, text 2\n"));
}

#[test]
fn what_failed_and_what_was_not_played_is_told_apart() {
    let version = version(vec![
        ("good", played(&[], &[])),
        ("bad", played(&["starts: found 0, expected 1"], &[])),
        ("left_out", Ending::NotPlayed),
    ]);
    let versions = [version];
    assert!(text(&versions).contains("| `bad` | FAILED |\n| `left_out` | not played |\n"));
    let page = details(&versions);
    assert!(page.contains("- Result: FAILED\n  - starts: found 0, expected 1\n"));
    assert!(page.contains("### left_out\n\nWhat it is about.\n\n- Result: not played\n"));
}
