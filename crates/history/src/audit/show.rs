//! What an audit found, for a person.

use std::path::{Path, PathBuf};

use attest_snapshot::escaped;
use jiff::tz::TimeZone;

use super::findings::{Audit, NotLookedAt, Report};
use attest_base::paragraph;
use attest_base::ui::counted;
use attest_base::ui::{Cell, Column, DOUBTFUL, FAINT, STRONG, Table, cut, hanging, styled};

/// Characters of a line of a report that are shown.
const MAX_LINE: usize = 200;
/// What can be said of what is not found, and what not.
const MEANING: &str = "Looked for among the files that agents wrote in the sessions read here, in the commits since \
    each session began, and in the work trees of its repository. Nothing was recorded when these agents began: this \
    says what is not found today, and not why.";

impl Audit {
    pub(super) fn for_person(
        &self,
        width: Option<usize>,
        wants_doubts: bool,
        home: Option<&Path>,
    ) -> String {
        let page = Page { width, home };
        let mut text = hanging("", &styled(STRONG, self.summary()), width);
        if self.is_interrupted {
            let what = "This is what there was when it was interrupted.";
            text.push_str(&hanging("", &styled(DOUBTFUL, what), width));
        }
        text.push_str(&page.reports(&self.not_found, self.more_not_found));
        if !self.unread.is_empty() {
            let count = self.unread.len() + self.more_unread;
            let what = "files that are not found today, and that a program which was not read may have made:";
            let what = format!("{} {what}", self.more_name(count));
            text.push_str(&format!("\n{}", hanging("", &what, width)));
            text.push_str(&page.reports(&self.unread, self.more_unread));
        }
        if !self.doubtful.is_empty() {
            text.push_str(&format!(
                "\n{}",
                hanging("", &self.doubts(wants_doubts), width)
            ));
            if wants_doubts {
                text.push_str(&page.reports(&self.doubtful, self.more_doubtful));
            }
        }
        text.push_str(&page.not_looked_at(&self.not_looked_at));
        for line in self.left_out().into_iter().chain(self.advice()) {
            text.push_str(&hanging("", &line, width));
        }
        if self.named > 0 {
            text.push('\n');
            text.push_str(&hanging("", &styled(FAINT, MEANING), width));
        }
        text.push_str(&hanging("", self.next(), width));
        text
    }

    fn summary(&self) -> String {
        let day = self.since.to_zoned(TimeZone::system());
        let day = day.strftime("%Y-%m-%d");
        if self.transcripts == 0 {
            return format!("no session since {day} was found");
        }
        let reports = counted(self.reports, "report");
        let found = match self.not_found.len() + self.more_not_found {
            0 => "none names one that nothing is seen to have created".to_owned(),
            1 => "1 names one that nothing is seen to have created".to_owned(),
            more => format!("{more} name some that nothing is seen to have created"),
        };
        let name = if self.named == 1 { "names" } else { "name" };
        let looked_at = self
            .not_looked_at
            .iter()
            .map(|it| it.reports)
            .sum::<usize>();
        let looked_at = match self.named.saturating_sub(looked_at) {
            all if all == self.named => String::new(),
            some => format!(", {some} were looked into"),
        };
        format!(
            "{} of {reports} since {day} {name} changed files{looked_at}; {found}",
            self.named
        )
    }

    /// How many reports of another kind name something.
    fn more_name(&self, count: usize) -> String {
        let also = if self.not_found.is_empty() {
            ""
        } else {
            " more"
        };
        let name = if count == 1 { "names" } else { "name" };
        format!("{count}{also} {name}")
    }

    fn doubts(&self, are_listed: bool) -> String {
        let count = self.doubtful.len() + self.more_doubtful;
        let what = "files that are not found today, which proves nothing";
        let what = format!("{} {what}", self.more_name(count));
        if are_listed {
            format!("{what}:")
        } else {
            format!("{what}: `attest audit --doubts` lists them with the reason")
        }
    }

    /// What was not read.
    fn left_out(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let was = |count: usize| if count == 1 { "was" } else { "were" };
        let mut add = |count: usize, what: &str| {
            if count > 0 {
                let transcripts = counted(count, "transcript");
                lines.push(format!("{transcripts} {} not read: {what}", was(count)));
            }
        };
        add(self.packed, "the host has packed them");
        add(
            self.unreadable,
            "it cannot be opened or understood, or there was no time or room left for it",
        );
        lines
    }

