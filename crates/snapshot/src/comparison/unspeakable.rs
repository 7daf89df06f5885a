//! Changed files with names that a report cannot write as they are, and what a report may write instead.
//!
//! Such a name is cut where it cannot be written. What is left has to be in the claim in the same order, and in
//! each gap may be whatever stands for a few bytes: nothing, a letter, a question mark, an escape. A form may
//! also break off at a gap, so a part of the name between two gaps is enough; but what breaks a name off at one
//! place is not left out without a trace at another.

use std::ops::RangeInclusive;

use attest_evidence::fold;

use crate::RepoPath;

/// Characters that stand for one byte at most, as in `\u{00e9}`.
const LONGEST_ESCAPE: usize = 8;
/// Quotes and spaces around a gap.
const AROUND: usize = 2;

/// One part of a path.
#[derive(Debug)]
struct Part {
    /// What can be written, in its folded form. The first or last is empty if the name begins or ends with a gap.
    runs: Vec<String>,
    /// What is between two of them.
    gaps: Vec<Gap>,
}

/// What a report cannot write, with the spaces and quotes around it.
#[derive(Debug, Default)]
struct Gap {
    /// How many characters may stand for it.
    most: usize,
    /// What it is, without the spaces and quotes around it.
    bytes: Vec<u8>,
}

impl Gap {
    fn add(&mut self, bytes: &[u8]) {
        self.most += bytes.len() * LONGEST_ESCAPE;
        self.bytes.extend_from_slice(bytes);
    }
}

/// A path that cannot be written as it is.
#[derive(Debug)]
pub(super) struct Unspeakable {
    parts: Vec<Part>,
    /// Whether it is not UTF-8: in another encoding any byte may be a part of a letter.
    is_foreign: bool,
}

impl Unspeakable {
    /// `None` if a report can write the path so that it is recognised again.
    pub(super) fn of(path: &RepoPath) -> Option<Self> {
        let chunks = path.as_bytes().utf8_chunks();
        let mut whole = chunks
            .map(|chunk| chunk.invalid().is_empty() && chunk.valid().chars().all(is_speakable));
        if whole.all(|it| it) {
            return None;
        }
        let parts = path.as_bytes().split(|byte| *byte == b'/').map(Part::of);
        Some(Self {
            parts: parts.collect(),
            is_foreign: std::str::from_utf8(path.as_bytes()).is_err(),
        })
    }

    /// Whether a claim in its folded form may mean it, or a folder above it.
    pub(super) fn may_be(&self, claim: &str) -> bool {
        if self.is_foreign && !claim.is_ascii() {
            return true;
        }
        let tails = claim.match_indices('/').map(|(at, _)| &claim[at + 1..]);
        // A backslash of an escape may have become a slash.
        let tails = std::iter::once(claim).chain(tails);
        let tails = tails.map(|tail| match tail.trim_matches(is_around) {
            "" => tail,
            tail => tail,
        });
        let mut tails = tails.filter(|tail| !tail.is_empty());
        tails.any(|tail| self.parts.iter().any(|part| part.may_be(tail)))
    }
}

impl Part {
    fn of(name: &[u8]) -> Self {
        let (mut runs, mut gaps) = (vec![String::new()], Vec::<Gap>::new());
        let mut cut = |bytes: &[u8], runs: &mut Vec<String>| {
            // With nothing but spaces and quotes since the last one, the gap goes on.
            let last = runs
                .last_mut()
                .filter(|last| last.trim_matches(is_around).is_empty() && !gaps.is_empty());
            if let (Some(last), Some(gap)) = (last, gaps.last_mut()) {
                gap.most += std::mem::take(last).len();
                gap.add(bytes);
            } else {
                let mut gap = Gap {
                    most: AROUND,
                    ..Gap::default()
                };
                gap.add(bytes);
                gaps.push(gap);
                runs.push(String::new());
            }
        };
        for chunk in name.utf8_chunks() {
            for letter in chunk.valid().chars() {
                // Where one letter is escaped, or of another encoding, all that are not ASCII may be.
                if letter.is_ascii() && is_speakable(letter) {
                    if let Some(run) = runs.last_mut() {
                        run.push(letter);
                    }
                } else {
                    cut(letter.encode_utf8(&mut [0; 4]).as_bytes(), &mut runs);
                }
            }
            if !chunk.invalid().is_empty() {
                cut(chunk.invalid(), &mut runs);
            }
        }
        // A form that replaces a gap may replace the spaces and quotes beside it, or leave them out.
        for (at, run) in runs.iter_mut().enumerate() {
            let around = run.len() - run.trim_matches(is_around).len();
            let beside = at.checked_sub(1).into_iter().chain([at]);
            for at in beside {
                if let Some(gap) = gaps.get_mut(at) {
                    gap.most += around;
                }
            }
            *run = fold(run.trim_matches(is_around));
        }
        Self { runs, gaps }
    }

