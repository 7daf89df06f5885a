//! Files that differ from what git stores only in their line endings.

use std::collections::HashSet;
use std::os::fd::OwnedFd;
use std::path::Path;

use git2::{AttrCheckFlags, AttrValue, Repository};
use rustix::fs::FileType;

use super::folders::{folder_of, is_named, join};
use super::index::{Entry, Index};
use super::listing::{refused, stat};
use super::outcome::Outcome;
use super::settings::Settings;
use crate::bounds;
use crate::reader::refusal::Refusal;

/// With more files like these, libgit2 would take too long to find their attributes.
const MOST_WITH_ATTRIBUTES: usize = 100;

/// Where the system's attributes may be: git is built with one of these.
const SYSTEM_ATTRIBUTES: [&str; 4] = [
    "/etc/gitattributes",
    "/usr/etc/gitattributes",
    "/usr/local/etc/gitattributes",
    "/opt/homebrew/etc/gitattributes",
];

/// The attribute files in the work tree.
const ATTRIBUTES: &[u8] = b".gitattributes";

/// What determines whether git converts line endings.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Attributes {
    /// Only the settings.
    None,
    /// Files that libgit2 reads.
    Files,
    /// A file that libgit2 does not read, or something that is not a file, for which it would wait.
    Unknown,
}

/// What git does to a file with carriage returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineEnds {
    /// They are stored.
    Kept,
    /// They are removed, unless they are already stored.
    Automatic,
    /// They are removed.
    Converted,
    /// Only git knows: any interpretation without a difference is assumed.
    Unknown,
}

/// What decides how git converts line endings.
pub(super) struct Conversion<'a> {
    pub(super) common_dir: &'a Path,
    /// The repository that knows the attributes, if there are any.
    pub(super) opened: Option<&'a Repository>,
    pub(super) root: &'a OwnedFd,
    pub(super) index: &'a Index,
    pub(super) settings: &'a Settings,
}

impl Conversion<'_> {
    /// What git does to the line endings in these files.
    pub(super) fn line_ends(
        &self,
        entries: &[Entry<'_>],
        outcome: &Outcome,
    ) -> Result<Vec<LineEnds>, Refusal> {
        let all = |ends| Ok(entries.iter().map(|_| ends).collect());
        let attributes = match self.attributes(entries)? {
            _ if self.misses_attributes(outcome) => Attributes::Unknown,
            attributes => attributes,
        };
        match (attributes, self.opened) {
            (Attributes::None, _) if self.settings.rewrites => all(LineEnds::Automatic),
            (Attributes::None, _) => all(LineEnds::Kept),
            (Attributes::Files, Some(opened)) if entries.len() <= MOST_WITH_ATTRIBUTES => entries
                .iter()
                .map(|entry| self.line_ends_of(opened, entry.path))
                .collect(),
            _ => all(LineEnds::Unknown),
        }
    }

    /// What determines the attributes of these entries.
    fn attributes(&self, entries: &[Entry<'_>]) -> Result<Attributes, Refusal> {
        let info = self.common_dir.join("info/attributes");
        let elsewhere = [Some(&info), self.settings.attributes.as_ref()];
        let mut attributes = Attributes::None;
        for file in elsewhere.into_iter().flatten() {
            match std::fs::metadata(file) {
                Ok(found) if found.is_file() && found.len() <= bounds::RULE_FILE => {
                    attributes = Attributes::Files;
                }
                Ok(_) => return Ok(Attributes::Unknown),
                Err(_) => {}
            }
        }
        let mut asked = HashSet::new();
        for entry in entries {
            let mut folder = folder_of(entry.path);
            while asked.insert(folder) {
                let path = join(folder, ATTRIBUTES);
                let found = stat(self.root, &path).map_err(|error| refused(&path, error))?;
                match found {
                    None => {}
                    Some(found)
                        if found.kind() == FileType::RegularFile
                            && found.size <= bounds::RULE_FILE =>
                    {
                        attributes = Attributes::Files;
                    }
                    Some(_) => return Ok(Attributes::Unknown),
                }
                // The work tree's top folder is its own parent.
                folder = folder_of(folder);
            }
        }
        Ok(attributes)
    }

    /// git takes the attributes of an absent file from the index, while libgit2 has none here; and
    /// it takes those of the system from its installation folder, which libgit2 does not know.
    fn misses_attributes(&self, outcome: &Outcome) -> bool {
        let is_attributes = |entry: &Entry<'_>| is_named(entry.path, ATTRIBUTES);
        let changed = outcome.changed.iter();
        SYSTEM_ATTRIBUTES.iter().map(Path::new).any(Path::exists)
            || changed
                .map(|number| self.index.entry(*number))
                .any(|entry| is_attributes(&entry))
            || self.index.entries().any(|entry| {
                (entry.is_left_out() || entry.is_assumed_valid()) && is_attributes(&entry)
            })
    }

    /// By the attributes of gitattributes(5), the strongest first.
    fn line_ends_of(&self, opened: &Repository, path: &[u8]) -> Result<LineEnds, Refusal> {
        let place = crate::path_of_bytes(path);
        let flags = AttrCheckFlags::FILE_THEN_INDEX;
        let ask = |name| opened.get_attr_bytes(&place, name, flags);
        for name in ["text", "crlf"] {
            match AttrValue::from_bytes(ask(name)?) {
                // `crlf=input` is an old form of `eol=lf`.
                AttrValue::True | AttrValue::String("input") => return Ok(LineEnds::Converted),
                AttrValue::False => return Ok(LineEnds::Kept),
                AttrValue::String("auto") => return Ok(LineEnds::Automatic),
                _ => {}
            }
        }
        // It makes a file a text file if nothing else says what it is.
        if let AttrValue::String("lf" | "crlf") = AttrValue::from_bytes(ask("eol")?) {
            return Ok(LineEnds::Converted);
        }
        Ok(if self.settings.rewrites {
            LineEnds::Automatic
        } else {
            LineEnds::Kept
        })
    }
}
