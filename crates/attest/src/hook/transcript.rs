//! The agent's own transcript, read if a stop has something to ask of it, and once.

mod mentions;
mod tools;

use std::cell::{OnceCell, RefCell};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Instant;

use attest_claim::Assertion;
use attest_host::AgentTranscript;
use attest_shell::checks::OwnChecks;
use attest_snapshot::{Doubt, WorkTree};
use attest_transcript::{Call, Session, SessionFile, Sought, ToolCalls, TranscriptError, Whose};
use attest_verdict::{Account, AskedOfLines, FEEDBACK, Report};
use jiff::Timestamp;

use super::context::Context;
use super::known;
use super::reading::{WAIT, is_earlier, reading, reading_deadline};
use attest_base::log::Level;

/// The transcript of the agent whose report this is.
pub(super) struct Transcript<'a> {
    pub(super) context: &'a Context,
    pub(super) report: &'a Report,
    /// What the person calls checks, if the claim says that some passed.
    own_checks: OwnChecks,
    /// The work tree in which the agent began, once it is known.
    tree: OnceCell<PathBuf>,
    file: RefCell<State>,
    /// What was read so far.
    session: RefCell<Option<Rc<Session>>>,
    /// Why one that is there could not be read.
    unread: OnceCell<String>,
    /// When somebody of the session was sent back, the last time.
    sent_back: OnceCell<i64>,
    /// When the agent was resumed behind its last allowed stop: it was told of what it did before.
    resumed: OnceCell<i64>,
    /// When the agent began.
    began: OnceCell<i64>,
}

/// How far the reading is.
enum State {
    Unopened,
    Open(OpenFile),
    /// A question is being answered that waits for more.
    Waiting,
    /// There is none, or it cannot be read.
    Gone,
}

struct OpenFile {
    file: Box<SessionFile<'static>>,
    /// When to wait no longer.
    give_up: Instant,
}

impl<'a> Transcript<'a> {
    pub(super) fn new(
        context: &'a Context,
        report: &'a Report,
        own_checks: impl FnOnce() -> OwnChecks,
    ) -> Self {
        let mut checks = report.claim.assertions.iter().filter_map(Assertion::check);
        let own_checks = if checks.any(|check| check.passed) {
            own_checks()
        } else {
            OwnChecks::default()
        };
        Self {
            context,
            report,
            own_checks,
            tree: OnceCell::new(),
            file: RefCell::new(State::Unopened),
            session: RefCell::new(None),
            unread: OnceCell::new(),
            sent_back: OnceCell::new(),
            resumed: OnceCell::new(),
            began: OnceCell::new(),
        }
    }

    /// Says when the agent began.
    pub(super) fn began_at(&self, at: i64) {
        self.began.get_or_init(|| at);
    }

    /// Says when the agent was resumed.
    pub(super) fn was_resumed(&self, at: i64) {
        self.resumed.get_or_init(|| at);
    }

    /// Says when somebody of the session was sent back, the last time.
    pub(super) fn was_sent_back(&self, at: i64) {
        self.sent_back.get_or_init(|| at);
    }

    /// Names the work tree in which the agent began, before anything is asked.
    pub(super) fn begin_in(&self, tree: &WorkTree) {
        self.tree.get_or_init(|| tree.root.clone());
    }

