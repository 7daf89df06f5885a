//! `attest man`: the manual, one page for each command, from the definition of the command line.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory as _};
use clap_mangen::Man;
use thiserror::Error;

use super::ExitStatus;
use crate::Cli;
use crate::error::CommandError;
use crate::help;
use crate::ui::Ui;

/// Bytes of a page up to its title.
const HEAD: usize = 400;

/// Write the pages of the manual into a folder
#[derive(Debug, clap::Args)]
pub(crate) struct ManArgs {
    /// The folder, which is made if there is none
    folder: PathBuf,
}

#[derive(Debug, Error)]
#[error("cannot write the manual to {folder:?}")]
struct ManError {
    folder: PathBuf,
    source: io::Error,
}

pub(super) fn run(ui: &mut Ui, args: &ManArgs) -> Result<ExitStatus, CommandError> {
    let written = fs::create_dir_all(&args.folder).and_then(|()| write_pages(&args.folder));
    written.map_err(|source| ManError {
        folder: args.folder.clone(),
        source,
    })?;
    ui.say(&format!("wrote the manual to {}", args.folder.display()))?;
    Ok(ExitStatus::Success)
}

fn write_pages(folder: &Path) -> io::Result<()> {
    let mut whole = help::in_groups(Cli::command()).disable_help_subcommand(true);
    whole.build();
    let commands = whole.get_subcommands().filter(|it| !it.is_hide_set());
    for command in [&whole].into_iter().chain(commands) {
        let man = Man::new(command.clone())
            .source(concat!("attest ", env!("CARGO_PKG_VERSION")))
            .manual("attest");
        let page = page(&man, command)?;
        write_page(&folder.join(man.get_filename()), &page)?;
    }
    Ok(())
}

/// Writes a page, over one of attest's at most.
fn write_page(path: &Path, page: &[u8]) -> io::Result<()> {
    let is_ours = match fs::symlink_metadata(path) {
        Ok(there) => there.is_file() && is_page(&fs::read(path)?),
        Err(_) => true,
    };
    if !is_ours {
        let text = format!("{} is there already, and is not of attest", path.display());
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, text));
    }
    fs::write(path, page)
}

fn is_page(content: &[u8]) -> bool {
    let head = String::from_utf8_lossy(content.get(..HEAD).unwrap_or(content));
    head.lines().any(|line| line.starts_with(".TH attest"))
}

/// The page of a command, in the order that readers of manuals are used to.
fn page(man: &Man, command: &Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    if let Some(examples) = command.get_after_long_help() {
        page.write_all(examples_section(&examples.to_string()).as_bytes())?;
    }
    Ok(page)
}

/// The examples of the long help, whose first line is their title, with their lines as they are.
fn examples_section(help: &str) -> String {
    let mut section = ".SH EXAMPLES\n.nf\n".to_owned();
    for line in help.lines().skip(1) {
        // Nothing in it is a request, and a hyphen is one that can be copied.
        let line = line.replace('\\', r"\e").replace('-', r"\-");
        section.push_str(r"\&");
        section.push_str(line.strip_prefix("  ").unwrap_or(&line));
        section.push('\n');
    }
    section + ".fi\n"
}
