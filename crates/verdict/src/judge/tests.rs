use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use attest_claim::Wanted;
use attest_evidence::{
    Budget, Change, EvidenceSource, PathEvidence, RepoPath, RepositorySource, Touch,
};
use attest_transcript::forms::ClaudeCode;
use attest_transcript::{Session, Whose};

use super::*;
use crate::assertions::tests::Seen as Repository;
use crate::conclusion::tests::clean_side;
use crate::missing::tests::Found;
use crate::path_finding::tests::Seen;
use crate::{
    Beside, Doubt, Earlier, Finding, NoTranscript, Outcome, ReasonCode, Search, SentBack, Side,
    Source, TranscriptSource, Warning,
};

mod again;
mod sentences;

const GHOST: &str = "Status: DONE\nFiles changed: src/ghost.py";
const SENTENCE: &str = "I added the loop to src/ghost.py.";

/// Facts made by hand, of an agent that changed `src/new.py`, which note what was asked.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
struct Made {
    asked: RefCell<Vec<&'static str>>,
    no_start: Option<Unseen>,
    /// What a call of the agent may have written, and what it did before its start.
    called: Option<&'static str>,
    earlier: Option<&'static str>,
    /// What another agent did before its start.
    of_another: Option<&'static str>,
    /// What a commit before its start touched.
    before: Option<&'static str>,
    running: Vec<String>,
    session: Option<Rc<Session>>,
    only_reads: bool,
    is_deaf: bool,
    prompt: Option<&'static str>,
    sent_back: Option<SentBack>,
    was_told_more: bool,
    is_in_another_folder: bool,
}

impl Made {
    fn note(&self, fact: &'static str) {
        self.asked.borrow_mut().push(fact);
    }

    fn has_asked(&self, fact: &str) -> bool {
        self.asked.borrow().contains(&fact)
    }

    fn since(&self, changed: &[&'static str]) -> MadeSince<'_> {
        let changed = changed.iter().map(|&name| {
            let (path, change) = (path(name), Change::Written);
            (name, PathEvidence::Changed { path, change })
        });
        let old = PathEvidence::OnDisk {
            path: "/repo/src/old.py".into(),
            touch: Touch::Untouched,
            namesakes: Vec::new(),
        };
        let end_of_it = PathEvidence::EndOf {
            path: path("src/old_loop.py"),
            touch: Touch::Untouched,
        };
        let still = [
            ("src/old.py", old.clone()),
            ("src/edited.rs", old),
            ("old_loop.py", end_of_it),
        ];
        MadeSince {
            facts: self,
            changed: changed.chain(still).collect(),
            repository: Repository::default(),
        }
    }
}

fn path(name: &str) -> RepoPath {
    RepoPath::from_git(name.as_bytes()).unwrap()
}

impl Facts for Made {
    fn sent_back(&self) -> Option<SentBack> {
        self.sent_back.clone()
    }

    fn since_start(&self) -> Result<Box<dyn Since + '_>, Unseen> {
        self.note("start");
        match &self.no_start {
            Some(why) => Err(why.clone()),
            None => Ok(Box::new(self.since(&["src/new.py"]))),
        }
    }

    fn since_earlier(
        &self,
        wants_more: &mut dyn FnMut(Earlier, &mut dyn Since) -> bool,
    ) -> Result<bool, Unseen> {
        self.note("earlier");
        if let Some(name) = self.earlier {
            wants_more(Earlier::Own, &mut self.since(&[name]));
        }
        if let Some(name) = self.of_another {
            wants_more(Earlier::OfAnother, &mut self.since(&[name]));
        }
        Ok(true)
    }

    fn tools(&self) -> Option<Tools> {
        self.note("tools");
        None
    }

    fn whole_session(&self) -> Option<Rc<Session>> {
        self.note("session");
        self.session.clone()
    }

    fn wanted(&self) -> Vec<Wanted> {
        self.note("prompt");
        self.prompt.map_or_else(Vec::new, attest_claim::done_when)
    }

    fn has_one_prompt(&self) -> bool {
        !self.was_told_more
    }

    fn only_reads(&self, _: &Session) -> bool {
        self.only_reads
    }

    fn hears_sentences(&self) -> bool {
        !self.is_deaf
    }

    fn running(&self) -> Vec<String> {
        self.note("running");
        self.running.clone()
    }

    fn left_running(&self) -> Vec<String> {
        Vec::new()
    }

    fn others_at_work(&self) -> Option<u32> {
        self.note("others");
        Some(2)
    }

    fn has_subagent_at_work(&self) -> bool {
        false
    }

    fn beside(&self) -> Vec<Beside> {
        self.note("beside");
        Vec::new()
    }
}

/// A start after which these paths changed.
struct MadeSince<'a> {
    facts: &'a Made,
    changed: Vec<(&'static str, PathEvidence)>,
    repository: Repository,
}

impl EvidenceSource for MadeSince<'_> {
    fn check_before(&self, text: &str) -> Result<(), attest_evidence::Doubt> {
        let is_touched = self.facts.before == Some(text);
        if is_touched {
            Err(attest_evidence::Doubt::InHistory)
        } else {
            Ok(())
        }
    }

