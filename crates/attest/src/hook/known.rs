//! What an agent may know of a file without opening it: from its prompt, or from the instructions of the project.

use std::path::{Path, PathBuf};

use attest_host::AgentTranscript;
use attest_host::hosts::INSTRUCTIONS;
use attest_snapshot::{WorkTree, canonical, read_regular_whole};
use attest_transcript::is_given;

use super::context::Context;
use super::transcript::question_deadline;

/// The largest file that is looked for in what an agent was told, in bytes.
const MOST_BYTES: u64 = 1024 * 1024;
/// The type of agent that begins with all that its parent knows.
const FORK: &str = "fork";

/// Whether the agent may know what the file holds although no call of it shows it. What is not a readable text of the
/// work tree may be known.
pub(super) fn may_be_known(context: &Context, tree: &WorkTree, file: &str) -> bool {
    let AgentTranscript::Named(transcript) = &context.payload.agent_transcript else {
        return true;
    };
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let Some(text) = text_of(context, tree, file) else {
        return true;
    };
    if context.payload.agent_type.as_deref() == Some(FORK)
        || is_in_instructions(context, tree, name)
    {
        return true;
    }
    let forms = context.harness.transcripts();
    is_given(transcript, forms, name, &text, question_deadline(context)).unwrap_or_else(|error| {
        context.shrug("LEDGER_UNREADABLE", &error);
        true
    })
}

/// The text of a file of the work tree.
fn text_of(context: &Context, tree: &WorkTree, file: &str) -> Option<String> {
    let folders = context.payload.cwd.iter().chain([&tree.root]);
    let mut places = folders.map(|folder| folder.join(file));
    places.find_map(|place| {
        let place = canonical(&place).ok()?;
        place
            .starts_with(&tree.root)
            .then(|| read(&place))
            .flatten()
    })
}

/// The text of a regular file, `None` if it is something else or cannot be read as a text.
fn read(place: &Path) -> Option<String> {
    let (bytes, _) = read_regular_whole(place, MOST_BYTES).ok()??;
    String::from_utf8(bytes).ok()
}

/// Whether instructions name the file, are it, or take in other texts.
fn is_in_instructions(context: &Context, tree: &WorkTree, name: &str) -> bool {
    let is_text = Path::new(name)
        .extension()
        .is_some_and(|it| it.eq_ignore_ascii_case("md"));
    let folders = folders(context, tree);
    let mut places = folders
        .iter()
        .flat_map(|folder| INSTRUCTIONS.iter().map(|it| folder.join(it)));
    places.any(|place| {
        let is_it = place
            .file_name()
            .is_some_and(|it| it.eq_ignore_ascii_case(name));
        let names_it = || read(&place).is_none_or(|text| text_names(&text, name, is_text));
        is_it || place.exists() && names_it()
    })
}

fn text_names(text: &str, name: &str, is_text: bool) -> bool {
    text.contains(name) || is_text && text.split_whitespace().any(|word| word.starts_with('@'))
}

/// The folders whose instructions an agent is given: its own and those above, and the person's.
fn folders(context: &Context, tree: &WorkTree) -> Vec<PathBuf> {
    let cwd = context.payload.cwd.as_deref().unwrap_or(&tree.root);
    let above = cwd.ancestors().chain(tree.root.ancestors());
    let home = context.config.home.iter();
    let mut folders: Vec<_> = above.map(Path::to_owned).collect();
    folders.extend(home.cloned());
    folders.sort();
    folders.dedup();
    folders
}
