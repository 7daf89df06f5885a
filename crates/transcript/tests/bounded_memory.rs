//! A transcript of 200 MB is read in bounded memory. Alone in its binary, because the high-water
//! mark it looks at is the whole process's.
#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::iter;
use std::time::{Duration, Instant};

use attest_evidence::Budget;
use attest_transcript::forms::ClaudeCode;
use attest_transcript::{ReadLimits, Session, Whose, final_message};

const MEGABYTE: i64 = 1024 * 1024;
const REPORT: &str = r#"{"type":"assistant","message":{"id":"m","stop_reason":"end_turn","content":[{"type":"text","text":"report"}]}}"#;

fn peak_kilobytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// The report, one line of 100 MB, and 100 lines of 1 MB. The lines are holes: they cost no disk.
fn write_transcript(file: &mut File) -> io::Result<()> {
    writeln!(file, "{REPORT}")?;
    for length in iter::once(100).chain(iter::repeat_n(1, 100)) {
        file.seek(SeekFrom::Current(length * MEGABYTE))?;
        file.write_all(b"\n")?;
    }
    Ok(())
}

#[test]
fn a_large_transcript_takes_little_memory() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    write_transcript(file.as_file_mut()).unwrap();
    assert!(file.as_file().metadata().unwrap().len() > 200_000_000);
    let before = peak_kilobytes().unwrap();
    let limits = ReadLimits {
        wait: Duration::ZERO,
        deadline: Instant::now() + Duration::from_mins(5),
    };
    let message = final_message(file.path(), &[&ClaudeCode], limits, &|_| false).unwrap();
    assert_eq!(message.as_deref(), Some("report"));
    let budget = Budget::default();
    let session = Session::read(file.path(), &[&ClaudeCode], &budget, &mut |_| Whose::Own).unwrap();
    assert!(session.tool_calls.ends_with("report") && !session.is_whole());
    let grown = peak_kilobytes().unwrap() - before;
    assert!(grown < 48 * 1024, "{grown} kB");
}
