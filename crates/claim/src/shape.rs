//! What looks like a path, and what certainly is not one.

use crate::lexicon;
use crate::{Certainty, Unresolvable};

/// How sure the shape of one word makes it that it names a file or folder.
pub(crate) fn certainty(word: &str) -> Certainty {
    let has_mark = |c: char| {
        c.is_whitespace() || matches!(c, '=' | ';' | '<' | '>' | '"' | '|' | ':' | '*' | '?')
    };
    let inner = without_drive(word);
    if inner.is_empty()
        || inner.contains(has_mark)
        || is_code(word)
        || is_mixed_script(word)
        || is_two_names(inner)
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
    let is_file = lexicon::is_bare_name(name)
        || extension.is_some_and(|extension| {
            lexicon::is_extension(extension) || is_below && lexicon::is_weak_extension(extension)
        });
    let is_rooted =
        word.starts_with(['/', '\\']) || folder.starts_with('.') || inner.len() < word.len();
    let is_folder = path.len() < inner.len();
    match (is_file, is_below) {
        (true, _) if lexicon::is_product(path) => Certainty::Likely,
        (true, _) => Certainty::Certain,
        (false, true) if is_rooted || is_folder => Certainty::Certain,
        (false, true) if is_plain(name) && !is_list_of_words(path) => Certainty::Folder,
        // "src/" names a folder, "tests/" as well, and "and/" nothing.
        (false, false) if is_folder => Certainty::Folder,
        (false, _) => Certainty::Likely,
    }
}

/// One word that only a path looks like.
pub(crate) fn is_path(word: &str) -> bool {
    certainty(word) > Certainty::Likely
}

/// What follows the last dot of a name, where it can be an extension.
fn extension(name: &str) -> Option<&str> {
    let (stem, extension) = name.rsplit_once('.')?;
    let is_word = extension
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+'));
    // "page(1).tsx" and "[id].ts" are names, ".py" is an extension alone.
    (is_word && !stem.is_empty() && stem.chars().any(|c| c.is_alphanumeric() || c == '_'))
        .then_some(extension)
}

pub(crate) fn has_extension(word: &str) -> bool {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    lexicon::is_bare_name(name)
        || extension(name).is_some_and(|extension| {
            lexicon::is_extension(extension)
                || name.len() < word.len() && lexicon::is_weak_extension(extension)
        })
}

/// ".cpp" beside "a.h": the other half of a pair, and no file of that name.
pub(crate) fn is_lone_extension(word: &str) -> bool {
    word.strip_prefix('.')
        .is_some_and(|extension| lexicon::is_extension(extension) && !lexicon::is_bare_name(word))
}

/// Without the marks that end a sentence.
pub(crate) fn trim_end(name: &str) -> &str {
    name.trim_end_matches(['.', ',', ';', ':', '!'])
}

fn without_drive(word: &str) -> &str {
    match word.as_bytes() {
        [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic() => &word[2..],
        _ => word,
    }
}

/// A call, a name in a namespace, an address.
fn is_code(word: &str) -> bool {
    word.ends_with("()") || word.ends_with(");") || word.contains("::")
}

/// "@types/node" and "github.com/x/y" are packages, and example.com/a.html an address.
fn is_package(path: &str) -> bool {
    const DOMAINS: &[&str] = &[
        "com",
        "org",
        "io",
        "dev",
        "net",
        "co",
        "ai",
        "app",
        "edu",
        "gov",
        "localhost",
    ];
    let Some((first, rest)) = path.split_once('/') else {
        return false;
    };
    let domain = first.rsplit_once('.').map(|(_, domain)| domain);
    let is_scope = first.len() > 1 && first.starts_with('@') && !rest.contains(['/', '.']);
    is_scope || domain.is_some_and(|domain| DOMAINS.contains(&domain)) && !first.starts_with('.')
}

/// "created/modified", "CI/CD", "yes/no/maybe": words that a slash joins.
fn is_list_of_words(path: &str) -> bool {
    let mut parts = path.split('/').filter(|part| !part.is_empty());
    let is_word = |part: &str| {
        lexicon::change(part).is_some()
            || part.len() > 1 && part.chars().all(|c| c.is_ascii_uppercase())
            || crate::words::is_remark(part)
            || lexicon::is_area(part)
    };
    parts.all(is_word)
}

/// Letters, digits and the signs that stand inside names: "a.py@3f2a91c" and "a.py¹" say more than a name.
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
        !above.starts_with(['/', '.']) && lexicon::is_extension(name) && ends_in_extension(above);
    joined('-') || joined('+') || joined('&') || is_above_a_file
}

fn ends_in_extension(name: &str) -> bool {
    extension(name.rsplit(['/', '\\']).next().unwrap_or(name)).is_some_and(lexicon::is_extension)
}

/// Letters of two alphabets in one word look alike and are not: who reads them cannot be sure.
fn is_mixed_script(word: &str) -> bool {
    word.split(|c: char| !c.is_alphabetic()).any(|run| {
        run.chars().any(|c| c.is_ascii_alphabetic())
            && run.chars().any(|c| matches!(c, '\u{370}'..='\u{5ff}'))
    })
}