    fn name(&self, text: &str) -> String {
        Seen(&self.changed).name(text)
    }

    fn evidence_for(&self, text: &str) -> PathEvidence {
        Seen(&self.changed).evidence_for(text)
    }

    fn exact_evidence_for(&self, text: &str) -> Option<PathEvidence> {
        Seen(&self.changed).exact_evidence_for(text)
    }

    fn has_folder(&self, text: &str) -> bool {
        Seen(&self.changed).has_folder(text)
    }

    fn differed_at_start(&self, text: &str) -> bool {
        Seen(&self.changed).differed_at_start(text)
    }
}

impl Since for MadeSince<'_> {
    fn root(&self) -> &Path {
        Path::new("/repo")
    }

    fn paths(&self) -> &dyn EvidenceSource {
        self
    }

    fn repository(&self) -> &dyn RepositorySource {
        &self.repository
    }

    fn changes(&self) -> Vec<(RepoPath, Change)> {
        let seen = self.changed.iter();
        let changed = seen.filter(|(_, seen)| matches!(seen, PathEvidence::Changed { .. }));
        changed
            .map(|(name, _)| (path(name), Change::Written))
            .collect()
    }

    fn sides(&self) -> (PathBuf, [Side; 2]) {
        let side = clean_side();
        ("/repo/.git".into(), [side.clone(), side])
    }

    fn has_left_out(&self) -> bool {
        false
    }

    fn add_calls(&mut self) {
        self.facts.note("calls");
        let called = self.facts.called.into_iter();
        let doubt = || attest_evidence::Doubt::WrittenElsewhere;
        self.changed
            .extend(called.map(|name| (name, PathEvidence::Inconclusive(doubt()))));
    }

    fn transcript(
        &self,
        is_open: &dyn Fn(&dyn TranscriptSource) -> bool,
    ) -> Box<dyn TranscriptSource + '_> {
        self.facts.note("transcript");
        is_open(&NoTranscript);
        Box::new(NoTranscript)
    }

    fn search(&self) -> Box<dyn Search + '_> {
        self.facts.note("search");
        Box::new(Found::nothing())
    }

    fn tools(&self, purpose: Purpose) -> Option<Tools> {
        self.facts.note(if purpose.accuses {
            "account of a lie"
        } else {
            "account"
        });
        None
    }

    fn lacks(&self, _: &Path, _: &str) -> bool {
        self.facts.note("text");
        true
    }

    fn are_nowhere(&self, wanted: &[&Wanted]) -> Vec<bool> {
        self.facts.note("folders");
        vec![!self.facts.is_in_another_folder; wanted.len()]
    }
}

