//! Whether a command only looks, or writes only where its words say. A file that is not there, and that it does not
//! name, cannot have come from one that does, which nobody can say of a command that is not understood: so this knows few
//! programs, and those in full.

use crate::parser::{MAX_BYTES, parse};
use crate::programs;
use crate::programs::Effect;
use crate::tree::{List, Node, Part, Simple, Word};

use crate::checks::behind_prefix;
use crate::patch;
use crate::text::is_short_option;

/// Whether `command` only looks, and can have made or moved no file.
#[must_use]
pub fn only_looks(command: &str) -> bool {
    whole(command).is_some_and(|list| all_look(&list))
}

/// Whether every program of `command` writes only where its words say. Usual tests, builds and lints are believed to:
/// what they make beside that, no report names.
#[must_use]
pub fn only_writes_named(command: &str) -> bool {
    whole(command).is_some_and(|list| all_write_named(&list))
}

/// What a command says, if all of it is read.
pub(crate) fn whole(command: &str) -> Option<List> {
    let script = (command.len() <= MAX_BYTES).then(|| parse(command))?;
    script.is_whole.then_some(script.list)
}

/// Whether `command` shows what commits did, or a pull request.
#[must_use]
pub fn looks_back(command: &str) -> bool {
    let script = (command.len() <= MAX_BYTES).then(|| parse(command));
    script.is_some_and(|it| any_looks_back(&it.list))
}

fn any_looks_back(list: &List) -> bool {
    list.nodes().any(|node| match node {
        Node::Simple(simple) => {
            let words = simple.behind_assignments().iter().map(Word::text);
            let texts: Vec<_> = words.map(Option::unwrap_or_default).collect();
            let texts: Vec<_> = texts.iter().map(String::as_str).collect();
            let Some((name, words)) = texts.split_first() else {
                return false;
            };
            let program = programs::of(name);
            let line = program.and_then(|program| program.line("past", words));
            // "main..HEAD"
            line.is_some_and(|line| !line.is("ranges") || words.iter().any(|it| it.contains("..")))
        }
        Node::Group(group) => group.lists.iter().any(any_looks_back),
    })
}

fn all_write_named(list: &List) -> bool {
    list.nodes().all(|node| match node {
        Node::Simple(simple) => {
            let words = simple.behind_assignments().iter().map(Word::text);
            // Of a word that only the shell knows the place is a doubt already; of a program, all.
            let texts: Vec<_> = words.map(Option::unwrap_or_default).collect();
            let texts: Vec<_> = texts.iter().map(String::as_str).collect();
            let mut within = simple.words.iter().flat_map(Word::commands);
            within.all(all_write_named) && (writes_named(&texts) || applies_patch(&texts, simple))
        }
        Node::Group(group) => group.lists.iter().all(all_write_named),
    })
}

fn applies_patch(words: &[&str], simple: &Simple) -> bool {
    words.split_first().is_some_and(|(name, words)| {
        let texts = words.iter().copied().chain(simple.input());
        !patch::applied(name, texts).is_empty()
    })
}

fn writes_named(words: &[&str]) -> bool {
    let Some((name, words)) = words.split_first() else {
        return true;
    };
    let Some(program) = programs::of(name) else {
        return false;
    };
    match program.effect(words) {
        Effect::Here | Effect::Tasks => {
            // What git brings back it has. A patch, and where a file was moved to, it does not know.
            let is_new = || words.iter().any(|word| matches!(*word, "apply" | "mv"));
            *name == "git" && !is_new() || matches!(program.part(words).1, programs::Part::Check(_))
        }
        Effect::Runs | Effect::RunsWithInput => {
            let (at, _) = behind_prefix(program, words);
            words.get(at..).is_some_and(writes_named)
        }
        Effect::Sources | Effect::Evaluates | Effect::Shell | Effect::Code => false,
        _ => true,
    }
}

fn all_look(list: &List) -> bool {
    list.nodes().all(|node| match node {
        Node::Simple(simple) => simple_looks(simple),
        // What decides what runs may be another program each time.
        Node::Group(group) => {
            let is_subshell = group.kind == crate::tree::GroupKind::Subshell;
            is_subshell && group.redirects.is_empty() && group.lists.iter().all(all_look)
        }
    })
}

