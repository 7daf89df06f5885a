//! What shells complete, asked as their scripts ask, and by the shells themselves.

use std::collections::BTreeSet;
use std::path::PathBuf;

use attest_made_history::{Plan, Truth, make};
use jiff::Timestamp;

use crate::common::TestContext;

const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

/// A small history, and what is true of it.
struct Scene {
    context: TestContext,
    state: PathBuf,
    truth: Truth,
}

impl Scene {
    fn new() -> Self {
        let context = TestContext::new();
        let state = context.home().join(".attest/state.db");
        let truth = make(&state, &Plan::new(&state, 200, Timestamp::now())).unwrap();
        Self {
            context,
            state,
            truth,
        }
    }

    /// What is offered, as a shell asks that says the words.
    fn asked(&self, words: &[&str]) -> Vec<String> {
        let (last, before) = words.split_last().unwrap();
        let mut asked = vec!["__complete", "words", "attest"];
        asked.extend(before);
        let last = format!(":{last}");
        asked.push(&last);
        let printed = self.context.attest(asked).assert_success();
        assert_eq!(printed.stderr, "");
        printed.stdout.lines().map(str::to_owned).collect()
    }

    /// The values alone.
    fn values(&self, words: &[&str]) -> Vec<String> {
        let mut lines = self.asked(words).into_iter();
        assert_eq!(lines.next().as_deref(), Some("values"), "{words:?}");
        let value = |line: String| line.split('\t').next().unwrap().to_owned();
        lines.map(value).collect()
    }

    /// The first of each that there is, the newest first.
    fn newest<'a>(&'a self, of: impl Fn(usize) -> &'a str) -> Vec<&'a str> {
        let mut stops: Vec<_> = (0..self.truth.stops.len()).collect();
        stops.sort_by_key(|stop| std::cmp::Reverse(self.truth.stops[*stop].at));
        let mut seen = BTreeSet::new();
        let all = stops.into_iter().map(of);
        all.filter(|value| seen.insert(*value)).take(30).collect()
    }
}

#[test]
fn values_are_those_of_the_history_the_newest_first() {
    let scene = Scene::new();
    let stops = &scene.truth.stops;
    let agents = scene.newest(|stop| &stops[stop].agent);
    assert_eq!(scene.values(&["log", "--agent", ""]), agents);
    let sessions = scene.newest(|stop| &stops[stop].session);
    assert_eq!(scene.values(&["stats", "--session", ""]), sessions);
    let types: BTreeSet<_> = stops
        .iter()
        .map(|stop| stop.agent_type.to_owned())
        .collect();
    for words in [["agents", "--agent-type"], ["enforce", "--agent"]] {
        let offered = scene.values(&[words[0], words[1], ""]);
        assert_eq!(BTreeSet::from_iter(offered), types);
    }
    let ids = scene.newest(|stop| &stops[stop].id[..8]);
    assert_eq!(scene.values(&["show", ""]), ids);
    let explained = scene.values(&["explain", ""]);
    assert_eq!(explained[..ids.len()], ids);
    assert!(explained.contains(&"ALLOW_AMBIGUOUS".to_owned()));
    let begun = &stops[7].id[..5];
    let found = scene.values(&["show", begun]);
    assert!(found.contains(&stops[7].id[..8].to_owned()), "{found:?}");
    assert!(found.iter().all(|id| id.starts_with(begun)), "{found:?}");
    let described = scene.asked(&["show", begun]);
    let what = format!("\t{} {}: ", stops[7].outcome, stops[7].agent_type);
    assert!(described[1].contains(&what), "{described:?}");
}

#[test]
fn each_option_offers_what_it_takes() {
    let scene = Scene::new();
    for (words, first) in [
        (&["log", "--outcome", "mis"][..], "mismatch"),
        (&["log", "--outcome=ok,MIS"], "--outcome=ok,MISMATCH"),
        (&["log", "--outcome", "sent-"], "sent-back"),
        (&["explain", "scope"], "scope_creep"),
        (&["explain", "unt"], "untouched"),
        (&["install", "--host", "cod"], "codex"),
        (&["hook", "stop", "--harness", "cod"], "codex"),
        (&["stats", "--by", "re"], "repository"),
        (&["report", "--since", "y"], "yesterday"),
        (&["gc", "--older-than", "7"], "7d"),
        (&["completions", "f"], "fish"),
        (&["log", "--json", "--fol"], "--follow"),
        (&["help", "ex"], "explain"),
        (&["doc"], "doctor"),
    ] {
        let values = scene.values(words);
        assert_eq!(values.first().map(String::as_str), Some(first), "{words:?}");
    }
    for words in [
        &["verify", "--before", ""][..],
        &["check", "crit"],
        &["report", ""],
        &["install", "--settings=~/"],
    ] {
        assert_eq!(scene.asked(words), ["files"], "{words:?}");
    }
    for words in [["log", "--repository", ""], ["plugin-dir", "--into", ""]] {
        assert!(
            matches!(&*scene.asked(&words), [it] if it == "folders"),
            "{words:?}"
        );
    }
}

