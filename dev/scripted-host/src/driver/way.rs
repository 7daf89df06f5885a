//! How the hooks get into a host, and what may become of the program that they are.

use std::path::Path;

/// How the hooks get into a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// By `attest install`.
    Settings,
    /// As the plugin of Claude Code, by the host's own commands.
    Plugin,
    /// As the host's own package, by the host's own commands.
    Package,
    /// By `attest install`, and then something becomes of the program.
    Broken(Broken),
}

/// What became of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Broken {
    /// It was removed.
    Gone,
    /// Only a piece of it is left.
    Damaged,
    /// Another program has its name, and refuses what it is asked.
    Foreign,
    /// It never ends.
    Hanging,
}

impl Broken {
    /// Every one of them.
    pub const ALL: [Self; 4] = [Self::Gone, Self::Damaged, Self::Foreign, Self::Hanging];

    /// What a test is called by.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Gone => "gone",
            Self::Damaged => "damaged",
            Self::Foreign => "foreign",
            Self::Hanging => "hanging",
        }
    }

    /// What is in the place of the program; `None` if nothing is.
    fn content(self) -> Option<&'static str> {
        match self {
            Self::Gone => None,
            Self::Damaged => Some("attest ( is no program\n"),
            Self::Foreign => Some("#!/bin/sh\necho 'attest: no such command: hook' >&2\nexit 2\n"),
            // Long enough for every host, and short enough to leave nothing behind.
            Self::Hanging => Some("#!/bin/sh\nexec sleep 200\n"),
        }
    }

    /// Lets that become of the program at `path`, which may be run as before.
    pub(super) fn become_of(self, path: &Path) -> std::io::Result<()> {
        match self.content() {
            Some(content) => std::fs::write(path, content),
            None => std::fs::remove_file(path),
        }
    }
}
