//! Why the git program gave no answer.

use std::io;

/// Why `git` gave no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GitError {
    /// The program could not be started.
    #[error("cannot run git: {0}")]
    Start(#[source] io::Error),
    /// It took too long and was ended.
    #[error("git {command} took too long")]
    TooSlow {
        /// The subcommand.
        command: String,
    },
    /// It reported a failure.
    #[error("git {command} failed ({status}): {message}")]
    Failed {
        /// The subcommand.
        command: String,
        /// Its exit status.
        status: String,
        /// The beginning of what it said.
        message: String,
    },
    /// It would run a program that the repository names.
    #[cfg(not(unix))]
    #[error("git would run the filter that {name:?} names")]
    Filter {
        /// The setting.
        name: String,
    },
    /// Its answer is longer than what is read, or its end was not seen in time.
    #[error("git {command} gave an answer that is not whole, or has more than {most} bytes")]
    TooLong {
        /// The subcommand.
        command: &'static str,
        /// How many are read.
        most: usize,
    },
    /// It gave two different answers to the same question.
    #[error("git {command} gave two answers")]
    Unsteady {
        /// The subcommand.
        command: &'static str,
    },
    /// Its answer does not have the documented form.
    #[error("git {command} gave an answer of unknown form")]
    Answer {
        /// The subcommand.
        command: &'static str,
    },
}
