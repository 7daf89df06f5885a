//! A path in the criteria file, below the folder that is checked: a plain path or a glob.

use std::fmt;
use std::path::{Component, Path, PathBuf};

use globset::{ErrorKind, Glob, GlobBuilder, GlobMatcher};
use thiserror::Error;

/// Names one or many files or folders, never outside the folder that is checked.
#[derive(Debug, Clone)]
pub(crate) struct PathPattern {
    written: String,
    path: PathBuf,
    /// `None` if the text has no wildcard.
    pub(crate) wildcard: Option<Wildcard>,
    /// Written with a slash at its end.
    pub(crate) is_folder: bool,
}

/// The part of a pattern that has to be matched.
#[derive(Debug, Clone)]
pub(crate) struct Wildcard {
    /// The folder that holds everything that can match.
    pub(crate) root: PathBuf,
    /// The pattern of the last name of a path. Few names match, and all globs are tried at once.
    pub(crate) name: Glob,
    /// The pattern of the path below `root`. `None` if the name alone decides.
    pub(crate) path: Option<GlobMatcher>,
}

/// A path that cannot be looked for.
#[derive(Debug, Error)]
pub(crate) enum PatternError {
    #[error("the path is empty")]
    Empty,
    #[error("the path {0:?} is absolute; paths are relative to the folder that is checked")]
    Absolute(String),
    #[error("the path {0:?} leads out of the folder that is checked")]
    Outside(String),
    #[error("the path {path:?} is not a pattern: {why}")]
    Glob { path: String, why: &'static str },
}

impl From<globset::Error> for PatternError {
    fn from(error: globset::Error) -> Self {
        let why = match error.kind() {
            ErrorKind::UnclosedClass => "`[` is not closed",
            ErrorKind::InvalidRange(..) => "this is not a range of characters, such as [a-z]",
            ErrorKind::UnopenedAlternates => "`}` closes nothing; write `[}]` for the character",
            ErrorKind::UnclosedAlternates => "`{` is not closed; write `[{]` for the character",
            ErrorKind::DanglingEscape => "a backslash is its last character",
            _ => "it is too large",
        };
        let path = error.glob().unwrap_or_default().to_owned();
        Self::Glob { path, why }
    }
}

impl PathPattern {
    pub(crate) fn new(written: &str) -> Result<Self, PatternError> {
        if written.is_empty() {
            return Err(PatternError::Empty);
        }
        let mut path = PathBuf::new();
        for component in Path::new(written).components() {
            match component {
                Component::Normal(name) => path.push(name),
                Component::CurDir => {}
                Component::ParentDir => return Err(PatternError::Outside(written.to_owned())),
                Component::Prefix(_) | Component::RootDir => {
                    return Err(PatternError::Absolute(written.to_owned()));
                }
            }
        }
        Ok(Self {
            wildcard: Wildcard::of(&path)?,
            is_folder: written.ends_with('/'),
            written: written.to_owned(),
            path,
        })
    }

    /// The path read as if it had no wildcard: a file may well be called `[id].tsx`.
    pub(crate) fn literal(&self) -> &Path {
        &self.path
    }
}

impl Wildcard {
    fn of(path: &Path) -> Result<Option<Self>, PatternError> {
        let names: Vec<_> = path.iter().filter_map(|name| name.to_str()).collect();
        let Some(first) = names.iter().position(|name| has_wildcard(name)) else {
            return Ok(None);
        };
        let text = names[first..].join("/");
        let (folders, name) = text.rsplit_once('/').unwrap_or(("", &text));
        // A slash may occur within braces, and does not separate a folder from a name there.
        let name = match (glob(folders), glob(name)) {
            (Ok(_), Ok(_)) => name,
            _ => "**",
        };
        let path = match (folders, name) {
            ("**", name) if name != "**" => None,
            _ => Some(glob(&text)?.compile_matcher()),
        };
        Ok(Some(Self {
            root: names[..first].iter().collect(),
            // A name contains no separator; without this, the common forms would need a regular
            // expression.
            name: builder(name).literal_separator(false).build()?,
            path,
        }))
    }
}

fn builder(text: &str) -> GlobBuilder<'_> {
    let mut builder = GlobBuilder::new(text);
    builder.literal_separator(true).empty_alternates(true);
    builder
}

fn glob(text: &str) -> Result<Glob, globset::Error> {
    builder(text).build()
}

fn has_wildcard(text: &str) -> bool {
    text.contains(['*', '?', '[', '{'])
}

impl fmt::Display for PathPattern {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_outside_is_refused() {
        for text in ["..", "../a", "a/../../b", "a/..", "/etc/passwd", "/", ""] {
            assert!(PathPattern::new(text).is_err(), "{text:?}");
        }
        for text in ["a", "./a", "a/./b", "a//b", "...", "a..b", "*", "."] {
            assert!(PathPattern::new(text).is_ok(), "{text:?}");
        }
    }

    #[test]
    fn a_glob_is_looked_for_below_its_plain_part() {
        for (text, root, name, by_name) in [
            ("src/**/*.rs", "src", "*.rs", true),
            ("**/*.rs", "", "*.rs", true),
            ("a/b/c*", "a/b", "c*", false),
            ("a/{b,c}/d", "a", "d", false),
            ("a/{b/x,c/d}", "a", "**", false),
            ("[a/b]c", "", "**", false),
            ("**/a/*.rs", "", "*.rs", false),
            ("a/**", "a", "**", false),
        ] {
            let wildcard = PathPattern::new(text).unwrap().wildcard.unwrap();
            assert_eq!(wildcard.root, Path::new(root), "{text}");
            assert_eq!(wildcard.name.glob(), name, "{text}");
            assert_eq!(wildcard.path.is_none(), by_name, "{text}");
        }
    }
}
