//! What the calls of an agent wrote, or may have, by the last parts of the names that they give: many files are asked
//! about, and an agent makes thousands of calls.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use attest_shell::Place;
use attest_transcript::{Call, Session, Written};

use super::alike::{any_case, is_same, last_name, last_part};
use super::transcript::Transcript;

/// The calls of one agent.
pub(super) struct OwnWrites {
    session: Rc<Session>,
    /// Those of tools that reported to have written, by number.
    of_tools: HashMap<String, Vec<usize>>,
    /// Those of commands that ended well and are to write, each with the path.
    of_commands: HashMap<String, Vec<(usize, String)>>,
    /// All paths that a call may have written.
    named: HashMap<String, Vec<String>>,
    /// Folders in which one may have written more than it names.
    around: HashSet<PathBuf>,
    /// Whether one may have written anything.
    is_open: bool,
}

impl OwnWrites {
    /// Those of an agent that began in the work tree at `root`.
    pub(super) fn of(session: &Rc<Session>, transcript: &Transcript<'_>, root: &Path) -> Self {
        let mut found = Self {
            session: Rc::clone(session),
            of_tools: HashMap::new(),
            of_commands: HashMap::new(),
            named: HashMap::new(),
            around: HashSet::new(),
            is_open: false,
        };
        let calls = &session.tool_calls;
        for (number, call) in calls.calls.iter().enumerate() {
            if let Some(path) = written_path(call)
                && let Some(last) = last_name(path)
            {
                let named = found.of_tools.entry(any_case(last));
                named.or_default().push(number);
            }
        }
        for (number, path) in calls.to_be_written() {
            // "a.py/." ends in "." and names "a.py".
            let ends = [Some(last_part(path)), last_name(path)];
            let ends: HashSet<_> = ends.into_iter().flatten().map(any_case).collect();
            for end in ends {
                let named = found.of_commands.entry(end);
                named.or_default().push((number, path.to_owned()));
            }
        }
        let written = calls.written();
        found.is_open = !written.is_complete();
        for written in written.found() {
            found.add(written, transcript, root);
        }
        found
    }

    fn add(&mut self, written: &Written<'_>, transcript: &Transcript<'_>, root: &Path) {
        match written {
            Written::Place(Place::Around(path)) => {
                for place in transcript.absolute(path, root) {
                    self.around.extend(place.parent().map(Path::to_owned));
                    self.around.insert(place);
                }
            }
            Written::Place(Place::Brought) => self.is_open = true,
            Written::Place(Place::Removed(_) | Place::Staged(_) | Place::Program { .. }) => {}
            Written::Place(
                Place::Exact(path) | Place::Elsewhere(path) | Place::Moved { to: path, .. },
            ) => self.name(path),
            Written::File(path) | Written::Elsewhere(path) => self.name(path),
        }
    }

    fn name(&mut self, path: &str) {
        let named = self.named.entry(any_case(last_part(path)));
        named.or_default().push(path.to_owned());
    }

    /// The calls of tools that reported to have written a file whose last name is that of this one, the last first, each
    /// with the path.
    pub(super) fn of_tools(&self, name: &str) -> impl Iterator<Item = (&Call, &str)> {
        let calls = self.of_tools.get(&any_case(last_part(name)));
        let calls = calls.into_iter().flatten().rev();
        let calls = calls.filter_map(|number| self.session.tool_calls.calls.get(*number));
        calls.filter_map(|call| Some((call, written_path(call)?)))
    }

    /// The last command that ended well and is to write a file of this name whose path is wanted, and when that was.
    pub(super) fn command_for(
        &self,
        name: &str,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Option<(String, Option<&str>)> {
        let commands = self.of_commands.get(&any_case(last_part(name)))?;
        let wanted = commands.iter().rev().filter(|(_, path)| is_wanted(path));
        let mut numbers = wanted.map(|(number, _)| *number);
        numbers.find_map(|number| self.session.tool_calls.command_that_ended(number))
    }

    /// Whether a call that may write more than it names ran where it may have written the file, or names it.
    pub(super) fn may_be(&self, name: &str, root: &Path) -> bool {
        let named = self.named.get(&any_case(last_part(name)));
        let file = root.join(name);
        self.is_open
            || file.ancestors().any(|above| self.around.contains(above))
            || named.is_some_and(|paths| paths.iter().any(|path| is_same(path, name)))
    }
}

fn written_path(call: &Call) -> Option<&str> {
    call.path.as_deref().filter(|_| call.has_written())
}
