//! What a shell command says, what the programs do that it runs, and what that comes to: where it writes, which checks
//! it runs, whether it only looks, what it undoes. Nothing is run and nothing is looked up.
//!
//! [`parse`] makes a tree of a command. It takes every text: what it cannot read it leaves out, and says so
//! ([`Script::is_whole`]). [`programs`] is the one table of what programs are known to do. [`writes`], [`checks`],
//! [`looks`], [`pushes`] and [`undoes`] walk over trees; what is not read whole is a doubt for each.

pub mod checks;
pub mod looks;
mod parser;
pub mod patch;
mod places;
pub mod programs;
pub mod pushes;
mod run;
mod tasks;
pub mod text;
mod tree;
pub mod undoes;
pub mod writes;

pub use parser::parse;
pub use places::{Place, Places, Unknown, add_named, below};
pub use run::{Changes, More, Run, RunEnding, is_prose};
pub use tree::{
    Group, GroupKind, Join, List, Node, Part, Pipeline, Redirect, Script, Simple, Statement, Word,
    is_name,
};
