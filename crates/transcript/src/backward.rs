//! The lines of a file, the last one first, in memory that does not grow with the file.

use std::io::{self, Read, Seek, SeekFrom};
use std::time::Instant;

/// Bytes that are read and kept at once: enough for dozens of ordinary lines.
const WINDOW_BYTES: usize = 64 * 1024;
/// Longer lines are skipped. The longest message seen in a payload is 300 kB; a line a hundred
/// times as long is a tool's output.
const MAX_LINE_BYTES: usize = 32 * 1024 * 1024;

/// One line of the file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// Its bytes without the newline; `None` if it is too long to be held in memory.
    pub(crate) bytes: Option<Vec<u8>>,
    /// Whether a newline ends it. Only the last line of a file can lack one, which means that its
    /// writer has not finished it, or never will.
    pub(crate) ended: bool,
}

/// Iterates over the lines of `source`, from the last to the first.
///
/// The length of `source` is taken once: what is appended during the iteration is not seen, and if
/// the file is cut short, that is an error of kind `UnexpectedEof`. The iteration ends after an
/// error.
pub(crate) struct BackwardLines<R> {
    source: R,
    /// The bytes of the file from `window_start` on.
    window: Vec<u8>,
    window_start: u64,
    /// The end of the lines that are still to come, including the last one's newline.
    rest: u64,
    window_size: usize,
    max_line_bytes: usize,
    /// When to stop reading.
    deadline: Option<Instant>,
}

impl<R: Read + Seek> BackwardLines<R> {
    /// Starts at the current end of `source`.
    pub(crate) fn new(source: R) -> io::Result<Self> {
        Self::with_limits(source, WINDOW_BYTES, MAX_LINE_BYTES)
    }

    fn with_limits(mut source: R, window_size: usize, max_line_bytes: usize) -> io::Result<Self> {
        let length = source.seek(SeekFrom::End(0))?;
        Ok(Self {
            source,
            window: Vec::new(),
            window_start: length,
            rest: length,
            window_size,
            max_line_bytes,
            deadline: None,
        })
    }

    /// Reads until then, and ends with an error of kind `TimedOut`, also in the middle of a line.
    pub(crate) fn until(self, deadline: Instant) -> Self {
        Self {
            deadline: Some(deadline),
            ..self
        }
    }

    fn line(&mut self) -> io::Result<Line> {
        let newline = self.newline_before(self.rest)?;
        let ended = newline == Some(self.rest - 1);
        let (end, newline) = if ended {
            (self.rest - 1, self.newline_before(self.rest - 1)?)
        } else {
            (self.rest, newline)
        };
        let start = newline.map_or(0, |newline| newline + 1);
        self.rest = start;
        let bytes = self.bytes(start, end)?;
        Ok(Line { bytes, ended })
    }

    /// The offset of the last newline before `end`. Moves the window towards the front as needed.
    fn newline_before(&mut self, end: u64) -> io::Result<Option<u64>> {
        let mut end = end;
        while end > 0 {
            if end <= self.window_start {
                if self.deadline.is_some_and(|it| Instant::now() >= it) {
                    return Err(io::ErrorKind::TimedOut.into());
                }
                self.load_window(end)?;
            }
            let seen = self.in_window(end);
            if let Some(found) = memchr::memrchr(b'\n', &self.window[..seen]) {
                return Ok(Some(self.window_start + found as u64));
            }
            end = self.window_start;
        }
        Ok(None)
    }

    fn bytes(&mut self, start: u64, end: u64) -> io::Result<Option<Vec<u8>>> {
        let Some(length) = usize::try_from(end - start)
            .ok()
            .filter(|&length| length <= self.max_line_bytes)
        else {
            return Ok(None);
        };
        let window_end = self.window_start + self.window.len() as u64;
        if self.window_start <= start && end <= window_end {
            let range = self.in_window(start)..self.in_window(end);
            return Ok(Some(self.window[range].to_vec()));
        }
        // A line that spans windows is read again as a whole: that is cheaper than keeping its
        // pieces, and a line that is too long is never held in memory.
        let mut bytes = vec![0; length];
        self.read_at(start, &mut bytes)?;
        Ok(Some(bytes))
    }

