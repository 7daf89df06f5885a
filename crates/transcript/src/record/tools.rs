//! What the tools of a host do with files, by their names.

use attest_json::{Object, Value};
use attest_shell::text::is_one_of;

use super::{Effect, Shows, ToolUse};

/// The tools of a host: lists of names, with blanks between them.
#[derive(Debug, Default)]
pub struct Tools {
    /// Those that write the file that they are given, each with the name of its parameter for that file.
    pub write: &'static [(&'static str, &'static str)],
    /// Those that are known to write nothing. If a tool is new or custom, the agent gets the benefit of the doubt.
    pub only_read: &'static str,
    /// Those that show a file, each with the name of its parameter for that file.
    pub show_a_file: &'static [(&'static str, &'static str)],
    /// Those that search in files.
    pub show_a_folder: &'static str,
    /// Those that show no file, but perhaps their names. What is left of those that only read may hand on what a
    /// command or a server has read.
    pub show_nothing: &'static str,
}

impl Tools {
    /// Whether the tool with this name is known to write nothing.
    #[must_use]
    pub fn only_reads(&self, tool: &str) -> bool {
        is_one_of(self.only_read, tool)
    }

    /// What a call of a tool that names no file which it writes may show the agent of files; `None` if that is not
    /// known, as of a command.
    pub(crate) fn shows(&self, tool: &str, input: &Object<'_>) -> Option<Shows> {
        if let Some((_, field)) = self.show_a_file.iter().find(|(name, _)| *name == tool) {
            return input.text(field).map(Shows::File);
        }
        if is_one_of(self.show_a_folder, tool) {
            return Some(Shows::Folder);
        }
        is_one_of(self.show_nothing, tool).then_some(Shows::Nothing)
    }

    /// A call of a tool that has its id, its tool and its input in these fields. The input names the file that it writes.
    pub(crate) fn call(&self, call: &Object<'_>, [id, tool, input]: [&str; 3]) -> ToolUse {
        let (id, tool) = (call.text(id), call.text(tool).unwrap_or_default());
        let input = call.value(input);
        let writer = self.write.iter().find(|(name, _)| *name == tool);
        let given = writer.and_then(|(_, field)| Some((input?.object()?, field)));
        let path = given.as_ref().and_then(|(given, field)| given.text(field));
        let targets = Vec::from_iter(path.map(|path| (Effect::Writes, path)));
        let content = given.as_ref().and_then(|(given, _)| given.raw("content"));
        ToolUse {
            content: content.map(str::to_owned),
            ..ToolUse::new(id, tool, targets, input.map(Value::raw))
        }
    }
}
