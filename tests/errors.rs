//! What a person reads when a file, a variable or an option makes no sense: the file, the line and what to do. Of the
//! grammar of YAML, of settings in JSON and of expressions a library says what is wrong; of everything else attest does.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::common::TestContext;
use crate::common::agent::{Agent, done};

/// Beginnings of what the libraries say. A new one that shows up anywhere belongs on this list.
const LIBRARIES: [&str; 31] = [
    // serde and serde_json
    "invalid type",
    "invalid value:",
    "invalid length",
    "missing field",
    "unknown field",
    "unknown variant",
    "duplicate field",
    "did not match any variant",
    "EOF while parsing",
    "expected value",
    "expected ident",
    "expected `,`",
    "expected `:`",
    "key must be a string",
    "trailing comma",
    "trailing characters",
    "recursion limit",
    // serde-saphyr and its parser
    "duplicate mapping key",
    "Options",
    // regex, globset
    "regex parse error",
    "error parsing glob",
    "alternate group",
    // the standard library
    "invalid digit",
    "invalid float literal",
    "non-zero type",
    "os error",
    // jiff, SQLite, libgit2, postcard
    "friendly",
    "no such table",
    "database disk image",
    "failed to parse config",
    "end of buffer",
];

fn assert_own_words(text: &str) {
    for phrase in LIBRARIES {
        assert!(!text.contains(phrase), "{phrase:?} is in:\n{text}");
    }
}

/// What attest says of `arguments`, which it cannot carry out.
fn said(context: &TestContext, arguments: &str) -> String {
    let printed = context.attest(arguments.split(' '));
    assert_ne!(printed.code, Some(0), "{arguments}: {printed:?}");
    let text = context.named(&printed.stderr);
    assert_own_words(&text);
    text
}

/// The messages of several cases, each below its own name.
fn all(cases: impl IntoIterator<Item = (String, String)>) -> String {
    let entries = cases.into_iter().map(|(case, said)| {
        let lines = said.lines().map(|line| format!("    {line}\n"));
        format!("{case}\n{}", lines.collect::<String>())
    });
    entries.collect()
}

/// Writes each content to `name` and asks for `arguments`.
fn of_contents(context: &TestContext, name: &str, arguments: &str, contents: &[&str]) -> String {
    all(contents.iter().map(|content| {
        fs::write(context.folder().join(name), content).unwrap();
        (format!("{content:?}"), said(context, arguments))
    }))
}

/// The source files of a crate, without those of its tests.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_of_tests = path.file_stem().is_some_and(|name| name == "tests");
        if path.is_dir() && !is_of_tests {
            sources(&path, found);
        } else if path.extension().is_some_and(|it| it == "rs") && !is_of_tests {
            found.push(path);
        }
    }
}

/// What a person reads of a cause is the cause's own text, so no library's error may be one. Those of the
/// system may: its words are what people know.
#[test]
fn no_error_has_that_of_a_library_as_its_cause() {
    let mut files = Vec::new();
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).unwrap() {
        sources(&entry.unwrap().path().join("src"), &mut files);
    }
    let mut seen = 0;
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let product = text.split("#[cfg(test)]").next().unwrap();
        for line in product.lines().map(str::trim) {
            let is_cause = line.contains("#[from]")
                || line.contains("#[source]")
                || line.starts_with("source: ") && line.ends_with("Error,");
            let of_a_library = line.contains("::") && !line.contains("io::Error");
            let of_std = ["ParseIntError", "ParseFloatError", "Utf8Error"];
            let is_foreign = of_a_library || of_std.iter().any(|name| line.contains(name));
            assert!(!(is_cause && is_foreign), "{}: {line}", path.display());
            seen += usize::from(is_cause);
        }
    }
    assert!(seen > 40, "only {seen} causes were looked at");
}

