//! A program and everything that it starts, ended together.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::time::Duration;

use wait_timeout::ChildExt as _;

/// Runs `command` in a process group of its own. One that takes longer than `limit` is ended with
/// all that it started, and has no status.
///
/// Outside Unix only the program itself is ended.
pub(crate) fn run(command: &mut Command, limit: Duration) -> io::Result<Option<ExitStatus>> {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let mut child = command.spawn()?;
    let status = child.wait_timeout(limit)?;
    if status.is_none() {
        end(&mut child)?;
    }
    Ok(status)
}

/// Not yet waited for, the program keeps its id, so the group is no stranger's.
fn end(child: &mut Child) -> io::Result<()> {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        let id = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        if let Some(group) = id {
            kill_process_group(group, Signal::KILL)?;
        }
    }
    #[cfg(not(unix))]
    child.kill()?;
    child.wait().map(drop)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::Read as _;
    use std::time::Instant;

    #[test]
    fn what_the_program_started_ends_with_it() {
        let (mut reader, writer) = io::pipe().unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 60 & sleep 60"]).stdout(writer);
        let begun = Instant::now();
        let status = run(&mut command, Duration::from_millis(300)).unwrap();
        assert_eq!(status, None);
        drop(command);
        // The end of the pipe comes when nobody holds it any more.
        reader.read_to_end(&mut Vec::new()).unwrap();
        assert!(begun.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn a_program_that_ends_in_time_has_its_status() {
        let mut command = Command::new("sh");
        let status = run(command.args(["-c", "exit 3"]), Duration::from_mins(1));
        assert_eq!(status.unwrap().unwrap().code(), Some(3));
    }
}
