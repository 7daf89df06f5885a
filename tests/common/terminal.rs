//! A terminal with nobody at it but the test.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;

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
        let name = ptsname(&person, Vec::new()).unwrap().into_string().unwrap();
        let program = File::options().read(true).write(true).open(name).unwrap();
        Self { person, program }
    }

    /// The same, with so many columns and more lines than anything needs.
    pub fn of_width(columns: u16) -> Self {
        let terminal = Self::open();
        let size = Winsize {
            ws_row: 1000,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&terminal.program, size).unwrap();
        terminal
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

    /// What programs have printed so far; something has to be there.
    pub fn shown(&self) -> String {
        let mut shown = vec![0; 64 * 1024];
        let length = File::from(self.person.try_clone().unwrap())
            .read(&mut shown)
            .unwrap();
        String::from_utf8_lossy(&shown[..length]).into_owned()
    }
}
