//! What hosts send about a turn of the main agent, played to the binary: with our own reason coming back as a
//! prompt, with text that is cumulative, and with messages that stand in a transcript only.

use std::fs;
use std::path::PathBuf;

use attest_host::{Text, hosts};
use serde_json::{Value, json};

use crate::common::agent::done;
use crate::common::{Printed, TestContext, in_one_of_some_tries};

/// Where a host says what its agent said.
#[derive(Clone, Copy)]
enum Said {
    /// In the payload of the stop: the last message.
    Last,
    /// In the payload of the stop: all since the prompt. A transcript has each message.
    All(fn(is_agent: bool, text: &str) -> Value),
    /// In a transcript, with a line for a person, or else the agent.
    Transcript(fn(is_agent: bool, text: &str) -> Value),
}

/// A host as it calls the hooks for the turns of its main agent.
#[derive(Clone, Copy)]
struct Played {
    host: &'static str,
    /// Whether turns are judged without being asked for.
    is_default: bool,
    /// The payload of a prompt.
    prompt: fn(scene: &Scene, text: &str) -> Value,
    /// The payload of a stop, with the message if it carries one.
    stop: fn(scene: &Scene, message: Option<&str>, continues: bool) -> Value,
    /// Whether the reason for a block comes as a prompt before the agent goes on.
    repeats_reason: bool,
    said: Said,
    reason: &'static str,
    silence: &'static str,
}

/// One session of a host.
struct Scene {
    cwd: PathBuf,
    transcript: PathBuf,
}

fn base(scene: &Scene, event: &str) -> Value {
    json!({"session_id": "s", "cwd": scene.cwd, "hook_event_name": event,
        "transcript_path": scene.transcript})
}

fn with(mut payload: Value, fields: Value) -> Value {
    let Value::Object(fields) = fields else {
        panic!("{fields}");
    };
    payload.as_object_mut().unwrap().extend(fields);
    payload
}

fn copilot_line(is_agent: bool, text: &str) -> Value {
    let kind = if is_agent {
        "assistant.message"
    } else {
        "user.message"
    };
    json!({"type": kind, "data": {"content": text, "messageId": "m", "toolRequests": []}, "id": "e"})
}

const PLAYED: &[Played] = &[
    Played {
        host: "gemini",
        is_default: true,
        prompt: |scene, text| with(base(scene, "BeforeAgent"), json!({"prompt": text})),
        stop: |scene, message, continues| {
            let fields = json!({"prompt": "do it", "prompt_response": message, "stop_hook_active": continues});
            with(base(scene, "AfterAgent"), fields)
        },
        repeats_reason: true,
        said: Said::All(|is_agent, text| {
            let kind = if is_agent { "gemini" } else { "user" };
            json!({"id": "m", "timestamp": "t", "type": kind, "content": text})
        }),
        reason: "reason",
        silence: "",
    },
    Played {
        host: "droid",
        is_default: true,
        prompt: |scene, text| with(base(scene, "UserPromptSubmit"), json!({"prompt": text})),
        stop: |scene, _, continues| {
            let fields = json!({"message_id": "m", "stop_hook_active": continues,
                "tool_execution_count": 1, "elapsed_time": 1});
            with(base(scene, "Stop"), fields)
        },
        repeats_reason: false,
        said: Said::Transcript(|is_agent, text| {
            let role = if is_agent { "assistant" } else { "user" };
            json!({"type": "message", "id": "m", "message":
                {"role": role, "content": [{"type": "text", "text": text}]}})
        }),
        reason: "reason",
        silence: "",
    },
    Played {
        host: "codex",
        is_default: false,
        prompt: |scene, text| {
            let fields = json!({"prompt": text, "turn_id": "t", "model": "m"});
            with(base(scene, "UserPromptSubmit"), fields)
        },
        stop: |scene, message, continues| {
            let fields = json!({"turn_id": "t", "model": "m", "stop_hook_active": continues,
                "last_assistant_message": message});
            with(base(scene, "Stop"), fields)
        },
        repeats_reason: false,
        said: Said::Last,
        reason: "reason",
        silence: "",
    },
    Played {
        host: "qwen",
        is_default: false,
        prompt: |scene, text| {
            let fields = json!({"prompt": text, "prompt_id": "s########0"});
            with(base(scene, "UserPromptSubmit"), fields)
        },
        stop: |scene, message, continues| {
            let fields = json!({"prompt_id": "s########0", "stop_hook_active": continues,
                "last_assistant_message": message});
            with(base(scene, "Stop"), fields)
        },
        repeats_reason: true,
        said: Said::Last,
        reason: "reason",
        silence: "",
    },
    Played {
        host: "copilot",
        is_default: false,
        prompt: |scene, text| json!({"sessionId": "s", "timestamp": 1, "cwd": scene.cwd, "prompt": text}),
        stop: |scene, _, continues| {
            json!({"sessionId": "s", "timestamp": 2, "cwd": scene.cwd, "stopReason": "end_turn",
                "transcriptPath": scene.transcript, "stop_hook_active": continues})
        },
        repeats_reason: true,
        said: Said::Transcript(copilot_line),
        reason: "reason",
        silence: "",
    },
    Played {
        host: "vscode",
        is_default: false,
        prompt: |scene, text| vscode(scene, "UserPromptSubmit", json!({"prompt": text})),
        stop: |scene, _, continues| vscode(scene, "Stop", json!({"stop_hook_active": continues})),
        repeats_reason: false,
        said: Said::Transcript(copilot_line),
        reason: "reason",
        silence: "",
    },
];

