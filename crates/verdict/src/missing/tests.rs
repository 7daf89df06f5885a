use attest_claim::parse;
use attest_evidence::{ChangedElsewhere, PathEvidence};

use super::*;
use crate::path_finding::tests::Seen;
use crate::{Strict, Who, weigh};

/// What was found out of every file alike.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent answers")]
pub(crate) struct Found {
    own_write: Option<Was>,
    written_to: &'static [&'static str],
    met: Option<Was>,
    removal: Option<Removal>,
    moved: Option<&'static str>,
    may_be_own_removal: bool,
    may_be_removed_by_others: bool,
    has_all_calls: bool,
    may_be_written: bool,
    may_be_made: bool,
    has_others: bool,
    is_alone: bool,
    is_cut: bool,
    trace: Option<Trace>,
    renamed: &'static str,
    keeps_a_file: bool,
}

impl Found {
    /// Nothing, though all calls of the agent are known.
    pub(crate) fn nothing() -> Self {
        Self {
            has_all_calls: true,
            ..Self::default()
        }
    }
}

impl Search for Found {
    fn own_write(&self, _: &str) -> Option<(Was, Vec<String>)> {
        let paths = self.written_to.iter().map(|path| (*path).to_owned());
        self.own_write.clone().map(|was| (was, paths.collect()))
    }

    fn met(&self, _: &str) -> Option<Was> {
        self.met.clone()
    }

    fn taken_back(&self, _: &[&str]) -> BTreeMap<String, TakenBack> {
        BTreeMap::new()
    }

    fn removal(&self, _: Sought<'_>) -> Option<Removal> {
        self.removal.clone()
    }

    fn moved(
        &self,
        _: &str,
        _: Option<&Removal>,
        _: &[(RepoPath, Change)],
    ) -> Option<(String, Option<RepoPath>)> {
        Some((self.moved?.to_owned(), None))
    }

    fn may_be_own_removal(&self, _: Sought<'_>) -> bool {
        self.may_be_own_removal
    }

    fn may_be_removed_by_others(&self, _: &str) -> bool {
        self.may_be_removed_by_others
    }

    fn has_all_calls(&self) -> bool {
        self.has_all_calls
    }

    fn may_be_written(&self, _: &str) -> bool {
        self.may_be_written
    }

    fn may_be_made(&self, _: &str) -> bool {
        self.may_be_made
    }

    fn has_others(&self) -> bool {
        self.has_others
    }

    fn is_alone(&self) -> bool {
        self.is_alone
    }

    fn cut(&self) -> Option<SeenDoubt> {
        self.is_cut.then_some(SeenDoubt::Outside)
    }

    fn trace(&self, _: &str) -> Trace {
        self.trace.unwrap_or(Trace::Changed)
    }

    fn renamed_one<'p>(&self, paths: &'p [RepoPath]) -> Option<(&'p RepoPath, i64)> {
        let mut paths = paths.iter();
        let path = paths.find(|path| path.to_string() == self.renamed)?;
        Some((path, 0))
    }

    fn keeps_a_file_of_no_name(&self) -> bool {
        self.keeps_a_file
    }
}

fn written() -> Was {
    Was::Written {
        tool: "Write".to_owned(),
        at: None,
    }
}

fn find(found: &Found) -> Option<Whereabouts> {
    LookedFor::of(found, Path::new("/repo"), None).find("src/a.py", true)
}

/// Who says it of a file that no call can have written still has to be believed of nothing.
#[test]
fn a_report_that_says_itself_that_it_is_gone_is_believed_where_calls_may_be_unknown() {
    let message = "Files changed:\n- src/a.py\n\nBoth were rolled back at the end.";
    let find = |found: &Found, message| {
        let looked_for = LookedFor {
            message,
            ..LookedFor::of(found, Path::new("/repo"), None)
        };
        looked_for.find("src/a.py", true)
    };
    let said = Some(Whereabouts::Doubted(Doubt::SaidGone));
    assert_eq!(find(&Found::default(), message), said);
    assert_eq!(find(&Found::default(), "Files changed:\n- src/a.py"), None);
    assert_eq!(find(&Found::nothing(), message), None);
}

/// `git rm a.py` removes `a.py`, and may remove `src/a.py` in another folder.
#[test]
fn what_a_call_says_of_another_file_of_the_name_that_is_gone_is_not_said_of_this_one() {
    let found = Found {
        met: Some(written()),
        ..Found::nothing()
    };
    let known = |gone: &str| {
        let path = RepoPath::from_git(gone.as_bytes()).unwrap();
        let seen = crate::path_finding::tests::Seen(&[]);
        let verdict = crate::weigh(
            &attest_claim::parse("Status: DONE"),
            vec![(path, Change::Deleted)],
            crate::Strict::default(),
            &seen,
        );
        LookedFor::of(&found, Path::new("/repo"), Some(&verdict)).find("src/a.py", true)
    };
    for gone in ["a.py", "pkg/src/a.py"] {
        let known = known(gone);
        assert!(
            matches!(known, Some(Whereabouts::Doubted(Doubt::SameName(_)))),
            "{gone}: {known:?}"
        );
    }
    for gone in ["src/a.py", "lib/a.py"] {
        assert!(matches!(known(gone), Some(Whereabouts::Lost(_))), "{gone}");
    }
}

