//! The hosts that attest speaks to. A new one is a module here and a line of [`ALL`].

mod claude_code;

use crate::host::Host;

/// Every host, in the order in which help texts list them. The first is meant if none is named.
pub const ALL: &[&dyn Host] = &[&claude_code::ClaudeCode];

/// A `--harness` value that names no host known here.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("unknown harness {name:?}, known: {}", known_names())]
pub struct UnknownHost {
    /// The value as it was given.
    pub name: String,
}

/// The host that is meant if none is named.
#[must_use]
pub fn usual() -> &'static dyn Host {
    ALL[0]
}

/// The host of this name.
pub fn named(name: &str) -> Result<&'static dyn Host, UnknownHost> {
    let mut all = ALL.iter().copied();
    all.find(|host| host.name() == name)
        .ok_or_else(|| UnknownHost {
            name: name.to_owned(),
        })
}

fn known_names() -> String {
    let names: Vec<_> = ALL.iter().map(|host| host.name()).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back_as_its_host() {
        for host in ALL {
            assert_eq!(named(host.name()).map(Host::name), Ok(host.name()));
        }
    }

    #[test]
    fn an_unknown_name_is_told_the_known_ones() {
        let error = named("claude code\u{1b}").map(Host::name).unwrap_err();
        assert_eq!(
            error.to_string(),
            r#"unknown harness "claude code\u{1b}", known: claude-code"#
        );
    }
}