#[test]
fn criteria_in_yaml_and_in_json() {
    let context = TestContext::new();
    let contents = [
        "base_case: {type: comand, value: x}",
        "base_case:\n  type: command\n  value: x\n  timeout:\n    - 1\n",
        "base_case:\n  checklist:\n  - item: a\n    chekc: {type: file, value: a}\n",
        "base_case: {type: file, value: a, matches: '('}",
        "base_case: {type: file, value: 'a[.txt'}",
        "base_case:\n\ttype: command\n",
        r#"{"base_case": {"type": "file", "value": ["a"]}}"#,
        r#"{"base_case": {"type": "file", "value": "a"}"#,
        r#"{"base_case": {"type": "file", "min_bytes": "many", "value": "a"}}"#,
        "",
    ];
    insta::assert_snapshot!(of_contents(
        &context,
        "criteria.yaml",
        "check criteria.yaml --yes",
        &contents
    ));
}

#[test]
fn scores_of_a_judge() {
    let context = TestContext::new();
    let criteria = "base_case: {type: quality, criteria: good, pass_threshold: 3}";
    fs::write(context.folder().join("criteria.yaml"), criteria).unwrap();
    let arguments = "check criteria.yaml --yes --scores scores.json";
    let contents = [
        "",
        "{",
        "[1, 2]",
        r#"{"overall": 4}"#,
        r#"{"overall": {"score": "4"}}"#,
        r#"{"overall": {"scores": 4}}"#,
        r#"{"overall": {"score": 4,}}"#,
        r#"{"other": {"score": 4}}"#,
    ];
    insta::assert_snapshot!(of_contents(&context, "scores.json", arguments, &contents));
}

#[test]
fn snapshots_for_verify() {
    let context = TestContext::new();
    context.repository("repo", &[("a.py", "one\n")]);
    fs::write(context.folder().join("report.md"), done("a.py")).unwrap();
    let arguments = "verify --claim-file report.md --before before.json --repo repo";
    let contents = [
        "",
        "not JSON",
        "{\"version\": 1,\n \"files\": [",
        "[]",
        r#"{"version": 99}"#,
        r#"{"version": 1}"#,
        r#"{"version": 1, "files": {}}"#,
        r#"{"version": 1, "files": [{"path": "a.py"}]}"#,
        r#"{"a.py": 5}"#,
        r#"{"../a.py": "deleted"}"#,
        r#"{"a.py": "sha1:00"}"#,
    ];
    insta::assert_snapshot!(of_contents(&context, "before.json", arguments, &contents));
}

#[test]
fn settings_with_comments() {
    let context = TestContext::new();
    let contents = [
        "{\n  // mine\n  \"env\": {\n    \"A\": \"1\"\n    \"B\": \"2\"\n  }\n}",
        "{\n  // mine\n  env: {}\n}",
        "{\n  /* mine\n  \"env\": {}\n}",
        "{\"hooks\": {\"Stop\": {}}} // mine",
        "{\"hooks\": [] /* mine */}",
        "{\"a\": 1",
        "[]",
    ];
    let arguments = "install --settings settings.json";
    insta::assert_snapshot!(of_contents(&context, "settings.json", arguments, &contents));
}

#[test]
fn variables_and_options() {
    let mut context = TestContext::new();
    context.repository("repo", &[]);
    for (name, value) in [
        ("ATTEST_STRICT", "everything"),
        ("ATTEST_MAX_RETRIES", "-1"),
        ("ATTEST_SESSION_BLOCK_CEILING", "many"),
        ("ATTEST_MAX_HASH_BYTES", "1e400"),
        ("ATTEST_STATE_MAX_MB", "1.5"),
        ("ATTEST_STOP_DEADLINE", "-3"),
        ("ATTEST_LOG", "loud"),
        ("ATTEST_SESSIONS", "yes"),
        ("ATTEST_CHECK_ENV", "*"),
        ("ATTEST_STATE_DB", "state.db"),
        ("ATTEST_GATES", "gate.sh"),
    ] {
        context.set(name, value);
    }
    let printed = context.attest(["snapshot", "--repo", "repo"]);
    let warned = printed.assert_success().stderr;
    assert_own_words(&warned);
    assert_eq!(warned.lines().count(), 11, "{warned}");

    let plain = TestContext::new();
    let options = [
        "log -n many",
        "log --since soon",
        "log --outcome fine",
        "gc --older-than soon",
        "gc --older-than=-3d",
        "check --jobs 0",
        "check --timeout soon",
        "install --host nobody",
        "show zz",
    ];
    let cases = options.map(|line| (line.to_owned(), said(&plain, line)));
    insta::assert_snapshot!(format!("{warned}{}", all(cases)));
}

