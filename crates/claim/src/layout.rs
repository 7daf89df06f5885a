//! The forms in which a list of files is written.

pub(crate) mod json;
pub(crate) mod list;
pub(crate) mod table;
pub(crate) mod tree;
