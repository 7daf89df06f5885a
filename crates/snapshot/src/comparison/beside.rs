//! Repositories beside the work tree, to which a report may turn without saying where they are.

use std::path::{Path, PathBuf};

use super::Comparison;
use crate::presence::{self, Presence};
use crate::{Doubt, RepoPath, Touch};

/// What is looked at of the folder above.
const MOST: usize = 100;

impl Comparison<'_> {
    /// Whether no repository beside the work tree has a file of this path that may have been written since the start.
    /// Where calls of the agent name places, it is looked for in those.
    pub(super) fn check_beside(&self, path: &RepoPath) -> Result<(), Doubt> {
        if !self.mentions.places.is_empty() {
            return Ok(());
        }
        let beside = self.knowledge.beside.get_or_init(|| self.list_beside());
        let is_written = |folder: &PathBuf| {
            let place = path.under(folder).map(|place| presence::at(&place));
            matches!(place, Some(Presence::Here(place, metadata))
                if metadata.is_file()
                    && self.touch(&place, &metadata, Some(folder), || false) == Touch::Possible)
        };
        if beside.iter().any(is_written) {
            self.reach.leave_out();
            return Err(Doubt::OtherRepository);
        }
        Ok(())
    }

    fn list_beside(&self) -> Vec<PathBuf> {
        let root = &self.start.root;
        let may_look = |folder: &Path| self.limits.may_look(folder).is_ok();
        let above = root.parent().filter(|above| may_look(above));
        let listed = above.and_then(|above| std::fs::read_dir(above).ok());
        let listed = listed.into_iter().flatten().take(MOST).flatten();
        let folders = listed.map(|it| it.path()).filter(|it| it != root);
        let folders = folders.filter(|it| may_look(it) && it.join(".git").exists());
        folders.collect()
    }
}
