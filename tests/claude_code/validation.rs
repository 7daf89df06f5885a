//! docs/VALIDATION.md: whether the one that is there has its shape, and the results for a new one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use attest_scripted_host::page::{self, Ending, Row, Version};
use libtest_mimic::Trial as Test;

use crate::{Scenario, TOP};

/// The new page; `cargo xtask validate` puts it into its place.
const NEW: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/VALIDATION.md");
/// What happened in each scenario, for a release.
const DETAILS: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/validation-details.md");

/// How each scenario ended, by the version and its name.
#[derive(Default)]
pub(crate) struct Results(Mutex<BTreeMap<(String, String), Ending>>);

impl Results {
    pub(crate) fn add(&self, version: &str, name: &str, ending: Ending) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert((version.to_owned(), name.to_owned()), ending);
    }
}

/// Writes the new page if everything was played: one with a part left out would look like a whole one.
pub(crate) fn write(results: &Results, scenarios: &[Scenario], versions: &[String]) {
    let _ = fs::remove_file(NEW);
    let mut all = results.0.lock().unwrap_or_else(PoisonError::into_inner);
    let pages: Option<Vec<_>> = versions
        .iter()
        .map(|version| {
            let rows = scenarios.iter().map(|(name, trial)| {
                let ending = match all.remove(&(version.clone(), name.clone())) {
                    None if trial.is_for(version) => return None,
                    ending => ending.unwrap_or(Ending::NotPlayed),
                };
                Some(Row {
                    scenario: name,
                    about: &trial.scenario.about,
                    ending,
                })
            });
            Some(Version {
                name: version.clone(),
                rows: rows.collect::<Option<_>>()?,
            })
        })
        .collect();
    if let Some(pages) = pages {
        fs::write(DETAILS, page::details(&pages)).unwrap();
        fs::write(NEW, page::text(&pages)).unwrap();
    }
}

/// The page was made by playing everything at that time, so its texts are not compared here, and a
/// scenario that is newer may be missing. Every version has its column.
pub(crate) fn of_the_page(scenarios: &[Scenario], versions: &[String]) -> Test {
    let known: BTreeSet<_> = scenarios.iter().map(|(name, _)| name.clone()).collect();
    let versions = versions.to_vec();
    Test::test("the_validation_page_has_its_shape", move || {
        let page = fs::read_to_string(Path::new(TOP).join("docs/VALIDATION.md"))?;
        assert!(page.contains("**The model is scripted**"));
        assert!(!page.contains("FAILED"));
        let (head, _) = page.split_once("\n## ").unwrap();
        let header = format!("| scenario | {} |", versions.join(" | "));
        let (_, table) = head.split_once(&header).unwrap();
        let rows = table.lines().filter_map(|line| line.strip_prefix("| `"));
        let rows: BTreeSet<_> = rows
            .map(|row| row.split_once('`').unwrap().0.to_owned())
            .collect();
        assert!(!rows.is_empty() && rows.is_subset(&known), "{rows:?}");
        Ok(())
    })
}
