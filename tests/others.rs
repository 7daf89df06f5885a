//! Whatever is in a home folder, and whatever the variables name: no command removes or changes what
//! attest did not make.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use rusqlite::Connection;
use serde_json::json;

use crate::common::TestContext;
use crate::common::agent::{Agent, done, hook};
use crate::common::forms::cases;
use crate::common::older::take_back_to;

/// Names in a home folder that attest has a use for, or that look as if it had.
const PLACES: &[&str] = &[
    ".attest",
    ".attest/state.db",
    ".attest/state.db-wal",
    ".attest/state.db-journal",
    ".attest/attest.log",
    ".attest/attest.log.1",
    ".attest/report.html",
    ".attest/captures",
    ".attest/captures/start-notes.json",
    ".attest/captures/stop-a1-1764000000000000000.txt",
    ".attest/backups",
    ".attest/backups/settings.json.attest-backup-mine",
    ".attest/backups/settings.json-0123456789ab.attest-backup-important",
    ".attest/plugin",
    ".attest/plugin/bin/attest",
    ".attest/plugin/bin/mine",
    ".attest/plugin/hooks/hooks.json",
    ".attest/plugin/.claude-plugin/plugin.json",
    ".attest/.made-by-attest",
    ".attest/mine/deep/notes.md",
    "report.html",
    "state.db",
    "data/state.db",
    "data/notes.md",
    ".claude",
    ".claude/settings.json.attest-backup-before",
    ".claude/.attest-new-notes1.json",
    ".config/opencode/plugin",
    ".config/opencode/plugin/attest.js",
    ".openclaw/extensions/attest",
    ".openclaw/extensions/attest/index.js",
    ".openclaw/extensions/attest/mine.md",
    ".cursor",
    ".codex",
    "man/attest.1",
    "man/attest-gc.1",
    "thesis.txt",
];

