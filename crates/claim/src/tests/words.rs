//! The lists of words: each line has an example, which is read as the list says.

use std::fs;
use std::path::Path;

use super::{Certainty, Meaning, Remark, Sense, Status, parse, short_entry};
use crate::assertion::Topic;
use crate::item::is_empty_form;
use crate::path::is_spaced;
use crate::path::shape::{certainty, is_lone_extension};
use crate::path::unresolvable::unresolvable;
use crate::plain_text::PlainText;
use crate::remark::read;
use crate::said::{is_own_title, said};
use crate::sentence::sentences;
use crate::title::Title;
use crate::unwritten::{is_said, titles_a_plan};
use crate::{
    Checked, Loss, Operation, Unresolvable, done_when, has_no_size, loss_in, status,
    tells_of_change, tells_of_changed_file, tells_of_work, words,
};

/// The lines of a list: the word, its class if it has one, and the example.
fn lines(name: &str) -> Vec<(String, String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("words")
        .join(name);
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let (left, example) = line
                .split_once(" | ")
                .unwrap_or_else(|| panic!("{name}: {line} has no example"));
            let (word, class) = left.rsplit_once(' ').unwrap_or((left, ""));
            (word.to_owned(), class.to_owned(), example.to_owned())
        })
        .collect()
}

