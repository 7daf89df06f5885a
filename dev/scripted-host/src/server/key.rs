//! Who is answered: only what was told the server's address by us.
//!
//! On loopback every user of the machine can ask. What they are not told is a part of the path, or, where the
//! host takes the server for a proxy, the password for it.

use std::io;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use hyper::header::PROXY_AUTHORIZATION;
use hyper::http::request::Parts;

/// What the host is told and nobody else.
#[derive(Debug)]
pub(super) struct Key(String);

impl Key {
    /// 128 bits that nobody can guess.
    pub(super) fn random() -> io::Result<Self> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        Ok(Self(URL_SAFE_NO_PAD.encode(bytes)))
    }

    pub(super) fn as_path(&self) -> String {
        format!("/{}", self.0)
    }

    /// User and password of a proxy.
    pub(super) fn as_credentials(&self) -> String {
        format!("host:{}", self.0)
    }

    /// What is asked for, as it would be without the key; `None` if the key is not in it. A proxy is asked
    /// for a whole URL, which is not part of any script.
    pub(super) fn path_of(&self, head: &Parts) -> Option<String> {
        let asked = head.uri.to_string();
        let below = asked.strip_prefix(&self.as_path());
        if let Some(rest) = below.filter(|rest| rest.is_empty() || rest.starts_with(['/', '?'])) {
            let root = if rest.starts_with('/') { "" } else { "/" };
            return Some(format!("{root}{rest}"));
        }
        let credentials = STANDARD.encode(self.as_credentials());
        let given = head.headers.get(PROXY_AUTHORIZATION)?.to_str().ok()?;
        (given.strip_prefix("Basic ")? == credentials).then_some(asked)
    }
}
