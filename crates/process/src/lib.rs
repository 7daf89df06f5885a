//! Running a program so that it ends, with everything that it started, while its output is kept in
//! bounded memory.
//!
//! Every program that attest starts is started here. It gets a deadline, its whole process group is
//! ended with it, calls that a signal interrupts are made again, and however much it prints, only a
//! limited amount is kept.

mod capture;
mod end;
mod finish;
mod run;
mod stop;
mod system;
mod tree;

pub use capture::{Kept, Window};
pub use end::End;
pub use finish::{Finished, Unfinished, finish};
pub use run::{MARK, Ran, Reach, Task, run};
pub use stop::{Stop, Stopped};
pub use system::without_number;