/// Why a cleaned text is no path that could be looked for.
pub(crate) fn unresolvable(text: &str) -> Option<Unresolvable> {
    let lower = text.to_ascii_lowercase();
    if text.chars().any(|c| c.is_control() || c == '\u{fffd}') {
        return Some(Unresolvable::Garbled);
    }
    if text.contains("://")
        || lower.starts_with("mailto:")
        || (lower.starts_with("www.") && lower.matches('.').count() > 1)
    {
        return Some(Unresolvable::Url);
    }
    if text.starts_with(['~', '$', '%']) || text.contains("${") || text.contains("$(") {
        return Some(Unresolvable::HomeOrVariable);
    }
    // "[...slug].vue" is a name.
    if lower.replace("[...", "[").contains("...") || lower.contains('…') || is_more(&lower) {
        return Some(Unresolvable::AndMore);
    }
    if text.contains(['*', '?']) && !text.contains("](") || is_brace_pattern(text) {
        return Some(Unresolvable::Glob);
    }
    if is_placeholder(text, &lower) {
        return Some(Unresolvable::Placeholder);
    }
    // "12/12", "2024-01-01"
    let is_figure = !text.is_empty()
        && !text.chars().any(|c| c.is_alphabetic() || c.is_whitespace())
        && text.chars().any(char::is_numeric);
    if is_figure || is_count(&lower) {
        return Some(Unresolvable::Count);
    }
    (is_reference(&lower) || is_revision(text)).then_some(Unresolvable::Reference)
}

/// "<name>", "src/{file}.py", "path/to/file.py": a name to be filled in.
fn is_placeholder(text: &str, lower: &str) -> bool {
    let is_filled = |open: char, close: char| {
        text.split_once(open)
            .and_then(|(_, rest)| rest.split_once(close))
            .is_some_and(|(inside, _)| {
                inside.chars().any(char::is_alphabetic)
                    && inside.chars().all(|c| {
                        c.is_alphanumeric() || matches!(c, ' ' | '_' | '-' | '/' | '.' | '|' | ',')
                    })
            })
    };
    is_filled('<', '>')
        || is_filled('{', '}') && !text.contains(" => ")
        || lower.starts_with("path/to/")
        || lower.starts_with("/path/to/")
        || lower.contains("/path/to/")
}

fn is_more(lower: &str) -> bool {
    let words: Vec<_> = lower.split_whitespace().take(8).collect();
    matches!(
        words.as_slice(),
        ["etc" | "etc." | "more" | "others"] | ["and", "more" | "others", ..]
    ) || words.len() <= 6
        && words
            .last()
            .is_some_and(|last| matches!(*last, "more" | "others" | "etc" | "etc."))
}

fn is_brace_pattern(text: &str) -> bool {
    text.find('{')
        .is_some_and(|open| text[open..].contains(',') && text[open..].contains('}'))
}

fn is_count(lower: &str) -> bool {
    const NUMBERS: &[&str] = &[
        "one", "two", "three", "four", "five", "six", "several", "many", "multiple", "all",
        "various",
    ];
    const UNITS: &[&str] = &[
        "file", "files", "total", "new", "modified", "changed", "changes", "created", "in",
        "source", "test", "tests", "lines", "of", "the",
    ];
    let mut words = lower.split_whitespace();
    let number = words
        .next()
        .unwrap_or_default()
        .trim_matches(['~', '+', '(', ')', ',', '.', ':']);
    let is_number = !number.is_empty()
        && number
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '.' | ','))
        || NUMBERS.contains(&number);
    is_number
        && words
            .next()
            .is_none_or(|unit| UNITS.contains(&unit.trim_matches(|c: char| !c.is_alphabetic())))
}

fn is_reference(lower: &str) -> bool {
    let mut words = lower.split_whitespace();
    let first = words.next().unwrap_or_default();
    match first {
        "see" | "as" | "listed" | "same" | "described" | "mentioned" => words.next().is_some(),
        "above" | "below" | "ditto" | "(above)" | "(below)" => words.next().is_none(),
        _ => false,
    }
}

/// A commit or a range of them: "1f3c9ab", "HEAD~1..HEAD".
fn is_revision(text: &str) -> bool {
    let is_hash = (7..=40).contains(&text.len())
        && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
        && text.bytes().any(|b| b.is_ascii_digit());
    let is_range = !text.contains(['/', '\\', ' '])
        && text
            .split_once("..")
            .is_some_and(|(from, to)| !from.is_empty() && !to.is_empty());
    is_hash || is_range
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
        ] {
            assert_eq!(certainty(word), Certainty::Certain, "{word}");
        }
        for word in ["bin/run", "src/", "feature/x"] {
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
        ] {
            assert_eq!(certainty(word), Certainty::Likely, "{word}");
        }
    }

    #[test]
    fn placeholders() {
        for text in [
            "<name>",
            "{file}",
            "src/{name}.py",
            "path/to/a.py",
            "<path to file>",
        ] {
            assert_eq!(
                unresolvable(text),
                Some(Unresolvable::Placeholder),
                "{text}"
            );
        }
    }
}
