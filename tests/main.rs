//! Every end-to-end test, as one program: attest's binary, real git and real SQLite.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    unreachable_pub,
    reason = "a test that cannot go on fails, and it starts what it needs"
)]

mod common;

mod advice;
mod ask;
mod asked;
mod asking;
mod assertions;
#[cfg(unix)]
mod audit;
#[cfg(unix)]
mod behind;
mod ci;
mod claims;
mod cli;
#[cfg(unix)]
mod clones;
mod completions;
#[cfg(unix)]
mod confirmed;
mod coverage;
#[cfg(unix)]
mod criteria;
mod daily;
mod demo;
mod disputes;
mod docs;
#[cfg(unix)]
mod doctor;
#[cfg(unix)]
mod doctor_advice;
#[cfg(unix)]
mod doctor_hosts;
mod doubts;
#[cfg(unix)]
mod elsewhere;
mod enforce;
mod entered_worktree;
#[cfg(unix)]
mod errors;
mod export;
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
mod faults;
#[cfg(unix)]
mod gates;
mod generated;
#[cfg(unix)]
mod guard;
mod history;
mod honest;
mod hooks;
#[cfg(unix)]
mod hostile;
#[cfg(unix)]
mod hosts_subagents;
#[cfg(unix)]
mod hosts_turns;
#[cfg(unix)]
mod install_release;
#[cfg(unix)]
mod install_script;
mod installer;
#[cfg(unix)]
mod installing_hosts;
#[cfg(unix)]
mod installing_plugins;
#[cfg(unix)]
mod kills;
#[cfg(unix)]
mod listings;
#[cfg(unix)]
mod lost;
mod manual;
#[cfg(unix)]
mod mixed;
mod more;
#[cfg(unix)]
mod noticed;
mod off;
#[cfg(unix)]
mod others;
mod output;
#[cfg(unix)]
mod outside;
mod own_settings;
mod parity;
mod places;
#[cfg(unix)]
mod plugin;
#[cfg(unix)]
mod programs;
#[cfg(unix)]
mod progress;
mod project;
mod questions;
mod report;
mod repositories;
#[cfg(unix)]
mod rules;
mod schemas;
#[cfg(unix)]
mod scripts;
#[cfg(target_os = "linux")]
mod sentences;
mod sessions;
#[cfg(unix)]
mod signs;
#[cfg(unix)]
mod sizes;
mod state;
mod status;
mod statusline;
#[cfg(unix)]
mod taken_back;
mod trouble;
#[cfg(unix)]
mod undone;
mod whole;
#[cfg(windows)]
mod windows;
#[cfg(unix)]
mod words;
#[cfg(unix)]
mod writes;

/// A file that is not named above would never be compiled.
#[test]
fn every_file_of_tests_is_a_part_of_this_program() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let is_rust = path.extension().is_some_and(|it| it == "rs");
        if is_rust && name != "main" {
            let line = format!("\nmod {name};\n");
            assert!(include_str!("main.rs").contains(&line), "{name}");
        }
    }
}
