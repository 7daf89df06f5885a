//! The values that a proof consists of: paths inside a work tree, what was seen of one, and text
//! from outside made safe to print. Nothing here reads anything, so that the judging crates need
//! neither git nor a disk.

mod apart;
mod budget;
mod doubt_words;
mod escape;
mod one_line;
mod path;
mod path_evidence;
mod range_evidence;
mod repository_evidence;
mod searched;
mod trace;

pub use apart::{Apart, apart};
pub use budget::{Budget, TooMuch};
pub use escape::{Printable, Untrusted, escaped, is_blank, visible_json, visible_lines};
pub use one_line::{of_one_line, one_line};
#[cfg(unix)]
pub use path::composed;
pub use path::{RepoPath, ends_in, exact_path_of_bytes, fold, path_bytes, path_of_bytes};
pub use path_evidence::{
    Change, ChangedElsewhere, Doubt, EvidenceSource, MOST_NAMESAKES, PathEvidence, Touch,
};
pub use range_evidence::{CommitPlace, RangeSource};
pub use repository_evidence::{Before, CommitEvidence, FolderPlace, Held, RepositorySource};
pub use searched::Searched;
pub use trace::Trace;
