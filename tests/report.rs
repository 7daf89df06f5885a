//! The page of `attest report`: whole, harmless, and as a browser shows it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::common::TestContext;
use crate::common::agent::{Agent, done};

/// A claim whose names are made to break out of a page.
const HOSTILE: &str = "ghost.py, <script>alert(1)</script>.py, \"><img src=x onerror=alert(1)>.js, \
                       </style><b>x.css, '{{7*7}}'.html, \u{202e}gpj.exe";

fn page(context: &TestContext) -> (PathBuf, String) {
    let path = context.folder().join("report.html");
    let printed = context.attest(["report".as_ref(), "--html".as_ref(), path.as_os_str()]);
    assert!(printed.assert_success().stdout.starts_with("wrote "));
    (path.clone(), fs::read_to_string(path).unwrap())
}

/// Agents of several kinds, one of which makes hostile claims.
fn hostile() -> TestContext {
    let mut context = TestContext::new();
    let repo = context.repository("repo", &[("a.py", "1\n")]);
    let mut liar = Agent::new("a<b>&\"'", &repo);
    liar.kind = "<i>type</i>".into();
    let mut others = [
        "a0123456789abcdef",
        "a1123456789abcdef",
        "a2123456789abcdef",
    ]
    .map(|id| Agent::new(id, &repo));
    others[1].kind = "Explore".into();
    for agent in others.iter().chain([&liar]) {
        agent.start(&context);
    }
    liar.stop(&context, &done(HOSTILE));
    context.set("ATTEST_ENFORCE", "1");
    others[0].stop(&context, &done("ghost.py"));
    context.unset("ATTEST_ENFORCE");
    fs::write(repo.join("a.py"), "2\n").unwrap();
    fs::write(repo.join("ghost.py"), "2\n").unwrap();
    others[0].stop(&context, &done("a.py, ghost.py"));
    others[1].stop(&context, &done("a.py"));
    context
}

#[test]
fn nothing_that_an_agent_wrote_is_markup() {
    let (_, html) = page(&hostile());
    for bad in [
        "<script",
        "<img",
        "<b>",
        "<i>type",
        "\u{202e}",
        "\u{1b}",
        "onerror=alert(1)>.js\"",
    ] {
        assert!(!html.contains(bad), "{bad}");
    }
    assert!(
        html.contains("&lt;script&gt;alert(1)&lt;/script&gt;.py"),
        "{html}"
    );
    assert!(html.contains("&lt;i&gt;type&lt;/i&gt;"));
    assert_eq!(html.matches("</style>").count(), 1);
    assert_eq!(
        html.matches("style=").count(),
        0,
        "the policy would refuse it"
    );
}

#[test]
fn the_page_is_whole_in_itself_and_says_so() {
    let (_, html) = page(&hostile());
    assert!(html.contains("default-src 'none'; style-src 'sha256-"));
    for outside in ["http:", "https:", "src=", "@import", "url("] {
        let rest = html.replace("&lt;img src=", "");
        assert!(!rest.contains(outside), "{outside}");
    }
    for landmark in [
        "<header>",
        "<nav aria-label",
        "<main id=\"main\"",
        "<footer>",
        "lang=\"en\"",
    ] {
        assert!(html.contains(landmark), "{landmark}");
    }
    let headers = html.matches("<th ").count();
    let scopes =
        html.matches("scope=\"").count() + html.matches("aria-hidden=\"true\"></th>").count();
    assert_eq!(headers, scopes, "every header cell says of what");
    assert!(html.contains("prefers-color-scheme: dark"));
}

#[test]
fn an_empty_history_is_a_page_too() {
    let context = TestContext::new();
    let (_, html) = page(&context);
    assert!(html.contains("No report was proven false"));
    assert!(!context.home().join(".attest").exists());
}

#[test]
fn a_page_that_cannot_be_written_leaves_what_was_there() {
    let context = hostile();
    let folder = context.folder().join("folder");
    fs::create_dir_all(folder.join("report.html/full")).unwrap();
    let target = folder.join("report.html");
    let printed = context.attest(["report".as_ref(), "--html".as_ref(), target.as_os_str()]);
    let printed = printed.assert_failure();
    assert!(
        printed.stderr.starts_with("error: cannot write"),
        "{printed:?}"
    );
    assert_eq!(
        fs::read_dir(&folder).unwrap().count(),
        1,
        "no temporary file is left"
    );
    let written = fs::metadata(page(&context).0).unwrap();
    assert!(written.is_file());
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        assert_eq!(written.mode() & 0o777, 0o600);
    }
}

/// What a headless browser does with the page.
fn browse(context: &TestContext, page: &Path, arguments: &[&str]) -> (Vec<u8>, String) {
    let program = ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find(|name| {
            let mut command = context.command(name);
            command
                .arg("--version")
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            command.status().is_ok_and(|status| status.success())
        });
    let profile = tempfile::TempDir::new_in(context.folder()).unwrap();
    let output = context
        .command(program.unwrap())
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
            "--enable-logging=stderr",
            "--window-size=1200,1900",
        ])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .args(arguments)
        .arg(format!("file://{}", page.display()))
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.stdout, said)
}

#[attest_needs::needs(browser)]
#[test]
fn a_browser_shows_it_in_both_schemes_and_refuses_nothing() {
    let context = hostile();
    let (path, _) = page(&context);
    let (dom, said) = browse(&context, &path, &["--dump-dom"]);
    for word in ["Refused", "Content Security Policy", "CONSOLE"] {
        assert!(!said.contains(word), "{said}");
    }
    let dom = String::from_utf8(dom).unwrap();
    assert!(!dom.contains("<script") && !dom.contains("<img"), "{dom}");
    let shots = [("light", 1), ("dark", 0)].map(|(scheme, number)| {
        let shot = context.folder().join(format!("{scheme}.png"));
        let arguments = [
            format!("--screenshot={}", shot.display()),
            format!("--blink-settings=preferredColorScheme={number}"),
        ];
        browse(&context, &path, &arguments.each_ref().map(String::as_str));
        let picture = fs::read(&shot).unwrap();
        let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("report-{scheme}.png"));
        fs::copy(&shot, kept).unwrap();
        assert!(
            picture.starts_with(b"\x89PNG") && picture.len() > 20_000,
            "{scheme}"
        );
        picture
    });
    assert_ne!(shots[0], shots[1], "the scheme changes the page");
}