fn doubt(found: &Found) -> Option<Doubt> {
    match find(found) {
        None => None,
        Some(Whereabouts::Doubted(doubt)) => Some(doubt),
        Some(Whereabouts::Lost(lost)) => lost.doubt,
        Some(other) => panic!("{other:?}"),
    }
}

/// Of an agent that is known to have written nothing there, nothing is doubted, whatever else came or went.
#[test]
fn a_ghost_stays_a_ghost_where_all_calls_are_known() {
    let known = Found {
        has_all_calls: true,
        has_others: true,
        may_be_removed_by_others: true,
        keeps_a_file: true,
        ..Found::default()
    };
    assert_eq!(find(&known), None);
    let at_rest = Found {
        trace: Some(Trace::AtRest),
        has_others: true,
        ..Found::default()
    };
    assert_eq!(find(&at_rest), None, "nothing came or went in its folder");
}

#[test]
fn what_may_have_been_there_and_taken_away_is_a_doubt() {
    let (by_command, blind) = (
        || Found {
            has_all_calls: true,
            may_be_written: true,
            ..Found::default()
        },
        Found::default,
    );
    for (found, expected) in [
        (
            Found {
                may_be_removed_by_others: true,
                ..by_command()
            },
            Some(Doubt::MayBeRemoved),
        ),
        (by_command(), None),
        (
            Found {
                may_be_made: true,
                has_all_calls: true,
                ..Found::default()
            },
            Some(Doubt::MayBeMade),
        ),
        (
            Found {
                may_be_made: true,
                trace: Some(Trace::AtRest),
                ..by_command()
            },
            None,
        ),
        (
            Found {
                trace: Some(Trace::NameGone(0)),
                has_others: true,
                ..blind()
            },
            Some(Doubt::MayBeRemoved),
        ),
        (
            Found {
                trace: Some(Trace::NameGone(0)),
                ..blind()
            },
            Some(Doubt::NameGone("00:00:00 UTC".to_owned())),
        ),
        (
            Found {
                keeps_a_file: true,
                ..blind()
            },
            Some(Doubt::Leftover(
                "git keeps a content that no commit and no index names".to_owned(),
            )),
        ),
        (blind(), None),
        (
            Found {
                is_cut: true,
                has_all_calls: true,
                ..blind()
            },
            Some(SeenDoubt::Outside.into()),
        ),
    ] {
        assert_eq!(doubt(&found), expected);
    }
}

/// What the agent wrote and is gone is lost: without a doubt only where it is known that nobody can have removed it.
#[test]
fn what_was_written_is_lost_and_never_absent() {
    let lost = || Found {
        own_write: Some(written()),
        has_all_calls: true,
        is_alone: true,
        ..Found::default()
    };
    for (found, expected) in [
        (lost(), None),
        (
            Found {
                may_be_own_removal: true,
                ..lost()
            },
            Some(Doubt::OwnRemoval),
        ),
        (
            Found {
                has_all_calls: false,
                ..lost()
            },
            Some(Doubt::CallsUnknown),
        ),
        (
            Found {
                is_alone: false,
                ..lost()
            },
            Some(Doubt::PerhapsOthers),
        ),
        (
            Found {
                own_write: None,
                met: Some(Was::Recorded {
                    who: Who::Main,
                    at: None,
                }),
                ..lost()
            },
            Some(Doubt::NotSeenWritten),
        ),
    ] {
        let known = find(&found);
        let is_lost = matches!(&known, Some(Whereabouts::Lost(lost)) if lost.doubt == expected);
        assert!(is_lost, "{known:?}");
    }
}

#[test]
fn what_is_found_under_another_name_is_not_lost() {
    let moved = Found {
        own_write: Some(written()),
        moved: Some("src/b.py"),
        ..Found::default()
    };
    let Some(Whereabouts::Moved { to, path }) = find(&moved) else {
        panic!()
    };
    assert_eq!(to, "what was written to it is in \"src/b.py\"");
    assert_eq!(path, None);
}

