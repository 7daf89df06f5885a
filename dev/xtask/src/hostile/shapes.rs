//! The shapes: what is repeated, and where it stands.

/// The longest path that a system takes, in bytes, and what is left of it for the folders.
const MOST_FOLDERS: usize = 3_800;
/// The most files that change: reading them takes its own time.
const MOST_CHANGED: usize = 40_000;

/// Where something stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In the report, in front of its claim.
    Message,
    /// In the value of the claim's list of files.
    Files,
    /// Behind the claim, as claims of other kinds.
    Claims,
    /// In the first prompt.
    Prompt,
    /// Above each file that was written and is gone.
    Folders,
    /// In the work tree, as files that were there.
    Deleted,
    /// In the work tree, as files that are new.
    Written,
    /// In one command of the agent.
    Command,
    /// In the answer of a tool.
    Answer,
    /// As lines of the transcript of their own.
    Lines,
    /// In a commit.
    Commit,
    /// As commits of which one is the merge.
    Merge,
    /// As objects of a pack.
    Pack,
    /// In what the host says runs.
    Background,
    /// As reports of a session that the host has kept.
    Kept,
}

use Place::{
    Answer, Background, Claims, Command, Commit, Deleted, Files, Folders, Kept, Lines, Merge,
    Message, Pack, Prompt, Written,
};

#[derive(Debug)]
pub(super) struct Shape {
    name: String,
    pub(super) place: Place,
    begin: &'static str,
    /// Repeated, with `#` as the number of the repetition.
    pub(super) unit: String,
    /// Repeated as often behind all of these.
    close: &'static str,
}

/// Name, place, what it begins with, what is repeated, and what closes that as often.
const SHAPES: &[(&str, Place, &str, &str, &str)] = &[
    ("tags", Message, "", "<b>", ""),
    ("tags of a kind", Message, "", "<a#>", ""),
    ("comments", Message, "", "<!--", ""),
    ("brackets", Message, "", "[", ""),
    ("links", Message, "", "[a](", ""),
    ("emphasis", Message, "", "*a _", ""),
    ("back-ticks", Message, "", "`a``", ""),
    ("quotes in quotes", Message, "", "> ", ""),
    ("lists in lists", Message, "", "- ", ""),
    ("headings", Message, "", "## a\n", ""),
    ("handoffs", Message, "", "## Handoff\n- status: DONE\n", ""),
    ("statuses", Message, "", "Status: DONE\n", ""),
    (
        "sentences",
        Message,
        "",
        "I created `src/f#.py` and it works. ",
        "",
    ),
    (
        "deeds in a sentence",
        Message,
        "",
        "I added src/f#.py and removed the old one, ",
        "",
    ),
    ("table", Message, "| a |\n|---|\n", "| `f#.py` |\n", ""),
    ("one word", Message, "", "a", ""),
    ("files", Files, "", "\n- g#.py", ""),
    ("files in a line", Files, "", "g#.py, ", ""),
    ("parts of a file", Files, "", "a/", ""),
    ("files of one name", Files, "", "\n- d#/a.py", ""),
    (
        "files with remarks",
        Files,
        "",
        "\n- `g#.py` (was not added, since it is not needed)",
        "",
    ),
    ("commits", Claims, "", "Commit: 4be7d0a#\n", ""),
    ("checks", Claims, "", "- `cargo test t#` passed\n", ""),
    ("reads", Claims, "", "- Read src/r#.py\n", ""),
    (
        "prompt of items",
        Prompt,
        "Done when:\n",
        "- `big.txt` contains \"t #\"\n",
        "",
    ),
    (
        "prompt of files",
        Prompt,
        "Done when:\n",
        "- `g#.txt` exists\n",
        "",
    ),
    ("prompt of tags", Prompt, "Done when:\n", "<b>", ""),
    ("prompt of lines", Prompt, "", "line # of a prompt\n", ""),
    ("folders", Folders, "", "d/", ""),
    ("deleted files", Deleted, "", "d/f#.py\n", ""),
    ("written files", Written, "", "d/f#.py\n", ""),
    ("globs", Command, "touch ", "a?[b]*# ", ""),
    ("words", Command, "touch ", "w# ", ""),
    ("commands", Command, "", "cd d#; touch a; ", ""),
    ("substitutions", Command, "", "$(", ")"),
    ("subshells", Command, "", "( ", ") "),
    ("braces", Command, "touch ", "{a,b}", ""),
    ("variables", Command, "A=a; ", "A=$A$A; touch $A; ", ""),
    ("evaluations", Command, "", "eval ", ""),
    ("commands of commands", Command, "", "find . -exec ", ""),
    ("make", Command, "", "make a b c; ", ""),
    ("quotes", Command, "echo ", "\"a\\\"'", ""),
    ("here documents", Command, "", "cat <<E# > f#\nx\nE#\n", ""),
    ("pipes", Command, "", "pytest | ", ""),
    (
        "shells in shells",
        Command,
        "",
        "bash -c 'sh -c \"a\"'; ",
        "",
    ),
    ("an answer", Answer, "", "line # of an answer\n", ""),
    ("calls", Lines, "", "call", ""),
    ("writes", Lines, "", "write", ""),
    ("commands of calls", Lines, "", "command", ""),
    ("evaluations of calls", Lines, "", "evaluation", ""),
    ("long commands of calls", Lines, "", "long command", ""),
    ("prompts", Lines, "", "prompt", ""),
    ("nothing", Lines, "", "{}", ""),
    ("tasks", Lines, "", "task", ""),
    ("tools", Lines, "", "tool", ""),
    ("reports", Lines, "", "report", ""),
    ("parents", Commit, "", "parent HEAD\n", ""),
    ("headers", Commit, "", "x-h# a\n", ""),
    (
        "merge of all",
        Merge,
        "",
        "parent 0000000000000000000000000000000000000000\n",
        "",
    ),
    ("objects in a circle", Pack, "", "", ""),
    ("kept ghosts", Kept, "", "\n- g#.py", ""),
    ("kept parts", Kept, "\n- ", "a/", "b"),
    (
        "running commands",
        Background,
        "",
        "sleep 1 && touch f#; ",
        "",
    ),
];
/// What shapes are drawn from.
const PARTS: &[&str] = &[
    "<b>",
    "</b>",
    "[",
    "](",
    "`",
    "``",
    "*",
    "_",
    "**",
    "> ",
    "- ",
    "\n",
    "\n\n",
    "#",
    "## ",
    "|",
    ":",
    ",",
    "/",
    "\\",
    "(",
    ")",
    "a",
    "a.py",
    " ",
    "Status: DONE",
    "Files changed: ",
    "not ",
    "~",
    "$",
    "{",
    "}",
    "\"",
    "'",
    "&",
    "<",
    "é",
    "\u{202e}",
    "1. ",
    "    ",
    "```\n",
    "http://",
    "<!--",
    "passed ",
    "I ",
    "added ",
    "and ",
    "src/a.py ",
    "`cargo test` ",
];

