//! A state file that is missing, broken, locked or full: nothing is blocked that could not be
//! recorded, and no hook is late.

use std::fs;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::agent::{Agent, all_at_once, done};
use crate::common::scene::settle;
use crate::common::{SOON, TestContext, in_one_of_some_tries};

fn log(context: &TestContext) -> String {
    fs::read_to_string(context.home().join(".attest/attest.log")).unwrap_or_default()
}

/// A whole run of a liar with this state file: in time, and without a block.
fn assert_harmless(context: &TestContext) {
    let repo = context.repository("repo", &[("a.py", "1")]);
    let agent = Agent::new("a1", &repo);
    let began = Instant::now();
    agent.start(context);
    let stop = agent.stop(context, &done("ghost.py"));
    assert_eq!(stop.0.stdout, "", "{stop:?}");
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    let log = log(context);
    assert!(log.contains("STATE_UNUSABLE"), "{log}");
    assert!(!log.contains("state file: state file"), "{log}");
}

#[test]
fn a_folder_that_cannot_be_written() {
    let mut context = TestContext::enforcing();
    context.set("ATTEST_STATE_DB", "/proc/attest/state.db");
    assert_harmless(&context);
}

#[test]
fn a_corrupt_file() {
    let context = TestContext::enforcing();
    let folder = context.home().join(".attest");
    make_private(&folder);
    fs::write(folder.join("state.db"), vec![0x42; 20_000]).unwrap();
    restrict(&folder.join("state.db"));
    assert_harmless(&context);
    assert_eq!(
        fs::read(folder.join("state.db")).unwrap(),
        vec![0x42; 20_000]
    );
}

/// The state file that the Python tool 0.3 leaves: in WAL, with one agent.
fn make_pythons(context: &TestContext) -> std::path::PathBuf {
    let folder = context.home().join(".attest");
    make_private(&folder);
    let path = folder.join("state.db");
    let state = rusqlite::Connection::open(&path).unwrap();
    let mode = state.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()));
    mode.unwrap();
    state
        .execute_batch(
            "CREATE TABLE snapshots (agent_key TEXT PRIMARY KEY, snapshot TEXT NOT NULL,
                repo TEXT NOT NULL DEFAULT '', session_id TEXT NOT NULL DEFAULT '',
                meta TEXT NOT NULL DEFAULT '{}', block_count INTEGER NOT NULL DEFAULT 0,
                saved_at TEXT NOT NULL DEFAULT '');
            CREATE TABLE session_blocks (session_id TEXT NOT NULL, repo TEXT NOT NULL,
                n INTEGER NOT NULL DEFAULT 0, updated_at TEXT NOT NULL DEFAULT '',
                PRIMARY KEY (session_id, repo));
            INSERT INTO snapshots (agent_key, snapshot) VALUES ('old', '{}')",
        )
        .unwrap();
    drop(state);
    restrict(&path);
    path
}

/// The state files of the Python tool that were moved aside.
fn asides(context: &TestContext) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(context.home().join(".attest")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let is_aside = |path: &std::path::PathBuf| path.to_str().unwrap().contains("state.db.python-");
    paths.filter(is_aside).collect()
}

#[test]
fn the_file_of_the_python_tool_is_moved_aside_and_the_hooks_work() {
    let context = TestContext::enforcing();
    make_pythons(&context);
    let repo = context.repository("repo", &[("a.py", "1")]);
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    agent.stop(&context, &done("ghost.py")).assert_blocked();
    let [aside] = &asides(&context)[..] else {
        panic!("{:?}", asides(&context));
    };
    let kept = rusqlite::Connection::open(aside).unwrap();
    let sql = "SELECT agent_key FROM snapshots";
    let key: String = kept.query_row(sql, [], |row| row.get(0)).unwrap();
    assert_eq!(key, "old");
    let log = log(&context);
    let moved = format!(
        "STATE_MOVED_ASIDE the state file of the Python tool is now {}",
        aside.display()
    );
    assert_eq!(log.matches(&moved).count(), 1, "{log}");
    assert!(!log.contains("STATE_UNUSABLE"), "{log}");
    let report = context.attest(["doctor"]);
    let kept = format!(
        "what the Python tool had there is kept in {}",
        aside.display()
    );
    assert!(report.stdout.contains(&kept), "{report:?}");
}

