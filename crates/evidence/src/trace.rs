//! What is left of a file that is not there.

/// What the folder in which a path would be shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trace {
    /// No name in it came or went since the start.
    AtRest,
    /// One did, and what is there may be all of it.
    Changed,
    /// One went, after all that is there now was made: at this time, in nanoseconds since the epoch.
    NameGone(i64),
}
