//! `attest show`: one verdict whole.

mod head;
mod redacted;

use attest_snapshot::escaped;
use attest_state::history::{CriteriaResult, Detail, Judged, Listed, Side, ToolCall, Whole};
use jiff::Timestamp;

use super::explain;
use super::look_up::{Found, look_up};
use attest_base::env::Env;
use attest_base::error::CommandError;
use attest_base::time::Clock;
use attest_base::ui::counted;
use attest_base::ui::{self, Cell, Column, DOUBTFUL, STRONG, Table, Ui, hanging, styled};
use attest_base::{exit_status::ExitStatus, ui::and_more};

/// Digits of a commit.
const SHORT_OID: usize = 12;

/// Show one verdict whole
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:\n  \
    attest show\n  \
    attest show 38299\n  \
    attest show --redact\n  \
    attest show --json")]
pub struct ShowArgs {
    /// The verdict, or the beginning of its id, or an agent whose last one is meant; the first that
    /// `attest log` lists when left out
    #[arg(value_name = "ID")]
    id: Option<String>,
    /// Print JSON
    #[arg(long, conflicts_with = "redact")]
    json: bool,
    /// Print what an issue needs: no path, and of the report no word but the form of its claim
    #[arg(long)]
    redact: bool,
}

pub(super) fn run(ui: &mut Ui, env: &Env, args: &ShowArgs) -> Result<ExitStatus, CommandError> {
    let found = look_up(ui, env, args.id.as_deref())?;
    let whole = Whole {
        entry: &found.entry,
        answer: found.answer.as_ref(),
        spent: found.spent,
        noticed: found.noticed,
        detail: &found.detail,
    };
    if args.redact {
        ui.json(&redacted::redacted(&whole)?)?;
    } else if args.json {
        ui.json(&whole)?;
    } else {
        ui.page(&text(&found, ui.width()))?;
    }
    Ok(ExitStatus::Success)
}

fn text(found: &Found, width: Option<usize>) -> String {
    let detail = &found.detail;
    let mut text = head::head(found, width);
    let mut section = |title: &str, body: String| {
        if !body.is_empty() {
            text.push_str(&format!("\n{}\n{body}", styled(STRONG, title)));
        }
    };
    let paragraph = |line: &str| hanging("  ", &escaped(line.as_bytes()), width);
    let unreadable = detail.unreadable.as_deref().map(paragraph);
    section("could not be verified", unreadable.unwrap_or_default());
    section("findings", findings(detail, width));
    section("criteria", criteria(detail, width));
    section(
        &format!(
            "calls that wrote, or may have: {}",
            counted(detail.calls.count, "call")
        ),
        calls(&detail.calls, width),
    );
    let advice = detail.advice.iter().map(|line| paragraph(line));
    section("what the transcript speaks against", advice.collect());
    let beside = detail.beside.iter().map(|line| paragraph(line));
    section("seen beside the report", beside.collect());
    if let (Some(start), Some(stop)) = (&detail.start, &detail.stop) {
        section("the work tree", sides(start, stop, width));
        let title = format!(
            "changed between start and stop: {}",
            counted(detail.delta.count, "path")
        );
        let nothing = || "  nothing\n".to_owned();
        let changes = Some(changes(detail, width)).filter(|lines| !lines.is_empty());
        section(&title, changes.unwrap_or_else(nothing));
    }
    section("gates", gates(detail, width));
    let block = detail.block.as_deref().unwrap_or_default();
    section("sent back with", block.lines().map(paragraph).collect());
    text
}

fn findings(detail: &Detail, width: Option<usize>) -> String {
    let row = |judged: &Judged| {
        let claimed = escaped(judged.claimed.as_bytes());
        (
            judged.finding,
            judged.is_proof,
            claimed,
            explain::why(judged),
        )
    };
    let table = ui::findings(detail.findings.iter().map(row));
    table.indented(2).unless_empty(width)
}

