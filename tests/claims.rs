//! Reports as agents really write them: the corpus in fixtures/claims, judged in a repository in which all
//! that a report claims was written, and in ones in which one file of it was not.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::forms::{Form, cases, forms};
use crate::common::{TestContext, size};
use attest_claim::{Claim, Status};
use attest_corpus::{Case, Expected};
use attest_snapshot::{Comparison, Limits, Snapshot, WorkTree};
use attest_verdict::{ClaimFinding, Finding, Strict, Verdict, weigh};
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// A repository in which an agent has started.
struct Scene {
    context: TestContext,
    root: PathBuf,
    start: WorkTree,
}

impl Scene {
    fn new(existing: &[String]) -> Self {
        let context = TestContext::new();
        let mut files = vec![("README.md", "read me\n")];
        files.extend(existing.iter().map(|path| (path.as_str(), "before\n")));
        let root = attest_snapshot::canonical(&context.repository("repo", &files)).unwrap();
        let start = match Snapshot::take(&root, &Limits::default(), |_| None) {
            Snapshot::Readable(tree) => tree,
            Snapshot::Unreadable(why) => panic!("{why}"),
        };
        Self {
            context,
            root,
            start,
        }
    }

    fn write(&self, path: &str) {
        let place = self.root.join(path);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(place, "after\n").unwrap();
    }

    /// Takes back that a path was made.
    fn unwrite(&self, path: &str) {
        fs::remove_file(self.root.join(path)).unwrap();
        let mut folder = Path::new(path).parent();
        while let Some(above) = folder.filter(|above| !above.as_os_str().is_empty()) {
            if fs::remove_dir(self.root.join(above)).is_err() {
                break;
            }
            folder = above.parent();
        }
    }

    fn fill(&self, message: &str) -> String {
        let home = self.context.home().display().to_string();
        message
            .replace("{root}", &self.root.display().to_string())
            .replace("{home}", &home)
    }

    fn judge(&self, claim: &Claim) -> Verdict {
        let limits = Limits::default();
        let comparison = Comparison::with(&self.start, &self.root, &limits).unwrap();
        weigh(
            claim,
            comparison.delta().changes(),
            Strict::default(),
            &comparison,
        )
    }
}

/// What is proven never to have been made.
fn named(verdict: &Verdict) -> BTreeSet<String> {
    names(verdict.proofs())
}

/// What is told of as not there, although it proves nothing.
fn told(verdict: &Verdict) -> BTreeSet<String> {
    let findings = verdict.findings.iter();
    names(findings.filter(|found| found.finding == Finding::Unproven))
}

fn names<'a>(findings: impl Iterator<Item = &'a ClaimFinding>) -> BTreeSet<String> {
    findings
        .map(|found| found.claimed.trim_start_matches("./").replace('\\', "/"))
        .collect()
}

/// Whether a name in a report is that of `path`.
fn is_name_of(claimed: &str, path: &str) -> bool {
    let claimed = claimed.strip_prefix("repo/").unwrap_or(claimed);
    claimed == path
        || path.ends_with(&format!("/{claimed}"))
        || path.starts_with(&format!("{claimed}."))
}

fn check(case: &Case, wrong: &mut Vec<String>) {
    let Case {
        name,
        message,
        expected,
    } = case;
    let scene = Scene::new(&expected.existing);
    let claim = attest_claim::parse(&scene.fill(message));
    let mut fault = |what: String| wrong.push(format!("{name}: {what}"));
    if claim.status.map(Status::as_str) != expected.status.as_deref() {
        fault(format!(
            "status {:?}, expected {:?}",
            claim.status, expected.status
        ));
        return;
    }
    for path in &expected.written {
        scene.write(path);
    }
    for path in &expected.deleted {
        fs::remove_file(scene.root.join(path)).unwrap();
    }
    let verdict = scene.judge(&claim);
    if verdict.is_false_done() {
        fault(format!(
            "an honest agent is called false: {:?}",
            named(&verdict)
        ));
    }
    if claim.status != Some(Status::Done) {
        return;
    }
    for path in &expected.must_name {
        scene.unwrite(path);
        let verdict = scene.judge(&claim);
        let named = named(&verdict);
        let is_right = if expected.may_block.contains(path) {
            named.len() == 1 && named.iter().all(|claimed| is_name_of(claimed, path))
        } else {
            named.is_empty()
                && told(&verdict)
                    .iter()
                    .any(|claimed| is_name_of(claimed, path))
        };
        if !is_right {
            let found: Vec<_> = verdict
                .findings
                .iter()
                .map(|f| (&f.claimed, f.finding, &f.why))
                .collect();
            fault(format!("without {path}, {named:?} is named; {found:?}"));
        }
        scene.write(path);
    }
}

