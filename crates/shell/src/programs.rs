//! The one table of what programs do. `programs.txt` says it in words, with an example of each.

mod effect;
mod part;

use std::cmp::Ordering;

pub use effect::Effect;
pub use part::{Of, Part};

/// What all lines say, in the order of their programs and the words that follow them. One text, as a table of pointers
/// would have to be put right by the loader at every start of the program.
static TEXT: &str = include_str!(concat!(env!("OUT_DIR"), "/programs"));
/// Where each of them is in it.
static LINES: &[At] = include!(concat!(env!("OUT_DIR"), "/lines"));

/// Where those end whose program begins with each byte.
static ENDS: [usize; 256] = include!(concat!(env!("OUT_DIR"), "/ends"));

/// Where the parts of a line begin, one behind the other, and where the last one ends: the program, the words that follow
/// it, what it does, what it runs, and what is said of it.
#[derive(Debug)]
struct At([u32; 6]);

impl At {
    fn part(&self, number: usize) -> &'static str {
        let [from, to] = [self.0[number], self.0[number + 1]];
        TEXT.get(from as usize..to as usize).unwrap_or_default()
    }

    fn program(&self) -> &'static str {
        self.part(0)
    }

    fn first_word(&self) -> &'static str {
        self.part(1).split(' ').next().unwrap_or_default()
    }
}

/// Between what several lines of the table say of one file.
const SEVERAL: char = '\u{1f}';
/// The most words that a line of the table has behind the program.
const MAX_WORDS: usize = 4;

/// A program that is known.
#[derive(Debug, Clone, Copy)]
pub struct Program {
    /// Its own line, and those of it with words.
    lines: &'static [At],
}

/// A line of a program that some words fit.
#[derive(Debug, Clone, Copy)]
pub struct Line(&'static At);

/// The program of this name.
#[must_use]
pub fn of(name: &str) -> Option<Program> {
    let is_name = !name.is_empty() && !name.contains([' ', '\t', '\n']);
    // Those in brackets are no programs, but the one that is nothing else.
    (is_name && (!name.starts_with('[') || name.trim_start_matches('[').is_empty()))
        .then(|| lines_of(name))
        .flatten()
}

/// What a word in the name of a task says of it.
#[must_use]
pub fn word_of_task(word: &str) -> Option<Line> {
    let mut lines = lines_of("[task]")?.beginning(|first| first.cmp(word));
    lines.next()
}

/// What a file in a folder suggests to check, in words, and the command for it.
pub fn suggested_by(file: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = lines_of("[file]");
    let line = lines.and_then(|all| all.lines().find(|line| line.words().eq([file])));
    let (runs, says) = line.map_or(("", ""), |line| (line.runs(), line.says()));
    says.split(SEVERAL)
        .zip(runs.split(SEVERAL))
        .filter(|(says, _)| !says.is_empty())
}

fn operands<'w, 's: 'w>(
    line: Option<Line>,
    words: &'w [&'s str],
) -> impl Iterator<Item = usize> + 'w {
    let valued = line.map_or("", |it| it.listed("valued"));
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(word) = words.get(at) {
            at += 1;
            if !word.starts_with(['-', '+']) {
                return Some(at - 1);
            }
            at += usize::from(valued.split(',').any(|option| option == *word));
        }
        None
    })
}

fn lines_of(name: &str) -> Option<Program> {
    let first = usize::from(*name.as_bytes().first()?);
    let from = first.checked_sub(1).map_or(0, |before| ENDS[before]);
    let lines = LINES.get(from..ENDS[first]).unwrap_or_default();
    let lines = those(lines, |line| line.program().cmp(name));
    (!lines.is_empty()).then_some(Program { lines })
}

