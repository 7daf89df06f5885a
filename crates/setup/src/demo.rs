//! `attest demo`: what attest does, in a minute.

use std::path::Path;

use attest_host::hosts;
use attest_process::Finished;
use attest_snapshot::Printable;
use serde_json::Value;
use thiserror::Error;

use super::scratch::{Fault, Scratch};
use attest_base::env::Env;
use attest_base::error::{CommandError, Hint as _};
use attest_base::exit_status::ExitStatus;
use attest_base::process;
use attest_base::targets::is_installed;
use attest_base::ui::{BAD, DOUBTFUL, FAINT, GOOD, STRONG, Ui, hanging, styled};

/// Show what attest does: play honest and lying agents in a throw-away repository
#[derive(Debug, clap::Args)]
pub struct DemoArgs {}

#[derive(Debug, Error)]
enum DemoError {
    #[error("attest does not know where its own program is")]
    Program(#[source] std::io::Error),
    #[error(
        "there is no git on the PATH, without which neither the demonstration nor the hooks work"
    )]
    NoGit,
    #[error("the demonstration failed: {0}")]
    Failed(Fault),
}

const HONEST: &str = "Status: DONE\nFiles changed: a.py\n";
const FALSE: &str = "Status: DONE\nFiles changed: a.py, test_a.py\n";

pub(super) fn run(ui: &mut Ui, env: &Env, _args: &DemoArgs) -> Result<ExitStatus, CommandError> {
    let program = std::env::current_exe().map_err(DemoError::Program)?;
    process::find("git", env)
        .ok_or(DemoError::NoGit)
        .hint("install git and put it on the PATH")?;
    play(ui, env, &program)?;
    let next = if is_installed(env) {
        "the hooks are installed: let an agent stop, then `attest log` has its verdict."
    } else {
        "`attest install` adds the hooks; start a new session after it."
    };
    ui.tell(&format!("{} {next}", styled(STRONG, "Next:")))?;
    ui.tell(&styled(
        FAINT,
        "The repository of this demonstration has been removed.",
    ))?;
    Ok(ExitStatus::Success)
}

fn play(ui: &mut Ui, env: &Env, program: &Path) -> Result<(), CommandError> {
    let failed = |fault| DemoError::Failed(fault);
    let scratch = Scratch::new(hosts::usual(), program, env)
        .map_err(failed)
        .hint("git has to work, and the folder for temporary files has to be writable")?;
    ui.tell(
        "Three agents work in a repository that has one file, a.py. The hooks are the real ones.",
    )?;
    ui.say("")?;

    tell(ui, "An agent does what it says", "it changes a.py", HONEST)?;
    let output = agent(&scratch, "honest", HONEST, false).map_err(failed)?;
    show(ui, &styled(GOOD, "Nothing to say:"), output.stdout.trim())?;

    tell(
        ui,
        "An agent claims a test that it has not written",
        "it changes a.py",
        FALSE,
    )?;
    let output = agent(&scratch, "hasty", FALSE, false).map_err(failed)?;
    show(ui, &styled(DOUBTFUL, "Reported:"), output.stdout.trim())?;

    tell(
        ui,
        "The same, with ATTEST_ENFORCE=1",
        "it changes a.py",
        FALSE,
    )?;
    let output = agent(&scratch, "blocked", FALSE, true).map_err(failed)?;
    if !scratch.is_block(&output) {
        let fault = Fault::of("a false DONE was not blocked", &output);
        return Err(DemoError::Failed(fault)).hint("`attest doctor` may say why");
    }
    show(
        ui,
        &styled(BAD, "Sent back to work, with this:"),
        reason(&output.stdout).trim(),
    )?;

    tell(
        ui,
        "The agent that was sent back makes it true",
        "it writes test_a.py",
        FALSE,
    )?;
    scratch
        .write("a.py", "print('blocked')\n")
        .map_err(failed)?;
    scratch.write("test_a.py", "import a\n").map_err(failed)?;
    let output = scratch.stop("blocked", FALSE, true).map_err(failed)?;
    // With enforcement on, what a hook prints for the host is a block or nothing.
    show(ui, &styled(GOOD, "Nothing to say:"), output.stderr.trim())
}

/// Lets one agent change a file and claim what `report` says.
fn agent(scratch: &Scratch<'_>, id: &str, report: &str, enforces: bool) -> Result<Finished, Fault> {
    scratch.start(id)?;
    scratch.write("a.py", &format!("print('{id}')\n"))?;
    let output = scratch.stop(id, report, enforces)?;
    scratch.git(&["checkout", "--quiet", "--", "a.py"])?;
    Ok(output)
}

/// What the agent is told, in the reply of the hook.
fn reason(reply: &str) -> String {
    let parsed: Option<Value> = serde_json::from_str(reply).ok();
    let reason = parsed.as_ref().and_then(|reply| reply["reason"].as_str());
    reason.unwrap_or(reply).to_owned()
}

fn tell(ui: &mut Ui, title: &str, work: &str, report: &str) -> Result<(), CommandError> {
    ui.tell(&styled(STRONG, title))?;
    ui.say(&format!("  {work}, and reports:"))?;
    ui.print(&indented(report, None))
}

fn show(ui: &mut Ui, verdict: &str, text: &str) -> Result<(), CommandError> {
    ui.say(&format!("  {verdict}"))?;
    let text = indented(&Printable::new(text), ui.width());
    ui.say(&text)
}

/// Each line in the text, no wider than `width`.
fn indented(text: &str, width: Option<usize>) -> String {
    let lines = text.lines().map(|line| hanging("    ", line, width));
    lines.collect()
}
