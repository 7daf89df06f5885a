//! The outcome of one check.

use attest_process::without_number;
use attest_snapshot::escaped;
use serde::Serialize;

/// One line of the report.
#[derive(Debug, Serialize)]
pub(super) struct Check {
    pub(super) name: &'static str,
    pub(super) status: Status,
    pub(super) detail: String,
    /// What to do; nothing when the check passed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) advice: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Status {
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

    /// The same check for another host, by whose name it then goes.
    pub(super) fn of(self, host: &'static str) -> Self {
        let detail = match self.name {
            name if name == host => self.detail,
            name => format!("{name}: {}", self.detail),
        };
        Self {
            name: host,
            detail,
            ..self
        }
    }

    pub(super) fn has_failed(&self) -> bool {
        self.status == Status::Fail
    }

    // Details quote files and programs: whatever they hold, a check is one line of plain text.
    fn new(name: &'static str, status: Status, detail: String, advice: Option<String>) -> Self {
        let plain = |text: String| escaped(without_number(&text).as_bytes());
        Self {
            name,
            status,
            detail: plain(detail),
            advice: advice.map(plain),
        }
    }
}
