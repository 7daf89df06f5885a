//! What the tools of an agent say of one path.

use std::collections::HashMap;

use attest_evidence::escaped;
use attest_shell::text::last_part;
use attest_transcript::{Call, CallKind, Outcome, ToolCalls};
use jiff::Timestamp;

/// Characters of a tool's name at most.
const LONGEST_TOOL: usize = 40;
/// Files of one name that are looked at for a path.
const MOST_ALIKE: usize = 1000;

/// Whether the tool calls are known to be complete: only then does a missing one mean anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Settled {
    Yes,
    No,
}

impl Settled {
    /// Whether the tool calls include all up to the message.
    pub(super) fn of(tool_calls: &ToolCalls, message: &str) -> Self {
        if tool_calls.is_whole && tool_calls.ends_with(message) {
            Self::Yes
        } else {
            Self::No
        }
    }
}

/// What the calls say of paths, as the first half of a sentence, by the last part of each path: a report may claim
/// thousands, and an agent may call tools as often.
#[derive(Debug)]
pub(crate) struct Testimonies<'c> {
    calls: &'c [Call],
    settled: Settled,
    /// Each path that calls name, as it is reported, with the last call that does. The last of them is the newest.
    named: HashMap<String, Vec<(String, usize)>>,
    /// The last call that may have written anywhere. A tool that names the file that it writes wrote no other one, and
    /// one that reads by its name wrote none.
    may_write: Option<usize>,
}

impl<'c> Testimonies<'c> {
    /// With how a path is reported.
    pub(super) fn of(
        tool_calls: &'c ToolCalls,
        settled: Settled,
        name: impl Fn(&str) -> String,
    ) -> Self {
        let calls = &tool_calls.calls;
        let mut last: HashMap<&str, usize> = HashMap::new();
        let paths = calls.iter().enumerate();
        last.extend(paths.filter_map(|(at, call)| Some((call.path.as_deref()?, at))));
        let mut last: Vec<_> = last.into_iter().collect();
        last.sort_unstable_by_key(|(_, at)| *at);
        let mut named: HashMap<_, Vec<_>> = HashMap::new();
        for (path, at) in last {
            let path = name(path);
            let known = named.entry(last_part(&path).to_owned());
            known.or_default().push((path, at));
        }
        Self {
            calls,
            settled,
            named,
            may_write: calls.iter().rposition(|it| it.kind == CallKind::MayWrite),
        }
    }

    /// What they say of this path, or of one that ends with it; `None` where they say nothing, or too many name a file
    /// like it.
    pub(crate) fn find(&self, claimed: &str) -> Option<String> {
        let named = self.named.get(last_part(claimed));
        let named = named.map_or(&[][..], Vec::as_slice);
        let mut newest = named.iter().rev().take(MOST_ALIKE);
        let own = newest.find(|(path, _)| same_file(path, claimed));
        let may_write = self.may_write.map(|at| &self.calls[at]);
        let Some((_, at)) = own else {
            let is_known = self.settled == Settled::Yes && named.len() <= MOST_ALIKE;
            return is_known.then(|| match may_write {
                Some(call) => {
                    let tool = tool(call);
                    format!("no write tool was called for it, though {tool} may have touched it")
                }
                None => "no tool call touched it".to_owned(),
            });
        };
        let call = &self.calls[*at];
        let what = match (call.kind, call.result) {
            (CallKind::Write | CallKind::WriteElsewhere, Outcome::Ok) => "reported success",
            (_, Outcome::Error) => "reported an error",
            (CallKind::Write | CallKind::WriteElsewhere, Outcome::Unknown) => {
                "was called, without a result,"
            }
            _ => "was to remove it",
        };
        let mut text = format!("{} {what}{}", tool(call), time(call));
        if let Some(later) = may_write.filter(|_| self.may_write > Some(*at)) {
            text.push_str(&format!(", {} ran after it", tool(later)));
        }
        Some(text)
    }
}

/// Whether `claimed` means `path`: it is the path, or the end of it, since an agent may write a name
/// from the folder that it works in.
pub(super) fn same_file(path: &str, claimed: &str) -> bool {
    path.strip_suffix(claimed).is_some_and(|before| {
        !claimed.is_empty() && (before.is_empty() || before.ends_with(['/', '\\']))
    })
}

fn tool(call: &Call) -> String {
    let name = escaped(call.tool.as_bytes());
    name.chars().take(LONGEST_TOOL).collect()
}

fn time(call: &Call) -> String {
    let at: Option<Timestamp> = call.at.as_deref().and_then(|at| at.parse().ok());
    at.map_or_else(String::new, |at| format!(" at {}", at.strftime("%H:%M:%S")))
}