#[test]
fn twenty_hooks_that_find_the_file_of_the_python_tool_move_it_once() {
    let mut context = TestContext::enforcing();
    context.set("ATTEST_SESSION_BLOCK_CEILING", "5");
    make_pythons(&context);
    let repo = context.repository("repo", &[("a.py", "1")]);
    let outputs = all_at_once(&context, &repo, 20, &done("ghost.py"));
    let blocked = outputs.iter().filter(|output| !output.stdout.is_empty());
    assert_eq!(blocked.count(), 5, "{}", log(&context));
    assert_eq!(asides(&context).len(), 1);
}

#[test]
fn a_database_of_another_program_stays_as_it_is() {
    let context = TestContext::enforcing();
    let folder = context.home().join(".attest");
    make_private(&folder);
    let path = folder.join("state.db");
    let other = rusqlite::Connection::open(&path).unwrap();
    other
        .execute_batch("CREATE TABLE attestations (id INTEGER)")
        .unwrap();
    drop(other);
    restrict(&path);
    let before = fs::read(&path).unwrap();
    assert_harmless(&context);
    assert_eq!(fs::read(&path).unwrap(), before);
    assert!(log(&context).contains("is a database of another program"));
}

#[test]
fn a_newer_attests_file_stays_and_the_log_says_why() {
    let context = TestContext::enforcing();
    let path = make_pythons(&context);
    let newer = rusqlite::Connection::open(&path).unwrap();
    newer.pragma_update(None, "user_version", 1000).unwrap();
    drop(newer);
    assert_harmless(&context);
    let said = "a newer attest has written the state file: its schema has version 1000";
    assert!(log(&context).contains(said), "{}", log(&context));
    assert_eq!(asides(&context).len(), 0);
}

#[test]
fn every_command_says_what_to_do_about_a_newer_attests_file() {
    let context = TestContext::new();
    let path = make_pythons(&context);
    let newer = rusqlite::Connection::open(&path).unwrap();
    newer.pragma_update(None, "user_version", 1000).unwrap();
    drop(newer);
    let before = fs::read(&path).unwrap();
    let hint = "install that attest again, or name another file in ATTEST_STATE_DB";
    for command in ["agents", "log", "show", "explain", "stats", "report", "gc"] {
        let printed = context.attest([command]).assert_failure();
        let said = &printed.stderr;
        assert!(said.contains("a newer attest has written"), "{printed:?}");
        assert!(said.contains(&format!("hint: {hint}\n")), "{printed:?}");
    }
    let report = context.attest(["doctor"]).assert_failure();
    assert!(report.stdout.contains(&format!("→ {hint}")), "{report:?}");
    assert_eq!(fs::read(&path).unwrap(), before);
}

// Windows says of it that it is not there.
#[cfg(unix)]
#[test]
fn a_history_that_cannot_be_looked_at_is_not_called_empty() {
    let mut context = TestContext::new();
    let file = context.folder().join("file");
    fs::write(&file, "").unwrap();
    context.set("ATTEST_STATE_DB", file.join("state.db"));
    for command in ["agents", "log", "stats", "gc"] {
        let printed = context.attest([command]).assert_failure();
        assert!(printed.stderr.contains("cannot use the state file"));
        assert!(printed.stderr.contains("hint: "), "{printed:?}");
    }
    context.set("ATTEST_STATE_DB", context.folder().join("none/state.db"));
    context.attest(["log"]).assert_success();
}

#[cfg(unix)]
#[test]
fn what_doctor_says_of_a_folder_that_others_may_write_to_helps() {
    use std::os::unix::fs::PermissionsExt as _;
    let context = TestContext::new();
    context.attest(["install"]).assert_success();
    let folder = context.home().join(".attest");
    make_private(&folder);
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).unwrap();
    let report = context.attest(["doctor"]).assert_failure();
    assert!(
        report.stdout.contains("→ run `chmod go-w` on it"),
        "{report:?}"
    );
    let mut chmod = context.command("chmod");
    assert!(chmod.arg("go-w").arg(&folder).status().unwrap().success());
    context.attest(["doctor"]).assert_success();
}

