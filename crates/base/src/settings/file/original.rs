//! What a settings file has in it, and the file itself.

use std::fs::{self, File, Permissions};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::time::Duration;

use super::super::error::SettingsError;
use super::{at, place};

/// Between two looks at a file that is empty, in milliseconds: not in step with anybody.
const PAUSES: [u64; 8] = [1, 2, 5, 11, 23, 47, 97, 199];

/// A file as it was when it was read.
#[derive(Debug)]
pub(super) struct Original {
    /// The file itself, whatever becomes of its name. Windows replaces none that is open.
    pub(super) file: Option<File>,
    pub(super) bytes: Vec<u8>,
    pub(super) permissions: Permissions,
}

/// Reads a file; `None` if there is none.
pub(super) fn read(target: &Path) -> Result<Option<Original>, SettingsError> {
    let metadata = match fs::metadata(target) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(at("read", target)(error)),
    };
    // Before it is opened: to open a FIFO is to wait for its writer.
    if !metadata.is_file() {
        let found = place::kind(&metadata);
        return Err(SettingsError::NotAFile {
            path: target.to_owned(),
            found,
        });
    }
    let file = File::open(target).map_err(at("read", target))?;
    let bytes = settled(|| content_of(&file)).map_err(at("read", target))?;
    Ok(Some(Original {
        file: cfg!(unix).then_some(file),
        bytes,
        permissions: metadata.permissions(),
    }))
}

pub(super) fn content_of(mut file: &File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// What `read` gives, read again for a while if that is nothing.
pub(super) fn settled(read: impl Fn() -> io::Result<Vec<u8>>) -> io::Result<Vec<u8>> {
    for pause in PAUSES {
        let bytes = read()?;
        if !is_empty(&bytes) {
            return Ok(bytes);
        }
        std::thread::sleep(Duration::from_millis(pause));
    }
    read()
}

pub(super) fn is_empty(bytes: &[u8]) -> bool {
    bytes.trim_ascii().is_empty()
}
