//! `attest man`: the manual, one page for each command, from the definition of the command line.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory as _};
use clap_mangen::Man;
use thiserror::Error;

use crate::Cli;
use crate::help;
use attest_base::env::MEANINGS;
use attest_base::error::CommandError;
use attest_base::exit_status::ExitStatus;
use attest_base::ui::Ui;
use attest_history::all_words;

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
    page.write_all(section("EXIT STATUS", exit_status(command.get_name())).as_bytes())?;
    let variables = MEANINGS.iter().copied().chain(OF_LIBRARIES);
    page.write_all(section("ENVIRONMENT", variables).as_bytes())?;
    if command.get_name() == "explain" {
        page.write_all(section("WORDS", all_words()).as_bytes())?;
    }
    page.write_all(section("FILES", FILES).as_bytes())?;
    if let Some(examples) = command.get_after_long_help() {
        page.write_all(examples_section(&examples.to_string()).as_bytes())?;
    }
    Ok(page)
}

/// Variables that the libraries of attest read.
const OF_LIBRARIES: [(&str, &str); 2] = [
    ("NO_COLOR", "Any value turns colours off"),
    (
        "CLICOLOR_FORCE",
        "`1` turns colours on where output is piped as well",
    ),
];

/// What is where, if no variable says otherwise.
const FILES: [(&str, &str); 10] = [
    (
        "~/.claude/settings.json",
        "the settings of Claude Code, with the hooks",
    ),
    (
        "~/.attest/state.db",
        "the state: the work tree at the start of each agent, the counters and the history",
    ),
    (
        "~/.attest/attest.log",
        "the log; attest.log.1 is the one before it",
    ),
    (
        "~/.attest/backups/",
        "the settings files as they were before each change",
    ),
    ("~/.attest/report.html", "the page of attest report"),
    ("~/.attest/plugin/", "what attest plugin-dir writes"),
    ("~/.attest/packages/", "the same with --host, by the host"),
    (
        "~/.attest/captures/",
        "payloads and transcripts, with ATTEST_CAPTURE=1",
    ),
    (
        ".attest/criteria.yaml",
        "in a repository: its completion criteria",
    ),
    (
        "~/.claude/cast.db",
        "the database of CAST, which gets a copy of each verdict if it is there",
    ),
];

/// What the status of a command means.
fn exit_status(command: &str) -> Vec<(&'static str, &'static str)> {
    let own: &[_] = match command {
        "hook" => return vec![("0", "in any case: a hook does not fail its host")],
        "verify" => &[("3", "with --exit-code: the report is a false DONE")],
        "check" => &[("3", "a criterion is not met")],
        "ci" => &[
            ("3", "a claim is false"),
            ("4", "there is nothing that can be judged"),
        ],
        "audit" => &[("130", "it was interrupted, and printed what there was")],
        _ => &[],
    };
    let usual = [
        ("0", "the command did what it was asked for"),
        ("1", "it could not, or a check of the installation failed"),
        ("2", "the command line is not understood"),
    ];
    usual.iter().chain(own).copied().collect()
}

/// A section of terms, each with what it means.
fn section<'t>(title: &str, terms: impl IntoIterator<Item = (&'t str, &'t str)>) -> String {
    let mut section = format!(".SH \"{title}\"\n");
    for (term, meaning) in terms {
        let meaning = meaning.replace('`', "");
        section.push_str(&format!(
            ".TP\n\\fB{}\\fR\n{}\n",
            plain(term),
            plain(&meaning)
        ));
    }
    section
}

/// A line of which nothing is a request, and in which a hyphen is one that can be copied.
fn plain(line: &str) -> String {
    let line = line.replace('\\', r"\e").replace('-', r"\-");
    format!(r"\&{line}")
}

/// The examples of the long help, whose first line is their title, with their lines as they are.
fn examples_section(help: &str) -> String {
    let mut section = ".SH EXAMPLES\n.nf\n".to_owned();
    for line in help.lines().skip(1) {
        section.push_str(&plain(line.strip_prefix("  ").unwrap_or(line)));
        section.push('\n');
    }
    section + ".fi\n"
}