#[derive(Debug, Clone)]
enum Thing {
    Text(&'static str),
    Folder,
    FullFolder,
    LinkToFile,
    LinkToFolder,
    LinkToNothing,
    Database(&'static str),
    DatabaseInWal(&'static str),
}

/// What another program may have made of a database, up to attest's own table names and versions.
const SCHEMAS: &[&str] = &[
    "CREATE TABLE bookmarks (url TEXT)",
    "CREATE TABLE agents (id INTEGER); PRAGMA user_version = 3",
    "CREATE TABLE agents (id INTEGER); PRAGMA user_version = 9",
    "CREATE TABLE verdicts (at TEXT); INSERT INTO verdicts VALUES ('2001'); PRAGMA user_version = 8",
    "CREATE TABLE moz_places (id INTEGER); PRAGMA application_id = 252006; PRAGMA user_version = 75",
];

const TEXTS: &[&str] = &[
    "",
    "my notes on attest",
    "{}",
    "{\"name\": \"mine\"}",
    "// my own plugin, which knows attest\n",
    "<html><title>my report</title></html>",
    "2026 was a good year\n",
];

fn thing() -> impl Strategy<Value = Thing> {
    prop_oneof![
        4 => prop::sample::select(TEXTS).prop_map(Thing::Text),
        2 => Just(Thing::Folder),
        2 => Just(Thing::FullFolder),
        1 => Just(Thing::LinkToFile),
        2 => Just(Thing::LinkToFolder),
        1 => Just(Thing::LinkToNothing),
        2 => prop::sample::select(SCHEMAS).prop_map(Thing::Database),
        1 => prop::sample::select(SCHEMAS).prop_map(Thing::DatabaseInWal),
    ]
}

impl Thing {
    /// Puts it into the home folder, if nothing is there and nothing above it is in the way.
    fn put(&self, home: &Path, path: &Path) {
        let folder = path.parent().unwrap();
        if path.symlink_metadata().is_ok() || fs::create_dir_all(folder).is_err() {
            return;
        }
        match self {
            Self::Text(text) => fs::write(path, text).unwrap(),
            Self::Folder => fs::create_dir(path).unwrap(),
            Self::FullFolder => {
                fs::create_dir_all(path.join("deep")).unwrap();
                fs::write(path.join("deep/mine"), "mine").unwrap();
                fs::write(path.join("start-a1.json"), "mine").unwrap();
            }
            Self::LinkToFile => symlink(home.join("elsewhere/file"), path).unwrap(),
            Self::LinkToFolder => symlink(home.join("elsewhere/folder"), path).unwrap(),
            Self::LinkToNothing => symlink(home.join("nowhere"), path).unwrap(),
            Self::Database(sql) => database(path, sql, "delete"),
            Self::DatabaseInWal(sql) => database(path, sql, "wal"),
        }
    }
}

fn database(path: &Path, sql: &str, mode: &str) {
    // SQLite has to be able to make one there.
    let is_taken = |end: &str| {
        PathBuf::from(format!("{}{end}", path.display()))
            .symlink_metadata()
            .is_ok()
    };
    if ["-wal", "-journal", "-shm"].into_iter().any(is_taken) {
        return;
    }
    let connection = Connection::open(path).unwrap();
    let set = connection.pragma_update_and_check(None, "journal_mode", mode, |_| Ok(()));
    set.unwrap();
    connection.execute_batch(sql).unwrap();
    drop(connection);
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
}

const COMMANDS: &[&[&str]] = &[
    &["install"],
    &["install", "--detected"],
    &["install", "--host", "opencode"],
    &["install", "--host", "openclaw"],
    &["install", "--host", "cursor"],
    &["enforce", "on"],
    &["enforce", "off"],
    &["uninstall"],
    &["uninstall", "--host", "openclaw"],
    &["uninstall", "--purge", "--yes"],
    &["gc", "--older-than", "0s"],
    &["plugin-dir"],
    &["plugin-dir", "--into", "home"],
    &["plugin-dir", "--into", "home/.attest"],
    &["report"],
    &["man", "home/man"],
    &["doctor"],
    &["trust", "repo"],
    &["hooks"],
];

/// What the variable of the state file may name, in the home folder.
const STATE: &[&str] = &[
    "",
    "",
    ".",
    ".attest",
    "thesis.txt",
    "state.db",
    "data/state.db",
    "data",
    ".claude",
    "elsewhere/file",
    "elsewhere/folder",
    "new/state.db",
];

/// One name in the home folder, as it is.
#[derive(Debug, Clone, PartialEq)]
enum Seen {
    Folder,
    Link(PathBuf),
    File(Vec<u8>),
}

/// All that is in the home folder, with what links lead to left to itself.
fn seen(home: &Path) -> BTreeMap<PathBuf, Seen> {
    let mut all = BTreeMap::new();
    let mut folders = vec![home.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let metadata = path.symlink_metadata().unwrap();
            let what = if metadata.is_symlink() {
                Seen::Link(fs::read_link(&path).unwrap())
            } else if metadata.is_dir() {
                folders.push(path.clone());
                Seen::Folder
            } else {
                Seen::File(fs::read(&path).unwrap())
            };
            all.insert(path, what);
        }
    }
    all
}

/// Whether what was there is there still. Lines may have been added to a log.
fn is_kept(path: &Path, before: &Seen, after: Option<&Seen>) -> bool {
    match (before, after) {
        (Seen::File(before), Some(Seen::File(after))) if path.ends_with("attest.log") => {
            after.starts_with(before)
        }
        // What a person asks `enforce` for, also behind a linked `.claude`.
        (Seen::File(_), Some(Seen::File(after))) if path.ends_with("settings.json") => {
            after.windows(12).any(|part| part == b"\"model\" :  1")
        }
        // They hold nothing, and become a log and a state file.
        (Seen::File(before), _) if before.is_empty() && path.ends_with("attest.log") => true,
        (Seen::File(before), _) if before.is_empty() && path.ends_with("state.db") => true,
        // SQLite's own names, beside a database that it opens.
        (Seen::File(before), _) if is_of_sqlite(path, before) => true,
        (before, after) => after == Some(before),
    }
}

fn is_of_sqlite(path: &Path, content: &[u8]) -> bool {
    let name = path.to_string_lossy();
    let is_log = content.is_empty() || content.starts_with(b"\x37\x7f\x06");
    name.ends_with("-shm") || name.ends_with("-wal") && is_log
}

fn run(context: &TestContext, agent: &Agent, command: &[&str]) {
    if command == ["hooks"] {
        hook(context, "start", &agent.start_payload());
        hook(
            context,
            "stop",
            &agent.stop_payload(&done("ghost.py"), &json!({})),
        );
    } else {
        // Whether it succeeds is not what is asked here.
        let printed = context.attest(command);
        assert!(
            matches!(printed.code, Some(0..=2)),
            "{command:?}: {printed:?}"
        );
    }
}

proptest! {
    #![proptest_config(cases(6, 20))]
    #[test]
    fn nothing_that_attest_did_not_make_is_gone(
        things in prop::collection::vec((prop::sample::select(PLACES), thing()), 0..16),
        commands in prop::collection::vec(prop::sample::select(COMMANDS), 1..6),
        state in prop::sample::select(STATE),
        has_settings in any::<bool>(),
        captures in any::<bool>(),
    ) {
        let mut context = TestContext::enforcing();
        let home = context.home().to_owned();
        let repo = context.repository("repo", &[("a.py", "1")]);
        fs::create_dir_all(home.join("elsewhere/folder/captures")).unwrap();
        for name in ["file", "folder/mine.txt", "folder/attest.log", "folder/captures/mine.json"] {
            fs::write(home.join("elsewhere").join(name), "mine").unwrap();
        }
        for (place, thing) in &things {
            thing.put(&home, &home.join(place));
        }
        if has_settings && fs::create_dir_all(home.join(".claude")).is_ok() {
            let _ = fs::write(home.join(".claude/settings.json"), "{ \"model\" :  1 }");
        }
        if !state.is_empty() {
            context.set("ATTEST_STATE_DB", home.join(state));
        }
        if captures {
            context.set("ATTEST_CAPTURE", "1");
        }
        let before = seen(&home);
        let agent = Agent::new("a1", &repo);
        for command in &commands {
            run(&context, &agent, command);
        }
        run(&context, &agent, &["uninstall", "--purge", "--yes"]);
        let after = seen(&home);
        for (path, what) in &before {
            let now = after.get(path);
            prop_assert!(is_kept(path, what, now), "{path:?} was {what:?} and is {now:?}");
        }
    }
}

/// The twin: what attest did make is gone, to the last folder.
#[test]
fn all_that_attest_made_is_gone() {
    for state in ["", "new/place/state.db"] {
        let mut context = TestContext::enforcing();
        let home = context.home().to_owned();
        let repo = context.repository("repo", &[("a.py", "1")]);
        context
            .set("ATTEST_CAPTURE", "1")
            .set("ATTEST_LOG", "debug");
        if !state.is_empty() {
            context.set("ATTEST_STATE_DB", home.join(state));
        }
        for command in COMMANDS {
            let is_kept = |word: &&str| *word == "enforce" || word.starts_with("home");
            if !command.iter().any(is_kept) {
                run(&context, &Agent::new("a1", &repo), command);
            }
        }
        context.set("ATTEST_LOG", "off");
        run(
            &context,
            &Agent::new("a2", &repo),
            &["uninstall", "--purge", "--yes"],
        );
        let left: Vec<_> = seen(&home).into_keys().collect();
        assert_eq!(left, [""; 0].map(PathBuf::from));
    }
}

/// The attack that this is about, by every name.
#[test]
fn a_variable_that_names_something_else_purges_nothing() {
    let mut context = TestContext::new();
    let home = context.home().to_owned();
    fs::create_dir(home.join("folder")).unwrap();
    fs::write(home.join("folder/thesis.txt"), "mine").unwrap();
    fs::write(home.join("notes.txt"), "mine").unwrap();
    database(&home.join("theirs.db"), SCHEMAS[3], "delete");
    symlink("theirs.db", home.join("link.db")).unwrap();
    for (name, why) in [
        ("", "it is not a regular file"),
        ("folder", "it is not a regular file"),
        ("notes.txt", "it is not a SQLite database"),
        ("theirs.db", "it is a database of another program"),
        ("link.db", "it is not a regular file"),
    ] {
        let named = home.join(name);
        context.set("ATTEST_STATE_DB", &named);
        let before = seen(&home);
        let printed = context
            .attest(["uninstall", "--purge", "--yes"])
            .assert_success();
        assert_eq!(seen(&home), before, "{name}");
        let left = format!("left {}: {why}", named.display());
        assert!(printed.stdout.contains(&left), "{printed:?}");
    }
}

/// One from before there was an application id.
#[test]
fn an_old_state_file_is_known_by_its_tables_and_goes() {
    let context = TestContext::new();
    let repo = context.repository("repo", &[("a.py", "1")]);
    run(&context, &Agent::new("a1", &repo), &["hooks"]);
    let state = context.home().join(".attest/state.db");
    let connection = Connection::open(&state).unwrap();
    take_back_to(&connection, 8);
    drop(connection);
    let printed = context
        .attest(["uninstall", "--purge", "--yes"])
        .assert_success();
    assert!(!state.exists(), "{printed:?}");
}
