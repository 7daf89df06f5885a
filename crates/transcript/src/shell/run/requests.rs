//! Programs that ask a server to change what it has.

use attest_shell::programs::Line;

use crate::places::{Place, SEPARATORS, Unknown};
use crate::shell::argument::{ANY, Argument};
use crate::shell::reader::Reader;
use crate::shell::tasks::is_one_of;

/// The methods by which a server is asked to change something, and those by which it is not.
const CHANGES: &str = "PUT POST PATCH DELETE";
const LOOKS: &str = "GET HEAD OPTIONS";
/// Servers that have no repository of anybody.
const LOCAL: &str = "localhost 127.0.0.1 0.0.0.0 [::1]";

impl Reader<'_> {
    /// A request. Nobody sees where it changes what; but the file is named in the address or in what is sent, or what
    /// is sent is not seen either.
    pub(super) fn request(&mut self, line: Line, words: &[Argument]) {
        if !changes(line, words) {
            return;
        }
        let texts = words.iter().flat_map(|word| match &word.values {
            Some(values) => values.iter().map(String::as_str).collect(),
            None => vec![word.shown.as_str()],
        });
        // A question mark that is not quoted is one in an address, too.
        let plain = |text: &str| {
            text.replace("%2F", "/")
                .replace("%2f", "/")
                .replace(ANY, "?")
        };
        let texts: Vec<_> = texts.map(plain).collect();
        if texts.iter().any(|text| is_local(text)) {
            return;
        }
        let (mut has_file, mut is_unseen) = (false, false);
        for text in &texts {
            is_unseen |= text == "-" || text.starts_with('@') || text == "--input";
            for part in text
                .split(|c: char| c.is_whitespace() || "?&#@".contains(c) || SEPARATORS.contains(c))
            {
                let part = behind_host(part);
                let last = part.rsplit('/').next().unwrap_or_default();
                if part.contains('/') && last.contains('$') {
                    self.places.miss(Unknown::Machine, text);
                } else if last.len() > 1 && part.contains(['.', '/']) {
                    // A header names types with a slash.
                    has_file |= part.contains('/') && last.contains('.') && !text.contains(": ");
                    self.places.add(Place::Elsewhere(part.to_owned()));
                }
            }
        }
        if is_unseen && !has_file {
            self.places.miss(Unknown::Machine, &texts.join(" "));
        }
    }
}

/// Whether the words ask for a change: by the method, or by an option that sends something.
fn changes(line: Line, words: &[Argument]) -> bool {
    let texts = || words.iter().filter_map(Argument::text);
    let is_of = |list: &str| {
        texts().any(|text| {
            let text = text.strip_prefix("-X").unwrap_or(text);
            let method = text.rsplit('=').next().unwrap_or(text);
            is_one_of(list, &method.to_uppercase())
        })
    };
    let sends = || {
        let is_option = |text: &str| line.list("sends").any(|option| text.starts_with(option));
        texts().any(is_option)
    };
    is_of(CHANGES) || sends() && !is_of(LOOKS) && !texts().any(|it| is_one_of("-G --get", it))
}

fn is_local(text: &str) -> bool {
    let host = text.split_once("://").map_or(text, |(_, rest)| rest);
    let host = host.split('/').next().unwrap_or(host);
    LOCAL.split(' ').any(|local| {
        let rest = host.strip_prefix(local);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
    })
}

/// An address without its server.
fn behind_host(text: &str) -> &str {
    let Some((_, rest)) = text.split_once("://") else {
        return text;
    };
    rest.split_once('/').map_or("", |(_, path)| path)
}
