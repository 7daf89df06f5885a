//! One pass over the work tree: comparing stat data with the index, and finding names that are not
//! in it.

use std::collections::HashSet;

use super::cache::PreviousScan;
use super::folder::Visit;
use super::folders::folder_of;
use super::outcome::{Folder, Outcome};
use super::scan::Scan;
use crate::deadline::check_time;
use crate::parallel;
use crate::reader::refusal::Refusal;

/// An estimate, for the number of threads.
const FILES_IN_A_FOLDER: usize = 16;

/// The pass that `scan` describes.
pub(super) struct Pass<'p, 'a> {
    pub(super) scan: &'p Scan<'a>,
    /// What an earlier reading knew, as far as it still applies.
    pub(super) earlier: Option<&'p PreviousScan<'a>>,
}

impl<'a> Pass<'_, 'a> {
    pub(super) fn run(&self) -> Result<Outcome, Refusal> {
        let mut outcome = Outcome::default();
        let tracked: Vec<_> = (0..self.scan.index.folders.len())
            .map(Folder::Tracked)
            .collect();
        let threads = parallel::threads_for(self.scan.index.len());
        self.visit(&tracked, threads, &mut outcome)?;
        self.forget_hidden(&mut outcome)?;
        while !outcome.below.is_empty() {
            let folders = std::mem::take(&mut outcome.below);
            let threads = parallel::threads_for(folders.len() * FILES_IN_A_FOLDER);
            self.visit(&folders, threads, &mut outcome)?;
        }
        Ok(outcome)
    }

    fn visit(
        &self,
        folders: &[Folder],
        threads: usize,
        outcome: &mut Outcome,
    ) -> Result<(), Refusal> {
        let parts = parallel::fold(folders.len(), threads, |visit: &mut Visit<'a>, at| {
            check_time(self.scan.limits)?;
            visit.folder(self.scan, self.earlier, &folders[at])?;
            self.scan.check_rules()
        })?;
        for part in parts {
            outcome.extend(part.outcome);
        }
        Ok(())
    }

    /// If a folder is missing, or is now a link, what lies below it is not in the work tree,
    /// whatever was seen through the link.
    fn forget_hidden(&self, outcome: &mut Outcome) -> Result<(), Refusal> {
        let mut is_there = vec![false; self.scan.index.folders.len()];
        for (number, _) in &outcome.tracked_folders {
            is_there[*number] = true;
        }
        let mut hidden = Vec::new();
        // Each folder comes before those below it; the top folder is its own parent.
        for (number, folder) in self.scan.index.folders.iter().enumerate() {
            if is_there[number] && !is_there[folder.parent as usize] {
                is_there[number] = false;
                hidden.push(number);
            }
        }
        if hidden.is_empty() {
            return Ok(());
        }
        let paths = hidden.iter().map(|number| self.scan.path_of(*number));
        let paths: HashSet<&[u8]> = paths.collect();
        let is_seen = |path: &[u8]| !paths.contains(folder_of(path));
        let is_entry_seen = |number: &usize| is_seen(self.scan.index.entry(*number).path);
        outcome.changed.retain(is_entry_seen);
        outcome.undecided.retain(is_entry_seen);
        outcome.untracked.retain(|(path, _)| is_seen(path));
        outcome.ignored.retain(|path| is_seen(path));
        outcome
            .below
            .retain(|folder| is_seen(self.scan.path(folder)));
        outcome
            .tracked_folders
            .retain(|(number, _)| is_there[*number]);
        for number in hidden {
            self.scan.compare_entries(number, outcome, |_| Ok(None))?;
        }
        Ok(())
    }
}
