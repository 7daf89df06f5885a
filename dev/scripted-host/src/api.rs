//! The Messages API, as far as the host asks for it: a request in, a reply out, both written down.

use serde_json::{Value, json};

use crate::journal::Entry;
use crate::player::{Answer, Player};
use crate::reply;
use crate::scenario::ApiError;

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
        status: 0,
        request: serde_json::from_slice(call.body).unwrap_or(Value::Null),
        response: Value::Null,
    };
    let (status, body) = match route(player, call, &mut entry) {
        Answer::Message(message) => (200, message),
        Answer::Error(error) => (error.status, reply::error(&error)),
    };
    entry.status = status;
    entry.response = body.clone();
    let is_stream = entry.request["stream"] == true && status == 200;
    journal.add(entry);
    if is_stream {
        Reply {
            status,
            kind: "text/event-stream",
            body: reply::stream(&body),
        }
    } else {
        Reply {
            status,
            kind: "application/json",
            body: body.to_string(),
        }
    }
}

fn route(player: &Player, call: &Call<'_>, entry: &mut Entry) -> Answer {
    let path = call.path.split('?').next().unwrap_or_default();
    match (call.method, path) {
        ("POST", "/v1/messages") => {
            let request = entry.request.clone();
            player.answer(&request, entry)
        }
        ("POST", "/v1/messages/count_tokens") => Answer::Message(json!({"input_tokens": 10})),
        // The host asks for the root to see whether there is a server.
        (_, "/") => Answer::Message(json!({})),
        _ => Answer::Error(ApiError {
            status: 404,
            kind: "not_found_error".to_owned(),
            message: "not part of the script".to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests;
