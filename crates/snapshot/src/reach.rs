//! Which of the places that a report names outside of the work tree are looked at.

use std::cell::{Cell, OnceCell};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::{Doubt, Limits};

/// Where a report may lead. A report alone leads nowhere but to what is the person's or the repository's; a call of the
/// agent, which the person saw or allowed, to what it names and below.
#[derive(Debug, Default)]
pub(crate) struct Reach {
    limits: Limits,
    own: Vec<PathBuf>,
    /// The person's own folders, with links and without.
    persons: OnceCell<Vec<PathBuf>>,
    called: HashSet<PathBuf>,
    /// Whether a place was left out that a call may name.
    has_left_out: Cell<bool>,
}

impl Reach {
    /// To these folders, and the person's own.
    pub(crate) fn of(own: impl IntoIterator<Item = PathBuf>, limits: &Limits) -> Self {
        Self {
            own: own.into_iter().collect(),
            limits: limits.clone(),
            ..Self::default()
        }
    }

    /// Also to a place that a call names.
    pub(crate) fn add(&mut self, place: PathBuf) {
        // Of one that ran at the top nothing is known.
        if place.parent().is_some() {
            self.called.insert(place);
        }
    }

    /// Whether a place is looked at that a text names by its whole path.
    pub(crate) fn check(&self, place: &Path) -> Result<(), Doubt> {
        let persons = self.persons.get_or_init(|| {
            let trusted = self.limits.trusted.iter();
            let resolved = trusted.clone().filter_map(|it| crate::canonical(it).ok());
            trusted.cloned().chain(resolved).collect()
        });
        let mut own = self.own.iter().chain(persons);
        let is_own = own.any(|own| lies_in(place, own));
        let is_called = || place.ancestors().any(|above| self.called.contains(above));
        if !is_own && !is_called() {
            self.leave_out();
            return Err(Doubt::Outside);
        }
        self.check_mounts(place)
    }

    /// The same of one that is named from where the agent works.
    pub(crate) fn check_mounts(&self, place: &Path) -> Result<(), Doubt> {
        self.limits.may_look(place)
    }

    /// The person's home folder.
    pub(crate) fn home(&self) -> Option<&Path> {
        let home = self.limits.home.as_deref();
        home.filter(|home| home.is_absolute())
    }

    /// Notes that a place counts less than if a call named it.
    pub(crate) fn leave_out(&self) {
        self.has_left_out.set(true);
    }

    pub(crate) fn has_left_out(&self) -> bool {
        self.has_left_out.get()
    }
}

/// Whether a place is a folder, or below it. Windows knows a name in any case.
fn lies_in(place: &Path, folder: &Path) -> bool {
    if cfg!(windows) {
        let any_case = |path: &Path| PathBuf::from(crate::fold(&path.to_string_lossy()));
        return any_case(place).starts_with(any_case(folder));
    }
    place.starts_with(folder)
}