    fn may_be(&self, text: &str) -> bool {
        let ends = 0..self.runs.len();
        ends.clone().any(|from| {
            let mut to = ends.clone().skip(from);
            to.any(|to| self.matches(from, to, text))
        })
    }

    /// Whether the text is the runs from one to another, with something in the gaps.
    fn matches(&self, from: usize, to: usize, text: &str) -> bool {
        if from == to {
            let run = &self.runs[from];
            return !run.is_empty() && run == text;
        }
        let text: Vec<char> = text.chars().collect();
        let before = from.checked_sub(1).and_then(|at| self.gaps.get(at));
        let breaks = [before, self.gaps.get(to)];
        let is_break = |gap: &Gap| {
            breaks
                .iter()
                .flatten()
                .any(|other| other.bytes == gap.bytes)
        };
        let mut ends = vec![0];
        for at in from..=to {
            let run: Vec<char> = self.runs[at].chars().collect();
            ends.retain(|end| text[*end..].starts_with(&run));
            ends = ends.iter().map(|end| end + run.len()).collect();
            if at < to {
                let gap = &self.gaps[at];
                let lengths = usize::from(is_break(gap))..=gap.most;
                ends = after_gap(&ends, &lengths, text.len());
            }
        }
        ends.contains(&text.len())
    }
}

/// Every position that a gap may reach from one of `ends`.
fn after_gap(ends: &[usize], gap: &RangeInclusive<usize>, length: usize) -> Vec<usize> {
    let is_reached = |at: &usize| {
        ends.iter()
            .any(|end| at.checked_sub(*end).is_some_and(|it| gap.contains(&it)))
    };
    (0..=length).filter(is_reached).collect()
}

/// Whether it is a space or a quote, which may stand beside a gap or around a name.
fn is_around(letter: char) -> bool {
    matches!(letter, ' ' | '\'')
}

