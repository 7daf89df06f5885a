//! Programs that the agent ran and that are not among its words: what they did is read where it is certainly what ran.

use std::fs;

use crate::common::agent::{Agent, Stop, done};
use crate::common::scene::{Scene, settle, write};
use jiff::Timestamp;
use serde_json::{Value, json};

/// What an agent does.
type Steps = fn(&mut Work);

/// An agent whose calls are made, with their times.
struct Work {
    scene: Scene,
    agent: Agent,
    lines: Vec<Value>,
}

impl Work {
    fn begin() -> Self {
        let scene = Scene::strict("");
        let agent = Agent::new("agent", &scene.repo);
        settle();
        agent.start(&scene.context);
        let lines = Vec::new();
        Self {
            scene,
            agent,
            lines,
        }
    }

    fn called(&mut self, tool: &str, input: &Value) {
        let id = format!("t{}", self.lines.len());
        let call = json!({"type": "tool_use", "id": id, "name": tool, "input": input});
        let result = json!({"type": "tool_result", "tool_use_id": id, "content": "done"});
        let now = Timestamp::now().to_string();
        self.lines
            .push(json!({"type": "assistant", "timestamp": now, "message": {"content": [call]}}));
        self.lines
            .push(json!({"type": "user", "timestamp": now, "message": {"content": [result]}}));
        // A model takes its time before it goes on.
        settle();
    }

    fn writes(&mut self, name: &str, content: &str) {
        let place = self.scene.path(name);
        write(&place, content);
        self.called("Write", &json!({"file_path": place, "content": content}));
    }

    fn edits(&mut self, name: &str, old: &str, new: &str) {
        let place = self.scene.path(name);
        let text = fs::read_to_string(&place).unwrap();
        write(&place, &text.replace(old, new));
        let input = json!({"file_path": place, "old_string": old, "new_string": new});
        self.called("Edit", &input);
    }

    fn runs(&mut self, command: &str) {
        let mut shell = self.scene.context.command("bash");
        shell.current_dir(&self.scene.repo).args(["-c", command]);
        assert!(shell.status().unwrap().success(), "{command}");
        self.called("Bash", &json!({ "command": command }));
    }

    fn stop(&self, files: &str) -> Stop {
        let message = done(files);
        let said = json!({"type": "text", "text": message});
        let said = json!({"type": "assistant", "message": {"content": [said]}});
        let lines = self.lines.iter().chain([&said]);
        let lines: Vec<_> = lines.map(Value::to_string).collect();
        let path = self.scene.path("agent.jsonl");
        fs::write(&path, lines.join("\n") + "\n").unwrap();
        let fields = json!({"agent_transcript_path": path});
        self.agent.stop_with(&self.scene.context, &message, &fields)
    }
}

/// The honest twin made what it claims by a script of its own; the other claims one file more.
#[test]
fn what_a_script_of_the_agent_wrote_is_read_if_it_is_what_ran() {
    let gen_sh = "#!/bin/sh\nset -e\nmkdir -p ../infra\necho x > ../infra/made.py\n";
    let all: &[(&str, Steps, bool)] = &[
        ("as it was written", |it| it.runs("bash gen.sh"), true),
        (
            "made a program",
            |it| it.runs("chmod +x gen.sh && ./gen.sh"),
            true,
        ),
        (
            "run again",
            |it| {
                it.runs("sh gen.sh");
                it.runs("sh gen.sh");
            },
            true,
        ),
        (
            "edited",
            |it| {
                it.edits("repo/gen.sh", "x", "y");
                it.runs("sh gen.sh");
            },
            false,
        ),
        (
            "another one by then",
            |it| it.runs("sed -i s/x/y/ gen.sh; sh gen.sh"),
            false,
        ),
        (
            "another one in between",
            |it| it.runs("sed -i s/x/y/ gen.sh; sh gen.sh; sed -i s/y/x/ gen.sh"),
            false,
        ),
        ("gone", |it| it.runs("sh gen.sh; rm gen.sh"), false),
    ];
    for (name, steps, is_read) in all {
        for (files, is_blocked) in [
            ("infra/made.py", false),
            ("infra/made.py, src/ghost.py", *is_read),
        ] {
            let mut work = Work::begin();
            work.writes("repo/gen.sh", gen_sh);
            steps(&mut work);
            let stop = work.stop(files);
            assert_eq!(
                stop.block().is_some(),
                is_blocked,
                "{name}, {files}: {stop:#?}"
            );
        }
    }
    // What ran before it was written is another one.
    let mut work = Work::begin();
    write(&work.scene.repo.join("gen.sh"), "touch src/made.py");
    work.runs("sh gen.sh");
    work.writes("repo/gen.sh", gen_sh);
    assert!(work.stop("src/made.py, src/ghost.py").block().is_none());
    // It may lie anywhere, and say what a command may say.
    let mut work = Work::begin();
    work.writes("tmp/gen.sh", "touch src/made.py");
    work.runs("bash ../tmp/gen.sh");
    assert!(work.stop("src/made.py").block().is_none());
    work.stop("src/made.py, src/ghost.py").assert_blocked();
    let mut work = Work::begin();
    work.writes("repo/gen.sh", "touch $1");
    work.runs("bash gen.sh src/made.py");
    assert!(work.stop("src/made.py, src/ghost.py").block().is_none());
}

