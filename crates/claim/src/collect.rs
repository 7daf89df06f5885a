//! The claim lines in a part of a message, and what belongs to each.

use crate::denial::is_denial;
use crate::document::{Document, Kind, Line};
use crate::entry::{MAX_ENTRIES, Place, entries};
use crate::example::is_example;
use crate::found::{Files, Found, Stated};
use crate::keys::{self, Key};
use crate::list;
use crate::unresolvable::unresolvable;
use crate::words::uncommented;
use crate::{Entry, Unresolvable, status};

/// How many lines a list in brackets may span.
const MAX_FLOW_LINES: usize = 5_000;

/// Reads the lines from `first` up to `end`, which is excluded.
pub(crate) fn collect(document: &Document<'_>, first: usize, end: usize) -> Found {
    let mut found = Found::default();
    let mut at = first;
    let mut section = None;
    while at < end {
        let is_heading = matches!(document.lines[at].kind, Kind::Heading(_));
        let own = if is_heading { Some(at) } else { section };
        at = found.read_line(document, end, at, [section, own]);
        section = own;
    }
    found
}

impl Found {
    /// Reads one line with everything that belongs to it, and returns the next line. The two
    /// sections are the one above the line and the one that contains it, which is its own if it is
    /// a heading.
    fn read_line(
        &mut self,
        document: &Document<'_>,
        end: usize,
        at: usize,
        [above, section]: [Option<usize>; 2],
    ) -> usize {
        let lines = &document.lines[..end];
        let line = &lines[at];
        if matches!(line.kind, Kind::Hidden | Kind::Head | Kind::Row) {
            return at + 1;
        }
        let is_title = matches!(line.kind, Kind::Heading(_)) || is_bold(line.text);
        let (key, value) = match keys::key_line(line.text) {
            Some(found) => found,
            None => match keys::bare(line.text).filter(|_| is_title) {
                Some(key) => (key, ""),
                None => return at + 1,
            },
        };
        self.lines.push(at);
        match key {
            Key::Status => {
                let value = if value.is_empty() {
                    next_text(lines, at)
                } else {
                    value
                };
                self.statuses.push(Stated {
                    at,
                    section: above,
                    status: status::read(value),
                });
            }
            Key::Blockers => self.blockers = Some(text_of(lines, at, value)),
            Key::RanTests => self.ran_tests = Some(text_of(lines, at, value)),
            // Files below "Planned changes" or "Previous attempt" are not claimed.
            Key::Files(_) if above.is_some_and(|above| is_of_no_claim(lines[above].text)) => {
                self.lines.pop();
            }
            Key::Files(key) => {
                let files = Files {
                    at,
                    section,
                    key,
                    entries: Vec::new(),
                };
                return self.read_files(document, end, files, value);
            }
            Key::Other => {
                self.lines.pop();
            }
        }
        at + 1
    }

    fn read_files(
        &mut self,
        document: &Document<'_>,
        end: usize,
        mut files: Files,
        value: &str,
    ) -> usize {
        let lines = &document.lines[..end];
        let operation = files.key.operation();
        let (value, mut next) = whole_value(lines, files.at, value);
        let value = uncommented(&value);
        // In YAML, a single sign says that the value is the text below; and YAML has comments.
        let is_bare = matches!(&*value, "" | "|" | ">" | "|-" | ">-") || value.starts_with("# ");
        if !is_bare {
            files.entries = entries(&value, operation, Place::Value);
        }
        let announces = is_bare
            || matches!(
                unresolvable(&value),
                Some(Unresolvable::Count | Unresolvable::Reference)
            );
        if announces {
            let (below, after) = list::below(document, files.at, next..end, operation);
            files.entries.extend(below);
            next = after;
        }
        // The first file is on the line of the key, and the others are below it.
        if !announces && files.entries.iter().any(Entry::is_sure) {
            for line in lines[next..].iter().take_while(|line| line.is_path()) {
                if files.entries.len() <= MAX_ENTRIES {
                    let more = entries(line.text, operation, Place::Item);
                    files.entries.extend(more);
                }
                next += 1;
            }
        }
        self.lines.extend(files.at + 1..next);
        self.files.push(files);
        next
    }
}

fn is_of_no_claim(title: &str) -> bool {
    is_denial(title) || is_example(title)
}

fn is_bold(text: &str) -> bool {
    // "📝 **Files changed** 📝"
    let text = text.trim_matches(|c: char| !c.is_ascii() && !c.is_alphanumeric() || c == ' ');
    (text.starts_with("**") && text.trim_end_matches(':').ends_with("**"))
        || (text.starts_with("__") && text.trim_end_matches(':').ends_with("__"))
}

fn next_text<'a>(lines: &[Line<'a>], at: usize) -> &'a str {
    lines[at + 1..]
        .iter()
        .find(|line| !line.is_blank())
        .filter(|line| line.kind == Kind::Text)
        .map_or("", |line| line.text)
}

/// The value of a key that is only displayed: on its line, or on the line below.
fn text_of(lines: &[Line<'_>], at: usize, value: &str) -> String {
    let below = next_text(lines, at);
    match value {
        "" | "|" | ">" | "|-" | ">-" if keys::key_line(below).is_none() => below.to_owned(),
        _ => value.to_owned(),
    }
}

/// The value with the lines that it continues on: after an open bracket, or a comma at the end.
fn whole_value(lines: &[Line<'_>], at: usize, value: &str) -> (String, usize) {
    let mut value = value.to_owned();
    let mut next = at + 1;
    let is_flow = value.starts_with('[') && !value.contains(']');
    while next < lines.len() && next - at < MAX_FLOW_LINES {
        let goes_on = if is_flow {
            !value.ends_with("],") && !value.ends_with(']')
        } else {
            value.ends_with(',')
        };
        let line = &lines[next];
        if !goes_on || line.kind != Kind::Text || line.is_blank() && !is_flow {
            break;
        }
        // Each field of a JSON object ends with a comma.
        if keys::key_line(line.text).is_some() || matches!(line.text, "}" | "},") {
            break;
        }
        value.push(' ');
        value.push_str(line.text);
        next += 1;
    }
    (value, next)
}
