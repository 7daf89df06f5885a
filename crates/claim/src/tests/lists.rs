//! Lists below a files key.

use super::{Meaning, Unresolvable, parse, short};

#[test]
fn lists_below_a_key() {
    let list = |list: &str| short(&format!("Status: DONE\nFiles changed:\n{list}"));
    for (text, expected) in [
        // A group is no path, whatever its name.
        (
            "- Backend\n  - a.py\n  - b.py\n- Frontend:\n  - c.ts\n",
            "[a.py | b.py | c.ts]",
        ),
        (
            "- **Deleted:**\n  - a.py\n    - it was unused\n- b.py\n",
            "[-a.py | b.py]",
        ),
        (
            "- New files\n  - a.py\n- Other\n  - b.py\n",
            "[a.py | b.py]",
        ),
        // What is said below a file.
        (
            "1. `a.py`\n   - did x in `ghost.py`\n2. `b.py`\n\n   More of it.\n3. `c.py`\n",
            "[a.py | b.py | c.py]",
        ),
        (
            "- a.py — long\n  text ghost.py\nand more\n- b.py\n",
            "[a.py | b.py]",
        ),
        (
            "src/a.py:\n- did x\n- parser\nsrc/b.py:\n- utils\n",
            "[src/a.py | src/b.py]",
        ),
        (
            "**src/a.py**\n- parser\n\n**src/b.py**\n- parser\n",
            "[src/a.py | src/b.py]",
        ),
        // Other lists begin.
        ("- a.py\n\nFiles read/consulted:\n- ghost.py\n", "[a.py]"),
        ("- a.py\nFiles read/consulted:\n- ghost.py\n", "[a.py]"),
        ("- a.py\n**Not touched at all:**\n- ghost.py\n", "[a.py]"),
        ("Files I did not change:\n- ghost.py\n", "[]"),
        ("Everything else I read:\n- ghost.py\n", "[]"),
        ("The following files were changed:\n- a.py\n", "[a.py]"),
        ("- a.py\n\n## Next steps\n- ghost.py\n", "[a.py]"),
        ("- a.py\n\n```\nghost.py\n```\n- ghost.py\n", "[a.py]"),
        ("- a.py\n\n> - ghost.py\n", "[a.py]"),
        // Other forms of a list.
        (
            "src/a.py — x\nsrc/b.py — y\n\nAll in src/ works.\n",
            "[src/a.py | src/b.py]",
        ),
        ("\n    - ghost.py\n", "[]"),
        ("* a.py\n+ b.py\n• c.py\n", "[a.py | b.py | c.py]"),
        (
            "\n| # | File | Why |\n|---|---|---|\n| 1 | `a.py`<br>`b.py` | x/y |\n",
            "[a.py | b.py]",
        ),
    ] {
        assert_eq!(list(text), format!("Lines DONE {expected}"), "\n{text}");
    }
}

#[test]
fn an_endless_list_ends_in_a_doubt() {
    for text in [
        format!("Files changed: {}", "a.py, ".repeat(5_000)),
        format!("Files changed:\n{}", "- a.py\n".repeat(5_000)),
    ] {
        let entries = parse(&text).entries;
        assert_eq!(entries.len(), 2_001);
        assert_eq!(
            entries[2_000].meaning,
            Meaning::Unresolvable(Unresolvable::AndMore)
        );
    }
}
