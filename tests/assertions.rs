//! What reports say beside their files, through the real binary. Each honest agent has a twin who says the same of
//! something that is not so: the first is never told of, the second is, with what was seen.

mod checks;
#[cfg(unix)]
mod commits;
mod content;
mod reads;

use crate::common::TestContext;
use crate::common::agent::{Agent, Stop};
use crate::common::scene::{Scene, settle};

const FILES: &[(&str, &str)] = &[("a.py", "one\n"), ("src/b.py", "two\n")];

/// Everything that may disprove a DONE is switched on, so that what is only told shows that it is.
fn stop(report: &str, work: impl Fn(&Scene)) -> Stop {
    let mut context = TestContext::enforcing();
    context.set("ATTEST_STRICT", "all");
    let scene = Scene::of(context, FILES);
    settle();
    let agent = Agent::new("agent", &scene.repo);
    agent.start(&scene.context);
    work(&scene);
    agent.stop(&scene.context, report)
}

/// Nothing is said against the report.
#[track_caller]
fn silent(report: &str, work: impl Fn(&Scene)) {
    let stop = stop(report, work);
    assert!(stop.block().is_none(), "{stop:#?}");
    assert!(!stop.0.stderr.contains("WARN"), "{stop:#?}");
}

/// It is told with these words, and the agent is let go.
#[track_caller]
fn told(report: &str, words: &str, work: impl Fn(&Scene)) {
    let stop = stop(report, work);
    assert!(stop.block().is_none(), "{stop:#?}");
    assert!(stop.0.stderr.contains(words), "{stop:#?}");
}

#[test]
fn a_clean_work_tree() {
    let report = "Status: DONE\nFiles changed: made.py\nWorking tree: clean\n";
    silent(report, |scene| {
        scene.write("made.py");
        scene.commit();
    });
    told(
        report,
        "TREE_DIRTY: \"clean\": \"made.py\" changed",
        |scene| {
            scene.write("made.py");
        },
    );
}

/// What is left uncommitted beside the files of the report may be meant to be.
#[test]
fn what_is_said_to_be_committed() {
    let report = "Status: DONE\nFiles changed: made.py\nCommitted: yes\n";
    silent(report, |scene| {
        scene.write("made.py");
        scene.commit();
        scene.write("notes/made.py");
    });
    let words = "TREE_DIRTY: \"the files are committed\": \"made.py\" changed and is not committed";
    told(report, words, |scene| scene.write("made.py"));
}
