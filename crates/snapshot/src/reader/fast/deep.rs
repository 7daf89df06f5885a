//! Rules with more than one `**`. If they are tried character by character, as git does, each `**`
//! doubles the number of ways to match a path. If they are tried folder by folder, only the last
//! `**` before a mismatch has to take more.

use gix_ignore::glob::Pattern;
use gix_ignore::glob::pattern::Mode as Form;
use gix_ignore::glob::wildmatch;
use gix_ignore::glob::wildmatch::Mode;

/// A pattern, split into names.
#[derive(Debug)]
pub(super) struct Deep {
    parts: Vec<Part>,
    is_for_folders: bool,
}

#[derive(Debug, PartialEq, Eq)]
enum Part {
    /// Any number of names, or none.
    Any,
    /// One name, whatever it is.
    One,
    /// One name that this pattern matches.
    Name(Vec<u8>),
}

impl Deep {
    /// `None` for a pattern that matches fast enough as it is.
    pub(super) fn of(pattern: &Pattern) -> Option<Self> {
        // Almost all patterns are ruled out by this check alone.
        memchr::memmem::find_iter(&pattern.text, b"**").nth(1)?;
        let parts = parts(&pattern.text);
        let count = parts.iter().filter(|part| **part == Part::Any).count();
        (count > 1).then(|| Self {
            parts,
            is_for_folders: pattern.mode.contains(Form::MUST_BE_DIR),
        })
    }

    /// Whether the pattern matches a path relative to the folder of the rules.
    pub(super) fn matches(&self, path: &[u8], is_folder: bool, mode: Mode) -> bool {
        if self.is_for_folders && !is_folder {
            return false;
        }
        let mut names = path.split(|byte| *byte == b'/');
        // The state after the last `**`: what follows it, and the names that it has not taken yet.
        let mut last = None;
        let mut at = 0;
        loop {
            match self.parts.get(at) {
                Some(Part::Any) => {
                    at += 1;
                    last = Some((at, names.clone()));
                    continue;
                }
                Some(part) if names.next().is_some_and(|name| part.is_for(name, mode)) => {
                    at += 1;
                    continue;
                }
                None if names.next().is_none() => return true,
                _ => {}
            }
            let Some((behind, rest)) = &mut last else {
                return false;
            };
            if rest.next().is_none() {
                return false;
            }
            (at, names) = (*behind, rest.clone());
        }
    }
}

impl Part {
    fn is_for(&self, name: &[u8], mode: Mode) -> bool {
        match self {
            Self::Any | Self::One => true,
            Self::Name(text) => wildmatch(text.as_slice().into(), name.into(), mode),
        }
    }
}

/// The parts between the slashes of a pattern. A `**` before a slash stands for any number of
/// names; at the end, or before an escaped slash, it stands for at least one.
fn parts(text: &[u8]) -> Vec<Part> {
    let (mut parts, mut name, mut at) = (Vec::new(), Vec::new(), 0);
    loop {
        let rest = &text[at..];
        let (taken, is_end, is_plain) = match rest {
            [] => (0, true, false),
            [b'/', ..] => (1, true, true),
            [b'\\', b'/', ..] => (2, true, false),
            [b'\\', _, ..] => (2, false, false),
            [b'[', ..] => (class(rest), false, false),
            _ => (1, false, false),
        };
        if is_end {
            if name.len() > 1 && name.iter().all(|byte| *byte == b'*') {
                if !is_plain {
                    parts.push(Part::One);
                }
                parts.push(Part::Any);
                name.clear();
            } else {
                parts.push(Part::Name(std::mem::take(&mut name)));
            }
            if rest.is_empty() {
                return parts;
            }
        } else {
            name.extend_from_slice(&rest[..taken]);
        }
        at += taken;
    }
}

/// The length of the class at the start of a text, in which a slash does not separate; 1 if the
/// class has no end.
fn class(text: &[u8]) -> usize {
    let mut at = if matches!(text.get(1), Some(b'!' | b'^')) {
        2
    } else {
        1
    };
    let first = at;
    while let Some(byte) = text.get(at) {
        let rest = &text[at..];
        at += match byte {
            b']' if at > first => return at + 1,
            b'\\' => 2,
            b'[' if rest.get(1) == Some(&b':') => named(rest),
            _ => 1,
        };
    }
    1
}

/// The length of a name like `[:alpha:]`, or of the bracket alone.
fn named(text: &[u8]) -> usize {
    match text.iter().position(|byte| *byte == b']') {
        Some(end) if end > 2 && text[end - 1] == b':' => end + 1,
        _ => 1,
    }
}

#[cfg(test)]
mod tests;
