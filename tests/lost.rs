//! Generated agents that do what they say while others move, remove, clean, stash and reset beside them: none is sent
//! back, and what is told is a fact, with its time and its cause. The same agent with a ghost in its list is named.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::common::TestContext;
use crate::common::agent::{Agent, hook};
use crate::common::forms::{Form, cases, forms};
use crate::common::lines::Lines;
use crate::common::scene::{Scene, settle, write};

/// What is done to the file `{f}` in the folder `{d}` of the work tree.
const UNDOINGS: &[&str] = &[
    "rm {f}",
    "rm -f {f}",
    "unlink {f}",
    "mv {f} {d}/renamed.txt",
    "mv {f} docs/",
    "mv {f} {outside}/kept.txt",
    "git clean -fdq",
    "git clean -fdxq -- {d}",
    "git stash -u -q",
    "git stash -u -q && git stash drop -q",
    "git add {f} && git reset -q --hard",
    "git add {f} && git rm -qf {f}",
    "git add {f} && git mv {f} docs/moved.txt",
    "find {d} -name 'made*' -delete",
    "git add -A && git commit -qm x && git rm -q {f} && git commit -qm y",
];

/// Those of which nothing is left but the time of a folder.
const WITHOUT_A_TRACE: &[&str] = &[
    "rm {f}",
    "rm -f {f}",
    "unlink {f}",
    "mv {f} {outside}/kept.txt",
    "git clean -fdq",
    "git clean -fdxq -- {d}",
    "find {d} -name 'made*' -delete",
];

/// How the agent makes a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Made {
    Tool,
    Command,
    /// It has git bring it from another branch.
    Brought,
}

/// Those of which git has no object that it did not have before, if it brought the file itself.
const WITHOUT_AN_OBJECT: &[&str] = &[
    "git add {f} && git reset -q --hard",
    "git add {f} && git rm -qf {f}",
];

/// Who does it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    /// Another subagent, which began first.
    Early,
    /// One that began when the file was there.
    Late,
    /// The main agent.
    Main,
    /// A person, of whom nothing is known.
    Person,
}

#[derive(Debug, Clone)]
struct Session {
    /// The folders of the files that the agent makes.
    folders: Vec<&'static str>,
    made: Made,
    victim: usize,
    undoing: &'static str,
    by: By,
    is_linked: bool,
    has_transcripts: bool,
    /// Whether the undoing follows at once, as by a program that watches.
    is_quick: bool,
    later: Later,
    form: Form,
}

/// The file that the agent goes on to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Later {
    None,
    /// In a folder of its own.
    Apart,
    /// In that of the file that was undone.
    Beside,
}

impl Session {
    /// Whether nothing may be left that tells of it: no transcript, no other agent that was seen, no object of git, and
    /// what the agent did just before or behind it hides the time of the folder.
    fn leaves_nothing(&self) -> bool {
        let is_unseen = !self.has_transcripts && self.by != By::Late;
        let is_hidden = self.is_quick || self.later != Later::None;
        // What was moved within one tick of the clock has the times of what was written there.
        let is_at_once = self.is_quick && self.undoing.contains("mv ");
        let is_known_to_git =
            self.made == Made::Brought && WITHOUT_AN_OBJECT.contains(&self.undoing);
        let has_no_trace = WITHOUT_A_TRACE.contains(&self.undoing) || is_known_to_git;
        is_unseen && is_hidden && (is_at_once || has_no_trace)
    }
}

fn sessions() -> impl Strategy<Value = Session> {
    let folders = vec(select(&["src", "lib", "new/deep"][..]), 1..4);
    let by = select(&[By::Early, By::Late, By::Main, By::Person][..]);
    let who = (by, any::<bool>(), any::<bool>());
    let later = select(&[Later::None, Later::Apart, Later::Beside][..]);
    let when = (any::<bool>(), later);
    let made = select(&[Made::Tool, Made::Command, Made::Brought][..]);
    let files = (folders, made, any::<usize>(), select(UNDOINGS));
    (files, who, when, select(forms())).prop_map(
        |(
            (folders, made, victim, undoing),
            (by, is_linked, has_transcripts),
            (is_quick, later),
            form,
        )| {
            Session {
                victim: victim % folders.len(),
                folders,
                made,
                undoing,
                by,
                is_linked,
                has_transcripts,
                is_quick,
                later,
                form,
            }
        },
    )
}

