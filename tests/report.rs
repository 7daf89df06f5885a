//! The page of `attest report`: whole, harmless, and as a browser shows it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use attest_claim::Kind;
use attest_state::history::{Change, Detail, Judged, Listed};
use attest_verdict::Finding;

use crate::common::TestContext;
use crate::common::agent::{Agent, done};
#[cfg(unix)]
use crate::common::programs::make_program;
use crate::common::recorded::{Recorded, record, state};

/// A claim whose names are made to break out of a page.
const HOSTILE: &str = "ghost.py, <script>alert(1)</script>.py, \"><img src=x onerror=alert(1)>.js, \
                       </style><b>x.css, '{{7*7}}'.html, \u{202e}gpj.exe";

fn page(context: &TestContext) -> (PathBuf, String) {
    let path = context.folder().join("report.html");
    let printed = context.attest(["report".as_ref(), path.as_os_str()]);
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
    let scopes = html.matches("scope=\"").count()
        + html
            .matches("<th class=\"bar wide\" aria-hidden=\"true\">")
            .count();
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
    let printed = context.attest(["report".as_ref(), target.as_os_str()]);
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

/// Two hundred stops of a month, of every outcome, with long names and other scripts.
fn many() -> TestContext {
    const KINDS: [&str; 5] = [
        "general-purpose",
        "Explore",
        "a-type-of-agent-with-a-very-long-name-of-its-own",
        "資料整理代理人",
        "مراجع الشيفرة",
    ];
    const FILES: [&str; 6] = [
        "src/parser.py",
        "services/payments/internal/adapters/persistence/transaction_repository_integration_test.go",
        "資料/日本語の長い名前のファイル.txt",
        "מסמכים/קובץ עם שם ארוך מאוד.txt",
        "a_name_without_any_place_to_break_it_that_goes_on_and_on_and_on_and_on_and_on_and_on.txt",
        "tests/test_parser.py",
    ];
    let mut context = TestContext::new();
    let transcripts: Vec<_> = [20_000, 90_000, 150_000, 199_000]
        .iter()
        .map(|tokens| {
            let path = context.folder().join(format!("{tokens}.jsonl"));
            let line = format!("{{\"type\":\"assistant\",\"message\":{{\"model\":\"claude-x\",\"usage\":{{\"input_tokens\":{tokens},\"output_tokens\":100}}}}}}\n");
            fs::write(&path, line).unwrap();
            path.to_str().unwrap().to_owned()
        })
        .collect();
    let state = state(&mut context);
    for number in 0..200_usize {
        let (day, hour) = (1 + number * number % 29, number % 24);
        let at = format!("2026-03-{day:02}T{hour:02}:30:{:02}.000000Z", number % 60);
        let started = format!("2026-03-{day:02}T{hour:02}:{:02}:00.000000Z", number % 30);
        let kind = KINDS[number % KINDS.len()];
        let file = FILES[number % FILES.len()];
        let (outcome, reason) = match number % 10 {
            0 => ("MISMATCH", "ALLOW_NOT_ENFORCING"),
            1 => ("BLOCKED", "BLOCK_FALSE_DONE"),
            2 => ("WARN", "ALLOW_NOT_FALSE_DONE"),
            3 => ("NO_CLAIM", "ALLOW_NOT_FALSE_DONE"),
            4 => ("SCOPE_CREEP", "ALLOW_NOT_FALSE_DONE"),
            _ => ("OK", "ALLOW_NOT_FALSE_DONE"),
        };
        let is_proof = number % 10 < 2;
        let detail = Detail {
            findings: vec![Judged {
                kind: Kind::Files,
                claimed: file.into(),
                finding: if is_proof {
                    Finding::Absent
                } else {
                    Finding::Changed
                },
                why: None,
                doubt: None,
                testimony: None,
                is_proof,
            }],
            delta: Listed::of(FILES.iter(), |path| Change {
                path: (*path).to_owned(),
                is_deleted: false,
            }),
            block: is_proof.then(|| "attest: the report says Status: DONE".to_owned()),
            ..Detail::default()
        };
        let stop = Recorded {
            id: &format!("{number:016x}"),
            session: &format!("{:08x}-aaaa-4bbb-8ccc-0123456789ab", number / 7),
            agent: &format!("a{number:016x}"),
            kind,
            started: &started,
            at: &at,
            outcome,
            reason,
            summary: file,
            repository: "/home/person/projects/a-repository-with-a-long-name",
            transcript: Some(&transcripts[number % transcripts.len()]),
        };
        record(&state, stop, &detail);
    }
    context
}

#[test]
fn the_page_has_a_usual_place_and_can_be_printed() {
    let context = many();
    let usual = context.folder().join("state/report.html");
    let printed = context.attest(["report"]).assert_success();
    let expected = format!("wrote {}: 200 stops\n", usual.display());
    assert_eq!(printed.stdout, expected);
    let page = fs::read_to_string(usual).unwrap();
    let printed = context.attest(["report", "-"]).assert_success();
    let body = |page: &str| page.split_once("</header>").unwrap().1.to_owned();
    assert_eq!(body(&printed.stdout), body(&page));
    let path = context.folder().join("week.html");
    let arguments = [
        "report",
        "week.html",
        "--agent-type",
        "Explore",
        "--since",
        "2026-03-05",
    ];
    context.attest(arguments).assert_success();
    let page = fs::read_to_string(path).unwrap();
    for word in [
        "Stops in every repository, of type Explore, since 2026-03-05",
        "Over time",
    ] {
        assert!(page.contains(word), "{word}");
    }
}

/// Where `report --open` looks for a program that shows a file; `script` stands in for it.
#[cfg(unix)]
fn with_opener(context: &mut TestContext, script: &str) {
    let name = if cfg!(target_os = "macos") {
        "open"
    } else {
        "xdg-open"
    };
    let folder = context.folder().join("programs");
    make_program(&folder.join(name), &format!("#!/bin/sh\n{script}\n"));
    context.set("PATH", format!("{}:/usr/bin:/bin", folder.display()));
}

#[cfg(unix)]
#[test]
fn the_page_is_shown_by_its_whole_path() {
    let mut context = TestContext::new();
    let shown = context.folder().join("shown");
    with_opener(
        &mut context,
        &format!("echo \"$#: $1\" > '{}'", shown.display()),
    );
    let name = "week #1 of 50% of the year.html";
    let printed = context.attest(["report", name, "--open"]).assert_success();
    assert_eq!(printed.stderr, "");
    let expected = format!("1: {}\n", context.folder().join(name).display());
    assert_eq!(fs::read_to_string(shown).unwrap(), expected);
}

#[cfg(unix)]
#[test]
fn a_browser_that_stays_open_is_not_waited_for() {
    let mut context = TestContext::new();
    with_opener(&mut context, "exec sleep 90");
    let began = std::time::Instant::now();
    context.attest(["report", "--open"]).assert_success();
    assert!(
        began.elapsed() < crate::common::SOON,
        "{:?}",
        began.elapsed()
    );
}

#[cfg(unix)]
#[test]
fn a_page_that_nothing_can_show_is_an_error_that_says_so() {
    let mut context = TestContext::new();
    with_opener(&mut context, "echo nothing to open it with >&2; exit 3");
    let printed = context.attest(["report", "--open"]).assert_failure();
    assert!(printed.stdout.starts_with("wrote "), "{printed:?}");
    for part in [
        "error: cannot show the page: `",
        "` found no browser (exit status 3)",
        "hint: open the file that was written by hand, or name a browser in BROWSER",
    ] {
        assert!(printed.stderr.contains(part), "{part}: {printed:?}");
    }
}

#[test]
fn false_dones_are_told_by_what_was_false() {
    let html = page_of(&many());
    let summaries = html.split("<summary>").skip(1);
    let summaries: Vec<_> = summaries
        .filter_map(|it| it.split("</summary>").next())
        .collect();
    let of = |path: &str, kind: &str| {
        summaries
            .iter()
            .filter(|it| it.contains(path) && it.contains(kind))
            .count()
    };
    assert_eq!(
        of("src/parser.py", "general-purpose"),
        1,
        "one group for all of them"
    );
    assert_eq!(
        html.matches("<article ").count(),
        40,
        "every false DONE is in one"
    );
    assert!(!html.contains(" open"), "all of it is folded");
    let context = hostile();
    let html = page_of(&context);
    assert_eq!(html.matches("<article ").count(), 2, "each is told once");
}

fn page_of(context: &TestContext) -> String {
    page(context).1
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

/// Measures the page in a frame of a given width: what it says is every element that is wider than
/// its place, then how high the page is.
const MEASURE: &str = r#"<!doctype html><iframe id=f style="border:0;width:WIDTHpx;height:800px" src="PAGE"></iframe>
<script>
f.onload = () => {
  const page = f.contentDocument, root = page.documentElement, clipped = [];
  const height = root.scrollHeight;
  for (const unfolds of [false, true]) {
    for (const it of page.querySelectorAll('body *')) {
      if (it.matches('.skip, .cards thead, .cards thead *, title')) continue;
      const box = it.getBoundingClientRect();
      if (box.width && (box.right > root.clientWidth + 1 || box.left < -1 || ('offsetWidth' in it && it.clientWidth && it.clientWidth < it.scrollWidth)))
        clipped.push(it.tagName + '.' + it.getAttribute('class') + ' ' + it.textContent.slice(0, 40));
    }
    for (const it of page.querySelectorAll('details')) it.open = true;
  }
  if (root.scrollWidth > root.clientWidth) clipped.push('the page');
  document.body.dataset.found = JSON.stringify({ height, clipped });
};
</script>"#;

#[attest_needs::needs(browser)]
#[test]
fn nothing_is_clipped_on_a_screen_or_a_telephone() {
    let context = many();
    let (path, _) = page(&context);
    for (width, most) in [(1280, 5 * 800), (390, 5 * 844)] {
        let measure = MEASURE
            .replace("WIDTH", &width.to_string())
            .replace("PAGE", &format!("file://{}", path.display()));
        let measuring = context.folder().join("measure.html");
        fs::write(&measuring, measure).unwrap();
        let window = "--window-size=1400,900";
        let arguments = ["--dump-dom", "--allow-file-access-from-files", window];
        let (dom, said) = browse(&context, &measuring, &arguments);
        let dom = String::from_utf8(dom).unwrap();
        let (_, found) = dom
            .split_once("data-found=\"")
            .unwrap_or_else(|| panic!("{said}"));
        let found = found.split_once('"').unwrap().0.replace("&quot;", "\"");
        let found: serde_json::Value = serde_json::from_str(&found).unwrap();
        assert_eq!(found["clipped"], serde_json::json!([]), "at {width}");
        let height = found["height"].as_u64().unwrap();
        let shot = context.folder().join(format!("{width}.png"));
        let arguments = [
            format!("--screenshot={}", shot.display()),
            format!("--window-size={width},{height}"),
        ];
        browse(&context, &path, &arguments.each_ref().map(String::as_str));
        let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("report-{width}.png"));
        fs::copy(&shot, kept).unwrap();
        assert!(height > 800 && height <= most, "{height} at {width}");
    }
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
            "--window-size=1200,1900".to_owned(),
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
