//! The messages of fixtures/claims, judged by what an honest run of each leaves behind. Git is not asked here:
//! `tests/claims.rs` does that, and this is what a change of the parser is first noticed by.

use std::collections::BTreeSet;

use attest_corpus::{Case, Expected, forms};

use super::{Certainty, Claim, Entry, Meaning, Operation, Reading, Status, Target, parse};

const ROOT: &str = "/work/repo";
const HOME: &str = "/home/person";

fn fill(message: &str) -> String {
    message.replace("{root}", ROOT).replace("{home}", HOME)
}

fn corpus() -> impl Iterator<Item = Case> {
    let cases = attest_corpus::cases().into_iter();
    // Which forms of Unicode are one name is for who looks at the disk.
    cases.filter(|case| !case.name.ends_with("/accents-decomposed"))
}

/// What is there, and what was worked on, in small letters.
struct Scene {
    existing: BTreeSet<String>,
    worked_on: BTreeSet<String>,
    deleted: BTreeSet<String>,
}

impl Scene {
    fn new(expected: &Expected, without: Option<&str>) -> Self {
        let folded = |names: &[String]| -> BTreeSet<String> {
            let there = names.iter().filter(|name| Some(name.as_str()) != without);
            there.map(|name| name.to_lowercase()).collect()
        };
        let mut existing = folded(&expected.existing);
        existing.insert("readme.md".into());
        Self {
            existing,
            worked_on: folded(&expected.written),
            deleted: folded(&expected.deleted),
        }
    }

    fn names(&self) -> impl Iterator<Item = &String> {
        let names = self.existing.iter().chain(&self.worked_on);
        names.chain(&self.deleted)
    }

    fn has(&self, name: &str) -> bool {
        self.names().any(|known| known == name)
    }

    fn has_folder(&self, name: &str) -> bool {
        let folder = format!("{name}/");
        self.names().any(|known| known.starts_with(&folder))
    }

    /// Whether the folder is there that a text begins with, and each other that it names without a dot.
    fn has_place(&self, text: &str) -> bool {
        let name = local(text).unwrap_or_default();
        let (first, _) = name.split_once('/').unwrap_or((&name, ""));
        let deep = name.rsplit_once('/');
        let deep = deep.filter(|(folder, last)| folder.contains('/') && !last.contains('.'));
        self.has_folder(first) && deep.is_none_or(|(folder, _)| self.has_folder(folder))
    }

    /// Whether anything speaks for a text that is a path.
    fn excuses(&self, text: &str) -> bool {
        let Some(name) = local(text) else {
            return true;
        };
        let last = last_part(&name);
        let is_namesake = |other: &String| {
            let other = last_part(other);
            let stem = other.split_once('.').map_or(other, |(stem, _)| stem);
            other == last || (!last.contains('.') && stem == last)
        };
        self.has(&name)
            || self.has_folder(&name)
            || self.worked_on.iter().chain(&self.deleted).any(is_namesake)
    }

    fn is_absent(&self, entry: &Entry) -> bool {
        let Meaning::Paths(readings) = &entry.meaning else {
            return false;
        };
        let (sure, other): (Vec<_>, Vec<_>) = readings
            .iter()
            .partition(|reading| self.is_certain(reading));
        let is_found = |reading: &&Reading| self.is_found_exactly(&reading.target);
        let is_excused = |reading: &&Reading| self.is_excused(reading, entry.operation);
        !sure.is_empty() && !sure.iter().any(is_excused) && !other.iter().any(is_found)
    }

    fn is_certain(&self, reading: &Reading) -> bool {
        match (reading.certainty, &reading.target) {
            (Certainty::Certain, _) => true,
            (Certainty::Folder, Target::File(text) | Target::Dir(text)) => self.has_place(text),
            (Certainty::Folder, Target::Rename { from, to }) => {
                self.has_place(from) && self.has_place(to)
            }
            (Certainty::Likely, _) => false,
        }
    }

    fn is_excused(&self, reading: &Reading, operation: Operation) -> bool {
        match &reading.target {
            _ if operation == Operation::Deleted => true,
            Target::File(text) | Target::Rename { to: text, .. } => self.excuses(text),
            // A word with a slash behind it may be the name of a part of the project.
            Target::Dir(text) => !text.trim_end_matches('/').contains('/') || self.excuses(text),
        }
    }

