//! The switches with which a person, a project or an administrator turns hooks off.

use jsonc_parser::cst::CstObject;

use super::node;

/// A switch in the settings of a host.
#[derive(Debug, PartialEq, Eq)]
pub struct Switch {
    /// The keys that lead to it from the root.
    pub keys: &'static [&'static str],
    /// The value with which no hook runs.
    pub off: bool,
    /// Whose switch it is.
    pub holder: Holder,
}

/// Whose switch it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holder {
    /// Everybody's: of all files that set it, the one that counts most decides.
    Everybody,
    /// Only the administrator's; the host does not heed it in other files.
    Administrator,
}

/// What a file says of one switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switched {
    /// The switch.
    pub switch: &'static Switch,
    /// What it is set to.
    pub value: bool,
}

impl Switched {
    /// Whether no hook runs by it, if no other file counts more.
    #[must_use]
    pub fn is_off(&self) -> bool {
        self.value == self.switch.off
    }

    /// The switch as a person would look for it.
    #[must_use]
    pub fn name(&self) -> String {
        self.switch.keys.join(".")
    }
}

/// What is set of `switches` in the settings with this root.
pub(super) fn read(root: &CstObject, switches: &'static [Switch]) -> Vec<Switched> {
    let set = switches.iter().filter_map(|switch| {
        let (last, groups) = switch.keys.split_last()?;
        let group = groups
            .iter()
            .try_fold(root.clone(), |object, key| object.object_value(key))?;
        let value = node::boolean(&node::value(&group, last)?)?;
        Some(Switched { switch, value })
    });
    set.collect()
}
