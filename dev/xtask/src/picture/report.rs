//! A page of `attest report` about a month of a team's agents.

use std::error::Error;
use std::path::Path;
use std::process::Command;

use attest_made_history::{Plan, make};
use jiff::Timestamp;

use super::printed;

/// Enough that every plot has something to show.
const VERDICTS: u32 = 3000;
/// What is seen of the page.
const WINDOW: &str = "--window-size=1280,1230";

/// Has `browser` draw what the page says of a history that is made for it.
pub(super) fn draw(browser: &Path, program: &Path, picture: &Path) -> Result<(), Box<dyn Error>> {
    let home = tempfile::tempdir()?;
    let state = home.path().join(".attest/state.db");
    make(&state, &Plan::new(&state, VERDICTS, Timestamp::now()))?;
    let page = home.path().join("report.html");
    let mut report = Command::new(program);
    report
        .args(["report", "--all"])
        .arg(&page)
        .current_dir(home.path())
        .env("HOME", home.path());
    printed(&mut report)?;
    let profile = home.path().join("browser");
    let mut browser = Command::new(browser);
    browser
        .args(["--headless", "--no-sandbox", "--hide-scrollbars", WINDOW])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("--screenshot={}", picture.display()))
        .arg(&page);
    printed(&mut browser)?;
    Ok(())
}
