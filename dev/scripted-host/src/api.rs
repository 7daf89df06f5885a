//! The APIs of models, as far as hosts ask for them: a request in, a reply out, both written down.
//!
//! What is said comes from one script, and each API is a way to write it down.

mod completions;
mod gemini;
mod messages;
mod responses;

use std::fmt::Debug;

use serde_json::{Value, json};

use crate::conversation::Dialogue;
use crate::journal::Entry;
use crate::player::{Answer, Player};
use crate::scenario::ApiError;

/// One API, for requests that go on with a conversation.
pub(crate) trait Api: Debug + Sync {
    /// What the request says.
    fn dialogue<'r>(&self, request: &'r Value) -> Dialogue<'r>;

    /// A reply as it is given to whoever asks for no stream.
    fn reply(&self, spoken: &Spoken<'_>) -> Value;

    /// The same reply as the text of a stream of server-sent events.
    fn stream(&self, reply: &Value) -> String;

    /// The body of an error.
    fn error(&self, error: &ApiError) -> Value;
}

/// What the model says.
#[derive(Debug)]
pub(crate) struct Spoken<'a> {
    /// Makes ids unique in a run and the same in the next run.
    pub(crate) number: usize,
    /// The model that was asked for.
    pub(crate) model: &'a str,
    /// What it says, before its tool calls.
    pub(crate) text: Option<String>,
    /// The tools it calls.
    pub(crate) tools: Vec<Called>,
}

/// One call of a tool.
#[derive(Debug)]
pub(crate) struct Called {
    /// The id of the call.
    pub(crate) id: String,
    /// The group of tools that it is in, for an API that has those.
    pub(crate) namespace: Option<String>,
    /// The tool.
    pub(crate) name: String,
    /// Its arguments.
    pub(crate) input: Value,
}

/// A request as it came in.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    /// The HTTP method.
    pub(crate) method: &'a str,
    /// Path and query; a whole URL where the host takes this server for a proxy.
    pub(crate) path: &'a str,
    /// Its content.
    pub(crate) body: &'a [u8],
}

/// What is sent back.
#[derive(Debug)]
pub(crate) struct Reply {
    /// The HTTP status.
    pub(crate) status: u16,
    /// The `Content-Type`.
    pub(crate) kind: &'static str,
    /// The content.
    pub(crate) body: String,
}

/// What a path asks for.
enum Route {
    /// The next turn of a conversation.
    Conversation(&'static dyn Api),
    /// Something that is always the same.
    Fixed(Value),
    /// What no script has.
    Unknown,
}

/// The API of Claude Code, in which errors are written that belong to no other.
pub(crate) fn messages() -> &'static dyn Api {
    &messages::Messages
}

/// The API that a request to `path` is written for, if it goes on with a conversation.
pub(crate) fn of(path: &str) -> Option<&'static dyn Api> {
    match route("POST", path) {
        Route::Conversation(api) => Some(api),
        Route::Fixed(_) | Route::Unknown => None,
    }
}

fn route(method: &str, path: &str) -> Route {
    let path = path.split('?').next().unwrap_or_default();
    match (method, path) {
        ("POST", "/v1/messages") => Route::Conversation(messages()),
        ("POST", "/v1/responses") => Route::Conversation(&responses::Responses),
        ("POST", "/v1/chat/completions") => Route::Conversation(&completions::Completions),
        ("POST", _) if is_generate(path) => Route::Conversation(&gemini::Gemini),
        ("POST", "/v1/messages/count_tokens") => Route::Fixed(json!({"input_tokens": 10})),
        ("POST", _) if path.ends_with(":countTokens") => Route::Fixed(json!({"totalTokens": 10})),
        // Hosts ask for the root to see whether there is a server, and for its models.
        (_, "/") => Route::Fixed(json!({})),
        ("GET", "/v1/models") => Route::Fixed(json!({"object": "list", "data": [], "models": []})),
        _ => Route::Unknown,
    }
}

fn is_generate(path: &str) -> bool {
    path.ends_with(":generateContent") || path.ends_with(":streamGenerateContent")
}

/// Answers one request. Waits for as long as the script says that the model thinks.
pub(crate) fn answer(player: &Player, call: &Call<'_>) -> Reply {
    let journal = player.journal();
    let mut entry = Entry {
        number: journal.number(),
        at_ms: journal.elapsed_ms(),
        method: call.method.to_owned(),
        path: call.path.to_owned(),
        script: None,
        turn: None,
        exhausted: false,
        status: 200,
        request: serde_json::from_slice(call.body).unwrap_or(Value::Null),
        response: Value::Null,
    };
    let mut stream = None;
    match route(call.method, call.path) {
        Route::Conversation(api) => {
            let request = entry.request.clone();
            match player.answer(api, &request, &mut entry) {
                Answer::Said(said) => {
                    entry.response = said;
                    stream = wants_stream(call.path, &request).then(|| api.stream(&entry.response));
                }
                Answer::Error(error) => {
                    entry.status = error.status;
                    entry.response = api.error(&error);
                }
            }
        }
        Route::Fixed(reply) => entry.response = reply,
        Route::Unknown => {
            entry.status = 404;
            entry.response = messages().error(&ApiError {
                status: 404,
                kind: "not_found_error".to_owned(),
                message: "not part of the script".to_owned(),
            });
        }
    }
    let (status, json) = (entry.status, entry.response.to_string());
    journal.add(entry);
    Reply {
        status,
        kind: match &stream {
            Some(_) => "text/event-stream",
            None => "application/json",
        },
        body: stream.unwrap_or(json),
    }
}

/// In the body, or, for Gemini, in the path.
fn wants_stream(path: &str, request: &Value) -> bool {
    request["stream"] == true || path.contains(":streamGenerateContent")
}

/// One server-sent event.
fn sse(name: Option<&str>, data: &Value) -> String {
    match name {
        Some(name) => format!("event: {name}\ndata: {data}\n\n"),
        None => format!("data: {data}\n\n"),
    }
}

#[cfg(test)]
mod tests;