/// A world in which a session is played.
struct Stage {
    scene: Scene,
    root: PathBuf,
    session: Session,
    own: Lines,
    others: Lines,
}

impl Stage {
    fn of(session: Session) -> Self {
        let files = [
            ("src/a.py", "one\n"),
            ("lib/b.py", "two\n"),
            ("docs/x.md", "x\n"),
        ];
        let scene = Scene::of(TestContext::enforcing(), &files);
        let root = if session.is_linked {
            scene.git("worktree add -q ../linked -b linked");
            scene.path("linked")
        } else {
            scene.repo.clone()
        };
        fs::create_dir(scene.path("outside")).unwrap();
        let stage = Self {
            scene,
            root,
            session,
            own: Lines::default(),
            others: Lines::default(),
        };
        if stage.session.made == Made::Brought {
            stage.scene.git("branch store");
            stage.scene.git("worktree add -q ../store store");
            for index in 0..stage.session.folders.len() {
                let file = stage.file(index);
                let place = stage.scene.path("store").join(&file);
                write(&place, &format!("all of {file}\n"));
            }
            stage.scene.commit_in(&stage.scene.path("store"));
            stage.scene.git("worktree remove ../store");
        }
        settle();
        stage
    }

    fn file(&self, index: usize) -> String {
        format!("{}/made{index}.txt", self.session.folders[index])
    }

    fn make(&mut self, file: &str) {
        let content = format!("all of {file}\n");
        let place = self.root.join(file);
        let kept = (0..self.session.folders.len()).map(|index| self.file(index));
        match self.session.made {
            Made::Brought if kept.into_iter().any(|it| it == file) => {
                self.scene
                    .git_in(&self.root, &format!("checkout -q store -- {file}"));
                self.own
                    .bash(&format!("git checkout store -- {file}"), 0, "");
            }
            Made::Command | Made::Brought => {
                write(&place, &content);
                let (folder, _) = file.rsplit_once('/').unwrap();
                let command = format!("mkdir -p {folder}; echo 'all of {file}' > {file}");
                self.own.bash(&command, 0, "");
            }
            Made::Tool => {
                write(&place, &content);
                let input = json!({"file_path": place, "content": content});
                self.own.call("Write", &input, Some(Ok("")));
            }
        }
    }

    fn undo(&mut self) -> String {
        let file = self.file(self.session.victim);
        let folder = self.session.folders[self.session.victim];
        let outside = self.scene.path("outside").display().to_string();
        let command = self.session.undoing.replace("{f}", &file);
        let command = command
            .replace("{d}", folder)
            .replace("{outside}", &outside);
        let mut shell = self.scene.context.command("sh");
        let ended = shell
            .args(["-c", &command])
            .current_dir(&self.root)
            .output();
        let ended = ended.unwrap();
        assert!(ended.status.success(), "{command}: {ended:?}");
        self.others.bash(&command, 0, "");
        command
    }

    fn agent(&self, id: &str) -> Agent {
        Agent::new(id, &self.root)
    }

    /// The transcripts of a session as Claude Code lays them out.
    fn place_of(&self, agent: &str) -> PathBuf {
        self.scene
            .path(&format!("session-1/subagents/agent-{agent}.jsonl"))
    }

    fn keep(&self, path: &Path, lines: &Lines) {
        if self.session.has_transcripts {
            write(path, &lines.0);
        }
    }

    fn fields(&self, id: &str) -> Value {
        if !self.session.has_transcripts {
            return json!({});
        }
        json!({
            "transcript_path": self.scene.path("session-1.jsonl"),
            "agent_transcript_path": self.place_of(id),
        })
    }

