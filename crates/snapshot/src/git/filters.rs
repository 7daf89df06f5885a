//! Switching off the programs that a configuration names as filters, for when git has to look into
//! files itself.

use std::collections::BTreeMap;
use std::ffi::OsString;

use super::Git;
use super::error::GitError;
use super::question::Ask;

impl Git<'_> {
    /// Switches every configured content filter off, so that no filter program runs when git has to
    /// look into a file. Filter names are bytes, and may contain anything but a NUL.
    pub(crate) fn without_filters(mut self) -> Result<Self, GitError> {
        for name in self.filters()?.into_keys() {
            let is_switch = name.ends_with(b".required");
            let value = if is_switch { "false" } else { "" };
            let name = String::from_utf8_lossy(&name).into_owned();
            self.settings.push((OsString::from(name), value));
        }
        // A name that is not UTF-8, or a configuration that has changed since.
        match self.filters()?.into_iter().find(|(_, is_off)| !is_off) {
            Some((name, _)) => Err(GitError::Filter {
                name: crate::escaped(&name),
            }),
            None => Ok(self),
        }
    }

    /// The name of each setting that makes a program filter contents, and whether it is switched
    /// off. A setting that is given more than once is listed that often, and the last one counts.
    fn filters(&self) -> Result<BTreeMap<Vec<u8>, bool>, GitError> {
        let nothing: [&str; 0] = [];
        let output = self.ask(Ask::Settings, &nothing)?;
        let mut filters = BTreeMap::new();
        for record in output.split(|byte| *byte == 0) {
            // Without a value there is no newline.
            let end = record.iter().position(|byte| *byte == b'\n');
            let (name, value) = match end {
                Some(end) => (&record[..end], Some(&record[end + 1..])),
                None => (record, None),
            };
            if !name.starts_with(b"filter.") {
                continue;
            }
            let off: &[u8] = match name.rsplit(|byte| *byte == b'.').next() {
                Some(b"clean" | b"smudge" | b"process") => b"",
                Some(b"required") => b"false",
                _ => continue,
            };
            filters.insert(name.to_vec(), value == Some(off));
        }
        Ok(filters)
    }
}
