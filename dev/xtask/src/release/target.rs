//! The systems and processors that a release is for.

/// One of them.
#[derive(Debug)]
pub(super) struct Target {
    /// The name that Rust has for it.
    pub(super) triple: &'static str,
    pub(super) system: System,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum System {
    Linux,
    Windows,
    MacOs,
}

pub(super) const TARGETS: [Target; 5] = [
    of("x86_64-unknown-linux-musl", System::Linux),
    of("aarch64-unknown-linux-musl", System::Linux),
    of("x86_64-pc-windows-gnu", System::Windows),
    of("aarch64-apple-darwin", System::MacOs),
    of("x86_64-apple-darwin", System::MacOs),
];

const fn of(triple: &'static str, system: System) -> Target {
    Target { triple, system }
}

/// The target of this name.
pub(super) fn named(name: &str) -> Result<&'static Target, String> {
    static KNOWN: &[Target] = &TARGETS;
    KNOWN
        .iter()
        .find(|target| target.triple == name)
        .ok_or_else(|| {
            let known: Vec<_> = KNOWN.iter().map(|target| target.triple).collect();
            format!("it is one of {}", known.join(", "))
        })
}

impl Target {
    /// The file name of the program.
    pub(super) fn program(&self) -> &'static str {
        match self.system {
            System::Windows => "attest.exe",
            System::Linux | System::MacOs => "attest",
        }
    }

    /// The file name of the archive.
    pub(super) fn archive(&self, version: &str) -> String {
        let ending = match self.system {
            System::Windows => "zip",
            System::Linux | System::MacOs => "tar.gz",
        };
        format!("attest-{version}-{}.{ending}", self.triple)
    }
}
