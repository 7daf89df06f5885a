//! A file without what is ours: what attest has kept of it from before, if that leads to what there is now.

use super::super::document::Empty;
use super::super::text::{decode, encode, with_line_ends_of};
use super::super::{
    CallForm, ContentError, HookFile as _, Program, Removed, Scope, StatusLine, edit, entry,
    status_line,
};
use super::JsonFile;

impl JsonFile {
    /// The content without our line below the prompt, and its key; `None` if it has none. What attest has kept of
    /// the file before the line is the answer, if it is exactly that.
    pub(super) fn without_status_line(
        &self,
        content: &[u8],
        backups: &[Vec<u8>],
    ) -> Result<Option<(&'static str, Vec<u8>)>, ContentError> {
        let (Some(key), Some(line)) = (self.status_line, self.status_line(content)) else {
            return Ok(None);
        };
        if !matches!(line?, StatusLine::Own(_)) {
            return Ok(None);
        }
        let leads_here = |before: &&Vec<u8>| {
            before.as_slice() != content
                && self.with_own_line(before, content).as_deref() == Some(content)
        };
        if let Some(before) = backups.iter().find(leads_here) {
            return Ok(Some((key, before.clone())));
        }
        let rest = self.edited(content, |document| status_line::set(document, key, None))?;
        Ok(Some((key, rest)))
    }

    /// `before` with the line of the program that `content` has.
    pub(super) fn with_own_line(&self, before: &[u8], content: &[u8]) -> Option<Vec<u8>> {
        let Ok(StatusLine::Own(program)) = self.status_line(content)? else {
            return None;
        };
        self.with_status_line(before, Some(&program))?.ok()
    }

    /// The content without our hooks.
    pub(super) fn without_hooks(
        &self,
        content: &[u8],
        backups: &[Vec<u8>],
    ) -> Result<Removed, ContentError> {
        let (mark, text) = decode(content)?;
        let before = backups.iter().find_map(|backup| self.empty_in(backup));
        let (rest, events) = match text.trim() {
            "" => (String::new(), Vec::new()),
            _ => edit::unmerge(text, self, &before.unwrap_or_default())?,
        };
        if events.is_empty() {
            let bytes = Some(content.to_vec());
            return Ok(Removed {
                bytes,
                events,
                is_edited: false,
            });
        }
        let first = self.inspect(content)?.entries.into_iter().next();
        let path = first.map(|entry| entry.program).unwrap_or_default();
        let leads_here = |before: &[u8]| self.leads_to(content, before, &path);
        let backup = backups.iter().find(|backup| leads_here(backup)).cloned();
        let bytes = match backup {
            Some(backup) => Some(backup),
            None if leads_here(b"") => None,
            None => Some(encode(mark, &with_line_ends_of(text, rest))),
        };
        Ok(Removed {
            bytes,
            events,
            is_edited: false,
        })
    }

    /// What `before`, which has no hook of ours, has of hooks and events with nothing in them; `None` if it has hooks
    /// of ours, or cannot be read.
    fn empty_in(&self, before: &[u8]) -> Option<Empty> {
        let Some(document) = self.parsed(before).ok()? else {
            return Some(Empty::default());
        };
        let mut places = document.places().ok()?.into_iter();
        let has_own = places.any(|place| matches!(place.is, entry::Handler::Own(_)));
        (!has_own).then(|| document.empty())
    }

    /// Whether an installation of the program at `path` makes `content` of `before`, which has no
    /// hook of ours.
    fn leads_to(&self, content: &[u8], before: &[u8], path: &str) -> bool {
        // The shell form, as it is or as it was, or the one with `args` that earlier versions wrote everywhere.
        let forms = [CallForm::Shell, CallForm::Earlier, CallForm::Exec];
        let mut choices = forms
            .into_iter()
            .flat_map(|form| [(form, Scope::All), (form, Scope::Core)]);
        let leads = choices.any(|(form, scope)| {
            let merged = self.install(before, scope, Program { path, form });
            merged.is_ok_and(|merged| merged.bytes == content)
        });
        let entries = |content| Some(self.inspect(content).ok()?.entries);
        leads && entries(before).is_none_or(|entries| entries.is_empty())
    }
}
