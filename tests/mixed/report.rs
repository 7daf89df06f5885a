//! How an agent says what it did.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::sample::select;

use super::step::Program;
use super::world::World;

/// How a report is written.
#[derive(Debug, Clone)]
pub struct Wording {
    files: Files,
    keys: Keys,
    /// How many digits of a commit.
    digits: usize,
    has_subject: bool,
    check: Check,
    /// Whether several things of a kind stand in a list.
    has_list: bool,
    /// Which of what it could say it says.
    says: [bool; 4],
    /// Whether that includes that there is none.
    pub tells_of_none: bool,
}

#[derive(Debug, Clone, Copy)]
enum Files {
    Line,
    List,
    Handoff,
}

#[derive(Debug, Clone, Copy)]
enum Keys {
    Plain,
    Bold,
    Bulleted,
}

#[derive(Debug, Clone, Copy)]
enum Check {
    Counted,
    Ticked,
    Worded,
    Bare,
}

pub fn any() -> impl Strategy<Value = Wording> {
    let files = select(vec![Files::Line, Files::List, Files::Handoff]);
    let keys = select(vec![Keys::Plain, Keys::Bold, Keys::Bulleted]);
    let check = select(vec![
        Check::Counted,
        Check::Ticked,
        Check::Worded,
        Check::Bare,
    ]);
    let digits = select(vec![7_usize, 8, 10, 12, 40]);
    (
        files,
        keys,
        digits,
        proptest::array::uniform2(proptest::bool::ANY),
        check,
        proptest::array::uniform4(proptest::bool::ANY),
    )
        .prop_map(
            |(files, keys, digits, [has_subject, has_list], check, says)| Wording {
                files,
                keys,
                digits,
                has_subject,
                check,
                has_list,
                says,
                tells_of_none: true,
            },
        )
}

impl Wording {
    /// A report of what is so.
    pub fn report(&self, world: &World<'_>) -> String {
        let files: Vec<_> = world.changed.iter().map(String::as_str).collect();
        let mut text = self.files(&files);
        let [commits, checks, reads, tree] = self.says;
        if !world.deleted.is_empty() {
            let deleted: Vec<_> = world.deleted.iter().map(String::as_str).collect();
            text += &self.line("Files deleted", &deleted.join(", "));
        }
        if commits {
            text += &self.commits(&world.commits);
        }
        if checks {
            text += &self.checks(&world.checks);
        }
        let read: Vec<_> = world.read.iter().map(String::as_str).collect();
        if reads && !read.is_empty() {
            text += &self.line("Reviewed", &read.join(", "));
        }
        if tree && world.is_clean {
            text += &self.line("Working tree", "clean");
        }
        text
    }

    /// The last two, in lines or in a list, or that there is none.
    fn commits(&self, commits: &[String]) -> String {
        let last = commits.iter().rev().take(2);
        let last: Vec<_> = last.map(|commit| self.commit(commit)).collect();
        match (last.as_slice(), self.has_list) {
            ([], _) if !self.tells_of_none => String::new(),
            ([], true) => self.line("Commit", "none"),
            ([], false) => self.line("Commit", "not committed, left in the work tree"),
            (last, true) => {
                let items = last.iter().map(|commit| format!("  - {commit}\n"));
                self.line("Commits", "") + &items.collect::<Vec<_>>().concat()
            }
            (last, false) => last
                .iter()
                .map(|commit| self.line("Commit", commit))
                .collect(),
        }
    }

    /// How each program ended that was run, or that none was.
    fn checks(&self, checks: &BTreeMap<Program, bool>) -> String {
        if checks.is_empty() && !self.tells_of_none {
            return String::new();
        }
        if checks.is_empty() {
            let reason = if self.has_list {
                "not run"
            } else {
                "n/a, only words changed"
            };
            return self.line("Tests", reason);
        }
        let line = |(program, passed): (&Program, &bool)| {
            let of_key = checks
                .iter()
                .filter(|(other, _)| other.key() == program.key());
            let is_alone = of_key.count() == 1;
            self.line(program.key(), &self.check(*program, *passed, is_alone))
        };
        checks.iter().map(line).collect()
    }

    pub fn files(&self, files: &[&str]) -> String {
        let items = || {
            let items: Vec<_> = files.iter().map(|file| format!("- {file}\n")).collect();
            items.concat()
        };
        match self.files {
            _ if files.is_empty() => "Status: DONE\n".to_owned(),
            Files::Line => format!("Status: DONE\nFiles changed: {}\n", files.join(", ")),
            Files::List => format!(
                "All of it works now.\n\nStatus: DONE\n\nFiles changed:\n{}\n",
                items()
            ),
            Files::Handoff => format!(
                "## Handoff\n\nStatus: DONE\n\nFiles changed:\n{}\n",
                items()
            ),
        }
    }

    pub fn line(&self, key: &str, value: &str) -> String {
        match self.keys {
            Keys::Plain => format!("{key}: {value}\n"),
            Keys::Bold => format!("**{key}:** {value}\n"),
            Keys::Bulleted => format!("- **{key}**: {value}\n"),
        }
    }

    pub fn commit(&self, commit: &str) -> String {
        let short = &commit[..self.digits];
        if self.has_subject {
            format!("`{short}` — Do the work")
        } else {
            short.to_owned()
        }
    }

    /// How one program ended; its name may be left out if it is alone below its key.
    pub fn check(&self, program: Program, passed: bool, is_alone: bool) -> String {
        let command = program.command();
        match (self.check, passed) {
            (Check::Bare, _) if !is_alone => {
                format!("`{command}`: {}", if passed { "passed" } else { "failed" })
            }
            (Check::Counted, true) => format!("{command} (12 passed)"),
            (Check::Counted, false) => format!("{command} (1 failed, 11 passed)"),
            (Check::Ticked, true) => format!("✅ `{command}` passed"),
            (Check::Ticked, false) => format!("❌ `{command}` failed"),
            (Check::Worded, true) => format!("`{command}` — all pass"),
            (Check::Worded, false) => format!("`{command}` — 1 failing, as expected"),
            (Check::Bare, true) => "all passed".to_owned(),
            (Check::Bare, false) => "1 failed".to_owned(),
        }
    }
}
