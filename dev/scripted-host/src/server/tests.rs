use std::io::{Read as _, Write as _};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::*;

fn start(scenario: &str) -> Server {
    Server::start(
        "127.0.0.1:0".parse().unwrap(),
        Scenario::parse(scenario).unwrap(),
        BTreeMap::new(),
        Journal::new(None).unwrap(),
    )
    .unwrap()
}

/// Sends a request over a connection that stays open, and reads until `end` has come back.
fn ask(stream: &mut TcpStream, head: &str, body: &str, end: &str) -> String {
    ask_with(stream, head, "", body, end)
}

/// The same with more lines in the head.
fn ask_with(stream: &mut TcpStream, head: &str, more: &str, body: &str, end: &str) -> String {
    answer(stream, head, more, body, end).unwrap()
}

/// The same of a server that may be gone.
fn answer(
    stream: &mut TcpStream,
    head: &str,
    more: &str,
    body: &str,
    end: &str,
) -> io::Result<String> {
    let length = body.len();
    let request =
        format!("{head} HTTP/1.1\r\nhost: h\r\n{more}content-length: {length}\r\n\r\n{body}");
    stream.write_all(request.as_bytes())?;
    // An answer with another end fails the test, and does not stop it for ever.
    let patience = Some(Duration::from_secs(20));
    stream.set_read_timeout(patience)?;
    let mut answer = Vec::new();
    while !answer.ends_with(end.as_bytes()) {
        let mut byte = [0];
        stream.read_exact(&mut byte)?;
        answer.push(byte[0]);
    }
    Ok(String::from_utf8(answer).unwrap())
}

#[test]
fn listens_on_loopback_only() {
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"] {
        let refused = Server::start(
            address.parse().unwrap(),
            Scenario::default(),
            BTreeMap::new(),
            Journal::new(None).unwrap(),
        );
        assert!(
            matches!(refused, Err(ServerError::NotLoopback(_))),
            "{address}"
        );
    }
}

#[test]
fn starts_on_a_free_port_and_stops_when_dropped() {
    let server = start("[scripts]");
    let (address, key) = (server.address, server.key.as_path().clone());
    assert!(server.url().starts_with("http://127.0.0.1:"));
    let mut open = TcpStream::connect(address).unwrap();
    drop(server);
    assert_eq!(open.read(&mut [0]).unwrap_or(0), 0);
    // Another test may have the port by now: a server with another key, which may stop meanwhile.
    let answered = TcpStream::connect(address)
        .and_then(|mut other| answer(&mut other, &format!("HEAD {key}"), "", "", "\r\n\r\n"));
    assert!(
        !answered
            .as_ref()
            .is_ok_and(|answer| answer.starts_with("HTTP/1.1 200")),
        "{answered:?}"
    );
}

#[test]
fn one_connection_carries_many_requests_also_large_ones() {
    let server = start("[[scripts.a]]\ntext = 'hello'\n[[scripts.a]]\ntext = 'again'\n");
    let stream = &mut TcpStream::connect(server.address).unwrap();
    let key = server.key.as_path();
    let probed = ask(stream, &format!("HEAD {key}"), "", "\r\n\r\n");
    assert!(probed.starts_with("HTTP/1.1 200 OK\r\n"), "{probed}");
    let prompt = format!("[[script:a]]{}", " ".repeat(3_000_000));
    let request = serde_json::json!({
        "stream": true,
        "tools": [{"name": "Bash"}],
        "messages": [{"role": "user", "content": prompt}],
    });
    for said in ["hello", "again"] {
        let end = "data: {\"type\":\"message_stop\"}\n\n";
        let answer = ask(
            stream,
            &format!("POST {key}/v1/messages?beta=true"),
            &request.to_string(),
            end,
        );
        assert!(
            answer.contains("content-type: text/event-stream\r\n"),
            "{answer}"
        );
        assert!(answer.contains(said), "{answer}");
    }
    assert_eq!(server.journal().entries().len(), 3);
}

#[test]
fn connections_do_not_wait_for_each_other() {
    let server = start("[[scripts.slow]]\ndelay_ms = 60000\n");
    let slow = &mut TcpStream::connect(server.address).unwrap();
    let request =
        "{\"tools\": [{}], \"messages\": [{\"role\": \"user\", \"content\": \"[[script:slow]]\"}]}";
    let length = request.len();
    let key = server.key.as_path();
    let head = format!("POST {key}/v1/messages HTTP/1.1\r\nhost: h");
    write!(slow, "{head}\r\ncontent-length: {length}\r\n\r\n{request}").unwrap();
    let stream = &mut TcpStream::connect(server.address).unwrap();
    assert!(ask(stream, &format!("GET {key}/"), "", "{}").contains(" 200 OK"));
}

#[test]
fn a_host_that_takes_it_for_a_proxy_is_refused_and_written_down() {
    let server = start("[scripts]");
    for (head, path) in [
        ("CONNECT example.org:443", "example.org:443"),
        (
            "POST http://example.org/v1/messages",
            "http://example.org/v1/messages",
        ),
    ] {
        let stream = &mut TcpStream::connect(server.address).unwrap();
        let credentials = STANDARD.encode(server.key.as_credentials());
        let more = format!("proxy-authorization: Basic {credentials}\r\n");
        let answer = ask_with(stream, head, &more, "", "\"type\":\"error\"}");
        assert!(answer.starts_with("HTTP/1.1 404 Not Found\r\n"), "{answer}");
        assert_eq!(server.journal().entries().last().unwrap().path, path);
    }
}

/// Whoever is on the machine can reach the port.
#[test]
fn a_stranger_is_not_answered_and_leaves_nothing() {
    let server = start("[[scripts.a]]\ntext = 'hello'\n");
    assert_ne!(start("[scripts]").url(), server.url());
    let key = server.key.as_path();
    let wrong = STANDARD.encode("host:guess");
    let request = r#"{"tools": [{}], "messages": [{"role": "user", "content": "[[script:a]]"}]}"#;
    for (head, more) in [
        ("POST /v1/messages", ""),
        ("POST /", ""),
        ("POST /guess/v1/messages", ""),
        (&*format!("POST {key}x/v1/messages"), ""),
        (&format!("POST /x{key}/v1/messages"), ""),
        (&format!("POST {}/v1/messages", &key[..key.len() - 1]), ""),
        ("POST /v1/messages", "x-api-key: scripted\r\n"),
        (
            "POST http://example.org/v1/messages",
            &format!("proxy-authorization: Basic {wrong}\r\n"),
        ),
    ] {
        let stream = &mut TcpStream::connect(server.address).unwrap();
        let answer = ask_with(stream, head, more, request, "\r\n\r\n");
        assert!(
            answer.starts_with("HTTP/1.1 403 Forbidden\r\n"),
            "{head}: {answer}"
        );
        assert!(!answer.contains("hello"), "{answer}");
    }
    assert!(server.journal().entries().is_empty());
}