fn vscode(scene: &Scene, event: &str, fields: Value) -> Value {
    let base = json!({"timestamp": "t", "hookEventName": event, "sessionId": "s", "cwd": scene.cwd,
        "transcript_path": scene.transcript});
    with(base, fields)
}

/// A session as it goes on: what was said, and the file that has it.
struct Session {
    played: Played,
    context: TestContext,
    scene: Scene,
    said: Vec<String>,
}

impl Session {
    /// With turns judged, and enforcement.
    fn judged(played: Played) -> Self {
        let mut context = TestContext::enforcing();
        if !played.is_default {
            context.set("ATTEST_SESSIONS", "1");
        }
        Self::new(played, context)
    }

    fn new(played: Played, context: TestContext) -> Self {
        let scene = Scene {
            cwd: context.repository("repo", &[("a.py", "1")]),
            transcript: context.folder().join("transcript.jsonl"),
        };
        Self {
            played,
            context,
            scene,
            said: Vec::new(),
        }
    }

    /// Does work in the repository.
    fn change(&self, path: &str) {
        fs::write(self.scene.cwd.join(path), "2").unwrap();
    }

    fn hook(&self, verb: &str, payload: &Value) -> Printed {
        let words = ["hook", verb, "--harness", self.played.host];
        let payload = payload.to_string();
        let printed = self.context.attest_with_input(words, payload.as_bytes());
        printed.assert_success()
    }

    fn write(&self, is_agent: bool, text: &str) {
        if let Said::Transcript(line) | Said::All(line) = self.played.said {
            let file = &self.scene.transcript;
            let before = fs::read_to_string(file).unwrap_or_default();
            fs::write(file, format!("{before}{}\n", line(is_agent, text))).unwrap();
        }
    }

    /// A prompt, which is all that the host hears nothing about.
    fn ask(&mut self, text: &str) {
        self.said.clear();
        self.submit(text);
    }

    fn submit(&self, text: &str) {
        self.write(false, text);
        let printed = self.hook("prompt", &(self.played.prompt)(&self.scene, text));
        assert_eq!(
            printed.stdout, self.played.silence,
            "{}: {printed:?}",
            self.played.host
        );
    }

    fn stop(&mut self, files: &str, continues: bool) -> Printed {
        self.stop_with(done(files), continues)
    }

    fn stop_with(&mut self, report: String, continues: bool) -> Printed {
        self.write(true, &report);
        self.said.push(report);
        let message = match self.played.said {
            Said::Last => self.said.last().cloned(),
            Said::All(_) => Some(self.said.join("\n")),
            Said::Transcript(_) => None,
        };
        let payload = (self.played.stop)(&self.scene, message.as_deref(), continues);
        self.hook("session-stop", &payload)
    }

    /// The agent goes on with the reason that it was sent back with.
    #[track_caller]
    fn go_on(&self, printed: &Printed) {
        let reply: Value = serde_json::from_str(&printed.stdout)
            .unwrap_or_else(|_| panic!("{}: {printed:?}", self.played.host));
        let reason = reply[self.played.reason].as_str().unwrap();
        assert!(reason.contains("ghost.py"), "{printed:?}");
        if self.played.repeats_reason {
            self.submit(reason);
        } else {
            self.write(false, reason);
        }
    }

