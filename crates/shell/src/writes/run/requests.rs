//! Programs that ask a server to change what it has.

use std::collections::HashSet;

use crate::programs::Line;

use crate::places::{Place, SEPARATORS, Unknown};
use crate::text::is_one_of;
use crate::writes::argument::{ANY, Argument};
use crate::writes::reader::{Input, Reader};

/// The methods by which a server is asked to change something, and those by which it is not.
const CHANGES: &str = "PUT POST PATCH DELETE";
const LOOKS: &str = "GET HEAD OPTIONS";
/// The longest name of a file that is looked for in what is sent, in bytes.
const MAX_NAME_BYTES: usize = 1_000;
/// Servers that have no repository of anybody.
const LOCAL: &str = "localhost 127.0.0.1 0.0.0.0 [::1]";

impl Reader<'_> {
    /// A request. Nobody sees where it changes what; but the file is named in the address or in what is sent, or what
    /// is sent is not seen either, unless it stands in the command or was written right before it.
    pub(super) fn request(&mut self, line: Line, words: &[Argument], input: Input<'_>) {
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
        let before = [""].into_iter().chain(texts.iter().map(String::as_str));
        let sent: HashSet<_> = before.zip(&texts).filter_map(sent_file).collect();
        let mut is_unseen = false;
        for name in &sent {
            let written = input.written.filter(|(place, _)| place == name);
            let written = written.map(|(_, text)| text.as_str());
            match if *name == "-" { input.plain } else { written } {
                Some(body) => self.body(body),
                None => is_unseen = true,
            }
        }
        let mut has_file = false;
        for text in &texts {
            // A header names types with a slash, and the file that is sent is not what changes.
            let is_sent = sent.contains(text.as_str()) || sent_file(("", text)).is_some();
            let names_file = !text.contains(": ") && !is_sent;
            for part in text
                .split(|c: char| c.is_whitespace() || "?&#@".contains(c) || SEPARATORS.contains(c))
            {
                let part = behind_host(part);
                let last = part.rsplit('/').next().unwrap_or_default();
                if part.contains('/') && last.contains('$') {
                    self.places.miss(Unknown::Machine, text);
                } else if last.len() > 1 && part.contains(['.', '/']) {
                    has_file |= part.contains('/') && last.contains('.') && names_file;
                    self.places.add(Place::Elsewhere(part.to_owned()));
                }
            }
        }
        if is_unseen && !has_file {
            self.places.miss(Unknown::Machine, &texts.join(" "));
        }
    }

    /// What is sent may call a file whatever it likes, in one word or in a text of JSON.
    fn body(&mut self, body: &str) {
        let body = body.replace("\\/", "/");
        let words = body.split(|c: char| c.is_whitespace() || SEPARATORS.contains(c));
        for name in words.chain(body.split('"')) {
            // A longer one is a content.
            if (2..MAX_NAME_BYTES).contains(&name.len()) {
                self.places.add(Place::Elsewhere(name.to_owned()));
            }
        }
    }
}

/// The file whose content a word of a request sends, behind another word: "--input a.json", "-d @a.json", "-F
/// query=@a.graphql". "-" is what the request reads.
fn sent_file<'t>((before, text): (&str, &'t String)) -> Option<&'t str> {
    if before == "--input" || text == "-" {
        return Some(text);
    }
    let glued = ["@", "--input="];
    let mut glued = glued.iter().filter_map(|lead| text.strip_prefix(lead));
    let field = || Some(text.split_once("=@")?.1);
    glued.next().or_else(field)
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
