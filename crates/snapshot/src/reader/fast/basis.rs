//! The basis of a reading, kept for the questions that a proof asks after it.

use std::io;
use std::sync::Arc;

use super::{Ignoring, Index, Rules, read_index, root, rules_everywhere};
use crate::config::Config;
use crate::reader::refusal::Refusal;
use crate::{Limits, Repository, Unreadable};

/// The index, and the rules that apply in every folder. All rules are there, even though a reading
/// does as git does and skips a rule file that it may not read.
pub(crate) struct Basis {
    pub(crate) index: Index,
    pub(crate) everywhere: Arc<Rules>,
}

impl Basis {
    pub(crate) fn read(repository: &Repository, limits: &Limits) -> Result<Self, Refusal> {
        let config = Config::read(repository, limits)?;
        let ignoring = Ignoring::read(&config, repository, limits)?;
        let texts = rules_everywhere(&repository.common_dir, &ignoring).into_iter();
        let texts = texts.collect::<io::Result<Vec<_>>>();
        let texts = texts.map_err(|error| Unreadable::io(&repository.common_dir, error))?;
        let odb = repository.odb(limits)?;
        let (index, _) = read_index(repository, &odb, &root(&repository.root)?)?;
        Ok(Self {
            index,
            everywhere: Arc::new(Rules::everywhere(&texts, ignoring.ignore_case)),
        })
    }
}

impl std::fmt::Debug for Basis {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Basis").finish_non_exhaustive()
    }
}
