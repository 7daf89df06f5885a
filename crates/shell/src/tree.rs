//! A command as a tree: what runs one after the other, what decides whether it runs, and the words of each.

/// The commands of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Script {
    /// The commands, as far as they are read.
    pub list: List,
    /// Whether all of the text was read.
    pub is_whole: bool,
}

/// Commands one after the other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct List {
    /// Each of them.
    pub statements: Vec<Statement>,
}

impl List {
    /// The commands of its pipelines, in order.
    #[must_use]
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = &Node> {
        let pipelines = self.statements.iter().flat_map(|it| &it.pipelines);
        pipelines.flat_map(|(_, pipeline)| &pipeline.nodes)
    }

    /// The one simple command that it is, which nothing negates or waits for.
    #[must_use]
    pub fn only(&self) -> Option<&Simple> {
        let [statement] = self.statements.as_slice() else {
            return None;
        };
        let [(_, pipeline)] = statement.pipelines.as_slice() else {
            return None;
        };
        let [Node::Simple(simple)] = pipeline.nodes.as_slice() else {
            return None;
        };
        (!statement.is_background && !pipeline.is_negated).then_some(simple)
    }
}

/// Pipelines that are joined by `&&` and `||`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statement {
    /// Each with what stands in front of it.
    pub pipelines: Vec<(Join, Pipeline)>,
    /// Whether what follows does not wait for it.
    pub is_background: bool,
}

/// What stands in front of a pipeline.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Join {
    /// It is the first.
    #[default]
    First,
    /// It runs if the one before it passes.
    And,
    /// It runs if the one before it fails.
    Or,
}

/// Commands of which each reads what the one before it says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pipeline {
    /// Each of them.
    pub nodes: Vec<Node>,
    /// Whether it fails if it passes.
    pub is_negated: bool,
}

/// A command, or several that are taken together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    /// A program with its words.
    Simple(Simple),
    /// Others.
    Group(Group),
}

/// A program with its words, or assignments.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Simple {
    /// Its words.
    pub words: Vec<Word>,
    /// The files that are opened for it.
    pub redirects: Vec<Redirect>,
}

/// Commands that are taken together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// How.
    pub kind: GroupKind,
    /// Of a `for` its variable and the values, if it has any; of a `case` what is compared, and with what.
    pub words: Vec<Word>,
    /// The commands: of an `if` its conditions too.
    pub lists: Vec<List>,
    /// The files that are opened for all.
    pub redirects: Vec<Redirect>,
}

/// How commands are taken together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupKind {
    /// `( … )`, which leaves the folder and the variables of the shell as they are.
    Subshell,
    /// `{ … }`
    Braces,
    /// `if`
    If,
    /// `while`, `until`
    Loop,
    /// `for`, `select`
    For,
    /// `case`
    Case,
    /// What a function does when it is called.
    Function,
}

/// A file that is opened, or a text that is read in its place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Redirect {
    /// Whether it may be written.
    pub writes: bool,
    /// Whether what it held stays.
    pub appends: bool,
    /// Its name. Of a text what is expanded in it.
    pub target: Word,
    /// The body of a here-document.
    pub body: Option<String>,
}

/// One word, before it is expanded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Word {
    /// Its parts.
    pub parts: Vec<Part>,
    /// Whether any of it stands in quotes, so that it is no keyword.
    pub is_quoted: bool,
}

/// A part of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Text.
    Text(String),
    /// A letter behind a backslash, which may be a separator of Windows.
    Escaped(char),
    /// What becomes names of the file system, or a number: it has no separator.
    Glob,
    /// The value of a variable.
    Variable(String),
    /// What these commands say.
    Commands(List),
    /// Something else.
    Unknown,
}

impl Word {
    /// The word, if it is nothing but text without quotes.
    #[must_use]
    pub fn bare(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [Part::Text(text)] if !self.is_quoted => Some(text),
            _ => None,
        }
    }

    /// The word, if it is nothing but text.
    #[must_use]
    pub fn text(&self) -> Option<String> {
        let texts = self.parts.iter().map(|part| match part {
            Part::Text(text) => Some(text.clone()),
            Part::Escaped(char) => Some(char.to_string()),
            Part::Glob | Part::Variable(_) | Part::Commands(_) | Part::Unknown => None,
        });
        texts.collect()
    }

    /// The word as a person is shown it.
    #[must_use]
    pub fn shown(&self) -> String {
        let texts = self.parts.iter().map(|part| match part {
            Part::Text(text) => text.clone(),
            Part::Escaped(char) => char.to_string(),
            Part::Glob => "*".to_owned(),
            Part::Variable(name) => format!("${name}"),
            Part::Commands(_) => "$(…)".to_owned(),
            Part::Unknown => "${…}".to_owned(),
        });
        texts.collect()
    }

    /// The commands in it.
    pub fn commands(&self) -> impl Iterator<Item = &List> {
        self.parts.iter().filter_map(|part| match part {
            Part::Commands(list) => Some(list),
            _ => None,
        })
    }

    /// The name and the value, if the word assigns one to a variable.
    #[must_use]
    pub fn assignment(&self) -> Option<(&str, Word)> {
        let (first, rest) = self.parts.split_first()?;
        let Part::Text(first) = first else {
            return None;
        };
        let (name, value) = first.split_once('=')?;
        let name = name.strip_suffix('+').unwrap_or(name);
        let parts = std::iter::once(Part::Text(value.to_owned())).chain(rest.iter().cloned());
        let value = Self {
            parts: parts.collect(),
            is_quoted: self.is_quoted,
        };
        is_name(name).then_some((name, value))
    }

    pub(crate) fn push(&mut self, char: char) {
        match self.parts.last_mut() {
            Some(Part::Text(text)) => text.push(char),
            _ => self.parts.push(Part::Text(char.to_string())),
        }
    }

    /// One pattern behind another matches no more than one.
    pub(crate) fn push_glob(&mut self) {
        if self.parts.last() != Some(&Part::Glob) {
            self.parts.push(Part::Glob);
        }
    }
}

/// Whether a variable can be called so.
#[must_use]
pub fn is_name(name: &str) -> bool {
    let is_of_name = |it: char| it.is_ascii_alphanumeric() || it == '_';
    !name.is_empty()
        && name.chars().all(is_of_name)
        && !name.starts_with(|it: char| it.is_ascii_digit())
}

impl Node {
    /// The files that are opened for it.
    #[must_use]
    pub fn redirects(&self) -> &[Redirect] {
        match self {
            Self::Simple(simple) => &simple.redirects,
            Self::Group(group) => &group.redirects,
        }
    }
}

impl Redirect {
    /// Whether a file is read, which nobody sees.
    #[must_use]
    pub fn reads(&self) -> bool {
        !self.writes && self.body.is_none() && !self.target.parts.is_empty()
    }
}

impl Simple {
    /// The words behind the assignments in front.
    #[must_use]
    pub fn behind_assignments(&self) -> &[Word] {
        let words = self.words.iter();
        let assigned = words.take_while(|word| word.assignment().is_some()).count();
        &self.words[assigned..]
    }

    /// What is handed to standard input as a text.
    #[must_use]
    pub fn input(&self) -> Option<&str> {
        let mut redirects = self.redirects.iter().rev();
        redirects.find_map(|it| it.body.as_deref())
    }

    /// The same, if it is known to the letter.
    #[must_use]
    pub fn plain_input(&self) -> Option<&str> {
        let last = self.redirects.iter().rfind(|it| it.body.is_some());
        last.filter(|it| it.target.parts.is_empty())?
            .body
            .as_deref()
    }
}
