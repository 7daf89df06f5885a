//! Programs that a clone brings: neither `attest doctor` nor the launcher of the plugin nor a gate runs one, and
//! each runs those of the person.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::common::agent::Agent;
use crate::common::programs::make_program;
use crate::common::{BINARY, Printed, TestContext};

/// The launcher as it is in the checkout, where it names no program.
const LAUNCHER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bin/attest");
const REVISE: &str = r#"echo '{"decision":"revise","reason":"run the linter"}'"#;

/// A program that leaves a mark with its name, and then does what `body` says.
fn plant(context: &TestContext, path: &Path, body: &str) -> PathBuf {
    let ran = context.folder().join("ran");
    let text = format!(
        "#!/bin/sh\necho '{}' >>'{}'\n{body}\n",
        path.display(),
        ran.display()
    );
    make_program(path, &text);
    path.to_owned()
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// What ran since the last look.
fn ran(context: &TestContext) -> String {
    let file = context.folder().join("ran");
    let text = fs::read_to_string(&file).unwrap_or_default();
    let _ = fs::remove_file(file);
    text
}

/// A project with a nested repository, a folder of it that is a link, and a place outside.
struct World {
    context: TestContext,
    project: PathBuf,
    nested: PathBuf,
    outside: PathBuf,
}

fn world() -> World {
    let context = TestContext::enforcing();
    let project = context.repository("project", &[("a.py", "1")]);
    let nested = context.repository("project/nested", &[("a.py", "1")]);
    let outside = context.folder().join("outside");
    fs::create_dir(&outside).unwrap();
    symlink(&outside, project.join("linked")).unwrap();
    World {
        context,
        project,
        nested,
        outside,
    }
}

impl World {
    /// Where a program of others may be, with the name of the case.
    fn others(&self) -> Vec<(&'static str, PathBuf)> {
        let link = self.context.folder().join("link");
        symlink(self.project.join("bin"), &link).unwrap();
        vec![
            ("in the repository", self.nested.join("bin")),
            ("in the project around it", self.project.join("bin")),
            (
                "behind a linked folder of the project",
                self.project.join("linked/bin"),
            ),
            ("behind a link into the project", link),
        ]
    }

    fn set_path(&mut self, first: &Path) {
        #[expect(clippy::disallowed_methods, reason = "git has to be found")]
        let path = std::env::var_os("PATH").unwrap();
        let rest = std::env::split_paths(&path);
        let all = [first.to_owned()].into_iter().chain(rest);
        self.context.set("PATH", std::env::join_paths(all).unwrap());
    }

    fn doctor(&self, folder: &Path) -> Printed {
        let mut command = self.context.command(BINARY);
        Printed::of(command.arg("doctor").current_dir(folder).output().unwrap())
    }

    fn launch(&self, folder: &Path) -> Printed {
        let mut command = self.context.command(LAUNCHER);
        command
            .args(["hook", "stop", "--plugin"])
            .current_dir(folder);
        self.context.be_patient(&mut command);
        Printed::of(command.output().unwrap()).assert_success()
    }
}

#[test]
fn a_gate_of_a_clone_is_not_run() {
    let mut world = world();
    let agent = Agent::new("a1", &world.nested);
    for (name, folder) in world.others() {
        let gate = plant(&world.context, &folder.join("gate"), REVISE);
        world.context.set("ATTEST_GATES", &gate);
        agent.start(&world.context);
        let stop = agent.stop(&world.context, "Nothing to report.");
        stop.assert_allowed("no answer (it is in the repository)");
        assert_eq!(ran(&world.context), "", "{name}");
    }
    let own = plant(&world.context, &world.outside.join("own/gate"), REVISE);
    world.context.set("ATTEST_GATES", &own);
    set_mode(&own, 0o757);
    agent.start(&world.context);
    let stop = agent.stop(&world.context, "Nothing to report.");
    stop.assert_allowed("no answer (others may write to");
    assert_eq!(ran(&world.context), "");
    set_mode(&own, 0o755);
    agent.start(&world.context);
    agent
        .stop(&world.context, "Nothing to report.")
        .assert_blocked();
    assert!(ran(&world.context).contains("own/gate"));
}

/// The settings of a project with an entry for this program.
fn name_in_project(project: &Path, program: &Path) {
    let entry = |verb: &str| {
        let command = format!("'{}' hook {verb}", program.display());
        json!([{"hooks": [{"type": "command", "command": command, "timeout": 30}]}])
    };
    let hooks = json!({"hooks": {"SubagentStart": entry("start"), "SubagentStop": entry("stop")}});
    fs::create_dir_all(project.join(".claude")).unwrap();
    fs::write(
        project.join(".claude/settings.local.json"),
        hooks.to_string(),
    )
    .unwrap();
}

#[test]
fn doctor_runs_no_program_that_settings_of_a_clone_name() {
    let world = world();
    let as_attest = format!("exec '{BINARY}' \"$@\"");
    let mut others = world.others();
    let another = world.context.repository("another", &[("a.py", "1")]);
    others.push(("in another clone", another.join("bin")));
    for (name, folder) in others {
        let program = plant(&world.context, &folder.join("attest"), &as_attest);
        name_in_project(&world.nested, &program);
        let printed = world.doctor(&world.nested);
        assert_eq!(ran(&world.context), "", "{name}");
        assert!(
            printed
                .stdout
                .contains("was not run: it is in the repository"),
            "{printed:?}"
        );
    }
    // The same with a program outside, which no clone brings.
    let own = plant(
        &world.context,
        &world.outside.join("own/attest"),
        &as_attest,
    );
    name_in_project(&world.nested, &own);
    let printed = world.doctor(&world.nested);
    assert!(ran(&world.context).contains("own/attest"), "{printed:?}");
    assert!(
        printed.stdout.contains("own/attest is version"),
        "{printed:?}"
    );
    set_mode(&own, 0o757);
    let printed = world.doctor(&world.nested);
    assert_eq!(ran(&world.context), "");
    assert!(
        printed.stdout.contains("others may write to"),
        "{printed:?}"
    );
}

#[test]
fn doctor_runs_no_program_of_a_clone_by_the_path() {
    let mut world = world();
    world.context.attest(["install"]).assert_success();
    for (name, folder) in world.others() {
        for program in ["git", "claude", "codex", "attest-scripted-host"] {
            plant(&world.context, &folder.join(program), "exit 1");
        }
        world.set_path(&folder);
        let printed = world.doctor(&world.nested);
        assert_eq!(ran(&world.context), "", "{name}");
        assert!(
            printed.stdout.contains("pass  round trip"),
            "{name}: {printed:?}"
        );
    }
    let own = world.outside.join("own");
    plant(&world.context, &own.join("claude"), "echo 2.1.330");
    world.set_path(&own);
    world.doctor(&world.nested);
    assert!(ran(&world.context).contains("own/claude"));
}

#[test]
fn the_launcher_of_the_checkout_runs_no_program_of_a_clone() {
    let mut world = world();
    let others = world.others();
    for (name, folder) in &others {
        plant(&world.context, &folder.join("attest"), "exit 0");
        for folder in [folder.clone(), "bin".into(), "".into(), "../bin".into()] {
            world.set_path(&folder);
            world.launch(&world.nested);
            assert_eq!(ran(&world.context), "", "{name}: {folder:?}");
        }
    }
    // Behind all of these comes the person's own.
    let own = plant(
        &world.context,
        &world.outside.join("my own/attest"),
        "exit 0",
    );
    let folder = own.parent().unwrap();
    let mut entries: Vec<_> = others.into_iter().map(|(_, folder)| folder).collect();
    entries.extend([folder.to_owned(), "/usr/bin".into(), "/bin".into()]);
    world
        .context
        .set("PATH", std::env::join_paths(&entries).unwrap());
    world.launch(&world.nested);
    assert!(ran(&world.context).contains("my own/attest"));
    for (of_file, of_folder) in [(0o757, 0o755), (0o755, 0o777)] {
        set_mode(&own, of_file);
        set_mode(folder, of_folder);
        world.launch(&world.nested);
        assert_eq!(ran(&world.context), "", "{of_file:o} {of_folder:o}");
    }
    set_mode(folder, 0o755);
    let link = world.context.folder().join("programs");
    fs::create_dir(&link).unwrap();
    symlink(&own, link.join("attest")).unwrap();
    world.set_path(&link);
    world.launch(&world.nested);
    assert!(ran(&world.context).contains("my own/attest"));
}

/// A home folder in version control holds the person's own programs.
#[test]
fn the_programs_of_a_home_folder_in_version_control_are_run() {
    let mut world = world();
    let home = world.context.home().to_owned();
    world.context.git(&home, &["init", "--quiet"]);
    let folder = home.join("work");
    fs::create_dir(&folder).unwrap();
    plant(&world.context, &home.join("bin/attest"), "exit 0");
    plant(&world.context, &home.join("bin/claude"), "echo 2.1.330");
    world.set_path(&home.join("bin"));
    world.doctor(&folder);
    assert!(ran(&world.context).contains("bin/claude"));
    // Settings of a project may say what the home folder of a hook is.
    world.launch(&folder);
    assert_eq!(ran(&world.context), "");
    world.context.git(&folder, &["init", "--quiet"]);
    world.launch(&folder);
    assert!(ran(&world.context).contains("bin/attest"));
}
