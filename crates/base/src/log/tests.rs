use std::sync::Barrier;
use std::thread;

use tempfile::TempDir;

use super::*;

fn log(folder: &TempDir) -> Log {
    Log {
        path: Some(folder.path().join("attest.log")),
        level: Level::Info,
        topic: "test",
    }
}

fn read(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).unwrap()
}

#[test]
fn a_line_is_cut_where_it_gets_too_long() {
    let folder = TempDir::new().unwrap();
    let log = log(&folder);
    for long in [
        "x".repeat(20 << 20),
        "\u{1b}".repeat(3000),
        "ä".repeat(5000),
    ] {
        log.write(Level::Info, "LONG", &long);
    }
    log.write(Level::Info, "SHORT", "x".repeat(3000));
    let text = read(&folder, "attest.log");
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 4);
    for line in &lines[..3] {
        assert!(
            line.len() < LONGEST && line.len() > LONGEST - 20,
            "{}",
            line.len()
        );
        assert!(line.contains("LONG") && line.ends_with(CUT), "{line}");
    }
    assert!(lines[3].ends_with('x'), "{}", lines[3]);
}

/// Formatting ends where the line does: what cannot be seen costs no memory.
#[test]
fn what_does_not_fit_is_not_written_out() {
    struct Endless;
    impl Display for Endless {
        fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            loop {
                out.write_str("again and ")?;
            }
        }
    }
    let folder = TempDir::new().unwrap();
    log(&folder).write(Level::Info, "LONG", Endless);
    assert!(read(&folder, "attest.log").ends_with("… (cut)\n"));
}

#[test]
fn of_many_that_find_it_full_one_turns_it_over() {
    for _ in 0..20 {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("attest.log");
        let full = vec![b'x'; usize::try_from(FULL).unwrap()];
        fs::write(&path, full).unwrap();
        let all = Barrier::new(8);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let log = log(&folder);
                    all.wait();
                    log.write(Level::Info, "LINE", "one of eight");
                });
            }
        });
        let old = read(&folder, "attest.log.1");
        assert!(old.starts_with("xxx"), "4 MiB are lost");
        // Who did not turn it over may have written to either.
        let new = fs::read_to_string(&path).unwrap_or_default();
        assert_eq!((old + &new).matches("one of eight").count(), 8);
        assert!(new.len() < 8 * LONGEST);
    }
}