    /// What to do where most reports claim nothing.
    fn advice(&self) -> Option<String> {
        paragraph::advice(self.reports, self.reports.saturating_sub(self.claims))
    }

    fn next(&self) -> &'static str {
        if self.is_installed {
            "attest is installed: `attest log` has what was found since."
        } else {
            "From now on: `attest install` has every report checked when it is made."
        }
    }
}

impl Report {
    /// The agent in words.
    fn agent(&self) -> String {
        let kind = match (self.is_subagent, self.agent_type.as_deref()) {
            (true, Some(kind)) => kind,
            (true, None) => "subagent",
            (false, _) => "main agent",
        };
        let id = self.agent.as_deref().filter(|_| self.is_subagent);
        let words = [Some(kind), id, Some("of"), Some(self.host)];
        let words: Vec<_> = words.into_iter().flatten().collect();
        escaped(words.join(" ").as_bytes())
    }
}

/// What a page is printed for.
struct Page<'p> {
    width: Option<usize>,
    home: Option<&'p Path>,
}

impl Page<'_> {
    fn reports(&self, reports: &[Report], more: usize) -> String {
        let mut text: String = reports.iter().map(|report| self.report(report)).collect();
        text.push_str(&self.more(more, "report"));
        text
    }

    fn report(&self, report: &Report) -> String {
        let at = report.at.map(|at| {
            let at = at.to_zoned(TimeZone::system());
            at.strftime("%Y-%m-%d %H:%M").to_string()
        });
        let head = format!(
            "{}  {}, in {}",
            at.as_deref().unwrap_or("at an unknown time"),
            report.agent(),
            self.place(&report.repository)
        );
        let mut text = format!("\n{}", hanging("", &head, self.width));
        for file in &report.files {
            let path = styled(STRONG, escaped(file.path.as_bytes()));
            text.push_str(&hanging(
                "  ",
                &format!("{path}: not found today"),
                self.width,
            ));
            if !file.line.is_empty() {
                let line = cut(&escaped(file.line.as_bytes()), MAX_LINE);
                text.push_str(&hanging("    ", &format!("its report: {line}"), self.width));
            }
        }
        text.push_str(&self.more(report.more_files, "file"));
        if let Some(why) = &report.why {
            let why = styled(DOUBTFUL, escaped(why.as_bytes()));
            text.push_str(&hanging("  ", &format!("but {why}"), self.width));
        }
        let session = report.session.as_deref().unwrap_or("without a name");
        let session = format!("session {}", escaped(session.as_bytes()));
        let place = format!("{}:{}", self.place(&report.transcript), report.line);
        for more in [session, place] {
            text.push_str(&hanging("  ", &styled(FAINT, more), self.width));
        }
        text
    }

    /// What is not listed.
    fn more(&self, count: usize, of: &str) -> String {
        if count == 0 {
            return String::new();
        }
        let what = format!("and {}", counted(count, &format!("more {of}")));
        hanging("  ", &what, self.width)
    }

    fn not_looked_at(&self, list: &[NotLookedAt]) -> String {
        let reports = list.iter().map(|it| it.reports).sum::<usize>();
        if reports == 0 {
            return String::new();
        }
        let name = if reports == 1 { "names" } else { "name" };
        let reports = counted(reports, "report");
        let what = format!("{reports} that {name} changed files cannot be looked into:");
        let columns = [
            Column::number("", 9),
            Column::path("", 8),
            Column::prose("", 1),
        ];
        let mut table = Table::new(columns).indented(2).without_header();
        for it in list.iter().filter(|it| it.reports > 0) {
            table.push([
                Cell::new(it.reports.to_string()),
                Cell::new(self.place(&it.folder)),
                Cell::new(escaped(it.why.as_bytes())),
            ]);
        }
        format!(
            "\n{}{}",
            hanging("", &what, self.width),
            table.render(self.width)
        )
    }

    /// A place, shorter where it is below the home folder.
    fn place(&self, place: &str) -> String {
        let below = self
            .home
            .and_then(|home| Path::new(place).strip_prefix(home).ok());
        let place = match below {
            Some(below) if !below.as_os_str().is_empty() => PathBuf::from("~")
                .join(below)
                .to_string_lossy()
                .into_owned(),
            _ => place.to_owned(),
        };
        escaped(place.as_bytes())
    }
}
