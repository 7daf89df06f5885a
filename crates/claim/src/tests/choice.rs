//! Which text of a message is the claim, and which is none.

use super::check;

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