/// Of what a command wrote the content is not known.
#[test]
fn what_somebody_may_have_moved_within_the_tree_is_not_lost() {
    let find = |renamed, list: &str, changed: &'static str, strict| {
        let path = RepoPath::from_git(changed.as_bytes()).unwrap();
        let written = (path.clone(), Change::Written);
        let change = Change::Written;
        let seen = [(changed, PathEvidence::Changed { path, change })];
        let claim = parse(&format!("Status: DONE\nFiles changed: {list}"));
        let verdict = weigh(&claim, vec![written], strict, &Seen(&seen));
        let found = Found {
            own_write: Some(written_by_command()),
            renamed,
            ..Found::nothing()
        };
        LookedFor::of(&found, Path::new("/repo"), Some(&verdict)).find("src/a.py", true)
    };
    let basename = Strict {
        basename: true,
        ..Strict::default()
    };
    for strict in [Strict::default(), basename] {
        for (renamed, changed) in [("", "pkg/src/a.py"), ("", "lib/A.py"), ("b.py", "b.py")] {
            let known = find(renamed, "src/a.py", changed, strict);
            let is_doubted = matches!(
                &known,
                Some(Whereabouts::Doubted(Doubt::PerhapsMoved(path))) if path.to_string() == changed
            );
            assert!(is_doubted, "{changed}: {known:?}");
        }
        // One that was written where it is, and one that is claimed beside it.
        for (renamed, list, changed) in [
            ("", "src/a.py", "b.py"),
            ("b.py", "src/a.py, b.py", "b.py"),
            ("", "src/a.py, lib/a.py", "lib/a.py"),
        ] {
            let known = find(renamed, list, changed, strict);
            let is_lost = matches!(known, Some(Whereabouts::Lost(_)));
            assert!(is_lost, "{list}: {known:?}");
        }
    }
}

fn written_by_command() -> Was {
    Was::ToBeWritten {
        command: "cat > src/a.py".to_owned(),
        at: None,
    }
}

/// A path in doubt anyway is looked for only where the agent wrote it.
#[test]
fn what_disproves_nothing_is_asked_of_the_agent_alone() {
    let met = Found {
        met: Some(written()),
        ..Found::default()
    };
    let find =
        |found: &Found| LookedFor::of(found, Path::new("/repo"), None).find("src/a.py", false);
    assert_eq!(find(&met), None);
    let own = Found {
        own_write: Some(written()),
        ..Found::default()
    };
    assert!(find(&own).is_some());
    let may_be = |found: &Found| may_have_been(found, Path::new("/repo"), "src/a.py");
    assert!(may_be(&met) && !may_be(&Found::default()));
}

#[test]
fn what_lies_below_a_temporary_folder_is_not_meant_to_stay() {
    let root = Path::new("/w/tmp/repo");
    for name in ["tmp/a.py", "src/.scratch/a.py", "/w/tmp/repo/Temp/a.py"] {
        assert!(is_temporary(name, root), "{name}");
    }
    for name in [
        "tmp.py",
        "src/a.py",
        "/w/tmp/repo/src/a.py",
        "templates/tmp",
    ] {
        assert!(!is_temporary(name, root), "{name}");
    }
    let found = Found {
        own_write: Some(written()),
        ..Found::default()
    };
    let known = LookedFor::of(&found, Path::new("/repo"), None).find("tmp/a.py", true);
    assert_eq!(known, Some(Whereabouts::Doubted(Doubt::Temporary)));
}

/// The end of a path stands for the path that was written: all that speaks for that one speaks for it too.
#[test]
fn the_end_of_a_path_is_lost_only_if_the_path_that_was_written_is() {
    const PATH: &str = "web/src/Card.tsx";
    let path = |text: &str| RepoPath::from_git(text.as_bytes()).unwrap();
    let found = Found {
        own_write: Some(written()),
        written_to: &[PATH],
        ..Found::default()
    };
    let is_lost_with = |name: &str, seen: &[(&str, PathEvidence)], changed: &str| {
        let observed = vec![(path(changed), Change::Written)];
        let seen = Seen(seen);
        let verdict = weigh(&parse(""), observed, Strict::default(), &seen);
        let looked_for = LookedFor {
            evidence: Some(&seen),
            ..LookedFor::of(&found, Path::new("/repo"), Some(&verdict))
        };
        let known = looked_for.find(name, false);
        matches!(known, Some(Whereabouts::Lost(_)))
    };
    let is_lost = |name: &str, seen, changed: &str| is_lost_with(name, &[(PATH, seen)], changed);
    let absent = || PathEvidence::Absent(path(PATH));
    let landed = PathEvidence::ChangedElsewhere(ChangedElsewhere::History(path(PATH)));
    let outside = PathEvidence::Inconclusive(SeenDoubt::Outside);
    let renamed = PathEvidence::Changed {
        path: path(PATH),
        change: Change::Deleted,
    };
    assert!(is_lost("Card.tsx", absent(), "src/a.ts"));
    assert!(is_lost("src/Card.tsx", absent(), "lib/a.tsx"));
    assert!(is_lost(PATH, absent(), "lib/a.tsx"));
    assert!(!is_lost("src/Card.tsx", absent(), "ui/src/Card.tsx"));
    let inner = [("src/Card.tsx", landed.clone())];
    assert!(!is_lost_with("Card.tsx", &inner, "src/a.ts"));
    for seen in [landed, outside, renamed] {
        assert!(!is_lost("Card.tsx", seen, "src/a.ts"));
    }
}