pub(crate) fn simple_looks(simple: &Simple) -> bool {
    let texts: Vec<_> = simple.words.iter().map(Word::text).collect();
    let opened = simple.redirects.iter();
    let mut written = opened.clone().filter(|redirect| redirect.writes);
    let targets = opened.map(|redirect| &redirect.target);
    written.all(|redirect| redirect.target.text().as_deref() == Some("/dev/null"))
        && simple.words.iter().chain(targets).all(is_understood)
        && looks(&texts)
}

/// Whether all that a word is made of only looks.
pub(crate) fn is_understood(word: &Word) -> bool {
    word.commands().all(all_look) && !word.parts.contains(&Part::Unknown)
}

/// Whether a program with its words only looks.
fn looks(words: &[Option<String>]) -> bool {
    let Some((name, words)) = words.split_first() else {
        return true;
    };
    let Some(name) = name else {
        return false;
    };
    let Some(program) = programs::of(name) else {
        return false;
    };
    let texts: Option<Vec<_>> = words.iter().map(Option::as_deref).collect();
    match (name.as_str(), texts) {
        // What is told to some says what they do.
        (_, None) => program.is("looks") && program.list("but").next().is_none(),
        ("sort" | "tree" | "uniq", Some(words)) => words.iter().all(|word| !names_output(word)),
        ("sed", Some(words)) => {
            let has = |start: &str| words.iter().any(|word| word.starts_with(start));
            matches!(words.as_slice(), ["-n", script, ..] if is_of_lines(script) && !has("-i") && !has("--in"))
        }
        ("git", Some(words)) => {
            let verb = behind_options_of_git(&words);
            verb.first()
                .is_none_or(|it| !it.starts_with('-') && program.looks(verb))
        }
        (_, Some(words)) => program.looks(&words),
    }
}

/// The verb with its words, behind options that name no program.
fn behind_options_of_git<'w>(mut words: &'w [&'w str]) -> &'w [&'w str] {
    while let ["-C", _, rest @ ..] | ["--no-pager" | "-P" | "--no-optional-locks", rest @ ..] =
        words
    {
        words = rest;
    }
    words
}

/// Whether a word may name the file for what a program says: an option that does, or, of `uniq`, any name.
fn names_output(word: &str) -> bool {
    is_short_option(word) && word.contains('o') || word.starts_with("--o") || !word.starts_with('-')
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
    }

    #[test]
    fn what_commits_did_is_shown_by_some_commands() {
        for command in [
            "git log --oneline -5",
            "cd sub && git -C /w show HEAD~1",
            "git diff main...HEAD -- src | head -50",
            "(gh pr diff 12)",
        ] {
            assert!(looks_back(command), "{command}");
        }
        for command in [
            "git diff",
            "git status",
            "ls",
            "echo git log",
            "git diff --stat src",
        ] {
            assert!(!looks_back(command), "{command}");
        }
    }

    #[test]
    fn a_program_that_leaves_what_nothing_names_is_known() {
        for command in [
            "cargo test --workspace 2>&1 | tail -5",
            "A=1 timeout 60 npx tsc --noEmit && git add -A && git commit -m x",
            "for f in a b; do cp $f out/$f; done; sed -i s/a/b/ c.py > d.txt",
            "(cd sub && pytest -q)",
            "git checkout main && git stash pop",
            "ls *.tmp | xargs rm",
            "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a.py\n+x\n*** End Patch\nEOF",
        ] {
            assert!(only_writes_named(command), "{command}");
        }
        for command in [
            "tar xf parts.tar",
            "python gen.py",
            "timeout 60 ./gen.sh",
            "echo $(npm install)",
            "if true; then unzip a.zip; fi",
            "$TOOL a",
            "bash -c 'unzip a.zip'",
            "ls *.tar | xargs -n1 tar xf",
            "git apply fix.diff",
            "apply_patch < fix.diff",
            "git mv a.py b.py",
            "cat 'a",
        ] {
            assert!(!only_writes_named(command), "{command}");
        }
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
