//! Paths inside a work tree, as bytes.

use std::borrow::{Borrow, Cow};
use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;

use crate::Untrusted;

/// A path relative to the root of a work tree: bytes, with `/` between its parts, without empty
/// parts, `.` or `..`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RepoPath(#[serde(with = "serde_bytes")] Vec<u8>);

impl RepoPath {
    /// Takes bytes as git lists them. `None` if they are not a path inside a work tree.
    #[must_use]
    pub fn from_git(bytes: &[u8]) -> Option<Self> {
        let trimmed = bytes.strip_suffix(b"/").unwrap_or(bytes);
        Self::is_sound(trimmed).then(|| Self(trimmed.to_vec()))
    }

    /// Whether `bytes` name something inside a work tree.
    #[must_use]
    pub fn is_sound(bytes: &[u8]) -> bool {
        !bytes.contains(&0) && bytes.split(|byte| *byte == b'/').all(Self::is_name)
    }

    /// Whether `part`, which contains neither a slash nor a NUL, may be a part of such a path.
    #[must_use]
    pub fn is_name(part: &[u8]) -> bool {
        !matches!(part, b"" | b"." | b"..")
    }

    /// The bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The last part.
    #[must_use]
    pub fn basename(&self) -> &[u8] {
        self.0
            .rsplit(|byte| *byte == b'/')
            .next()
            .unwrap_or(&self.0)
    }

    /// The folder that it lies in; empty if that is the root.
    #[must_use]
    pub fn parent(&self) -> &[u8] {
        let cut = self.0.iter().rposition(|byte| *byte == b'/');
        &self.0[..cut.unwrap_or(0)]
    }

    /// The folders above this path, nearest first, without the root.
    pub fn ancestors(&self) -> impl Iterator<Item = Self> {
        let mut rest = self.0.as_slice();
        std::iter::from_fn(move || {
            let cut = rest.iter().rposition(|byte| *byte == b'/')?;
            rest = &rest[..cut];
            Some(Self(rest.to_vec()))
        })
    }

    /// Whether `self` is `folder` or lies below it.
    #[must_use]
    pub fn is_within(&self, folder: &Self) -> bool {
        self.0
            .strip_prefix(folder.0.as_slice())
            .is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
    }

    /// The path without its first part, if that is the name of `folder`.
    #[must_use]
    pub fn below(&self, folder: &Path) -> Option<Self> {
        let name = fold(folder.file_name()?.to_str()?);
        let cut = self.0.iter().position(|byte| *byte == b'/')?;
        let first = std::str::from_utf8(&self.0[..cut]).ok()?;
        (fold(first) == name).then(|| Self(self.0[cut + 1..].to_vec()))
    }

    /// Whether the path leads into a git folder, which git itself never lists.
    #[must_use]
    pub fn is_in_git_dir(&self) -> bool {
        self.0
            .split(|byte| *byte == b'/')
            .any(|part| part.eq_ignore_ascii_case(b".git"))
    }

    /// The place of the path under `root`. `None` if this system has no such name.
    #[must_use]
    pub fn under(&self, root: &Path) -> Option<PathBuf> {
        // Windows would also take a drive out of such a name, and leave `root`.
        #[cfg(not(unix))]
        if self.0.iter().any(|byte| is_no_sign_of_a_name(*byte)) {
            return None;
        }
        Some(root.join(os_str(&self.0)?))
    }

    /// A form that two names share if a person would call them the same: ignoring case, and with
    /// Unicode composed. `None` if the bytes are not UTF-8.
    #[must_use]
    pub fn folded(&self) -> Option<String> {
        std::str::from_utf8(&self.0).ok().map(fold)
    }
}

/// See [`RepoPath::folded`].
#[must_use]
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.nfc().flat_map(char::to_lowercase).nfc().collect()
}

/// Whether a path ends in all parts of another one.
#[must_use]
pub fn ends_in(path: &str, end: &str) -> bool {
    let before = path.strip_suffix(end).filter(|_| !end.is_empty());
    before.is_some_and(|before| before.is_empty() || before.ends_with(['/', '\\']))
}

/// A name with its Unicode composed, as git on macOS lists it. Bytes that are not UTF-8 stay
/// unchanged.
#[must_use]
#[cfg(unix)]
pub fn composed(name: &[u8]) -> Cow<'_, [u8]> {
    match std::str::from_utf8(name) {
        Ok(text) if !text.is_ascii() => text.nfc().collect::<String>().into_bytes().into(),
        _ => name.into(),
    }
}

