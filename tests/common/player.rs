//! A person at a terminal: presses keys, and sees what the screen shows.

use std::io::Read as _;
use std::num::NonZero;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process};
use vt100::Parser;

use super::terminal::Terminal;
use super::{BINARY, TestContext};

/// Longer than this nothing takes.
const PATIENCE: Duration = Duration::from_secs(20);
const PAUSE: Duration = Duration::from_millis(10);

/// What the terminal was sent, and what it shows.
struct Seen {
    parser: Parser,
    sent: Vec<u8>,
}

pub struct Player {
    terminal: Option<Terminal>,
    child: Child,
    seen: Arc<Mutex<Seen>>,
    is_gone: Arc<AtomicBool>,
}

impl Player {
    pub fn new(context: &TestContext, arguments: &[&str], columns: u16, lines: u16) -> Self {
        let mut command = context.command(BINARY);
        command.args(arguments);
        Self::of(command, columns, lines)
    }

    pub fn of(mut command: Command, columns: u16, lines: u16) -> Self {
        let terminal = Terminal::open();
        terminal.resize(columns, lines);
        command.stdin(terminal.end());
        command.stdout(terminal.end()).stderr(terminal.end());
        let child = command.spawn().unwrap();
        let seen = Arc::new(Mutex::new(Seen {
            parser: Parser::new(size(lines), size(columns), 0),
            sent: Vec::new(),
        }));
        let is_gone = Arc::new(AtomicBool::new(false));
        let mut person = terminal.person();
        let (to, stop) = (Arc::clone(&seen), Arc::clone(&is_gone));
        thread::spawn(move || {
            let pause = Timespec::try_from(PAUSE).unwrap();
            let mut part = vec![0; 64 * 1024];
            while !stop.load(Ordering::Relaxed) {
                let mut fds = [PollFd::new(&person, PollFlags::IN)];
                if poll(&mut fds, Some(&pause)).unwrap() == 0 {
                    continue;
                }
                let Ok(length @ 1..) = person.read(&mut part) else {
                    return;
                };
                let mut seen = to.lock().unwrap();
                seen.parser.process(&part[..length]);
                seen.sent.extend_from_slice(&part[..length]);
            }
        });
        Self {
            terminal: Some(terminal),
            child,
            seen,
            is_gone,
        }
    }

    pub fn press(&self, keys: &str) -> &Self {
        self.terminal.as_ref().unwrap().type_in(keys);
        self
    }

    pub fn resize(&self, columns: u16, lines: u16) -> &Self {
        self.terminal.as_ref().unwrap().resize(columns, lines);
        let mut seen = self.seen.lock().unwrap();
        seen.parser
            .screen_mut()
            .set_size(size(lines), size(columns));
        self.signal(Signal::WINCH)
    }

    pub fn signal(&self, signal: Signal) -> &Self {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
        self
    }

    /// What the screen shows once it has `text`.
    pub fn until(&self, text: &str) -> String {
        self.once(text, |screen| screen.contains(text))
    }

    /// What the screen shows once that is so.
    pub fn once(&self, what: &str, is_so: impl Fn(&str) -> bool) -> String {
        let began = Instant::now();
        loop {
            let screen = self.screen();
            if is_so(&screen) {
                return screen;
            }
            assert!(began.elapsed() < PATIENCE, "never {what:?}:\n{screen}");
            thread::sleep(PAUSE);
        }
    }

    pub fn screen(&self) -> String {
        self.seen.lock().unwrap().parser.screen().contents()
    }

    /// Everything that was sent to the terminal.
    pub fn sent(&self) -> String {
        String::from_utf8(self.seen.lock().unwrap().sent.clone()).unwrap()
    }

    /// How it ended, and that the terminal is as it was.
    pub fn end(&mut self) -> ExitStatus {
        let status = self.wait();
        assert!(self.terminal.as_ref().unwrap().is_usual());
        let began = Instant::now();
        while self.is_drawn_on() {
            assert!(began.elapsed() < PATIENCE, "the screen is not given back");
            thread::sleep(PAUSE);
        }
        status
    }

    /// Closes the terminal as a connection does that breaks.
    pub fn hang_up(&mut self) {
        self.is_gone.store(true, Ordering::Relaxed);
        self.terminal = None;
    }

    pub fn wait(&mut self) -> ExitStatus {
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(began.elapsed() < PATIENCE, "it goes on");
            thread::sleep(PAUSE);
        }
    }

    fn is_drawn_on(&self) -> bool {
        let seen = self.seen.lock().unwrap();
        let screen = seen.parser.screen();
        screen.alternate_screen() || screen.hide_cursor()
    }
}

fn size(number: u16) -> NonZero<u16> {
    NonZero::new(number).unwrap()
}

impl Drop for Player {
    fn drop(&mut self) {
        self.is_gone.store(true, Ordering::Relaxed);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
