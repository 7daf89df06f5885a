//! Ignore rules, as described by gitignore(5): the last rule that matches decides, the nearest file
//! comes last, and nothing below an ignored folder can be included again.

use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::Arc;

use gix_ignore::glob::Pattern;
use gix_ignore::glob::pattern::Case;
use gix_ignore::glob::wildmatch::Mode;

use super::deep::Deep;
use super::folders::base;
use crate::bounds;
use crate::regular::{read_regular, read_regular_at};

/// The name of rule files in the work tree.
pub(crate) const RULES: &[u8] = b".gitignore";

/// One line of a file.
struct Rule {
    pattern: Pattern,
    deep: Option<Deep>,
}

/// The rules that hold in one folder.
pub(crate) struct Rules {
    above: Option<Arc<Rules>>,
    /// The length of the folder's path with its slash: rules see only what follows it.
    base: usize,
    patterns: Vec<Rule>,
    /// Everything in this folder is ignored, whatever rules say.
    covered: bool,
    case: Case,
}

impl Rules {
    /// The rules for the whole work tree, with the text of the weakest file first.
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

    /// The rules of the folder at `path`, whose own file contains `text`.
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
    pub(crate) fn covering(self: &Arc<Self>) -> Self {
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
            let matches = |rule: &&Rule| rule.matches(relative, basename, is_folder, here.case);
            if let Some(rule) = here.patterns.iter().rev().find(matches) {
                return !rule.pattern.is_negative();
            }
            rules = here.above.as_deref();
        }
        false
    }
}

impl Rule {
    fn matches(&self, path: &[u8], basename: Option<usize>, is_folder: bool, case: Case) -> bool {
        let mode = Mode::NO_MATCH_SLASH_LITERAL;
        match (&self.deep, case) {
            (Some(deep), Case::Sensitive) => deep.matches(path, is_folder, mode),
            (Some(deep), Case::Fold) => deep.matches(path, is_folder, mode | Mode::IGNORE_CASE),
            (None, _) => {
                let (path, is_folder) = (path.into(), Some(is_folder));
                let pattern = &self.pattern;
                pattern.matches_repo_relative_path(path, basename, is_folder, case, mode)
            }
        }
    }
}

/// The content of a rule file outside the work tree; empty if there is no such file.
pub(crate) fn text_at(path: &Path) -> io::Result<Vec<u8>> {
    Ok(read_regular(path, bounds::RULE_FILE)?.unwrap_or_default())
}

/// The content of a rule file in the work tree. Like git, this follows no links there.
pub(crate) fn text_in(root: &OwnedFd, path: &[u8]) -> io::Result<Vec<u8>> {
    Ok(read_regular_at(root, path, bounds::RULE_FILE)?.unwrap_or_default())
}

/// To git, a rule file that may not be read is empty. Any other fault is an error.
pub(crate) fn as_git_reads(text: io::Result<Vec<u8>>) -> io::Result<Vec<u8>> {
    match text {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(Vec::new()),
        text => text,
    }
}

fn parse(text: &[u8]) -> Vec<Rule> {
    let patterns = gix_ignore::parse(text, false).map(|(pattern, _, _)| pattern);
    patterns
        .map(|pattern| Rule {
            deep: Deep::of(&pattern),
            pattern,
        })
        .collect()
}
