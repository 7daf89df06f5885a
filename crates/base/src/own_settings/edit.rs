//! Other variables for some hosts in the content of the file: nothing else in it changes.
//!
//! Only whole lines and values are put in, replaced or taken out, by their places in the text: so all remarks, line
//! ends and a byte order mark stay.

use std::ops::Range;

use toml_edit::{Document, DocumentMut, Item, Table, Value, value};

/// The first lines of a file that attest makes, by which it is known as attest's own.
pub(super) const HEAD: &str = "\
# The settings of attest for the hooks of all hosts; below [NAME], for that host alone.
# What the environment of a hook or the settings of its host say counts more.
";

/// Stands behind a value that attest has set of itself, and so is attest's to take out again.
const MARK: &str = "# set by attest";

/// What the variables of a host are to be: those that are named, each with a value or taken out.
pub type Section<'a> = (&'a str, &'a [(&'static str, Option<String>)]);

/// Whose a value is from now on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// It goes with the hooks.
    Attest,
    /// A person has said it, and it stays.
    Person,
}

/// The content with these sections. Not for content that is damaged, of which nothing is known.
#[must_use]
pub fn with_sections(content: Option<&str>, sections: &[Section<'_>], whose: Whose) -> Edited {
    let before = content.unwrap_or(HEAD);
    let mut text = before.to_owned();
    for (host, variables) in sections {
        for (name, wanted) in *variables {
            let edited = match wanted {
                Some(value) => with(&text, host, name, value, whose),
                None => without(&text, host, name),
            };
            let Some(edited) = edited else {
                return Edited::Refused;
            };
            text = edited;
        }
    }
    match content {
        _ if text == HEAD => Edited::Nothing,
        Some(_) if text == before => Edited::Same,
        _ => Edited::Content(text),
    }
}

/// The names of the variables of a host that attest has set of itself.
#[must_use]
pub fn own(content: &str, host: &str) -> Vec<String> {
    let Ok(document) = Document::parse(content) else {
        return Vec::new();
    };
    let section = document.get(host).and_then(lines_of);
    let all = section.into_iter().flat_map(Table::iter);
    let is_own = |item: &Item| Some(is_marked(content.get(item.span()?.end..)?));
    all.filter(|(_, item)| is_own(item) == Some(true))
        .map(|(name, _)| name.to_owned())
        .collect()
}

/// What becomes of a file.
#[derive(Debug, PartialEq, Eq)]
pub enum Edited {
    /// This is to be in it.
    Content(String),
    /// It is so already.
    Same,
    /// Nothing is to be in it, so that there need not be one.
    Nothing,
    /// It is not what is edited here.
    Refused,
}

/// The text with a variable of a host. `None` if something else stands in its place.
fn with(text: &str, host: &str, name: &str, wanted: &str, whose: Whose) -> Option<String> {
    let document = Document::parse(text).ok()?;
    let end = line_end_of(text);
    let is_whole = |above: &str| above.is_empty() || above.ends_with('\n');
    let joint = |above: &str| if is_whole(above) { "" } else { end };
    let (line, remark) = (Value::from(wanted).to_string(), remark(whose, end));
    let Some(section) = document.get(host) else {
        let joint = joint(text);
        return Some(format!(
            "{text}{joint}{end}[{host}]{end}{name} = {line}{remark}"
        ));
    };
    let old = section.as_table_like()?.get(name);
    if old.is_some_and(|old| !old.is_value()) {
        return None;
    }
    let Some(table) = lines_of(section) else {
        return within(text, host, |table| _ = table.insert(name, value(wanted)));
    };
    let Some(old) = old else {
        let values = table.iter().filter(|(_, item)| item.is_value());
        let ends = values.filter_map(|(_, item)| Some(item.span()?.end));
        let last = ends.max().or(Some(table.span()?.end))?;
        let at = rest_of_line(text, last).end;
        let joint = joint(text.get(..at)?);
        return replaced(text, at..at, &format!("{joint}{name} = {line}{remark}"));
    };
    let at = old.span()?;
    let rest = rest_of_line(text, at.end);
    let behind = text.get(rest.clone())?;
    let bare = behind.trim_end().trim_end_matches(MARK).trim_end();
    Some(match (old.as_str() == Some(wanted), whose) {
        (true, Whose::Attest) => text.to_owned(),
        (true, Whose::Person) if !is_marked(behind) => text.to_owned(),
        (true, Whose::Person) => replaced(text, rest, &format!("{bare}{end}"))?,
        (false, _) => replaced(text, at.start..rest.end, &format!("{line}{bare}{remark}"))?,
    })
}

/// The text without a variable of a host.
fn without(text: &str, host: &str, name: &str) -> Option<String> {
    let document = Document::parse(text).ok()?;
    let Some(section) = document.get(host) else {
        return Some(text.to_owned());
    };
    let Some((key, old)) = section.as_table_like()?.get_key_value(name) else {
        return Some(text.to_owned());
    };
    let Some(table) = lines_of(section) else {
        return within(text, host, |table| _ = table.remove(name));
    };
    let old = old.as_value()?;
    let start = line_start(text, key.span()?.start);
    let line = start..rest_of_line(text, old.span()?.end).end;
    let rest = replaced(text, line, "")?;
    let is_empty = table.len() == 1;
    Some(match table.span().filter(|_| is_empty) {
        Some(header) => without_header(&rest, header, host).unwrap_or(rest),
        None => rest,
    })
}

/// The text without the header of a section in which nothing is left, if it stands as attest writes one: below an empty
/// line, and with no remark.
fn without_header(text: &str, header: Range<usize>, host: &str) -> Option<String> {
    let line = rest_of_line(text, header.end);
    let above = text.get(..header.start)?;
    let above = above.strip_suffix("\r\n").or(above.strip_suffix('\n'))?;
    let is_apart = above.is_empty() || above.ends_with('\n');
    let is_plain = text.get(header.start..line.end)?.trim_end() == format!("[{host}]");
    let below = text.get(line.end..)?;
    let is_alone = below.is_empty() || below.starts_with(['\r', '\n', '[']);
    (is_apart && is_plain && is_alone).then(|| format!("{above}{below}"))
}

/// A section whose variables are lines below a header.
fn lines_of(section: &Item) -> Option<&Table> {
    let table = section.as_table()?;
    (!table.is_dotted() && !table.is_implicit()).then_some(table)
}

/// An edit of a section of another form, in which there is no room for remarks.
fn within(
    text: &str,
    host: &str,
    edit: impl FnOnce(&mut dyn toml_edit::TableLike),
) -> Option<String> {
    let (mark, bare) = match text.strip_prefix('\u{feff}') {
        Some(bare) => ("\u{feff}", bare),
        None => ("", text),
    };
    let mut document = bare.parse::<DocumentMut>().ok()?;
    edit(document.get_mut(host)?.as_table_like_mut()?);
    let edited = document.to_string().replace("\r\n", "\n");
    Some(mark.to_owned() + &edited.replace('\n', line_end_of(text)))
}

fn replaced(text: &str, at: Range<usize>, with: &str) -> Option<String> {
    Some([text.get(..at.start)?, with, text.get(at.end..)?].concat())
}

fn remark(whose: Whose, end: &str) -> String {
    match whose {
        Whose::Attest => format!(" {MARK}{end}"),
        Whose::Person => end.to_owned(),
    }
}

/// Whether what follows a value in its line is the mark.
fn is_marked(behind: &str) -> bool {
    behind
        .lines()
        .next()
        .is_some_and(|line| line.trim_end().ends_with(MARK))
}

fn line_end_of(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

fn line_start(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    before.rfind('\n').map_or(0, |end| end + 1)
}

/// From here to where the next line begins.
fn rest_of_line(text: &str, at: usize) -> Range<usize> {
    let rest = text.get(at..).unwrap_or_default();
    at..at + rest.find('\n').map_or(rest.len(), |end| end + 1)
}

#[cfg(test)]
mod tests;