#[test]
fn a_damaged_state_file() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", &[("a.py", "one\n")]);
    let path = context.home().join(".attest/state.db");
    let agents = ["a1", "a2", "a3"].map(|id| Agent::new(id, &repo));
    for agent in &agents {
        agent.start(&context);
    }
    agents[0].stop(&context, &done("a.py"));

    let damage = |sql: &str| Connection::open(&path).unwrap().execute_batch(sql).unwrap();
    let mut cases = Vec::new();
    let mut shown = |name: &str, arguments: &str| {
        cases.push((name.to_owned(), said(&context, arguments)));
    };
    damage("UPDATE verdicts SET id = '0000000000000001'");
    damage("UPDATE verdicts SET detail = '{\"delta\": 5}'");
    shown("a verdict of another form", "show");
    damage("UPDATE verdicts SET detail = '{\"delta\": '");
    shown("a verdict that is cut off", "explain");
    damage("UPDATE snapshots SET header = '{}' WHERE agent = 2");
    damage("UPDATE trees SET content = x'00'");
    damage("UPDATE snapshots SET content = x'00' WHERE agent = 3 AND tree IS NULL");
    agents[1].stop(&context, &done("ghost.py"));
    agents[2].stop(&context, &done("ghost.py"));
    damage("ALTER TABLE verdicts RENAME TO away");
    shown("a table is missing", "log --all");
    fs::write(&path, vec![0x42; 20_000]).unwrap();
    shown("something else", "log --all");

    let log = fs::read_to_string(context.home().join(".attest/attest.log")).unwrap();
    assert_own_words(&log);
    let of_baselines = log.lines().filter(|line| line.contains("BASELINE"));
    let of_baselines =
        of_baselines.map(|line| line.split_once(" ERROR ").map_or(line, |(_, rest)| rest));
    let of_baselines: Vec<_> = of_baselines.map(str::to_owned).collect();
    cases.push(("baselines, in the log".to_owned(), of_baselines.join("\n")));
    insta::assert_snapshot!(all(cases));
}

#[test]
fn payloads_in_the_log() {
    let context = TestContext::new();
    let payloads = [
        "",
        "[]",
        "{\"session_id\": ",
        "{\"a\": 1 \"b\": 2}",
        "{'a': 1}",
    ];
    for payload in payloads {
        let printed = context.attest_with_input(["hook", "stop"], payload.as_bytes());
        assert_eq!(printed.assert_success().stdout, "");
    }
    let log = fs::read_to_string(context.home().join(".attest/attest.log")).unwrap();
    assert_own_words(&log);
    let lines = log.lines().map(|line| line.split_once(' ').unwrap().1);
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"));
}

#[test]
fn a_repository_that_git_does_not_read() {
    let context = TestContext::new();
    let repo = context.repository("repo", &[("a.py", "one\n")]);
    let config = repo.join(".git/config");
    let before = fs::read_to_string(&config).unwrap();
    for broken in ["[core", "[core]\n\tbare = maybe\n"] {
        fs::write(&config, format!("{before}{broken}")).unwrap();
        let printed = context.attest(["snapshot", "--repo", "repo"]);
        let error = printed.assert_failure().stderr;
        assert_own_words(&error);
        assert!(error.contains("cannot read the work tree"), "{error}");
    }
}
