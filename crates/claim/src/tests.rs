use proptest::prelude::*;

use super::*;

/// The claim in short: form, status, and the likeliest path of each entry. `!` marks what is no
/// path, `-` a deletion.
fn short(message: &str) -> String {
    let claim = parse(message);
    let entries: Vec<_> = claim.entries.iter().map(short_entry).collect();
    let status = claim.status.map_or("-", Status::as_str);
    format!("{:?} {status} [{}]", claim.form, entries.join(" | "))
}

fn short_entry(entry: &Entry) -> String {
    let mark = if entry.operation == Operation::Deleted {
        "-"
    } else {
        ""
    };
    match &entry.meaning {
        Meaning::Unresolvable(_) => format!("!{}", entry.raw),
        Meaning::Paths(targets) => match &targets[0] {
            Target::File(name) | Target::Dir(name) => format!("{mark}{name}"),
            Target::Rename { from, to } => format!("{from}->{to}"),
        },
    }
}

#[track_caller]
fn check(cases: &[(&str, &str)]) {
    for (message, expected) in cases {
        assert_eq!(short(message), *expected, "\n{message}");
    }
}

#[test]
fn handoff_sections() {
    check(&[
        (
            "## Handoff\nstatus: DONE\nfiles_changed: a.py, src/b.py\nblockers: none\n",
            "Handoff DONE [a.py | src/b.py]",
        ),
        (
            "### HANDOFF\n- **Status:** DONE\n- **Files changed:** `a.py`\n",
            "Handoff DONE [a.py]",
        ),
        (
            "## Handoff\n\n```yaml\nstatus: DONE\nfiles_changed:\n  - a.py\n  - b.py\n```\n",
            "Handoff DONE [a.py | b.py]",
        ),
        (
            "## Handoff\n```json\n{\"status\": \"DONE\",\n \"files_changed\": [\"a.py\", \"b.py\"]}\n```\n",
            "Handoff DONE [a.py | b.py]",
        ),
        (
            "## Handoff\n```json\n{\n\"status\": \"DONE\",\n\"files_changed\": [\n  \"a.py\",\n  \"b.py\"\n],\n\"blockers\": []\n}\n```\n",
            "Handoff DONE [a.py | b.py]",
        ),
        (
            "```\n## Handoff\nstatus: DONE\nfiles_changed: a.py\n```\n",
            "Handoff DONE [a.py]",
        ),
        (
            "## Handoff\nstatus: DONE\nfiles_changed: old.py\n\n## Handoff\nstatus: BLOCKED\nfiles_changed: new.py\n",
            "Handoff BLOCKED [new.py]",
        ),
        (
            "## Handoff\nstatus: DONE\nfiles_changed: a.py\n\n## Notes\nfiles_changed: b.py\n",
            "Handoff DONE [a.py]",
        ),
        (
            "## Handoff\nfiles_changed: a.py\n\n## Result\nStatus: DONE\n",
            "Handoff DONE [a.py]",
        ),
        (
            "## Handoff\n### Files changed\n- a.py\n- b.py\n### Status\nDONE\n",
            "Handoff DONE [a.py | b.py]",
        ),
        ("# Handoff\nstatus: DONE\n", "Lines DONE []"),
        ("## Handoff\nAll went well.\n", "None - []"),
        (
            "## Handoff\nstatus: DONE\n## Handoff\nnothing to add\n",
            "Handoff DONE []",
        ),
        (
            "## Handoff\nstatus: DONE\nstatus: BLOCKED\n",
            "Handoff - []",
        ),
        (
            "Handoff\n-------\nstatus: DONE\nfiles_changed: a.py\n",
            "Handoff DONE [a.py]",
        ),
    ]);
}