/// What came of the criteria, and which are not met.
fn criteria(detail: &Detail, width: Option<usize>) -> String {
    let Some(checked) = &detail.criteria else {
        return String::new();
    };
    let result = match checked.result {
        CriteriaResult::Met => Some("met"),
        // The evidence begins with that.
        CriteriaResult::NotChecked => None,
        CriteriaResult::Skipped => Some("nothing to check"),
        CriteriaResult::NotMet => Some("not met"),
    };
    let parts = [result, checked.evidence.as_deref()].into_iter().flatten();
    let mut line = parts.collect::<Vec<_>>().join(": ");
    if let Some(word) = &checked.unchecked {
        let mend = checked.mend.as_ref();
        let mend = mend.map(|mend| format!("; {mend}")).unwrap_or_default();
        line.push_str(&escaped(format!(" ({word}){mend}").as_bytes()));
    }
    let columns = [Column::name("CRITERION", 9), Column::prose("WHY", 1)];
    let mut table = Table::new(columns).indented(2);
    for unmet in detail.unmet() {
        let cell = |text: &str| Cell::new(escaped(text.as_bytes()));
        let whose = if unmet.is_of_prompt {
            "of the prompt: "
        } else {
            ""
        };
        table.push([cell(&unmet.name), cell(&format!("{whose}{}", unmet.why))]);
    }
    hanging("  ", &line, width) + &table.unless_empty(width)
}

fn gates(detail: &Detail, width: Option<usize>) -> String {
    let columns = [
        Column::name("GATE", 6),
        Column::whole("DECISION", 8),
        Column::prose("REASON", 1),
    ];
    let mut table = Table::new(columns).indented(2);
    for gate in &detail.gates {
        let reason = gate.reason.as_deref().unwrap_or_default();
        table.push([
            Cell::new(escaped(gate.name.as_bytes())),
            Cell::new(gate.decision.clone()),
            Cell::new(escaped(
                reason.lines().next().unwrap_or_default().as_bytes(),
            )),
        ]);
    }
    table.unless_empty(width)
}

fn calls(calls: &Listed<ToolCall>, width: Option<usize>) -> String {
    let columns = [
        Column::whole("TIME", 6),
        Column::name("TOOL", 7),
        Column::path("PATH", 9),
        Column::whole("RESULT", 8),
    ];
    let mut table = Table::new(columns).indented(2);
    let clock = Clock::new(width);
    for call in &calls.first {
        let at = call.at.as_deref();
        let time = |at: &str| {
            let time: Result<Timestamp, _> = at.parse();
            time.map_or_else(|_| escaped(at.as_bytes()), |at| clock.show(at))
        };
        let result = match call.is_ok {
            Some(true) => "reported success",
            Some(false) => "reported an error",
            None => "no result",
        };
        table.push([
            Cell::or_dash(at.map(time)),
            Cell::new(escaped(call.tool.as_bytes())),
            Cell::or_dash(call.path.as_ref().map(|path| escaped(path.as_bytes()))),
            Cell::new(result),
        ]);
    }
    table.unless_empty(width) + &left_out(calls)
}

fn sides(start: &Side, stop: &Side, width: Option<usize>) -> String {
    let columns = [
        Column::whole("", 9),
        Column::whole("TIME", 5),
        Column::whole("HEAD", 8),
        Column::name("BRANCH", 6),
        Column::number("UNCOMMITTED", 7),
    ];
    let mut table = Table::new(columns).indented(2);
    let clock = Clock::new(width);
    for (name, side) in [("at start", start), ("at stop", stop)] {
        let at = Timestamp::from_nanosecond(i128::from(side.taken_at));
        let head = side.head.as_deref().unwrap_or("no commit");
        let branch = side.branch.as_deref().unwrap_or("detached");
        let branch = branch.strip_prefix("refs/heads/").unwrap_or(branch);
        table.push([
            Cell::new(name),
            Cell::or_dash(at.ok().map(|at| clock.show(at))),
            Cell::new(head.chars().take(SHORT_OID).collect::<String>()),
            Cell::new(escaped(branch.as_bytes())),
            Cell::new(counted(side.differing, "path")),
        ]);
    }
    table.render(width)
}

fn changes(detail: &Detail, width: Option<usize>) -> String {
    let columns = [
        Column::whole("", 9),
        Column::path("", 8),
        Column::whole("", 7),
    ];
    let mut table = Table::new(columns).indented(2).without_header();
    for change in &detail.delta.first {
        let kind = if change.is_deleted {
            "deleted"
        } else {
            "written"
        };
        let is_unclaimed = detail.unclaimed.first.contains(&change.path);
        let note = if is_unclaimed { "not claimed" } else { "" };
        table.push([
            Cell::new(kind),
            Cell::new(escaped(change.path.as_bytes())),
            Cell::styled(DOUBTFUL, note),
        ]);
    }
    table.unless_empty(width) + &left_out(&detail.delta)
}

fn left_out<T>(listed: &Listed<T>) -> String {
    match and_more(listed.count, listed.first.len()) {
        more if more.is_empty() => more,
        more => format!("  {more}\n"),
    }
}