/// Work beside another repository, which a variable names.
fn with_origin() -> Work {
    let mut work = Work::begin();
    let context = &mut work.scene.context;
    let origin = context.repository("origin", &[("src/o.py", "1")]);
    context.set("ORIGIN", origin);
    work
}

/// The honest twin worked in the clone, or beside it; the other claims one file more, which is not below the clone.
#[test]
fn a_clone_is_one_new_folder() {
    for (command, made) in [
        (
            "git clone -q \"$ORIGIN\"; echo 1 > origin/src/made.py",
            "origin/src/made.py",
        ),
        (
            "git clone -q \"$ORIGIN\" x && cd x && echo 1 > src/made.py",
            "src/made.py",
        ),
        (
            "git clone -q --depth 1 \"file://$ORIGIN\" ../y; echo 1 > ../y/made.py",
            "made.py",
        ),
        (
            "git clone -q ../origin x; echo 1 > lib/made.py",
            "lib/made.py",
        ),
    ] {
        for (files, is_blocked) in [
            (made.to_owned(), false),
            (format!("{made}, lib/ghost.py"), true),
        ] {
            let mut work = with_origin();
            work.runs(command);
            let stop = work.stop(&files);
            assert_eq!(
                stop.block().is_some(),
                is_blocked,
                "{command}, {files}: {stop:#?}"
            );
        }
    }
    // What is below the clone is of another repository, and where it is may be known to a shell alone.
    for (command, files) in [
        ("git clone -q \"$ORIGIN\" x", "x/src/ghost.py"),
        ("git clone -q ../origin \"${DIR:-x}\"", "lib/ghost.py"),
    ] {
        let mut work = with_origin();
        work.runs(command);
        assert!(work.stop(files).block().is_none(), "{command}");
    }
}

/// The honest twin changed a file on a server by what it has sent; the other claims one that was not in it.
#[test]
fn what_is_sent_to_a_server_names_what_it_changes() {
    const BODY: &str =
        r#"{"query": "mutation($i: X!) { commit(i: $i) }", "i": {"path": "docs/guide.md"}}"#;
    let here = format!("gh api graphql --input - <<'EOF'\n{BODY}\nEOF");
    let sends = |command: &str, is_written: bool, files: &str| {
        let mut work = Work::begin();
        let place = work.scene.path("body.json");
        if is_written {
            work.writes("body.json", BODY);
        }
        let command = command.replace("BODY", place.to_str().unwrap());
        work.called("Bash", &json!({ "command": command }));
        work.stop(files).block().is_some()
    };
    for (command, is_written, is_read) in [
        (&*here, false, true),
        ("gh api graphql --input BODY", true, true),
        ("cd src && gh api graphql --input=BODY", true, true),
        (
            "curl -X POST https://api.example.org/graphql -d @BODY",
            true,
            true,
        ),
        // Who knows what was in it.
        ("gh api graphql --input BODY", false, false),
        (
            "sed -i s/guide/ghost/ BODY; gh api graphql --input BODY",
            true,
            false,
        ),
    ] {
        assert!(!sends(command, is_written, "docs/guide.md"), "{command}");
        let files = "docs/guide.md, docs/ghost.md";
        assert_eq!(sends(command, is_written, files), is_read, "{command}");
    }
    // What is said there of a review changes no file.
    let review = "gh api graphql -f query='mutation { resolve(id: \"PRRT_1\") { id } }' -F owner=o";
    assert!(sends(review, false, "docs/ghost.md"));
}
