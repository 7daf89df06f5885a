//! `attest verify` beside the Python tool: see fixtures/parity/README.md.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::common::TestContext;
use crate::common::scene::settle;
use serde::Deserialize;
use serde_json::{Map, Value};

const FILES: [(&str, &str); 2] = [("a.py", "one\n"), ("src/b.py", "two\n")];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    before: Option<BTreeMap<String, String>>,
    #[serde(default)]
    setup: Vec<Step>,
    edits: Vec<Step>,
    message: String,
    expected: Map<String, Value>,
    flat: Option<Map<String, Value>>,
    #[serde(default)]
    findings: BTreeMap<String, String>,
    /// Left out: the same as ours. `null`: not known.
    #[serde(default, deserialize_with = "present")]
    python: Option<Value>,
    differs_because: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Step {
    Write { write: String, text: Option<String> },
    Delete { delete: String },
    Git { git: Vec<String> },
}

/// Tells `null` from a field that is not there.
fn present<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}

fn top() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn cases() -> Vec<Case> {
    let mut files: Vec<_> = fs::read_dir(top().join("fixtures/parity"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .collect();
    files.sort();
    files
        .iter()
        .flat_map(|path| {
            let text = fs::read_to_string(path).unwrap();
            let cases: Vec<Case> = serde_json::from_str(&text)
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            cases
        })
        .collect()
}

fn take(context: &TestContext, root: &Path, steps: &[Step]) {
    for step in steps {
        match step {
            Step::Write { write, text } => {
                let path = root.join(write);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text.as_deref().unwrap_or("written by the agent\n")).unwrap();
            }
            Step::Delete { delete } => fs::remove_file(root.join(delete)).unwrap(),
            Step::Git { git } => {
                let words: Vec<_> = git.iter().map(String::as_str).collect();
                context.git(root, &words);
            }
        }
    }
}

/// What `verify` prints with each format of the snapshot.
fn run(case: &Case) -> BTreeMap<&'static str, Value> {
    let context = TestContext::new();
    let root = match &case.before {
        Some(files) => {
            let files: Vec<_> = files
                .iter()
                .map(|(k, v)| (k.as_str(), v.as_str()))
                .collect();
            context.repository("repo", &files)
        }
        None => context.repository("repo", &FILES),
    };
    let root = attest_snapshot::canonical(&root).unwrap();
    let name = root.to_str().unwrap();
    take(&context, &root, &case.setup);
    // What is written within the grain of the clock before the start may be younger than it.
    settle();
    let formats = ["flat", "json"];
    let befores = formats.map(|format| {
        let printed = context.attest(["snapshot", "--repo", name, "--format", format]);
        let path = context.folder().join(format!("before.{format}"));
        fs::write(&path, printed.assert_success().stdout).unwrap();
        path
    });
    take(&context, &root, &case.edits);
    let message = context.folder().join("message.md");
    fs::write(&message, case.message.replace("{ROOT}", name)).unwrap();
    let verify = |before: &Path| {
        let mut command = context.command(crate::common::BINARY);
        command.args(["verify", "--repo", name, "--claim-file"]);
        command.arg(&message).arg("--before").arg(before);
        let printed = crate::common::Printed::of(command.output().unwrap()).assert_success();
        serde_json::from_str(&printed.stdout.replace(name, "{ROOT}")).unwrap()
    };
    formats
        .into_iter()
        .zip(befores.iter().map(|before| verify(before)))
        .collect()
}

fn differences(expected: &Map<String, Value>, printed: &Value) -> Vec<String> {
    expected
        .iter()
        .filter(|(field, value)| printed[field.as_str()] != **value)
        .map(|(field, value)| format!("{field}: expected {value}, found {}", printed[field]))
        .collect()
}

fn compare(case: &Case) -> Vec<String> {
    let printed = run(case);
    let (json, flat) = (&printed["json"], &printed["flat"]);
    let mut wrong = differences(&case.expected, json);
    let flat_expected = case.flat.as_ref().unwrap_or(&case.expected);
    wrong.extend(
        differences(flat_expected, flat)
            .iter()
            .map(|line| format!("flat: {line}")),
    );
    let findings: BTreeMap<_, _> = json["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|found| {
            (
                found["claimed"].as_str().unwrap(),
                found["finding"].as_str().unwrap(),
            )
        })
        .collect();
    for (path, finding) in &case.findings {
        let found = findings.get(path.as_str()).copied();
        if found != Some(finding) {
            wrong.push(format!(
                "{path}: expected {finding}, found {found:?} in {findings:?}"
            ));
        }
    }
    wrong
        .iter()
        .map(|line| format!("{}: {line}", case.name))
        .collect()
}

#[test]
fn every_case_is_as_expected() {
    let cases = cases();
    let wrong: Vec<_> = cases.iter().flat_map(compare).collect();
    assert!(cases.len() >= 25, "only {} cases were found", cases.len());
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// The ids in the first column of the table of intended differences.
fn intended_differences() -> BTreeSet<String> {
    let design = fs::read_to_string(top().join("docs/DESIGN.md")).unwrap();
    let (_, section) = design
        .split_once("## Intended differences from the Python tool")
        .expect("DESIGN.md lists the intended differences");
    let section = section.split("\n## ").next().unwrap();
    let ids = section
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    ids.map(|(id, _)| id.to_owned()).collect()
}

#[test]
fn every_difference_is_intended_and_real() {
    let known = intended_differences();
    let mut names = BTreeSet::new();
    for case in cases() {
        let name = &case.name;
        assert!(names.insert(name.clone()), "{name} is there twice");
        match (&case.python, &case.differs_because) {
            (None | Some(Value::Null), None) => {}
            (Some(Value::Object(python)), Some(id)) => {
                assert!(
                    known.contains(id),
                    "{name}: DESIGN.md lists no difference {id:?}"
                );
                let ours = case.flat.as_ref().unwrap_or(&case.expected);
                let differs = |(field, value): (&String, &Value)| {
                    ours.get(field).or(case.expected.get(field)) != Some(value)
                };
                assert!(python.iter().any(differs), "{name}: python is no different");
            }
            _ => panic!("{name}: `python` and `differs_because` go together"),
        }
    }
}
