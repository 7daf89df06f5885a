//! What is found under a name.

/// What git has under a name, in any case or Unicode form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Found {
    /// A file, or a folder with files in it.
    pub(super) tracked: bool,
    /// A submodule, or something in one.
    pub(super) module: bool,
}
