//! A job object, which nothing that a program starts can leave.

use std::fs::File;
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::process::Command;
use std::time::Duration;

use process_wrap::std::{ChildWrapper, CommandWrap, CreationFlags, JobObject};
use windows::Win32::System::Threading::CREATE_NO_WINDOW;

use crate::end::End;

/// A program in a job of its own.
#[derive(Debug)]
pub(crate) struct Tree {
    job: Box<dyn ChildWrapper>,
}

impl Tree {
    pub(crate) fn start(command: Command, _mark: Option<String>) -> io::Result<Self> {
        let mut command = CommandWrap::from(command);
        // Windows would open a console for each program if the host has none.
        command.wrap(CreationFlags(CREATE_NO_WINDOW));
        let job = command.wrap(JobObject).spawn()?;
        Ok(Self { job })
    }

    /// Whether the program has ended, and how.
    pub(crate) fn try_wait(&mut self) -> io::Result<Option<End>> {
        let status = self.job.inner_mut().try_wait()?;
        Ok(status.map(|status| End::Exited(status.code().unwrap_or(-1))))
    }

    #[expect(clippy::unused_self, reason = "as on other systems")]
    pub(crate) fn pause(&self, most: Duration, since_start: Duration) {
        super::sleep(most, since_start);
    }

    /// Ends everything that is left.
    pub(crate) fn kill(mut self) {
        // A job that has ended cannot be killed, and need not be.
        let _ = self.job.start_kill();
        let _ = self.job.wait();
    }
}

/// The input is a file: if it were a pipe, a program that does not read it would block its writer.
pub(crate) fn file_of(input: &[u8]) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    file.write_all(input)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(file)
}