#[test]
fn anchored_lines() {
    check(&[
        (
            "Done.\n\nStatus: DONE\nFiles changed: ghost.py\n",
            "Lines DONE [ghost.py]",
        ),
        (
            "- **Status:** DONE\n- **Files changed:**\n  - a.py\n  - b.py\n",
            "Lines DONE [a.py | b.py]",
        ),
        (
            "- **Status:** DONE\n- **Files changed:**\n- a.py\n- b.py\n- **Notes:** x.py was hard\n",
            "Lines DONE [a.py | b.py]",
        ),
        (
            "**Status:** DONE\n\n**Files changed:**\n- a.py\n",
            "Lines DONE [a.py]",
        ),
        (
            "**Status**: DONE ✅\n**Files changed**\n\n- `a.py`\n",
            "Lines DONE [a.py]",
        ),
        (
            "Status: DONE\nFiles changed:\na.py\nsrc/b.py\n\nThat is all.\n",
            "Lines DONE [a.py | src/b.py]",
        ),
        (
            "Status: DONE\n---\nFiles changed: a.py\n===\n",
            "Lines DONE [a.py]",
        ),
        (
            "---\nstatus: DONE\nfiles_changed: a.py\n---\n",
            "Lines DONE [a.py]",
        ),
        (
            "Status: DONE\r\nFiles changed: a.py\r\n",
            "Lines DONE [a.py]",
        ),
        (
            "\u{feff}Status: DONE\nFiles\u{a0}changed: a.py",
            "Lines DONE [a.py]",
        ),
        ("Status\u{ff1a} DONE\n", "Lines DONE []"),
        (
            "## Status: DONE\n### Files Modified\n* a.py\n",
            "Lines DONE [a.py]",
        ),
        (
            "Status: DONE\nFiles created: a.py\nFiles deleted: b.py\n",
            "Lines DONE [a.py | -b.py]",
        ),
        (
            "Status: DONE\nFiles changed: 2 files\n- a.py\n- b.py\n",
            "Lines DONE [!2 files | a.py | b.py]",
        ),
        (
            "Status: DONE\nFiles changed: see below\n- a.py\n",
            "Lines DONE [!see below | a.py]",
        ),
        (
            "Status: DONE\nFiles changed: a.py,\n  b.py\n",
            "Lines DONE [a.py | b.py]",
        ),
        (
            "Status: DONE\n\n| File | What |\n|---|---|\n| a.py | x |\n",
            "Lines DONE []",
        ),
        (
            "Status: DONE\n### Files changed\n\n| File | What |\n|---|---|\n| `src/a.py` | added |\n",
            "Lines DONE [src/a.py]",
        ),
        (
            "Status: DONE\nFiles changed:\n- Created:\n  - a.py\n- Deleted:\n  - b.py\n",
            "Lines DONE [a.py | -b.py]",
        ),
        (
            "Status: DONE\nFiles changed:\n- a.py\n  - added the function foo.bar\n- b.py\n",
            "Lines DONE [a.py | b.py]",
        ),
        (
            "Status: DONE\nFiles changed: a.py\n\n- Ran tests.py\n",
            "Lines DONE [a.py]",
        ),
        (
            "1. Status: DONE\n2. Files changed: a.py\n",
            "Lines DONE [a.py]",
        ),
    ]);
}

#[test]
fn what_is_no_claim() {
    check(&[
        ("I changed ghost.py. DONE", "None - []"),
        (
            "The task is DONE, see `ghost.py`.\nThe status: DONE is set by files_changed: x\n",
            "None - []",
        ),
        (
            "```\nStatus: DONE\nFiles changed: ghost.py\n```\n",
            "None - []",
        ),
        (
            "    Status: DONE\n    Files changed: ghost.py\n",
            "None - []",
        ),
        ("> Status: DONE\n> Files changed: ghost.py\n", "None - []"),
        (
            "<!-- Status: DONE\nFiles changed: ghost.py -->\n",
            "None - []",
        ),
        ("`x\nStatus: DONE\n`\n", "None - []"),
        ("| Status: DONE |\n", "None - []"),
        ("Summary / Status: DONE\n", "None - []"),
        ("Blockers: none\n", "None - []"),
        ("", "None - []"),
        (
            "~~~\n## Handoff\nstatus: DONE\n~~~\nNo handoff yet.\n",
            "None - []",
        ),
    ]);
}

