//! The conditions that the content of a file has to meet.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use memchr::memmem;
use sha2::{Digest, Sha256};

use crate::criteria::Conditions;
use crate::resolved::resolved;
use attest_process::{Stop, without_number};

/// The largest file that is searched, in bytes.
const MAX_SEARCHED_BYTES: u64 = 64 * 1024 * 1024;

/// Whether one file meets the conditions.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ConditionsMet {
    Yes,
    /// It does not, and why.
    No(String),
    /// This could not be found out, and why.
    Unknown(String),
}

impl Conditions {
    /// Checks the file at `path` against the conditions. Only a regular file is opened, and never
    /// one outside `root`, whose links have to be resolved already.
    pub(crate) fn check(&self, root: &Path, path: &Path, stop: &Stop<'_>) -> ConditionsMet {
        match self.unmet(root, path, stop) {
            Ok(None) => ConditionsMet::Yes,
            Ok(Some(why)) => ConditionsMet::No(why),
            Err(error) => ConditionsMet::Unknown(without_number(&error.to_string())),
        }
    }

    fn unmet(&self, root: &Path, path: &Path, stop: &Stop<'_>) -> io::Result<Option<String>> {
        let Some((mut file, length)) = open(root, path)? else {
            return Ok(Some(
                "is not a regular file below the folder that is checked".to_owned(),
            ));
        };
        if let Some(least) = self.min_bytes
            && length < least
        {
            return Ok(Some(format!("has {length} bytes, fewer than {least}")));
        }
        if let Some(sha256) = &self.sha256 {
            let found = hash(&mut file, stop)?;
            if found != *sha256 {
                return Ok(Some(format!("has the SHA-256 {found}")));
            }
        }
        if self.contains.is_none() && self.matches.is_none() {
            return Ok(None);
        }
        // Hashing has read the file to its end, so it is opened again.
        let Some((file, _)) = open(root, path)? else {
            return Err(io::Error::other("changed while it was read"));
        };
        let mut bytes = Vec::new();
        file.take(MAX_SEARCHED_BYTES + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_SEARCHED_BYTES {
            return Err(io::Error::other("larger than 64 MiB"));
        }
        if let Some(text) = &self.contains
            && memmem::find(&bytes, text.as_bytes()).is_none()
        {
            return Ok(Some(format!("does not contain {text:?}")));
        }
        if let Some(regex) = &self.matches
            && !regex.is_match(&bytes)
        {
            return Ok(Some(format!("does not match {:?}", regex.as_str())));
        }
        Ok(None)
    }
}

/// Opens a regular file and gives its length. Never waits, as opening a pipe in its place would.
fn open(root: &Path, path: &Path) -> io::Result<Option<(File, u64)>> {
    let real = match resolved(path) {
        Ok(real) => real,
        // A link that leads nowhere.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    if !real.starts_with(root) || !fs::metadata(&real)?.is_file() {
        return Ok(None);
    }
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
        options.custom_flags(flags.bits().cast_signed());
    }
    let file = options.open(real)?;
    let metadata = file.metadata()?;
    Ok(metadata.is_file().then_some((file, metadata.len())))
}

fn hash(file: &mut File, stop: &Stop<'_>) -> io::Result<String> {
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        stop.check().map_err(io::Error::other)?;
        let read = file.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        hasher.update(&buffer[..read]);
    }
    Ok(hex(&hasher.finalize()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        text.push_str(&format!("{byte:02x}"));
        text
    })
}

/// The SHA-256 of `bytes` in lower-case hex.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}
