//! The content of a message in the form of Anthropic's API, which several hosts write into their transcripts.

use attest_json::{Object, Value};

use crate::printed::Printed;
use crate::record::{Block, ToolResult, Tools};

/// The parts of a content that is an array.
pub(crate) fn items(content: Value<'_>) -> Vec<Object<'_>> {
    let items = content.array().unwrap_or_default().into_iter();
    items.filter_map(Value::object).collect()
}

/// Content is an array of blocks, which `items` are, or a string that stands for one text block.
pub(crate) fn blocks(content: Value<'_>, items: &[Object<'_>], tools: &Tools) -> Vec<Block> {
    if let Some(text) = content.text() {
        return vec![Block::Text(text)];
    }
    items.iter().map(|item| block(item, tools)).collect()
}

fn block(item: &Object<'_>, tools: &Tools) -> Block {
    match item.word("type") {
        Some("text") => item.text("text").map_or(Block::Other, Block::Text),
        Some("tool_use") => Block::ToolUse(tools.call(item, ["id", "name", "input"])),
        _ => Block::Other,
    }
}

/// What a message of a user says, by the blocks of its content: words, if it is no answer of a tool.
pub(crate) fn words(content: Value<'_>, blocks: &[Object<'_>]) -> Option<String> {
    if let Some(text) = content.text() {
        return Some(text);
    }
    let is_result = |item: &Object<'_>| item.word("type") == Some("tool_result");
    if blocks.iter().any(is_result) {
        return None;
    }
    let texts: Vec<_> = blocks.iter().filter_map(|item| item.text("text")).collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// The tool results in the blocks of a message of a user, of a host that says with which status a command ended.
pub(crate) fn results(
    blocks: &[Object<'_>],
    exit: fn(bool, Option<Value<'_>>) -> Option<i32>,
) -> Vec<ToolResult> {
    let results = blocks.iter().filter_map(|block| result(block, exit));
    results.collect()
}

/// A tool that succeeds may leave `is_error` out, or say `false`.
fn result(
    block: &Object<'_>,
    exit: fn(bool, Option<Value<'_>>) -> Option<i32>,
) -> Option<ToolResult> {
    (block.word("type")? == "tool_result").then_some(())?;
    let printed = block.value("content").and_then(printed);
    let success = !block.is_true("is_error");
    Some(ToolResult {
        id: block.text("tool_use_id")?,
        success: Some(success),
        exit: exit(success, printed),
        printed: printed.and_then(Printed::of_value),
    })
}

/// What a tool answered: the content itself, or the text of its first part.
fn printed(content: Value<'_>) -> Option<Value<'_>> {
    match content.array() {
        Some(parts) => parts.first()?.object()?.value("text"),
        None => Some(content),
    }
}