    #[track_caller]
    fn assert_allowed(&self, printed: &Printed) {
        assert_eq!(
            printed.stdout, self.played.silence,
            "{}: {printed:?}",
            self.played.host
        );
    }

    /// The same, because what was claimed is there.
    #[track_caller]
    fn assert_ok(&self, printed: &Printed) {
        self.assert_allowed(printed);
        let host = self.played.host;
        // A host that shows standard error is told nothing there.
        let told = if hosts::named(host).unwrap().profile().text == Text::Shown {
            assert_eq!(printed.stderr, "", "{host}");
            self.context.attest(["log"]).stdout
        } else {
            printed.stderr.clone()
        };
        assert!(told.contains("OK"), "{host}: {told}");
    }
}

/// Runs `play` in every host, with turns judged.
fn each(play: impl Fn(&mut Session)) {
    for played in PLAYED {
        play(&mut Session::judged(*played));
    }
}

fn of_host(name: &str) -> Played {
    *PLAYED.iter().find(|played| played.host == name).unwrap()
}

#[test]
fn a_false_done_is_sent_back_and_the_mended_one_let_through() {
    each(|session| {
        session.ask("do it");
        let lie = session.stop("ghost.py", false);
        session.go_on(&lie);
        session.change("ghost.py");
        let mended = session.stop("ghost.py", true);
        session.assert_allowed(&mended);
    });
}

/// The first, false claim still stands in what a host with cumulative text sends.
#[test]
fn an_agent_that_takes_its_claim_back_is_let_through() {
    each(|session| {
        session.ask("do it");
        let lie = session.stop("ghost.py", false);
        session.go_on(&lie);
        session.change("a.py");
        let other = session.stop("a.py", true);
        session.assert_ok(&other);
    });
}

/// The same key in two sections of one report adds up; but these are two reports.
#[test]
fn sections_of_what_was_taken_back_do_not_add_up() {
    each(|session| {
        session.ask("do it");
        let report = |title: &str, files: &str| format!("## {title}\n\n{}", done(files));
        let lie = session.stop_with(report("Summary", "ghost.py"), false);
        session.go_on(&lie);
        session.change("a.py");
        let other = session.stop_with(report("Result", "a.py"), true);
        session.assert_ok(&other);
    });
}

/// Its twin: an honest claim that stands first does not cover a false one behind it.
#[test]
fn the_last_claim_of_a_turn_counts() {
    each(|session| {
        session.ask("do it");
        session.change("a.py");
        session.said.push(done("a.py"));
        session.write(true, &done("a.py"));
        let lie = session.stop("ghost.py", false);
        session.go_on(&lie);
    });
}

#[test]
fn an_honest_done_is_let_through() {
    each(|session| {
        session.ask("do it");
        session.change("a.py");
        let honest = session.stop("a.py", false);
        session.assert_ok(&honest);
    });
}

/// Several hosts have no cap of their own.
#[test]
fn one_that_does_not_mend_it_is_let_go_by_our_own_budget() {
    each(|session| {
        session.ask("do it");
        let lie = session.stop("ghost.py", false);
        session.go_on(&lie);
        let again = session.stop("ghost.py", true);
        let reply: Value = serde_json::from_str(&again.stdout).unwrap_or_default();
        let has_reason = reply.get(session.played.reason).is_some();
        assert!(!has_reason, "{}: {again:?}", session.played.host);
    });
}

/// Hosts with subagents judge those; the turns of their main agent are judged where a person asks for it.
#[test]
fn without_being_asked_for_only_hosts_without_subagents_judge_turns() {
    for played in PLAYED {
        let mut session = Session::new(*played, TestContext::enforcing());
        session.ask("do it");
        let lie = session.stop("ghost.py", false);
        if played.is_default {
            session.go_on(&lie);
        } else {
            session.assert_allowed(&lie);
        }
    }
}

/// `droid exec` begins with no other event.
#[test]
fn the_start_of_a_session_is_as_good_as_a_prompt() {
    let mut session = Session::judged(of_host("droid"));
    let start = with(
        base(&session.scene, "SessionStart"),
        json!({"source": "startup"}),
    );
    session.hook("prompt", &start);
    let lie = session.stop("ghost.py", false);
    session.go_on(&lie);
}

