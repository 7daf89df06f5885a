//! `install.sh` without a clone: read from standard input, with a release from a server on this machine.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use crate::common::programs::make_program;
use crate::common::{BINARY, Printed, TestContext};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../install.sh");

/// A server of files in memory, and what it was asked for.
struct Server {
    address: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn of(files: BTreeMap<String, Vec<u8>>) -> Self {
        Self::sending(files, None)
    }

    /// One that sends everybody to another address.
    fn sending(files: BTreeMap<String, Vec<u8>>, elsewhere: Option<String>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/download/v9.9.9", listener.local_addr().unwrap());
        let asked = Arc::<Mutex<Vec<String>>>::default();
        let heard = Arc::clone(&asked);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let name = answer(&stream, &files, elsewhere.as_deref());
                heard.lock().unwrap().push(name);
            }
        });
        Self { address, asked }
    }
}

fn answer(
    mut stream: &TcpStream,
    files: &BTreeMap<String, Vec<u8>>,
    elsewhere: Option<&str>,
) -> String {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let first = lines.next().unwrap_or_default();
    // The rest of the head, so that nothing is left unread.
    lines.find(String::is_empty);
    let path = first.split(' ').nth(1).unwrap_or_default();
    let name = path
        .strip_prefix("/download/v9.9.9/")
        .unwrap_or("elsewhere");
    let (status, body) = match (files.get(name), elsewhere) {
        (_, Some(_)) => ("302 Found", &b""[..]),
        (Some(body), None) => ("200 OK", body.as_slice()),
        (None, None) => ("404 Not Found", &b"no such file"[..]),
    };
    let to = elsewhere.map_or_else(String::new, |it| format!("Location: {it}/{name}\r\n"));
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Length: {}\r\n{to}Connection: close\r\n\r\n",
        body.len()
    );
    let _ = stream
        .write_all(head.as_bytes())
        .and_then(|()| stream.write_all(body));
    name.to_owned()
}

/// The name of the archive for this system.
fn archive_name() -> String {
    let system = if cfg!(target_os = "macos") {
        "apple-darwin"
    } else {
        "unknown-linux-musl"
    };
    format!("attest-9.9.9-{}-{system}.tar.gz", std::env::consts::ARCH)
}

/// The files of a release whose program is the one under test.
fn release(context: &TestContext) -> BTreeMap<String, Vec<u8>> {
    let folder = context.folder().join("attest-9.9.9-here");
    make_program(
        &folder.join("attest"),
        &format!("#!/bin/sh\nexec '{BINARY}' \"$@\"\n"),
    );
    let archive = context.folder().join("packed.tar.gz");
    let mut tar = context.command("tar");
    tar.arg("-czf").arg(&archive).arg("attest-9.9.9-here");
    assert!(tar.status().unwrap().success());
    let sum = context.command("sha256sum").arg(&archive).output().unwrap();
    let sum = Printed::of(sum).assert_success().stdout;
    let sum = sum.split_whitespace().next().unwrap();
    let other = "0".repeat(64);
    let sums = format!(
        "{other}  attest-9.9.9.tar.gz\n{other}  ../{name}\n{sum}  {name}\n",
        name = archive_name()
    );
    BTreeMap::from([
        (archive_name(), fs::read(archive).unwrap()),
        ("SHA256SUMS".to_owned(), sums.into_bytes()),
    ])
}

/// Runs the script as one line does: from standard input, in a folder that has nothing of it.
fn piped(context: &TestContext, args: &[&str]) -> Printed {
    let mut command = context.command("sh");
    command.args(["-s", "--", "--no-doctor"]).args(args);
    command.current_dir(context.home());
    command.stdin(fs::File::open(SCRIPT).unwrap());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    Printed::of(command.output().unwrap())
}

fn context() -> TestContext {
    let mut context = TestContext::with_home("my home");
    context.set("CARGO_HOME", "/nowhere");
    context
}

