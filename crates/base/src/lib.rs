//! What the hooks and the commands stand on: the variables and settings that are in force, the terminal, the log, and
//! where the files of a host are.

pub mod captures;
pub mod config;
pub mod criteria;
pub mod env;
pub mod error;
pub mod exit_status;
pub mod export;
pub mod host;
pub mod in_time;
pub mod log;
pub mod moment;
pub mod near;
pub mod off;
pub mod own_settings;
pub mod paragraph;
pub mod process;
pub mod project;
pub mod record;
pub mod settings;
pub mod shell_word;
pub mod state;
pub mod state_file;
pub mod targets;
pub mod time;
pub mod trusted;
pub mod ui;
pub mod work_trees;
