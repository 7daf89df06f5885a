//! The help of the whole program: its commands in groups, and what was meant by one that is not there.

use clap::Command;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue};

use attest_base::near::nearest;
use attest_base::ui::{Cell, Column, STRONG, Table, styled};
use attest_snapshot::escaped;

/// The commands by what a person wants. What is in no group comes last.
const GROUPS: [(&str, &[&str]); 5] = [
    (
        "Set up",
        &[
            "demo",
            "audit",
            "install",
            "uninstall",
            "doctor",
            "completions",
            "plugin-dir",
        ],
    ),
    ("Turn on and off", &["enforce", "ask", "off", "on"]),
    (
        "Watch",
        &[
            "status",
            "agents",
            "log",
            "show",
            "explain",
            "dispute",
            "stats",
            "report",
            "statusline",
        ],
    ),
    ("Completion criteria", &["check", "trust"]),
    ("Pull requests", &["ci"]),
];
const REST: &str = "Plumbing";

/// Columns of a line at most: longer ones are hard to read.
const WIDEST: usize = 100;

const MORE: &str = "Begin with:
  attest install                   add the hooks to the settings
  attest status                    what is in force here, and the last verdicts
  attest log --follow              watch the verdicts
  attest explain                   why the last one came out as it did
  attest enforce on                send false reports back";

/// The command line with its commands in groups.
pub(crate) fn in_groups(command: Command) -> Command {
    let width = terminal_size::terminal_size().map_or(WIDEST, |(width, _)| width.0.into());
    let groups = groups(&command, width.min(WIDEST));
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}{}\n{{options}}{{after-help}}",
        styled(STRONG, "Options:")
    );
    command
        .max_term_width(WIDEST)
        .help_template(StyledStr::from(template))
        .after_long_help(MORE)
}

fn groups(command: &Command, width: usize) -> String {
    let in_group = |name: &str| GROUPS.iter().any(|(_, names)| names.contains(&name));
    let others = command.get_subcommands().filter(|it| !it.is_hide_set());
    let others = others.map(Command::get_name).filter(|name| !in_group(name));
    let groups = GROUPS.iter().map(|(title, names)| (*title, names.to_vec()));
    let mut text = String::new();
    for (title, names) in groups.chain([(REST, others.collect())]) {
        let columns = [Column::whole("", 9).at_least(9), Column::prose("", 1)];
        let mut table = Table::new(columns).indented(2).without_header();
        for name in names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            table.push([Cell::styled(STRONG, name), Cell::new(about)]);
        }
        text.push_str(&format!("{}\n", styled(STRONG, format_args!("{title}:"))));
        text.push_str(&table.render(Some(width)));
        text.push('\n');
    }
    text
}

/// Words that people try, with what they mean.
const MEANT: [(&str, &str); 5] = [
    ("disable", "off"),
    ("pause", "off"),
    ("stop", "off"),
    ("enable", "on"),
    ("resume", "on"),
];

/// The same error; where a command is not there, with the one that was probably meant. clap suggests
/// none for two letters that have changed places in a short word.
pub(crate) fn suggesting(mut error: clap::Error) -> clap::Error {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand) else {
        return error;
    };
    let meant = MEANT.iter().find(|(word, _)| word == typed);
    if meant.is_none() && error.get(ContextKind::SuggestedSubcommand).is_some() {
        return error;
    }
    let names = GROUPS.iter().flat_map(|(_, names)| names.iter().copied());
    if let Some(name) = meant.map(|(_, name)| *name).or(nearest(typed, names)) {
        let suggested = ContextValue::Strings(vec![name.to_owned()]);
        error.insert(ContextKind::SuggestedSubcommand, suggested);
    }
    error
}

/// The same error with every word that it quotes on one line, and nothing in it that a person would not see.
pub(crate) fn escaping(mut error: clap::Error) -> clap::Error {
    let on_line = |text: &String| escaped(text.as_bytes());
    let quoted: Vec<_> = error
        .context()
        .filter_map(|(kind, value)| {
            let value = match value {
                ContextValue::String(text) => ContextValue::String(on_line(text)),
                ContextValue::Strings(all) => {
                    ContextValue::Strings(all.iter().map(on_line).collect())
                }
                _ => return None,
            };
            Some((kind, value))
        })
        .collect();
    for (kind, value) in quoted {
        error.insert(kind, value);
    }
    error
}
