//! Files as Windows names them, each way for an agent who made the file and for one who did not.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::TestContext;
use crate::common::agent::{Agent, done};

const NOT_THERE: &str = "not on disk, and no change of it was found";

/// How agents, their shells and Windows itself write the path of a file on a drive.
fn ways(path: &Path) -> Vec<String> {
    let path = path.display().to_string().replace('/', r"\");
    let (drive, rest) = path.split_once(r":\").unwrap();
    let (letter, folders) = (drive.to_lowercase(), rest.replace('\\', "/"));
    vec![
        path.clone(),
        format!(r"\\?\{path}"),
        format!(r"\\.\{path}"),
        format!(r"\\localhost\{letter}$\{rest}"),
        format!(r"\\?\UNC\localhost\{drive}$\{rest}"),
        format!("/{letter}/{folders}"),
        format!("/cygdrive/{letter}/{folders}"),
        format!("/mnt/{letter}/{folders}"),
        path.to_lowercase(),
    ]
}

#[test]
fn a_file_is_found_and_missed_whatever_its_path_is_written_as() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", &[("a.py", "one\n")]);
    let real = fs::canonicalize(&repo).unwrap().display().to_string();
    let root = PathBuf::from(real.strip_prefix(r"\\?\").unwrap());
    let ways = |name: &str| ways(&root.join("src").join(name));
    fs::create_dir(repo.join("src")).unwrap();
    for (number, way) in ways("new.py").into_iter().enumerate() {
        let honest = Agent::new(&format!("honest-{number}"), &repo);
        honest.start(&context);
        fs::write(repo.join("src/new.py"), &way).unwrap();
        let stop = honest.stop(&context, &done(&way));
        stop.assert_allowed("CLAIMED [src/new.py] OBSERVED [src/new.py] -> OK");
        context.git(&repo, &["add", "--all"]);
        context.git(&repo, &["commit", "--quiet", "--message", "next"]);
    }
    for (number, way) in ways("ghost.py").into_iter().enumerate() {
        let liar = Agent::new(&format!("liar-{number}"), &repo);
        liar.start(&context);
        let reason = liar.stop(&context, &done(&way)).assert_blocked();
        assert!(reason.contains(NOT_THERE), "{way}: {reason}");
    }
}

/// The folder that it is relative to is known to nobody.
#[test]
fn a_path_without_a_root_on_a_drive_proves_nothing() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", &[("a.py", "one\n")]);
    for (id, claim) in [
        ("a1", r"C:src\ghost.py"),
        ("a2", r"\\server\share\ghost.py"),
    ] {
        let agent = Agent::new(id, &repo);
        agent.start(&context);
        let stop = agent.stop(&context, &done(claim));
        assert_eq!(stop.block(), None, "{stop:?}");
    }
}

#[test]
fn a_path_may_be_longer_than_260_characters() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", &[("a.py", "one\n")]);
    // Otherwise neither git nor libgit2 reads what is there, and its absence proves nothing.
    context.git(&repo, &["config", "core.longpaths", "true"]);
    let folder = format!("src/{}", ["a-folder-with-a-rather-long-name"; 9].join("/"));
    let (honest, liar) = (Agent::new("honest", &repo), Agent::new("liar", &repo));
    honest.start(&context);
    liar.start(&context);
    let place = fs::canonicalize(&repo).unwrap().join(&folder);
    fs::create_dir_all(&place).unwrap();
    fs::write(place.join("new.py"), "new\n").unwrap();
    let stop = honest.stop(&context, &done(&format!("{folder}/new.py")));
    assert_eq!(stop.block(), None, "{stop:?}");
    assert!(!stop.0.stderr.contains("MISMATCH"), "{stop:?}");
    let stop = liar.stop(&context, &done(&format!("{folder}/ghost.py")));
    assert!(stop.assert_blocked().contains(NOT_THERE));
}

/// Git Bash makes such files, and most programs of Windows open the device in their place.
#[test]
fn a_file_may_have_the_name_of_a_device() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", &[("a.py", "one\n")]);
    let (honest, liar) = (Agent::new("honest", &repo), Agent::new("liar", &repo));
    honest.start(&context);
    liar.start(&context);
    fs::create_dir(repo.join("src")).unwrap();
    // A path that begins with `\\?\`.
    let root = fs::canonicalize(&repo).unwrap();
    for name in ["nul", "src/aux.py", "src/con.txt"] {
        fs::write(root.join(name), "it is a file\n").unwrap();
    }
    let stop = honest.stop(&context, &done("nul, src/aux.py, src/con.txt"));
    assert_eq!(stop.block(), None, "{stop:?}");
    assert!(!stop.0.stderr.contains("MISMATCH"), "{stop:?}");
    let reason = liar.stop(&context, &done("src/aux.py, src/prn.txt"));
    let reason = reason.assert_blocked();
    assert!(reason.contains(r#""src/prn.txt": not on disk"#), "{reason}");
    assert!(!reason.contains("aux.py"), "{reason}");
}

#[test]
fn a_stream_is_a_part_of_its_file() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", &[("a.txt", "one\n")]);
    let (honest, liar) = (Agent::new("honest", &repo), Agent::new("liar", &repo));
    honest.start(&context);
    liar.start(&context);
    fs::write(repo.join("b.txt"), "with a stream\n").unwrap();
    let stop = honest.stop(&context, &done("a.txt:stream, b.txt:stream"));
    assert_eq!(stop.block(), None, "{stop:?}");
    let reason = liar
        .stop(&context, &done("ghost.txt:stream"))
        .assert_blocked();
    assert!(reason.contains(NOT_THERE), "{reason}");
}

/// `printf x >'ghost.txt:stream'` in Git Bash makes a file with a letter in the place of the colon.
#[test]
fn a_shell_may_write_another_letter_for_a_colon() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", &[("a.txt", "one\n")]);
    let agent = Agent::new("a1", &repo);
    agent.start(&context);
    fs::write(repo.join("ghost.txt\u{f03a}stream"), "x").unwrap();
    fs::write(repo.join("other.py\u{f02e}"), "x").unwrap();
    let stop = agent.stop(&context, &done("ghost.txt:stream, other.py."));
    assert_eq!(stop.block(), None, "{stop:?}");
}

