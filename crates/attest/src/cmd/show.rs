//! `attest show`: one verdict whole.

use attest_claim::Claim;
use attest_snapshot::escaped;
use attest_state::history::{Detail, Entry, Judged, Listed, Side, ToolCall, Whole};
use jiff::Timestamp;

use super::history::{look_up, repository_name};
use super::{ExitStatus, and_more, counted, explain, time};
use crate::env::Env;
use crate::error::CommandError;
use crate::ui::{FAINT, STRONG, Ui, style_of, styled, table};

/// Digits of a commit.
const SHORT_OID: usize = 12;

/// Show one verdict whole
#[derive(Debug, clap::Args)]
pub(crate) struct ShowArgs {
    /// The verdict, or the beginning of its id, or an agent whose last one is meant; the last of
    /// all when left out
    #[arg(value_name = "ID")]
    id: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(ui: &mut Ui, env: &Env, args: &ShowArgs) -> Result<ExitStatus, CommandError> {
    let (entry, detail) = look_up(ui, env, args.id.as_deref())?;
    if args.json {
        ui.json(&Whole {
            entry: &entry,
            detail: &detail,
        })?;
    } else {
        ui.page(&text(&entry, &detail, ui.width()))?;
    }
    Ok(ExitStatus::Success)
}

fn text(entry: &Entry, detail: &Detail, width: Option<usize>) -> String {
    let mut text = head(entry, detail);
    if let Some(why) = &detail.unreadable {
        section(
            &mut text,
            "could not be verified",
            &format!("  {}\n", escaped(why.as_bytes())),
        );
    }
    if !detail.findings.is_empty() {
        let rows = detail.findings.iter().map(finding).collect();
        let table = table(&["  FINDING", "CLAIMED", "WHY"], rows, width);
        section(&mut text, "findings", &table);
    }
    if !detail.unmet.is_empty() {
        let lines = detail.unmet.iter().map(|unmet| {
            let [name, why] = [&unmet.name, &unmet.why].map(|text| escaped(text.as_bytes()));
            format!("  {name}: {why}\n")
        });
        section(&mut text, "criteria not met", &lines.collect::<String>());
    }
    if detail.calls.count > 0 {
        let title = format!(
            "calls that wrote, or may have: {}",
            counted(detail.calls.count, "call")
        );
        let lines: String = detail.calls.first.iter().map(call).collect();
        section(&mut text, &title, &(lines + &left_out(&detail.calls)));
    }
    if !detail.advice.is_empty() {
        let lines = detail.advice.iter();
        let lines = lines.map(|line| format!("  {}\n", escaped(line.as_bytes())));
        section(
            &mut text,
            "what the transcript speaks against",
            &lines.collect::<String>(),
        );
    }
    if let (Some(start), Some(stop)) = (&detail.start, &detail.stop) {
        section(&mut text, "the work tree", &sides(start, stop));
        let changes = detail.delta.first.iter().map(|change| {
            let kind = if change.is_deleted {
                "deleted"
            } else {
                "written"
            };
            let is_unclaimed = detail.unclaimed.first.contains(&change.path);
            let note = if is_unclaimed { "  (not claimed)" } else { "" };
            format!(
                "  {kind}  {}{}\n",
                escaped(change.path.as_bytes()),
                styled(FAINT, note)
            )
        });
        let title = format!(
            "changed between start and stop: {}",
            counted(detail.delta.count, "path")
        );
        section(
            &mut text,
            &title,
            &(changes.collect::<String>() + &left_out(&detail.delta)),
        );
    }
    if !detail.gates.is_empty() {
        let lines = detail.gates.iter().map(|gate| {
            let (name, decision) = (escaped(gate.name.as_bytes()), &gate.decision);
            let reason = gate.reason.as_deref().unwrap_or_default();
            let reason = reason.lines().next().unwrap_or_default();
            format!(
                "  {decision:<9} {name}  {}\n",
                styled(FAINT, escaped(reason.as_bytes()))
            )
        });
        section(&mut text, "gates", &lines.collect::<String>());
    }
    if let Some(block) = &detail.block {
        let lines = block
            .lines()
            .map(|line| format!("  {}\n", escaped(line.as_bytes())));
        section(&mut text, "sent back with", &lines.collect::<String>());
    }
    text
}

fn section(text: &mut String, title: &str, body: &str) {
    text.push_str(&format!("\n{}\n{body}", styled(STRONG, title)));
}

fn head(entry: &Entry, detail: &Detail) -> String {
    let field = |name: &str, value: &str| {
        format!("{} {value}\n", styled(FAINT, format_args!("{name:<10}")))
    };
    let safe = |text: &str| escaped(text.as_bytes());
    let kind = entry
        .agent_type
        .as_deref()
        .map_or_else(String::new, |kind| format!(" ({})", safe(kind)));
    let at: Result<Timestamp, _> = entry.at.parse();
    let at = at.map_or_else(
        |_| safe(&entry.at),
        |at| format!("{} UTC", time::second(at)),
    );
    let mut text = field("verdict", &entry.id)
        + &field("outcome", &styled(style_of(entry.outcome), entry.outcome))
        + &field(
            "decision",
            &format!("{}: {}", entry.reason, entry.reason.meaning()),
        )
        + &field("agent", &format!("{}{kind}", safe(&entry.agent_id)))
        + &field("session", &safe(&entry.session_id))
        + &field("time", &at);
    if let Some(repository) = &entry.repository {
        let name = attest_snapshot::path_bytes(repository_name(repository)).into_owned();
        text += &field("repository", &escaped(&name));
    }
    if let Some(claim) = &detail.claim {
        text += &field("claim", &claimed(claim, detail));
        for (name, value) in [
            ("blockers", &claim.blockers),
            ("ran_tests", &claim.ran_tests),
        ] {
            if let Some(value) = value {
                text += &field(name, &safe(value));
            }
        }
    }
    text
}

fn claimed(claim: &Claim, detail: &Detail) -> String {
    let status = claim.status.map_or("no status", |status| status.as_str());
    let paths = counted(claim.entries.len(), "path");
    let source = detail.source.as_deref().unwrap_or("payload");
    format!("{status}, {paths}, from the {source}")
}

fn finding(judged: &Judged) -> Vec<String> {
    let word = super::word(&judged.finding);
    let word = if judged.is_proof {
        styled(style_of(attest_verdict::Outcome::Mismatch), word)
    } else {
        word
    };
    let claimed = escaped(judged.claimed.as_bytes());
    vec![format!("  {word}"), claimed, explain::why(judged)]
}

fn call(call: &ToolCall) -> String {
    let safe = |text: &Option<String>| escaped(text.as_deref().unwrap_or("-").as_bytes());
    let result = match call.is_ok {
        Some(true) => "reported success",
        Some(false) => "reported an error",
        None => "no result",
    };
    let tool = escaped(call.tool.as_bytes());
    let (at, path) = (safe(&call.at), safe(&call.path));
    format!("  {at}  {tool}  {path}  {result}\n")
}

fn sides(start: &Side, stop: &Side) -> String {
    side("at start", start) + &side("at stop", stop)
}

fn side(name: &str, side: &Side) -> String {
    let at = Timestamp::from_nanosecond(i128::from(side.taken_at));
    let at = at.map_or_else(|_| "-".to_owned(), time::second);
    let head = side.head.as_deref().unwrap_or("no commit");
    let head: String = head.chars().take(SHORT_OID).collect();
    let branch = side.branch.as_deref().unwrap_or("detached");
    let branch = branch.strip_prefix("refs/heads/").unwrap_or(branch);
    format!(
        "  {name:<8}  {at}  HEAD {head} ({}), {} uncommitted\n",
        escaped(branch.as_bytes()),
        counted(side.differing, "path")
    )
}

fn left_out<T>(listed: &Listed<T>) -> String {
    match and_more(listed.count, listed.first.len()) {
        more if more.is_empty() => more,
        more => format!("  {more}\n"),
    }
}
