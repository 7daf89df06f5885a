//! Hooks that would run twice for one event: from two files of one host, or because one host runs the files of
//! another as well.

use super::others::Installed;
use super::report::Check;

const NAME: &str = "hooks";

/// One warning for each pair of files.
pub(super) fn check(installed: &[Installed]) -> Vec<Check> {
    let mut checks = Vec::new();
    for (index, one) in installed.iter().enumerate() {
        for other in installed.iter().skip(index + 1) {
            let runner = [one, other].into_iter().find(|runner| {
                let borrowed = if std::ptr::eq(*runner, one) {
                    other
                } else {
                    one
                };
                runs_both(runner, borrowed)
            });
            checks.extend(runner.map(|runner| twice(runner, one, other)));
        }
    }
    checks
}

/// Whether the host of `own` runs the hooks of both files.
fn runs_both(own: &Installed, other: &Installed) -> bool {
    if own.host.name() == other.host.name() {
        return shares_an_event(own, other);
    }
    own.host.profile().borrows.iter().any(|borrowed| {
        borrowed.host == other.host.name() && (other.is_of_project || borrowed.is_of_person)
    })
}

/// A host with several files of its own needs them all; only one event in two files is one too many.
fn shares_an_event(one: &Installed, other: &Installed) -> bool {
    let is_in_other = |event: &String| other.entries.iter().any(|entry| entry.event == *event);
    one.entries.iter().any(|entry| is_in_other(&entry.event))
}

fn twice(runner: &Installed, one: &Installed, other: &Installed) -> Check {
    let title = runner.host.profile().executable.title;
    let (name, project) = (
        runner.host.name(),
        if runner.is_of_project {
            " --project"
        } else {
            ""
        },
    );
    Check::warn(
        NAME,
        format!(
            "{title} runs the hooks of {} and of {}: each of them twice",
            one.place.path.display(),
            other.place.path.display()
        ),
        format!("run `attest uninstall --host {name}{project}`, or take out the others"),
    )
}
