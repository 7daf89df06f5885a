use std::os::unix::fs::symlink;

use super::*;
use crate::scratch::Scratch;

type Found = Result<(Head, BTreeMap<String, String>), Unreadable>;

fn read_in(root: &Path) -> Found {
    let limits = Limits::default();
    let repository = Repository::discover(root, &limits)?;
    let odb = repository.odb(&limits);
    read(&repository, &odb, &limits)
}

fn head(scratch: &Scratch) -> Result<Head, Unreadable> {
    Ok(read_in(&scratch.root)?.0)
}

fn refs(scratch: &Scratch) -> BTreeMap<String, String> {
    read_in(&scratch.root).unwrap().1
}

fn oid(scratch: &Scratch, name: &str) -> String {
    scratch.ask(&["rev-parse", name], b"")
}

#[test]
fn loose_names_win_over_packed_ones() {
    let scratch = Scratch::new(&["a.py"]);
    scratch.git(&["branch", "--move", "main"]);
    let first = oid(&scratch, "HEAD");
    for name in ["one", "two/deep", "gone"] {
        scratch.git(&["branch", name]);
    }
    scratch.git(&["tag", "--annotate", "--message=x", "tag"]);
    scratch.git(&["pack-refs", "--all"]);
    scratch.git(&["commit", "--quiet", "--allow-empty", "--message=second"]);
    scratch.git(&["branch", "--force", "one"]);
    let second = oid(&scratch, "HEAD");
    scratch.git(&["update-ref", "refs/remotes/origin/main", &first]);
    scratch.write(".git/refs/heads/unfinished.lock", &first);
    let expected = [
        ("refs/heads/gone", &first),
        ("refs/heads/main", &second),
        ("refs/heads/one", &second),
        ("refs/heads/two/deep", &first),
        ("refs/remotes/origin/main", &first),
    ];
    let expected = expected.map(|(name, oid)| (name.to_owned(), oid.clone()));
    assert_eq!(refs(&scratch), BTreeMap::from(expected));
    let head = head(&scratch).unwrap();
    assert_eq!(head.oid, Some(second));
    assert_eq!(head.branch.as_deref(), Some("refs/heads/main"));
}

/// A name of a name, and one that says nothing, are left out, as git does; also where a packed one
/// of that name says something else.
#[test]
fn names_of_names_and_broken_ones_are_left_out() {
    let scratch = Scratch::new(&["a.py"]);
    for name in ["link", "empty", "zero", "short", "good"] {
        scratch.git(&["branch", name]);
    }
    scratch.git(&["pack-refs", "--all"]);
    for (name, text) in [
        ("link", "ref: refs/heads/good\n"),
        ("empty", ""),
        ("zero", &"0".repeat(40)),
        ("short", "abcdef\n"),
    ] {
        scratch.write(&format!(".git/refs/heads/{name}"), text);
    }
    let found = refs(&scratch);
    let names: Vec<_> = found.keys().filter(|name| !name.ends_with('r')).collect();
    assert!(found.contains_key("refs/heads/good"), "{names:?}");
    for name in ["link", "empty", "zero", "short"] {
        assert!(!found.contains_key(&format!("refs/heads/{name}")), "{name}");
    }
}

#[test]
fn a_chain_of_names_is_followed_as_far_as_git_goes() {
    let scratch = Scratch::new(&["a.py"]);
    scratch.git(&["branch", "end"]);
    let link = |from: &str, to: &str| {
        scratch.write(
            &format!(".git/refs/heads/{from}"),
            &format!("ref: refs/heads/{to}\n"),
        );
    };
    scratch.write(".git/HEAD", "ref: refs/heads/n1\n");
    // HEAD itself is the first of five.
    for (links, is_read) in [(3, true), (4, false), (9, false)] {
        for number in 1..links {
            link(&format!("n{number}"), &format!("n{}", number + 1));
        }
        link(&format!("n{links}"), "end");
        let found = head(&scratch);
        assert_eq!(found.is_ok(), is_read, "{links}: {found:?}");
        if let Ok(found) = found {
            assert_eq!(found.branch.as_deref(), Some("refs/heads/n1"));
            assert_eq!(found.oid, Some(oid(&scratch, "end")));
        }
    }
    link("n1", "n2");
    link("n2", "n1");
    assert!(head(&scratch).is_err(), "a circle");
    link("n1", "n1");
    assert!(head(&scratch).is_err(), "itself");
}

