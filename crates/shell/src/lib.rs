//! What a shell command says, and what the programs do that it runs. Nothing is run and nothing is looked up.
//!
//! [`parse`] makes a tree of a command. It takes every text: what it cannot read it leaves out, and says so
//! ([`Script::is_whole`]). [`programs`] is the one table of what programs are known to do.

mod parser;
pub mod programs;
mod tree;

pub use parser::parse;
pub use tree::{
    Group, GroupKind, Join, List, Node, Part, Pipeline, Redirect, Script, Simple, Statement, Word,
    is_name,
};
