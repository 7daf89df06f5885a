//! Where a program writes.

/// Where a program writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Nothing that a report could claim, unless its output is redirected.
    Reads,
    /// What its words name, behind the first so many.
    Names {
        /// How many words in front name nothing.
        skip: usize,
    },
    /// What its last word names, or what lies below it.
    Copies,
    /// What some of its options name: see [`Program::list`](super::Program::list) of "into".
    Into,
    /// In the folder that it runs in, and wherever its words name.
    Here,
    /// The same, but that its first words name a task that somebody wrote.
    Tasks,
    /// Where the program does that its words name.
    Runs,
    /// The same, with words that nobody sees.
    RunsWithInput,
    /// Where the shell commands do that it is given.
    Shell,
    /// Where a program in another language does.
    Code,
    /// What its words name, if it is told to edit in place.
    Edits,
    /// On another machine, or in a container.
    Elsewhere,
    /// As git does.
    Git,
    /// As `find` does.
    Finds,
    /// Nowhere: it changes to another folder.
    Folder,
    /// Where the file does that it runs in this shell.
    Sources,
    /// Nowhere: it sets variables from what it reads.
    Sets,
    /// Nowhere: it sets variables to what its words say.
    Declares,
    /// Where its words do as a command of this shell.
    Evaluates,
}

impl Effect {
    pub(super) fn of(class: &str) -> Option<Self> {
        Some(match class {
            "reads" => Self::Reads,
            "names" => Self::Names { skip: 0 },
            "names2" => Self::Names { skip: 1 },
            "copies" => Self::Copies,
            "into" => Self::Into,
            "here" => Self::Here,
            "tasks" => Self::Tasks,
            "runs" => Self::Runs,
            "input" => Self::RunsWithInput,
            "shell" => Self::Shell,
            "code" => Self::Code,
            "edits" => Self::Edits,
            "elsewhere" => Self::Elsewhere,
            "git" => Self::Git,
            "find" => Self::Finds,
            "folder" => Self::Folder,
            "sources" => Self::Sources,
            "sets" => Self::Sets,
            "declares" => Self::Declares,
            "evals" => Self::Evaluates,
            _ => return None,
        })
    }
}