#[test]
fn the_last_claim_is_the_real_one() {
    check(&[
        (
            "```\n## Handoff\nstatus: DONE\nfiles_changed: example.py\n```\n\n## Handoff\nstatus: DONE\nfiles_changed: a.py\n",
            "Handoff DONE [a.py]",
        ),
        (
            "Status: DONE | BLOCKED\nFiles changed: <list>\n\nStatus: DONE\nFiles changed: a.py\n",
            "Lines DONE [a.py]",
        ),
        (
            "Status: DONE\nFiles created: example.py\n\nStatus: DONE\nFiles changed: a.py\n",
            "Lines DONE [a.py]",
        ),
        (
            "Files created: example.py\nStatus: DONE\n\nFiles changed: a.py\nStatus: DONE\n",
            "Lines DONE [a.py]",
        ),
        ("Status: BLOCKED\nlater\nStatus: DONE\n", "Lines - []"),
        (
            "Files changed: a.py\nFiles changed: b.py\nStatus: DONE",
            "Lines DONE [b.py]",
        ),
    ]);
}

fn value(value: &str) -> String {
    let message = short(&format!("Status: DONE\nFiles changed: {value}\n"));
    message.strip_prefix("Lines DONE ").unwrap().to_owned()
}

#[test]
fn values() {
    for (text, expected) in [
        ("a.py", "[a.py]"),
        ("Makefile", "[Makefile]"),
        ("ghost", "[ghost]"),
        ("none", "[]"),
        ("None.", "[]"),
        ("N/A", "[]"),
        ("-", "[]"),
        ("[]", "[]"),
        ("(none)", "[]"),
        ("no files changed", "[]"),
        ("nothing", "[]"),
        ("None (read-only task)", "[]"),
        ("`none`", "[]"),
        ("3", "[!3]"),
        ("3 files", "[!3 files]"),
        ("`a.py`", "[a.py]"),
        ("**a.py**", "[a.py]"),
        ("'a.py'", "[a.py]"),
        ("\"a.py\"", "[a.py]"),
        ("[a.py](src/a.py)", "[a.py]"),
        ("[`a.py`](./src/a.py#L3)", "[a.py]"),
        ("a.py (new)", "[a.py]"),
        ("src/a.py — added x", "[src/a.py]"),
        ("src/a.py: added x", "[src/a.py]"),
        ("src/a.py - added x", "[src/a.py]"),
        ("src/a.py:12", "[src/a.py]"),
        ("src/a.py:12-40", "[src/a.py]"),
        ("src/a.py#L12", "[src/a.py]"),
        ("src/a.py:12:3", "[src/a.py]"),
        ("a.py (deleted)", "[-a.py]"),
        ("a.py — removed", "[-a.py]"),
        ("a.py, b.py and c.py", "[a.py | b.py | c.py]"),
        ("a.py, b.py, and c.py.", "[a.py | b.py | c.py]"),
        ("`a.py`, `b.py`", "[a.py | b.py]"),
        ("[a.py, b.py]", "[a.py | b.py]"),
        ("[\"a.py\", \"b.py\"]", "[a.py | b.py]"),
        ("app/[id]/page.tsx", "[app/[id]/page.tsx]"),
        ("a.py -> b.py", "[a.py->b.py]"),
        ("`a.py` → `b.py`", "[a.py->b.py]"),
        ("src/*.py", "[!src/*.py]"),
        ("src/{a,b}.py", "[!src/{a,b}.py]"),
        ("https://example.org/a.py", "[!https://example.org/a.py]"),
        ("~/a.py", "[!~/a.py]"),
        ("$HOME/a.py", "[!$HOME/a.py]"),
        ("see above", "[!see above]"),
        ("a.py, and 3 more", "[a.py | !3 more]"),
        ("a.py and others", "[a.py | !others]"),
        (
            "updated the parser to handle more cases",
            "[!updated the parser to handle more cases]",
        ),
        (
            "the parser in src/a.py was changed to handle x",
            "[!the parser in src/a.py was changed to handle x]",
        ),
        ("a.py — adds x, y and z", "[a.py | !y | !z]"),
        ("a.py — adds x, b.py — adds y", "[a.py | b.py]"),
        ("a.py (new), b.py", "[a.py | b.py]"),
        ("my docs/a file.md", "[my docs/a file.md]"),
        ("/repo/src/a.py", "[/repo/src/a.py]"),
        ("C:\\repo\\a.py", "[C:\\repo\\a.py]"),
        ("src/", "[src/]"),
        ("Created `a.py`", "[a.py]"),
        ("M src/a.py", "[src/a.py]"),
        ("D src/a.py", "[-src/a.py]"),
        ("<path>", "[!<path>]"),
        ("path/to/file.py", "[!path/to/file.py]"),
        ("\"caf\\303\\251.py\"", "[caf\\303\\251.py]"),
        ("a\u{fffd}.py", "[!a\u{fffd}.py]"),
        (".env", "[.env]"),
        (".github/workflows/ci.yml", "[.github/workflows/ci.yml]"),
        ("src/a.py +12/-3", "[src/a.py +12/-3]"),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
}

fn readings(value: &str) -> Vec<String> {
    let claim = parse(&format!("Status: DONE\nFiles changed: {value}\n"));
    let Meaning::Paths(targets) = &claim.entries[0].meaning else {
        return Vec::new();
    };
    targets
        .iter()
        .filter_map(|target| match target {
            Target::File(name) => Some(name.clone()),
            _ => None,
        })
        .collect()
}

#[test]
fn every_reading_of_an_odd_name_is_kept() {
    for (value, name) in [
        ("a, b.py", "a, b.py"),
        ("salt and pepper.py", "salt and pepper.py"),
        ("a (new)", "a (new)"),
        ("src/a.py - copy.py", "src/a.py - copy.py"),
        ("a: b.py", "a: b.py"),
        ("src\\a.py", "src/a.py"),
        ("src/a.py:12", "src/a.py:12"),
        ("\"caf\\303\\251.py\"", "caf\u{e9}.py"),
        ("[a.py](src/a.py)", "src/a.py"),
        ("'quoted.py'", "'quoted.py'"),
        ("Modified src/a.py", "Modified src/a.py"),
        ("page(1).tsx", "page(1).tsx"),
        ("a -> b", "a -> b"),
    ] {
        assert!(
            readings(value).contains(&name.to_owned()),
            "{value}: {:?}",
            readings(value)
        );
    }
}

#[test]
fn blockers_and_tests_are_read() {
    let claim =
        parse("## Handoff\nstatus: BLOCKED\nblockers: no network\nran_tests: yes, 3 pass\n");
    assert_eq!(claim.blockers.as_deref(), Some("no network"));
    assert_eq!(claim.ran_tests.as_deref(), Some("yes, 3 pass"));
    assert!(claim.raw.starts_with("## Handoff"));
}

fn name() -> impl Strategy<Value = String> {
    "[a-z]{1,8}(/[a-z]{1,8}){0,3}\\.(py|rs|tsx)"
}

fn decorated(name: &str, style: u8) -> String {
    match style % 8 {
        0 => name.to_owned(),
        1 => format!("`{name}`"),
        2 => format!("**{name}**"),
        3 => format!("{name} (new)"),
        4 => format!("{name} — added a thing, and another"),
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

/// Work that grows faster than its text shows as a ratio far above 4.
#[test]
fn time_grows_with_the_text() {
    let heavy = [
        "[",
        "*",
        "> ",
        "`",
        "a, ",
        "- ",
        "](",
        "\"",
        "(",
        "Status: DONE\n",
        "Files changed: a.py\n- b.py\n",
        "<!--",
        "|",
        "- a\n  ",
        "**a",
        "a.py — b, ",
        "## Handoff\n",
    ];
    for piece in heavy {
        let time = |n: usize| {
            let text = format!("Status: DONE\nFiles changed: {}", piece.repeat(n));
            let began = std::time::Instant::now();
            let _ = parse(&text);
            began.elapsed().as_secs_f64()
        };
        time(100);
        let (short, long) = (time(500).max(0.001), time(8_000));
        assert!(long / short < 160.0, "{piece:?}: {short} s, then {long} s");
    }
}
