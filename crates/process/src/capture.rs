//! The output of a command: its beginning and its end, in bounded memory.

use std::collections::VecDeque;
use std::io::{PipeReader, Read};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;
use std::{fmt, io};

/// How much is read at once, in bytes: as much as a pipe can hold.
const CHUNK: usize = 64 * 1024;

/// How much of an output is kept, in bytes.
#[derive(Debug, Clone, Copy)]
pub struct Window {
    /// Of its beginning.
    pub head: usize,
    /// Of its end.
    pub tail: usize,
}

/// What was kept.
#[derive(Debug, Clone, Default)]
pub struct Kept {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    /// Bytes left out between the two.
    left_out: u64,
    /// Whether all of it was read: the last writer closed the pipe, and no read failed.
    ended: bool,
}

impl Kept {
    fn push(&mut self, bytes: &[u8], window: Window) {
        let room = window.head.saturating_sub(self.head.len());
        let (head, rest) = bytes.split_at(room.min(bytes.len()));
        self.head.extend_from_slice(head);
        self.tail.extend(rest);
        let surplus = self.tail.len().saturating_sub(window.tail);
        self.tail.drain(..surplus);
        self.left_out += surplus as u64;
    }

    /// Whether nothing was printed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.head.is_empty() && self.tail.is_empty()
    }

    /// Everything that was printed. `None` if it was too much, or if its end was not seen: a writer
    /// that escaped may have had more to say.
    #[must_use]
    pub fn whole(&self) -> Option<&[u8]> {
        self.is_whole().then_some(&*self.head)
    }

    /// The same, without a copy.
    #[must_use]
    pub fn into_whole(self) -> Option<Vec<u8>> {
        self.is_whole().then_some(self.head)
    }

    fn is_whole(&self) -> bool {
        self.ended && self.left_out == 0 && self.tail.is_empty()
    }

    /// The beginning of it, as text.
    #[must_use]
    pub fn beginning(&self) -> String {
        String::from_utf8_lossy(&self.head).into_owned()
    }
}

impl fmt::Display for Kept {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bytes = self.head.clone();
        if self.left_out == 0 {
            bytes.extend(&self.tail);
            return out.write_str(String::from_utf8_lossy(&bytes).trim_end());
        }
        let tail: Vec<u8> = self.tail.iter().copied().collect();
        write!(
            out,
            "{}\n… {} bytes left out …\n{}",
            String::from_utf8_lossy(&bytes).trim_end(),
            self.left_out,
            String::from_utf8_lossy(&tail).trim_end()
        )
    }
}

/// Reads a pipe until its last writer is gone.
#[derive(Debug)]
pub(crate) struct Capture {
    kept: Arc<Mutex<Kept>>,
    at_end: Receiver<()>,
}

impl Capture {
    pub(crate) fn begin(mut pipe: PipeReader, window: Window) -> io::Result<Self> {
        let kept = Arc::new(Mutex::new(Kept::default()));
        let (done, at_end) = mpsc::channel();
        let shared = Arc::clone(&kept);
        thread::Builder::new().spawn(move || {
            let mut buffer = vec![0; CHUNK];
            loop {
                match pipe.read(&mut buffer) {
                    Ok(0) => {
                        lock(&shared).ended = true;
                        break;
                    }
                    Ok(read) => lock(&shared).push(&buffer[..read], window),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(_) => break,
                }
            }
            // The receiver may be gone by now.
            let _ = done.send(());
        })?;
        Ok(Self { kept, at_end })
    }

    /// What was read. A writer that escaped may keep the pipe open, so the wait for its end is
    /// limited.
    pub(crate) fn finish(self, wait: Duration) -> Kept {
        let _ = self.at_end.recv_timeout(wait);
        std::mem::take(&mut *lock(&self.kept))
    }
}

fn lock(kept: &Mutex<Kept>) -> std::sync::MutexGuard<'_, Kept> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn head_and_tail_are_kept_however_it_arrives(
            pieces in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..20), 0..20),
            head in 0..30_usize,
            tail in 0..30_usize,
        ) {
            let window = Window { head, tail };
            let mut kept = Kept::default();
            for piece in &pieces {
                kept.push(piece, window);
            }
            let all = pieces.concat();
            let first = &all[..head.min(all.len())];
            let rest = &all[first.len()..];
            let last = &rest[rest.len() - tail.min(rest.len())..];
            prop_assert_eq!(&kept.head, first);
            prop_assert_eq!(kept.tail.iter().copied().collect::<Vec<_>>(), last);
            prop_assert_eq!(kept.left_out, (rest.len() - last.len()) as u64);
        }
    }

    #[test]
    fn what_is_left_out_is_said() {
        let mut kept = Kept::default();
        kept.push(b"0123456789", Window { head: 2, tail: 3 });
        assert_eq!(kept.to_string(), "01\n… 5 bytes left out …\n789");
        kept.ended = true;
        assert_eq!(kept.whole(), None);
    }
}