    fn is_found_exactly(&self, target: &Target) -> bool {
        let is_found = |text: &str| {
            let name = local(text).unwrap_or_default();
            self.has(&name) || self.has_folder(&name)
        };
        match target {
            Target::File(text) | Target::Dir(text) => is_found(text),
            Target::Rename { from, to } => is_found(from) || is_found(to),
        }
    }

    /// What of a claim is proven not to be there, each by the first of its readings.
    fn absent(&self, claim: &Claim) -> Vec<String> {
        self.told(claim, |entry| entry.doubt().is_none())
    }

    /// The same for entries of a kind.
    fn told(&self, claim: &Claim, is_kind: impl Fn(&Entry) -> bool) -> Vec<String> {
        let absent = claim
            .entries
            .iter()
            .filter(|entry| is_kind(entry) && self.is_absent(entry));
        absent
            .map(|entry| match &entry.meaning {
                Meaning::Paths(readings) => match &readings[0].target {
                    Target::File(text) | Target::Dir(text) => text.clone(),
                    Target::Rename { to, .. } => to.clone(),
                },
                Meaning::Unresolvable(_) => entry.raw.clone(),
            })
            .collect()
    }
}

fn last_part(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// The name below the root of the repository, as a path is compared; none for what is elsewhere.
fn local(text: &str) -> Option<String> {
    let text = text.replace('\\', "/").to_lowercase();
    let name = text.strip_prefix(ROOT).unwrap_or(&text);
    if name.len() == text.len() && (text.starts_with(['/', '~']) || text.contains(":/")) {
        return None;
    }
    let parts: Vec<_> = name
        .split('/')
        .filter(|part| !matches!(*part, "" | "."))
        .collect();
    match parts.as_slice() {
        ["..", ..] => None,
        ["repo", below @ ..] => Some(below.join("/")),
        parts => Some(parts.join("/")),
    }
}

/// Whether what is said to be absent is `path`, and nothing else.
fn is_named_alone(path: &str, absent: &[String]) -> bool {
    let path = path.to_lowercase();
    let is_name_of = |text: &String| {
        local(text).is_some_and(|name| {
            name == path
                || path.ends_with(&format!("/{name}"))
                || path.starts_with(&format!("{name}."))
        })
    };
    !absent.is_empty() && absent.iter().all(is_name_of)
}

fn faults(name: &str, message: &str, expected: &Expected) -> Vec<String> {
    let claim = parse(&fill(message));
    if claim.status.map(Status::as_str) != expected.status.as_deref() {
        return vec![format!("{name}: status {:?}", claim.status)];
    }
    let mut faults = Vec::new();
    let absent = Scene::new(expected, None).absent(&claim);
    if !absent.is_empty() {
        faults.push(format!("{name}: honest, and {absent:?} is absent"));
    }
    for path in &expected.must_name {
        let scene = Scene::new(expected, Some(path));
        let absent = scene.absent(&claim);
        if expected.may_block.contains(path) {
            if !is_named_alone(path, &absent) {
                faults.push(format!("{name}: without {path}, {absent:?} is absent"));
            }
        } else {
            let told = scene.told(&claim, |entry| entry.doubt().is_some());
            let is_told = told
                .iter()
                .any(|told| is_named_alone(path, std::slice::from_ref(told)));
            if !absent.is_empty() || !is_told {
                faults.push(format!(
                    "{name}: without {path}, {absent:?} is absent and {told:?} told"
                ));
            }
        }
    }
    faults
}

#[test]
fn the_honest_are_excused_and_each_ghost_is_named_alone() {
    let corpus: Vec<_> = corpus().collect();
    assert!(corpus.len() >= 1000, "{}", corpus.len());
    let wrong: Vec<_> = corpus
        .iter()
        .flat_map(|case| faults(&case.name, &case.message, &case.expected))
        .collect();
    assert!(
        wrong.is_empty(),
        "{} faults\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn in_every_form_each_ghost_is_named_alone() {
    const NAMES: [&str; 4] = ["src/alpha.py", "beta.ts", "pkg/deep/util_4.go", "Makefile"];
    let mut wrong = Vec::new();
    for form in forms() {
        for length in 1..=NAMES.len() {
            let names = &NAMES[..length];
            let owned: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
            let expected = Expected {
                status: Some("DONE".to_owned()),
                written: owned.clone(),
                must_name: owned.clone(),
                may_block: owned,
                ..Expected::default()
            };
            wrong.extend(faults(&form.name, &form.render(names), &expected));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} faults\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