#[test]
fn an_error_of_the_database_of_cast_is_one_line_without_the_statement() {
    let mut context = TestContext::new();
    let repo = context.repository("repo", &[("a.py", "1")]);
    let path = context.folder().join("cast.db");
    context.set("CAST_DB_PATH", &path);
    let cast = rusqlite::Connection::open(&path).unwrap();
    cast.execute_batch("CREATE TABLE attestations (other TEXT)")
        .unwrap();
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    agent.stop(&context, &done("a.py"));
    let log = log(&context);
    let line = log.lines().find(|line| line.contains("CAST_NOT_WRITTEN"));
    let expected = "database of CAST: its table attestations has no column id";
    assert!(line.unwrap().ends_with(expected), "{log}");
}

#[test]
fn the_tables_are_those_of_the_page() {
    let context = TestContext::new();
    let repo = context.repository("repo", &[("a.py", "1")]);
    Agent::new("a1", &repo).start(&context);
    let state = rusqlite::Connection::open(context.home().join(".attest/state.db")).unwrap();
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
    let mut select = state.prepare(sql).unwrap();
    let names = select.query_map([], |row| row.get::<_, String>(0)).unwrap();
    let names: std::collections::BTreeSet<_> = names.map(Result::unwrap).collect();
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/state/README.md");
    let page = fs::read_to_string(page).unwrap();
    let (_, section) = page.split_once("\n## The state file\n").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap_or((section, ""));
    let (_, table) = section
        .split_once("| table | one row per |\n|---|---|\n")
        .unwrap();
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    let told = rows.map(|row| row.split('`').nth(1).unwrap().to_owned());
    assert_eq!(names, told.collect());
}

#[test]
fn a_folder_in_its_place() {
    let context = TestContext::enforcing();
    make_private(&context.home().join(".attest"));
    make_private(&context.home().join(".attest/state.db"));
    assert_harmless(&context);
}

