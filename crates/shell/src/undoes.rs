//! Whether a command moves or removes a file. What is not understood may have.

use crate::checks::behind_prefix;
use crate::looks::only_looks;
use crate::parser::{MAX_BYTES, parse};
use crate::programs::{self, Effect, Program};
use crate::text::{is_one_of, is_short_option, last_part};
use crate::tree::{Join, List, Node, Word, is_name};

/// Words in front of a program at most: each is read with all that follows it.
const MOST_PREFIXES: usize = 32;

/// What a command does to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Undoing {
    /// It leaves the file where it is.
    Nothing,
    /// It is not understood, or not in full, and may do anything.
    Unknown,
    /// It puts back or takes away what it is not told by name: `git clean`, `rm *`.
    Wide,
    /// It moves or removes the file, or a folder above it, by name.
    Named {
        /// Where it goes, as the command writes it; `None` if it is removed, or only a shell knows.
        to: Option<String>,
        /// Whether the command cannot succeed unless the file is there.
        needs_it: bool,
    },
}

impl Undoing {
    /// The order in which it may explain that a file is gone.
    fn weight(&self) -> u8 {
        match self {
            Self::Nothing => 0,
            Self::Unknown => 1,
            Self::Wide => 2,
            Self::Named { .. } => 3,
        }
    }

    fn or(self, other: Self) -> Self {
        if other.weight() > self.weight() {
            other
        } else {
            self
        }
    }
}

/// A command that was read once, to say of one file after the other what it does to it.
#[derive(Debug)]
pub struct Command {
    /// What it does to any file.
    to_any: Undoing,
    /// The commands in it that may name files, each with its words, and whether its success is that of all.
    by_name: Vec<(Vec<String>, bool)>,
}

impl Command {
    /// Reads it.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let is_short = text.len() <= MAX_BYTES;
        let script = (is_short && !only_looks(text)).then(|| parse(text));
        let is_known = script.as_ref().map_or(is_short, |script| script.is_whole);
        let to_any = if is_known {
            Undoing::Nothing
        } else {
            Undoing::Unknown
        };
        let mut command = Self {
            to_any,
            by_name: Vec::new(),
        };
        if let Some(script) = &script {
            command.add(&script.list, is_chain(&script.list));
        }
        command
    }

    /// What it does to the file at `path`, of which the end is enough.
    #[must_use]
    pub fn undoing(&self, path: &str) -> Undoing {
        let found = self.to_any.clone();
        self.by_name.iter().fold(found, |found, (words, is_chain)| {
            let words: Vec<_> = words.iter().map(String::as_str).collect();
            found.or(of_words(&words, path, *is_chain))
        })
    }

    /// Whether it puts the file at `path` back, of which the end is enough, as a commit has it.
    #[must_use]
    pub fn puts_back(&self, path: &str) -> bool {
        self.by_name.iter().any(|(words, _)| {
            let words: Vec<_> = words.iter().map(String::as_str).collect();
            let Some((name, words)) = words.split_first() else {
                return false;
            };
            let program = programs::of(last_part(name));
            let has_line = |class: &str| program.is_some_and(|it| it.line(class, words).is_some());
            !has_line("keeps")
                && (has_line("restores") && named(words, path) != Err(Undoing::Nothing)
                    || has_line("resets") && !is_elsewhere(words, path))
        })
    }

    fn add(&mut self, list: &List, is_chain: bool) {
        for node in list.nodes() {
            match node {
                Node::Simple(simple) => {
                    for list in simple.words.iter().flat_map(Word::commands) {
                        self.add(list, false);
                    }
                    let texts = simple.words.iter().map(Word::text);
                    self.add_words(texts.map(Option::unwrap_or_default).collect(), is_chain);
                }
                Node::Group(group) => {
                    for list in &group.lists {
                        self.add(list, false);
                    }
                }
            }
        }
    }

    /// Adds one simple command. A word that only a shell knows is empty.
    fn add_words(&mut self, mut words: Vec<String>, is_chain: bool) {
        words.drain(..before_program(&words));
        let program = words.first().map_or("", |word| last_part(word));
        if matches!(program, "git" | "mv") || removes(program) {
            self.by_name.push((words, is_chain));
        } else if !words.is_empty() {
            let words: Vec<_> = words.iter().map(String::as_str).collect();
            let found = std::mem::replace(&mut self.to_any, Undoing::Nothing);
            self.to_any = found.or(of_words(&words, "", is_chain));
        }
    }
}

/// Whether the success of all says that each command succeeded.
fn is_chain(list: &List) -> bool {
    let [statement] = list.statements.as_slice() else {
        return false;
    };
    let mut pipelines = statement.pipelines.iter();
    !statement.is_background
        && pipelines.all(|(join, pipeline)| {
            *join != Join::Or
                && !pipeline.is_negated
                && matches!(pipeline.nodes.as_slice(), [Node::Simple(_)])
        })
}

