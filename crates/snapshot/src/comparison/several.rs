//! Several names that are written as one: "page-1/2/3.html", "en+de.json", "values(-de)/strings.xml". Which sign joins
//! them no name tells; but if one way to read it names only files that changed, those may be what is meant.

use attest_evidence::fold;

/// The longest text that is read in this way, in bytes.
const MAX_BYTES: usize = 256;
/// The most names that one text may stand for.
const MAX_NAMES: usize = 16;
/// What stands between names.
const SIGNS: [&str; 7] = ["/", ",", "+", "~", "..", " and ", "&"];
/// What stands between the names of a list, of which each is a claim of its own.
const OF_LISTS: [&str; 2] = [",", " and "];

/// About what it costs to read a text in all ways, in bytes that are gone through.
pub(super) fn cost(text: &str) -> usize {
    if text.len() > MAX_BYTES {
        return 0;
    }
    SIGNS.len() * text.len() * text.len()
}

/// Whether a text, read as several names, names files only that are known by their folded form.
pub(super) fn are_all(text: &str, is_known: impl Fn(&str) -> bool) -> bool {
    if text.len() > MAX_BYTES {
        return false;
    }
    let text = fold(text);
    let of_sign = |sign: &&str| {
        let parts: Vec<_> = text.split(sign).map(str::trim).collect();
        // Folders stand in front of the first name.
        let folders = if *sign == "/" { parts.len() } else { 1 };
        let is_list = OF_LISTS.contains(sign) && parts.iter().all(|part| is_known(part));
        !is_list
            && (1..=folders).any(|names| {
                let (first, others) = parts.split_at(names);
                is_reading(&first.join("/"), others, &is_known)
            })
    };
    SIGNS.iter().any(of_sign)
        || bracketed(&text).iter().any(|(first, others)| {
            let others: Vec<_> = others.iter().map(String::as_str).collect();
            is_reading(first, &others, &is_known)
        })
}

/// Whether the first name with the end of the last one, and the others with the beginning of the first one, are known.
fn is_reading(first: &str, others: &[&str], is_known: impl Fn(&str) -> bool) -> bool {
    let Some((last, middle)) = others.split_last() else {
        return false;
    };
    let is_part = |part: &&str| part.contains(char::is_alphanumeric);
    if others.len() >= MAX_NAMES || first.is_empty() || !others.iter().all(is_part) {
        return false;
    }
    let is_file = |parts: [&str; 3]| is_known(&parts.concat());
    // What is left of the last name without the end that it shares says which one it is.
    let mut ends = last.char_indices().skip(1).map(|(at, _)| at);
    let mut ends = ends.by_ref().chain([last.len()]).map(|at| &last[at..]);
    ends.any(|end| {
        let mut begins = first.char_indices().map(|(at, _)| at).chain([first.len()]);
        is_file([first, end, ""])
            && begins.any(|at| {
                let begin = &first[..at];
                let mut middle = middle.iter();
                is_file([begin, last, ""]) && middle.all(|name| is_file([begin, name, end]))
            })
    })
}

/// How "values(-de)/strings.xml", "v1(+v2)/api.go" and "v[12]/api.go" may be read.
fn bracketed(text: &str) -> Vec<(String, Vec<String>)> {
    let parts = || {
        let (first, rest) = text.split_once(['(', '['])?;
        let (inside, behind) = rest.split_once([')', ']'])?;
        Some((first, inside.trim_start_matches('+'), behind))
    };
    let Some((first, inside, behind)) = parts() else {
        return Vec::new();
    };
    let letters: Vec<_> = inside.chars().map(String::from).collect();
    let mut readings = vec![(first.to_owned(), vec![format!("{inside}{behind}")])];
    if let [one, middle @ .., last] = letters.as_slice() {
        let last = format!("{last}{behind}");
        let others = middle.iter().cloned().chain([last]).collect();
        readings.push((format!("{first}{one}"), others));
    }
    readings
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHANGED: [&str; 12] = [
        "doc/ch01.md",
        "doc/ch02.md",
        "doc/ch03.md",
        "r/messages_de.properties",
        "r/messages_fr.properties",
        "a/v1/api.go",
        "a/v2/api.go",
        "j/foo.java",
        "j/footest.java",
        "db/1_a.up.sql",
        "db/1_a.down.sql",
        "src/main.py",
    ];

    fn is_read(text: &str) -> bool {
        are_all(text, |name| CHANGED.contains(&name))
    }

    #[test]
    fn several_names_may_be_written_as_one() {
        for text in [
            "doc/ch01/02/03.md",
            "doc/ch01,02,03.md",
            "doc/ch01, 02, 03.md",
            "doc/ch01+02.md",
            "doc/ch01..ch03.md",
            "doc/ch01~3.md",
            "r/messages_de/fr.properties",
            "r/messages_de.properties, _fr.properties",
            "a/v1+v2/api.go",
            "a/v1(v2)/api.go",
            "a/v1(+v2)/api.go",
            "a/v[12]/api.go",
            "j/Foo+Test.java",
            "j/Foo(Test).java",
            "db/1_a.up.sql and .down.sql",
            "db/1_a.up/down.sql",
        ] {
            assert!(is_read(text), "{text}");
        }
    }

    #[test]
    fn all_of_them_have_to_be_there() {
        for text in [
            "doc/ch01/02/04.md",
            "doc/ch01,02,04.md",
            "doc/ch01..ch04.md",
            "r/messages_de/it.properties",
            "a/v[13]/api.go",
            "a/v1(v3)/api.go",
            "j/Foo+Spec.java",
            "db/1_a.up.sql / .old.sql",
            "src/ghost.py",
            "src/main/ghost.py",
            "src/main.py, ghost.py",
            "ghost/main.py",
            "src/main.py, doc/ch01.md",
            "src/main.py and doc/ch01.md",
            "doc/ch01.md/",
            "",
        ] {
            assert!(!is_read(text), "{text}");
        }
        let long = format!("doc/ch01{}", ",02".repeat(MAX_NAMES));
        assert!(!is_read(&format!("{long}.md")));
    }
}
