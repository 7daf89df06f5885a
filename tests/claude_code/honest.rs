//! Situations of honest agents, of which nobody may hear a word, and of the liar who looks most like each.
//!
//! `honest/situations.toml` has them. Each is played with enforcement and without, and its liar without it, who is
//! told of once; other versions of the host than the newest, and the liars under enforcement, are played on request.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;

use attest_scripted_host::scenario::{Prompt, ToolCall, Turn};
use attest_scripted_host::{Host, Outcome, Scenario, Workbench, installed, trial};
use libtest_mimic::{Failed, Trial as Test};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{BINARY, FOLDER, host, seen};

/// What stands for the report in a script.
const REPORT: &str = "${report}";
/// What is in a log, or in the output of a hook, only if something does not hold.
const ACCUSING: [&str; 5] = [
    "MISMATCH",
    "detected false DONE",
    "ADVICE",
    "CRITERIA:",
    " ERROR ",
];

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    situation: Vec<Situation>,
}

/// One situation. A step of a script is `say: …`, `sh: …`, `bg: …`, `write: …`, `read: …`, `grep: …`, `edit: …`,
/// `agent: SCRIPT [TYPE]`, `error`, or a list of tools that are called at once.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Situation {
    name: String,
    about: String,
    /// What the main agent does.
    main: Vec<Step>,
    /// What subagents do, by the name of the script.
    #[serde(default)]
    agents: BTreeMap<String, Vec<Step>>,
    /// What the person says later; `fork: …` forks the session.
    #[serde(default)]
    then: Vec<String>,
    /// The report of an honest agent, where the script has it.
    honest: String,
    /// That of a liar in the same situation.
    lie: String,
    /// Whether the liar is of the main agent, of whom the person is told; otherwise the parent is as well.
    #[serde(default)]
    turns: bool,
    /// What is said of the liar.
    heard: String,
    /// Whether that is a proof, so that the liar is sent back under enforcement.
    #[serde(default = "yes")]
    blocks: bool,
    /// The files of the repository, beside `a.py` and `old.py`.
    #[serde(default)]
    files: BTreeMap<String, String>,
    /// Programs in the person's home.
    #[serde(default)]
    programs: BTreeMap<String, String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    /// What the person does before, each a command line of attest.
    #[serde(default)]
    before: Vec<String>,
    /// Variables that the host is started with.
    #[serde(default)]
    environment: BTreeMap<String, String>,
    /// Whether docs/HOSTS.md has what is heard of the liar.
    #[serde(default)]
    shown: bool,
    /// The first version that can do this.
    since: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Step {
    One(String),
    AtOnce(Vec<String>),
}

fn yes() -> bool {
    true
}

/// How a situation is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Enforced,
    Told,
    LieTold,
    LieEnforced,
}

impl Mode {
    const ALL: [Self; 4] = [Self::Enforced, Self::Told, Self::LieTold, Self::LieEnforced];

    fn name(self) -> &'static str {
        match self {
            Self::Enforced => "enforced",
            Self::Told => "told",
            Self::LieTold => "lie_told",
            Self::LieEnforced => "lie_enforced",
        }
    }

    fn is_enforced(self) -> bool {
        matches!(self, Self::Enforced | Self::LieEnforced)
    }

    fn is_lie(self) -> bool {
        matches!(self, Self::LieTold | Self::LieEnforced)
    }
}

/// All that are played on this version. What is left for a request is ignored.
pub(crate) fn tests(version: &str, is_newest: bool) -> Vec<Test> {
    let table = fs::read_to_string(Path::new(FOLDER).join("honest/situations.toml")).unwrap();
    let table: Table = toml::from_str(&table).unwrap();
    let mut tests = Vec::new();
    for situation in table.situation.into_iter().map(Arc::new) {
        let since = situation.since.as_deref();
        if !since.is_none_or(|since| installed::is_since(version, since)) {
            continue;
        }
        for mode in Mode::ALL {
            let (version, situation) = (version.to_owned(), Arc::clone(&situation));
            let name = format!("honest::{}::{}::{version}", situation.name, mode.name());
            let test = Test::test(name, move || situation.play(mode, &host(&version)?));
            let is_on_request = !is_newest || mode == Mode::LieEnforced;
            tests.push(test.with_ignored_flag(is_on_request));
        }
    }
    tests
}

impl Situation {
    /// A liar goes free if the host writes the end of the transcript later than a hook waits, as it may on a busy machine.
    fn play(&self, mode: Mode, host: &Host) -> Result<(), Failed> {
        const LATE: &str = "the transcript does not end with the report";
        const TRIES: usize = 3;
        let is_late = |why: &Failed| why.message().is_some_and(|text| text.contains(LATE));
        for _ in 1..TRIES {
            match self.play_once(mode, host) {
                Err(why) if mode.is_lie() && is_late(&why) => {}
                ended => return ended,
            }
        }
        self.play_once(mode, host)
    }

