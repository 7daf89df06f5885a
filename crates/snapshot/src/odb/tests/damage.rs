//! Objects that are not what their names say: never taken for something else.

use std::fs;

use super::super::parse;
use super::*;

/// Puts bytes in place of a file, which may be read-only.
fn replace(file: &std::path::Path, bytes: &[u8]) {
    fs::remove_file(file).unwrap();
    fs::write(file, bytes).unwrap();
}

/// Whether the tree of HEAD and what is in it can be read, and is the right one.
fn is_readable(scratch: &Scratch, tree: Oid) -> Vec<bool> {
    scratch
        .both()
        .iter()
        .map(|repository| {
            let limits = Limits::default();
            let odb = repository.odb(&limits);
            odb.tree(tree)
                .is_ok_and(|items| items.len() == 1 && items[0].name == b"a.py")
        })
        .collect()
}

/// libgit2 never ends with one that is cut short.
#[test]
fn a_damaged_loose_object_is_an_error() {
    let scratch = Scratch::new(&["a.py"]);
    let tree = oid(&scratch, "HEAD^{tree}");
    let file = file_of(&scratch, tree);
    let whole = fs::read(&file).unwrap();
    assert_eq!(is_readable(&scratch, tree), [true, true]);
    for cut in 0..whole.len() {
        replace(&file, &whole[..cut]);
        // The checksum at the end of the stream may be cut: the name says the same.
        let is_harmless = cut + 4 >= whole.len();
        for readable in is_readable(&scratch, tree) {
            assert!(!readable || is_harmless, "cut at {cut} of {}", whole.len());
        }
    }
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        replace(&file, &bytes);
        // Whatever is still read has the content that the name says.
        is_readable(&scratch, tree);
    }
    let other = fs::read(file_of(&scratch, oid(&scratch, "HEAD"))).unwrap();
    replace(&file, &other);
    assert_eq!(
        is_readable(&scratch, tree),
        [false, false],
        "another object"
    );
    replace(&file, b"");
    assert_eq!(is_readable(&scratch, tree), [false, false], "empty");
}

#[test]
fn a_loose_object_of_another_store_that_is_cut_short_is_an_error() {
    let scratch = Scratch::new(&["a.py"]);
    let tree = oid(&scratch, "HEAD^{tree}");
    let file = file_of(&scratch, tree);
    let name = format!("{tree}");
    let aside = scratch.root.with_file_name("aside");
    for (store, next) in [("one", Some("two")), ("two", Some("one"))] {
        fs::create_dir_all(aside.join(store).join("info")).unwrap();
        fs::create_dir_all(aside.join(store).join("pack")).unwrap();
        let text = next.map(|next| format!("# remark\n{}\n", aside.join(next).display()));
        fs::write(aside.join(store).join("info/alternates"), text.unwrap()).unwrap();
    }
    let alternates = format!("{}\n", aside.join("one").display());
    scratch.write(".git/objects/info/alternates", &alternates);
    let whole = fs::read(&file).unwrap();
    fs::remove_file(&file).unwrap();
    let there = aside.join("two").join(&name[..2]);
    fs::create_dir_all(&there).unwrap();
    fs::write(there.join(&name[2..]), &whole).unwrap();
    assert_eq!(is_readable(&scratch, tree), [true, true]);
    fs::write(there.join(&name[2..]), &whole[..whole.len() / 2]).unwrap();
    assert_eq!(is_readable(&scratch, tree), [false, false]);
}

#[test]
fn another_tree_under_the_name_is_an_error() {
    let scratch = Scratch::new(&["a.py"]);
    let tree = oid(&scratch, "HEAD^{tree}");
    scratch.write("b.py", "new\n");
    scratch.git(&["add", "--all"]);
    let other = scratch.ask(&["write-tree"], b"");
    let other = Oid::from_hex(other.as_bytes()).unwrap();
    let bytes = fs::read(file_of(&scratch, other)).unwrap();
    replace(&file_of(&scratch, tree), &bytes);
    with_both(&scratch, |odb, how| {
        assert!(odb.tree(tree).is_err(), "{how}");
        assert_eq!(odb.tree(other).unwrap().len(), 2, "{how}");
    });
}

#[test]
fn a_damaged_pack_is_an_error() {
    let scratch = Scratch::new(&["a.py"]);
    let tree = oid(&scratch, "HEAD^{tree}");
    scratch.git(&["gc", "--quiet"]);
    let pack = the_pack(&scratch);
    let whole = fs::read(&pack).unwrap();
    assert_eq!(is_readable(&scratch, tree), [true, true]);
    for cut in [0, 4, 12, whole.len() / 2, whole.len() - 30] {
        replace(&pack, &whole[..cut]);
        assert_eq!(is_readable(&scratch, tree), [false, false], "cut at {cut}");
    }
    let mut wrong = 0;
    for at in (12..whole.len() - 20).step_by(3) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        replace(&pack, &bytes);
        wrong += is_readable(&scratch, tree)
            .iter()
            .filter(|it| !**it)
            .count();
    }
    assert!(wrong > 0);
}

#[test]
fn a_damaged_tree_is_none() {
    let mut tree = b"100644 a.py\0".to_vec();
    tree.extend([1; 20]);
    tree.extend(b"40000 src\0");
    tree.extend([2; 20]);
    let items = parse::tree(&tree, 20).unwrap();
    assert_eq!((items[0].mode, items[1].is_tree()), (0o100_644, true));
    let first = 12 + 20;
    for cut in (1..tree.len()).filter(|cut| *cut != first) {
        assert_eq!(parse::tree(&tree[..cut], 20), None, "cut at {cut}");
    }
    assert_eq!(parse::tree(b"", 20), Some(Vec::new()));
    for text in [
        &b"x"[..],
        b"9 a\0",
        b"99999999999999 a\0",
        b" a\0",
        b"100644 a",
    ] {
        assert_eq!(parse::tree(text, 20), None, "{text:?}");
    }
}

#[test]
fn a_commit_or_tag_that_names_nothing_is_none() {
    let name = "1".repeat(40);
    let commit = |text: &str| Commit::parse(text.as_bytes(), 20);
    let good = format!(
        "tree {name}\nparent {name}\ncommitter A B <a@b> 17 +0100\nencoding x\n\nparent no\n"
    );
    let parsed = commit(&good).unwrap();
    assert_eq!((parsed.parents.len(), parsed.time), (1, 17));
    let again = good.replace("committer", &format!("parent {name}\ncommitter"));
    assert_eq!(commit(&again).unwrap().parents.len(), 1, "named twice");
    // A time that is none makes a commit old, and no proof depends on it.
    assert_eq!(
        commit(&format!("tree {name}\ncommitter x\n")).unwrap().time,
        0
    );
    for text in [
        String::new(),
        "tree \n".to_owned(),
        format!("parent {name}\n"),
        format!("tree {name}0\n"),
        format!("tree {name}\nparent {}\n", &name[1..]),
    ] {
        assert_eq!(commit(&text), None, "{text:?}");
    }
    assert!(parse::tagged(format!("object {name}\ntype commit\n").as_bytes(), 20).is_some());
    for text in ["", "object \n", "type commit\n"] {
        assert_eq!(parse::tagged(text.as_bytes(), 20), None, "{text:?}");
    }
}