/// No file belongs there, and no option where a value is to stand.
#[test]
fn nothing_is_offered_where_nothing_is_known() {
    let scene = Scene::new();
    for words in [
        &["log", "--limit", ""][..],
        &["check", "--jobs", ""],
        &["show", "zzz"],
        &["log", "--agent-type", "nobody"],
        &["log", "--repository", ".", "--nothing"],
    ] {
        assert_eq!(scene.asked(words), ["values"], "{words:?}");
    }
    let commands = scene.values(&[""]);
    assert!(commands.contains(&"doctor".to_owned()) && !commands.contains(&"-h".to_owned()));
    for hidden in ["man", "__complete"] {
        assert!(!commands.contains(&hidden.to_owned()), "{commands:?}");
        assert_eq!(scene.asked(&[&hidden[..2]]), ["values"]);
    }
}

/// The type of an agent is what somebody has called it, and a person presses return after it.
#[test]
fn nothing_is_offered_that_a_shell_would_run() {
    let scene = Scene::new();
    let odd = rusqlite::Connection::open(&scene.state).unwrap();
    let update = "UPDATE verdicts SET agent_type = '$(touch it)', summary = 'a' || char(10) || 'b' || char(27)";
    odd.execute_batch(update).unwrap();
    assert_eq!(scene.asked(&["log", "--agent-type", ""]), ["values"]);
    for line in scene.asked(&["show", ""]) {
        assert!(!line.contains('\u{1b}'), "{line:?}");
        assert!(line == "values" || line.contains('\t'), "{line:?}");
    }
}

#[test]
fn what_cannot_be_asked_offers_nothing_and_makes_nothing() {
    let context = TestContext::new();
    for words in [
        &[][..],
        &["words"],
        &["words", "attest"],
        &["line", ":x"],
        &["no", "such", ":form"],
    ] {
        let asked = [&["__complete"], words].concat();
        let printed = context.attest(&asked).assert_success();
        assert_eq!(printed.stderr, "", "{asked:?}");
    }
    let asked = ["__complete", "words", "attest", "show", ":"];
    let offered = context.attest(asked).assert_success().stdout;
    assert!(
        offered.starts_with("values\n--json\tPrint JSON\n"),
        "{offered}"
    );
    assert_eq!(std::fs::read_dir(context.home()).unwrap().count(), 0);
    let folder = context.home().join(".attest");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("state.db"), "damaged").unwrap();
    let printed = context.attest(asked).assert_success();
    assert_eq!((printed.stdout, &*printed.stderr), (offered, ""));
}

#[test]
fn each_script_asks_the_program() {
    let context = TestContext::new();
    for shell in SHELLS {
        let script = context
            .attest(["completions", shell])
            .assert_success()
            .stdout;
        assert!(script.contains("attest __complete") || script.contains(" __complete words"));
        assert!(!script.contains("ASKS"), "{shell}");
    }
    assert_eq!(context.attest(["completions", "csh"]).code, Some(2));
}

#[cfg(unix)]
mod shells {
    use std::fs;
    use std::path::Path;
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    use super::Scene;
    use crate::common::terminal::Terminal;
    use crate::common::{BINARY, Printed};

    /// How long a shell may take, also on a machine that is busy.
    const PATIENCE: Duration = Duration::from_mins(1);

    fn scene(shell: &str) -> (Scene, String) {
        let mut scene = Scene::new();
        let program = Path::new(BINARY).parent().unwrap().to_owned();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = [program].into_iter().chain(std::env::split_paths(&path));
        let path = std::env::join_paths(path).unwrap();
        scene
            .context
            .set("PATH", path)
            .set("TERM", "dumb")
            .set("PS1", "ready ");
        fs::create_dir_all(scene.context.folder().join("a folder")).unwrap();
        fs::write(scene.context.folder().join("a file.json"), "").unwrap();
        let script = scene.context.folder().join(".script");
        let printed = scene
            .context
            .attest(["completions", shell])
            .assert_success();
        fs::write(&script, printed.stdout).unwrap();
        (scene, script.to_str().unwrap().to_owned())
    }

    /// A shell at a terminal, and what it has shown.
    struct AtTerminal {
        terminal: Terminal,
        shown: String,
    }

    impl AtTerminal {
        fn start(mut command: Command, begin: &str) -> (Self, std::process::Child) {
            let terminal = Terminal::of_width(100);
            command.stdin(terminal.end()).stdout(terminal.end());
            let child = command.stderr(terminal.end()).spawn().unwrap();
            let mut it = Self {
                terminal,
                shown: String::new(),
            };
            it.wait_for("ready ");
            it.types(begin, "begun");
            (it, child)
        }