    fn start(&self, id: &str) {
        let mut payload = self.agent(id).start_payload();
        if self.session.has_transcripts {
            payload["transcript_path"] = json!(self.scene.path("session-1.jsonl"));
        }
        hook(&self.scene.context, "start", &payload);
    }

    /// Stops an agent with these files, whether it is sent back, and what its parent is told.
    fn stop(&mut self, id: &str, files: &[&str]) -> (bool, Vec<String>) {
        let message = self.session.form.report(&self.root, files);
        let ended = self.own.0.len();
        self.own.end(&message);
        self.keep(&self.place_of(id), &self.own);
        self.own.0.truncate(ended);
        let stop = self
            .agent(id)
            .stop_with(&self.scene.context, &message, &self.fields(id));
        let payload = json!({"session_id": "session-1", "cwd": "/", "hook_event_name": "PostToolUse",
            "tool_name": "Agent", "tool_response": {"agentId": id}});
        let told = hook(&self.scene.context, "post-tool-use", &payload).stdout;
        let told: Value = serde_json::from_str(&told).unwrap_or_default();
        let told = told["hookSpecificOutput"]["additionalContext"].as_str();
        let lines = told
            .unwrap_or_default()
            .lines()
            .filter(|line| line.starts_with("- "));
        (stop.block().is_some(), lines.map(str::to_owned).collect())
    }
}

/// What came of one session.
#[derive(Debug, Default)]
struct Came {
    /// Of an honest agent that was sent back.
    blocked: Vec<String>,
    /// What was told of an honest agent that is no fact with its cause.
    untrue: Vec<String>,
    /// Of a ghost that nobody was told of.
    missed: Vec<String>,
    /// Facts that were told.
    facts: u32,
    /// The same where no transcript tells who wrote what.
    unsure: u32,
    /// Sessions of which nothing may be left that tells of it, and those of them that were sent back.
    blind: (u32, u32),
}

fn play(session: &Session, came: &mut Came) {
    let mut stage = Stage::of(session.clone());
    let told_of = |lines: &[String]| format!("{session:?}: {lines:?}");
    if session.by == By::Early {
        stage.start("other");
    }
    stage.start("agent");
    let files: Vec<_> = (0..session.folders.len())
        .map(|index| stage.file(index))
        .collect();
    for file in &files {
        stage.make(file);
    }
    let victim = files[session.victim].clone();
    if session.by == By::Late {
        stage.start("other");
    }
    if !session.is_quick {
        std::thread::sleep(std::time::Duration::from_millis(60));
    }
    let command = stage.undo();
    let doer = match session.by {
        By::Early | By::Late => Some(stage.place_of("other")),
        By::Main => Some(stage.scene.path("session-1.jsonl")),
        By::Person => None,
    };
    if let Some(path) = doer {
        stage.keep(&path, &stage.others);
    }
    let mut claimed: Vec<_> = files.iter().map(String::as_str).collect();
    let later = match session.later {
        Later::None => None,
        Later::Apart => Some("later/made.txt".to_owned()),
        Later::Beside => Some(format!("{}/made.txt", session.folders[session.victim])),
    };
    if let Some(later) = &later {
        stage.make(later);
        claimed.push(later);
    }
    let (is_blocked, lines) = stage.stop("agent", &claimed);
    came.blind.0 += u32::from(session.leaves_nothing());
    if is_blocked && session.leaves_nothing() {
        came.blind.1 += 1;
    } else if is_blocked {
        came.blocked.push(told_of(&lines));
    }
    // Some forms say that tests passed, which nobody ran.
    for line in lines.iter().filter(|line| line.contains("made")) {
        let is_gone = stage.root.join(&victim).symlink_metadata().is_err();
        let cause = format!("; `{}` of ", command.chars().take(80).collect::<String>());
        let names_cause = session.by == By::Person || line.contains(&cause[..cause.len() - 5]);
        let is_fact = line.contains(" and is not on disk now") && line.contains(" UTC (");
        let is_fact = is_fact || line.contains(" reported success) and is not on disk now");
        let is_recorded = line.contains("(agent other began) and is not on disk now");
        let is_unsure = [
            "may have removed it",
            "something was removed from its folder at ",
            ", so a file may have been here too",
        ]
        .iter()
        .any(|it| line.contains(it));
        if is_gone && session.has_transcripts && is_fact && names_cause {
            came.facts += 1;
        } else if is_gone && !session.has_transcripts && (is_unsure || is_recorded) {
            came.unsure += 1;
        } else if !(is_gone && session.leaves_nothing()) {
            came.untrue.push(told_of(&lines));
        }
    }
    // The liar is the same agent in every respect, but for a file that nobody made: where nobody was, or beside his own.
    let ghost = if session.is_quick {
        "src/never-made.py"
    } else {
        "docs/never-made.py"
    };
    stage.start("liar");
    stage.make("src/liars.txt");
    let (is_blocked, lines) = stage.stop("liar", &["src/liars.txt", ghost]);
    if !is_blocked && !lines.iter().any(|line| line.contains("never-made.py")) {
        came.missed.push(told_of(&lines));
    }
}

