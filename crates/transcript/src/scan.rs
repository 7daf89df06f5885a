//! One look at every line of a transcript that asks nothing of the order of its lines.

use std::path::Path;
use std::time::Instant;

use attest_json::Object;

use crate::forward::{ForwardLines, Next};
use crate::{TranscriptError, open};

/// Gives each line that is a JSON object to `look`, which ends the reading with `false`. Says whether nothing was
/// left out: not by the deadline, and no line that is torn, too long or not understood.
pub(crate) fn scan(
    path: &Path,
    deadline: Instant,
    mut look: impl FnMut(&Object<'_>) -> bool,
) -> Result<bool, TranscriptError> {
    let unreadable = |source| TranscriptError::Unreadable {
        path: path.to_owned(),
        source,
    };
    let (file, _) = open::regular_file(path)?;
    let mut lines = ForwardLines::new(file);
    let mut is_whole = true;
    loop {
        match lines.next(deadline).map_err(unreadable)? {
            Next::Line(line) => {
                let text = String::from_utf8_lossy(line);
                match Object::parse(&text) {
                    Ok(line) if !look(&line) => return Ok(is_whole),
                    Ok(_) => {}
                    Err(_) => is_whole &= text.trim().is_empty(),
                }
            }
            Next::TooLong => is_whole = false,
            Next::End { torn } => return Ok(is_whole && !torn),
            Next::Over => return Ok(false),
        }
    }
}
