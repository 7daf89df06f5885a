//! A run of a check, and what a command may have done to what checks look at.

use crate::programs::{self, Of};
use crate::text::is_one_of;

/// What files of prose end with, and logs, which programs write. A text may be anything: `requirements.txt`.
const PROSE: &str = "md rst adoc markdown log diff patch";
const TEXT: &str = "txt";
/// Words in the names of files that are prose wherever they are.
const NAMED: &str = "readme changelog changes history license licence notice authors contributing contributors security todo notes \
    log logs out output result results report summary";
/// Folders of what tests or programs read, and of what is code by its name only.
const OF_DATA: &str = "test tests spec specs testing testdata fixture fixtures snapshots data dataset datasets corpus golden samples \
    content contents post posts blog pages prompt prompts template templates resources assets static public";
const OF_CODE: &str = "src lib app pkg internal cmd";

/// With which a program is run that does the same alone.
const SAME: &str = "python python3 -m";

/// The longest value of a variable that is shown, in bytes.
const MAX_SHOWN_BYTES: usize = 16;

/// Whether a file of this path is understood as one that no check reads.
#[must_use]
pub fn is_prose(path: &str) -> bool {
    let path = path.to_lowercase();
    let mut parts = path.rsplit(['/', '\\']);
    let Some((stem, extension)) = parts.next().and_then(|name| name.rsplit_once('.')) else {
        return false;
    };
    let is_named = || stem.split(['.', '-', '_']).any(|it| is_one_of(NAMED, it));
    let is_below = |list: &str| {
        let mut folders = parts.clone().map(|folder| folder.trim_matches('_'));
        folders.any(|folder| is_one_of(list, folder))
    };
    let is_it = if is_one_of(PROSE, extension) {
        is_named() || !is_below(OF_CODE)
    } else {
        extension == TEXT && is_named()
    };
    is_it && !is_below(OF_DATA)
}

/// What a call may have done to what checks look at, as far as its commands say so.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "any of them may be so")]
pub struct Changes {
    /// Whether a program ran that mends what a check finds.
    pub mends: bool,
    /// Whether it may have put files back to what they were, or written any.
    pub any: bool,
    /// Whether it may have changed code, or settings, as far as that is not known to be none.
    pub code: bool,
    /// Whether it may have changed what checks are run with: packages that it names, or settings.
    pub tools: bool,
    /// The names of the files that its commands write, without their folders.
    pub names: Vec<String>,
}

/// What a call may have run beside the checks that are read from it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum More {
    /// No check.
    #[default]
    Nothing,
    /// Hooks of git.
    Hooks,
    /// Any check.
    Anything,
}

/// One run of a check.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Run {
    /// The program with what it is to do: "cargo test".
    pub family: String,
    /// The program with all of its words, as they are written.
    pub typed: String,
    /// The other words, as they are written.
    pub words: Vec<String>,
    /// What stands in front of the program: variables, and the words of programs that run it.
    pub front: Vec<String>,
    /// The folder, as far as the commands name it.
    pub folder: String,
    /// What it checks.
    pub of: Of,
    /// Whether it is a task that somebody wrote, which may run others.
    pub is_task: bool,
    /// Whether the name of that task says that it is of a part.
    pub is_part: bool,
    /// How it ended.
    pub ending: RunEnding,
    /// Whether something behind it in the same call may have changed what it looked at.
    pub is_changed_behind: bool,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RunEnding {
    /// That is not shown.
    #[default]
    Unknown,
    /// With status zero.
    Passed,
    /// The same, but it says itself that there was nothing to check.
    Empty,
    /// With this status.
    Failed(i32),
    /// It could not begin, with this status; zero if that is hidden.
    NotBegun(i32),
    /// With a status that is hidden, and so many failed by what it printed; zero if it does not say how many.
    Says(u32),
}

impl Run {
    /// The name of its program.
    #[must_use]
    pub fn program(&self) -> &str {
        self.family.split(' ').next().unwrap_or_default()
    }

    /// The program with what it is to do, under the name that all its spellings have, and its other words.
    #[must_use]
    pub fn shown(&self) -> String {
        let words = std::iter::once(&self.family).chain(&self.words);
        words.map(String::as_str).collect::<Vec<_>>().join(" ")
    }

    /// Whether it is a run of the same, of the same parts of the project.
    #[must_use]
    pub fn is_as(&self, other: &Self) -> bool {
        (&self.family, &self.words, &self.folder) == (&other.family, &other.words, &other.folder)
    }

    /// Whether this word of it makes it no smaller.
    #[must_use]
    pub fn is_wide_with(&self, word: &str) -> bool {
        let program = programs::of(self.program());
        program.is_some_and(|it| it.list("whole").any(|known| known == word))
    }

    /// Whether it is of one package only, unless the project has no other. The name of the file that would say so, if its
    /// program has one.
    #[must_use]
    pub fn of_one_package(&self) -> Option<Option<&'static str>> {
        let program = programs::of(self.family.split(' ').next()?)?;
        let mut all = program.list("all").peekable();
        all.peek()?;
        let is_of_all = all.any(|word| self.words.iter().any(|it| it == word));
        (!is_of_all).then(|| program.list("manifest").next())
    }

    /// Whether it is certainly what a report means that names it so, as far as its variables and its interpreter go.
    #[must_use]
    pub fn is_started_as(&self, named: &Self) -> bool {
        named.told().all(|word| self.front.contains(word))
    }

    /// Whether it ran with the same variables and the same interpreter, from the same place.
    #[must_use]
    pub fn is_started_like(&self, other: &Self) -> bool {
        self.place() == other.place() && self.told().eq(other.told())
    }

    /// The folder of the program, as it is written.
    fn place(&self) -> Option<&str> {
        let (folder, _) = self.typed.split(' ').next()?.rsplit_once(['/', '\\'])?;
        Some(folder)
    }

    /// What stands in front of the program and may have it do something else.
    fn told(&self) -> impl Iterator<Item = &String> {
        self.front.iter().filter(|word| !is_one_of(SAME, word))
    }

    /// As it ran, with what stands in front of it, of which long values are left out.
    #[must_use]
    pub fn as_it_ran(&self) -> String {
        let shown = |word: &String| match word.split_once('=') {
            Some((name, value)) if value.len() > MAX_SHOWN_BYTES => format!("{name}=…"),
            _ => word.clone(),
        };
        let front = self.front.iter().map(shown);
        let words: Vec<_> = front.chain([self.typed.clone()]).collect();
        words.join(" ")
    }

    /// Whether it is what a report may mean that names it so: at least with these words.
    #[must_use]
    pub fn may_be_named(&self, named: &Self) -> bool {
        self.family == named.family && named.words.iter().all(|word| self.words.contains(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_no_file_that_a_check_may_read() {
        for prose in [
            "README.md",
            "/w/src/x/README.de.md",
            "plan.md",
            "/w/x/docs/guide.rst",
            "LICENSE.txt",
            "build/test_output.txt",
            "run.log",
            r"C:\x\docs\a.adoc",
        ] {
            assert!(is_prose(prose), "{prose}");
        }
        for read in [
            "requirements.txt",
            "requirements-dev.txt",
            "CMakeLists.txt",
            "robots.txt",
            "words.txt",
            "tests/data/cases.csv",
            "tests/fixtures/expected.txt",
            "tests/fixtures/README.md",
            "src/__tests__/a.md",
            "src/prompts/system.md",
            "src/pages.md",
            "content/post.md",
            "logo.svg",
            "md",
        ] {
            assert!(!is_prose(read), "{read}");
        }
    }
}
