//! `attest audit`: looking back at sessions that hosts have kept. Every form of honest work, and what becomes of it
//! until somebody looks, with its twin that claims a file which nobody made.
//!
//! `cargo xtask audit` plays as many sessions as are asked for, and prints the figures.

mod captured;
#[cfg(target_os = "linux")]
mod large;
mod page;
mod situation;
mod transcript;

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::TestContext;
use crate::common::forms::{Form, cases, forms};
use situation::{Played, Scene, Sight};
use transcript::{KINDS, Step};

/// Sessions of one repository.
const SESSIONS_AT_ONCE: usize = 40;

/// What was played, and what has to come of it.
struct Session {
    place: PathBuf,
    name: String,
    ghost: Option<(String, Sight)>,
}

fn repository(context: &TestContext, number: usize) -> PathBuf {
    let files = [("start.py", "x\n"), (".gitignore", "build/\n")];
    context.repository(&format!("work{number}"), &files)
}

/// Plays one session. Its number decides which situation, which host, which form, and where in the list a ghost is.
fn play(context: &TestContext, root: &Path, number: usize) -> Session {
    let situation = &situation::ALL[number % situation::ALL.len()];
    let round = number / situation::ALL.len();
    let kinds = KINDS
        .iter()
        .filter(|kind| !situation.is_of_claude || kind.is_claude());
    let kinds: Vec<_> = kinds.copied().collect();
    let kind = kinds[round / 2 % kinds.len()];
    let scene = Scene {
        context,
        root: root.to_owned(),
        number,
        session: format!("session-{number}"),
        kind,
    };
    let Played {
        folder,
        mut steps,
        mut files,
        report,
        later,
    } = (situation.play)(&scene);
    let ghost = format!("src/never_made_{number}.py");
    let is_ghostly = round % 2 == 1 && report.is_none();
    if is_ghostly {
        files.insert(number % (files.len() + 1), ghost.clone());
    }
    let form = form(number, &files);
    let names: Vec<_> = files.iter().map(String::as_str).collect();
    let report = report.unwrap_or_else(|| form.report(&folder, &names));
    steps.insert(0, Step::Prompt("Do it.".to_owned()));
    steps.push(Step::Say(report));
    let place = kind.keep(context.home(), &folder, &scene.session, &steps);
    later(context);
    Session {
        place,
        name: format!("{} in {kind:?} as {}", situation.name, form.name),
        ghost: is_ghostly.then_some((ghost, situation.ghost)),
    }
}

/// The form of a report. One that puts the folder or a dot before each path has no place for a whole one.
fn form(number: usize, files: &[String]) -> &'static Form {
    let form = &forms()[number % forms().len()];
    let has_whole = files.iter().any(|file| file.starts_with('/'));
    let has_folder = ["{root}", "./x"]
        .iter()
        .any(|folder| form.render(&["x"]).contains(folder));
    if has_whole && has_folder {
        return &forms()[0];
    }
    form
}

/// The files that each transcript is said to claim without anything.
fn listed(list: &Value) -> BTreeMap<PathBuf, Vec<String>> {
    let reports = list.as_array().unwrap().iter();
    let files = |report: &Value| {
        let files = report["files"].as_array().unwrap().iter();
        files
            .map(|it| it["path"].as_str().unwrap().to_owned())
            .collect()
    };
    let entry = |it: &Value| (it["transcript"].as_str().unwrap().into(), files(it));
    reports.map(entry).collect()
}

fn audit(context: &TestContext, args: &[&str]) -> Value {
    let args = ["audit", "--json"].iter().chain(args);
    let printed = context.attest(args).assert_success();
    assert_eq!(printed.stderr, "");
    serde_json::from_str(&printed.stdout).unwrap()
}

/// Every file with its size and time.
fn all_files(folder: &Path) -> BTreeMap<PathBuf, (u64, std::time::SystemTime)> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let (path, metadata) = entry.map(|it| (it.path(), it.metadata().unwrap())).unwrap();
            if metadata.is_dir() {
                folders.push(path);
            } else {
                files.insert(path, (metadata.len(), metadata.modified().unwrap()));
            }
        }
    }
    files
}