/// Leaves only these programs on the PATH, with what the script needs besides.
fn with_only(context: &mut TestContext, fetcher: &str) {
    let tools = context.folder().join("only");
    fs::create_dir(&tools).unwrap();
    for name in [
        fetcher,
        "sh",
        "uname",
        "mktemp",
        "dirname",
        "basename",
        "gzip",
        "tar",
        "sha256sum",
        "cat",
        "cp",
        "mv",
        "rm",
        "mkdir",
        "chmod",
        "cksum",
        "head",
        "tail",
        "grep",
        "cmp",
        "sed",
        "sort",
        "git",
        "date",
        "env",
    ] {
        let places = ["/usr/bin", "/bin"].map(|folder| Path::new(folder).join(name));
        if let Some(place) = places.iter().find(|place| place.exists()) {
            std::os::unix::fs::symlink(place, tools.join(name)).unwrap();
        }
    }
    context.set("PATH", tools);
}

#[test]
fn a_release_is_fetched_and_has_to_match_its_sum() {
    for fetcher in ["curl", "wget"] {
        if !Path::new("/usr/bin").join(fetcher).exists() {
            continue;
        }
        let mut context = context();
        let files = release(&context);
        with_only(&mut context, fetcher);
        let server = Server::of(files);
        let printed = piped(&context, &["--release", &server.address]).assert_success();
        assert!(
            printed
                .stdout
                .contains(&format!("fetching {}", archive_name())),
            "{printed:?}"
        );
        assert!(
            context.home().join(".local/bin/attest").exists(),
            "{printed:?}"
        );
        assert!(context.home().join(".claude/settings.json").exists());
        assert_eq!(
            *server.asked.lock().unwrap(),
            ["SHA256SUMS".to_owned(), archive_name()]
        );
    }
}

#[test]
fn what_is_not_what_its_sum_says_is_refused() {
    let context = context();
    let mut files = release(&context);
    files.get_mut(&archive_name()).unwrap().push(0);
    let server = Server::of(files);
    let printed = piped(&context, &["--release", &server.address]).assert_failure();
    assert!(printed.stderr.contains("is not what"), "{printed:?}");
    assert!(!context.home().join(".local").exists());
}

#[test]
fn a_release_that_is_not_there_or_not_for_this_system_is_said() {
    let context = context();
    let nothing = Server::of(BTreeMap::new());
    let printed = piped(&context, &["--release", &nothing.address]).assert_failure();
    assert!(
        printed.stderr.contains("SHA256SUMS cannot be fetched"),
        "{printed:?}"
    );
    let other = "0  attest-9.9.9-riscv64-unknown-linux-musl.tar.gz\n0  ../attest-9.9.9.tar.gz\n";
    let other = BTreeMap::from([("SHA256SUMS".to_owned(), other.as_bytes().to_vec())]);
    let printed = piped(&context, &["--release", &Server::of(other).address]).assert_failure();
    assert!(printed.stderr.contains("has no archive for"), "{printed:?}");
    assert!(!context.home().join(".local").exists());
}

#[test]
fn only_an_address_that_nobody_can_change_on_the_way_is_fetched_from() {
    let context = context();
    for address in [
        "http://example.invalid/v1",
        "ftp://example.invalid",
        "file:///etc",
        "http://127.0.0.1.example.invalid/",
        "http://127.0.0.1:x@example.invalid/",
        "http://127.0.0.1:80@example.invalid/",
        "http://localhost@example.invalid/",
        "http://localhost:/",
        "http://127.0.0.1\\@example.invalid/",
        "http://example.invalid#@127.0.0.1/",
        "HTTP://127.0.0.1/",
    ] {
        let printed = piped(&context, &["--release", address]).assert_failure();
        assert!(
            printed.stderr.contains("it begins with https://"),
            "{printed:?}"
        );
    }
    for args in [
        &["--release", "https://x", "--from", "y"][..],
        &["--release", "https://x", "--static"],
        &["--release"],
    ] {
        assert_eq!(piped(&context, args).code, Some(2), "{args:?}");
    }
}