#[cfg(unix)]
#[test]
fn a_pipe_in_its_place() {
    let context = TestContext::enforcing();
    let folder = context.home().join(".attest");
    make_private(&folder);
    let pipe = folder.join("state.db");
    assert!(
        context
            .command("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    assert_harmless(&context);
}

#[cfg(unix)]
#[test]
fn a_folder_that_others_may_write_to() {
    use std::os::unix::fs::PermissionsExt;
    let mut context = TestContext::enforcing();
    let shared = context.folder().join("shared");
    fs::create_dir(&shared).unwrap();
    fs::set_permissions(&shared, fs::Permissions::from_mode(0o777)).unwrap();
    context.set("ATTEST_STATE_DB", shared.join("state.db"));
    assert_harmless(&context);
    assert!(!shared.join("state.db").exists());
}

#[test]
fn no_home_at_all() {
    let mut context = TestContext::enforcing();
    let repo = context.repository("repo", &[("a.py", "1")]);
    context.unset("HOME");
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    assert_eq!(agent.stop(&context, &done("ghost.py")).0.stdout, "");
}

#[test]
fn a_lock_that_is_held_beyond_the_deadline() {
    let mut context = TestContext::enforcing();
    context.set("ATTEST_STOP_DEADLINE", "3");
    let repo = context.repository("repo", &[("a.py", "1")]);
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    let holder = hold_lock(&context);
    // A stop that the system keeps waiting may be late, or come to nothing before it would block.
    in_one_of_some_tries(|_| {
        let began = Instant::now();
        let stop = agent.stop(&context, &done("ghost.py"));
        assert_eq!(stop.0.stdout, "", "{stop:?}");
        let is_in_time = began.elapsed() < Duration::from_secs(4);
        is_in_time && stop.0.stderr.contains("counter persist failed")
    });
    drop(holder);
    // Nothing was recorded, so the proof still stands at the next stop.
    context.set("ATTEST_STOP_DEADLINE", "300");
    agent.stop(&context, &done("ghost.py")).assert_blocked();
}

/// A connection that lets nobody else write.
fn hold_lock(context: &TestContext) -> rusqlite::Connection {
    let state = context.home().join(".attest/state.db");
    let holder = rusqlite::Connection::open(&state).unwrap();
    holder.execute_batch("BEGIN EXCLUSIVE").unwrap();
    holder
}

/// Each block takes a durable write of its own, and all of them wait for one that takes long.
#[test]
fn sixty_liars_at_once_are_all_blocked_and_counted_however_long_the_lock_is_held() {
    let mut context = TestContext::enforcing();
    context.set("ATTEST_SESSION_BLOCK_CEILING", "1000");
    let repo = context.repository("repo", &[("a.py", "1")]);
    let agents: Vec<_> = (0..60)
        .map(|number| Agent::new(&format!("a{number}"), &repo))
        .collect();
    for agent in &agents {
        agent.start(&context);
    }
    let holder = hold_lock(&context);
    let stops = agents
        .iter()
        .map(|agent| agent.spawn_stop(&context, &done("ghost.py"), Stdio::piped()));
    let stops: Vec<_> = stops.collect();
    thread::sleep(Duration::from_secs(5));
    drop(holder);
    let outputs = stops
        .into_iter()
        .map(|stop| stop.wait_with_output().unwrap());
    let blocked = outputs
        .filter(|output| output.stdout.starts_with(b"{\"decision\""))
        .count();
    assert_eq!(blocked, 60, "{}", log(&context));
    let state = rusqlite::Connection::open(context.home().join(".attest/state.db")).unwrap();
    let count = |sql: &str| -> u32 { state.query_row(sql, [], |row| row.get(0)).unwrap() };
    assert_eq!(count("SELECT blocks FROM session_blocks"), 60);
    assert_eq!(
        count("SELECT count(*) FROM agents WHERE block_count = 1"),
        60
    );
}

/// Each writing of the file anew keeps all stops waiting. Whoever waits longer than a hook may says so in the log, by one
/// of these reasons; that many may not be let go without one.
#[test]
fn forgetting_beside_forty_stops_loses_no_block_in_silence() {
    const REASONS: [&str; 4] = [
        "ALLOW_COUNTER_NOT_DURABLE",
        "ALLOW_DEADLINE",
        "STATE_UNUSABLE",
        "BASELINE_UNREADABLE",
    ];
    let mut context = TestContext::enforcing();
    context.set("ATTEST_SESSION_BLOCK_CEILING", "100");
    let repo = context.repository("repo", &[("a.py", "1")]);
    settle();
    let (is_done, context) = (AtomicBool::new(false), &context);
    let outputs = thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                context.attest(["gc"]);
            }
        });
        let outputs = all_at_once(context, &repo, 40, &done("ghost.py"));
        is_done.store(true, Ordering::Relaxed);
        outputs
    });
    let blocked = outputs.iter().filter(|output| !output.stdout.is_empty());
    let log = log(context);
    let said = log
        .lines()
        .filter(|line| REASONS.iter().any(|it| line.contains(it)));
    assert_eq!(blocked.count() + said.count(), 40, "{log}");
}

#[test]
fn twenty_starts_and_stops_at_once_lose_nothing() {
    let mut context = TestContext::enforcing();
    context.set("ATTEST_SESSION_BLOCK_CEILING", "5");
    let repo = context.repository("repo", &[("a.py", "1")]);
    let outputs = all_at_once(&context, &repo, 20, &done("ghost.py"));
    assert!(outputs.iter().all(|output| output.status.success()));
    let blocked = outputs
        .iter()
        .filter(|output| output.stdout.starts_with(b"{\"decision\""))
        .count();
    assert_eq!(blocked, 5);
    let state = rusqlite::Connection::open(context.home().join(".attest/state.db")).unwrap();
    let known: u32 = state
        .query_row("SELECT count(*) FROM agents", [], |row| row.get(0))
        .unwrap();
    assert_eq!(known, 20);
}

#[test]
fn a_later_start_builds_on_the_one_before_and_misses_nothing_since() {
    let context = TestContext::new();
    let repo = context.repository("repo", &[("src/a.py", "1"), ("src/b.py", "1")]);
    fs::create_dir(repo.join("made")).unwrap();
    fs::write(repo.join("made/one"), "1").unwrap();
    settle();
    Agent::new("first", &repo).start(&context);
    for (path, content) in [("src/a.py", "2"), ("made/one", "2"), ("made/two", "1")] {
        fs::write(repo.join(path), content).unwrap();
    }
    settle();
    let liar = Agent::new("second", &repo);
    liar.start(&context);
    let stop = liar.stop(&context, &done("src/a.py, made/one, made/two"));
    stop.assert_reported("OBSERVED [(none)] -> WARN");
    let honest = Agent::new("third", &repo);
    honest.start(&context);
    for path in ["src/b.py", "made/one", "made/three"] {
        fs::write(repo.join(path), "3").unwrap();
    }
    let stop = honest.stop(&context, &done("src/b.py, made/one, made/three"));
    stop.assert_reported("-> OK");
}

