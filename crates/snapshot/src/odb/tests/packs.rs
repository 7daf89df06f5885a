//! Packs that somebody wrote to keep a reader busy, and those that git writes in every form.

use miniz_oxide::deflate::compress_to_vec_zlib;

use super::*;

const COMMIT: u8 = 1;
const BLOB: u8 = 3;
const OFFSET: u8 = 6;
const NAME: u8 = 7;

/// What a pack says of an object.
struct Packed {
    name: [u8; 20],
    kind: u8,
    /// As it is said, whatever the data is.
    size: u64,
    /// How far in front the base is, or its name.
    base: Vec<u8>,
    data: Vec<u8>,
}

impl Packed {
    fn new(name: u8, kind: u8, base: &[u8], data: &[u8]) -> Self {
        Self {
            name: [name; 20],
            kind,
            size: data.len() as u64,
            base: base.to_vec(),
            data: data.to_vec(),
        }
    }
}

fn oid_of(name: u8) -> Oid {
    Oid::from_bytes(&[name; 20]).unwrap()
}

/// Writes a pack with these objects and its index, whose names have to be in order.
fn write(scratch: &Scratch, objects: &[Packed]) {
    let (mut pack, mut offsets) = (b"PACK\0\0\0\x02".to_vec(), Vec::new());
    let count = u32::try_from(objects.len()).unwrap();
    pack.extend(count.to_be_bytes());
    for object in objects {
        offsets.push(u32::try_from(pack.len()).unwrap());
        let mut size = object.size >> 4;
        let mut byte = object.kind << 4 | (object.size & 15) as u8;
        while size > 0 {
            pack.push(byte | 0x80);
            byte = (size & 0x7f) as u8;
            size >>= 7;
        }
        pack.push(byte);
        pack.extend(&object.base);
        pack.extend(compress_to_vec_zlib(&object.data, 6));
    }
    pack.extend([0; 20]);
    let mut index = b"\xfftOc\0\0\0\x02".to_vec();
    for first in 0..=u8::MAX {
        let upto = objects.iter().filter(|it| it.name[0] <= first).count();
        index.extend(u32::try_from(upto).unwrap().to_be_bytes());
    }
    index.extend(objects.iter().flat_map(|it| it.name));
    index.extend(vec![0; 4 * objects.len()]);
    index.extend(offsets.iter().flat_map(|it| it.to_be_bytes()));
    index.extend([0; 40]);
    scratch.write(".git/objects/pack/keep", "");
    let folder = scratch.root.join(".git/objects/pack");
    fs::write(folder.join("pack-hostile.pack"), pack).unwrap();
    fs::write(folder.join("pack-hostile.idx"), index).unwrap();
}

/// What is said of the object of this name, read as a commit.
fn refusal(scratch: &Scratch, name: u8) -> String {
    let limits = Limits::default();
    let repository = Repository::discover(&scratch.root, &limits).unwrap();
    let odb = repository.odb(&limits);
    odb.commit(oid_of(name)).unwrap_err().to_string()
}

#[test]
fn objects_that_differ_from_each_other_have_no_content() {
    let scratch = Scratch::new(&["a.py"]);
    let same = [5, 5, 0x91, 0, 5];
    write(
        &scratch,
        &[
            Packed::new(1, NAME, &[2; 20], &same),
            Packed::new(2, NAME, &[1; 20], &same),
            Packed::new(3, NAME, &[3; 20], &same),
            Packed::new(4, OFFSET, &[0], &same),
            Packed::new(5, OFFSET, &[0xff, 0xff, 0xff, 0x7f], &same),
            Packed::new(6, NAME, &[9; 20], &same),
        ],
    );
    for name in 1..=3 {
        assert!(
            refusal(&scratch, name).contains("too many others"),
            "{name}"
        );
    }
    for name in 4..=6 {
        assert!(refusal(&scratch, name).contains("damaged"), "{name}");
    }
    let limits = Limits::default();
    let repository = Repository::discover(&scratch.root, &limits).unwrap();
    let odb = repository.odb(&limits);
    let head = oid(&scratch, "HEAD");
    assert!(odb.commit(head).is_ok(), "what is beside it is read");
    let reads = (0..).take_while(|_| !matches!(odb.find(oid_of(1)), Err(Unreadable::TooMuch(_))));
    assert!(reads.count() < 1_000, "each step is taken from the budget");
    assert!(limits.budget.take(1).is_err());
}

