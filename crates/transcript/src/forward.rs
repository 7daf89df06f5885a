//! The lines of a growing file, the first one first, in memory that does not grow with the file.

use std::io::{self, BufRead, BufReader, Read};

use attest_evidence::Budget;

/// Bytes that are read at once.
const BUFFER_BYTES: usize = 256 * 1024;
/// Longer lines are skipped. No tool call is known to write more than this at once.
const MAX_LINE_BYTES: usize = 8 * 1024 * 1024;

/// What comes next in the file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Next<'a> {
    /// A line, without its newline.
    Line(&'a [u8]),
    /// A line that is too long to be held in memory.
    TooLong,
    /// The file ends here for now. `torn` says that its last line is not finished.
    End { torn: bool },
    /// The time is over, perhaps in the middle of a line.
    Over,
    /// The same of what may be gone through.
    Spent,
}

/// Yields the complete lines of `source`. It can be asked again after the end: it then yields what
/// was appended meanwhile, and an unfinished line once it is complete.
pub(crate) struct ForwardLines<R> {
    source: BufReader<R>,
    line: Vec<u8>,
    /// Whether part of the current line was read and discarded.
    dropped: bool,
    given: bool,
    max_line_bytes: usize,
}

impl<R: Read> ForwardLines<R> {
    pub(crate) fn new(source: R) -> Self {
        Self::with_limits(source, BUFFER_BYTES, MAX_LINE_BYTES)
    }

    fn with_limits(source: R, buffer: usize, max_line_bytes: usize) -> Self {
        Self {
            source: BufReader::with_capacity(buffer, source),
            line: Vec::new(),
            dropped: false,
            given: false,
            max_line_bytes,
        }
    }

    /// What comes next, unless it is not known in time.
    pub(crate) fn next(&mut self, budget: &Budget) -> io::Result<Next<'_>> {
        if self.given {
            self.line.clear();
            (self.dropped, self.given) = (false, false);
        }
        loop {
            // Before each piece of a line, which may have no end.
            if budget.is_over() {
                return Ok(Next::Over);
            }
            let seen = match self.source.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                other => other?,
            };
            if seen.is_empty() {
                let torn = self.dropped || !self.line.is_empty();
                return Ok(Next::End { torn });
            }
            let newline = memchr::memchr(b'\n', seen);
            let part = &seen[..newline.unwrap_or(seen.len())];
            let used = newline.map_or(seen.len(), |at| at + 1);
            if budget.take(used).is_err() {
                return Ok(Next::Spent);
            }
            self.dropped |= self.line.len() + part.len() > self.max_line_bytes;
            if self.dropped {
                self.line = Vec::new();
            } else {
                self.line.extend_from_slice(part);
            }
            self.source.consume(used);
            if newline.is_some() {
                self.given = true;
                return Ok(if self.dropped {
                    Next::TooLong
                } else {
                    Next::Line(&self.line)
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::time::Instant;

    use proptest::prelude::*;

    use super::*;

    /// A file that grows between two looks at its end.
    struct Growing(VecDeque<Vec<u8>>);

    impl Read for Growing {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let Some(mut piece) = self.0.pop_front() else {
                return Ok(0);
            };
            let length = piece.len().min(buffer.len());
            buffer[..length].copy_from_slice(&piece[..length]);
            let rest = piece.split_off(length);
            if !rest.is_empty() {
                self.0.push_front(rest);
            }
            Ok(length)
        }
    }

    fn later() -> Budget {
        Budget::default()
    }

    fn growing(pieces: &[&str]) -> ForwardLines<Growing> {
        let pieces = pieces.iter().map(|piece| piece.as_bytes().to_vec());
        ForwardLines::with_limits(Growing(pieces.collect()), 4, 9)
    }

    #[test]
    fn lines_come_in_order_and_a_torn_one_when_it_is_whole() {
        let mut lines = growing(&["one\n\ntwo\nthr", "", "ee\n"]);
        for expected in ["one", "", "two"] {
            assert_eq!(
                lines.next(&later()).unwrap(),
                Next::Line(expected.as_bytes())
            );
        }
        assert_eq!(lines.next(&later()).unwrap(), Next::End { torn: true });
        assert_eq!(lines.next(&later()).unwrap(), Next::Line(b"three"));
        assert_eq!(lines.next(&later()).unwrap(), Next::End { torn: false });
    }

    #[test]
    fn a_line_that_is_too_long_costs_only_itself() {
        let mut lines = growing(&["first\n0123456789", "0123\nlast\n0123456789"]);
        assert_eq!(lines.next(&later()).unwrap(), Next::Line(b"first"));
        assert_eq!(lines.next(&later()).unwrap(), Next::TooLong);
        assert_eq!(lines.next(&later()).unwrap(), Next::Line(b"last"));
        assert_eq!(lines.next(&later()).unwrap(), Next::End { torn: true });
    }

    #[test]
    fn a_line_without_end_takes_no_longer_than_it_may() {
        let mut lines = ForwardLines::with_limits(io::repeat(b'a'), 4, 9);
        let soon = Instant::now() + std::time::Duration::from_millis(20);
        let budget = Budget::until(Some(soon));
        assert_eq!(lines.next(&budget).unwrap(), Next::Over);
        assert!(soon.elapsed() < std::time::Duration::from_secs(5));
    }

    proptest! {
        #[test]
        fn the_lines_are_those_of_the_file(
            file in prop::collection::vec(prop_oneof![Just(b'\n'), Just(b'a'), any::<u8>()], 0..200),
            buffer in 1_usize..40,
        ) {
            let mut lines = ForwardLines::with_limits(&file[..], buffer, 1000);
            let mut seen = Vec::new();
            let torn = loop {
                match lines.next(&later()).unwrap() {
                    Next::Line(line) => seen.extend([line, b"\n"].concat()),
                    Next::TooLong | Next::Over | Next::Spent => prop_assert!(false),
                    Next::End { torn } => break torn,
                }
            };
            let ended = file.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            prop_assert_eq!(&seen, &file[..ended]);
            prop_assert_eq!(torn, ended < file.len());
        }
    }
}
