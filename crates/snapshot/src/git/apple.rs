//! The git of macOS. `/usr/bin/git` is a program that starts the one in the developer tools; without them it opens a
//! dialog that offers to install them, and waits.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What starts the git of the developer tools.
const STARTER: &str = "/usr/bin/git";
/// Leads to the tools that `xcode-select --switch` has chosen.
const CHOSEN: &str = "/var/db/xcode_select_link";
/// Where the tools are, if none were chosen.
const USUAL: [&str; 2] = [
    "/Applications/Xcode.app/Contents/Developer",
    "/Library/Developer/CommandLineTools",
];

/// What is asked of the machine.
pub(crate) struct Facts<'f> {
    /// `DEVELOPER_DIR`, which goes before all.
    pub(crate) named: Option<OsString>,
    pub(crate) exists: &'f dyn Fn(&Path) -> bool,
}

/// A file of settings that git reads and libgit2 does not look for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Settings {
    /// Those that Apple's git has beside the ones of the system; all others go before them.
    OfApple(PathBuf),
    /// Those of the system, for a git that takes them from another folder.
    OfSystem(PathBuf),
}

impl Facts<'_> {
    /// Whether the program is the starter, with nothing to start.
    pub(crate) fn is_without_tools(&self, program: &Path) -> bool {
        program == Path::new(STARTER) && self.tools().is_none()
    }

    /// What the git at this place reads.
    pub(crate) fn settings(&self, program: &Path) -> Option<Settings> {
        if program == Path::new(STARTER) {
            let file = self.tools()?.join("usr/share/git-core/gitconfig");
            return (self.exists)(&file).then_some(Settings::OfApple(file));
        }
        // Homebrew, MacPorts and the like build it with the folder that they are in.
        let bin = program.parent().filter(|folder| folder.ends_with("bin"))?;
        Some(Settings::OfSystem(bin.parent()?.join("etc/gitconfig")))
    }

    /// The tools that have a git, as the starter looks for them.
    fn tools(&self) -> Option<PathBuf> {
        let named = self.named.as_ref().filter(|named| !named.is_empty());
        let has_git = |tools: &PathBuf| (self.exists)(&tools.join("usr/bin/git"));
        if let Some(named) = named.map(PathBuf::from) {
            let inner = named.join("Contents/Developer");
            return [named, inner].into_iter().find(has_git);
        }
        if (self.exists)(Path::new(CHOSEN)) {
            return Some(PathBuf::from(CHOSEN)).filter(has_git);
        }
        USUAL.map(PathBuf::from).into_iter().find(has_git)
    }
}

/// The facts of this machine.
#[cfg(target_os = "macos")]
#[expect(
    clippy::disallowed_methods,
    reason = "where the developer tools are, as for every child; no setting of attest"
)]
pub(crate) fn here() -> Facts<'static> {
    Facts {
        named: std::env::var_os("DEVELOPER_DIR"),
        exists: &|path| path.exists(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMAND_LINE: &str = "/Library/Developer/CommandLineTools";

    fn with<T>(named: Option<&str>, there: &[&str], ask: impl Fn(&Facts<'_>) -> T) -> T {
        let exists = |path: &Path| there.iter().any(|it| Path::new(it) == path);
        ask(&Facts {
            named: named.map(OsString::from),
            exists: &exists,
        })
    }

    #[test]
    fn only_the_starter_without_tools_opens_a_dialog() {
        let is_without = |named, there: &[&str], program: &str| {
            with(named, there, |it| it.is_without_tools(Path::new(program)))
        };
        let git = format!("{COMMAND_LINE}/usr/bin/git");
        assert!(is_without(None, &[], STARTER));
        assert!(is_without(None, &[COMMAND_LINE], STARTER));
        assert!(!is_without(None, &[&git], STARTER));
        assert!(!is_without(None, &[], "/opt/homebrew/bin/git"));
        // What was chosen, and what is named, goes before what is there.
        assert!(is_without(None, &[CHOSEN, &git], STARTER));
        let chosen = format!("{CHOSEN}/usr/bin/git");
        assert!(!is_without(None, &[CHOSEN, &chosen], STARTER));
        assert!(is_without(Some("/other"), &[&git], STARTER));
        assert!(!is_without(Some(""), &[&git], STARTER));
        let xcode = "/X.app/Contents/Developer/usr/bin/git";
        assert!(!is_without(Some("/X.app"), &[xcode], STARTER));
    }

    #[test]
    fn each_git_has_settings_of_its_own() {
        let git = format!("{COMMAND_LINE}/usr/bin/git");
        let apple = format!("{COMMAND_LINE}/usr/share/git-core/gitconfig");
        let of =
            |there: &[&str], program: &str| with(None, there, |it| it.settings(Path::new(program)));
        assert_eq!(
            of(&[&git, &apple], STARTER),
            Some(Settings::OfApple(apple.clone().into()))
        );
        assert_eq!(of(&[&git], STARTER), None);
        assert_eq!(of(&[&apple], STARTER), None);
        for (program, file) in [
            ("/opt/homebrew/bin/git", "/opt/homebrew/etc/gitconfig"),
            ("/usr/local/bin/git", "/usr/local/etc/gitconfig"),
        ] {
            assert_eq!(of(&[], program), Some(Settings::OfSystem(file.into())));
        }
        assert_eq!(of(&[], "/somewhere/git"), None);
    }
}