    /// All that the transcript says. While not all of it is written, it is waited for as long as what is there so far
    /// is not enough.
    pub(super) fn session(&self, wants_more: impl Fn(&Session) -> bool) -> Option<Rc<Session>> {
        let open = match self.file.replace(State::Waiting) {
            State::Unopened => self.open(),
            State::Open(open) => Some(open),
            State::Waiting => return self.session.borrow().clone(),
            State::Gone => None,
        };
        let mut open = open;
        while let Some(it) = &mut open {
            let session = Rc::clone(it.file.session());
            *self.session.borrow_mut() = Some(Rc::clone(&session));
            if !wants_more(&session) {
                break;
            }
            drop(session);
            match it.file.wait_for_more(it.give_up) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => open = self.or_shrug(Err(error)),
            }
        }
        let state = open.map_or(State::Gone, State::Open);
        let is_gone = matches!(state, State::Gone);
        self.file.replace(state);
        self.session.borrow().clone().filter(|_| !is_gone)
    }

    /// All of it up to the report, as far as that can be waited for.
    pub(super) fn settled(&self) -> Option<Rc<Session>> {
        self.session(|session| !self.is_settled(&session.tool_calls))
    }

    /// What is there of it, without waiting for more.
    pub(super) fn as_it_is(&self) -> Option<Rc<Session>> {
        self.session(|_| false)
    }

    /// The same without what its agent did not call: the transcript of a subagent that was forked begins with that of
    /// the one that started it.
    pub(super) fn own(&self, mut session: Rc<Session>) -> Rc<Session> {
        if let Some(began) = self.forked_at(&session) {
            let session = Rc::make_mut(&mut session);
            session.tool_calls.retain(|call| !is_before(call, began));
        }
        session
    }

    fn forked_at(&self, session: &Session) -> Option<i64> {
        let is_forked = session.is_fork && self.context.turn.is_none();
        self.began.get().copied().filter(|_| is_forked)
    }

    /// Where it is, if it is the agent's alone.
    pub(super) fn path(&self) -> Option<&Path> {
        match &self.context.payload.agent_transcript {
            AgentTranscript::Named(path) => Some(path),
            _ => None,
        }
    }

    fn open(&self) -> Option<OpenFile> {
        let (payload, host) = (&self.context.payload, self.context.harness);
        let (path, forms, of) = match &payload.agent_transcript {
            AgentTranscript::Named(path) => (path, host.profile().transcripts, None),
            AgentTranscript::Among(path) => (
                path,
                host.profile().transcripts_of_agents,
                payload.agent_id.clone(),
            ),
            AgentTranscript::Absent | AgentTranscript::Unusable => return None,
        };
        let give_up = reading_deadline(self.context).min(Instant::now() + WAIT);
        let asked = (self.sought(), self.own_checks.clone());
        let opened = SessionFile::open_until(path, forms, asked, give_up).and_then(|file| {
            let mut file = file.of_agent(of);
            file.read_on(&mut |_| Whose::Own)?;
            Ok(OpenFile {
                file: Box::new(file),
                give_up,
            })
        });
        let open = self.or_shrug(opened)?;
        if !open.file.session().is_whole() {
            let text = "a line is missing, torn, or was not reached in time";
            let log = &self.context.log;
            log.write(Level::Info, "LEDGER_INCOMPLETE", text);
        }
        Some(open)
    }

    /// What the message asks of the lines.
    fn sought(&self) -> Sought {
        let asked = AskedOfLines::of(self.report);
        let tree = self.tree.get();
        let files = asked.files.iter().zip(tree.into_iter().cycle());
        let files = files.filter_map(|(file, root)| known::sought(self.context, root, file));
        Sought {
            texts: asked.texts,
            files: files.collect(),
            // What attest itself has said of a commit does not make it one.
            feedback: FEEDBACK,
            budget: reading(self.context),
        }
    }

    fn or_shrug<T>(&self, result: Result<T, TranscriptError>) -> Option<T> {
        let error = match result {
            Ok(value) => return Some(value),
            Err(error) => error,
        };
        self.context.shrug("LEDGER_UNREADABLE", &error);
        if matches!(error, TranscriptError::Unreadable { .. }) {
            self.unread.get_or_init(|| error.to_string());
        }
        None
    }

    /// The first of the calls that belongs to the turn, if it is the main agent whose turn ends, or that an agent made
    /// since it was resumed or forked.
    pub(super) fn first_of_turn(&self, tool_calls: &ToolCalls) -> Option<usize> {
        let turn = self.context.turn.as_ref().map(|turn| turn.agent.started_at);
        let forked = || self.forked_at(self.session.borrow().as_ref()?);
        let began = turn.or(self.resumed.get().copied()).or_else(forked)?;
        let mut calls = tool_calls.calls.iter();
        let first = calls.position(|call| !is_before(call, began));
        Some(first.unwrap_or(tool_calls.calls.len()))
    }

    /// Whether the agent can run commands: its transcript offers it a shell, or names no tool that it has.
    pub(super) fn has_shell(&self) -> bool {
        let agent_type = self.context.payload.agent_type.as_deref();
        let only_reads = agent_type.is_some_and(|it| self.context.harness.only_reads(it));
        let session = || self.as_it_is();
        !only_reads && session().is_some_and(|session| session.may_run_commands())
    }

    /// The transcript, if it is there up to the report: what it does not have, the agent did not see.
    pub(super) fn whole(&self) -> Result<Rc<Session>, attest_verdict::Doubt> {
        if !matches!(
            self.context.payload.agent_transcript,
            AgentTranscript::Named(_) | AgentTranscript::Among(_)
        ) {
            return Err(attest_verdict::Doubt::NoTranscript);
        }
        let unknown = |why: &str| Doubt::UnknownPlace(why.to_owned());
        let Some(session) = self.session(|session| !self.is_settled(&session.tool_calls)) else {
            let why = self.unread.get().map(String::as_str);
            return Err(unknown(why.unwrap_or("the transcript could not be read")).into());
        };
        session.tool_calls.complete().map_err(Doubt::clone)?;
        if !session.tool_calls.ends_with(&self.report.message) {
            return Err(unknown("the transcript does not end with the report").into());
        }
        Ok(session)
    }

    /// Whether the calls that were read are all that there are, up to the report.
    pub(super) fn has_all(&self) -> bool {
        let session = self.session.borrow();
        let session = session.as_ref();
        session.is_some_and(|session| self.is_settled(&session.tool_calls))
    }

    fn is_settled(&self, tool_calls: &ToolCalls) -> bool {
        !self.may_be_old() && self.account(tool_calls).is_settled()
    }

    /// Whether a transcript that ends with the report may be as old as the first time that the agent gave it: an
    /// agent that was sent back may repeat it. One that has the words with which it was sent back is not.
    fn may_be_old(&self) -> bool {
        let has_words = |since: &i64| {
            let session = self.session.borrow();
            let at = session.as_ref().and_then(|it| it.sent_back_at.as_deref());
            let at = at.and_then(|at| at.parse::<Timestamp>().ok());
            at.is_some_and(|at| at.as_nanosecond() >= i128::from(*since))
        };
        self.context.payload.stop_hook_active && !self.sent_back.get().is_some_and(has_words)
    }

    fn account<'b>(&'b self, tool_calls: &'b ToolCalls) -> Account<'b> {
        Account {
            message: &self.report.message,
            claim: &self.report.claim,
            tool_calls,
            may_write: true,
        }
    }
}

/// Whether the agent is of a type that only reads, or was offered no tool that writes.
pub(super) fn only_reads(context: &Context, session: &Session) -> bool {
    let spawned = context.task().spawned_type.as_deref();
    let agent_type = spawned.or(context.payload.agent_type.as_deref());
    agent_type.is_some_and(|agent_type| context.harness.only_reads(agent_type))
        || session.offers_no_writer(context.harness.profile().transcripts)
}

/// Whether a call was certainly answered before this moment, in nanoseconds since the epoch.
fn is_before(call: &Call, moment: i64) -> bool {
    call.at.as_deref().is_some_and(|at| is_earlier(at, moment))
}