    fn load_window(&mut self, end: u64) -> io::Result<()> {
        let start = end.saturating_sub(self.window_size as u64);
        let mut window = std::mem::take(&mut self.window);
        window.resize(usize::try_from(end - start).unwrap_or(self.window_size), 0);
        self.read_at(start, &mut window)?;
        self.window = window;
        self.window_start = start;
        Ok(())
    }

    fn read_at(&mut self, start: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.source.seek(SeekFrom::Start(start))?;
        self.source.read_exact(bytes)
    }

    /// The position of `offset` in the window, or the nearest one.
    fn in_window(&self, offset: u64) -> usize {
        usize::try_from(offset.saturating_sub(self.window_start))
            .unwrap_or(usize::MAX)
            .min(self.window.len())
    }
}

impl<R: Read + Seek> Iterator for BackwardLines<R> {
    type Item = io::Result<Line>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest == 0 {
            return None;
        }
        let line = self.line();
        if line.is_err() {
            self.rest = 0;
        }
        Some(line)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, Cursor};

    use proptest::prelude::*;

    use super::*;

    fn backward(file: &[u8], window: usize, longest: usize) -> Vec<Line> {
        let lines = BackwardLines::with_limits(Cursor::new(file), window, longest).unwrap();
        lines.map(Result::unwrap).collect()
    }

    fn forward(file: &[u8], longest: usize) -> Vec<Line> {
        let mut lines: Vec<_> = Cursor::new(file)
            .split(b'\n')
            .map(Result::unwrap)
            .map(|line| Line {
                bytes: (line.len() <= longest).then_some(line),
                ended: true,
            })
            .collect();
        if let Some(last) = lines.last_mut() {
            last.ended = file.ends_with(b"\n");
        }
        lines.reverse();
        lines
    }

    #[test]
    fn lines_come_last_first() {
        let line = |text: &str, ended| Line {
            bytes: Some(text.into()),
            ended,
        };
        assert_eq!(backward(b"", 4, 9), []);
        assert_eq!(backward(b"\n", 4, 9), [line("", true)]);
        assert_eq!(
            backward(b"one\n\nthree\r\nfour", 4, 9),
            [
                line("four", false),
                line("three\r", true),
                line("", true),
                line("one", true)
            ]
        );
    }

    #[test]
    fn a_line_that_is_too_long_costs_only_itself() {
        let lines = backward(b"first\n0123456789\nlast\n", 3, 5);
        let texts: Vec<_> = lines.into_iter().map(|line| line.bytes).collect();
        assert_eq!(texts, [Some("last".into()), None, Some("first".into())]);
    }

    /// Says it is longer than it is, as a file does that is cut short between two reads.
    struct Shrunk(Cursor<Vec<u8>>);

    impl Read for Shrunk {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0.read(buffer)
        }
    }

    impl Seek for Shrunk {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            Ok(self.0.seek(to)? + if to == SeekFrom::End(0) { 10 } else { 0 })
        }
    }

    #[test]
    fn a_file_cut_short_is_one_error_and_the_end() {
        let source = Shrunk(Cursor::new(b"one\ntwo\n".to_vec()));
        let mut lines = BackwardLines::with_limits(source, 4, 9).unwrap();
        let error = lines.next().unwrap().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
        assert!(lines.next().is_none());
    }

    #[test]
    fn a_line_without_end_takes_no_longer_than_it_may() {
        let file = vec![b'a'; 10_000];
        let lines = BackwardLines::with_limits(Cursor::new(&file), 4, 9).unwrap();
        let mut lines = lines.until(Instant::now());
        let error = lines.next().unwrap().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(lines.next().is_none());
    }

    proptest! {
        #[test]
        fn backward_is_forward_reversed(
            file in prop::collection::vec(prop_oneof![Just(b'\n'), Just(b'a'), any::<u8>()], 0..200),
            window in 1_usize..40,
            longest in 0_usize..20,
        ) {
            prop_assert_eq!(backward(&file, window, longest), forward(&file, longest));
        }
    }
}
