//! Objects that the git program prints, one by one.

use super::kind::ObjectKind;
use super::name::Named;
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

    pub(super) fn find(&mut self, oid: Oid) -> Result<Option<(ObjectKind, u64)>, Unreadable> {
        let kinds = self.kinds()?;
        kinds.say(format!("{oid}\n").as_bytes())?;
        header(kinds, oid)
    }

    /// The object whose name begins with these digits. A branch may be called so, and would be found in its place.
    pub(super) fn named(&mut self, digits: &str) -> Result<Named, Unreadable> {
        let kinds = self.kinds()?;
        kinds.say(format!("{digits}\n").as_bytes())?;
        let line = kinds.hear_line(HEADER)?;
        let line = std::str::from_utf8(&line).map_err(|_| unknown())?;
        let (name, rest) = line.split_once(' ').ok_or_else(unknown)?;
        match rest {
            "missing" if name == digits => return Ok(Named::Nothing),
            "ambiguous" if name == digits => return Ok(Named::Several),
            _ => {}
        }
        let oid = Oid::from_hex(name.as_bytes()).ok_or_else(unknown)?;
        if !name.starts_with(digits) {
            return Ok(Named::Several);
        }
        let (kind, _) = kind_and_size(rest)?;
        Ok(Named::One(oid, kind))
    }

    fn kinds(&mut self) -> Result<&mut Conversation, Unreadable> {
        Ok(match &mut self.kinds {
            Some(kinds) => kinds,
            none => none.insert(self.git.converse(Ask::Kinds)?),
        })
    }

    pub(super) fn read(
        &mut self,
        oid: Oid,
        kind: ObjectKind,
        most: u64,
    ) -> Result<Vec<u8>, Unreadable> {
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
fn header(answers: &mut Conversation, oid: Oid) -> Result<Option<(ObjectKind, u64)>, Unreadable> {
    let line = answers.hear_line(HEADER)?;
    let line = std::str::from_utf8(&line).map_err(|_| unknown())?;
    let rest = line.strip_prefix(&oid.to_string()).ok_or_else(unknown)?;
    if rest == " missing" {
        return Ok(None);
    }
    kind_and_size(rest.trim_start()).map(Some)
}

fn kind_and_size(text: &str) -> Result<(ObjectKind, u64), Unreadable> {
    let mut fields = text.split(' ');
    let kind = fields
        .next()
        .and_then(|name| ObjectKind::named(name.as_bytes()));
    let kind = kind.ok_or_else(unknown)?;
    let size = fields.next().and_then(|size| size.parse().ok());
    Ok((kind, size.ok_or_else(unknown)?))
}

fn unknown() -> GitError {
    GitError::Answer {
        command: "cat-file",
    }
}
