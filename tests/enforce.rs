//! `attest enforce`: blocking is turned on and off in the file of attest's own, and nothing else is.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::agent::{Agent, done};
use crate::common::{BINARY, TestContext};

fn settings(context: &TestContext) -> PathBuf {
    context.home().join(".claude/settings.json")
}

fn own(context: &TestContext) -> PathBuf {
    context.home().join(".attest/settings.toml")
}

/// What the file of attest's own has.
fn said_in(context: &TestContext) -> String {
    fs::read_to_string(own(context)).unwrap_or_default()
}

/// Installs the hooks. That agents are asked for a report stands in the same file, and is no part of this.
fn install(context: &TestContext) {
    context.attest(["install"]).assert_success();
    fs::remove_file(own(context)).unwrap();
}

/// Has the settings file of the host set these variables, as a person may.
fn put(context: &TestContext, variables: &[(&str, &str)]) {
    let text = fs::read_to_string(settings(context)).unwrap();
    let mut document: serde_json::Value = serde_json::from_str(&text).unwrap();
    for (name, value) in variables {
        document["env"][name] = (*value).into();
    }
    let text = serde_json::to_string_pretty(&document).unwrap();
    fs::write(settings(context), text).unwrap();
}

#[test]
fn enforcement_is_turned_on_for_one_type_for_all_and_off_again() {
    let context = TestContext::new();
    install(&context);
    let installed = fs::read_to_string(settings(&context)).unwrap();
    let run = |arguments: &[&str]| {
        let arguments = ["enforce"].iter().chain(arguments);
        let printed = context.attest(arguments).assert_success();
        (printed.stdout, said_in(&context))
    };
    let (said, same) = run(&["on", "--dry-run"]);
    assert!(
        said.contains('+') && said.ends_with("would be on for every type of agent\n"),
        "{said}"
    );
    assert_eq!(same, "", "a dry run changes nothing");
    let (said, one) = run(&["on", "--agent", "Explore"]);
    assert!(said.contains("+ATTEST_ENFORCE = \"1\""), "{said}");
    assert!(
        said.contains("from their next hook on") && said.ends_with("is on for Explore\n"),
        "{said}"
    );
    assert!(said.contains("`attest enforce on` covers all"), "{said}");
    assert!(one.contains("ATTEST_ENFORCE_AGENTS = \"Explore\""), "{one}");
    let (said, other) = run(&["on", "--agent", "general-purpose"]);
    assert!(
        other.contains("ATTEST_ENFORCE_AGENTS = \"general-purpose\""),
        "{other}"
    );
    assert!(
        said.contains("backup: ") && said.ends_with("on for general-purpose\n"),
        "{said}"
    );
    let (said, two) = run(&["on", "--agent", "Explore", "--agent", "Plan"]);
    assert!(two.contains("\"Explore,Plan\""), "{two}");
    assert!(said.ends_with("on for Explore, Plan\n"), "{said}");
    let (said, all) = run(&["on"]);
    assert!(
        said.ends_with("enforcement is on for every type of agent\n"),
        "{said}"
    );
    assert!(!all.contains("ATTEST_ENFORCE_AGENTS"), "{all}");
    let (said, again) = run(&["on"]);
    assert!(
        !said.contains('+') && said.ends_with("on for every type of agent\n"),
        "{said}"
    );
    assert_eq!(again, all);
    let (said, again) = run(&["on", "--agent", "Plan"]);
    assert!(again.contains("\"Plan\""), "one type after all: {again}");
    assert!(said.ends_with("enforcement is on for Plan\n"), "{said}");
    let (said, off) = run(&["off"]);
    assert!(
        said.ends_with("nothing is blocked, only reported\n"),
        "{said}"
    );
    assert!(off.is_empty() && !own(&context).exists(), "{off}");
    let now = fs::read_to_string(settings(&context)).unwrap();
    assert_eq!(now, installed, "the file of the host stays as it is");
}

