//! What looks like a path, and what certainly is not one.

use attest_shell::text::last_part;

use crate::outline::BRACKETS;
use crate::path::bare;
use crate::{Certainty, words};

/// How certain the shape of a word makes it that the word names a file or folder.
pub(crate) fn certainty(word: &str) -> Certainty {
    let inner = if has_drive(word) { &word[2..] } else { word };
    let path = inner.trim_end_matches(['/', '\\']);
    let (folder, name) = path.rsplit_once(['/', '\\']).unwrap_or(("", path));
    let is_name = name.chars().any(char::is_alphanumeric);
    let is_other = is_for_others(path, name) || is_package(path) || is_qualified(path);
    if !is_name || is_no_name(inner) || is_other {
        return Certainty::Likely;
    }
    let is_below = path.len() > name.len();
    let is_folder = path.len() < inner.len();
    let is_rooted =
        word.starts_with(['/', '\\']) || folder.starts_with('.') || inner.len() < word.len();
    match (has_extension(path), is_below) {
        (true, _) if words::PRODUCTS.contains(&path.to_ascii_lowercase()) => Certainty::Likely,
        (true, _) => Certainty::Certain,
        (false, true) if is_rooted || is_folder => Certainty::Certain,
        (false, true) if is_plain(name) && !is_list_of_words(path) => Certainty::Folder,
        // "src/" and "tests/" name folders, "and/" does not.
        (false, false) if is_folder => Certainty::Folder,
        (false, _) => Certainty::Likely,
    }
}

/// A word that only a path looks like.
pub(crate) fn is_path(word: &str) -> bool {
    certainty(word) > Certainty::Likely
}

/// A path whose last part is recognisable as a file name.
pub(crate) fn is_file(word: &str) -> bool {
    is_path(word) && has_extension(word)
}

