use std::path::PathBuf;

use attest_host::hosts;
use attest_host::settings::SettingsPlace;

use super::*;
use crate::in_force::layers;
use attest_base::env::Env;

impl Enforcement {
    /// Whether anybody may be sent back.
    fn is_on(&self) -> bool {
        self.covered != Covered::Nobody && self.obstacles.is_empty()
    }
}

/// A file of the usual host with this content.
fn layer(name: &str, owner: Owner, content: &str) -> Layer {
    let place = SettingsPlace {
        path: PathBuf::from(name),
        file: hosts::usual().wiring().any_file().unwrap(),
        own_folder: None,
    };
    layers::of_content(&place, owner, content.as_bytes())
}

const STOP: &str = r#""hooks": {"SubagentStop": [{"hooks": [
    {"type": "command", "command": "/bin/attest hook stop", "timeout": 30}]}]}"#;

/// What comes of the settings of a person with the hooks, of a project and of an administrator.
fn of(person: &str, project: &str, administrator: &str) -> Enforcement {
    let person = format!("{{{STOP}, {}", person.strip_prefix('{').unwrap());
    let person = person.replace(", }", "}");
    let layers = vec![
        layer("/person", Owner::Person, &person),
        layer("/project", Owner::Project, project),
        layer("/administrator", Owner::Administrator, administrator),
    ];
    let env = Env::from([]);
    InForce::with(hosts::usual(), layers, &env).enforcement()
}

const ON: &str = r#"{"env": {"ATTEST_ENFORCE": "1"}}"#;

fn said(person: &str, project: &str, administrator: &str) -> String {
    of(person, project, administrator).sentence("is")
}

#[test]
fn the_file_that_counts_most_decides() {
    let off = r#"{"env": {"ATTEST_ENFORCE": "0"}}"#;
    assert_eq!(
        said(ON, "{}", "{}"),
        "enforcement is on for every type of agent"
    );
    for project in ["{}", ON] {
        let expected = "enforcement is off: nothing is blocked, only reported";
        assert_eq!(said(ON, project, off), expected);
    }
    // A project turns nothing off.
    assert!(of(ON, off, "{}").is_on());
    assert!(of(off, "{}", ON).is_on());
    let types = r#"{"env": {"ATTEST_ENFORCE_AGENTS": "Explore"}}"#;
    assert_eq!(said(ON, types, "{}"), "enforcement is on for Explore");
}

#[test]
fn a_switch_is_off_if_the_file_that_counts_most_says_so() {
    let (off, on) = (
        r#"{"disableAllHooks": true}"#,
        r#"{"disableAllHooks": false}"#,
    );
    let both = ON.replacen('{', r#"{"disableAllHooks": true, "#, 1);
    assert_eq!(
        said(ON, off, "{}"),
        "enforcement is on for every type of agent, but nothing is blocked: `disableAllHooks` is true in /project"
    );
    assert!(said(&both, "{}", "{}").ends_with("is true in /person"));
    assert!(of(&both, on, "{}").is_on());
    assert!(said(&both, on, off).ends_with("is true in /administrator"));
    assert_eq!(of(&both, off, off).obstacles.len(), 1);
}

#[test]
fn only_an_administrator_can_leave_the_hooks_of_others_out() {
    let managed = r#"{"allowManagedHooksOnly": true}"#;
    assert!(
        of(
            &ON.replacen('{', r#"{"allowManagedHooksOnly": true, "#, 1),
            managed,
            "{}"
        )
        .is_on()
    );
    let said = said(ON, "{}", managed);
    assert!(
        said.ends_with("`allowManagedHooksOnly` is true in /administrator"),
        "{said}"
    );
    let with_hooks = format!(r#"{{"allowManagedHooksOnly": true, {STOP}}}"#);
    assert!(of(ON, "{}", &with_hooks).is_on());
}

#[test]
fn without_hooks_and_with_a_limit_of_nothing_nobody_is_blocked() {
    let env = Env::from([]);
    let bare = vec![layer("/person", Owner::Person, ON)];
    let bare = InForce::with(hosts::usual(), bare, &env).enforcement();
    assert_eq!(
        bare.obstacles,
        [Obstacle::NoHooks {
            command: "attest install".to_owned()
        }]
    );
    assert_eq!(bare.covered, Covered::Everybody);
    let plugin = ON.replacen('{', r#"{"enabledPlugins": {"attest@attest": true}, "#, 1);
    let plugin = vec![layer("/person", Owner::Person, &plugin)];
    assert!(
        InForce::with(hosts::usual(), plugin, &env)
            .enforcement()
            .is_on()
    );
    let none = r#"{"env": {"ATTEST_MAX_RETRIES": 0}}"#;
    let said = said(ON, "{}", none);
    let expected = "ATTEST_MAX_RETRIES=0 in /administrator";
    assert!(said.ends_with(expected), "{said}");
    assert!(of(ON, none, "{}").is_on());
}
