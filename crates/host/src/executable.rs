//! The program that is a host, and which versions of it run the hooks.

use std::fmt;
use std::str::FromStr;

use crate::settings::CallForm;

/// The program that is a host.
#[derive(Debug)]
pub struct Executable {
    /// What people call it.
    pub title: &'static str,
    /// Its name on the PATH.
    pub name: &'static str,
    /// Which versions of it run the hooks.
    pub support: Support,
}

/// Which versions of a host run the hooks, as far as that is known.
#[derive(Debug)]
pub enum Support {
    /// These and all later ones, which was measured.
    Since {
        /// The first version in which entries with a command line for a shell work.
        shell: Version,
        /// The first version in which entries with `args` work. An earlier one runs the bare program.
        args: Version,
        /// What a person does about a version that is too old.
        if_too_old: &'static str,
    },
    /// Those with which it was tried. Nothing is known of others.
    Tested(Tried),
    /// Its contract was read, and no version was tried.
    Read,
}

impl Support {
    /// With all of these, of which none was seen to be at fault.
    #[must_use]
    pub const fn tested(least: Version, newest: Version) -> Self {
        let fault = None;
        Self::Tested(Tried {
            least,
            newest,
            fault,
        })
    }
}

/// Versions of a host with which the hooks were tried.
#[derive(Debug)]
pub struct Tried {
    /// The oldest in which they did all that they do in the newest.
    pub least: Version,
    /// The newest.
    pub newest: Version,
    /// What was seen to be wrong in an older one.
    pub fault: Option<Fault>,
}

/// What is wrong in earlier versions of a host.
#[derive(Debug)]
pub struct Fault {
    /// The last version in which it was seen.
    pub until: Version,
    /// What that version does, behind its name.
    pub what: &'static str,
}

impl Tried {
    /// The versions, in words.
    #[must_use]
    pub fn range(&self) -> String {
        if self.least == self.newest {
            self.newest.to_string()
        } else {
            format!("{} to {}", self.least, self.newest)
        }
    }

    /// What is wrong in this version, as far as that is known.
    #[must_use]
    pub fn fault_of(&self, version: Version) -> Option<&'static str> {
        let fault = self.fault.as_ref()?;
        (version <= fault.until).then_some(fault.what)
    }
}

impl Executable {
    /// The first version in which an entry of this form works, if that is known.
    #[must_use]
    pub const fn least(&self, form: CallForm) -> Option<Version> {
        match (&self.support, form) {
            (Support::Since { shell, .. }, CallForm::Shell | CallForm::Earlier) => Some(*shell),
            (Support::Since { args, .. }, CallForm::Exec) => Some(*args),
            (Support::Tested(_) | Support::Read, _) => None,
        }
    }

    /// The form of the entries that attest writes for it here. Only a host that was measured to know `args` is
    /// given any.
    #[must_use]
    pub const fn form(&self) -> CallForm {
        match self.support {
            Support::Since { .. } => CallForm::HERE,
            Support::Tested(_) | Support::Read => CallForm::Shell,
        }
    }
}

/// A version of a host: major, minor, patch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(pub u64, pub u64, pub u64);

impl FromStr for Version {
    type Err = ();

    /// Reads what a host prints for `--version`, such as `2.1.330 (Claude Code)` or `codex-cli 0.169.0`: the first
    /// word that is a version.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.split_whitespace().find_map(Self::of_word).ok_or(())
    }
}

impl Version {
    fn of_word(word: &str) -> Option<Self> {
        let mut numbers = word.splitn(3, '.').map(|part| {
            let end = part.find(|char: char| !char.is_ascii_digit());
            part.get(..end.unwrap_or(part.len()))?.parse().ok()
        });
        match [(); 3].map(|()| numbers.next().flatten()) {
            [Some(major), Some(minor), Some(patch)] => Some(Self(major, minor, patch)),
            _ => None,
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_and_compared_by_number() {
        let version = |text: &str| text.parse::<Version>();
        assert_eq!(version("2.1.330 (Claude Code)\n"), Ok(Version(2, 1, 330)));
        assert_eq!(version("2.0.0-beta.1"), Ok(Version(2, 0, 0)));
        assert_eq!(version("codex-cli 0.169.0"), Ok(Version(0, 169, 0)));
        let copilot = "GitHub Copilot CLI 1.0.102.";
        assert_eq!(version(copilot), Ok(Version(1, 0, 102)));
        let args_since = Version(2, 1, 139);
        assert!(version("2.1.99").unwrap() < args_since);
        assert!(version("2.1.139").unwrap() >= args_since);
        assert!(version("10.0.0").unwrap() > args_since);
        for text in ["", "claude", "2.1", "v2.1.3", "2..3", "2.x.3"] {
            assert_eq!(version(text), Err(()), "{text:?}");
        }
    }
}