fn check(came: &Came) {
    assert!(
        came.blocked.is_empty(),
        "{} sent back: {:#?}",
        came.blocked.len(),
        came.blocked
    );
    assert!(
        came.untrue.is_empty(),
        "{} told of: {:#?}",
        came.untrue.len(),
        came.untrue
    );
    assert!(
        came.missed.is_empty(),
        "{} missed: {:#?}",
        came.missed.len(),
        came.missed
    );
}

fn play_all(few: u32, many: u32) {
    let mut runner = proptest::test_runner::TestRunner::new(cases(few, many));
    let mut came = Came::default();
    let strategy = sessions();
    for _ in 0..runner.config().cases {
        let tree = strategy.new_tree(&mut runner).unwrap();
        play(&proptest::strategy::ValueTree::current(&tree), &mut came);
    }
    println!("figure lost-facts {}", came.facts);
    println!("figure lost-unsure {}", came.unsure);
    let (blind, sent_back) = came.blind;
    println!("figure lost-blind {sent_back} of {blind}");
    check(&came);
}

#[test]
fn what_others_undo_is_no_lie() {
    play_all(24, 100);
}

#[test]
#[ignore = "takes several minutes"]
fn what_others_undo_is_no_lie_at_length() {
    play_all(1000, 1000);
}

/// A file that is claimed by its last name, and was written by a command in a folder.
#[test]
fn what_a_command_wrote_in_a_folder_is_lost_only_if_it_is_not_there() {
    for (command, taken) in [
        ("mkdir -p new; echo 1 > new/x.md", "rm new/x.md"),
        ("mkdir new && cd new && echo 1 > x.md", "rm new/x.md"),
        (
            "t=$(mktemp) && echo 1 > $t && mkdir -p new && mv $t new/x.md",
            "rm new/x.md",
        ),
    ] {
        for is_taken in [false, true] {
            let mut stage = Stage::of(alone());
            stage.start("agent");
            run(&stage, command);
            if is_taken {
                run(&stage, taken);
            }
            stage.own.bash(command, 0, "");
            let (is_blocked, lines) = stage.stop("agent", &["x.md"]);
            assert!(!is_blocked, "{command}");
            assert_eq!(!lines.is_empty(), is_taken, "{command}: {lines:?}");
        }
    }
}

/// Nothing tells what a command wrote, so what somebody moved may be any file that came otherwise.
#[test]
fn what_a_command_wrote_is_not_lost_where_somebody_moved_it_within_the_tree() {
    for (taken, is_lost) in [
        ("mv src/new.txt docs/other.txt", false),
        (
            "git add src && git mv src/new.txt docs/other.txt && git commit -qm x",
            false,
        ),
        ("mkdir pkg && mv src pkg/", false),
        ("mv src/new.txt docs/ && echo more >> docs/new.txt", false),
        ("mv src/new.txt ../outside/", true),
        ("rm src/new.txt && echo 1 > docs/other.txt", true),
    ] {
        for made in [Made::Tool, Made::Command] {
            let mut stage = Stage::of(Session { made, ..alone() });
            stage.start("agent");
            stage.make("src/new.txt");
            // Longer than a tick of the clock.
            std::thread::sleep(std::time::Duration::from_millis(20));
            run(&stage, taken);
            let (is_blocked, lines) = stage.stop("agent", &["src/new.txt"]);
            assert!(!is_blocked, "{taken}");
            assert_eq!(!lines.is_empty(), is_lost, "{made:?} {taken}: {lines:?}");
        }
    }
}

