//! One thing that somebody does in a work tree.

use proptest::prelude::*;

/// Names that have been trouble somewhere, on few levels so that they meet.
pub const NAMES: &[&str] = &[
    "a",
    "b.txt",
    "a/c",
    "a/d.log",
    "a-b/e",
    "a-b/f/g",
    "sp ace",
    "new\nline",
    "\"quoted\"",
    "caf\u{e9}",
    "cafe\u{301}",
    "-dash",
    "build/x",
    "deep/er/and/deeper",
    "deep/er/build/x.log",
    "*star",
    "back\\slash",
    ".hidden",
    "a.txt",
    "A.txt",
];

/// Folders that hold some of them, the work tree itself first.
pub const FOLDERS: &[&str] = &["", "a", "a-b", "deep", "deep/er", "build"];

/// Contents of which two have the same length, and one has carriage returns.
pub const CONTENTS: &[&str] = &["", "content 1\n", "content 2\n", "line\r\nline\r\n"];

/// Lines of ignore rules.
pub const RULES: &[&str] = &[
    "*.log",
    "build/",
    "/a",
    "!a/d.log",
    "deep/*",
    "!deep/er",
    "**/deeper",
    "!*.log",
    "a-b/**",
    "[bc]*",
    "back\\\\slash",
    "*.txt\r",
    "\\*star ",
];

/// Lines of attributes.
pub const ATTRIBUTES: &[&str] = &["* text=auto", "*.txt eol=crlf", "a* -text", "c* ident"];

/// Settings that change what differs.
pub const SETTINGS: &[(&str, &str)] = &[
    ("core.fileMode", "false"),
    ("core.fileMode", "true"),
    ("core.trustctime", "false"),
    ("core.checkStat", "minimal"),
    ("core.autocrlf", "input"),
    ("core.autocrlf", "false"),
    ("core.ignoreCase", "true"),
    ("index.version", "4"),
    ("core.untrackedCache", "true"),
    ("core.splitIndex", "true"),
    ("core.sparseCheckout", "true"),
    ("core.quotePath", "false"),
];

#[derive(Debug, Clone)]
pub enum Step {
    Write(usize, usize),
    Remove(usize),
    Link(usize, usize),
    Run(usize),
    Pipe(usize),
    Touch(usize),
    Age(usize),
    Rename(usize, usize),
    Stage(usize),
    StageAll,
    Unstage(usize),
    Untrack(usize),
    IntendToAdd(usize),
    AssumeUnchanged(usize, bool),
    SkipWorktree(usize, bool),
    Submodule(usize),
    NestedRepository(usize),
    EmptyFolder(usize),
    Commit,
    Branch(usize),
    Merge(usize),
    SoftReset,
    Stash,
    Refresh,
    DropIndex,
    Ignore(usize, u16),
    Exclude(u16),
    Attributes(usize, u8),
    Set(usize),
}

pub fn step() -> impl Strategy<Value = Step> {
    let name = || 0..NAMES.len();
    let folder = || 0..FOLDERS.len();
    let work = prop_oneof![
        6 => (name(), 0..CONTENTS.len()).prop_map(|(name, content)| Step::Write(name, content)),
        3 => name().prop_map(Step::Remove),
        1 => (name(), folder()).prop_map(|(name, target)| Step::Link(name, target)),
        1 => name().prop_map(Step::Run),
        1 => name().prop_map(Step::Pipe),
        1 => name().prop_map(Step::Touch),
        1 => name().prop_map(Step::Age),
        1 => (name(), name()).prop_map(|(from, to)| Step::Rename(from, to)),
        1 => folder().prop_map(Step::NestedRepository),
        1 => folder().prop_map(Step::EmptyFolder),
        2 => (folder(), any::<u16>()).prop_map(|(folder, rules)| Step::Ignore(folder, rules)),
        1 => any::<u16>().prop_map(Step::Exclude),
        1 => (folder(), any::<u8>()).prop_map(|(folder, lines)| Step::Attributes(folder, lines)),
    ];
    let git = prop_oneof![
        2 => name().prop_map(Step::Stage),
        3 => Just(Step::StageAll),
        1 => name().prop_map(Step::Unstage),
        1 => name().prop_map(Step::Untrack),
        1 => name().prop_map(Step::IntendToAdd),
        1 => (name(), any::<bool>()).prop_map(|(name, on)| Step::AssumeUnchanged(name, on)),
        1 => (name(), any::<bool>()).prop_map(|(name, on)| Step::SkipWorktree(name, on)),
        1 => folder().prop_map(Step::Submodule),
        3 => Just(Step::Commit),
        1 => (0..2_usize).prop_map(Step::Branch),
        1 => (0..2_usize).prop_map(Step::Merge),
        1 => Just(Step::SoftReset),
        1 => Just(Step::Stash),
        1 => Just(Step::Refresh),
        1 => Just(Step::DropIndex),
        2 => (0..SETTINGS.len()).prop_map(Step::Set),
    ];
    prop_oneof![3 => work, 2 => git]
}
