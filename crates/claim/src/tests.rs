use super::*;

mod aside;
mod assertions;
mod choice;
mod corpus;
mod decisions;
mod fences;
mod forms;
mod guards;
mod heavy;
mod keys;
mod lists;
mod nested;
mod places;
mod properties;
mod remarks;
mod review;
mod twins;
mod values;
mod words;

/// The claim in short: form, status, and the likeliest path of each entry. `!` marks what is not a path, `?`
/// what may be one, `/` what is one if its folder exists, `-` a deletion.
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
        Meaning::Paths(readings) => {
            let sure = match readings.iter().map(|reading| reading.certainty).max() {
                _ if entry.doubt().is_some() => "?",
                Some(Certainty::Certain) => "",
                Some(Certainty::Folder) => "/",
                _ => "?",
            };
            match &readings[0].target {
                Target::File(name) | Target::Dir(name) => format!("{sure}{mark}{name}"),
                Target::Rename { from, to } => format!("{sure}{from}->{to}"),
            }
        }
    }
}

#[track_caller]
fn check(cases: &[(&str, &str)]) {
    let read: Vec<_> = cases
        .iter()
        .map(|(message, _)| (*message, short(message)))
        .collect();
    let wrong: Vec<_> = cases
        .iter()
        .zip(&read)
        .filter(|((_, expected), (_, found))| expected != found)
        .map(|((message, expected), (_, found))| {
            format!("{message}\n  found    {found}\n  expected {expected}\n")
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
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
        (
            "## Handoff\n```json\n{\"status\": \"DONE\", \"files_changed\": [\"a.py\", \"b.py\"], \"blockers\": []}\n```\n",
            "Handoff DONE [a.py | b.py]",
        ),
        (
            "## Handoff\n```yaml\nstatus: DONE # good\nfiles_changed: # two\n  - a.py # new\n  - b.py\n```\n",
            "Handoff DONE [a.py | b.py]",
        ),
        (
            "## Handoff\n```yaml\nstatus: DONE\nfiles_changed:\n  - path: a.py\n    action: created\n  - path: b.py\n    action: modified\n```\n",
            "Handoff DONE [a.py | b.py]",
        ),
        (
            "## Handoff\nstatus: DONE\nfiles_changed: |\n  a.py\n  b.py\n",
            "Handoff DONE [a.py | b.py]",
        ),
        (
            "## Handoff\nstatus: DONE\nfiles_changed:\n- a.py\nkey_decisions:\n- used ghost.py\n",
            "Handoff DONE [a.py]",
        ),
        (
            "## Handoff\n```yaml\nstatus: DONE\nfiles_changed: ghost.py\n```\nstatus: BLOCKED\nfiles_changed: a.py\n",
            "Handoff BLOCKED [a.py]",
        ),
        (
            "## Handoff\nstatus: DONE\n---\nfiles_changed: a.py\n===\nblockers: none\n",
            "Handoff DONE [a.py]",
        ),
        ("## 3. Handoff ✅\nstatus: DONE\n", "Handoff DONE []"),
        ("##### Handoff\nstatus: DONE\n", "Lines DONE []"),
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
        (
            "**Status: DONE**\n**Files changed: a.py, b.py**\n",
            "Lines DONE [a.py | b.py]",
        ),
        (
            "_Status: DONE_\n_Files changed: src/a.py_\n",
            "Lines DONE [src/a.py]",
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
fn blockers_and_tests_are_read() {
    let claim =
        parse("## Handoff\nstatus: BLOCKED\nblockers: no network\nran_tests: yes, 3 pass\n");
    assert_eq!(claim.blockers.as_deref(), Some("no network"));
    assert_eq!(claim.ran_tests.as_deref(), Some("yes, 3 pass"));
    assert!(claim.raw.starts_with("## Handoff"));
}

#[test]
fn a_claim_is_printed_in_words() {
    let claim = parse("Status: done with concerns\nFiles deleted: old/, *.py, a -> b\n");
    let json = serde_json::to_value(&claim).unwrap();
    assert_eq!(json["form"], "lines");
    assert_eq!(json["status"], "DONE_WITH_CONCERNS");
    assert_eq!(json["entries"][0]["operation"], "deleted");
    assert_eq!(json["entries"][0]["meaning"]["paths"][0]["dir"], "old/");
    assert_eq!(json["entries"][1]["meaning"]["unresolvable"], "glob");
    assert_eq!(
        json["entries"][2]["meaning"]["paths"][0]["rename"]["to"],
        "b"
    );
}
