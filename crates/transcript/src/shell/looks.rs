//! Whether a command only looks. A file that is not there cannot have come from one that does, which nobody can say
//! of a command that is not understood: so this knows few programs, and those in full.

use super::lexer::{self, Part, Token, Word};
use super::programs::is_one_of;

/// Programs that write nothing, whatever they are told.
const LOOK: &str = "cat head tail ls grep egrep fgrep wc cut tr nl tac rev cmp diff comm paste join fold stat which \
    type whereis echo pwd true false : test [ date sleep ps df du uname whoami id nproc basename dirname realpath \
    readlink seq jq md5sum sha1sum sha256sum cksum jobs wait exit return printenv cd pushd popd printf";
/// What git only looks at, and `add`, which writes no file of the work tree.
const OF_GIT: &str = "status log diff show branch rev-parse ls-files ls-tree cat-file blame describe grep rev-list \
    shortlog merge-base show-ref for-each-ref name-rev diff-tree check-ignore add version help";
/// Options of git that stand before its verb and name no program.
const BEFORE_VERB: &str = "--no-pager -P --no-optional-locks";

/// Whether `command` only looks, and can have made or moved no file.
pub(crate) fn only_looks(command: &str) -> bool {
    command.len() <= super::MAX_BYTES && all_look(&lexer::tokens(command), super::MAX_DEPTH)
}

/// The same of a command that is given word by word.
pub(crate) fn words_only_look(words: &[String]) -> bool {
    let words: Vec<_> = words.iter().map(|word| Some(word.clone())).collect();
    match words.as_slice() {
        // A shell with its text.
        [Some(shell), Some(option), Some(text)]
            if is_one_of("sh bash zsh", shell.rsplit('/').next().unwrap_or(shell))
                && is_one_of("-c -lc", option) =>
        {
            only_looks(text)
        }
        words => looks(words),
    }
}

fn all_look(tokens: &[Token], depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    let mut words = Vec::new();
    for token in tokens {
        match token {
            Token::Word(word) => {
                if !is_understood(word, depth) {
                    return false;
                }
                words.push(text(word));
            }
            Token::Redirect { writes, target } => {
                if *writes && text(target).as_deref() != Some("/dev/null") {
                    return false;
                }
            }
            Token::Input(_) => {}
            Token::End(_) | Token::Open | Token::Close => {
                if !looks(&words) {
                    return false;
                }
                words.clear();
            }
            Token::Broken => return false,
        }
    }
    looks(&words)
}

/// Whether all that a word is made of only looks.
fn is_understood(word: &Word, depth: usize) -> bool {
    word.parts.iter().all(|part| match part {
        Part::Commands(tokens) => all_look(tokens, depth),
        Part::Unknown => false,
        Part::Text(_) | Part::Escaped(_) | Part::Glob | Part::Variable(_) => true,
    })
}

/// The word, if it is nothing but text.
fn text(word: &Word) -> Option<String> {
    let mut text = String::new();
    for part in &word.parts {
        match part {
            Part::Text(more) => text.push_str(more),
            Part::Escaped(char) => text.push(*char),
            Part::Glob | Part::Variable(_) | Part::Commands(_) | Part::Unknown => return None,
        }
    }
    Some(text)
}

/// Whether a simple command only looks.
fn looks(words: &[Option<String>]) -> bool {
    let Some((program, words)) = words.split_first() else {
        return true;
    };
    let Some(program) = program else {
        return false;
    };
    if is_one_of(LOOK, program) {
        return true;
    }
    // What is told to these says what they do.
    let words: Option<Vec<_>> = words.iter().map(Option::as_deref).collect();
    let Some(words) = words else {
        return false;
    };
    let has = |start: &str| words.iter().any(|word| word.starts_with(start));
    match program.as_str() {
        "git" => git_looks(&words),
        "rg" => !has("--pre"),
        "find" => !["-exec", "-ok", "-delete", "-fprint", "-fls"]
            .into_iter()
            .any(has),
        "sort" | "tree" | "uniq" => words.iter().all(|word| !names_output(word)),
        "sed" => {
            matches!(words.as_slice(), ["-n", script, ..] if is_of_lines(script) && !has("-i") && !has("--in"))
        }
        _ => false,
    }
}

fn git_looks(words: &[&str]) -> bool {
    let mut rest = words;
    loop {
        rest = match rest {
            ["-C", _, more @ ..] => more,
            [option, more @ ..] if is_one_of(BEFORE_VERB, option) => more,
            _ => break,
        };
    }
    let runs = |word: &&str| {
        ["--output", "--ext-diff", "--textconv", "--open-files", "-O"]
            .iter()
            .any(|option| word.starts_with(option))
    };
    match rest {
        [verb, words @ ..] => is_one_of(OF_GIT, verb) && !words.iter().any(runs),
        [] => true,
    }
}

/// Whether a word may name the file for what a program says: an option that does, or, of `uniq`, any name.
fn names_output(word: &str) -> bool {
    let is_short = word.starts_with('-') && !word.starts_with("--");
    is_short && word.contains('o') || word.starts_with("--o") || !word.starts_with('-')
}

/// Whether a script of `sed` prints lines by their numbers.
fn is_of_lines(script: &str) -> bool {
    let addresses = script.strip_suffix('p');
    addresses.is_some_and(|it| {
        it.chars()
            .all(|char| char.is_ascii_digit() || matches!(char, ',' | '$'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_is_known_in_full_only_looks() {
        for command in [
            "",
            "ls -la src && cat src/a.py | head -n 20",
            "git status --short; git -C /w --no-pager log --oneline -5",
            "grep -rn 'fn main' . 2>/dev/null || true",
            "sed -n '1,40p' src/a.py",
            "cd src && rg -n parse --glob '*.py' 2>&1",
            "find . -name '*.py' -type f | sort | wc -l",
            "echo $(git rev-parse HEAD) \"$USER\"",
            "cat <<'EOF'\nx > y\nEOF",
        ] {
            assert!(only_looks(command), "{command}");
        }
        let words = |words: &[&str]| words.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        assert!(words_only_look(&words(&["bash", "-lc", "ls src"])));
        assert!(words_only_look(&words(&["git", "diff"])));
        assert!(!words_only_look(&words(&["bash", "-lc", "touch a"])));
        assert!(!words_only_look(&words(&["touch", "a"])));
    }

    #[test]
    fn whatever_may_write_does_not_only_look() {
        for command in [
            "touch a",
            "cat a > b",
            "ls; make",
            "echo $(touch a)",
            "cat `touch a`",
            "$TOOL a",
            "A=b ls",
            "sort -o a b",
            "sort -uoa b",
            "uniq a b",
            "find . -exec touch {} +",
            "find . -delete",
            "find $HERE",
            "git diff --output=a",
            "git checkout a",
            "git -c alias.x='!touch a' x",
            "git commit -m x",
            "sed -i s/a/b/ c",
            "sed -n 'w a' b",
            "sed -n 1p -i b",
            "rg --pre ./x a",
            "ls() { touch a; }; ls",
            "for f in a b; do touch $f; done",
            "diff <(ls) >(tee a)",
            "cargo test",
            "python -c 'x'",
            "cat 'a",
            "ls | xargs touch",
            "tee a",
        ] {
            assert!(!only_looks(command), "{command}");
        }
    }
}
