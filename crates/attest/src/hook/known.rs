//! What an agent may know of a file without opening it: from its prompt, or from the instructions of the project.

use std::path::{Path, PathBuf};

use attest_host::hosts::INSTRUCTIONS;
use attest_snapshot::{canonical, read_regular_whole};
use attest_transcript::SoughtFile;

use super::context::Context;

/// The largest file that is looked for in what an agent was told, in bytes.
const MOST_BYTES: u64 = 1024 * 1024;
/// The type of agent that begins with all that its parent knows.
const FORK: &str = "fork";

/// What is looked for of the file in the agent's transcript; `None` if it is not a readable text of the work tree at
/// `root`, and so may be known.
pub(super) fn sought(context: &Context, root: &Path, file: &str) -> Option<SoughtFile> {
    let text = text_of(context, root, file)?;
    let name = name(file).to_owned();
    let file = file.to_owned();
    Some(SoughtFile { file, name, text })
}

/// Whether the agent may know what the file holds although its transcript does not show it.
pub(super) fn is_known(context: &Context, root: &Path, file: &str) -> bool {
    context.payload.agent_type.as_deref() == Some(FORK)
        || is_in_instructions(context, root, name(file))
}

fn name(file: &str) -> &str {
    file.rsplit(['/', '\\']).next().unwrap_or(file)
}

/// The text of a file of the work tree.
fn text_of(context: &Context, root: &Path, file: &str) -> Option<String> {
    let folders = context
        .payload
        .cwd
        .iter()
        .map(PathBuf::as_path)
        .chain([root]);
    let mut places = folders.map(|folder| folder.join(file));
    places.find_map(|place| {
        context.limits.may_look(&place).ok()?;
        let place = canonical(&place).ok()?;
        place.starts_with(root).then(|| read(&place)).flatten()
    })
}

/// The text of a regular file, `None` if it is something else or cannot be read as a text.
fn read(place: &Path) -> Option<String> {
    let (bytes, _) = read_regular_whole(place, MOST_BYTES).ok()??;
    String::from_utf8(bytes).ok()
}

/// Whether instructions name the file, are it, or take in other texts.
fn is_in_instructions(context: &Context, root: &Path, name: &str) -> bool {
    let is_text = Path::new(name)
        .extension()
        .is_some_and(|it| it.eq_ignore_ascii_case("md"));
    let folders = folders(context, root);
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
fn folders(context: &Context, root: &Path) -> Vec<PathBuf> {
    let cwd = context.payload.cwd.as_deref().unwrap_or(root);
    let above = cwd.ancestors().chain(root.ancestors());
    let home = context.config.home.iter();
    let above = above.filter(|folder| context.limits.may_look(folder).is_ok());
    let mut folders: Vec<_> = above.map(Path::to_owned).collect();
    folders.extend(home.cloned());
    folders.sort();
    folders.dedup();
    folders
}