pub(crate) fn has_extension(word: &str) -> bool {
    let name = last_part(word);
    let is_known = |extension| {
        words::is_extension(extension)
            || name.len() < word.len() && words::is_weak_extension(extension)
    };
    words::is_bare_name(name) || extension(name).is_some_and(is_known)
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

/// Signs that no name has, a bracket without its partner, or letters of two alphabets in one word: they look
/// alike and differ, so that the reader cannot be sure of them.
fn is_no_name(word: &str) -> bool {
    let is_mark = |c: char| {
        c.is_whitespace() || matches!(c, '=' | ';' | '<' | '>' | '"' | '|' | ':' | '*' | '?')
    };
    let is_open =
        |[open, close]: [char; 2]| word.matches(open).count() != word.matches(close).count();
    let is_mixed = |run: &str| {
        run.contains(|c: char| c.is_ascii_alphabetic())
            && run.contains(|c| matches!(c, '\u{370}'..='\u{5ff}'))
    };
    word.contains(is_mark)
        || BRACKETS.into_iter().any(is_open)
        || word.split(|c: char| !c.is_alphabetic()).any(is_mixed)
}

/// A name that stands for several, or for one that is still to be filled in: nobody can tell which is meant.
fn is_for_others(path: &str, name: &str) -> bool {
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    let joined = |sign: char| {
        let names = name.rsplit_once(sign);
        names.is_some_and(|(first, second)| is_sure_file(first) && is_sure_file(second))
    };
    let above = path.strip_suffix(name).unwrap_or_default();
    let is_below_a_file = words::is_extension(name)
        && !above.starts_with(['/', '.'])
        && is_sure_file(above.trim_end_matches(['/', '\\']));
    // "page1.md-page3.md", "form.ts+form.css", "codec.h/cpp"
    ['-', '+', '&'].into_iter().any(joined)
        || is_below_a_file
        || is_range(stem)
        || is_filled_in(stem)
        || has_open_bracket(name)
}

/// Whether a name ends in an extension that shows it alone.
fn is_sure_file(name: &str) -> bool {
    extension(last_part(name)).is_some_and(words::is_extension)
}

/// A call, "test(s).py", "page.ts(x)", "app.[hash].js", "m[1-3].sql", "[agent].md"; but "page(1).tsx" is a name, and so
/// are the routes of web frameworks: "[id].tsx", "[...slug].vue".
fn has_open_bracket(name: &str) -> bool {
    let Some((before, behind)) = name.split_once(['(', '[', '{']) else {
        return false;
    };
    let is_route = before.is_empty()
        && extension(name).is_some_and(|extension| words::PARTS.has(extension, "route"));
    let is_numbered = behind.trim_start_matches(|c: char| c.is_ascii_digit());
    !is_route && (is_numbered.len() == behind.len() || !is_numbered.starts_with([')', ']', '}']))
}

/// `xxxxx_Name.cs`, "YYYY-MM-DD.md", "file1.py": letters that stand for others.
fn is_filled_in(stem: &str) -> bool {
    let is_run = |part: &str| {
        let part = part.to_ascii_lowercase();
        part.len() > 2
            && ['x', 'y', 'n']
                .iter()
                .any(|c| part.trim_matches(*c).is_empty())
    };
    let number = stem.strip_prefix("file").unwrap_or_default();
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    stem.split(['_', '-']).any(is_run) || (1..=2).contains(&number.len()) && is_number
}

/// "0001-0004.sql" and "m8-m12.sql" stand for several names.
fn is_range(stem: &str) -> bool {
    stem.split_once(['-', '–']).is_some_and(|(from, to)| {
        let prefix = from.trim_end_matches(|c: char| c.is_ascii_digit());
        let number = |side: &str| side.strip_prefix(prefix)?.parse::<u64>().ok();
        number(from)
            .zip(number(to))
            .is_some_and(|(from, to)| from < to)
    })
}

/// ".cpp" next to "a.h", ".test.ts" next to "a.ts": the other one of a pair, and not a file of that name.
pub(crate) fn is_lone_extension(word: &str) -> bool {
    let Some(endings) = bare(word).strip_prefix(['.', '_', '-']) else {
        return false;
    };
    let (middles, last) = endings.rsplit_once('.').unwrap_or(("", endings));
    let is_middle = |middle: &str| {
        middle.is_empty() || words::PARTS.has(middle, "middle") || words::is_extension(middle)
    };
    words::is_extension(last) && middles.split('.').all(is_middle) && !words::is_bare_name(word)
}

/// A word that is common in sentences and rare in file names.
pub(crate) fn is_stop_word(word: &str) -> bool {
    words::ROLES.has(&trim_end(word).to_ascii_lowercase(), "stop")
}

/// Removes punctuation that ends a sentence.
pub(crate) fn trim_end(name: &str) -> &str {
    name.trim_end_matches(['.', ',', ';', ':', '!'])
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
    let is_scope = first.len() > 1 && first.starts_with('@') && !rest.contains(['/', '.']);
    let domain = first.rsplit_once('.').filter(|_| !first.starts_with('.'));
    is_scope || domain.is_some_and(|(_, domain)| words::PARTS.has(domain, "domain"))
}

/// "com.acme.shop.Order.java": a class with its packages, which is below folders of their names.
fn is_qualified(path: &str) -> bool {
    let mut parts = path.rsplit('.');
    let is_of_packages = parts
        .next()
        .is_some_and(|extension| words::PARTS.has(extension, "package"));
    let is_class = parts
        .next()
        .is_some_and(|class| class.starts_with(char::is_uppercase));
    let is_plain =
        |part: &str| !part.is_empty() && part.chars().all(|c| matches!(c, 'a'..='z' | '0'..='9'));
    let (packages, mut rest) = (parts.clone().count(), parts);
    is_of_packages && is_class && packages > 1 && rest.all(is_plain)
}

/// "created/modified", "CI/CD", "yes/no/maybe": words joined by slashes.
fn is_list_of_words(path: &str) -> bool {
    let is_word = |part: &str| {
        let lower = part.to_lowercase();
        words::change(part).is_some()
            || words::closed(&lower).is_some()
            || words::TITLES.has(&lower, "group")
            || words::PARTS.has(part, "word")
            || part.chars().all(|c| c.is_ascii_uppercase())
    };
    path.split('/').all(is_word)
}

/// Letters, digits and the signs that occur inside names: "a.py@3f2a91c" and "a.py¹" are more than
/// a name.
fn is_plain(name: &str) -> bool {
    name.chars()
        .all(|c| c.is_alphabetic() || c.is_ascii_digit() || matches!(c, '.' | '_' | '-' | '+'))
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
            "m3-m1.sql",
            "m3-m3.sql",
            "a1-b3.sql",
            "app(1).js",
            "profile1.py",
            "file123.py",
            "xx_a.cs",
            "app/(shop)/[id]/a.py",
            "Order.java",
            "order.Test.java",
            "a/com.acme.Order.java",
            "com.acme.Order.plist",
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
            "app[name].js",
            "[agent].md",
            "test(s).py",
            "m[1-3].sql",
            "src/xxxxx_Name.cs",
            "YYYY-MM-DD.md",
            "src/file1.py",
            "m1-m3.sql",
            "m8-m12.sql",
            "com.acme.shop.Order.java",
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