        /// Types, and waits until this is to be seen.
        fn types(&mut self, text: &str, expected: &str) {
            self.shown.clear();
            self.terminal.type_in(text);
            self.wait_for(expected);
        }

        fn wait_for(&mut self, expected: &str) {
            let began = Instant::now();
            while !self.shown.contains(expected) {
                assert!(began.elapsed() < PATIENCE, "{expected:?}: {:?}", self.shown);
                self.shown.push_str(&self.terminal.shown());
            }
        }
    }

    #[test]
    fn bash_completes() {
        let (scene, script) = scene("bash");
        let mut bash = scene.context.command("bash");
        bash.args(["--noprofile", "--norc", "-i"]);
        let (mut bash, mut child) =
            AtTerminal::start(bash, &format!("source {script}; echo be''gun\n"));
        let newest = &scene.newest(|stop| &scene.truth.stops[stop].agent)[0];
        for (typed, completed) in [
            ("attest doct\t", "attest doctor "),
            ("attest log --outcome=mism\t", "--outcome=mismatch "),
            ("attest log --outcome ok,scope\t", "ok,scope_creep "),
            (
                &*format!("attest log --agent {}\t", &newest[..newest.len() - 1]),
                &**newest,
            ),
            (
                "attest install --settings=a\\ fi\t",
                "--settings=a\\ file.json ",
            ),
            ("attest log --repository a\\ f\t", "a\\ folder/"),
        ] {
            bash.types(typed, completed);
            bash.types("\u{15}echo go''ne\n", "gone");
        }
        bash.types("attest log -n \t\techo no''thing\n", "othing");
        assert!(!bash.shown.contains("folder"), "{}", bash.shown);
        bash.terminal.type_in("\u{15}exit\n");
        child.wait().unwrap();
    }

    #[attest_needs::needs(zsh)]
    #[test]
    fn zsh_completes() {
        for is_loaded in [true, false] {
            let (scene, script) = scene("zsh");
            let folder = scene.context.folder().join("functions");
            fs::create_dir(&folder).unwrap();
            fs::copy(&script, folder.join("_attest")).unwrap();
            let mut zsh = scene.context.command("zsh");
            zsh.args(["-f", "-i"]);
            let load = if is_loaded {
                let folder = folder.display();
                format!("fpath=({folder} $fpath); autoload -U compinit; compinit -u -D")
            } else {
                format!("autoload -U compinit; compinit -u -D; source {script}")
            };
            let begin = format!("{load}; echo be''gun\n");
            let (mut zsh, mut child) = AtTerminal::start(zsh, &begin);
            for (typed, completed) in [
                ("attest doct\t", "octor"),
                ("attest log --outcome=mism\t", "match"),
                ("attest install --settings=a\\ fi\t", "le.json"),
                ("attest log --repository a\\ f\t", "older"),
                (
                    "attest log --outcome \t",
                    "a false DONE that was let through",
                ),
            ] {
                zsh.types(typed, completed);
                zsh.types("\u{15}echo go''ne\n", "gone");
            }
            zsh.terminal.type_in("exit\n");
            child.wait().unwrap();
        }
    }

    #[attest_needs::needs(fish)]
    #[test]
    fn fish_completes() {
        let (scene, script) = scene("fish");
        let completed = |line: &str| {
            let ask = format!("source {script}; complete -C '{line}'");
            let output = scene
                .context
                .command("fish")
                .args(["--no-config", "-c", &ask])
                .output();
            Printed::of(output.unwrap()).assert_success().stdout
        };
        for (line, begin) in [
            ("attest doct", "doctor\tCheck that"),
            (
                "attest log --outcome=mism",
                "--outcome=mismatch\ta false DONE",
            ),
            ("attest install --settings=a", "--settings=a"),
            ("attest log --repository a", "a folder/\t"),
        ] {
            let offered = completed(line);
            assert!(offered.starts_with(begin), "{line}: {offered}");
        }
        let agents = completed("attest log --agent ");
        let newest = scene.newest(|stop| &scene.truth.stops[stop].agent);
        assert_eq!(agents.lines().collect::<Vec<_>>(), newest);
        assert_eq!(completed("attest log -n ").trim(), "");
    }

    #[attest_needs::needs(elvish)]
    #[test]
    fn elvish_reads_its_script() {
        let (scene, script) = scene("elvish");
        let mut elvish = scene.context.command("elvish");
        elvish
            .args(["-norc", "-compileonly", &script])
            .stdin(Stdio::null());
        // All of it is understood but for what there is only at a terminal: the line that is completed.
        let printed = Printed::of(elvish.output().unwrap());
        let missing = "cannot find variable $edit:completion:arg-completer";
        assert!(printed.stderr.contains(missing), "{printed:?}");
        assert_eq!(printed.stderr.matches("rror:").count(), 1, "{printed:?}");
    }
}
