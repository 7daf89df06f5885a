//! What is left in the files that a report claims.

use std::fs;

use serde_json::json;

use super::{silent, told};
use crate::common::TestContext;
use crate::common::agent::{Agent, done, told_person};
use crate::common::lines::Lines;
use crate::common::scene::{Scene, settle, write};

const REPORT: &str = "Status: DONE\nFiles changed: src/b.py\n";
/// A file that is large enough to lose something.
const LARGE: usize = 4_000;

fn put(scene: &Scene, path: &str, text: &str) {
    write(&scene.repo.join(path), text);
}

#[test]
fn a_file_that_was_emptied_is_told_of() {
    told(
        REPORT,
        "EMPTIED: \"src/b.py\": the file is empty, and had 4 bytes at the start",
        |scene| put(scene, "src/b.py", ""),
    );
    told(REPORT, "EMPTIED", |scene| {
        put(scene, "src/b.py", "");
        scene.commit();
    });
    // A list says what was done to its files without a status as well.
    let list = "**Files modified:**\n- `src/b.py`\n";
    told(list, "EMPTIED", |scene| put(scene, "src/b.py", ""));
    silent("**Files modified:**\n- `src/b.py` (emptied)\n", |scene| {
        put(scene, "src/b.py", "");
    });
    silent(REPORT, |scene| put(scene, "src/b.py", "three\n"));
}

#[test]
fn whoever_says_that_a_file_was_emptied_is_not_told_of() {
    for report in [
        "Status: DONE\nFiles changed: src/b.py (emptied)\n",
        "Status: DONE\nFiles changed:\n- src/b.py — content moved to src/c.py\n",
        "I truncated the module.\n\nStatus: DONE\nFiles changed: src/b.py\n",
        "All of src/b.py is split into parts.\n\nStatus: DONE\nFiles changed: src/b.py\n",
    ] {
        silent(report, |scene| put(scene, "src/b.py", ""));
    }
    // That it was deleted is another thing, and not so.
    let report = "Status: DONE\nFiles deleted: src/b.py\n";
    told(report, "not all of the claim is borne out", |scene| {
        put(scene, "src/b.py", "");
    });
}

#[test]
fn a_new_file_without_content_is_told_of_unless_that_is_usual() {
    let report = |name: &str| format!("Status: DONE\nFiles created: {name}\n");
    told(&report("src/new.py"), "EMPTY: \"src/new.py\"", |scene| {
        put(scene, "src/new.py", "");
    });
    let list = "### Files created\n\n- `src/new.py` - the cache\n";
    told(list, "EMPTY", |scene| put(scene, "src/new.py", ""));
    for name in [
        "src/__init__.py",
        "out/.gitkeep",
        "src/py.typed",
        "Cargo.lock",
    ] {
        silent(&report(name), |scene| put(scene, name, ""));
    }
    silent(&report("src/new.py"), |scene| {
        put(scene, "src/new.py", "x = 1\n");
    });
}

/// Stops an agent that finds a large file and leaves what `work` makes of it.
fn with_a_large_file(report: &str, work: impl Fn(&Scene)) -> String {
    let mut context = TestContext::enforcing();
    context.set("ATTEST_STRICT", "all");
    let text = "x = 1\n".repeat(LARGE / 6);
    let scene = Scene::of(context, &[("src/large.py", &text)]);
    settle();
    let agent = Agent::new("agent", &scene.repo);
    agent.start(&scene.context);
    work(&scene);
    let stop = agent.stop(&scene.context, report);
    assert!(stop.block().is_none(), "{stop:#?}");
    stop.0.stderr
}

#[test]
fn a_file_that_lost_nearly_all_is_told_of_unless_it_went_elsewhere() {
    let report = "Status: DONE\nFiles changed: src/large.py\n";
    let gut = |scene: &Scene| put(scene, "src/large.py", "x = 2\n");
    let said = with_a_large_file(report, gut);
    let words =
        "GUTTED: \"src/large.py\": the file has 6 bytes left, and had 3996 bytes at the start";
    assert!(said.contains(words), "{said}");
    let split = with_a_large_file(report, |scene| {
        let text = fs::read_to_string(scene.repo.join("src/large.py")).unwrap();
        put(scene, "src/part.py", &text);
        gut(scene);
    });
    assert!(!split.contains("GUTTED"), "{split}");
    let told = format!("The module is a re-export by now.\n\n{report}");
    let said = with_a_large_file(&told, gut);
    assert!(!said.contains("GUTTED"), "{said}");
    let half = with_a_large_file(report, |scene| {
        put(scene, "src/large.py", &"x = 2\n".repeat(300));
    });
    assert!(!half.contains("GUTTED"), "{half}");
    let kept_elsewhere = with_a_large_file(report, |scene| {
        let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:1a\nsize 3996\n";
        put(scene, "src/large.py", pointer);
    });
    assert!(!kept_elsewhere.contains("GUTTED"), "{kept_elsewhere}");
}

