//! What looks like a path, and what certainly is not one.

use crate::path::bare;
use crate::{Certainty, words};

/// How certain the shape of a word makes it that the word names a file or folder.
pub(crate) fn certainty(word: &str) -> Certainty {
    let has_mark = |c: char| {
        c.is_whitespace() || matches!(c, '=' | ';' | '<' | '>' | '"' | '|' | ':' | '*' | '?')
    };
    let inner = without_drive(word);
    if inner.is_empty()
        || inner.contains(has_mark)
        // A call. Those with an argument, and names in a namespace, have a mark that no path has.
        || word.ends_with("()")
        || !is_balanced(inner)
        || is_mixed_script(word)
        || is_two_names(inner)
        || has_optional_letters(inner)
        || has_placeholder(inner)
        || is_range(inner)
    {
        return Certainty::Likely;
    }
    let path = inner.trim_end_matches(['/', '\\']);
    let (folder, name) = path.rsplit_once(['/', '\\']).unwrap_or(("", path));
    let is_below = path.len() > name.len();
    let is_name = name.chars().any(char::is_alphanumeric);
    if !is_name || is_package(path) {
        return Certainty::Likely;
    }
    let extension = extension(name);
    let is_file = words::is_bare_name(name)
        || extension.is_some_and(|extension| {
            words::is_extension(extension) || is_below && words::is_weak_extension(extension)
        });
    let is_rooted =
        word.starts_with(['/', '\\']) || folder.starts_with('.') || inner.len() < word.len();
    let is_folder = path.len() < inner.len();
    match (is_file, is_below) {
        (true, _) if words::is_product(path) => Certainty::Likely,
        (true, _) => Certainty::Certain,
        (false, true) if is_rooted || is_folder => Certainty::Certain,
        (false, true) if is_plain(name) && !is_list_of_words(path) => Certainty::Folder,
        // "src/" and "tests/" name folders, "and/" does not.
        (false, false) if is_folder => Certainty::Folder,
        (false, _) => Certainty::Likely,
    }
}

/// "test(s).py" and "page.ts(x)" stand for one name or two, and nobody can tell which is meant. "page(1).tsx"
/// is a name, and so is the folder of "app/(shop)/page.tsx"; "a.py(new)" is a name and a remark.
pub(crate) fn has_optional_letters(word: &str) -> bool {
    const MAX_OPTIONAL_LETTERS: usize = 4;
    word.match_indices('(').any(|(at, _)| {
        let inside = word[at + 1..]
            .split_once(')')
            .map_or("", |(inside, _)| inside);
        word[..at].ends_with(char::is_alphanumeric)
            && (1..=MAX_OPTIONAL_LETTERS).contains(&inside.len())
            && inside.chars().all(|c| c.is_ascii_lowercase())
            && words::change(inside).is_none()
            && words::closed(inside).is_none()
    })
}

/// "app.[contenthash].js" stands for a name that a build makes up. "[id].tsx" is a name.
fn has_placeholder(word: &str) -> bool {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let is_of_route = name
        .rsplit_once('.')
        .is_some_and(|(_, extension)| words::is_part(extension, "route"));
    if name.starts_with('[') && !is_of_route || is_filled_in(name) {
        return true;
    }
    word.match_indices('[').any(|(at, _)| {
        let inside = word[at + 1..]
            .split_once(']')
            .map_or("", |(inside, _)| inside);
        word[..at].ends_with(['.', '-', '_']) && words::is_part(inside, "made-up")
    })
}

/// `xxxxx_Name.cs`, "YYYY-MM-DD.md", "file1.py": letters that stand for others.
fn is_filled_in(name: &str) -> bool {
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    let parts = || stem.split(['_', '-']);
    let is_run = |part: &str| {
        let mut letters = part.chars().map(|c| c.to_ascii_lowercase());
        let first = letters.next();
        part.len() > 2
            && matches!(first, Some('x' | 'y' | 'n'))
            && letters.all(|c| Some(c) == first)
    };
    let is_numbered_file = stem.strip_prefix("file").is_some_and(|number| {
        (1..=2).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit())
    });
    parts().any(is_run) || is_numbered_file
}