#[cfg(unix)]
#[expect(
    clippy::unnecessary_wraps,
    reason = "other systems cannot name every byte string"
)]
fn os_str(bytes: &[u8]) -> Option<&OsStr> {
    use std::os::unix::ffi::OsStrExt;
    Some(OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
fn os_str(bytes: &[u8]) -> Option<&OsStr> {
    std::str::from_utf8(bytes).ok().map(OsStr::new)
}

/// What no name of a file has there, if it is not the slash between two.
#[cfg(not(unix))]
fn is_no_sign_of_a_name(byte: u8) -> bool {
    byte < b' ' || matches!(byte, b':' | b'\\' | b'<' | b'>' | b'"' | b'|' | b'?' | b'*')
}

/// How [`path_bytes`] writes the beginning of a verbatim path of Windows. Such a path is given to
/// the system as it is written, so it has to get its backslashes back.
#[cfg(not(unix))]
const VERBATIM: &str = "//?/";

/// The bytes of a path of this system, with `/` between its parts.
#[must_use]
pub fn path_bytes(path: &Path) -> Cow<'_, [u8]> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        Cow::Borrowed(path.as_os_str().as_bytes())
    }
    #[cfg(not(unix))]
    {
        Cow::Owned(path.to_string_lossy().replace('\\', "/").into_bytes())
    }
}

/// The reverse of [`path_bytes`].
#[must_use]
pub fn path_of_bytes(bytes: &[u8]) -> PathBuf {
    exact_path_of_bytes(bytes)
        .unwrap_or_else(|| PathBuf::from(String::from_utf8_lossy(bytes).into_owned()))
}

/// The same. `None` if this system has no such name.
#[must_use]
pub fn exact_path_of_bytes(bytes: &[u8]) -> Option<PathBuf> {
    let text = os_str(bytes)?;
    #[cfg(not(unix))]
    if let Some(text) = text.to_str().filter(|text| text.starts_with(VERBATIM)) {
        return Some(PathBuf::from(text.replace('/', "\\")));
    }
    Some(PathBuf::from(text))
}

impl Borrow<[u8]> for RepoPath {
    fn borrow(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Display for RepoPath {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Untrusted::new(&self.0), out)
    }
}

impl fmt::Debug for RepoPath {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&Untrusted::new(&self.0), out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> RepoPath {
        RepoPath::from_git(text.as_bytes()).unwrap()
    }

    #[test]
    fn what_leaves_the_tree_is_no_path() {
        for bad in ["", "/etc/passwd", "../a", "a/../b", "./a", "a//b", "a\0b"] {
            assert!(RepoPath::from_git(bad.as_bytes()).is_none(), "{bad:?}");
        }
    }

    #[test]
    fn a_path_survives_the_way_to_bytes_and_back() {
        for text in [
            r"\\?\C:\Users\a b\repo",
            r"\\?\UNC\server\share\repo",
            r"C:\Users\repo",
            r"\\server\share\repo",
            "/home/repo",
            "sub/a.py",
        ] {
            let place = Path::new(text);
            let back = path_of_bytes(&path_bytes(place));
            assert_eq!(back, place);
            // Windows reads what is below a verbatim path only if each separator is a backslash.
            #[cfg(windows)]
            assert!(!text.starts_with(r"\\?") || back.as_os_str() == place.as_os_str());
        }
    }

    #[cfg(not(unix))]
    #[test]
    fn no_name_leads_out_of_its_root() {
        let root = Path::new(r"C:\repo");
        for name in ["C:/a.py", "a:b.py", r"..\a.py", "a?.py"] {
            assert_eq!(path(name).under(root), None, "{name}");
        }
        assert!(path("nul").under(root).is_some());
    }

    #[test]
    fn folder_slash_is_dropped() {
        assert_eq!(path("a/b/"), path("a/b"));
    }

    #[test]
    fn ancestors_end_below_the_root() {
        let above: Vec<_> = path("a/b/c").ancestors().collect();
        assert_eq!(above, [path("a/b"), path("a")]);
    }

    #[test]
    fn within_is_by_whole_parts() {
        assert!(path("a/b").is_within(&path("a")));
        assert!(!path("ab").is_within(&path("a")));
        assert_eq!(path("a/b/c").parent(), b"a/b");
        assert_eq!(path("a").parent(), b"");
    }

    #[test]
    fn composed_and_decomposed_names_fold_alike() {
        assert_eq!(
            path("Cafe\u{301}.py").folded(),
            path("caf\u{e9}.PY").folded()
        );
    }
}