/// The honest and the ghosts, and how many of each are listed.
#[derive(Debug, Default)]
struct Figures {
    honest: usize,
    honest_listed: Vec<String>,
    ghosts: usize,
    in_sight: usize,
    unread: usize,
    unread_missed: usize,
    missed: Vec<String>,
    too_much: Vec<String>,
}

impl Figures {
    /// What is listed of it as not found, and as what only a program may have made.
    fn add(&mut self, session: &Session, listed: [Option<&Vec<String>>; 2]) {
        let name = || format!("{}: {listed:?}", session.name);
        let Some((ghost, sight)) = &session.ghost else {
            self.honest += 1;
            if listed != [None; 2] {
                self.honest_listed.push(name());
            }
            return;
        };
        self.ghosts += 1;
        let ghost = vec![ghost.clone()];
        let expected = match sight {
            Sight::Clear => [Some(&ghost), None],
            Sight::Unread => [None, Some(&ghost)],
            Sight::Doubt | Sight::Gone => [None; 2],
        };
        self.in_sight += usize::from(*sight == Sight::Clear);
        self.unread += usize::from(*sight == Sight::Unread);
        match listed == expected {
            true => {}
            false if expected == [None; 2] => self.too_much.push(name()),
            false => {
                self.unread_missed += usize::from(*sight == Sight::Unread);
                self.missed.push(name());
            }
        }
    }

    fn print(&self) {
        let listed = self.in_sight - self.missed.len();
        println!("figure audit-honest {}", self.honest);
        println!("figure audit-honest-listed {}", self.honest_listed.len());
        println!("figure audit-ghosts {}", self.ghosts);
        println!("figure audit-in-sight {}", self.in_sight);
        println!("figure audit-unread {}", self.unread);
        println!(
            "figure audit-unread-listed {}",
            self.unread - self.unread_missed
        );
        println!("figure audit-listed {listed}");
        println!("figure audit-beyond {}", self.too_much.len());
    }
}

#[test]
fn every_ghost_in_sight_is_listed_and_no_honest_report_is() {
    let few = 2 * u32::try_from(situation::ALL.len()).unwrap();
    let count = cases(few, few).cases as usize;
    let context = TestContext::new();
    let mut sessions = Vec::new();
    let mut roots = Vec::new();
    for number in 0..count {
        if number % SESSIONS_AT_ONCE == 0 {
            roots.push(repository(&context, number));
        }
        sessions.push(play(&context, roots.last().unwrap(), number));
    }
    let before = all_files(context.folder());
    let (mut found, mut unread) = (BTreeMap::new(), BTreeMap::new());
    // Of all at once not all would be listed.
    for root in &roots {
        let said = audit(&context, &["--repository", root.to_str().unwrap()]);
        found.extend(listed(&said["not_found"]));
        unread.extend(listed(&said["unread"]));
    }
    assert_eq!(all_files(context.folder()), before, "something was written");
    let mut figures = Figures::default();
    for session in &sessions {
        let place = &session.place;
        figures.add(session, [found.get(place), unread.get(place)]);
    }
    figures.print();
    let own: HashSet<_> = sessions.iter().map(|session| &session.place).collect();
    assert!(found.keys().all(|place| own.contains(place)), "{found:#?}");
    assert_eq!(figures.honest_listed, [""; 0]);
    assert_eq!(figures.missed, [""; 0]);
    assert_eq!(figures.too_much, [""; 0]);
    assert!(figures.in_sight * 2 > figures.ghosts, "{figures:?}");
}

#[test]
fn a_doubt_is_counted_and_says_why() {
    let context = TestContext::new();
    let root = repository(&context, 0);
    for (number, situation) in situation::ALL.iter().enumerate() {
        if matches!(situation.ghost, Sight::Doubt | Sight::Unread) && !situation.is_of_claude {
            play(&context, &root, number + situation::ALL.len());
        }
    }
    let said = audit(&context, &[]);
    assert_eq!(said["not_found"].as_array().unwrap().len(), 0, "{said:#}");
    for list in ["doubtful", "unread"] {
        let list = said[list].as_array().unwrap();
        assert!(list.len() >= 3, "{said:#}");
        for report in list {
            assert!(!report["why"].as_str().unwrap().is_empty(), "{report:#}");
        }
    }
}