/// A server with a certificate of its own, of whole replies.
struct Secure {
    address: String,
    process: Child,
}

impl Secure {
    /// That sends everybody to `elsewhere`.
    fn sending(context: &TestContext, elsewhere: &str) -> Self {
        let reply = |name: String| {
            let head = format!("HTTP/1.1 302 Found\r\nLocation: {elsewhere}/{name}\r\n\r\n");
            (name, head.into_bytes())
        };
        Self::of(
            context,
            ["SHA256SUMS".to_owned(), archive_name()].map(reply).into(),
        )
    }

    fn of(context: &TestContext, replies: BTreeMap<String, Vec<u8>>) -> Self {
        let folder = tempfile::tempdir_in(context.folder()).unwrap().keep();
        let mut make = context.command("/usr/bin/openssl");
        make.current_dir(&folder)
            .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes"]);
        make.args([
            "-subj",
            "/CN=127.0.0.1",
            "-keyout",
            "key",
            "-out",
            "certificate",
        ]);
        assert!(make.output().unwrap().status.success());
        fs::create_dir_all(folder.join("download/v9.9.9")).unwrap();
        for (name, reply) in replies {
            fs::write(folder.join("download/v9.9.9").join(name), reply).unwrap();
        }
        // Free a moment ago.
        let place = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap();
        let mut serve = context.command("/usr/bin/openssl");
        serve
            .current_dir(&folder)
            .args(["s_server", "-quiet", "-HTTP", "-key", "key"]);
        serve.args(["-cert", "certificate", "-accept", &place.to_string()]);
        let process = serve
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while TcpStream::connect(place).is_err() {
            thread::sleep(Duration::from_millis(20));
        }
        Self {
            address: format!("https://{place}/download/v9.9.9"),
            process,
        }
    }
}

impl Drop for Secure {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn nobody_is_followed_to_an_address_that_can_be_changed_on_the_way() {
    for fetcher in ["curl", "wget"] {
        if !Path::new("/usr/bin").join(fetcher).exists() {
            continue;
        }
        let mut context = context();
        let plain = Server::of(release(&context));
        let here = Server::sending(BTreeMap::new(), Some(plain.address.clone()));
        let secure = Path::new("/usr/bin/openssl").exists();
        let secure = secure.then(|| Secure::sending(&context, &plain.address));
        // The certificate is not what this is about.
        fs::write(context.home().join(".curlrc"), "insecure\n").unwrap();
        fs::write(context.home().join(".wgetrc"), "check_certificate = off\n").unwrap();
        with_only(&mut context, fetcher);
        for address in secure.iter().map(|it| &it.address).chain([&here.address]) {
            piped(&context, &["--release", address]).assert_failure();
            assert_eq!(
                *plain.asked.lock().unwrap(),
                [""; 0],
                "{fetcher}: {address}"
            );
        }
        assert!(!context.home().join(".local").exists());
        // From one that is safe on the way to another that is.
        if secure.is_some() {
            let whole = |(name, body): (String, Vec<u8>)| {
                (name, [&b"HTTP/1.1 200 OK\r\n\r\n"[..], &body].concat())
            };
            let files = release(&context).into_iter().map(whole).collect();
            let other = Secure::of(&context, files);
            let first = Secure::sending(&context, &other.address);
            piped(&context, &["--release", &first.address]).assert_success();
            assert!(context.home().join(".local/bin/attest").exists());
        }
    }
}

#[test]
fn without_a_clone_and_a_release_nothing_in_the_folder_is_run() {
    let context = context();
    let stranger = context.home().join("attest");
    make_program(&stranger, "#!/bin/sh\ntouch ran\n");
    let printed = piped(&context, &[]).assert_failure();
    assert!(
        printed.stderr.contains("name a release with --release"),
        "{printed:?}"
    );
    assert!(!context.home().join("ran").exists());
}
