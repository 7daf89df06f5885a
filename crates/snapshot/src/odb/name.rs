//! Objects by the first digits of their names, and whether a store can be said not to have one.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::kind::ObjectKind;
use super::loose::Loose;
use super::oid::Oid;
use super::{Odb, Source};
use crate::bounds::{self, Count};
use crate::deadline::check_time;
use crate::nothing::is_missing;
use crate::{Doubt, Unreadable};

/// Digits of a whole name by SHA-1.
const SHA1_DIGITS: usize = 40;

/// What has a name that begins with some digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Named {
    Nothing,
    One(Oid, ObjectKind),
    Several,
}

impl Odb<'_> {
    /// The object whose name begins with these hex digits, in lower case, or is these.
    pub(crate) fn named(&self, digits: &str) -> Result<Named, Unreadable> {
        check_time(self.limits)?;
        let files = match &self.source {
            Source::Program(program) => return program.borrow_mut().named(digits),
            Source::Files(files) => self.files(files)?,
        };
        // What libgit2 can open has names by SHA-1 only.
        let Some(first) = Oid::from_hex(format!("{digits:0<SHA1_DIGITS$}").as_bytes()) else {
            return Ok(Named::Nothing);
        };
        if digits.len() > SHA1_DIGITS {
            return Ok(Named::Nothing);
        }
        let mut found: BTreeSet<_> = files.loose.named(digits)?.into_iter().collect();
        found.extend(files.packs.from(first.as_bytes())?);
        found.retain(|oid| oid.to_string().starts_with(digits));
        match (found.pop_first(), found.is_empty()) {
            (None, _) => Ok(Named::Nothing),
            (Some(oid), true) => {
                let found = self.find(oid)?;
                Ok(found.map_or(Named::Nothing, |(kind, _)| Named::One(oid, kind)))
            }
            (Some(_), false) => Ok(Named::Several),
        }
    }

    /// Whether an object with such a name that is not found is certainly not there: all stores can be listed, and
    /// the repository was not told to do without a part of its history.
    pub(crate) fn check_whole(&self, digits: &str) -> Result<(), Doubt> {
        let unreadable = |why: Unreadable| Doubt::Unreadable(why.to_string());
        let is_there = |name: &str| fs::symlink_metadata(self.common_dir.join(name)).is_ok();
        if is_there("shallow") {
            return Err(Doubt::PartOfHistory);
        }
        let first = digits.get(..2).unwrap_or_default();
        for store in Loose::of(&self.common_dir, self.limits)
            .map_err(unreadable)?
            .stores()
        {
            // A store that others refer to may be on a disk that is not there now.
            fs::read_dir(store).map_err(|error| unreadable(Unreadable::io(store, error)))?;
            check_listed(&store.join(first), |_| false)?;
            check_listed(&store.join("pack"), |name| name.ends_with(".promisor"))?;
        }
        Ok(())
    }
}