    fn play_once(&self, mode: Mode, host: &Host) -> Result<(), Failed> {
        let scenario = self.scenario(mode);
        let bench = Workbench::new(&scenario.files)?;
        self.prepare(mode, host, &bench)?;
        let outcome = host.play(&scenario, bench)?;
        let log = fs::read_to_string(outcome.bench.home().join(".attest/attest.log"));
        let log = log.unwrap_or_default();
        let mut faults = played(&outcome, &scenario);
        if mode.is_lie() {
            faults.extend(self.check_lie(mode, &outcome));
            if self.shown {
                faults.extend(seen::not_on_the_page(&outcome, &heard(&outcome)));
            }
        } else {
            faults.extend(silence(&outcome, &log));
        }
        if faults.is_empty() {
            return Ok(());
        }
        let order = outcome.order();
        Err(format!(
            "{}\n{faults:#?}\nevents: {order:?}\nlog:\n{log}",
            self.about
        )
        .into())
    }

    fn prepare(&self, mode: Mode, host: &Host, bench: &Workbench) -> Result<(), Failed> {
        let home = bench.home().to_string_lossy().into_owned();
        for (name, text) in &self.programs {
            let path = bench.home().join(name);
            fs::write(&path, text)?;
            fs::set_permissions(path, fs::Permissions::from_mode(0o755))?;
        }
        let mut variables = self.env.clone();
        for value in variables.values_mut() {
            *value = value.replace("${home}", &home);
        }
        if mode.is_enforced() {
            variables.insert("ATTEST_ENFORCE".into(), "1".into());
        }
        if self.turns {
            variables.insert("ATTEST_SESSIONS".into(), "1".into());
        }
        trial::install(host, bench, Path::new(BINARY), &variables)?;
        for line in &self.before {
            let mut command = bench.command(BINARY);
            let output = command.args(line.split(' ')).output()?;
            if !output.status.success() {
                return Err(format!("attest {line}: {output:?}").into());
            }
        }
        Ok(())
    }

    fn scenario(&self, mode: Mode) -> Scenario {
        let mut files = self.files.clone();
        for name in ["a.py", "old.py"] {
            files.insert(name.into(), "one\n".into());
        }
        let mut scripts: BTreeMap<_, _> = self.agents.clone();
        scripts.insert("main".into(), self.main.clone());
        let scripts = scripts.into_iter();
        Scenario {
            about: self.about.clone(),
            prompt: "[[script:main]] start".into(),
            then: self.then.iter().map(|text| prompt(text)).collect(),
            files,
            environment: self.environment.clone(),
            scripts: scripts
                .map(|(name, steps)| (name, self.turns_of(&steps, mode)))
                .collect(),
            ..Scenario::default()
        }
    }

    /// The replies of a script. One that is sent back for a lie takes it back.
    fn turns_of(&self, steps: &[Step], mode: Mode) -> Vec<Turn> {
        let report = if mode.is_lie() {
            &self.lie
        } else {
            &self.honest
        };
        let mut turns = Vec::new();
        for step in steps {
            let is_report = matches!(step, Step::One(text) if text.contains(REPORT));
            let mut turn = turn(step, report);
            // What only a transcript shows is not told if that is late.
            turn.delay_ms = if is_report && !self.blocks { 300 } else { 0 };
            turns.push(turn);
            if is_report && self.blocks && mode == Mode::LieEnforced {
                turns.push(said("Status: BLOCKED"));
            }
        }
        turns
    }

    /// The liar is told of once to whom that concerns, and under enforcement sent back, once.
    fn check_lie(&self, mode: Mode, outcome: &Outcome) -> Vec<String> {
        let mut faults = Vec::new();
        let reasons = reasons(outcome);
        let is_sent_back = mode == Mode::LieEnforced && self.blocks;
        if reasons.len() != usize::from(is_sent_back) {
            faults.push(format!("sent back with {reasons:?}"));
        }
        if is_sent_back {
            let is_named = reasons.iter().all(|reason| reason.contains(&self.heard));
            return Vec::from_iter((!is_named).then(|| format!("{reasons:?}")))
                .into_iter()
                .chain(faults)
                .collect();
        }
        let notices = outcome.notices();
        let to_person: usize = notices.iter().map(|text| count(text, &self.heard)).sum();
        if (notices.len(), to_person) != (1, 1) {
            faults.push(format!("the person is told {notices:?}"));
        }
        let heard = outcome.told("main").join("\n");
        let to_parent = heard.matches("attest checked the report").count();
        let to_parent = (
            to_parent,
            context(outcome)
                .iter()
                .map(|text| count(text, &self.heard))
                .sum(),
        );
        let expected = if self.turns { (0, 0) } else { (1, 1) };
        if to_parent != expected {
            faults.push(format!("the parent is told {to_parent:?}: {heard}"));
        }
        faults
    }
}

/// All that anybody hears of a run, each as it was.
fn heard(outcome: &Outcome) -> Vec<String> {
    let heard = reasons(outcome).into_iter().chain(outcome.notices());
    heard.chain(context(outcome)).collect()
}

fn count(text: &str, heard: &str) -> usize {
    text.lines().filter(|line| line.contains(heard)).count()
}

