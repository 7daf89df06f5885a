//! What a report says was checked, and which runs are of it.

use attest_evidence::{FolderPlace, RepositorySource, ends_in};
use attest_shell::Run;
use attest_shell::programs::Of;

/// What a report says was checked.
#[derive(Debug, Clone, Copy)]
pub(super) enum Meant<'a> {
    /// This command.
    Command(&'a Run),
    /// All that checks this.
    All(Of),
}

impl Meant<'_> {
    /// Whether the report names this run.
    pub(super) fn is(self, run: &Run) -> bool {
        match self {
            Self::Command(named) => run.may_be_named(named),
            Self::All(of) => run.of == of,
        }
    }

    /// Whether the run was in the folder that the report names, if it names one.
    pub(super) fn is_in_place(self, run: &Run, repository: &dyn RepositorySource) -> bool {
        let Self::Command(Run { folder: named, .. }) = self else {
            return true;
        };
        let is_root =
            |folder: &str| folder.is_empty() || repository.folder(folder) == FolderPlace::Root;
        named.is_empty()
            || ends_in(&run.folder, named.trim_start_matches("./"))
            || is_root(named) && is_root(&run.folder)
    }

    /// Whether the run had in front of its program all that the report names there.
    pub(super) fn starts(self, run: &Run) -> bool {
        match self {
            Self::Command(named) => run.is_started_as(named),
            Self::All(_) => true,
        }
    }

    /// Whether the report names this word of it.
    pub(super) fn names(self, word: &str) -> bool {
        match self {
            Self::Command(named) => named.words.iter().any(|it| it == word),
            Self::All(_) => false,
        }
    }

    /// What it checks.
    pub(super) fn of(self) -> Of {
        match self {
            Self::Command(named) => named.of,
            Self::All(of) => of,
        }
    }

    /// Whether it looks at the form of files, which formatters mend.
    pub(super) fn is_of_form(self) -> bool {
        matches!(self.of(), Of::Lint | Of::Anything)
    }

    /// Whether the run may be one of it, also as a part of another task.
    pub(super) fn may_be(self, run: &Run) -> bool {
        let of = match self {
            Self::Command(named) if run.family == named.family => return true,
            Self::Command(named) => named.of,
            Self::All(of) => of,
        };
        // A task of a project may test what it builds.
        run.of == of
            || of == Of::Anything
            || run.is_task && matches!(run.of, Of::Anything | Of::Build)
    }
}
