//! The forms in which a list of files is written.

mod group;
pub(crate) mod json;
pub(crate) mod list;
mod table;
mod tree;

use crate::path::shape::certainty;
use crate::{Certainty, Entry, Meaning, Reading, Target};

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
