//! `attest audit`: what the sessions that hosts have kept claim, checked against what is there today.

mod evidence;
mod findings;
mod judge;
mod kept;
mod read;
mod show;
mod touched;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use attest_base::config::Config;
use attest_base::criteria::interrupted;
use attest_base::env::Env;
use attest_base::error::{CommandError, Hint as _};
use attest_base::exit_status::ExitStatus;
use attest_base::moment::Moment;
use attest_base::targets::is_installed;
use attest_base::ui::Ui;

use findings::Audit;

/// Check what agents have reported so far against what is there today
///
/// Reads the sessions that the hosts have kept on this machine, and looks for each file that a final report says to
/// have changed: among the files that agents wrote, in the commits since, and on the disk. It needs no
/// hooks, writes nothing, and sends nothing anywhere. Nothing was recorded when these agents began, so what is not
/// found today proves no lie.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:\n  \
    attest audit\n  \
    attest audit --since 7d --repository .\n  \
    attest audit --doubts\n  \
    attest audit --json")]
pub struct AuditArgs {
    /// Only reports since then: an age such as 30d or 12h, `last monday`, a date, or a time
    #[arg(long, value_name = "TIME", default_value = "30d", value_parser = Moment::parse)]
    since: Moment,
    /// Only agents that worked in the repository of this folder
    #[arg(long, value_name = "DIR")]
    repository: Option<PathBuf>,
    /// List also what something unseen may have made, and why
    #[arg(long)]
    doubts: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(ui: &mut Ui, env: &Env, args: &AuditArgs) -> Result<ExitStatus, CommandError> {
    let config = Config::of_command(ui, env);
    let deadline = Instant::now() + config.command_deadline;
    let interrupted = interrupted();
    let mut limits = config.limits(Some(deadline));
    limits.budget = limits.budget.unless(Arc::clone(&interrupted));
    let only = args.repository.as_deref();
    let only = only.map(|folder| judge::common_dir(folder, &limits.trusting(folder)));
    let only = only
        .transpose()
        .hint("name a folder of a git work tree, or leave out --repository")?;
    let since = args.since.at;
    let found = kept::find(env, since, &limits.budget);
    if found.folders.is_empty() {
        // Nothing was looked through, which is not the same as that nothing was found.
        env.home_or_why().hint("set HOME to an absolute path")?;
    }
    let sessions = read::all(&found.files, since, &limits.budget);
    let judging = judge::Judging {
        limits: &limits,
        only: only.as_deref(),
    };
    let mut audit = Audit {
        since,
        folders: found.folders.iter().map(|it| judge::text(it)).collect(),
        packed: found.packed,
        unreadable: found.unreadable.len(),
        is_installed: is_installed(env),
        ..Audit::default()
    };
    judging.audit(sessions, &mut audit);
    audit.is_interrupted = interrupted.load(Ordering::Relaxed);
    if args.json {
        ui.json(&audit)?;
    } else {
        ui.page(&audit.for_person(ui.width(), args.doubts, env.home().as_deref()))?;
    }
    Ok(if audit.is_interrupted {
        ExitStatus::Interrupted
    } else {
        ExitStatus::Success
    })
}