/// A file that is claimed by its last name speaks for the path that was written.
#[test]
fn the_last_name_of_a_file_is_lost_only_with_the_path_that_was_written() {
    for (later, is_lost) in [
        ("rm -r new", true),
        ("git clean -fdq", true),
        (
            "git checkout -qb b && git add new && git commit -qm x && git checkout -q -",
            false,
        ),
        ("git add new && git stash -q", false),
        ("mv new other", false),
    ] {
        let made = Made::Tool;
        let mut stage = Stage::of(Session { made, ..alone() });
        stage.start("agent");
        stage.make("new/deep/y.md");
        run(&stage, later);
        stage.own.bash(later, 0, "");
        let (is_blocked, lines) = stage.stop("agent", &["y.md"]);
        assert!(!is_blocked, "{later}");
        assert_eq!(!lines.is_empty(), is_lost, "{later}: {lines:?}");
    }
}

/// An edit that the agent took back itself is told of, if it claims the file all the same and says nothing of it.
#[test]
fn an_edit_that_the_agent_took_back_itself() {
    for (later, asked, is_told) in [
        ("git checkout -q -- src/a.py", "Mend src/a.py.", true),
        ("git checkout src && cat src/a.py", "Mend src/a.py.", true),
        ("git reset -q --hard", "Mend src/a.py.", true),
        ("git stash -q && git stash drop -q", "Mend src/a.py.", true),
        (
            "git checkout -q -- src/a.py",
            "Mend src/a.py, then revert it.",
            false,
        ),
        (
            "git checkout -q -- src/a.py; echo 3 > src/a.py",
            "Mend src/a.py.",
            false,
        ),
        ("git checkout -q -- lib", "Mend src/a.py.", false),
        ("git stash -q", "Mend src/a.py.", false),
        (
            "git diff > ../fix.patch; git checkout -q -- src/a.py",
            "Mend src/a.py.",
            false,
        ),
        (
            "git commit -qam x; git checkout -q HEAD~1",
            "Mend src/a.py.",
            false,
        ),
    ] {
        let mut stage = Stage::of(alone());
        write(&stage.scene.path("session-1.jsonl"), "");
        stage.start("agent");
        stage.own.asked(asked);
        let place = stage.root.join("src/a.py");
        write(&place, "two\n");
        let input = json!({"file_path": place, "old_string": "one", "new_string": "two"});
        stage.own.call("Edit", &input, Some(Ok("")));
        run(&stage, later);
        stage.own.bash(later, 0, "");
        let (is_blocked, lines) = stage.stop("agent", &["src/a.py"]);
        assert!(!is_blocked, "{later}");
        assert_eq!(!lines.is_empty(), is_told, "{asked} {later}: {lines:?}");
        assert!(
            lines.iter().all(|it| it.contains("may have undone it")),
            "{lines:?}"
        );
    }
}

/// An agent with nobody beside it.
fn alone() -> Session {
    Session {
        folders: vec!["src"],
        made: Made::Command,
        victim: 0,
        undoing: "true",
        by: By::Person,
        is_linked: false,
        has_transcripts: true,
        is_quick: false,
        later: Later::None,
        form: forms()[0].clone(),
    }
}

fn run(stage: &Stage, command: &str) {
    let mut shell = stage.scene.context.command("sh");
    let shell = shell.args(["-c", command]).current_dir(&stage.root);
    assert!(shell.status().unwrap().success(), "{command}");
}
