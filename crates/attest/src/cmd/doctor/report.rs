//! The outcome of one check, for a person and as JSON.

use std::fmt;

use attest_snapshot::escaped;
use serde::Serialize;
use serde_json::Value;

use crate::ui::{BAD, DOUBTFUL, GOOD, styled};

/// One line of the report.
#[derive(Debug, Serialize)]
pub(super) struct Check {
    name: &'static str,
    status: Status,
    detail: String,
    /// What to do; nothing when the check passed.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    Pass,
    Warn,
    Fail,
}

impl Check {
    pub(super) fn pass(name: &'static str, detail: impl Into<String>) -> Self {
        Self::new(name, Status::Pass, detail.into(), None)
    }

    pub(super) fn warn(
        name: &'static str,
        detail: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        Self::new(name, Status::Warn, detail.into(), Some(advice.into()))
    }

    pub(super) fn fail(
        name: &'static str,
        detail: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        Self::new(name, Status::Fail, detail.into(), Some(advice.into()))
    }

    pub(super) fn has_failed(&self) -> bool {
        self.status == Status::Fail
    }

    // Details quote files and programs: whatever they hold, a check is one line of plain text.
    fn new(name: &'static str, status: Status, detail: String, advice: Option<String>) -> Self {
        let plain = |text: String| escaped(text.as_bytes());
        Self {
            name,
            status,
            detail: plain(detail),
            advice: advice.map(plain),
        }
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let status = match self.status {
            Status::Pass => styled(GOOD, "pass"),
            Status::Warn => styled(DOUBTFUL, "warn"),
            Status::Fail => styled(BAD, "FAIL"),
        };
        write!(f, "{status}  {:<10}  {}", self.name, self.detail)?;
        match &self.advice {
            Some(advice) => write!(f, ": {advice}"),
            None => Ok(()),
        }
    }
}

/// All checks, and what is in force, as one JSON object.
pub(super) fn json(checks: &[Check], in_force: &impl Serialize) -> Value {
    serde_json::json!({
        "version": env!("CARGO_PKG_VERSION"),
        "ok": checks.iter().all(|check| !check.has_failed()),
        "checks": checks,
        "in_force": in_force,
    })
}
