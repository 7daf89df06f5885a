//! The name of an item among all of a file.

/// What separates the names of an item's parents from its own.
pub const SEPARATOR: &str = " > ";

/// The name of an item with those of its parents.
pub(crate) fn full_name(parents: &str, name: &str) -> String {
    if parents.is_empty() {
        name.to_owned()
    } else {
        format!("{parents}{SEPARATOR}{name}")
    }
}
