//! Running a program so that it ends, with all that it started, and keeping its output in bounded memory.
//!
//! Every program that attest starts is started here: a deadline holds for it, its whole process group is
//! ended, calls that a signal interrupts are made again, and however much it prints, only so much is kept.

mod capture;
mod finish;
mod run;
mod stop;
mod tree;

pub use capture::{Kept, Window};
pub use finish::{Finished, Unfinished, finish};
pub use run::{End, MARK, Ran, Reach, Task, run};
pub use stop::{Stop, Stopped};