/// Lists a folder of a store, in which no name may say that the store is not whole.
fn check_listed(folder: &Path, is_of_part: impl Fn(&str) -> bool) -> Result<(), Doubt> {
    let unreadable = |error| Doubt::Unreadable(Unreadable::io(folder, error).to_string());
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if is_missing(&error) => return Ok(()),
        Err(error) => return Err(unreadable(error)),
    };
    let mut count = Count::of(bounds::LISTED);
    for entry in entries {
        count.add(1)?;
        if is_of_part(&entry.map_err(unreadable)?.file_name().to_string_lossy()) {
            return Err(Doubt::PartOfHistory);
        }
    }
    Ok(())
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::leads_to;
    use super::*;
    use crate::scratch::Scratch;
    use crate::{Limits, Repository};

    fn with_both(scratch: &Scratch, look: impl Fn(&Odb<'_>)) {
        for repository in scratch.both() {
            let limits = Limits::default();
            look(&repository.odb(&limits));
        }
    }

    #[test]
    fn a_commit_is_found_by_its_first_digits_loose_and_packed() {
        let scratch = Scratch::new(&["a.py"]);
        let name = scratch.ask(&["rev-parse", "HEAD"], b"");
        let oid = Oid::from_hex(name.as_bytes()).unwrap();
        let tree = scratch.ask(&["rev-parse", "HEAD^{tree}"], b"");
        for pack in [false, true] {
            if pack {
                scratch.git(&["gc", "--quiet"]);
            }
            with_both(&scratch, |odb| {
                for digits in [&name[..7], &name[..20], &name] {
                    assert_eq!(
                        odb.named(digits).unwrap(),
                        Named::One(oid, ObjectKind::Commit)
                    );
                }
                let found = odb.named(&tree[..7]).unwrap();
                assert!(matches!(found, Named::One(_, ObjectKind::Tree)));
                for digits in [7, 40, 64].map(|count| "0".repeat(count)) {
                    assert_eq!(odb.named(&digits).unwrap(), Named::Nothing, "{digits}");
                    assert_eq!(odb.check_whole(&digits), Ok(()));
                }
            });
        }
    }

    #[test]
    fn digits_that_several_objects_share_name_none_of_them() {
        let scratch = Scratch::new(&[]);
        let blobs = (0..1_000).map(|number| format!("blob\ndata <<E\n{number}\nE\n"));
        let stream: String = blobs.collect();
        scratch.ask(&["fast-import", "--quiet"], stream.as_bytes());
        let format = "--batch-check=%(objectname)";
        let names = scratch.ask(&["cat-file", "--batch-all-objects", format], b"");
        let start = |name: &str| name[..4].to_owned();
        let mut seen = BTreeSet::new();
        let shared = names
            .lines()
            .map(start)
            .find(|start| !seen.insert(start.clone()));
        let shared = shared.expect("two of 1,000 names begin alike");
        with_both(&scratch, |odb| {
            assert_eq!(odb.named(&shared).unwrap(), Named::Several);
        });
    }

    #[test]
    fn names_by_sha_256_are_found() {
        let scratch = Scratch::new(&[]);
        scratch.git(&["init", "--quiet", "--object-format=sha256", "other"]);
        let other = scratch.root.join("other");
        let other = other.to_str().unwrap();
        scratch.git(&[
            "-C",
            other,
            "commit",
            "--quiet",
            "--allow-empty",
            "--message=x",
        ]);
        let name = scratch.ask(&["-C", other, "rev-parse", "HEAD"], b"");
        let limits = Limits::default();
        let repository = Repository::discover(other.as_ref(), &limits).unwrap();
        let odb = repository.odb(&limits);
        let oid = Oid::from_hex(name.as_bytes()).unwrap();
        for digits in [&name[..7], &name[..40], &name] {
            assert_eq!(
                odb.named(digits).unwrap(),
                Named::One(oid, ObjectKind::Commit)
            );
        }
        assert_eq!(odb.named(&"0".repeat(64)).unwrap(), Named::Nothing);
    }

    type Loss = fn(&Scratch);

    #[test]
    fn a_store_that_may_lack_something_says_so() {
        let losses: [(Loss, Doubt); 2] = [
            (
                |scratch| scratch.write(".git/shallow", "x\n"),
                Doubt::PartOfHistory,
            ),
            (
                |scratch| scratch.write(".git/objects/pack/pack-1.promisor", ""),
                Doubt::PartOfHistory,
            ),
        ];
        for (lose, doubt) in losses {
            let scratch = Scratch::new(&["a.py"]);
            lose(&scratch);
            with_both(&scratch, |odb| {
                assert_eq!(odb.check_whole("0000000"), Err(doubt.clone()));
            });
        }
        let scratch = Scratch::new(&["a.py"]);
        scratch.write(".git/objects/info/alternates", "/nowhere/objects\n");
        with_both(&scratch, |odb| {
            assert!(matches!(
                odb.check_whole("0000000"),
                Err(Doubt::Unreadable(_))
            ));
        });
    }

    #[test]
    fn what_a_branch_leads_to_is_what_lies_behind_it() {
        let scratch = Scratch::new(&["a.py"]);
        let oid = |name: &str| {
            let text = scratch.ask(&["rev-parse", name], b"");
            Oid::from_hex(text.as_bytes()).unwrap()
        };
        for number in 0..5 {
            let message = format!("--message={number}");
            scratch.git(&["commit", "--quiet", "--allow-empty", &message]);
        }
        scratch.git(&["branch", "side", "HEAD~3"]);
        scratch.git(&[
            "commit",
            "--quiet",
            "--allow-empty",
            "--amend",
            "--message=x",
        ]);
        let (old, first) = (oid("HEAD@{1}"), oid("HEAD~5"));
        with_both(&scratch, |odb| {
            let leads = |from: Oid, to: Oid| leads_to(odb, &BTreeSet::from([from]), to).unwrap();
            assert_eq!(leads(oid("HEAD"), first), Some(true));
            assert_eq!(leads(oid("HEAD"), oid("HEAD")), Some(true));
            assert_eq!(leads(oid("HEAD"), old), Some(false));
            assert_eq!(leads(oid("side"), oid("HEAD")), Some(false));
            assert_eq!(leads(oid("side"), oid("HEAD~4")), Some(true));
        });
    }
}
