//! Objects that the git program prints, one by one.

use super::kind::Kind;
use super::oid::{Oid, bad};
use crate::Unreadable;
use crate::git::{Ask, Conversation, Git, GitError};

/// Longest first line of an answer: a name, a kind and a number.
const HEADER: usize = 128;

/// Two processes that answer until they are no longer asked: one for the kind and size of an
/// object, so that no content is sent that is too large, and one for its content.
pub(super) struct Program<'a> {
    git: Git<'a>,
    kinds: Option<Conversation>,
    contents: Option<Conversation>,
}

impl<'a> Program<'a> {
    pub(super) fn new(git: Git<'a>) -> Self {
        Self {
            git,
            kinds: None,
            contents: None,
        }
    }

    pub(super) fn find(&mut self, oid: Oid) -> Result<Option<(Kind, u64)>, Unreadable> {
        let kinds = match &mut self.kinds {
            Some(kinds) => kinds,
            none => none.insert(self.git.converse(Ask::Kinds)?),
        };
        kinds.say(format!("{oid}\n").as_bytes())?;
        header(kinds, oid)
    }

    pub(super) fn read(&mut self, oid: Oid, kind: Kind, most: u64) -> Result<Vec<u8>, Unreadable> {
        let contents = match &mut self.contents {
            Some(contents) => contents,
            none => none.insert(self.git.converse(Ask::Contents)?),
        };
        contents.say(format!("{oid}\n").as_bytes())?;
        let size = match header(contents, oid)? {
            Some((found, size)) if found == kind && size <= most => size,
            _ => return Err(bad(oid, "git says two things of it")),
        };
        let size = usize::try_from(size).map_err(|_| unknown())?;
        let mut content = contents.hear(size + 1)?;
        if content.pop() != Some(b'\n') || !oid.is_of(kind, &content) {
            return Err(bad(oid, "git handed over something else"));
        }
        Ok(content)
    }
}

/// `<oid> <kind> <size>` or `<oid> missing`.
fn header(answers: &mut Conversation, oid: Oid) -> Result<Option<(Kind, u64)>, Unreadable> {
    let line = answers.hear_line(HEADER)?;
    let line = std::str::from_utf8(&line).map_err(|_| unknown())?;
    let rest = line.strip_prefix(&oid.to_string()).ok_or_else(unknown)?;
    if rest == " missing" {
        return Ok(None);
    }
    let mut fields = rest.trim_start().split(' ');
    let kind = match fields.next() {
        Some("commit") => Kind::Commit,
        Some("tree") => Kind::Tree,
        Some("blob") => Kind::Blob,
        Some("tag") => Kind::Tag,
        _ => return Err(unknown().into()),
    };
    let size = fields.next().and_then(|size| size.parse().ok());
    Ok(Some((kind, size.ok_or_else(unknown)?)))
}

fn unknown() -> GitError {
    GitError::Answer {
        command: "cat-file",
    }
}