#[test]
fn a_head_is_detached_a_link_unborn_or_broken() {
    let scratch = Scratch::new(&["a.py"]);
    let commit = oid(&scratch, "HEAD");
    let branch = scratch.ask(&["symbolic-ref", "HEAD"], b"");
    let put = |text: &str| scratch.write(".git/HEAD", text);
    put(&format!("{commit}\n"));
    let detached = Head {
        oid: Some(commit.clone()),
        branch: None,
    };
    assert_eq!(head(&scratch).unwrap(), detached);
    put("ref:   refs/heads/unborn  \n");
    let unborn = head(&scratch).unwrap();
    assert_eq!(
        (unborn.oid, unborn.branch.as_deref()),
        (None, Some("refs/heads/unborn"))
    );
    let file = scratch.root.join(".git/HEAD");
    fs::remove_file(&file).unwrap();
    symlink(&branch, &file).unwrap();
    assert_eq!(head(&scratch).unwrap().oid, Some(commit));
    fs::remove_file(&file).unwrap();
    for text in [
        "",
        "ref: HEAD\n",
        "ref: ../x\n",
        "ref: refs/../x\n",
        "nonsense\n",
    ] {
        put(text);
        assert!(head(&scratch).is_err(), "{text:?}");
    }
    put(&format!("{}\n", "7".repeat(40)));
    assert!(head(&scratch).is_err(), "a commit that is missing");
    put(&format!(
        "{}\n",
        oid(&scratch, &format!("{branch}^{{tree}}"))
    ));
    assert!(head(&scratch).is_err(), "a tree");
}

#[test]
fn a_work_tree_has_names_of_its_own() {
    let scratch = Scratch::new(&["a.py"]);
    let linked = scratch.root.with_file_name("linked");
    let add = [
        "worktree",
        "add",
        "--quiet",
        "-b",
        "side",
        linked.to_str().unwrap(),
    ];
    scratch.git(&add);
    scratch.git(&["commit", "--quiet", "--allow-empty", "--message=second"]);
    let [first, second] = ["side", "HEAD"].map(|name| oid(&scratch, name));
    assert_ne!(first, second);
    let own = scratch.root.join(".git/worktrees/linked");
    fs::create_dir_all(own.join("refs/worktree")).unwrap();
    fs::write(own.join("refs/worktree/x"), &first).unwrap();
    scratch.write(".git/refs/worktree/x", &second);
    for place in [own.join("HEAD"), scratch.root.join(".git/HEAD")] {
        fs::write(place, "ref: refs/worktree/x\n").unwrap();
    }
    assert_eq!(read_in(&linked).unwrap().0.oid, Some(first));
    assert_eq!(head(&scratch).unwrap().oid, Some(second));
}

#[test]
fn lines_of_packed_names_are_read_one_by_one() {
    let scratch = Scratch::new(&["a.py"]);
    let commit = oid(&scratch, "HEAD");
    let text = format!(
        "# pack-refs with: peeled fully-peeled sorted \n{commit} refs/heads/good\n^{commit}\n\
         nonsense\n{commit}\n{} refs/heads/short\n{commit} refs/tags/tag\n{commit} refs/stash\n\
         {commit} refs/heads/a b",
        &commit[1..],
    );
    scratch.write(".git/packed-refs", &text);
    let found = refs(&scratch);
    let mut names: Vec<_> = found.keys().map(String::as_str).collect();
    names.retain(|name| !["refs/heads/main", "refs/heads/master"].contains(name));
    assert_eq!(names, ["refs/heads/a b", "refs/heads/good", "refs/stash"]);
}

#[test]
fn folders_of_names_have_a_depth() {
    let scratch = Scratch::new(&["a.py"]);
    let commit = oid(&scratch, "HEAD");
    let put = |depth: usize| {
        let name = format!(".git/refs/heads/{}x", "d/".repeat(depth));
        scratch.write(&name, &commit);
    };
    put(bounds::REF_DEPTH);
    assert!(read_in(&scratch.root).is_ok());
    put(bounds::REF_DEPTH + 1);
    let error = read_in(&scratch.root).unwrap_err();
    assert!(
        error.to_string().contains("folders in each other"),
        "{error}"
    );
}