#[test]
fn verbs_and_marks_are_work() {
    for name in ["verbs.txt", "marks.txt"] {
        for (word, class, _) in lines(name) {
            let is_known = ["created", "changed", "moved", "deleted", "foreign"].contains(&&*class);
            assert!(is_known, "{name}: {word}: {class} is no class");
        }
        let wrong: Vec<_> = lines(name)
            .into_iter()
            .filter(|(_, _, example)| !matches!(read(example), Sense::Work(_)))
            .collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}

#[test]
fn things_and_what_they_do_are_understood() {
    for name in ["things.txt", "describes.txt"] {
        let wrong: Vec<_> = lines(name)
            .into_iter()
            .filter(|(_, _, example)| !read(example).is_understood())
            .collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}

/// What begins behind a verb with such a word is about the content of the file; anywhere else it leaves open what
/// was done.
#[test]
fn closed_classes_are_not_understood() {
    let is_wrong = |(_, class, example): &(String, String, String)| {
        let is_behind_verb = matches!(class.as_str(), "object" | "particle");
        read(example).is_understood() != is_behind_verb
    };
    let wrong: Vec<_> = lines("closed.txt").into_iter().filter(is_wrong).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

fn names_file(value: &str) -> bool {
    let entries = parse(&format!("Files changed: {value}")).entries;
    entries.iter().map(short_entry).eq(["src/a.py"])
}

#[test]
fn words_of_remarks_have_their_roles() {
    for (word, role, example) in lines("roles.txt") {
        let sense = read(&example);
        let is_right = match role.as_str() {
            "lead" | "unit" | "settling" => matches!(sense, Sense::Work(_)),
            "filler" => Remark::of(&example).is_none(),
            "undone" | "then" | "turn" | "absent" | "goal" | "outside" | "handling" | "seen" => {
                !sense.is_understood()
            }
            "aside" => sense == Sense::Untouched,
            "number" => unresolvable(&example) == Some(Unresolvable::Count),
            "stop" => !is_spaced(&example, false),
            "beside" => names_file(&example),
            "renamed" => {
                let claim = parse(&format!("Files changed: {example}"));
                claim.entries[0].title.is_some()
            }
            "changed" => is_empty_form(&example),
            "pointer" | "place" => unresolvable(&example) == Some(Unresolvable::Reference),
            "another" => Topic::Commits.read(&example).is_empty(),
            "choice" => {
                let prompt = |first: &str| format!("Done when:\n- {first}\n- src/a.py");
                done_when(&prompt(&example)).is_empty() && !done_when(&prompt("guide")).is_empty()
            }
            "several" | "single" | "lead-in" => words::ROLES.has(&word, &role),
            _ => false,
        };
        assert!(is_right, "{word} {role}: {example} is {sense:?}");
    }
}

#[test]
fn words_of_a_run_that_writes_nothing() {
    for (word, class, example) in lines("unwritten.txt") {
        let is_said = match class.as_str() {
            "name" => titles_a_plan(&example),
            _ => is_said(&example),
        };
        assert!(is_said, "{word} {class}: {example}");
    }
}

#[test]
fn words_of_a_status_line() {
    for (word, class, example) in lines("status.txt") {
        let status = match class.as_str() {
            "done" | "alone" => Some(Status::Done),
            "concerns" => Some(Status::DoneWithConcerns),
            "blocked" => Some(Status::Blocked),
            "context" => Some(Status::NeedsContext),
            _ => None,
        };
        assert_eq!(status::read(&example), status, "{word} {class}");
    }
}

#[test]
fn heads_tags_and_titles_of_examples_are_known() {
    for (word, class, example) in lines("columns.txt") {
        assert!(words::COLUMNS.is_in(&example, &class), "{word} {class}");
    }
    for (word, class, example) in lines("tags.txt") {
        assert!(words::is_tag(&example, &class), "{word} {class}");
    }
    for (word, class, example) in lines("examples.txt") {
        assert!(words::EXAMPLES.is_in(&example, &class), "{word} {class}");
    }
}

#[test]
fn signs_say_what_is_done_and_what_is_open() {
    for (sign, class, example) in lines("signs.txt") {
        let is_done = class == "done";
        assert_eq!(read(&example).is_understood(), is_done, "{sign} {class}");
    }
    for (letter, class, example) in lines("letters.txt") {
        let entry = &parse(&format!("Files changed: {example}")).entries[0];
        assert_eq!(entry.operation, words::operation(&class), "{letter}");
        assert!(!short_entry(entry).starts_with(['?', '!']), "{letter}");
    }
}

#[test]
fn other_scripts_are_read_in_plain_characters() {
    for (sign, plain, example) in lines("scripts.txt") {
        let plain = plain.replace('␣', " ");
        let text = format!("a{sign}b");
        assert_eq!(
            PlainText::of(&text).text(),
            format!("a{plain}b"),
            "{example}"
        );
        let code = sign.chars().next().map(u32::from);
        assert_eq!(code.map(|code| format!("U+{code:04X}")), Some(example));
    }
}

#[test]
fn parts_of_names_say_which_are_files() {
    for (word, class, example) in lines("parts.txt") {
        let is_right = match class.as_str() {
            "middle" => is_lone_extension(example.rsplit(' ').next().unwrap()),
            "route" => certainty(&example) == Certainty::Certain,
            _ => certainty(&example) == Certainty::Likely,
        };
        assert!(is_right, "{word} {class}: {example}");
    }
}

#[test]
fn titles_of_parts_are_known_and_those_of_plans_and_notes_claim_nothing() {
    for (word, class, example) in lines("titles.txt") {
        let title = Title::of(&example, Operation::Changed);
        if class == "oneself" {
            assert!(crate::key::alone(&example).is_some(), "{word}");
        } else if matches!(class.as_str(), "group" | "carried-out") {
            assert!(matches!(title, Title::Known(_)), "{word}: {title:?}");
        } else if class == "relation" {
            assert_eq!(title, Title::Unknown, "{word}");
        } else {
            assert_eq!(title, Title::Ends, "{word}");
        }
    }
}

#[test]
fn keys_are_keys() {
    for (word, class, example) in lines("keys.txt") {
        assert!(
            crate::key::alone(&example).is_some(),
            "{word} {class}: {example}"
        );
    }
}

#[test]
fn extensions_and_names_are_files_and_products_are_none() {
    let is_certain = |name: &str| {
        let claim = parse(&format!("Files changed: {name}"));
        let Meaning::Paths(readings) = &claim.entries[0].meaning else {
            return false;
        };
        readings
            .iter()
            .any(|reading| reading.certainty == Certainty::Certain)
    };
    for name in ["extensions.txt", "names.txt"] {
        let wrong: Vec<_> = lines(name)
            .into_iter()
            .filter(|(_, _, example)| !is_certain(example))
            .collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }
    for (word, _, _) in lines("products.txt") {
        assert!(!is_certain(&word), "{word}");
        assert!(words::PRODUCTS.contains(&word.to_ascii_lowercase()));
    }
}

#[test]
fn beginnings_of_words_say_what_became_of_content() {
    for (word, class, example) in lines("losses.txt") {
        let expected = match &*class {
            "empty" => Loss::Empty,
            "shorter" => Loss::Shorter,
            _ => Loss::Less,
        };
        assert_eq!(loss_in(&example), Some(expected), "{word}: {example}");
        assert!(word.len() <= crate::loss::LONGEST_WORD, "{word}");
    }
    for (word, _, example) in lines("empty.txt") {
        assert!(has_no_size(&example), "{word}: {example}");
    }
}

#[test]
fn a_known_program_begins_an_outcome_without_back_ticks() {
    for name in ["cargo", "go", "pytest", "npm", "./gradlew"] {
        let said = Topic::Checks(Checked::Tests).read(&format!("{name} x: passed"));
        assert_eq!(said.len(), 1, "{name}");
    }
    for name in ["cat", "touch", "task", "test", "no-such"] {
        let said = Topic::Checks(Checked::Tests).read(&format!("{name} x: passed"));
        assert_eq!(said.len(), 0, "{name}");
    }
}

#[test]
fn words_of_checks_say_what_passed() {
    for (word, class, example) in lines("checks.txt") {
        let of = Checked::of(&class).unwrap_or(Checked::Tests);
        let said = Topic::Checks(of).read(&example);
        let [one] = said.as_slice() else {
            panic!("{word} {class}: {example}: {said:?}");
        };
        let check = one.check().unwrap();
        assert_eq!(check.passed, class != "failed", "{word} {class}");
        assert_eq!(check.command.is_some(), class == "link", "{word}");
    }
}

/// Each example says what its word makes it say, and not without it.
#[test]
fn words_of_sentences_decide_what_is_told() {
    for (word, class, example) in lines("prose.txt") {
        let tells = |text: &str| match class.as_str() {
            "study" => tells_of_work(text),
            "end" | "whole" => tells_of_change(text),
            _ => tells_of_changed_file(text),
        };
        let takes_back = ["guard", "report", "others", "passive", "state", "relative"];
        let is_told = !takes_back.contains(&class.as_str());
        let (example, word) = (
            format!(" {example}"),
            format!(" {}", word.replace('_', " ")),
        );
        let without = example.replacen(&word, " zzz", 1);
        assert_eq!(tells(&example), is_told, "{word} {class}: {example}");
        assert_eq!(tells(&without), !is_told, "{word} {class}: {without}");
    }
}

#[test]
fn words_of_what_is_said_outside_of_lists() {
    for (word, class, example) in lines("said.txt") {
        let example = format!(" {example}");
        let without = example.to_lowercase();
        let is_verb = matches!(class.as_str(), "finds" | "names" | "mends" | "reaches");
        let other = if is_verb { " updated" } else { " zzz" };
        let without = without.replacen(&format!(" {word}"), other, 1);
        let is_said = |text: &str| match class.as_str() {
            "own" | "filler" => sentences(text).any(|it| is_own_title(&it)),
            _ => !said(text).is_empty(),
        };
        let takes = [
            "break", "fault", "finds", "mends", "names", "quotes", "reaches", "toward", "trouble",
        ]
        .contains(&class.as_str());
        assert_eq!(is_said(&example), !takes, "{word} {class}: {example}");
        assert_eq!(is_said(&without), takes, "{word} {class}: {without}");
    }
}
