//! What the checks found: for a person by cause, with one fix for each, and as JSON.

use serde::Serialize;
use serde_json::Value;

use super::report::{Check, Status};
use super::stops::Stops;
use crate::in_force::{InForce, Setting, table};
use attest_base::ui::counted;
use attest_base::ui::{
    BAD, Cell, Column, DOUBTFUL, GOOD, STRONG, Table, bad_mark, good_mark, hanging, mark, styled,
};

/// Everything that is reported.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) checks: Vec<Check>,
    pub(super) in_force: Vec<OfHost>,
    /// Nothing if the state file cannot be read.
    pub(super) stops: Option<Stops>,
}

/// What is in force in a host.
#[derive(Debug, Serialize)]
pub(super) struct OfHost {
    host: &'static str,
    #[serde(skip)]
    title: &'static str,
    in_force: Vec<Setting>,
}

impl OfHost {
    pub(super) fn of(hooks: &InForce<'_>) -> Self {
        Self {
            host: hooks.host().name(),
            title: hooks.host().profile().executable.title,
            in_force: hooks.settings(),
        }
    }
}

/// What did not pass and has the same fix.
struct Cause<'a> {
    status: Status,
    fix: &'a str,
    checks: Vec<&'a Check>,
}

impl Report {
    pub(super) fn has_failed(&self) -> bool {
        self.checks.iter().any(Check::has_failed)
    }

    /// For a person.
    pub(super) fn text(&self, width: Option<usize>) -> String {
        let passed = self
            .checks
            .iter()
            .filter(|check| check.status == Status::Pass);
        let mut text = lines(passed, width);
        let causes = self.causes();
        for cause in &causes {
            text.push_str(&lines(cause.checks.iter().copied(), width));
            let lead = mark("  → ", "  > ");
            text.push_str(&hanging(lead, cause.fix, width));
        }
        text.push_str(&self.settings(width));
        if let Some(stops) = &self.stops {
            text.push_str(&format!("\n{}\n", styled(STRONG, "last stops")));
            text.push_str(&hanging("  ", &stops.sentence(), width));
        }
        text + "\n" + &last_line(&causes, width)
    }

    /// What is in force in the first host, and what differs from that in each of the others.
    fn settings(&self, width: Option<usize>) -> String {
        let mut text = String::new();
        let Some((first, others)) = self.in_force.split_first() else {
            return text;
        };
        let mut part = |of: &str, rows: String| {
            let heading = format!("in force for the hooks{of}");
            text.push_str(&format!("\n{}\n{rows}", styled(STRONG, heading)));
        };
        let of = match others {
            [] => String::new(),
            _ => format!(" of {}", first.title),
        };
        part(&of, table(first.in_force.iter(), width));
        for other in others {
            let own = other
                .in_force
                .iter()
                .filter(|it| !first.in_force.contains(it));
            let own: Vec<_> = own.collect();
            let rows = if own.is_empty() {
                format!("  the same as for {}\n", first.title)
            } else {
                table(own.into_iter(), width)
            };
            part(&format!(" of {}", other.title), rows);
        }
        text
    }

    /// What did not pass by its fix, failures first.
    fn causes(&self) -> Vec<Cause<'_>> {
        let mut causes: Vec<Cause<'_>> = Vec::new();
        for check in &self.checks {
            let Some(fix) = check.advice.as_deref() else {
                continue;
            };
            if let Some(cause) = causes.iter_mut().find(|cause| cause.fix == fix) {
                cause.status = cause.status.max(check.status);
                cause.checks.push(check);
            } else {
                causes.push(Cause {
                    status: check.status,
                    fix,
                    checks: vec![check],
                });
            }
        }
        causes.sort_by_key(|cause| std::cmp::Reverse(cause.status));
        causes
    }

    /// For a program.
    pub(super) fn json(&self) -> Value {
        serde_json::json!({
            "version": env!("CARGO_PKG_VERSION"),
            "ok": !self.has_failed(),
            "checks": self.checks,
            "in_force": self.in_force.first().map(|first| &first.in_force),
            "hosts": self.in_force,
            "stops": self.stops,
        })
    }
}

/// The lines of some checks.
fn lines<'a>(checks: impl Iterator<Item = &'a Check>, width: Option<usize>) -> String {
    let columns = [
        Column::whole("", 9),
        Column::whole("", 8).at_least(10),
        Column::prose("", 1),
    ];
    let mut table = Table::new(columns).without_header();
    for check in checks {
        let (style, mark) = match check.status {
            Status::Pass => (GOOD, format!("{} pass", good_mark())),
            Status::Warn => (DOUBTFUL, "! warn".to_owned()),
            Status::Fail => (BAD, format!("{} FAIL", bad_mark())),
        };
        table.push([
            Cell::styled(style, mark),
            Cell::new(check.name),
            Cell::new(check.detail.clone()),
        ]);
    }
    table.render(width)
}

/// How it stands, and what to do first.
fn last_line(causes: &[Cause<'_>], width: Option<usize>) -> String {
    let problems = causes.iter().filter(|cause| cause.status == Status::Fail);
    let (fixes, first) = (problems.clone().count(), problems.clone().next());
    let of_status = |status| {
        let checks = causes.iter().flat_map(|cause| &cause.checks);
        checks.filter(|check| check.status == status).count()
    };
    let (count, warnings) = (of_status(Status::Fail), of_status(Status::Warn));
    match first {
        Some(first) => {
            let begin = if fixes == 1 { ":" } else { ", the first:" };
            let lead = format!("{} {}{begin}", bad_mark(), counted(count, "problem"));
            hanging("", &format!("{} {}", styled(BAD, lead), first.fix), width)
        }
        None if warnings > 0 => {
            let line = format!("! no problem, {}", counted(warnings, "warning"));
            hanging("", &styled(DOUBTFUL, line), width)
        }
        None => {
            let line = format!("{} no problem", good_mark());
            hanging("", &styled(GOOD, line), width)
        }
    }
}
