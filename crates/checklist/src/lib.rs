//! Completion criteria: what a person has written down as done, and whether it is true.
//!
//! [`Criteria::parse`] reads the YAML file, [`evaluate`] checks it, and [`Report`] is the result.
//! Quality is judged elsewhere ([`Grading`]); this crate only does the arithmetic.

mod content;
mod criteria;
pub mod duration;
mod environment;
mod evaluate;
mod expression;
mod files;
mod full_name;
mod judge;
mod nowhere;
mod outcome;
mod parse;
mod pattern;
mod quality;
mod refused;
mod report;
mod resolved;
mod schema;
mod settings;
mod shell;
mod uncovered;
mod written;

pub use content::sha256;
pub use criteria::{Check, Criteria, FileCheck, Item, Node};
pub use environment::{BadName, Names, allowed};
pub use evaluate::evaluate;
pub use full_name::SEPARATOR;
pub use nowhere::{Sought, are_nowhere};
pub use outcome::Outcome;
pub use parse::SyntaxError;
pub use quality::{Criterion, Rubric, Score, Scores, ScoresError};
pub use report::{ItemResult, Report};
pub use schema::SCHEMA;
pub use settings::{Event, Grading, Settings};
pub use uncovered::{Uncovered, uncovered};