fn report(message: &str) -> Report {
    Report {
        agent_type: None,
        has_agent_id: true,
        is_main: false,
        message: message.into(),
        source: Source::Payload,
        claim: attest_claim::parse(message),
        told: Rc::default(),
    }
}

fn judged(message: &str, facts: &Made) -> StopOutcome {
    let policy = Policy {
        enforce: true,
        ..Policy::default()
    };
    judge(report(message), Some(facts), &policy)
}

/// A transcript in which the agent says this and calls nothing.
fn session(message: &str) -> Rc<Session> {
    session_of(&[serde_json::json!({"type": "text", "text": message})])
}

/// A transcript in which the agent does all of this.
fn session_of(content: &[serde_json::Value]) -> Rc<Session> {
    session_asked(None, content)
}

/// The same, of an agent that began with this prompt.
fn session_asked(prompt: Option<&str>, content: &[serde_json::Value]) -> Rc<Session> {
    let prompt = prompt.map(|prompt| {
        let message = serde_json::json!({"role": "user", "content": prompt});
        serde_json::json!({"type": "user", "parentUuid": null, "message": message})
    });
    let done = serde_json::json!({"type": "assistant", "message": {"content": content}});
    let lines = prompt.into_iter().chain([done]);
    let lines: Vec<_> = lines.map(|line| line.to_string()).collect();
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), lines.join("\n") + "\n").unwrap();
    let budget = Budget::default();
    let session = Session::read(file.path(), &[&ClaudeCode], &budget, &mut |_| Whose::Own);
    Rc::new(session.unwrap())
}

#[test]
fn of_an_honest_report_no_more_is_asked_than_the_work_tree() {
    let facts = Made::default();
    let outcome = judged("Status: DONE\nFiles changed: src/new.py", &facts);
    assert_eq!(outcome.word(), Outcome::Ok);
    let asked = ["start", "prompt", "search", "account", "beside"];
    assert_eq!(*facts.asked.borrow(), asked);
}

#[test]
fn a_ghost_is_sent_back_when_all_that_may_excuse_it_was_asked() {
    let facts = Made::default();
    let outcome = judged(GHOST, &facts);
    assert_eq!(outcome.reason, ReasonCode::BlockFalseDone);
    let asked = [
        "start",
        "calls",
        "earlier",
        "running",
        "session",
        "prompt",
        "search",
        "account of a lie",
        "others",
        "beside",
    ];
    assert_eq!(*facts.asked.borrow(), asked);
}

#[test]
fn each_fact_that_speaks_for_the_agent_takes_the_proof_away() {
    for facts in [
        Made {
            called: Some("src/ghost.py"),
            ..Made::default()
        },
        Made {
            earlier: Some("src/ghost.py"),
            ..Made::default()
        },
        Made {
            running: vec!["./generate.sh".to_owned()],
            ..Made::default()
        },
    ] {
        let outcome = judged(GHOST, &facts);
        let asked = facts.asked.borrow();
        assert_eq!(outcome.reason, ReasonCode::AllowNotFalseDone, "{asked:?}");
    }
    for facts in [
        Made {
            called: Some("src/other.py"),
            ..Made::default()
        },
        Made {
            earlier: Some("src/other.py"),
            ..Made::default()
        },
        Made {
            running: vec!["sleep 9".to_owned()],
            ..Made::default()
        },
    ] {
        assert!(judged(GHOST, &facts).is_block());
    }
}

#[test]
fn what_an_earlier_agent_changed_may_be_listed_by_the_one_that_goes_on() {
    let listed = "Status: DONE\nFiles changed: src/new.py, src/old.py";
    let found = |of_another| {
        let facts = Made {
            of_another,
            ..Made::default()
        };
        let policy = Policy {
            enforce: true,
            strict: "all".parse().unwrap(),
            ..Policy::default()
        };
        let outcome = judge(report(listed), Some(&facts), &policy);
        let verdict = &outcome.compared().unwrap().verdict;
        let old = verdict
            .findings
            .iter()
            .find(|it| it.claimed == "src/old.py");
        let old = old.unwrap();
        (old.finding, old.doubt.clone(), outcome.is_block())
    };
    let let_go = (Finding::Present, Some(Doubt::EarlierAgent), false);
    assert_eq!(found(Some("src/old.py")), let_go);
    assert_eq!(
        found(Some("src/other.py")),
        (Finding::Untouched, None, true)
    );
}