#[test]
fn real_reports_are_judged_rightly() {
    let cases = attest_corpus::cases();
    assert!(cases.len() >= 1000, "{}", cases.len());
    // The same ones each time, and all of them in `.ci/full`.
    let cases: Vec<_> = cases.into_iter().step_by(size(20, 1)).collect();
    let mut wrong = Vec::new();
    for case in &cases {
        check(case, &mut wrong);
    }
    let count = |paths: fn(&Expected) -> &Vec<String>| {
        cases
            .iter()
            .map(|case| paths(&case.expected).len())
            .sum::<usize>()
    };
    let (named, blocked) = (count(|case| &case.must_name), count(|case| &case.may_block));
    // Forms that nobody could write would be told of for ever.
    assert!(
        10 * blocked > 8 * named,
        "of {named} ghosts that are named, {blocked} are proven"
    );
    assert!(
        wrong.is_empty(),
        "{} faults\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

const NAMES: &[&str] = &[
    "src/alpha.py",
    "beta.ts",
    "docs/guide-3.md",
    "pkg/deep/util_4.go",
    "Makefile",
    ".github/workflows/ci.yml",
];

/// Judges a report of all names: nobody is named if all were made, and one that was not is named alone.
fn check_form(
    form: &Form,
    scene: &Scene,
    names: &[&str],
    ghosts: &[&str],
    wrong: &mut Vec<String>,
) {
    let claim = attest_claim::parse(&form.report(&scene.root, names));
    for name in names {
        scene.write(name);
    }
    if scene.judge(&claim).is_false_done() {
        wrong.push(format!(
            "{}: {names:?} were made and are called false",
            form.name
        ));
    }
    for ghost in ghosts {
        scene.unwrite(ghost);
        let found = named(&scene.judge(&claim));
        if found.len() != 1 || !found.contains(*ghost) {
            wrong.push(format!(
                "{}: without {ghost} of {names:?}, {found:?} is named",
                form.name
            ));
        }
        scene.write(ghost);
    }
    for name in names {
        scene.unwrite(name);
    }
}

/// In every form, in lists of some lengths and at some places (in `.ci/full` of every length and at every place), the
/// ghost and only the ghost is named.
#[test]
fn a_ghost_is_named_in_every_form_length_and_place() {
    let scene = Scene::new(&[]);
    let mut wrong = Vec::new();
    let step = size(NAMES.len() - 1, 1);
    for form in forms() {
        for length in (1..=NAMES.len()).step_by(step) {
            // Another order each time, so that no name has a place of its own.
            let mut names = NAMES.to_vec();
            names.rotate_left(length);
            names.truncate(length);
            let ghosts: Vec<_> = names.iter().copied().step_by(step).collect();
            check_form(form, &scene, &names, &ghosts, &mut wrong);
        }
    }
    assert!(
        wrong.is_empty(),
        "{} faults\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// A name that differs from every other of its list in its last part.
fn name(index: usize) -> impl Strategy<Value = String> {
    const EXTENSIONS: &[&str] = &[
        "py", "rs", "ts", "tsx", "go", "java", "kt", "rb", "sql", "md", "yaml", "test.ts", "d.ts",
        "css", "lock", "svg",
    ];
    (
        "([a-z]{2,8}/){0,3}[a-z]{1,6}([-_.][a-z0-9]{1,4})?",
        select(EXTENSIONS),
    )
        .prop_map(move |(stem, extension)| format!("{stem}{index}.{extension}"))
}

fn some_names() -> impl Strategy<Value = Vec<String>> {
    (1..9_usize).prop_flat_map(|count| (0..count).map(name).collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(cases(20, 60))]
    #[test]
    fn a_ghost_is_named_among_any_names(names in some_names(), form in select(forms()), place: Index) {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut wrong = Vec::new();
        check_form(&form, &Scene::new(&[]), &names, &[names[place.index(names.len())]], &mut wrong);
        prop_assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
