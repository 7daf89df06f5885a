//! A repository, or another user, that means harm: nothing of it runs, nothing of it is taken for
//! what it is not, and neither time nor memory is its own to choose.

mod bombs;
pub(crate) mod canary;
#[path = "../../dev/xtask/src/hostile/circle.rs"]
mod circle;
mod environment;
mod exchange;
mod kept;
mod limited;
#[cfg(target_os = "linux")]
mod mounts;
mod odd;
mod of_project;
mod ownership;
mod packs;
mod places;
mod settings;
mod traps;
pub(crate) mod trial;
