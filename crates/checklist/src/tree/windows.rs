//! A job object, which nothing that a command starts can leave.

use std::io;
use std::process::Command;

use process_wrap::std::{ChildWrapper, CommandWrap, JobObject};

use crate::command::End;

/// A shell in a job of its own.
#[derive(Debug)]
pub(crate) struct Tree {
    job: Box<dyn ChildWrapper>,
}

impl Tree {
    pub(crate) fn start(command: Command, _mark: String) -> io::Result<Self> {
        let mut command = CommandWrap::from(command);
        let job = command.wrap(JobObject).spawn()?;
        Ok(Self { job })
    }

    /// Whether the shell has ended, and how.
    pub(crate) fn try_wait(&mut self) -> io::Result<Option<End>> {
        let status = self.job.inner_mut().try_wait()?;
        Ok(status.map(|status| End::Exited(status.code().unwrap_or(-1))))
    }

    /// Ends whatever is left.
    pub(crate) fn kill(mut self) {
        // A job that has ended cannot be killed, and need not be.
        let _ = self.job.start_kill();
        let _ = self.job.wait();
    }
}