#[test]
fn a_size_that_a_pack_says_is_not_believed() {
    let scratch = Scratch::new(&["a.py"]);
    let claimed = |name, kind, size| Packed {
        size,
        ..Packed::new(name, kind, &[], b"tree")
    };
    let mut large = vec![0xff, 0xff, 0xff, 0xff, 0x0f];
    large.extend([5, 0x91, 0, 5]);
    write(
        &scratch,
        &[
            claimed(1, COMMIT, u64::MAX >> 1),
            claimed(2, COMMIT, 16 * 1024 * 1024),
            claimed(3, BLOB, 4 * 1024 * 1024 * 1024),
            Packed::new(4, NAME, &[3; 20], &large),
            claimed(5, COMMIT, 3),
            Packed::new(6, NAME, &[2; 20], &[4, 0xff, 0xff, 0xff, 0xff, 0x7f]),
        ],
    );
    for (name, why) in [
        (1, "bytes in one object"),
        (2, "damaged"),
        (3, "another kind"),
        (4, "another kind"),
        (5, "damaged"),
        (6, "bytes in one object"),
    ] {
        assert!(
            refusal(&scratch, name).contains(why),
            "{name}: {}",
            refusal(&scratch, name)
        );
    }
    let limits = Limits::default();
    let repository = Repository::discover(&scratch.root, &limits).unwrap();
    let content = repository.odb(&limits).blob(oid_of(4), bounds::BLOB);
    assert!(content.unwrap_err().to_string().contains("too large"));
}

/// Packs and indexes of all forms that git writes have all objects, and the same as git says.
#[test]
fn all_objects_of_all_packs_are_read() {
    let scratch = Scratch::new(&["a.py", "src/b.py"]);
    let body = "a line that stays\n".repeat(300);
    for number in 0..40 {
        scratch.write("a.py", &format!("{body}{number}\n"));
        scratch.write(&format!("src/{number}.py"), &format!("{number}\n{body}"));
        scratch.git(&["add", "--all"]);
        scratch.git(&["commit", "--quiet", &format!("--message={number}")]);
    }
    scratch.git(&["tag", "--annotate", "--message=x", "t"]);
    for options in [
        &["repack", "-adfq", "--depth=50"][..],
        &["-c", "pack.indexVersion=1", "repack", "-adfq"],
        &["-c", "repack.useDeltaBaseOffset=false", "repack", "-adfq"],
        &["-c", "pack.compression=0", "repack", "-adfq", "--window=0"],
        &["repack", "-dq", "--max-pack-size=1m"],
        &["multi-pack-index", "write"],
    ] {
        scratch.git(options);
        let all = [
            "cat-file",
            "--batch-all-objects",
            "--batch-check=%(objectname) %(objecttype) %(objectsize)",
        ];
        let limits = Limits::default();
        let repository = Repository::discover(&scratch.root, &limits).unwrap();
        let odb = repository.odb(&limits);
        let mut count = 0;
        for line in scratch.ask(&all, b"").lines() {
            let mut words = line.split(' ');
            let mut next = || words.next().unwrap();
            let oid = Oid::from_hex(next().as_bytes()).unwrap();
            let kind = ObjectKind::named(next().as_bytes()).unwrap();
            let size = next().parse().unwrap();
            assert_eq!(
                odb.find(oid).unwrap(),
                Some((kind, size)),
                "{options:?} {line}"
            );
            let content = odb.read(oid, kind).unwrap();
            assert_eq!(content.len() as u64, size, "{options:?} {line}");
            assert_eq!(
                odb.named(&line[..12]).unwrap(),
                Named::One(oid, kind),
                "{options:?} {line}"
            );
            count += 1;
        }
        assert!(count > 160, "{options:?}");
    }
}

#[test]
fn what_git_packs_in_the_meantime_is_found() {
    let scratch = Scratch::new(&["a.py"]);
    let limits = Limits::default();
    let repository = Repository::discover(&scratch.root, &limits).unwrap();
    let odb = repository.odb(&limits);
    let head = oid(&scratch, "HEAD");
    assert!(odb.commit(head).is_ok());
    scratch.git(&["gc", "--quiet", "--prune=now"]);
    assert!(odb.commit(head).is_ok());
    scratch.git(&["commit", "--quiet", "--allow-empty", "--message=x"]);
    scratch.git(&["repack", "-adq"]);
    let head = oid(&scratch, "HEAD");
    assert!(odb.commit(head).is_ok());
}
