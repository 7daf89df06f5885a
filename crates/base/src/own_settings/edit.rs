//! Other variables for some hosts in the content of the file: nothing else in it changes.

use toml_edit::{DocumentMut, Item, Table, value};

/// The first lines of a file that attest makes, by which it is known as attest's own.
pub(super) const HEAD: &str = "\
# The settings of attest for the hooks of all hosts; below [NAME], for that host alone.
# What the environment of a hook or the settings of its host say counts more.
";

/// What the variables of a host are to be: those that are named, each with a value or taken out.
pub type Section<'a> = (&'a str, &'a [(&'static str, Option<String>)]);

/// The content with these sections. Not for content that is damaged, of which nothing is known.
#[must_use]
pub fn with_sections(content: Option<&str>, sections: &[Section<'_>]) -> Edited {
    let body = match content {
        None => Some(""),
        Some(content) => content.strip_prefix(HEAD),
    };
    let (head, body) = match (body, content) {
        (Some(body), _) => (HEAD, body),
        (None, content) => ("", content.unwrap_or_default()),
    };
    let Ok(mut document) = body.parse::<DocumentMut>() else {
        return Edited::Refused;
    };
    for (host, variables) in sections {
        if set(&mut document, host, variables).is_none() {
            return Edited::Refused;
        }
    }
    let edited = document.to_string();
    match content {
        _ if edited.is_empty() && !head.is_empty() => Edited::Nothing,
        Some(_) if edited == body => Edited::Same,
        _ => Edited::Content(format!("{head}{edited}")),
    }
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

/// Sets the variables of a host. `None` if something else stands in their place.
fn set(
    document: &mut DocumentMut,
    host: &str,
    variables: &[(&'static str, Option<String>)],
) -> Option<()> {
    if !document.contains_key(host) {
        if variables.iter().all(|(_, value)| value.is_none()) {
            return Some(());
        }
        add(document, host);
    }
    let section = document.get_mut(host)?;
    let table = section.as_table_like_mut()?;
    for (name, wanted) in variables {
        match wanted {
            Some(text) if table.get(name).and_then(Item::as_str) == Some(text) => {}
            Some(text) => match table.get_mut(name).and_then(Item::as_value_mut) {
                Some(old) => {
                    let decor = old.decor().clone();
                    *old = text.as_str().into();
                    *old.decor_mut() = decor;
                }
                None => _ = table.insert(name, value(text.as_str())),
            },
            None => _ = table.remove(name),
        }
    }
    if table.is_empty() {
        remove(document, host);
    }
    Some(())
}

/// Adds a section below an empty line. What a file without anything but remarks has above that stays there.
fn add(document: &mut DocumentMut, host: &str) {
    let mut table = Table::new();
    let remarks = document.trailing().as_str().unwrap_or_default();
    let above = if document.is_empty() {
        format!("{remarks}\n")
    } else {
        "\n".to_owned()
    };
    if document.is_empty() {
        document.set_trailing("");
    }
    table.decor_mut().set_prefix(above);
    document.insert(host, Item::Table(table));
}

/// Removes a section, but not with the remarks of a person above it.
fn remove(document: &mut DocumentMut, host: &str) {
    let decor = document
        .get(host)
        .and_then(Item::as_table)
        .map(Table::decor);
    let above = decor.and_then(|decor| decor.prefix()?.as_str());
    let above = above.unwrap_or_default().to_owned();
    if !above.contains('#') {
        document.remove(host);
    } else if document.len() == 1 {
        document.remove(host);
        document.set_trailing(above.strip_suffix('\n').unwrap_or(&above));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::own_settings::OwnSettings;

    const ON: &[(&str, Option<String>)] = &[("ATTEST_ENFORCE", None)];

    fn on(value: &str) -> [(&'static str, Option<String>); 2] {
        [
            ("ATTEST_ENFORCE", Some(value.to_owned())),
            ("ATTEST_STRICT", None),
        ]
    }

    #[test]
    fn what_is_set_goes_again_and_leaves_everything_else() {
        for before in [
            None,
            Some("# mine\nATTEST_LOG = \"info\" # why\n"),
            Some(
                "[codex] # mine\nATTEST_LOG = \"info\"\n\n# of qwen\n[qwen]\nATTEST_ENFORCE = true\n",
            ),
            Some("codex = { ATTEST_LOG = \"info\" }\n"),
            Some("codex.ATTEST_LOG = \"info\"\n"),
            Some("# nothing yet\n"),
            Some("ATTEST_LOG = \"info\"\n\n# of codex\n[codex]\n# nothing yet\n"),
        ] {
            let on = on("1");
            let Edited::Content(with) = with_sections(before, &[("codex", &on)]) else {
                panic!("{before:?}");
            };
            let settings = OwnSettings::of(with.as_bytes());
            assert_eq!(settings.faults, [], "{with}");
            let says = |name: &str| settings.section("codex").iter().any(|(it, _)| it == name);
            assert!(says("ATTEST_ENFORCE"), "{with}");
            assert_eq!(with_sections(Some(&with), &[("codex", &on)]), Edited::Same);
            let off = with_sections(Some(&with), &[("codex", ON)]);
            let expected =
                before.map_or(Edited::Nothing, |before| Edited::Content(before.to_owned()));
            assert_eq!(off, expected, "{with}");
        }
    }

    #[test]
    fn a_value_is_replaced_where_it_stands() {
        let before = "[codex]\nATTEST_ENFORCE = true # for now\n[qwen]\n";
        let after = with_sections(Some(before), &[("codex", &on("0"))]);
        let expected = "[codex]\nATTEST_ENFORCE = \"0\" # for now\n[qwen]\n";
        assert_eq!(after, Edited::Content(expected.to_owned()));
    }

    #[test]
    fn what_is_not_a_section_is_refused() {
        for content in ["codex = 1\n", "[[codex]]\n", "not toml"] {
            assert_eq!(
                with_sections(Some(content), &[("codex", &on("1"))]),
                Edited::Refused
            );
        }
    }

    #[test]
    fn a_new_file_says_what_it_is() {
        let sections: [Section<'_>; 2] = [("codex", &on("1")), ("qwen", &on("1"))];
        let Edited::Content(text) = with_sections(None, &sections) else {
            panic!("nothing");
        };
        let body = "\n[codex]\nATTEST_ENFORCE = \"1\"\n\n[qwen]\nATTEST_ENFORCE = \"1\"\n";
        assert_eq!(text, format!("{HEAD}{body}"));
        let section = OwnSettings::of(text.as_bytes()).section("qwen");
        assert_eq!(section, [("ATTEST_ENFORCE".to_owned(), "1".to_owned())]);
    }
}