/// A transcript in which the agent runs these commands.
fn session_with(commands: &[&str]) -> Rc<Session> {
    let call = |command: &&str| serde_json::json!({"type": "tool_use", "id": command, "name": "Bash", "input": {"command": command}});
    session_of(&commands.iter().map(call).collect::<Vec<_>>())
}

/// Each beside what looks most like it and is judged as any other.
#[test]
fn who_wrote_nothing_and_looked_at_the_work_of_others_may_list_that() {
    let is_block = |first: &str, commands: &[&str]| {
        let facts = Made {
            session: Some(session_with(commands)),
            ..Made::default()
        };
        judged(&format!("{first}\n\n{GHOST}"), &facts).is_block()
    };
    let verdict = "Verdict on PR #7: approve.";
    for commands in [&["gh pr diff 7"][..], &["git show 1a2b3c4", "ls src"]] {
        assert!(!is_block(verdict, commands), "{commands:?}");
        assert!(is_block("Opened PR #7.", commands), "{commands:?}");
        assert!(is_block("All is well.", commands), "{commands:?}");
    }
    for commands in [
        &[][..],
        &["ls src"],
        &["gh pr diff 7", "echo x > src/other.py"],
    ] {
        assert!(is_block(verdict, commands), "{commands:?}");
    }
}

#[test]
fn an_agent_that_only_reads_lists_what_a_pull_request_has() {
    let facts = |command: &str| Made {
        session: Some(session_with(&[command])),
        only_reads: true,
        ..Made::default()
    };
    let of_others = &format!("Verdict on PR 7: approve.\n\n{GHOST}");
    assert!(!judged(of_others, &facts("ls src")).is_block());
    assert!(judged(of_others, &facts("echo x > src/other.py")).is_block());
    assert!(judged(GHOST, &facts("ls src")).is_block());
}

#[test]
fn who_was_asked_for_a_text_lists_what_it_is_about() {
    let judged = |prompt: &str, message: &str, command: &str| {
        let call = serde_json::json!({"type": "tool_use", "id": "1", "name": "Bash", "input": {"command": command}});
        let facts = Made {
            session: Some(session_asked(Some(prompt), &[call])),
            ..Made::default()
        };
        judged(message, &facts)
    };
    let asked = "Write the PR description for this branch";
    let look = "git diff --cached";
    let is_told = |outcome: &StopOutcome| !outcome.warnings.is_empty();
    assert!(!judged(asked, GHOST, look).is_block());
    assert!(!is_told(&judged(asked, SENTENCE, look)));
    for (prompt, command) in [
        ("Write the parser for this branch", look),
        (asked, "echo x > src/other.py"),
    ] {
        assert!(judged(prompt, GHOST, command).is_block(), "{prompt}");
        assert!(is_told(&judged(prompt, SENTENCE, command)), "{prompt}");
    }
}

/// The work tree is read for a claim, and for a sentence that tells of a file.
#[test]
fn of_a_message_that_claims_nothing_no_start_is_asked() {
    let facts = Made::default();
    let outcome = judged("It is a parser.", &facts);
    assert_eq!(outcome.word(), Outcome::NoClaim);
    assert!(!facts.has_asked("start"));
}

