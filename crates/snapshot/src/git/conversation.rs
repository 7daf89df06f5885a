//! A git process that is asked one question after another.

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, ChildStdout};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use super::error::GitError;

/// How many pieces of an answer may be queued; the process waits when the queue is full.
const PIECES: usize = 4;
/// Bytes of a piece.
const PIECE: usize = 64 * 1024;

/// A process that answers until it is no longer asked, and ends when this is dropped.
pub(crate) struct Conversation {
    child: Child,
    questions: Option<ChildStdin>,
    answers: Receiver<Vec<u8>>,
    /// What was received and not yet used.
    heard: Vec<u8>,
    command: &'static str,
    patience: Patience,
}

/// How long an answer may take.
#[derive(Clone, Copy)]
pub(super) enum Patience {
    Until(Instant),
    Each(Duration),
}

impl Conversation {
    pub(super) fn with(mut child: Child, command: &'static str, patience: Patience) -> Self {
        let (sender, answers) = mpsc::sync_channel(PIECES);
        if let Some(pipe) = child.stdout.take() {
            thread::spawn(move || pass_on(pipe, &sender));
        }
        Self {
            questions: child.stdin.take(),
            child,
            answers,
            heard: Vec::new(),
            command,
            patience,
        }
    }

    /// Sends a question. A question is much smaller than a pipe's buffer, and is sent only after
    /// the answer to the previous one was received, so this does not block.
    pub(crate) fn say(&mut self, question: &[u8]) -> Result<(), GitError> {
        let ended = self.ended();
        let pipe = self.questions.as_mut().ok_or(ended)?;
        pipe.write_all(question).map_err(|_| self.ended())
    }

    /// The next line of the answer, without its end.
    pub(crate) fn hear_line(&mut self, longest: usize) -> Result<Vec<u8>, GitError> {
        loop {
            if let Some(end) = memchr::memchr(b'\n', &self.heard) {
                let mut line: Vec<u8> = self.heard.drain(..=end).collect();
                line.pop();
                return Ok(line);
            }
            if self.heard.len() > longest {
                let command = self.command;
                return Err(GitError::Answer { command });
            }
            self.listen()?;
        }
    }

    /// The next `count` bytes of the answer.
    pub(crate) fn hear(&mut self, count: usize) -> Result<Vec<u8>, GitError> {
        while self.heard.len() < count {
            self.listen()?;
        }
        let rest = self.heard.split_off(count);
        Ok(std::mem::replace(&mut self.heard, rest))
    }

    fn listen(&mut self) -> Result<(), GitError> {
        let time = match self.patience {
            Patience::Until(deadline) => deadline.saturating_duration_since(Instant::now()),
            Patience::Each(time) => time,
        };
        match self.answers.recv_timeout(time) {
            Ok(piece) => {
                self.heard.extend_from_slice(&piece);
                Ok(())
            }
            Err(RecvTimeoutError::Timeout) => Err(GitError::TooSlow {
                command: self.command.to_owned(),
            }),
            Err(RecvTimeoutError::Disconnected) => Err(self.ended()),
        }
    }

    fn ended(&self) -> GitError {
        GitError::Failed {
            command: self.command.to_owned(),
            status: "in the middle of an answer".to_owned(),
            message: String::new(),
        }
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        // Best effort: a process that cannot be ended is left behind, and no answer depends on it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn pass_on(mut pipe: ChildStdout, sender: &SyncSender<Vec<u8>>) {
    let mut piece = vec![0; PIECE];
    loop {
        match pipe.read(&mut piece) {
            Ok(0) => return,
            Ok(read) if sender.send(piece[..read].to_vec()).is_err() => return,
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}
