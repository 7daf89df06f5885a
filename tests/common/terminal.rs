//! A terminal with nobody at it but the test.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

pub struct Terminal {
    person: OwnedFd,
    program: File,
}

impl Terminal {
    pub fn open() -> Self {
        let person = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&person).unwrap();
        unlockpt(&person).unwrap();
        // A terminal is gone once nobody has this end, which a program that is started here is not to have.
        fcntl_setfd(&person, FdFlags::CLOEXEC).unwrap();
        let name = ptsname(&person, Vec::new()).unwrap().into_string().unwrap();
        let program = File::options().read(true).write(true).open(name).unwrap();
        Self { person, program }
    }

    /// The same, with so many columns and more lines than anything needs.
    pub fn of_width(columns: u16) -> Self {
        let terminal = Self::open();
        terminal.resize(columns, 1000);
        terminal
    }

    pub fn resize(&self, columns: u16, lines: u16) {
        let size = Winsize {
            ws_row: lines,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&self.program, size).unwrap();
    }

    /// The end of the person alone: it reads to the end once no program has the other.
    pub fn leave(self) -> File {
        File::from(self.person)
    }

    /// The end that a program has for its own.
    pub fn end(&self) -> File {
        self.program.try_clone().unwrap()
    }

    pub fn type_in(&self, text: &str) {
        let mut person = File::from(self.person.try_clone().unwrap());
        person.write_all(text.as_bytes()).unwrap();
    }

    /// What programs have printed so far; something has to be there. It may come in parts.
    pub fn shown(&self) -> String {
        let pause = Timespec::try_from(Duration::from_millis(200)).unwrap();
        let mut shown = Vec::new();
        let mut person = File::from(self.person.try_clone().unwrap());
        loop {
            let mut part = vec![0; 64 * 1024];
            let length = person.read(&mut part).unwrap();
            shown.extend_from_slice(&part[..length]);
            let mut fds = [PollFd::new(&self.person, PollFlags::IN)];
            if poll(&mut fds, Some(&pause)).unwrap() == 0 {
                return String::from_utf8_lossy(&shown).into_owned();
            }
        }
    }
}