#[test]
fn a_file_that_lost_nearly_all_is_not_told_of_where_the_prompt_asks_for_it() {
    let report = "Status: DONE\nFiles changed: src/large.py\n";
    for (prompt, left, is_asked) in [
        ("Empty src/large.py, we start over.", "", true),
        (
            "Replace src/large.py by a stub that raises.",
            "x = 2\n",
            true,
        ),
        ("Boil large.py down to one value.", "x = 2\n", true),
        ("Fix the dates in src/large.py.", "x = 2\n", false),
        ("Change only src/large.py.", "x = 2\n", false),
        ("Fix the dates in src/large.py.", "", false),
        ("Remove the old parser.", "x = 2\n", false),
    ] {
        let text = "x = 1\n".repeat(LARGE / 6);
        let scene = Scene::of(TestContext::enforcing(), &[("src/large.py", &text)]);
        settle();
        let agent = Agent::new("agent", &scene.repo);
        agent.start(&scene.context);
        put(&scene, "src/large.py", left);
        let mut lines = Lines::default();
        lines.asked(prompt);
        let input = json!({"file_path": scene.repo.join("src/large.py"), "content": left});
        lines.call("Write", &input, Some(Ok("")));
        lines.end(report);
        let transcript = scene.path("agent.jsonl");
        write(&transcript, &lines.0);
        let fields = json!({"agent_transcript_path": transcript});
        let said = agent.stop_with(&scene.context, report, &fields).0.stderr;
        let is_told = said.contains("GUTTED") || said.contains("EMPTIED");
        assert_eq!(is_told, !is_asked, "{prompt}: {said}");
    }
}

/// What it held then is not kept, and that it was something is known.
#[test]
fn a_file_that_differed_at_the_start_is_judged_by_what_is_known() {
    let stop = |before: &str| {
        let scene = Scene::of(TestContext::enforcing(), &[("a.py", "one\n")]);
        put(&scene, "a.py", before);
        settle();
        let agent = Agent::new("agent", &scene.repo);
        agent.start(&scene.context);
        put(&scene, "a.py", "");
        agent.stop(&scene.context, &done("a.py")).0.stderr
    };
    let said = stop("two\nthree\n");
    assert!(
        said.contains("EMPTIED: \"a.py\": the file is empty, and was not at the start"),
        "{said}"
    );
    assert!(!stop("").contains("EMPT"));
}

#[test]
fn nothing_is_held_against_an_agent_among_others() {
    let scene = Scene::of(TestContext::enforcing(), &[("a.py", "one\n")]);
    settle();
    let (one, other) = (
        Agent::new("one", &scene.repo),
        Agent::new("other", &scene.repo),
    );
    one.start(&scene.context);
    other.start(&scene.context);
    put(&scene, "a.py", "");
    let said = one.stop(&scene.context, &done("a.py")).0.stderr;
    assert!(!said.contains("EMPT"), "{said}");
}

/// Stubs are a fact to look up, and no news.
#[test]
fn stubs_are_shown_and_not_told() {
    let stop = |text: &'static str| {
        let scene = Scene::of(TestContext::enforcing(), &[("a.py", "# TODO: more\n")]);
        settle();
        let agent = Agent::new("agent", &scene.repo);
        agent.start(&scene.context);
        put(&scene, "a.py", text);
        let stop = agent.stop(&scene.context, &done("a.py"));
        let shown = scene.context.attest(["show"]).assert_success().stdout;
        let news = cfg!(unix).then(|| told_person(&scene.context)).flatten();
        (stop.0.stderr, shown, news)
    };
    let (said, shown, news) =
        stop("# TODO: more\ndef f():\n    raise NotImplementedError  # FIXME\n");
    let words = "2 more than at the start: NotImplementedError, FIXME";
    assert!(
        said.contains(&format!("STUBS: \"a.py\": {words}")),
        "{said}"
    );
    assert!(shown.contains("STUBS"), "{shown}");
    assert_eq!(news, None);
    let (said, ..) = stop("# TODO: more\ndef f():\n    return 1\n");
    assert!(!said.contains("STUBS"), "{said}");
}