#[test]
fn what_cannot_be_seen_says_nothing_against_a_report() {
    for (why, word, claims) in [
        (Unseen::NoStart, Outcome::NoSnapshot, false),
        (Unseen::Failed("why".into()), Outcome::Unverifiable, false),
        (
            Unseen::Unreadable("why".into()),
            Outcome::Unverifiable,
            true,
        ),
    ] {
        let facts = Made {
            no_start: Some(why),
            ..Made::default()
        };
        let outcome = judged(GHOST, &facts);
        assert_eq!((outcome.word(), outcome.is_block()), (word, false));
        assert_eq!(outcome.input.report.claim.is_claim(), claims);
    }
    let outcome = judge(report(GHOST), None, &Policy::default());
    assert_eq!(outcome.word(), Outcome::NoSnapshot);
}

/// A sentence is told of if the whole transcript is known and shows no way in which it may be so; it never blocks.
#[test]
fn a_sentence_is_told_if_nothing_can_have_done_it() {
    let told = |facts: &Made| {
        let outcome = judged(SENTENCE, facts);
        assert!(!outcome.is_block());
        outcome
            .warnings
            .iter()
            .any(|it| matches!(it, Warning::Said(_)))
    };
    let known = || Made {
        session: Some(session(SENTENCE)),
        ..Made::default()
    };
    assert!(told(&known()));
    let honest = Made {
        called: Some("src/ghost.py"),
        ..known()
    };
    assert!(!told(&honest));
    assert!(!told(&Made::default()), "its transcript is not known");
    let reader = Made {
        only_reads: true,
        ..known()
    };
    assert!(!told(&reader));
    let deaf = Made {
        is_deaf: true,
        ..known()
    };
    assert!(!told(&deaf) && !deaf.has_asked("start"));
}

/// What commits did before the start is no ghost, and who looked at them may sum it up.
#[test]
fn what_commits_did_before_the_start_may_be_meant() {
    let before = |path| Made {
        before: Some(path),
        ..Made::default()
    };
    assert!(!judged(GHOST, &before("src/ghost.py")).is_block());
    assert!(judged(GHOST, &before("src/old.py")).is_block());
    let told = |command: &str, facts: Made| {
        let said = "I added the loop to src/old.py.";
        let input = serde_json::json!({"command": command});
        let call =
            serde_json::json!({"type": "tool_use", "id": "1", "name": "Bash", "input": input});
        let text = serde_json::json!({"type": "text", "text": said});
        let session = Some(session_of(&[call, text]));
        !judged(said, &Made { session, ..facts }).warnings.is_empty()
    };
    assert!(!told("git log -3", before("src/old.py")));
    assert!(told("git status", before("src/old.py")));
    assert!(told("git log -3", Made::default()));
}

/// What a review lists may be what was reviewed, unless the agent called a tool that writes.
#[test]
fn a_review_of_an_agent_that_writes_nothing_is_no_claim_of_work() {
    let review = format!("# Code review: PR 12\n\n{GHOST}");
    let is_proven = |report: &str, facts: &Made| judged(report, facts).is_block();
    let call = |tool: &str| {
        let input = serde_json::json!({"file_path": "/w/src/other.py"});
        let call = serde_json::json!({"type": "tool_use", "id": "1", "name": tool, "input": input});
        Made {
            session: Some(session_of(&[call])),
            ..Made::default()
        }
    };
    for facts in [call("Read"), Made::default()] {
        assert!(!is_proven(&review, &facts));
        assert!(is_proven(GHOST, &facts));
    }
    assert!(is_proven(&review, &call("Write")));
    let fixed = format!("# Code review comments addressed\n\n{GHOST}");
    assert!(is_proven(&fixed, &call("Read")));
}