/// Within a subagent of Copilot, the stop of the main agent fires too.
#[test]
fn a_stop_within_a_subagent_is_not_the_end_of_a_turn() {
    let mut session = Session::judged(of_host("copilot"));
    session.ask("do it");
    session.write(true, &done("ghost.py"));
    let inner =
        json!({"agentId": "a", "agentType": "task", "parentAgentId": "s", "sessionId": "a"});
    let stop = (session.played.stop)(&session.scene, None, false);
    let printed = session.hook("session-stop", &with(stop, inner));
    assert_eq!(printed.stdout, "", "{printed:?}");
    let lie = session.stop("ghost.py", false);
    session.go_on(&lie);
}

/// A host that writes late: when it calls, the file may still end with what was said in an earlier turn, or before
/// the agent was sent back.
mod late {
    use std::time::Duration;

    use super::*;

    /// A line of Copilot's with a time, before or after all that happens here.
    fn line(is_agent: bool, text: &str, is_old: bool) -> Value {
        let time = if is_old {
            "2020-01-01T00:00:00.000Z"
        } else {
            "2999-01-01T00:00:00.000Z"
        };
        with(copilot_line(is_agent, text), json!({"timestamp": time}))
    }

    /// A session of Copilot in which the report of an earlier turn is all that was written when a turn begins.
    fn behind() -> Session {
        let session = Session::judged(of_host("copilot"));
        let old = line(true, &done("ghost.py"), true);
        fs::write(&session.scene.transcript, format!("{old}\n")).unwrap();
        let prompt = (session.played.prompt)(&session.scene, "do it");
        session.hook("prompt", &prompt);
        session
    }

    fn stop(session: &Session, continues: bool) -> Printed {
        let payload = (session.played.stop)(&session.scene, None, continues);
        session.hook("session-stop", &payload)
    }

    #[test]
    fn what_was_said_in_an_earlier_turn_is_not_the_report_of_this_one() {
        let session = behind();
        let printed = stop(&session, false);
        session.assert_allowed(&printed);
        assert!(printed.stderr.contains("source=none"), "{printed:?}");
    }

    /// Its twin: what is written while the hook looks is judged.
    #[test]
    fn what_is_written_while_the_hook_waits_is_the_report() {
        in_one_of_some_tries(|_| {
            let session = behind();
            let file = session.scene.transcript.clone();
            let writer = std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(100));
                let before = fs::read_to_string(&file).unwrap();
                let new = line(true, &done("ghost.py"), false);
                fs::write(&file, format!("{before}{new}\n")).unwrap();
            });
            let printed = stop(&session, false);
            writer.join().unwrap();
            let is_judged = !printed.stderr.contains("source=none");
            if is_judged {
                session.go_on(&printed);
            }
            is_judged
        });
    }
}

/// A subagent may be called as anybody likes.
#[test]
fn a_subagent_that_has_the_name_of_a_turn_has_its_own_row() {
    let mut context = TestContext::enforcing();
    context.set("ATTEST_SESSIONS", "1");
    let repo = context.repository("repo", &[("a.py", "1")]);
    let session = json!({"session_id": "s", "cwd": repo});
    let play = |event: &str, name: &str, fields: Value| {
        let fields = with(fields, json!({"hook_event_name": name}));
        let payload = with(session.clone(), fields).to_string();
        context
            .attest_with_input(["hook", event], payload.as_bytes())
            .assert_success()
    };
    let lie = json!({"last_assistant_message": done("ghost.py")});
    play("prompt", "UserPromptSubmit", json!({"prompt": "do it"}));
    let agent = json!({"agent_id": "turn:1", "agent_type": "Explore"});
    play("start", "SubagentStart", agent.clone());
    for is_blocked in [true, false] {
        let printed = play("stop", "SubagentStop", with(lie.clone(), agent.clone()));
        assert_eq!(
            printed.stdout.contains("\"block\""),
            is_blocked,
            "{printed:?}"
        );
    }
    // The turn has its own baseline and its own retry.
    let printed = play("session-stop", "Stop", lie);
    assert!(printed.stdout.contains("\"block\""), "{printed:?}");
}
