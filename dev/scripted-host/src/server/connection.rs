//! One connection: HTTP from hyper, over a socket whose calls wait.

use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::pin::Pin;
use std::task::{Context, Poll};

use http_body_util::{BodyExt as _, Collected, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::CONTENT_TYPE;
use hyper::rt::ReadBufCursor;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};

use super::key::Key;
use crate::api::{self, Call};
use crate::player::Player;

/// The most that is read at a time, in bytes.
const CHUNK: usize = 16 * 1024;

/// Answers requests until the host closes the connection.
pub(super) fn serve(stream: TcpStream, player: &Player, key: &Key) {
    let service = service_fn(|request| respond(player, key, request));
    let connection = http1::Builder::new()
        // Without it hyper looks for the end of the connection while an answer is made, and would
        // wait there.
        .half_close(true)
        .serve_connection(Blocking(stream), service);
    // A host that goes away in the middle of an answer is nobody's fault.
    let _ = pollster::block_on(connection);
}

async fn respond(
    player: &Player,
    key: &Key,
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, hyper::http::Error> {
    let (head, body) = request.into_parts();
    // Nothing of a stranger's request is read or kept.
    let Some(path) = key.path_of(&head) else {
        let refused = Response::builder().status(StatusCode::FORBIDDEN);
        return refused.body(Full::new(Bytes::new()));
    };
    // What arrived of a request that was broken off is no JSON, and is answered as such.
    let body = body.collect().await.map(Collected::to_bytes);
    let call = Call {
        method: head.method.as_str(),
        path: &path,
        body: &body.unwrap_or_default(),
    };
    let reply = api::answer(player, &call);
    Response::builder()
        .status(reply.status)
        .header(CONTENT_TYPE, reply.kind)
        .body(Full::new(reply.body.into()))
}

/// A socket that is always ready, since its calls wait. Each connection has a thread to itself, so
/// nothing else waits with it.
struct Blocking(TcpStream);

impl hyper::rt::Read for Blocking {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        mut buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let mut bytes = [0; CHUNK];
        let most = CHUNK.min(buffer.remaining());
        let read = self.0.read(&mut bytes[..most])?;
        buffer.put_slice(&bytes[..read]);
        Poll::Ready(Ok(()))
    }
}

impl hyper::rt::Write for Blocking {
    fn poll_write(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Poll::Ready(self.0.write(bytes))
    }

    fn poll_flush(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(self.0.flush())
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(self.0.shutdown(Shutdown::Write))
    }
}