impl Shape {
    /// Those with a name, and so many that are drawn.
    pub(super) fn all(drawn: u64, seed: u64) -> Vec<Self> {
        let named = SHAPES.iter().map(|(name, place, begin, unit, close)| Self {
            name: (*name).to_owned(),
            place: *place,
            begin,
            unit: (*unit).to_owned(),
            close,
        });
        let drawn = (0..drawn).map(|number| {
            let mut state = seed.wrapping_mul(1_000_003).wrapping_add(number);
            let mut draw = |most: usize| {
                // The generator of Steele, Lea and Flood.
                state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
                let mut bits = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
                bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
                usize::try_from((bits ^ (bits >> 31)) % most as u64).unwrap_or(0)
            };
            let unit: String = (0..=draw(5)).map(|_| PARTS[draw(PARTS.len())]).collect();
            let place = [Message, Files, Claims, Prompt, Command][draw(5)];
            Self {
                name: format!("{place:?} {}", unit.escape_default()),
                place,
                begin: if place == Prompt { "Done when:\n" } else { "" },
                unit,
                close: "",
            }
        });
        named.chain(drawn).collect()
    }

    /// Whether it stands in a session that an audit looks at.
    pub(super) fn is_kept(&self) -> bool {
        self.place == Kept
    }

    /// What there can be of it, in bytes.
    pub(super) fn most_bytes(&self) -> usize {
        match self.place {
            Folders => MOST_FOLDERS,
            Deleted | Written => MOST_CHANGED * self.unit.len(),
            _ => usize::MAX,
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// So many bytes of it, at least.
    pub(super) fn text(&self, size: usize) -> String {
        let mut text = self.begin.to_owned();
        let mut count = 0;
        while text.len() + count * self.close.len() < size {
            // Of 100 MB no part is copied more than once.
            for (number, part) in self.unit.split('#').enumerate() {
                if number > 0 {
                    text.push_str(&count.to_string());
                }
                text.push_str(part);
            }
            count += 1;
        }
        text + &self.close.repeat(count)
    }
}