#[test]
fn only_what_is_asked_for_is_looked_at() {
    let context = TestContext::new();
    let roots = [0, 1].map(|number| repository(&context, number));
    for (number, root) in roots.iter().enumerate() {
        play(
            &context,
            root,
            number * situation::ALL.len() + situation::ALL.len(),
        );
    }
    let count = |args: &[&str]| {
        let said = audit(&context, args);
        (
            said["reports"].as_u64(),
            said["not_found"].as_array().map(Vec::len),
        )
    };
    assert_eq!(count(&[]), (Some(2), Some(1)));
    assert_eq!(
        count(&["--repository", roots[0].to_str().unwrap()]),
        (Some(1), Some(1))
    );
    assert_eq!(
        count(&["--repository", roots[1].to_str().unwrap()]),
        (Some(1), Some(0))
    );
    assert_eq!(count(&["--since", "30m"]), (Some(0), Some(0)));
    let nowhere = context
        .attest(["audit", "--repository", "/"])
        .assert_failure();
    assert!(
        nowhere.stderr.contains("leave out --repository"),
        "{nowhere:?}"
    );
}

#[test]
fn what_cannot_be_read_is_said() {
    let context = TestContext::new();
    let projects = context.home().join(".claude/projects/-w");
    fs::create_dir_all(&projects).unwrap();
    let root = repository(&context, 0);
    play(&context, &root, 0);
    let packed = context.home().join(".codex/sessions/2026/01/02");
    fs::create_dir_all(&packed).unwrap();
    fs::write(packed.join("rollout-1.jsonl.zst"), "x").unwrap();
    context
        .command("mkfifo")
        .arg(projects.join("pipe.jsonl"))
        .status()
        .unwrap();
    fs::write(projects.join("broken.jsonl"), "{\"type\":\n\0\0\n[]\n").unwrap();
    let said = audit(&context, &[]);
    assert_eq!(
        (said["packed"].as_u64(), said["reports"].as_u64()),
        (Some(1), Some(1))
    );
    let printed = context.attest(["audit"]).assert_success();
    assert!(
        printed.stdout.contains("1 transcript was not read"),
        "{printed:?}"
    );
}

#[test]
fn a_report_of_many_ghosts_is_listed_in_part_with_the_number_of_the_rest() {
    let context = TestContext::new();
    let root = repository(&context, 0);
    let projects = context.home().join(".claude/projects/-w");
    fs::create_dir_all(&projects).unwrap();
    let long = "a/".repeat(100_000);
    let list: Vec<_> = (0..30)
        .map(|number| format!("- ghost{number}.py"))
        .collect();
    let list = list.join("\n");
    let text = format!("Status: DONE\nFiles changed:\n- {long}b.py\n{list}\n");
    let line = serde_json::json!({"type": "assistant", "cwd": root, "sessionId": "s", "timestamp": "2030-01-01T00:00:00Z",
        "message": {"stop_reason": "end_turn", "content": [{"type": "text", "text": text}]}});
    fs::write(projects.join("s.jsonl"), format!("{line}\n")).unwrap();
    let said = audit(&context, &[]);
    let report = &said["not_found"][0];
    assert_eq!(
        report["files"].as_array().map(Vec::len),
        Some(20),
        "{said:.2000}"
    );
    assert_eq!(
        report["more_files"], 10,
        "the one that is too long for any disk is none"
    );
    let printed = context.attest(["audit"]).assert_success();
    assert!(printed.stdout.contains("and 10 more files"), "{printed:?}");
}

/// Where nothing can be looked through, nothing is said not to be there.
#[test]
fn without_a_home_it_is_an_error_and_with_an_empty_one_it_is_not() {
    let mut context = TestContext::new();
    let empty = context.attest(["audit"]).assert_success().stdout;
    assert!(empty.contains("no session since"), "{empty}");
    context.unset("HOME");
    let printed = context.attest(["audit"]).assert_failure();
    assert!(printed.stderr.contains("HOME is not set"), "{printed:?}");
}