/// Without a status, what is listed beside the agent's own work is told, whatever the first line says. What a reviewer
/// lists as changed is none, if it created another file.
#[test]
fn a_word_of_a_study_does_not_hide_the_lists_of_who_wrote() {
    let input = serde_json::json!({"file_path": "src/new.py"});
    let call = serde_json::json!({"type": "tool_use", "id": "1", "name": "Write", "input": input});
    let wrote = || Made {
        session: Some(session_of(std::slice::from_ref(&call))),
        ..Made::default()
    };
    let told = |report: &str, facts: &Made| judged(report, facts).told().unwrap_or_default().len();
    for first in ["Branch: feat", "PR: #12"] {
        let created = format!("{first}\n\nFiles created:\n- src/new.py\n- src/ghost.py");
        assert_eq!(told(&created, &wrote()), 1, "{first}");
        assert_eq!(told(&created, &Made::default()), 0, "{first}");
        let fixed = format!("{first}\n\nFiles changed: src/new.py\nFiles created: src/ghost.py");
        assert_eq!(told(&fixed, &wrote()), 1, "{first}");
        let reviewed = "Files created:\n- src/new.py\n\nFiles changed:\n- src/ghost.py";
        let reviewed = judged(&format!("{first}\n\n{reviewed}"), &wrote());
        assert_eq!(reviewed.told(), Some(Vec::new()), "{first}");
        let doubts = &reviewed.compared().unwrap().verdict.findings;
        let words: Vec<_> = doubts.iter().filter_map(|it| it.doubt.as_ref()).collect();
        assert_eq!(words.len(), 1, "{first}");
        assert_eq!(words[0].word(), "STUDY", "{first}");
    }
}

/// Who says that nothing was written lists what is planned, unless a call wrote a file of that list.
#[test]
fn a_report_that_nothing_was_written_disproves_nothing() {
    const LISTS: &str = "\nFiles changed: src/new.py, src/ghost.py";
    let input = serde_json::json!({"file_path": "src/new.py"});
    let call = serde_json::json!({"type": "tool_use", "id": "1", "name": "Write", "input": input});
    let wrote = Made {
        session: Some(session_of(&[call])),
        ..Made::default()
    };
    let is_false = |report: &str, facts: &Made| judged(report, facts).is_block();
    for said in [
        "Status: DONE (dry run)",
        "No files were modified.\n\nStatus: DONE",
    ] {
        let report = format!("{said}{LISTS}");
        assert!(!is_false(&report, &Made::default()), "{said}");
        assert!(is_false(&report, &wrote), "{said}");
    }
    for other in ["Status: DONE", "No tests were modified.\n\nStatus: DONE"] {
        let report = format!("{other}{LISTS}");
        assert!(is_false(&report, &Made::default()), "{other}");
    }
}

/// What the prompt asks for is told if it is not there, may not be elsewhere and was not taken back.
#[test]
fn what_the_prompt_asks_for_is_judged_with_the_claim() {
    const REPORT: &str = "Status: DONE\nFiles changed: src/new.py";
    let asked = || Made {
        prompt: Some("Done when:\n- src/guide.md\n- src/new.py contains \"guide\"\n"),
        ..Made::default()
    };
    let open = |report: &str, facts: &Made| {
        let outcome = judged(report, facts);
        let asked = outcome.input.asked.iter();
        asked.map(|unmet| unmet.name.clone()).collect::<Vec<_>>()
    };
    let both = ["src/guide.md", "src/new.py contains \"guide\""];
    assert_eq!(open(REPORT, &asked()), both);
    for facts in [
        Made {
            was_told_more: true,
            ..asked()
        },
        Made {
            is_in_another_folder: true,
            ..asked()
        },
        Made {
            running: vec!["./generate.sh".to_owned()],
            ..asked()
        },
    ] {
        assert_eq!(open(REPORT, &facts), [""; 0]);
    }
    let reader = Made {
        session: Some(session(REPORT)),
        only_reads: true,
        ..asked()
    };
    assert_eq!(open(REPORT, &reader), [""; 0]);
    let left = format!("{REPORT}\nNot done: src/guide.md, it is superfluous.");
    assert_eq!(open(&left, &asked()), both[1..]);
    let called = Made {
        called: Some("src/guide.md"),
        ..asked()
    };
    assert_eq!(open(REPORT, &called), both[1..]);
    let not_done = "Status: BLOCKED\nFiles changed: src/new.py";
    assert_eq!(open(not_done, &asked()), [""; 0]);
}