/// Runs `attest enforce` in a folder and gives what it said.
fn enforce_in(context: &TestContext, folder: &Path, arguments: &[&str]) -> (String, String) {
    let mut enforce = context.command(BINARY);
    enforce.arg("enforce").args(arguments).current_dir(folder);
    let output = enforce.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

/// What is printed is what an agent meets, wherever it is set. A project may turn enforcement on, and not off.
#[test]
fn the_last_line_says_what_an_agent_in_this_folder_meets() {
    let mut context = TestContext::new();
    let repo = context.repository("repo", &[("a.py", "1")]);
    let other = context.repository("other", &[("a.py", "1")]);
    install(&context);
    fs::create_dir(repo.join(".claude")).unwrap();
    let file = |name: &str| repo.join(".claude").join(name);
    let on = "enforcement is on for every type of agent\n";
    for name in ["settings.json", "settings.local.json"] {
        fs::write(file(name), r#"{"env": {"ATTEST_ENFORCE": "0"}}"#).unwrap();
        for folder in [&repo, &other] {
            let (said, _) = enforce_in(&context, folder, &["on"]);
            assert!(
                said.ends_with(on) && !said.contains("which counts more"),
                "{said}"
            );
            assert!(!said.contains("in other folders"), "{said}");
        }
        fs::remove_file(file(name)).unwrap();
    }
    fs::write(
        file("settings.local.json"),
        r#"{"env": {"ATTEST_ENFORCE": "1"}}"#,
    )
    .unwrap();
    let (said, _) = enforce_in(&context, &repo, &["off"]);
    assert!(said.ends_with(on), "the project turns it on: {said}");
    let liar = Agent::new("liar", &repo);
    context.set("ATTEST_ENFORCE", "1");
    liar.start(&context);
    liar.stop(&context, &done("ghost.py")).assert_blocked();
}

/// Without a word for it, nothing changes.
#[test]
fn bare_it_shows_what_is_in_force_and_changes_nothing() {
    let context = TestContext::new();
    let repo = context.repository("repo", &[("a.py", "1")]);
    install(&context);
    enforce_in(&context, &repo, &["on", "--agent", "Explore"]);
    let before = said_in(&context);
    let (said, _) = enforce_in(&context, &repo, &[]);
    assert!(said.ends_with("enforcement is on for Explore\n"), "{said}");
    let doctor = context.attest(["doctor"]).stdout;
    assert!(
        doctor.contains("ATTEST_ENFORCE_AGENTS=Explore in"),
        "{doctor}"
    );
    assert_eq!(said_in(&context), before);
    assert_eq!(context.attest(["enforce", "--agent", "Plan"]).code, Some(2));
}

/// The command in the line, typed as it stands, changes what the line says, and nothing else.
#[test]
fn what_changes_the_answer_works_as_printed() {
    let mut context = TestContext::new();
    let repo = context.repository("repo", &[("a.py", "1")]);
    install(&context);
    let typed = |said: &str, before: &str, after: &str| -> Vec<String> {
        let (_, rest) = said
            .split_once(&format!("{before}: `attest enforce "))
            .unwrap();
        let (command, _) = rest.split_once(&format!("` {after}")).unwrap();
        command.split(' ').map(str::to_owned).collect()
    };
    let (blocked, let_go) = (
        "(ATTEST_STRICT=dirty)",
        "uncommitted changes are not blocked",
    );
    enforce_in(
        &context,
        &repo,
        &["on", "--agent", "Explore", "--agent", "Plan"],
    );
    let (said, _) = enforce_in(&context, &repo, &[]);
    let command = typed(&said, blocked, "turns that off");
    assert_eq!(
        command.join(" "),
        "on --agent Explore --agent Plan --lenient"
    );
    let command: Vec<_> = command.iter().map(String::as_str).collect();
    let (said, _) = enforce_in(&context, &repo, &command);
    assert!(said.ends_with("on for Explore, Plan\n"), "{said}");
    assert_eq!(
        typed(&said, let_go, "changes that").join(" "),
        "on --agent Explore --agent Plan"
    );
    assert_eq!(
        typed(&said, "other types are only reported", "covers all").join(" "),
        "on --lenient"
    );
    // What is decided elsewhere no command of attest changes.
    context.set("ATTEST_STRICT", "dirty");
    let (said, _) = enforce_in(&context, &repo, &[]);
    assert!(said.contains(blocked), "{said}");
    assert!(!said.contains("turns that off"), "{said}");
    // And what changes nothing is not taken.
    let alone = context.attest(["enforce", "--lenient"]);
    assert_eq!(alone.code, Some(2));
}

/// On in the settings, and no hook that could block: the last line says so, and the file that turns hooks off.
#[test]
fn enforcement_that_no_hook_enforces_is_not_called_on() {
    let context = TestContext::new();
    let repo = context.repository("repo", &[("a.py", "1")]);
    install(&context);
    fs::create_dir(repo.join(".claude")).unwrap();
    let file = repo.join(".claude/settings.json");
    let own = settings(&context);
    let installed = fs::read_to_string(&own).unwrap();
    let limited = installed.replacen('{', r#"{"env": {"ATTEST_MAX_RETRIES": "0"},"#, 1);
    for (file, content, why) in [
        (
            &file,
            r#"{"disableAllHooks": true}"#,
            "`disableAllHooks` is true in",
        ),
        (&own, &*limited, "ATTEST_MAX_RETRIES=0 in"),
    ] {
        let before = fs::read(file).ok();
        fs::write(file, content).unwrap();
        let (said, warned) = enforce_in(&context, &repo, &["on"]);
        let last = format!(
            "enforcement is on for every type of agent, but nothing is blocked: {why} {}\n",
            file.display()
        );
        assert!(said.ends_with(&last), "{said}");
        assert!(warned.contains(why), "{warned}");
        fs::write(file, before.unwrap_or_else(|| b"{}".to_vec())).unwrap();
    }
    fs::write(&file, r#"{"disableAllHooks": false}"#).unwrap();
    let (said, warned) = enforce_in(&context, &repo, &["on"]);
    assert!(said.ends_with("on for every type of agent\n"), "{said}");
    assert_eq!(warned, "");
}

/// The twin, in which nothing but the hooks is missing, is told to install them.
#[test]
fn settings_that_cannot_be_read_are_not_called_settings_without_hooks() {
    let context = TestContext::new();
    let repo = context.repository("repo", &[("a.py", "1")]);
    install(&context);
    let file = settings(&context);
    let installed = fs::read_to_string(&file).unwrap();
    let damaged = installed.trim_end().strip_suffix('}').unwrap().to_owned() + ",,}";
    let none = "no hook of attest is in the settings";
    for (content, is_told, never) in [
        (&*damaged, "cannot be read: line ", none),
        ("{}", none, "cannot be read"),
    ] {
        fs::write(&file, content).unwrap();
        let (said, warned) = enforce_in(&context, &repo, &["on"]);
        for text in [said, warned] {
            assert!(text.contains(is_told), "{text}");
            assert!(!text.contains(never), "{text}");
        }
        enforce_in(&context, &repo, &["off"]);
    }
    fs::write(&file, damaged).unwrap();
    let (said, _) = enforce_in(&context, &repo, &[]);
    assert!(said.contains("enforcement is off; "), "{said}");
    assert!(said.contains("cannot be read: line "), "{said}");
    let status = context.attest(["status"]).assert_success().stdout;
    assert!(status.contains("cannot be read: line "), "{status}");
    assert!(!status.contains("attest install"), "{status}");
}

#[test]
fn a_damaged_file_of_attest_is_named_where_it_counts_for_nothing() {
    let context = TestContext::new();
    let repo = context.repository("repo", &[("a.py", "1")]);
    install(&context);
    enforce_in(&context, &repo, &["on"]);
    assert_eq!(enforce_in(&context, &repo, &[]).1, "");
    let own = context.home().join(".attest/settings.toml");
    let damaged = fs::read_to_string(&own).unwrap() + "oops\n";
    fs::write(&own, damaged).unwrap();
    let (_, warned) = enforce_in(&context, &repo, &[]);
    assert!(warned.contains("nothing in it counts"), "{warned}");
}

/// In a mount of its own, so that nothing of the machine changes.
#[cfg(target_os = "linux")]
#[attest_needs::needs(namespace)]
#[test]
fn what_an_administrator_says_goes_over_all() {
    let context = TestContext::new();
    install(&context);
    let folder = context.folder().join("etc");
    fs::create_dir(&folder).unwrap();
    let run = |content: &str, command: &str| {
        let script = format!(
            "mount -t tmpfs tmpfs '{0}' && mkdir '{0}/upper' '{0}/work' && \
             mkdir -p '{0}/upper/claude-code/managed-settings.d' && \
             printf '%s' \"$1\" > '{0}/upper/claude-code/managed-settings.d/10.json' && \
             mount -t overlay overlay -o 'lowerdir=/etc,upperdir={0}/upper,workdir={0}/work' /etc && \
             exec '{BINARY}' {command}",
            folder.display()
        );
        let mut unshare = context.command("unshare");
        unshare.args(["--mount", "sh", "-c", &script, "sh", content]);
        let output = unshare.output().unwrap();
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    let said = run(r#"{"env": {"ATTEST_ENFORCE": "0"}}"#, "enforce on");
    assert!(
        said.contains("nothing is blocked, only reported\n"),
        "{said}"
    );
    assert!(
        said.contains("/etc/claude-code/managed-settings.d/10.json sets"),
        "{said}"
    );
    let said = run(r#"{"allowManagedHooksOnly": true}"#, "doctor");
    assert!(
        said.contains("`allowManagedHooksOnly` is true in /etc/"),
        "{said}"
    );
    let said = run(r#"{"allowManagedHooksOnly": false}"#, "enforce");
    assert!(said.ends_with("on for every type of agent\n"), "{said}");
}

/// What `on` adds, `off` takes away; all other words stay.
#[test]
fn dirty_starts_are_blocked_and_the_words_of_a_person_survive() {
    let context = TestContext::new();
    install(&context);
    let strict = |context: &TestContext| {
        let text = said_in(context);
        let line = text
            .lines()
            .find_map(|it| it.strip_prefix("ATTEST_STRICT = "));
        line.map(|value| value.split('"').nth(1).unwrap().to_owned())
    };
    let run = |arguments: &[&str]| context.attest(arguments).assert_success().stdout;
    let said = run(&["enforce", "on"]);
    assert_eq!(strict(&context).as_deref(), Some("dirty"));
    let sentences = said
        .lines()
        .filter(|line| line.contains("uncommitted changes"));
    assert_eq!(sentences.count(), 1, "{said}");
    let said = run(&["enforce", "on", "--lenient"]);
    assert!(
        said.contains("uncommitted changes are not blocked"),
        "{said}"
    );
    assert_eq!(strict(&context), None);
    run(&["enforce", "on"]);
    run(&["enforce", "off"]);
    assert_eq!(strict(&context), None);
    for (own, on, off) in [
        ("untouched", "untouched,dirty", Some("untouched")),
        ("dirty", "dirty", None),
        ("all", "all", Some("all")),
    ] {
        let before = format!("[claude-code]\nATTEST_STRICT = \"{own}\"\n");
        fs::create_dir_all(self::own(&context).parent().unwrap()).unwrap();
        fs::write(self::own(&context), before).unwrap();
        run(&["enforce", "on", "--agent", "Explore"]);
        assert_eq!(strict(&context).as_deref(), Some(on));
        run(&["enforce", "off"]);
        assert_eq!(strict(&context).as_deref(), off);
    }
}

/// The agent that begins where another one left its work: blocked after `on`, and not by the variable alone.
#[test]
fn the_variable_alone_lets_a_dirty_start_go() {
    let mut context = TestContext::new();
    let repo = context.repository("repo", &[("a.py", "1")]);
    fs::write(repo.join("left.py"), "left\n").unwrap();
    install(&context);
    context.set("ATTEST_ENFORCE", "1");
    let lie = |context: &TestContext, id: &str| {
        let agent = Agent::new(id, &repo);
        agent.start(context);
        agent.stop(context, &done("ghost.py"))
    };
    lie(&context, "by-variable").assert_allowed("ALLOW_AMBIGUOUS");
    for (command, why) in [
        (
            &["stats", "--all"][..],
            "1 agent with a false DONE was let go: the work tree had uncommitted changes at the start",
        ),
        (
            &["doctor"],
            "1 false DONE was not blocked because the work tree was dirty",
        ),
    ] {
        let said = context.attest(command).stdout.replace('\n', " ");
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(why), "{said}");
        assert!(said.contains("`attest enforce on`"), "{said}");
    }
    context.unset("ATTEST_ENFORCE");
    context.attest(["enforce", "on"]).assert_success();
    lie(&context, "by-command").assert_blocked();
    let honest = Agent::new("honest", &repo);
    honest.start(&context);
    fs::write(repo.join("made.py"), "made\n").unwrap();
    honest
        .stop(&context, &done("made.py, left.py"))
        .assert_allowed("claimed but not in delta");
}

#[test]
fn what_cannot_be_done_is_said() {
    let context = TestContext::new();
    let printed = context.attest(["enforce", "on"]).assert_success();
    assert!(
        printed.stderr.contains("run `attest install`"),
        "{printed:?}"
    );
    let printed = context
        .attest(["enforce", "off", "--agent", "Explore"])
        .assert_failure();
    assert!(
        printed
            .stderr
            .contains("hint: `attest enforce on --agent TYPE`"),
        "{printed:?}"
    );
    assert_eq!(
        context.attest(["enforce", "on", "--agent", "a,b"]).code,
        Some(2)
    );
}

/// What the settings of the host or the environment say counts more, and is said to.
#[test]
fn off_is_off_or_says_what_keeps_it_on() {
    let mut context = TestContext::new();
    install(&context);
    put(&context, &[("ATTEST_ENFORCE", "1")]);
    let said = context.attest(["enforce", "off"]).assert_success().stdout;
    let file = settings(&context);
    let says = format!(
        "{} sets ATTEST_ENFORCE=1, which counts more",
        file.display()
    );
    assert!(said.contains(&says), "{said}");
    assert!(
        said.ends_with("enforcement is on for every type of agent\n"),
        "{said}"
    );
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("\"ATTEST_ENFORCE\": \"1\"", "")).unwrap();
    let said = context.attest(["enforce", "off"]).assert_success().stdout;
    assert!(
        said.ends_with("nothing is blocked, only reported\n"),
        "{said}"
    );
    context.set("ATTEST_ENFORCE", "1");
    let said = context.attest(["enforce", "off"]).assert_success().stdout;
    assert!(said.contains("is set in this environment"), "{said}");
    assert!(
        said.ends_with("enforcement is on for every type of agent\n"),
        "{said}"
    );
}

/// What attest itself writes to a project is nobody's work; a file beside it is.
#[test]
fn hooks_of_a_project_do_not_make_a_start_dirty() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", &[("a.py", "1")]);
    for host in ["claude-code", "codex", "qwen", "gemini"] {
        let mut install = context.command(BINARY);
        install.args(["install", "--project", "--host", host]);
        let installed = install.current_dir(&repo).output().unwrap();
        assert!(installed.status.success(), "{installed:?}");
    }
    let status = context.git(&repo, &["status", "--porcelain", "-uall"]);
    assert!(status.stdout.lines().count() >= 4, "{status:?}");
    let lie = |id: &str| {
        let agent = Agent::new(id, &repo);
        agent.start(&context);
        agent.stop(&context, &done("ghost.py"))
    };
    lie("first").assert_blocked();
    fs::write(repo.join(".claude/notes.md"), "of a person\n").unwrap();
    lie("second").assert_allowed("ALLOW_AMBIGUOUS");
}
