//! `attest log -i`: the verdicts as a list to move in.

mod compare;
mod list;
mod page;

use attest_snapshot::escaped;
use attest_state::history::LookupError;

use self::list::List;
use self::page::{Page, Shown};
use crate::cmd::ExitStatus;
use crate::cmd::history::{Scope, not_found, place, whole};
use crate::env::Env;
use crate::error::{CommandError, Hint as _};
use crate::ui::{FAINT, Happened, Key, Screen, ScreenError, Ui, styled};

/// Lines beside the list: the one above it, and the one below.
const FRAME: usize = 2;

pub(super) fn run(ui: &mut Ui, env: &Env, scope: &Scope) -> Result<ExitStatus, CommandError> {
    Screen::is_possible(env)
        .hint("leave out `-i` for a list that is printed; `--json` is for programs")?;
    let store = place(ui, env)?.open_if_there()?;
    let list = store.as_ref().map(|store| List::of(store, scope));
    let Some(list) = list.transpose()?.filter(|list| list.number().is_some()) else {
        scope.say_nothing(ui, store.as_ref())?;
        return Ok(ExitStatus::Success);
    };
    let mut screen = Screen::open()?;
    let end = View::of(list).show(&mut screen);
    screen.close();
    end.map(|()| ExitStatus::Success)
}

/// What is shown, and what keys change of it.
struct View<'a> {
    list: List<'a>,
    page: Option<Page>,
    /// What is being typed behind `/`.
    typed: Option<String>,
    /// What the last key did, if that cannot be seen.
    said: Option<String>,
}

/// What a key asks for beyond another picture.
enum Asked {
    Nothing,
    Copy(String),
    End,
}

impl<'a> View<'a> {
    fn of(list: List<'a>) -> Self {
        Self {
            list,
            page: None,
            typed: None,
            said: None,
        }
    }

    fn show(&mut self, screen: &mut Screen) -> Result<(), CommandError> {
        loop {
            let (width, height) = Screen::size();
            let lines = self.lines(width, height)?;
            screen.draw(&lines).map_err(ScreenError::from)?;
            if self.list.is_looking() && !screen.has_next().map_err(ScreenError::from)? {
                self.list.look_on()?;
                continue;
            }
            let key = match screen.next().map_err(ScreenError::from)? {
                Happened::Pressed(key) => key,
                Happened::Resized => continue,
                Happened::Ended => return Ok(()),
            };
            self.said = None;
            match self.press(key)? {
                Asked::Nothing => {}
                Asked::Copy(id) => {
                    screen.copy(&id).map_err(ScreenError::from)?;
                    self.said = Some(format!("asked the terminal to copy {id}"));
                }
                Asked::End => return Ok(()),
            }
        }
    }

    fn press(&mut self, key: Key) -> Result<Asked, CommandError> {
        if key == Key::Control('c') {
            return Ok(Asked::End);
        }
        if let Some(typed) = self.typed.take() {
            return self.type_in(typed, key).map(|()| Asked::Nothing);
        }
        match key {
            Key::Char('y') => return Ok(self.list.id().map_or(Asked::Nothing, Asked::Copy)),
            Key::Enter => self.open(Shown::Explained)?,
            Key::Char('d') if self.page.as_ref().is_some_and(Page::is_compared) => {
                self.open(Shown::Explained)?;
            }
            Key::Char('d') => self.open(Shown::Compared)?,
            Key::Char('q') | Key::Escape if self.page.is_some() => self.page = None,
            Key::Char('q') => return Ok(Asked::End),
            Key::Escape if !self.list.is_narrowed() => return Ok(Asked::End),
            Key::Escape => self.list.narrow("")?,
            Key::Char('/') => {
                self.page = None;
                self.typed = Some(self.list.words().to_owned());
            }
            key => match (&mut self.page, Step::of(key)) {
                (_, None) => {}
                (Some(page), Some(step)) => page.go(step),
                (None, Some(step)) => self.list.go(step),
            },
        }
        Ok(Asked::Nothing)
    }

    /// One more key behind `/`.
    fn type_in(&mut self, mut typed: String, key: Key) -> Result<(), CommandError> {
        match key {
            Key::Enter => return self.list.narrow(&typed),
            Key::Escape => return Ok(()),
            Key::Char(char) => typed.push(char),
            Key::Control('u') => typed.clear(),
            Key::Backspace => {
                typed.pop();
            }
            _ => {}
        }
        self.typed = Some(typed);
        Ok(())
    }

    /// Opens the page of the verdict that is chosen.
    fn open(&mut self, shown: Shown) -> Result<(), CommandError> {
        let Some(number) = self.list.number() else {
            return Ok(());
        };
        match whole(self.list.store(), number) {
            Ok(found) => self.page = Some(Page::of(found, shown)),
            // Others can be read.
            Err(error @ (LookupError::Damaged { .. } | LookupError::Unknown(_))) => {
                self.said = Some(escaped(error.to_string().as_bytes()));
            }
            Err(error) => return Err(not_found(error)),
        }
        Ok(())
    }

    fn lines(&mut self, width: usize, height: usize) -> Result<Vec<String>, CommandError> {
        let room = height.saturating_sub(FRAME).max(1);
        let (title, mut lines, keys) = if let Some(page) = &mut self.page {
            let lines = page.lines(width, room);
            (page.title(), lines, page::KEYS)
        } else {
            let lines = self.list.lines(width, room)?;
            (self.list.title(), lines, list::KEYS)
        };
        lines.resize(room, String::new());
        // In a terminal of a line or two the list is worth most.
        if height > 1 {
            lines.push(self.last_line(keys, width));
        }
        if height > FRAME {
            lines.insert(0, styled(FAINT, title));
        }
        Ok(lines)
    }

    fn last_line(&self, keys: &[&str], width: usize) -> String {
        if let Some(typed) = &self.typed {
            // What is typed last is seen.
            let typed = escaped(typed.as_bytes());
            let typed: Vec<_> = typed.chars().collect();
            let from = typed.len().saturating_sub(width.saturating_sub(3));
            let typed: String = typed.iter().skip(from).collect();
            return format!("/{typed}_");
        }
        let said = self.said.clone();
        styled(FAINT, said.unwrap_or_else(|| fitting(keys, width)))
    }
}

/// As many of the keys as there is room for; the last, which is the way out, in any case.
fn fitting(keys: &[&str], width: usize) -> String {
    let mut keys = keys.to_vec();
    while keys.join("  ").len() > width && keys.len() > 1 {
        keys.remove(keys.len() - 2);
    }
    keys.join("  ")
}

/// How far a key moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Back,
    On,
    PageBack,
    PageOn,
    First,
    Last,
}

impl Step {
    fn of(key: Key) -> Option<Self> {
        Some(match key {
            Key::Up | Key::Char('k') => Self::Back,
            Key::Down | Key::Char('j') => Self::On,
            Key::PageUp | Key::Control('b') => Self::PageBack,
            Key::PageDown | Key::Char(' ') | Key::Control('f') => Self::PageOn,
            Key::Home | Key::Char('g') => Self::First,
            Key::End | Key::Char('G') => Self::Last,
            _ => return None,
        })
    }

    /// Where it leads from `place`, if there are places up to `last` and `page` of them are seen at once.
    fn from(self, place: usize, last: usize, page: usize) -> usize {
        let place = match self {
            Self::Back => place.saturating_sub(1),
            Self::On => place + 1,
            Self::PageBack => place.saturating_sub(page),
            Self::PageOn => place + page,
            Self::First => 0,
            Self::Last => last,
        };
        place.min(last)
    }
}
