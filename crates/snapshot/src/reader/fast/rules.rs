//! Ignore rules, as gitignore(5) has them: the last rule that matches decides, the nearest file
//! comes last, and nothing below an ignored folder is brought back.

use std::io::Read;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::Arc;

use gix_ignore::glob::Pattern;
use gix_ignore::glob::pattern::Case;
use gix_ignore::glob::wildmatch::Mode;
use rustix::fs::{Mode as Permissions, OFlags};

use super::folders::base;

/// git reads no larger file of rules.
const LARGEST: u64 = 100 * 1024 * 1024;

/// The rules that hold in one folder.
pub(crate) struct Rules {
    above: Option<Arc<Rules>>,
    /// The length of the folder's path with its slash: rules see only what follows.
    base: usize,
    patterns: Vec<Pattern>,
    /// All that lies here is ignored, whatever rules say.
    covered: bool,
    case: Case,
}

impl Rules {
    /// The rules for the whole work tree, the text of the weakest file first.
    pub(crate) fn everywhere(texts: &[Vec<u8>], ignore_case: bool) -> Self {
        Self {
            above: None,
            base: 0,
            patterns: texts.iter().flat_map(|text| parse(text)).collect(),
            covered: false,
            case: if ignore_case {
                Case::Fold
            } else {
                Case::Sensitive
            },
        }
    }

    /// The rules of the folder at `path`, whose own file says `text`.
    pub(crate) fn within(self: &Arc<Self>, path: &[u8], text: &[u8]) -> Self {
        Self {
            above: Some(Arc::clone(self)),
            base: base(path),
            patterns: parse(text),
            covered: false,
            case: self.case,
        }
    }

    /// The rules of a folder that is ignored as a whole.
    pub(super) fn covering(self: &Arc<Self>) -> Self {
        Self {
            above: Some(Arc::clone(self)),
            base: 0,
            patterns: Vec::new(),
            covered: true,
            case: self.case,
        }
    }

    pub(super) fn covers_all(&self) -> bool {
        self.covered
    }

    /// Whether the name at `path`, which lies directly in this folder, is ignored.
    pub(crate) fn cover(&self, path: &[u8], is_folder: bool) -> bool {
        if self.covered {
            return true;
        }
        let mut rules = Some(self);
        while let Some(here) = rules {
            let relative = &path[here.base..];
            let basename = relative.iter().rposition(|byte| *byte == b'/');
            let basename = basename.map(|slash| slash + 1);
            let found = here.patterns.iter().rev().find(|pattern| {
                let mode = Mode::NO_MATCH_SLASH_LITERAL;
                pattern.matches_repo_relative_path(
                    relative.into(),
                    basename,
                    Some(is_folder),
                    here.case,
                    mode,
                )
            });
            if let Some(pattern) = found {
                return !pattern.is_negative();
            }
            rules = here.above.as_deref();
        }
        false
    }
}

/// What a file of rules outside the work tree says; nothing where there is none.
pub(super) fn text_at(path: &Path) -> Vec<u8> {
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => {
            std::fs::File::open(path).map_or_else(|_| Vec::new(), text_of)
        }
        _ => Vec::new(),
    }
}

/// What a file of rules in the work tree says. git follows no link there either.
pub(super) fn text_in(root: &OwnedFd, path: &[u8]) -> Vec<u8> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    rustix::fs::openat(root, path, flags, Permissions::empty())
        .map_or_else(|_| Vec::new(), |file| text_of(file.into()))
}

fn text_of(file: std::fs::File) -> Vec<u8> {
    let mut text = Vec::new();
    match file.take(LARGEST + 1).read_to_end(&mut text) {
        Ok(length) if length as u64 <= LARGEST => text,
        _ => Vec::new(),
    }
}

fn parse(text: &[u8]) -> Vec<Pattern> {
    gix_ignore::parse(text, false)
        .map(|(pattern, _, _)| pattern)
        .collect()
}
