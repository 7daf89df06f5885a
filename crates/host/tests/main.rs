//! What is outside of the crate sees of it, as one program.

mod another_host;
mod any_payload;
mod fixtures;
mod fixtures_hosts;
