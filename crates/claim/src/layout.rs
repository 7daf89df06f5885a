//! The forms in which a list of files is written.

mod group;
pub(crate) mod json;
pub(crate) mod list;
pub(crate) mod table;
mod tree;

use crate::item::{self, ItemPlace};
use crate::path::shape::certainty;
use crate::{Certainty, Entry, Meaning, Operation, Reading, Target};

/// Reads the files of a field or a cell, of which another one says what was done.
fn with_action(files: &str, action: &str, operation: Operation) -> Vec<Entry> {
    let mut entries = item::read(files, operation, ItemPlace::Item);
    for entry in &mut entries {
        entry.put_action(action);
    }
    entries
}

/// Names below a folder may be in that folder. The last of several folders is the most likely.
fn put_into(entries: &mut [Entry], folders: &[String]) {
    for entry in entries {
        if let Meaning::Paths(readings) = &mut entry.meaning
            && let Some(first) = readings.first().cloned()
            && let Target::File(name) = first.target
        {
            // A name that has folders of its own may also be relative to the root.
            let at = usize::from(name.contains(['/', '\\']));
            for folder in folders {
                let path = format!("{folder}/{name}");
                let certainty = match first.certainty {
                    Certainty::Likely => Certainty::Likely,
                    _ => certainty(&path),
                };
                let target = Target::File(path);
                readings.insert(at, Reading { target, certainty });
            }
        }
    }
}
