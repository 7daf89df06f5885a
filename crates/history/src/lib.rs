//! What a person asks of the history: its commands, the line below a prompt, and the values that a shell completes.

mod agents;
mod audit;
mod complete;
mod cost;
mod coverage;
mod dispute;
mod explain;
mod groups;
mod hindered;
mod history;
mod log;
mod look_up;
mod names;
mod rates;
mod report;
mod repository;
mod scope;
mod show;
mod stats;
mod statusline;

use attest_base::env::Env;
use attest_base::error::CommandError;
use attest_base::exit_status::ExitStatus;
use attest_base::ui::Ui;
use clap::Subcommand;

pub use complete::{ASKS, answer, is_free};
pub use explain::all_words;
pub use hindered::{late_gates, unchecked};
pub use log::last;
pub use report::{USUAL as USUAL_PAGE, is_page};
pub use scope::unseen_type;
pub use statusline::{line, print as print_line};

/// The commands that show what was recorded.
#[derive(Debug, Subcommand)]
#[expect(missing_docs, reason = "what is said of one here would be its help")]
pub enum Command {
    Audit(audit::AuditArgs),
    Agents(agents::AgentsArgs),
    Log(log::LogArgs),
    Show(show::ShowArgs),
    Explain(explain::ExplainArgs),
    Dispute(dispute::DisputeArgs),
    Stats(stats::StatsArgs),
    Report(report::ReportArgs),
}

impl Command {
    /// Does what was asked for.
    pub fn run(&self, ui: &mut Ui, env: &Env) -> Result<ExitStatus, CommandError> {
        match self {
            Self::Audit(args) => audit::run(ui, env, args),
            Self::Agents(args) => agents::run(ui, env, args),
            Self::Log(args) => log::run(ui, env, args),
            Self::Show(args) => show::run(ui, env, args),
            Self::Explain(args) => explain::run(ui, env, args),
            Self::Dispute(args) => dispute::run(ui, env, args),
            Self::Stats(args) => stats::run(ui, env, args),
            Self::Report(args) => report::run(ui, env, args),
        }
    }
}

/// The value of an option that counts.
fn count(text: &str) -> Result<u32, &'static str> {
    text.parse()
        .map_err(|_| "expected a whole number of 0 or more")
}
