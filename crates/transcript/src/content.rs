//! The content of a message in the form of Anthropic's API, which several hosts write into their transcripts.

use attest_json::{self as json, Object};

use crate::record::{Block, Shows, ToolResult, ToolUse};

/// How much of what a command printed is looked at.
const PRINTED_BYTES: usize = 400;

/// Content is an array of blocks, or a string that stands for one text block.
pub(crate) fn blocks(content: &str, tool_use: fn(&Object<'_>) -> ToolUse) -> Vec<Block> {
    if let Some(text) = json::text(content) {
        return vec![Block::Text(text)];
    }
    let items = json::array(content).unwrap_or_default();
    items
        .into_iter()
        .map(|item| block(item, tool_use))
        .collect()
}

fn block(item: &str, tool_use: fn(&Object<'_>) -> ToolUse) -> Block {
    let Ok(item) = Object::parse(item) else {
        return Block::Other;
    };
    match item.text("type").as_deref() {
        Some("text") => item.text("text").map_or(Block::Other, Block::Text),
        Some("tool_use") => Block::ToolUse(tool_use(&item)),
        _ => Block::Other,
    }
}

/// What a message of a user says, if it is no answer of a tool.
pub(crate) fn words(message: &Object<'_>) -> Option<String> {
    let content = message.raw("content")?;
    if let Some(text) = json::text(content) {
        return Some(text);
    }
    let items = json::array(content)?.into_iter();
    let items: Vec<_> = items.filter_map(|it| Object::parse(it).ok()).collect();
    let is_result = |item: &Object<'_>| item.text("type").as_deref() == Some("tool_result");
    let texts: Vec<_> = items.iter().filter_map(|item| item.text("text")).collect();
    (!items.iter().any(is_result) && !texts.is_empty()).then(|| texts.join("\n"))
}

/// The tool results in the message of a user.
pub(crate) fn results(line: &Object<'_>) -> Vec<ToolResult> {
    results_with(line, |_| None)
}

/// The same, of a host that says with which status a command ended in what it printed.
pub(crate) fn results_with(line: &Object<'_>, exit: fn(&str) -> Option<i32>) -> Vec<ToolResult> {
    let message = line.object("message");
    let content = message.and_then(|message| json::array(message.raw("content")?));
    content
        .into_iter()
        .flatten()
        .filter_map(|item| result(&Object::parse(item).ok()?, exit))
        .collect()
}

/// A tool that succeeds may leave `is_error` out, or say `false`.
fn result(block: &Object<'_>, exit: fn(&str) -> Option<i32>) -> Option<ToolResult> {
    (block.text("type")? == "tool_result").then_some(())?;
    let content = block.raw("content").unwrap_or_default();
    let of_parts = || {
        let parts = json::array(content)?;
        Object::parse(parts.first()?).ok()?.text("text")
    };
    let printed = json::text(content).or_else(of_parts);
    Some(ToolResult {
        id: block.text("tool_use_id")?,
        success: Some(!block.is_true("is_error")),
        exit: printed.as_deref().and_then(exit),
        printed: printed.and_then(|text| beginning(&text)),
    })
}

/// What a tool shows of files, by lists of tools: those that show the file in a parameter of theirs, those that show a
/// folder, and those that show nothing.
pub(crate) fn shows(
    tool: &str,
    input: &Object<'_>,
    files: &[(&str, &str)],
    folders: &[&str],
    nothing: &[&str],
) -> Option<Shows> {
    if let Some((_, field)) = files.iter().find(|(name, _)| *name == tool) {
        return input.text(field).map(Shows::File);
    }
    let folder = folders.contains(&tool).then_some(Shows::Folder);
    folder.or_else(|| nothing.contains(&tool).then_some(Shows::Nothing))
}

/// As much of what was printed as it takes to see that a command did not begin, or goes on.
pub(crate) fn beginning(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text[..text.floor_char_boundary(PRINTED_BYTES)].to_owned())
}
