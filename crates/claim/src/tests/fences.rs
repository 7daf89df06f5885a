//! Fenced blocks below a files key: lists, what git prints, and drawn trees.

use super::{parse, short};

fn fenced(content: &str) -> String {
    let read = short(&format!("Files changed:\n```\n{content}\n```"));
    read.trim_start_matches("Lines - ").to_owned()
}

#[test]
fn trees_name_their_files_with_the_folders_above() {
    for tree in [
        "project/\n├── src/\n│   ├── a.py\n│   └── lib/\n│       └── b.py\n└── docs/\n    └── c.md",
        "project\n|-- src\n|   |-- a.py\n|   `-- lib\n|       `-- b.py\n`-- docs\n    `-- c.md",
        "project\n+-- src\n|   +-- a.py\n|   +-- lib\n|       +-- b.py\n+-- docs\n    +-- c.md",
    ] {
        assert_eq!(
            fenced(tree),
            "[project/src/a.py | project/src/lib/b.py | project/docs/c.md]",
            "{tree}"
        );
    }
    for line in ["├──", "└──", "╰──", "|--", "`--", "+--", "|-"] {
        let tree = format!("{line} src\n    {line} a.py");
        assert_eq!(fenced(&tree), "[src/a.py]", "{tree}");
    }
    // The folder in which it was drawn is no part of a name, and a folder without files is none.
    assert_eq!(
        fenced(".\n├── src/a.py\n└── src/b.py"),
        "[src/a.py | src/b.py]"
    );
    assert_eq!(fenced("./\n├── lib/\n└── a.py"), "[a.py]");
}

#[test]
fn a_tree_may_have_words_but_a_list_is_not_mostly_words() {
    assert_eq!(
        fenced("├── src/a.py\n├── words only here\n├── more words here"),
        "[src/a.py]"
    );
    let words = "words only here\nmore words here";
    assert_eq!(fenced(&format!("src/a.py\n{words}")), "[?src/a.py]");
    assert_eq!(
        fenced(&format!("src/a.py\nsrc/b.py\n{words}")),
        "[src/a.py | src/b.py]"
    );
}

#[test]
fn a_tree_is_read_to_a_depth_of_32() {
    let tree = |depth: usize| {
        let folders = (0..depth).map(|at| format!("{}└── d{at}/\n", "    ".repeat(at)));
        fenced(&format!(
            "{}{}└── a.py",
            folders.collect::<String>(),
            "    ".repeat(depth)
        ))
    };
    assert!(tree(32).ends_with("/d30/d31/a.py]"));
    assert!(tree(33).ends_with("/d30/d31/a.py]"));
}

#[test]
fn the_summary_of_git_is_no_entry_but_a_file_of_such_a_name_is() {
    for summary in [
        "1 file changed, 2 insertions(+)",
        "1 file changed, 2 deletions(-)",
        "2 files changed, 1 insertion(+), 1 deletion(-)",
        "3 files changed",
    ] {
        assert_eq!(fenced(&format!("src/a.py\n{summary}")), "[src/a.py]");
    }
    assert_eq!(
        fenced("src/insertion.py\nsrc/deletion.py"),
        "[src/insertion.py | src/deletion.py]"
    );
    assert_eq!(
        fenced("src/a.py changed\nsrc/b.py # changed, tested"),
        "[src/a.py | src/b.py]"
    );
}

#[test]
fn a_line_names_one_file_and_what_follows_is_about_it() {
    assert_eq!(
        fenced("src/a.py, parser\nsrc/b.py  lexer, words"),
        "[src/a.py | src/b.py]"
    );
    assert_eq!(fenced("parser, lexer"), "[?parser | ?lexer]");
}

#[test]
fn a_list_that_is_too_long_is_cut() {
    for (lines, read) in [
        (1_999, 1_999),
        (2_000, 2_000),
        (2_001, 2_001),
        (2_005, 2_001),
    ] {
        let files: Vec<_> = (0..lines).map(|at| format!("src/f{at}.py")).collect();
        let claim = parse(&format!("Files changed:\n```\n{}\n```", files.join("\n")));
        assert_eq!(claim.entries.len(), read, "{lines}");
    }
}