/// "0001-0004.sql", "m8-m12.sql" and "m[1-3].sql" stand for several names.
fn is_range(word: &str) -> bool {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    let numbered = |text: &str| {
        let prefix = text.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let (prefix, number) = text.split_at(prefix);
        Some((prefix.to_owned(), number.parse::<u64>().ok()?))
    };
    let goes_up = |(from, to): (&str, &str)| match (numbered(from), numbered(to)) {
        (Some((first, from)), Some((second, to))) => first == second && from < to,
        _ => false,
    };
    let is_class = |inside: &str| inside.len() == 3 && inside.as_bytes()[1] == b'-';
    let class = word
        .split_once('[')
        .and_then(|(_, rest)| rest.split_once(']'));
    stem.split_once(['-', '–']).is_some_and(goes_up)
        || class.is_some_and(|(inside, _)| is_class(inside))
}

/// A word that only a path looks like.
pub(crate) fn is_path(word: &str) -> bool {
    certainty(word) > Certainty::Likely
}

/// A path whose last part is recognisable as a file name.
pub(crate) fn is_file(word: &str) -> bool {
    is_path(word) && has_extension(word)
}

/// What follows the last dot of a name, if it can be an extension.
fn extension(name: &str) -> Option<&str> {
    let (stem, extension) = name.rsplit_once('.')?;
    let is_word = extension
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+'));
    // "page(1).tsx" and "[id].ts" are names, ".py" is only an extension.
    (is_word && stem.chars().any(|c| c.is_alphanumeric() || c == '_')).then_some(extension)
}

pub(crate) fn has_extension(word: &str) -> bool {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    words::is_bare_name(name)
        || extension(name).is_some_and(|extension| {
            words::is_extension(extension)
                || name.len() < word.len() && words::is_weak_extension(extension)
        })
}

/// ".cpp" next to "a.h", ".test.ts" next to "a.ts": the other one of a pair, and not a file of that name.
pub(crate) fn is_lone_extension(word: &str) -> bool {
    let Some(endings) = bare(word).strip_prefix(['.', '_', '-']) else {
        return false;
    };
    let (middles, last) = endings.rsplit_once('.').unwrap_or(("", endings));
    let is_middle = |middle: &str| {
        middle.is_empty() || words::is_part(middle, "middle") || words::is_extension(middle)
    };
    words::is_extension(last)
        && middles.split('.').all(is_middle)
        && !words::is_bare_name(word)
        && (word.trim_start_matches('`').starts_with('.') || !middles.is_empty())
}

/// A word that is common in sentences and rare in file names.
pub(crate) fn is_stop_word(word: &str) -> bool {
    words::has_role(&trim_end(word).to_ascii_lowercase(), "stop")
}

/// Removes punctuation that ends a sentence.
pub(crate) fn trim_end(name: &str) -> &str {
    name.trim_end_matches(['.', ',', ';', ':', '!'])
}

fn without_drive(word: &str) -> &str {
    if has_drive(word) { &word[2..] } else { word }
}

