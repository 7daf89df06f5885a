//! What an agent is asked for: to end with the block that attest reads. An agent that ends in prose claims nothing
//! that can be checked against the work tree.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use attest_snapshot::{canonical, read_regular_whole};

use crate::work_trees::common_dir;

/// Counts the wordings of [`USUAL`]; the log names it, so that what came of one can be told from another.
const VERSION: u32 = 1;

/// The words that are added to an agent's context if the person wants it. At most 60: every agent reads them.
pub(crate) const USUAL: &str = "\
End your last message with this block, outside of any code fence:

## Handoff
Status: <one of DONE, DONE_WITH_CONCERNS, BLOCKED, NEEDS_CONTEXT>
Files changed:
- <one line for each file that you created, changed or deleted, as its path from the top of the repository; `none` \
if there are none>
";

/// The most that a file of the person's own may have, in bytes.
const MOST: u64 = 8 * 1024;

/// What a file of the person's own ends in. The settings of a project can name one too, and nothing else that lies
/// where it may lie is to reach an agent.
const EXTENSIONS: [&str; 2] = ["md", "txt"];

/// Where the words come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Words {
    /// [`USUAL`].
    Usual,
    /// A file that the person wrote.
    Of(PathBuf),
}

/// Why the words of a person cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AskError {
    #[error("cannot read {path:?}")]
    Read { path: PathBuf, source: io::Error },
    #[error("{path:?} is not a file")]
    NotAFile { path: PathBuf },
    #[error("{path:?} is not UTF-8")]
    NotText { path: PathBuf },
    #[error("{path:?} has no words")]
    Empty { path: PathBuf },
    #[error("{path:?} lies neither in the work tree nor in ~/.attest, or is no .md or .txt file")]
    Elsewhere { path: PathBuf },
}

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usual => write!(f, "words {VERSION}"),
            Self::Of(path) => write!(f, "the words of {}", path.display()),
        }
    }
}

impl Words {
    /// The words themselves, for an agent in `cwd`; `home` is the folder of what is attest's own.
    pub(crate) fn read(&self, cwd: &Path, home: Option<&Path>) -> Result<String, AskError> {
        match self {
            Self::Usual => Ok(USUAL.to_owned()),
            Self::Of(path) => read(path, cwd, home),
        }
    }
}

/// Whether the file, whose links are resolved, may be read: whoever writes the settings of a project must not have a
/// file of the person said to an agent.
fn may_be_read(file: &Path, cwd: &Path, home: Option<&Path>) -> bool {
    let cwd = canonical(cwd).ok();
    let mut above = cwd.iter().flat_map(|cwd| cwd.ancestors());
    let tree = above.find(|folder| folder.join(".git").exists());
    // One that an agent has to itself belongs to that of the project.
    let common = tree.and_then(common_dir);
    let project = common.as_deref().filter(|it| it.ends_with(".git"));
    let project = project.and_then(Path::parent);
    let folders = tree.into_iter().chain(project).chain(home);
    let mut folders = folders.filter_map(|it| canonical(it).ok());
    let extension = file.extension().and_then(|it| it.to_str());
    extension.is_some_and(|it| EXTENSIONS.contains(&it))
        && folders.any(|folder| file.starts_with(folder))
}

fn read(path: &Path, cwd: &Path, home: Option<&Path>) -> Result<String, AskError> {
    let path_of = || path.to_owned();
    let unreadable = |source| AskError::Read {
        path: path_of(),
        source,
    };
    let file = canonical(path).map_err(unreadable)?;
    if !may_be_read(&file, cwd, home) {
        return Err(AskError::Elsewhere { path: path_of() });
    }
    let found = read_regular_whole(&file, MOST).map_err(unreadable)?;
    let (bytes, _) = found.ok_or_else(|| AskError::NotAFile { path: path_of() })?;
    let text = String::from_utf8(bytes).map_err(|_| AskError::NotText { path: path_of() })?;
    if text.trim().is_empty() {
        return Err(AskError::Empty { path: path_of() });
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use attest_claim::{Entry, Meaning};

    use super::*;

    #[test]
    fn the_words_are_few() {
        let count = USUAL.split_whitespace().count();
        assert!(count <= 60, "{count} words");
    }

    /// An agent that hands the form back as it is says nothing with it.
    #[test]
    fn the_form_itself_is_no_claim() {
        let claim = attest_claim::parse(USUAL);
        assert_eq!(claim.status, None);
        let names_a_path = |entry: &Entry| matches!(entry.meaning, Meaning::Paths(_));
        assert!(!claim.entries.iter().any(names_a_path), "{claim:?}");
    }

    #[test]
    fn a_file_of_the_person_takes_their_place() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str, content: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, content).unwrap();
            Words::Of(path).read(Path::new("/"), Some(folder.path()))
        };
        assert_eq!(
            at("own.md", b"Say `Status:`.\n").unwrap(),
            "Say `Status:`.\n"
        );
        assert!(matches!(
            at("empty.md", b" \n"),
            Err(AskError::Empty { .. })
        ));
        assert!(matches!(
            at("latin.txt", b"\xe9"),
            Err(AskError::NotText { .. })
        ));
        let large = vec![b'a'; 9 * 1024];
        assert!(matches!(at("large.md", &large), Err(AskError::Read { .. })));
        let below = folder.path().join("folder.md");
        std::fs::create_dir(&below).unwrap();
        let read = Words::Of(below).read(Path::new("/"), Some(folder.path()));
        assert!(matches!(read, Err(AskError::NotAFile { .. })));
        assert!(matches!(
            at("own.json", b"{}"),
            Err(AskError::Elsewhere { .. })
        ));
    }
}