/// What one simple command does, without what only runs it.
fn of_words(words: &[&str], path: &str, is_chain: bool) -> Undoing {
    let Some((program, words)) = words.split_first() else {
        return Undoing::Nothing;
    };
    let name = last_part(program);
    let known = programs::of(name);
    match name {
        "git" => known.map_or(Undoing::Unknown, |git| of_git(git, words, path, is_chain)),
        "mv" => moved(words, path, is_chain),
        "find" if has(words, "-delete") || has(words, "-exec") => Undoing::Wide,
        "xargs" if words.iter().any(|it| *it == "mv" || removes(it)) => Undoing::Wide,
        "rsync" if has(words, "--del") || has(words, "--remove") => Undoing::Wide,
        name if removes(name) => removed(words, path, is_chain),
        _ if known.is_some_and(|program| leaves_files(program, words)) => Undoing::Nothing,
        _ => Undoing::Unknown,
    }
}

fn of_git(git: Program, words: &[&str], path: &str, is_chain: bool) -> Undoing {
    let Some(at) = git.operands(words).next() else {
        return Undoing::Nothing;
    };
    let (all, verb, words) = (words, words[at], &words[at + 1..]);
    let has_line = |class: &str| git.line(class, all).is_some();
    match verb {
        _ if git.effect(all) == Effect::Reads || has_line("looks") || has_line("keeps") => {
            Undoing::Nothing
        }
        "rm" => removed(words, path, is_chain),
        "mv" => moved(words, path, is_chain),
        _ if has_line("undoes") => {
            if is_elsewhere(words, path) {
                Undoing::Nothing
            } else {
                Undoing::Wide
            }
        }
        _ => Undoing::Unknown,
    }
}

/// Whether paths stand behind "--", and none of them may be this one.
fn is_elsewhere(words: &[&str], path: &str) -> bool {
    let paths = words.iter().position(|it| *it == "--");
    let paths = paths.map_or(&[][..], |at| &words[at + 1..]);
    !paths.is_empty() && named(paths, path) == Err(Undoing::Nothing)
}

/// Whether a program takes away what its words name.
fn removes(program: &str) -> bool {
    programs::of(program).is_some_and(|it| it.is("removes"))
}

/// What is removed by name.
fn removed(words: &[&str], path: &str, is_chain: bool) -> Undoing {
    let forces = |it: &&str| *it == "--force" || is_short_option(it) && it.contains('f');
    let needs_it = is_chain && !words.iter().any(forces);
    named(words, path).map_or_else(|found| found, |()| Undoing::Named { to: None, needs_it })
}

/// What is moved by name: all words but the last.
fn moved(words: &[&str], path: &str, is_chain: bool) -> Undoing {
    let (options, operands): (Vec<&str>, Vec<&str>) =
        words.iter().partition(|it| it.starts_with('-'));
    let Some((target, sources)) = operands.split_last() else {
        return Undoing::Nothing;
    };
    let is_plain = options
        .iter()
        .all(|it| is_one_of("-f -v -n -i -k --force --verbose", it));
    // "-t FOLDER a b" names its target first.
    if !is_plain {
        return named(&operands, path).map_or_else(|found| found, |()| Undoing::Wide);
    }
    named(sources, path).map_or_else(
        |found| found,
        |()| Undoing::Named {
            to: Some((*target).to_owned()).filter(|it| !it.is_empty()),
            needs_it: is_chain && !options.iter().any(|it| is_one_of("-n -i -k", it)),
        },
    )
}

/// Whether a word names the file, or a folder above it.
fn named(words: &[&str], path: &str) -> Result<(), Undoing> {
    let mut is_wide = false;
    for word in words.iter().filter(|word| !word.starts_with('-')) {
        let text = word.trim_end_matches('/').trim_start_matches("./");
        if matches!(text, "" | "." | "..") || text.contains(['*', '?', '[', ':']) {
            is_wide = true;
        } else if is_end(text, path) {
            return Ok(());
        }
    }
    Err(if is_wide {
        Undoing::Wide
    } else {
        Undoing::Nothing
    })
}

/// Whether the text may be the path, or a folder above it: they are the same as far as both go, from the end of a
/// part on.
fn is_end(text: &str, path: &str) -> bool {
    let parts = |text: &str| -> Vec<String> {
        let parts = text.split(['/', '\\']).filter(|part| !part.is_empty());
        parts.map(str::to_lowercase).collect()
    };
    let (text, path) = (parts(text), parts(path));
    // The file or a folder above it ends where the text ends.
    (1..=path.len()).any(|end| {
        let begin = &path[..end];
        let common = begin.len().min(text.len());
        common > 0 && begin[begin.len() - common..] == text[text.len() - common..]
    })
}

/// Whether a program takes no file away: it only looks, or makes and changes files where its words say. One that only
/// reads may be told to have another one do something: `fd -x rm`, `gh pr checkout 1`.
fn leaves_files(program: Program, words: &[&str]) -> bool {
    let has_line = |class: &str| program.line(class, words).is_some();
    has_line("looks") || has_line("keeps") || changes_what_it_names(program.effect(words))
}