#[test]
fn a_damaged_baseline_of_another_agent_is_done_without() {
    // What the second one begins with is what the first one did, and is written anew, or something else.
    for between in ["a.py", "b.py"] {
        let mut context = TestContext::enforcing();
        context.set("ATTEST_STRICT", "dirty");
        let repo = context.repository("repo", &[("a.py", "1")]);
        Agent::new("first", &repo).start(&context);
        let state = rusqlite::Connection::open(context.home().join(".attest/state.db")).unwrap();
        let damaged = state.execute("UPDATE trees SET content = x'ff'", []);
        assert_eq!(damaged.unwrap(), 1);
        fs::write(repo.join(between), "1").unwrap();
        let liar = Agent::new("second", &repo);
        liar.start(&context);
        assert!(log(&context).contains("BASELINE_UNREADABLE"));
        liar.stop(&context, &done("ghost.py")).assert_blocked();
    }
}

#[test]
fn what_an_agent_whose_baseline_is_damaged_may_have_done_is_no_lie_of_the_next() {
    let mut context = TestContext::enforcing();
    context.set("ATTEST_STRICT", "all");
    let repo = context.repository("repo", &[("a.py", "1")]);
    Agent::new("first", &repo).start(&context);
    fs::write(repo.join("a.py"), "2").unwrap();
    let state = rusqlite::Connection::open(context.home().join(".attest/state.db")).unwrap();
    state
        .execute("UPDATE trees SET content = x'ff'", [])
        .unwrap();
    settle();
    let next = Agent::new("next", &repo);
    next.start(&context);
    fs::write(repo.join("b.py"), "1").unwrap();
    let stop = next.stop(&context, &done("a.py, b.py"));
    stop.assert_allowed("PERHAPS_OTHERS");
    let stop = next.stop(&context, &done("a.py, b.py, ghost.py"));
    assert!(stop.assert_blocked().contains("ghost.py"));
}

#[cfg(target_os = "linux")]
#[attest_needs::needs(tmpfs)]
#[test]
fn a_full_disk() {
    let mut context = TestContext::enforcing();
    let disk = context.folder().join("disk");
    fs::create_dir(&disk).unwrap();
    let mount = |arguments: &[&str]| {
        let mut command = context.command("mount");
        command.args(arguments).arg(&disk).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    assert!(mount(&[
        "-t",
        "tmpfs",
        "-o",
        "size=512k,mode=0700",
        "tmpfs"
    ]));
    context.set("ATTEST_STATE_DB", disk.join("state.db"));
    let repo = context.repository("repo", &[("a.py", "1")]);
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    // Fills what is left, to the last byte.
    let mut rest = fs::File::create(disk.join("rest")).unwrap();
    let block = [0_u8; 512];
    while std::io::Write::write(&mut rest, &block).is_ok_and(|written| written > 0) {}
    let began = Instant::now();
    let first = agent.stop(&context, &done("ghost.py"));
    let took = began.elapsed();
    let known = first.block().is_some();
    drop(rest);
    fs::remove_file(disk.join("rest")).unwrap();
    let second = agent.stop(&context, &done("ghost.py"));
    let unmounted = context.command("umount").arg(&disk).status().unwrap();
    assert!(unmounted.success());
    assert!(took < SOON, "{took:?}");
    assert!(
        first.0.stderr.contains("counter persist failed") || known,
        "{first:?}"
    );
    assert_ne!(
        first.block().is_some(),
        second.block().is_some(),
        "one block in all"
    );
}

fn make_private(folder: &std::path::Path) {
    fs::create_dir_all(folder).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700)).unwrap();
    }
}

#[cfg(unix)]
fn restrict(file: &std::path::Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(file, fs::Permissions::from_mode(0o600)).unwrap();
}