/// Whether a path begins with a drive of Windows.
pub(crate) fn has_drive(word: &str) -> bool {
    matches!(word.as_bytes(), [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic())
}

/// "@types/node" and "github.com/x/y" are packages, and "example.com/a.html" is an address.
fn is_package(path: &str) -> bool {
    let Some((first, rest)) = path.split_once('/') else {
        return false;
    };
    let domain = first.rsplit_once('.').map(|(_, domain)| domain);
    let is_scope = first.len() > 1 && first.starts_with('@') && !rest.contains(['/', '.']);
    is_scope
        || domain.is_some_and(|domain| words::is_part(domain, "domain")) && !first.starts_with('.')
}

/// "created/modified", "CI/CD", "yes/no/maybe": words joined by slashes.
fn is_list_of_words(path: &str) -> bool {
    let mut parts = path.split('/').filter(|part| !part.is_empty());
    let is_word = |part: &str| {
        words::change(part).is_some()
            || part.chars().all(|c| c.is_ascii_uppercase())
            || words::title(&part.to_lowercase()) == Some(words::TitleWord::Group)
            || words::closed(&part.to_lowercase()).is_some()
            || matches!(
                part,
                "yes"
                    | "true"
                    | "false"
                    | "all"
                    | "n"
                    | "a"
                    | "done"
                    | "after"
                    | "and"
                    | "old"
                    | "ok"
            )
    };
    parts.all(is_word)
}

/// Letters, digits and the signs that occur inside names: "a.py@3f2a91c" and "a.py¹" are more than
/// a name.
fn is_plain(name: &str) -> bool {
    name.chars().all(|c| {
        c.is_alphabetic() || c.is_ascii_digit() || matches!(c, '.' | '_' | '-' | '+' | ' ')
    })
}

/// "page1.md-page3.md", "form.ts+form.css", "codec.h/cpp": two names joined by a sign.
fn is_two_names(word: &str) -> bool {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let joined = |sign: char| {
        name.rsplit_once(sign)
            .is_some_and(|(first, second)| ends_in_extension(first) && ends_in_extension(second))
    };
    let above = word
        .strip_suffix(name)
        .unwrap_or_default()
        .trim_end_matches(['/', '\\']);
    let is_above_a_file =
        !above.starts_with(['/', '.']) && words::is_extension(name) && ends_in_extension(above);
    joined('-') || joined('+') || joined('&') || is_above_a_file
}

fn ends_in_extension(name: &str) -> bool {
    extension(name.rsplit(['/', '\\']).next().unwrap_or(name)).is_some_and(words::is_extension)
}

/// Whether each bracket of a name has its partner in it: "(src/a.py" is a part of a list.
fn is_balanced(word: &str) -> bool {
    [['(', ')'], ['[', ']'], ['{', '}']]
        .iter()
        .all(|[open, close]| word.matches(*open).count() == word.matches(*close).count())
}

/// Letters of two alphabets in one word look alike and differ, so the reader cannot be sure of
/// them.
fn is_mixed_script(word: &str) -> bool {
    word.split(|c: char| !c.is_alphabetic()).any(|run| {
        run.chars().any(|c| c.is_ascii_alphabetic())
            && run.chars().any(|c| matches!(c, '\u{370}'..='\u{5ff}'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_a_path_looks_like() {
        for word in [
            "a.py",
            "src/a.py",
            "./run",
            "/usr/bin/run",
            "C:\\x\\run",
            "Makefile",
            "docs/LICENSE",
            ".env.local",
            ".github/workflows/ci.yml",
            "app/[id]/page.tsx",
            "src/lib/",
            "logs/a.log",
            "@app/core/src/a.ts",
            "CONFIG/A.TOML",
            "__init__.py",
            "caf\u{e9}.md",
            "\u{444}.py",
            "app.[id].js",
            "m3-m1.sql",
            "m3-m3.sql",
            "a1-b3.sql",
            "app[name].js",
        ] {
            assert_eq!(certainty(word), Certainty::Certain, "{word}");
        }
        for word in ["bin/run", "src/", "feature/x", "@/run"] {
            assert_eq!(certainty(word), Certainty::Folder, "{word}");
        }
        for word in [
            "",
            "ghost",
            "Button",
            "console.log",
            "Node.js",
            "os.path",
            "run()",
            "./run()",
            "src/run(x);",
            "./src::run",
            "Foo::bar",
            "v1.2.3",
            "@types/node",
            "github.com/x/y.go",
            "CI/CD",
            "client/server",
            "src/a.py@3f2a91c",
            "src/a.py¹",
            "a.ts+b.css",
            "src/a.h/cpp",
            "License",
            "res.json",
            "created/modified",
            "x=a.py",
            "e.g",
            "\u{430}b.py",
            "keine",
            ".py",
            "example.com",
            "a b.py",
            "1:/a.py",
            "app.[name].js",
            "m1-m3.sql",
            "m8-m12.sql",
        ] {
            assert_eq!(certainty(word), Certainty::Likely, "{word}");
        }
    }

    #[test]
    fn an_extension_stands_behind_a_name() {
        for word in ["_.py", "a.py", "src/a.log", "src/(1).ts"] {
            assert!(has_extension(word), "{word}");
        }
        for word in [
            "-.py",
            ".py",
            "console.log",
            "src/a.unheardof",
            "a.p/y",
            "a.p y",
        ] {
            assert!(!has_extension(word), "{word}");
        }
    }
}