fn changes_what_it_names(effect: Effect) -> bool {
    matches!(
        effect,
        Effect::Names { .. }
            | Effect::Copies
            | Effect::Into
            | Effect::Edits
            | Effect::Folder
            | Effect::Sets
            | Effect::Declares
    )
}

/// How many words stand in front of the program: variables, and programs that do nothing but run another.
fn before_program(words: &[String]) -> usize {
    let texts: Vec<_> = words.iter().map(String::as_str).collect();
    let mut at = 0;
    for _ in 0..MOST_PREFIXES {
        let Some(word) = texts.get(at) else {
            break;
        };
        let rest = &texts[at + 1..];
        let prefix = programs::of(last_part(word)).filter(|it| it.effect(rest) == Effect::Runs);
        at += match prefix {
            Some(program) => 1 + behind_prefix(program, rest).0,
            None if is_assignment(word) => 1,
            None => break,
        };
    }
    at
}

fn is_assignment(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, _)| is_name(name))
}

fn has(words: &[&str], start: &str) -> bool {
    words.iter().any(|text| text.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: &str = "src/core/a.py";

    #[test]
    fn what_moves_or_removes_a_file_by_name() {
        for (command, to, needs_it) in [
            ("rm a.py", None, true),
            ("rm -f src/core/a.py", None, false),
            ("rm -rf src", None, false),
            ("rm -r core && echo gone", None, true),
            ("rm a.py || true", None, false),
            ("git rm -q src/core/a.py", None, true),
            ("mv a.py b.py", Some("b.py"), true),
            ("git mv src/core/a.py lib/a.py", Some("lib/a.py"), true),
            ("cd src && mv core/a.py ../b.py", Some("../b.py"), true),
            ("mv /w/repo/src/core/a.py /tmp/", Some("/tmp/"), true),
            ("sudo rm a.py", None, true),
            ("nice -n 5 timeout 10 rm a.py", None, true),
            ("env -u X A=b rm a.py", None, true),
        ] {
            let to = to.map(str::to_owned);
            assert_eq!(
                Command::of(command).undoing(PATH),
                Undoing::Named { to, needs_it },
                "{command}"
            );
        }
    }

    #[test]
    fn what_puts_a_file_back() {
        for command in [
            "git checkout -- a.py",
            "git checkout src/core/a.py",
            "cd src && git restore core/a.py",
            "git checkout HEAD~1 -- src && echo ok",
            "git checkout .",
            "git restore -- '*.py'",
            "git reset --hard",
            "git reset --hard HEAD~1",
            "git stash",
            "git stash push -u -- src",
            "git stash -u; git stash drop",
        ] {
            assert!(Command::of(command).puts_back(PATH), "{command}");
        }
        for command in [
            "git checkout main",
            "git checkout -b topic",
            "git checkout -- b.py",
            "git restore --staged b.py",
            "git reset",
            "git reset HEAD~1",
            "git stash list",
            "git stash push -- b.py",
            "git clean -fd",
            "rm a.py",
            "mv b.py a.py",
            "echo git checkout -- a.py",
        ] {
            assert!(!Command::of(command).puts_back(PATH), "{command}");
        }
    }

    #[test]
    fn what_may_take_any_file_and_what_leaves_it() {
        for command in [
            "git clean -fdq",
            "git stash -u",
            "git -C /w checkout -- .",
            "git checkout -- a.py",
            "git checkout -- b.py src",
            "git restore -- '*.py'",
            "git clean -fd -- ':!b.py'",
            "git reset --hard",
            "rm -rf *",
            "rm $FILE",
            "find . -name '*.py' -delete",
            "rsync -a --remove-source-files src/ /backup/",
            "rsync -a --del /other/ .",
            "ls | xargs rm",
        ] {
            assert_eq!(
                Command::of(command).undoing(PATH),
                Undoing::Wide,
                "{command}"
            );
        }
        for command in [
            "make clean",
            "npm run build",
            "./x.sh",
            "python x.py",
            "$TOOL",
            "fd -e tmp -x rm",
            "gh pr checkout 12",
            "pkill -f server",
        ] {
            assert_eq!(
                Command::of(command).undoing(PATH),
                Undoing::Unknown,
                "{command}"
            );
        }
        for command in [
            "ls a.py",
            "rm b.py",
            "rm -r core/a",
            "mv b.py a.py",
            "git rm --cached a.py",
            "git add -A && git commit -m 'rm a.py'",
            "echo x > a.py",
            "git stash list",
            "set -e; wget -q https://example.org/a.py -O b.py",
            "git add a.py && git log -1",
            "git worktree add ../w && git -C ../w status",
            "jq . a.json > list; truncate -s 0 b.log",
            "git checkout -- b.py",
            "git clean -fd -- lib/",
        ] {
            assert_eq!(
                Command::of(command).undoing(PATH),
                Undoing::Nothing,
                "{command}"
            );
        }
    }
}