#[test]
fn dots_and_blanks_at_an_end_are_dropped_as_the_system_drops_them() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", &[("a.txt", "one\n")]);
    let (honest, liar) = (Agent::new("honest", &repo), Agent::new("liar", &repo));
    honest.start(&context);
    liar.start(&context);
    fs::create_dir(repo.join("src")).unwrap();
    fs::write(repo.join("src/new.py"), "new\n").unwrap();
    let stop = honest.stop(&context, &done("`src./new.py`, `src /new.py. `"));
    assert_eq!(stop.block(), None, "{stop:?}");
    let reason = liar
        .stop(&context, &done("`src/ghost.py. `"))
        .assert_blocked();
    assert!(reason.contains(NOT_THERE), "{reason}");
}

#[test]
fn a_name_may_change_its_case_alone() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", &[("Parser.py", "one\n"), ("Lexer.py", "two\n")]);
    context.git(&repo, &["config", "core.ignorecase", "true"]);
    let (honest, liar) = (Agent::new("honest", &repo), Agent::new("liar", &repo));
    honest.start(&context);
    fs::rename(repo.join("Parser.py"), repo.join("parser.py")).unwrap();
    let stop = honest.stop(&context, &done("Parser.py -> parser.py"));
    assert_eq!(stop.block(), None, "{stop:?}");
    assert!(!stop.0.stderr.contains("MISMATCH"), "{stop:?}");
    // The same, as git records it.
    let honest = Agent::new("other", &repo);
    honest.start(&context);
    context.git(&repo, &["mv", "Lexer.py", "lexer.py"]);
    let stop = honest.stop(&context, &done("Lexer.py -> lexer.py"));
    assert_eq!(stop.block(), None, "{stop:?}");
    context.git(&repo, &["commit", "--quiet", "--all", "--message", "next"]);
    liar.start(&context);
    let stop = liar.stop(&context, &done("Ghost.py -> ghost.py"));
    assert!(stop.assert_blocked().contains(NOT_THERE));
}