/// Those of some lines, which are in order by this, that are what is looked for.
fn those(lines: &'static [At], of: impl Fn(&At) -> Ordering) -> &'static [At] {
    let from = lines.partition_point(|line| of(line).is_lt());
    let (_, lines) = lines.split_at(from);
    let to = lines.partition_point(|line| of(line).is_le());
    lines.split_at(to).0
}

impl Program {
    fn lines(self) -> impl Iterator<Item = Line> {
        self.lines.iter().map(Line)
    }

    /// Its lines with such a first word, by which they are in order.
    fn beginning(self, of: impl Fn(&str) -> Ordering) -> impl Iterator<Item = Line> {
        let lines = those(self.lines, |line| of(line.first_word()));
        lines.iter().map(Line)
    }

    /// Those of its lines that have this option.
    pub fn lines_with(self, option: &str) -> impl Iterator<Item = Line> {
        self.lines()
            .filter(move |line| line.words().any(|word| word == option))
    }

    /// Whether its own line says this of it.
    #[must_use]
    pub fn is(self, class: &str) -> bool {
        self.own().is_some_and(|line| line.is(class))
    }

    /// What its own line lists behind this word and a colon.
    pub fn list(self, name: &str) -> impl Iterator<Item = &'static str> {
        self.own().into_iter().flat_map(move |line| line.list(name))
    }

    /// What it runs of a repository that no command line shows, as a person is told.
    #[must_use]
    pub fn runs(self) -> Option<&'static str> {
        self.own().map(Line::runs).filter(|runs| !runs.is_empty())
    }

    fn own(self) -> Option<Line> {
        let own = self.lines.first().filter(|line| line.part(1).is_empty());
        own.map(Line)
    }

    /// Where those of `words` stand that are neither options nor their values.
    pub fn operands<'w, 's: 'w>(self, words: &'w [&'s str]) -> impl Iterator<Item = usize> + 'w {
        operands(self.own(), words)
    }

    /// The line that says most of `words`, of those that say this.
    #[must_use]
    pub fn line(self, class: &str, words: &[&str]) -> Option<Line> {
        let (line, ()) = self.find(words, |it| (it == class).then_some(()))?;
        Some(line)
    }

    /// The line that says most of `words`, of those from which something is picked.
    fn find<T>(
        self,
        words: &[&str],
        pick: impl Fn(&'static str) -> Option<T>,
    ) -> Option<(Line, T)> {
        let pick = |line: Line| Some((line, line.does().split(' ').find_map(&pick)?));
        let own = self.own();
        // Of most programs one line says all.
        if words.is_empty() || own.is_some() && self.lines.len() == 1 {
            return own.and_then(pick);
        }
        let operands: Vec<_> = self
            .operands(words)
            .take(MAX_WORDS)
            .map(|at| words[at])
            .collect();
        // What follows a file of code is for that.
        let options = match self.operands(words).next() {
            Some(at) if self.is("code") => &words[..at],
            _ => words,
        };
        let fits = |line: &Line| {
            let mut operands = operands.iter();
            let mut all = line.words();
            all.all(|word| {
                let is_option = word.starts_with('-');
                is_option && options.contains(&word) || !is_option && operands.next() == Some(&word)
            })
        };
        // Most lines of a program have another first word, so that they need not be taken apart.
        let first = operands.first().copied().unwrap_or_default();
        let lines = own.into_iter();
        let lines = lines.chain(self.beginning(|word| word.chars().next().cmp(&Some('-'))));
        let lines = lines.chain(self.beginning(|word| word.cmp(first)));
        let picked = lines.filter(fits).filter_map(pick);
        picked.max_by_key(|(line, _)| line.words().count())
    }

    /// Where it writes.
    #[must_use]
    pub fn effect(self, words: &[&str]) -> Effect {
        self.find(words, Effect::of)
            .map_or(Effect::Here, |(_, effect)| effect)
    }

    /// What it has to do with checks, and the line that says so.
    #[must_use]
    pub fn part(self, words: &[&str]) -> (Option<Line>, Part) {
        if let Some((line, part)) = self.find(words, Part::of) {
            return (Some(line), part);
        }
        let part = match self.effect(words) {
            Effect::Reads
            | Effect::Names { .. }
            | Effect::Copies
            | Effect::Into
            | Effect::Edits
            | Effect::Folder
            | Effect::Sets
            | Effect::Declares => Part::Nothing,
            _ => Part::Anything,
        };
        (None, part)
    }

    /// Whether it makes and moves no file of a work tree with these words.
    #[must_use]
    pub fn looks(self, words: &[&str]) -> bool {
        self.does("looks", words)
    }

    /// Whether this is said of it with these words, and none of them is an exception.
    #[must_use]
    pub fn does(self, class: &str, words: &[&str]) -> bool {
        self.line(class, words).is_some_and(|line| {
            let mut not = line.list("but");
            !not.any(|option| words.iter().any(|word| word.starts_with(option)))
        })
    }
}

impl Line {
    fn does(self) -> &'static str {
        self.0.part(2)
    }

    fn runs(self) -> &'static str {
        self.0.part(3)
    }

    fn says(self) -> &'static str {
        self.0.part(4)
    }

    /// The words that follow the program in it.
    pub fn words(self) -> impl Iterator<Item = &'static str> {
        let words = self.0.part(1);
        words.split(' ').filter(|word| !word.is_empty())
    }

    /// Whether it says this.
    #[must_use]
    pub fn is(self, class: &str) -> bool {
        self.does().split(' ').any(|it| it == class)
    }

    /// Where those of the words behind it stand that are neither options nor their values.
    pub fn operands<'w, 's: 'w>(self, words: &'w [&'s str]) -> impl Iterator<Item = usize> + 'w {
        operands(Some(self), words)
    }

    /// What it lists behind this word and a colon.
    pub fn list(self, name: &str) -> impl Iterator<Item = &'static str> {
        let list = Some(self.listed(name)).filter(|list| !list.is_empty());
        list.into_iter().flat_map(|list| list.split(','))
    }

    fn listed(self, name: &str) -> &'static str {
        let mut classes = self.does().split(' ');
        let listed = |class: &'static str| class.strip_prefix(name)?.strip_prefix(':');
        classes.find_map(listed).unwrap_or_default()
    }

    /// The program with the words that say what it is to do, under the name that all its spellings have.
    #[must_use]
    pub fn family(self) -> String {
        let name = self.list("as").next().map(|name| name.replace('+', " "));
        name.unwrap_or_else(|| {
            let words = self.words().filter(|word| !word.starts_with('-'));
            let all = std::iter::once(self.0.program()).chain(words);
            all.collect::<Vec<_>>().join(" ")
        })
    }

    /// What it says of checks.
    #[must_use]
    pub fn part(self) -> Option<Part> {
        self.does().split(' ').find_map(Part::of)
    }
}

#[cfg(test)]
mod tests;
