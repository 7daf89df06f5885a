//! The HTTP server.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::JoinHandle;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{Method, StatusCode, Uri};
use axum::response::sse::{Event as SseEvent, Sse};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::{any, post};
use futures_util::stream;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::journal::{Entry, Journal};
use crate::player::{Answer, Player};
use crate::reply;
use crate::scenario::{ApiError, Scenario};

/// Why the server does not run.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// Anything but loopback would offer the script, and the host's prompts, to the network.
    #[error("refusing to listen on {0}: loopback only")]
    NotLoopback(SocketAddr),
    /// The system does not let it.
    #[error("cannot serve: {0}")]
    Io(#[from] std::io::Error),
}

/// A running server. It stops when it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    journal: Arc<Journal>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts to play `scenario` on `address`, which must be loopback; port 0 takes a free one.
    ///
    /// `variables` are filled in for `${NAME}` in texts and tool arguments, besides `${agent_id}`
    /// (the agent named last in the conversation) and `${cwd}` (where the agent works).
    pub fn start(
        address: SocketAddr,
        scenario: Scenario,
        variables: BTreeMap<String, String>,
        journal: Journal,
    ) -> Result<Self, ServerError> {
        if !address.ip().is_loopback() {
            return Err(ServerError::NotLoopback(address));
        }
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let journal = Arc::new(journal);
        let router = router(Player::new(scenario, variables, Arc::clone(&journal)));
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = std::thread::spawn(move || {
            runtime.block_on(async move {
                let Ok(listener) = tokio::net::TcpListener::from_std(listener) else {
                    return;
                };
                let serve = async { axum::serve(listener, router).await };
                // Not the graceful way: the host keeps its connections open.
                tokio::select! {
                    _ = serve => {}
                    _ = stopped => {}
                }
            });
        });
        Ok(Self {
            address,
            journal,
            stop: Some(stop),
            thread: Some(thread),
        })
    }

    /// Where the host finds it.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What was asked so far.
    #[must_use]
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Serves until the process ends.
    pub fn wait(mut self) {
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn router(player: Arc<Player>) -> Router {
    Router::new()
        .route("/v1/messages", post(messages))
        .route("/v1/messages/count_tokens", post(count_tokens))
        .route("/", any(root))
        .fallback(unknown)
        .layer(DefaultBodyLimit::disable())
        .with_state(player)
}

async fn messages(
    State(player): State<Arc<Player>>,
    method: Method,
    uri: Uri,
    body: Bytes,
) -> Response {
    let mut entry = open(&player, &method, &uri, &body);
    let request = entry.request.clone();
    let answer = player.answer(&request, &mut entry).await;
    let stream = request["stream"] == true;
    close(&player, entry, answer, stream)
}

async fn count_tokens(
    State(player): State<Arc<Player>>,
    method: Method,
    uri: Uri,
    body: Bytes,
) -> Response {
    let entry = open(&player, &method, &uri, &body);
    let answer = Answer::Other(StatusCode::OK, json!({"input_tokens": 10}));
    close(&player, entry, answer, false)
}

/// The host asks for the root to see whether there is a server.
async fn root(
    State(player): State<Arc<Player>>,
    method: Method,
    uri: Uri,
    body: Bytes,
) -> Response {
    let entry = open(&player, &method, &uri, &body);
    close(
        &player,
        entry,
        Answer::Other(StatusCode::OK, json!({})),
        false,
    )
}

async fn unknown(
    State(player): State<Arc<Player>>,
    method: Method,
    uri: Uri,
    body: Bytes,
) -> Response {
    let entry = open(&player, &method, &uri, &body);
    let answer = Answer::Error(ApiError {
        status: 404,
        kind: "not_found_error".to_owned(),
        message: "not part of the script".to_owned(),
    });
    close(&player, entry, answer, false)
}

fn open(player: &Player, method: &Method, uri: &Uri, body: &Bytes) -> Entry {
    Entry {
        number: player.journal().number(),
        at_ms: player.journal().elapsed_ms(),
        method: method.to_string(),
        path: uri.to_string(),
        script: None,
        turn: None,
        exhausted: false,
        status: 0,
        request: serde_json::from_slice(body).unwrap_or(Value::Null),
        response: Value::Null,
    }
}

fn close(player: &Player, mut entry: Entry, answer: Answer, stream: bool) -> Response {
    let (status, body) = match answer {
        Answer::Message(message) => (StatusCode::OK, message),
        Answer::Error(error) => (
            StatusCode::from_u16(error.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
            reply::error(&error),
        ),
        Answer::Other(status, body) => (status, body),
    };
    entry.status = status.as_u16();
    entry.response = body.clone();
    player.journal().add(entry);
    if stream && status == StatusCode::OK {
        let events = reply::events(&body).into_iter().map(|(name, data)| {
            Ok::<_, Infallible>(SseEvent::default().event(name).data(data.to_string()))
        });
        Sse::new(stream::iter(events)).into_response()
    } else {
        (status, Json(body)).into_response()
    }
}

#[cfg(test)]
mod tests;
