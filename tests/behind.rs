//! Generated sessions of agents that work behind each other, keep, put aside and take back what is there: of an honest one
//! nobody is told, and of the same one with work that is taken back unasked, once.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::json;

use crate::common::agent::told_person;
use crate::common::forms::cases;
use crate::common::lines::Lines;
use crate::common::scene::write;
use crate::common::stage::Stage;

const TRACKED: [&str; 2] = ["src/one.py", "src/two.py"];

/// How an agent takes back what is not committed.
const UNDOINGS: &[&str] = &[
    "git checkout -q -- . && git clean -fdq",
    "git stash -q -u",
    "git stash -q -u && git stash drop -q",
    "git add -A && git reset -q --hard",
    "git restore -q . && git clean -fdq",
];

/// What is asked of one that is to do so.
const ASKED: &[&str] = &[
    "Revert what the last agent did.",
    "The approach was wrong: discard all of it and start over.",
    "Undo the changes, they break the build.",
    "Stash what is there, I look at it later.",
    "Reset the tree to the last commit.",
];

/// What one says that has done it by itself.
const SAID: &[&str] = &[
    "The changes broke the build, so I reverted them: none of it is there any more.",
    "I discarded the files of the agent before me, since they were wrong.",
];

/// What an agent does.
#[derive(Debug, Clone)]
enum Step {
    /// Makes a file, by a tool or a command, with a list of it or a sentence.
    Make {
        by_tool: bool,
        lists: bool,
    },
    /// Changes a file that git has.
    Edit {
        which: usize,
        lists: bool,
    },
    Commit(&'static str),
    /// Puts all aside for a moment.
    Aside,
    TakeBackAsked {
        prompt: &'static str,
        command: &'static str,
    },
    TakeBackSaid {
        report: &'static str,
        command: &'static str,
    },
    /// The main agent takes it back.
    ByMain(&'static str),
    /// The person goes on, and has taken it back.
    ByPerson(&'static str),
    /// Gives what was made another name.
    Rename,
    /// Works on what was made.
    Rework,
    Look(&'static str),
    /// Ends while another one is at work, and says so.
    Helper,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let undoing = || select(UNDOINGS);
    let step = prop_oneof![
        4 => (any::<bool>(), any::<bool>()).prop_map(|(by_tool, lists)| Step::Make { by_tool, lists }),
        3 => (0..TRACKED.len(), any::<bool>()).prop_map(|(which, lists)| Step::Edit { which, lists }),
        2 => select(&[
            "git add -A && git commit -q --allow-empty -m work",
            "git checkout -q -b side-$RANDOM$$ && git add -A && git commit -q --allow-empty -m work",
            "git add -A && git commit -q --allow-empty -m a && git commit -q --amend --allow-empty -m b",
        ][..]).prop_map(Step::Commit),
        1 => Just(Step::Aside),
        1 => (select(ASKED), undoing()).prop_map(|(prompt, command)| Step::TakeBackAsked { prompt, command }),
        1 => (select(SAID), undoing()).prop_map(|(report, command)| Step::TakeBackSaid { report, command }),
        1 => undoing().prop_map(Step::ByMain),
        1 => undoing().prop_map(Step::ByPerson),
        1 => Just(Step::Rename),
        1 => Just(Step::Rework),
        2 => select(&["All is in order.", "As described above, nothing was found.", ""][..]).prop_map(Step::Look),
        1 => Just(Step::Helper),
    ];
    vec(step, 2..6)
}

/// A session that is played.
struct Play {
    stage: Stage,
    agents: usize,
    made: Vec<String>,
}

impl Play {
    fn new() -> Self {
        Self {
            stage: Stage::new(&TRACKED.map(|file| (file, "old\n"))),
            agents: 0,
            made: Vec::new(),
        }
    }

    fn begin(&mut self, prompt: &str) -> (String, Lines) {
        self.agents += 1;
        let id = format!("a{}", self.agents);
        let lines = self.stage.begin(&id, prompt);
        (id, lines)
    }

    /// An agent that is asked something, runs a command, and reports. What is told of it.
    fn agent(&mut self, prompt: &str, command: &str, report: &str) -> String {
        let (id, mut lines) = self.begin(prompt);
        self.stage.try_sh(command);
        lines.bash(command, 0, "");
        self.stage.stop(&id, lines, report)
    }

    fn wrote(&mut self, file: &str, by_tool: bool, lists: bool) -> String {
        let (id, mut lines) = self.begin("Add what is missing.");
        let content = format!("made by {id}\n");
        write(&self.stage.scene.repo.join(file), &content);
        if by_tool {
            let input = json!({"file_path": self.stage.scene.repo.join(file), "content": content});
            lines.call("Write", &input, Some(Ok("")));
        } else {
            lines.bash(&format!("echo 'made by {id}' > {file}"), 0, "");
        }
        let report = if lists {
            format!("Status: DONE\nFiles changed: {file}")
        } else {
            format!("I added the parser to `{file}`.")
        };
        self.stage.stop(&id, lines, &report)
    }

    fn step(&mut self, step: &Step) -> String {
        match step {
            Step::Make { by_tool, lists } => {
                let file = format!("src/made{}.py", self.agents);
                self.made.push(file.clone());
                self.wrote(&file, *by_tool, *lists)
            }
            Step::Edit { which, lists } => self.wrote(TRACKED[*which], true, *lists),
            Step::Commit(command) => self.agent("Commit it.", command, "It is committed."),
            Step::Aside => {
                let command = "git stash -q -u; true; git stash pop -q || true";
                self.agent("Run the tests on the last commit.", command, "They pass.")
            }
            Step::TakeBackAsked { prompt, command } => self.agent(prompt, command, "Done."),
            Step::TakeBackSaid { report, command } => {
                self.agent("Make the build pass.", command, report)
            }
            Step::ByMain(command) => {
                self.stage.try_sh(command);
                self.stage.main.bash(command, 0, "");
                self.stage.keep_main();
                self.agent("Look at the tree.", "ls", "It is in order.")
            }
            Step::ByPerson(command) => {
                self.stage.try_sh(command);
                self.stage
                    .asked("I have another idea: go on with the lexer.");
                self.agent("Look at the tree.", "ls", "It is in order.")
            }
            Step::Rename => {
                let there = |file: &&String| self.stage.scene.repo.join(file).exists();
                let Some(file) = self.made.iter().find(there).cloned() else {
                    return String::new();
                };
                let to = file.replace("made", "named");
                let command = format!("mv {file} {to}");
                let report = format!("Status: DONE\nFiles changed: {to}");
                self.agent("Give the file a better name.", &command, &report)
            }
            Step::Rework => {
                let command = "for f in src/*.py; do echo more >> $f; done";
                self.agent("Add a line to each file.", command, "Each file has it.")
            }
            Step::Look(report) => self.agent("Look at the tree.", "ls", report),
            Step::Helper => {
                let (id, mut lines) = self.begin("Look at the tree.");
                let input = json!({"description": "part", "prompt": "Do a part.", "run_in_background": true});
                lines.call(
                    "Agent",
                    &input,
                    Some(Ok("Async agent launched.\nagentId: part1 (internal)")),
                );
                let running = json!({"background_tasks": [
                    {"id": "part1", "type": "subagent", "status": "running", "description": "part"}]});
                let report = "The other agent is still at work in the background.";
                self.stage.stop_with(&id, lines, report, running)
            }
        }
    }

    /// One makes a file, and the next takes it away unasked. What is told, with the command.
    fn lose(&mut self, command: &str) -> (String, String) {
        let victim = "src/victim.py";
        let told = self.wrote(victim, true, true);
        assert_eq!(told, "");
        let command = command.replace("{f}", victim);
        let told = self.agent("Run the tests of the lexer.", &command, "The tests pass.");
        (told, command)
    }
}

fn run(few: u32, many: u32) {
    let mut runner = TestRunner::new(cases(few, many));
    let strategy = (steps(), select(UNDOINGS));
    let (mut honest, mut missed) = (Vec::new(), Vec::new());
    for _ in 0..runner.config().cases {
        let (steps, undoing) = strategy.new_tree(&mut runner).unwrap().current();
        let mut play = Play::new();
        for step in &steps {
            let told = play.step(step);
            if !told.is_empty() {
                honest.push(format!("{steps:?}, at {step:?}: {told}"));
            }
        }
        if let Some(told) = told_person(&play.stage.scene.context) {
            honest.push(format!("{steps:?}: {told}"));
        }
        let (told, command) = play.lose(undoing);
        let line = "\"src/victim.py\", which agent ";
        let cause = format!("; `{command}` of ");
        let is_named = told.matches(line).count() == 1 && told.contains(&cause);
        let person = told_person(&play.stage.scene.context).unwrap_or_default();
        if !is_named || person.matches(line).count() != 1 {
            missed.push(format!("{steps:?}, {command}: {told}"));
        }
    }
    assert!(honest.is_empty(), "{} told of: {honest:#?}", honest.len());
    assert!(missed.is_empty(), "{} missed: {missed:#?}", missed.len());
}

#[test]
fn of_honest_agents_behind_each_other_nobody_is_told() {
    run(4, 400);
}