/// Whether a report can write the letter so that it is read as itself. Cygwin and Git Bash have one for private use in
/// the place of each sign that no name has on Windows.
fn is_speakable(letter: char) -> bool {
    let mut bytes = [0; 4];
    let text: &str = letter.encode_utf8(&mut bytes);
    !matches!(
        letter,
        '\u{e000}'..='\u{f8ff}' | '"' | '\\' | '`' | '\u{fffd}'
    ) && crate::escaped(text.as_bytes()) == text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn may_be(name: &[u8], claim: &str) -> bool {
        let name = RepoPath::from_git(name).unwrap();
        Unspeakable::of(&name).is_some_and(|name| name.may_be(&fold(claim)))
    }

    #[test]
    fn what_text_carries_is_not_unspeakable() {
        for name in ["a.py", "src/caf\u{e9}.md", "with space.txt", "日本.txt"] {
            let path = RepoPath::from_git(name.as_bytes()).unwrap();
            assert!(Unspeakable::of(&path).is_none(), "{name}");
        }
    }

    #[test]
    fn every_way_to_write_such_a_name_may_be_it() {
        let ways: [(&[u8], &[&str]); 10] = [
            (
                b"src/caf\xe9.txt",
                &[
                    "src/caf\u{e9}.txt",
                    "caf?.txt",
                    "src/caf\\351.txt",
                    "src/caf/351.txt",
                    "caf.txt",
                    "cafe.txt",
                    "src/caf\\xe9.txt",
                    "caf%e9.txt",
                    "caf",
                ],
            ),
            (
                b"new\nline.txt",
                &[
                    "new line.txt",
                    "new\\nline.txt",
                    "new/nline.txt",
                    "newline.txt",
                    "new",
                    "line.txt",
                ],
            ),
            (
                b"a\"b.txt",
                &["a\"b.txt", "ab.txt", "a'b.txt", "a\\\"b.txt", "b.txt"],
            ),
            (
                b"src/say \"hi\".py",
                &[
                    "say hi.py",
                    "src/say 'hi'.py",
                    "'say hi'.py",
                    "say \\\"hi\\\".py",
                    "say_hi.py",
                    "Say hi.py",
                    "hi",
                    "hi\\\".py",
                ],
            ),
            (b"two\nlines.py", &["two_lines.py"]),
            (
                "src/a\u{f03a}b.py".as_bytes(),
                &["src/a:b.py", "a", "b.py", "a?b.py"],
            ),
            (b"we\"ird/a.py", &["weird", "src/we_ird"]),
            (b"caf\xe9/x.py", &["caf\u{e9}/x.py", "x.py", "caf\u{e9}"]),
            // Shift JIS, of which some bytes are those of other letters.
            (
                b"\x83e\x83X\x83g.txt",
                &["\u{30c6}\u{30b9}\u{30c8}.txt", "?e?X?g.txt"],
            ),
            (
                b"\xe9t\xe9.txt",
                &["\u{e9}t\u{e9}.txt", "?t?.txt", "\\351t\\351.txt"],
            ),
        ];
        for (name, claims) in ways {
            for claim in claims {
                assert!(may_be(name, claim), "{claim}");
            }
        }
    }

    #[test]
    fn another_name_is_not_it() {
        let others: [(&[u8], &[&str]); 5] = [
            (
                b"src/caf\xe9.txt",
                &[
                    "src/ghost.py",
                    "src/ghost.txt",
                    "cafeteria-menu.txt.py",
                    "scaf.txt",
                ],
            ),
            (
                b"new\nline.txt",
                &["src/ghost.py", "online.txt", "newest-of-all-ghosts.py"],
            ),
            (b"a\"b.txt", &["src/ghost.py", "ghost.txt", "web.txt"]),
            (b"src/say \"hi\".py", &["hi.py", "src/hi.py", "a.pyc"]),
            (b"we\"ird/a.py", &["src/other.rs", "hi.py", "a.pyc"]),
        ];
        for (name, claims) in others {
            for claim in claims {
                assert!(!may_be(name, claim), "{claim}");
            }
        }
    }

    proptest! {
        #[test]
        fn what_programs_print_of_a_name_may_be_it(
            name in proptest::collection::vec(prop_oneof![8 => b'a'..=b'z', 1 => Just(b'.'), 2 => 0x80_u8..=0xff,
                1 => Just(b'\n'), 1 => Just(b'"'), 1 => Just(b' '), 1 => Just(b'\'')], 1..24)
        ) {
            let path = RepoPath::from_git(&name);
            let unspeakable = path.as_ref().and_then(Unspeakable::of);
            prop_assume!(unspeakable.is_some());
            let unspeakable = unspeakable.unwrap();
            let latin: String = name.iter().map(|byte| char::from(*byte)).collect();
            let octal: String = name.iter().map(|byte| match byte {
                0x80.. | b'\n' | b'"' => format!("\\{byte:03o}"),
                byte => char::from(*byte).to_string(),
            }).collect();
            let lossy = String::from_utf8_lossy(&name).into_owned();
            for claim in [latin.replace('\n', " "), lossy.replace('\n', "\\n"), octal.replace('\\', "/"), octal] {
                prop_assert!(unspeakable.may_be(&fold(&claim)), "{claim:?} of {:?}", latin);
            }
        }
    }
}
