//! The scripted host and the fixtures that it wrote, as one program.

mod claude_code;
mod fixture_leaks;
mod fixtures;
#[cfg(unix)]
mod live;