/// A new file is private by the access list of its folder.
#[cfg(not(unix))]
fn restrict(_file: &std::path::Path) {}

/// Bytes of the state file with its log, and those in use.
fn sizes(context: &TestContext) -> (u64, u64) {
    let path = context.home().join(".attest/state.db");
    let size = |path: &str| fs::metadata(path).map_or(0, |metadata| metadata.len());
    let path = path.to_str().unwrap();
    let on_disk = size(path) + size(&format!("{path}-wal"));
    let state = rusqlite::Connection::open(path).unwrap();
    let sql = "SELECT (page_count - freelist_count) * page_size
               FROM pragma_page_count, pragma_freelist_count, pragma_page_size";
    let in_use: i64 = state.query_row(sql, [], |row| row.get(0)).unwrap();
    (on_disk, u64::try_from(in_use).unwrap())
}

/// A baseline of this tree takes more than 50 kB.
fn repository_with_untracked_files(context: &TestContext) -> std::path::PathBuf {
    let repo = context.repository("repo", &[("a.py", "1")]);
    for number in 0..1000 {
        fs::write(repo.join(format!("untracked-{number}.txt")), "1").unwrap();
    }
    settle();
    repo
}

#[test]
fn fifty_agents_in_the_same_tree_store_it_once() {
    let context = TestContext::new();
    let repo = repository_with_untracked_files(&context);
    for number in 0..50 {
        let agent = Agent::new(&format!("a{number}"), &repo);
        agent.start(&context);
        let stop = agent.stop(&context, &done("untracked-1.txt"));
        stop.assert_reported("-> WARN");
    }
    let (on_disk, in_use) = sizes(&context);
    assert!(in_use < 1_000_000, "{in_use}");
    assert!(on_disk < 2_000_000, "{on_disk}");
    // Each has a baseline of its own all the same.
    fs::write(repo.join("untracked-1.txt"), "2").unwrap();
    for number in [0, 49] {
        let agent = Agent::new(&format!("a{number}"), &repo);
        agent.start(&context);
        let stop = agent.stop(&context, &done("untracked-1.txt"));
        stop.assert_reported("-> OK");
    }
}

#[test]
fn what_the_state_may_take_is_kept_and_given_back() {
    let mut context = TestContext::new();
    let repo = repository_with_untracked_files(&context);
    for number in 0..40 {
        fs::write(repo.join("changing"), number.to_string()).unwrap();
        let agent = Agent::new(&format!("a{number}"), &repo);
        agent.start(&context);
        agent.stop(&context, &done("a.py"));
    }
    let (_, before) = sizes(&context);
    assert!(before > 2_000_000, "{before}");
    let state = rusqlite::Connection::open(context.home().join(".attest/state.db")).unwrap();
    let hours = |hours: i64| hours * 60 * 60 * 1_000_000_000;
    let old = "UPDATE agents SET started_at = started_at - ?1, stopped_at = stopped_at - ?1";
    state.execute(old, [hours(2)]).unwrap();
    drop(state);
    context.set("ATTEST_STATE_MAX_MB", "1");
    // Each stop has a tenth of a second for it.
    let last = Agent::new("last", &repo);
    for _ in 0..10 {
        last.start(&context);
        last.stop(&context, &done("a.py"));
    }
    let (on_disk, in_use) = sizes(&context);
    assert!(in_use <= 1_000_000, "{in_use}");
    assert!(on_disk > 2_000_000, "{on_disk}");
    let said = context.attest(["gc"]).assert_success().stdout;
    assert!(said.contains(" MB smaller"), "{said}");
    let (on_disk, _) = sizes(&context);
    assert!(on_disk <= 1_000_000, "{on_disk}");
    // One that was let go is still known, and never gets a second, later baseline.
    let resumed = Agent::new("a0", &repo);
    resumed.start(&context);
    let stop = resumed.stop(&context, &done("ghost.py"));
    stop.assert_reported("no snapshot found for a0");
    // The youngest is what the next start builds on.
    let liar = Agent::new("liar", &repo);
    liar.start(&context);
    let stop = liar.stop(&context, &done("ghost.py"));
    stop.assert_reported("MISMATCH: ghost.py");
}