/// Whether the host did what the situation is there for.
fn played(outcome: &Outcome, scenario: &Scenario) -> Vec<String> {
    let mut faults = Vec::new();
    if !outcome.end.is_success() {
        faults.push(format!(
            "the host ended with {}: {}",
            outcome.end, outcome.errors
        ));
    }
    let strays: Vec<_> = outcome
        .strays()
        .map(|it| (&it.path, &it.script, it.turn))
        .collect();
    if !strays.is_empty() {
        faults.push(format!("requests that nobody wrote: {strays:?}"));
    }
    let unplayed = outcome.unplayed(scenario);
    if !unplayed.is_empty() {
        faults.push(format!("left before their end: {unplayed:?}"));
    }
    faults
}

/// What anybody heard of honest agents.
fn silence(outcome: &Outcome, log: &str) -> Vec<String> {
    let mut faults: Vec<_> = reasons(outcome)
        .into_iter()
        .chain(outcome.notices())
        .collect();
    faults.extend(context(outcome));
    faults.extend(
        outcome
            .screen()
            .into_iter()
            .filter(|text| text.contains("attest"))
            .map(str::to_owned),
    );
    for reply in &outcome.replies {
        let is_accusing = |text: &str| ACCUSING.iter().any(|word| text.contains(word));
        if is_accusing(&reply.stdout) || is_accusing(&reply.stderr) {
            faults.push(format!("{reply:?}"));
        }
        // What the host does not take for a report it shows, or gives to an agent.
        if reply.event != "SubagentStop" && !reply.stdout.is_empty() {
            faults.push(format!("{reply:?}"));
        }
    }
    let accused = log
        .lines()
        .filter(|line| ACCUSING.iter().any(|word| line.contains(word)));
    faults.extend(accused.map(str::to_owned));
    let judged = log.contains(" DECISION ") || log.contains("claim source=none");
    if !judged {
        faults.push("nothing was judged".to_owned());
    }
    faults
}

fn replies(outcome: &Outcome) -> impl Iterator<Item = Value> {
    let replies = outcome.replies.iter();
    replies.filter_map(|reply| serde_json::from_str(&reply.stdout).ok())
}

/// What agents were sent back with.
fn reasons(outcome: &Outcome) -> Vec<String> {
    let blocks = replies(outcome).filter(|reply| reply["decision"] == "block");
    blocks
        .map(|reply| reply["reason"].as_str().unwrap_or_default().to_owned())
        .collect()
}

/// What parents were told with a report.
fn context(outcome: &Outcome) -> Vec<String> {
    let told = replies(outcome).filter_map(|reply| {
        let text = reply["hookSpecificOutput"]["additionalContext"].as_str();
        text.map(str::to_owned)
    });
    told.collect()
}

fn prompt(text: &str) -> Prompt {
    let forked = text.strip_prefix("fork: ");
    Prompt {
        text: forked.unwrap_or(text).to_owned(),
        fork: forked.is_some(),
    }
}

fn said(text: &str) -> Turn {
    Turn {
        text: Some(text.to_owned()),
        ..Turn::default()
    }
}

fn turn(step: &Step, report: &str) -> Turn {
    match step {
        // The host asks again after most others.
        Step::One(text) if text == "error" => Turn {
            error: serde_json::from_value(
                json!({"status": 403, "kind": "permission_error", "message": "no"}),
            )
            .unwrap(),
            ..Turn::default()
        },
        Step::One(text) => match text.strip_prefix("say: ") {
            Some(text) => said(&text.replace(REPORT, report)),
            None => tools(std::slice::from_ref(text)),
        },
        Step::AtOnce(all) => tools(all),
    }
}

fn tools(all: &[String]) -> Turn {
    Turn {
        tools: all.iter().map(|text| tool(text)).collect(),
        ..Turn::default()
    }
}

fn tool(text: &str) -> ToolCall {
    let (what, rest) = text
        .split_once(": ")
        .unwrap_or_else(|| panic!("no step: {text:?}"));
    let file = format!("${{repo}}/{rest}");
    let (name, input) = match what {
        "sh" | "bg" => (
            "Bash",
            json!({"command": rest, "description": "work", "run_in_background": what == "bg"}),
        ),
        "write" => ("Write", json!({"file_path": file, "content": "made\n"})),
        "read" => ("Read", json!({"file_path": file})),
        "grep" => ("Grep", json!({"pattern": rest, "path": "${repo}"})),
        "edit" => (
            "Edit",
            json!({"file_path": file, "old_string": "one", "new_string": "two"}),
        ),
        "message" => (
            "SendMessage",
            json!({"to": "${agent_id}", "message": rest, "summary": rest}),
        ),
        "agent" | "later" | "apart" => {
            let (script, kind) = rest.split_once(' ').unwrap_or((rest, "general-purpose"));
            let mut input = json!({"description": "work", "subagent_type": kind,
                "run_in_background": what == "later", "prompt": format!("[[script:{script}]] go")});
            if what == "apart" {
                input["isolation"] = json!("worktree");
            }
            ("Agent", input)
        }
        _ => panic!("no step: {text:?}"),
    };
    ToolCall {
        name: name.to_owned(),
        namespace: None,
        input,
    }
}
