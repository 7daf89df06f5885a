//! What `attest enforce` says of a folder is what an agent meets there in the real host, whichever file decides it.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use attest_scripted_host::{Host, Trial, Workbench};

use crate::{BINARY, FOLDER};

/// What is given the version and its host.
type Body = fn(&str, &Host);

/// Each test with its name.
pub(crate) const ALL: [(&str, Body); 1] = [(
    "an_agent_meets_what_attest_enforce_says",
    an_agent_meets_what_is_said,
)];

/// The content of each file that the host reads, empty where there is none.
struct Case {
    person: &'static str,
    shared: &'static str,
    own: &'static str,
    administrator: &'static str,
    /// Whether a false DONE is sent back.
    blocks: bool,
}

const NONE: Case = Case {
    person: "{}",
    shared: "",
    own: "",
    administrator: "",
    blocks: true,
};
const OFF: &str = r#"{"disableAllHooks": true}"#;
const ON: &str = r#"{"disableAllHooks": false}"#;
const REPORT: &str = r#"{"env": {"ATTEST_ENFORCE": "0"}}"#;
const BLOCK: &str = r#"{"env": {"ATTEST_ENFORCE": "1"}}"#;
const MANAGED: &str = r#"{"allowManagedHooksOnly": true}"#;

const CASES: [Case; 12] = [
    NONE,
    Case {
        person: OFF,
        blocks: false,
        ..NONE
    },
    Case {
        shared: OFF,
        blocks: false,
        ..NONE
    },
    Case {
        own: OFF,
        blocks: false,
        ..NONE
    },
    Case {
        person: OFF,
        own: ON,
        ..NONE
    },
    Case {
        shared: OFF,
        own: ON,
        ..NONE
    },
    // A project may turn enforcement on, and not off.
    Case {
        shared: REPORT,
        ..NONE
    },
    Case {
        shared: REPORT,
        own: BLOCK,
        ..NONE
    },
    Case {
        shared: MANAGED,
        ..NONE
    },
    Case {
        administrator: MANAGED,
        blocks: false,
        ..NONE
    },
    Case {
        administrator: OFF,
        own: ON,
        blocks: false,
        ..NONE
    },
    Case {
        administrator: REPORT,
        own: BLOCK,
        blocks: false,
        ..NONE
    },
];

fn an_agent_meets_what_is_said(_: &str, host: &Host) {
    let trial = Trial::load(&Path::new(FOLDER).join("false_done_fixed.toml")).unwrap();
    for (number, case) in CASES.iter().enumerate() {
        if !case.administrator.is_empty() && !may_mount_over() {
            continue;
        }
        let bench = Workbench::new(&trial.scenario.files).unwrap();
        fs::create_dir_all(bench.configuration()).unwrap();
        fs::write(bench.configuration().join("settings.json"), case.person).unwrap();
        let project = bench.repository().join(".claude");
        fs::create_dir_all(&project).unwrap();
        for (name, content) in [
            ("settings.json", case.shared),
            ("settings.local.json", case.own),
        ] {
            if !content.is_empty() {
                fs::write(project.join(name), content).unwrap();
            }
        }
        let within = |program: &Path| within(&bench, program, case.administrator);
        let attest = within(Path::new(BINARY));
        let host = Host {
            program: within(&host.program),
            ..host.clone()
        };
        run(&bench, &attest, &["install", "--binary", BINARY]);
        let said = run(&bench, &attest, &["enforce", "on"]);
        let said = said.lines().last().unwrap();
        let is_on = said == "enforcement is on for every type of agent";
        let outcome = host.play(&trial.scenario, bench).unwrap();
        // Only an agent that was sent back makes what it claimed.
        let was_blocked = outcome.bench.repository().join("ghost.py").exists();
        assert_eq!(
            (is_on, was_blocked),
            (case.blocks, case.blocks),
            "{number}: {said}"
        );
    }
}

/// A program that runs this one where an administrator has said `content`.
fn within(bench: &Workbench, program: &Path, content: &str) -> PathBuf {
    if content.is_empty() {
        return program.to_owned();
    }
    let folder = bench.home().join(format!(
        ".administrator-{}",
        program.file_name().unwrap().display()
    ));
    fs::create_dir_all(&folder).unwrap();
    let (script, name) = (folder.join("run"), folder.display());
    let text = format!(
        "#!/bin/sh\nexec unshare --mount sh -c 'mount -t tmpfs tmpfs \"$0\" && \
         mkdir -p \"$0/work\" \"$0/upper/claude-code\" && \
         printf %s \"$1\" >\"$0/upper/claude-code/managed-settings.json\" && \
         mount -t overlay overlay -o \"lowerdir=/etc,upperdir=$0/upper,workdir=$0/work\" /etc && \
         shift && exec \"$@\"' '{name}' '{content}' '{}' \"$@\"\n",
        program.display()
    );
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    script
}

fn may_mount_over() -> bool {
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().display();
    let script = format!(
        "mount -t tmpfs tmpfs '{name}' && mkdir '{name}/upper' '{name}/work' && \
         mount -t overlay overlay -o 'lowerdir=/etc,upperdir={name}/upper,workdir={name}/work' /etc"
    );
    let mut unshare = std::process::Command::new("unshare");
    let output = unshare.args(["--mount", "sh", "-c", &script]).output();
    output.is_ok_and(|output| output.status.success())
}

fn run(bench: &Workbench, program: &Path, arguments: &[&str]) -> String {
    let output = bench.command(program).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}
