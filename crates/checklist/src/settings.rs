//! How to check, and what is reported meanwhile.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::quality::Scores;
use crate::report::ItemResult;

/// How to check.
#[derive(Debug, Clone, Copy)]
pub struct Settings<'a> {
    /// The folder where commands run, and below which files are looked for.
    pub folder: &'a Path,
    /// All variables that commands get. See [`crate::Names`].
    pub environment: &'a [(OsString, OsString)],
    /// How long a command may take, unless the file says otherwise.
    pub timeout: Duration,
    /// How many commands run at once.
    pub jobs: NonZeroUsize,
    /// When everything has to be over. A check that is not done by then is an error.
    pub deadline: Option<Instant>,
    /// Ends everything as soon as it is set.
    pub cancelled: &'a AtomicBool,
    /// Who judges quality.
    pub grading: Grading<'a>,
    /// A report that has skipped items may pass.
    pub allow_skipped: bool,
}

/// Who judges quality.
#[derive(Clone, Copy)]
pub enum Grading<'a> {
    /// Nobody: quality is skipped.
    Nobody,
    /// It has been judged already.
    Scores(&'a Scores),
    /// This command line, which comes from the person and not from the file.
    Judge {
        /// A line for the shell.
        command: &'a str,
        /// All variables that it gets.
        environment: &'a [(OsString, OsString)],
        /// The files to judge if a rubric has no scope.
        changed: &'a (dyn Fn() -> Vec<PathBuf> + Sync),
    },
}

impl std::fmt::Debug for Grading<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Nobody => out.write_str("Nobody"),
            Self::Scores(scores) => out.debug_tuple("Scores").field(scores).finish(),
            Self::Judge { command, .. } => out.debug_tuple("Judge").field(command).finish(),
        }
    }
}

/// Something that happens during the checks.
#[derive(Debug)]
pub enum Event<'a> {
    /// A check that may take a while begins.
    Started {
        /// Its position among the checks of the file.
        index: usize,
        /// Its full name.
        name: &'a str,
    },
    /// A check is over. Its result carries the full name.
    Finished {
        /// Its position among the checks of the file.
        index: usize,
        /// Its result.
        result: &'a ItemResult,
    },
}
