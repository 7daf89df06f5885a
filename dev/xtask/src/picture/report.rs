//! A page of `attest report` about some agents that the real hooks have judged.

use std::error::Error;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::printed;

/// The kinds of the agents, what each does, and what it claims.
const AGENTS: [(&str, &[&str], &str); 5] = [
    ("implementer", &["src/parser.py"], "src/parser.py"),
    (
        "implementer",
        &["src/lexer.py"],
        "src/lexer.py, test_lexer.py",
    ),
    ("writer", &["docs/usage.md"], "docs/usage.md"),
    ("writer", &["docs/api.md", "notes.txt"], "docs/api.md"),
    ("reviewer", &[], "src/review.py"),
];

/// Lets agents start and stop in a repository of their own, and has `browser` draw what the page says.
pub(super) fn draw(browser: &Path, program: &Path, picture: &Path) -> Result<(), Box<dyn Error>> {
    let world = tempfile::tempdir()?;
    let repository = world.path().join("parser");
    for folder in ["src", "tests", "docs"] {
        fs::create_dir_all(repository.join(folder))?;
    }
    let git = |words: &[&str]| {
        let mut git = Command::new("git");
        git.current_dir(&repository)
            .args(["-c", "user.name=a", "-c", "user.email=a@localhost"])
            .args(words);
        printed(&mut git)
    };
    git(&["init", "--quiet"])?;
    git(&["commit", "--quiet", "--allow-empty", "--message", "start"])?;
    let attest = |words: &[&str]| {
        let mut attest = Command::new(program);
        attest
            .args(words)
            .current_dir(world.path())
            .env("HOME", world.path())
            .env("ATTEST_ENFORCE", "1")
            .env("ATTEST_ENFORCE_AGENTS", "implementer");
        attest
    };
    for (number, (kind, files, claim)) in AGENTS.iter().enumerate() {
        let mut payload = json!({
            "session_id": "session-1",
            "agent_id": format!("agent-{number}"),
            "agent_type": kind,
            "cwd": repository,
        });
        play(attest(&["hook", "start"]), &payload)?;
        for file in *files {
            fs::write(repository.join(file), format!("{number}\n"))?;
        }
        payload["last_assistant_message"] = format!("Status: DONE\nFiles changed: {claim}").into();
        play(attest(&["hook", "stop"]), &payload)?;
        // Whoever is sent back claims what was done.
        payload["last_assistant_message"] =
            format!("Status: DONE\nFiles changed: {}", files.join(", ")).into();
        payload["stop_hook_active"] = true.into();
        if *kind == "implementer" {
            play(attest(&["hook", "stop"]), &payload)?;
        }
        git(&["add", "--all"])?;
        git(&["commit", "--quiet", "--allow-empty", "--message", "work"])?;
    }
    printed(&mut attest(&["report", "--html", "report.html"]))?;
    let mut browser = Command::new(browser);
    browser
        .args(["--headless", "--no-sandbox", "--hide-scrollbars"])
        .arg(format!(
            "--user-data-dir={}",
            world.path().join("browser").display()
        ))
        .arg("--window-size=1000,900")
        .arg(format!("--screenshot={}", picture.display()))
        .arg(world.path().join("report.html"));
    printed(&mut browser)?;
    Ok(())
}

fn play(mut hook: Command, payload: &Value) -> Result<(), Box<dyn Error>> {
    let mut child = hook
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(mut input) = child.stdin.take() {
        input.write_all(payload.to_string().as_bytes())?;
    }
    child.wait()?;
    Ok(())
}
