//! What one value of a files key means.

use super::{Meaning, Target, parse, short};

fn value(value: &str) -> String {
    let message = short(&format!("Status: DONE\nFiles changed: {value}\n"));
    message.strip_prefix("Lines DONE ").unwrap().to_owned()
}

#[test]
fn values() {
    let cases = [
        ("a.py", "[a.py]"),
        ("Makefile", "[Makefile]"),
        ("ghost", "[?ghost]"),
        ("none", "[]"),
        ("None.", "[]"),
        ("N/A", "[]"),
        ("-", "[]"),
        ("[]", "[]"),
        ("(none)", "[]"),
        ("no files changed", "[]"),
        ("nothing", "[]"),
        ("None (read-only task)", "[]"),
        ("`none`", "[]"),
        ("3", "[!3]"),
        ("3 files", "[!3 files]"),
        ("`a.py`", "[a.py]"),
        ("**a.py**", "[a.py]"),
        ("'a.py'", "[a.py]"),
        ("\"a.py\"", "[a.py]"),
        ("[a.py](src/a.py)", "[a.py]"),
        ("[`a.py`](./src/a.py#L3)", "[a.py]"),
        ("a.py (new)", "[a.py]"),
        ("src/a.py — added x", "[src/a.py]"),
        ("src/a.py: added x", "[src/a.py]"),
        ("src/a.py - added x", "[src/a.py]"),
        ("src/a.py:12", "[src/a.py]"),
        ("src/a.py:12-40", "[src/a.py]"),
        ("src/a.py#L12", "[src/a.py]"),
        ("src/a.py:12:3", "[src/a.py]"),
        ("a.py (deleted)", "[-a.py]"),
        ("a.py — removed", "[-a.py]"),
        ("a.py, b.py and c.py", "[a.py | b.py | c.py]"),
        ("a.py, b.py, and c.py.", "[a.py | b.py | c.py]"),
        ("`a.py`, `b.py`", "[a.py | b.py]"),
        ("[a.py, b.py]", "[a.py | b.py]"),
        ("[\"a.py\", \"b.py\"]", "[a.py | b.py]"),
        ("app/[id]/page.tsx", "[app/[id]/page.tsx]"),
        ("a.py -> b.py", "[a.py->b.py]"),
        ("`a.py` → `b.py`", "[a.py->b.py]"),
        ("src/*.py", "[!src/*.py]"),
        ("src/{a,b}.py", "[!src/{a,b}.py]"),
        ("https://example.org/a.py", "[!https://example.org/a.py]"),
        ("~/a.py", "[/~/a.py]"),
        ("$HOME/a.py", "[!$HOME/a.py]"),
        ("see above", "[!see above]"),
        ("a.py, and 3 more", "[a.py | !3 more]"),
        ("a.py and others", "[a.py | !others]"),
        (
            "updated the parser to handle more cases",
            "[!updated the parser to handle more cases]",
        ),
        (
            "the parser in src/a.py was changed to handle x",
            "[!the parser in src/a.py was changed to handle x]",
        ),
        ("a.py — adds x, y and z", "[a.py]"),
        ("a.py — adds x, b.py — adds y", "[a.py | b.py]"),
        ("a.py (new), b.py", "[a.py | b.py]"),
        ("my docs/a file.md", "[?my docs/a file.md]"),
        ("/repo/src/a.py", "[/repo/src/a.py]"),
        ("C:\\repo\\a.py", "[C:/repo/a.py]"),
        ("src/", "[/src/]"),
        ("Created `a.py`", "[a.py]"),
        ("M src/a.py", "[src/a.py]"),
        ("D src/a.py", "[-src/a.py]"),
        ("<path>", "[!<path>]"),
        ("path/to/file.py", "[!path/to/file.py]"),
        ("\"caf\\303\\251.py\"", "[café.py]"),
        ("a\u{fffd}.py", "[!a\u{fffd}.py]"),
        (".env", "[.env]"),
        (".github/workflows/ci.yml", "[.github/workflows/ci.yml]"),
        ("src/a.py +12/-3", "[src/a.py]"),
        // What is said around a path.
        ("src/a.py line 12", "[src/a.py]"),
        ("src/a.py | 12 ++--", "[src/a.py]"),
        ("src/a.py ✅", "[src/a.py]"),
        ("📄 src/a.py", "[src/a.py]"),
        ("[NEW] src/a.py", "[src/a.py]"),
        ("New file: src/a.py", "[src/a.py]"),
        ("src/a.py::test_x", "[src/a.py]"),
        ("src/a.py:run()", "[src/a.py]"),
        ("src/a.py <!-- not b.py -->", "[src/a.py]"),
        ("&nbsp;src/a.py", "[src/a.py]"),
        ("src/\\_\\_init\\_\\_.py", "[src/__init__.py]"),
        ("src/a.py — removed the lock", "[src/a.py]"),
        ("Parser: src/a.py", "[src/a.py]"),
        // Lists.
        ("(a.py, b.py)", "[a.py | b.py]"),
        ("{a.py, b.py}", "[a.py | b.py]"),
        ("[a.py, b.py] # two", "[a.py | b.py]"),
        ("a.py b.py c.py", "[a.py | b.py | c.py]"),
        ("`a.py` `b.py`", "[a.py | b.py]"),
        ("a.py<br>b.py", "[a.py | b.py]"),
        ("[{\"path\": \"a.py\", \"why\": \"x\"}]", "[a.py]"),
        // Renames.
        ("renamed a.py to b.py", "[a.py->b.py]"),
        ("R100 a.py -> b.py", "[a.py->b.py]"),
        ("src/{old => new}/a.py", "[src/old/a.py->src/new/a.py]"),
        ("src/a.py: x -> y", "[?src/a.py]"),
        ("`src/a.py`: `foo()` → `bar()`", "[src/a.py]"),
        ("a -> b -> c", "[?a->b]"),
        // No paths.
        (
            "**Parser** — rewrote the tokenizer (`src/a.py`)",
            "[!**Parser** — rewrote the tokenizer (`src/a.py`)]",
        ),
        ("Parser: rewrote it", "[!Parser: rewrote it]"),
        ("`parse()` in `src/a.py`", "[!`parse()` in `src/a.py`]"),
        ("parse()", "[?parse()]"),
        ("I only touched src/a.py", "[!I only touched src/a.py]"),
        ("a.py, line 12", "[a.py | !line 12]"),
        ("a.py, new", "[a.py | ?new]"),
        ("a.py (not created)", "[!a.py (not created)]"),
        ("a.py — unchanged", "[!a.py — unchanged]"),
        ("TBD", "[?TBD]"),
        ("yes", "[?yes]"),
        ("`ghost.py` was not needed", "[!`ghost.py` was not needed]"),
        ("12/12", "[!12/12]"),
        ("1f3c9ab", "[!1f3c9ab]"),
        ("HEAD~1..HEAD", "[!HEAD~1..HEAD]"),
        ("../a.py", "[../a.py]"),
        ("deadbeef", "[?deadbeef]"),
        ("{file}", "[!{file}]"),
        ("Foo::bar", "[?Foo::bar]"),
        ("src/a.h, .cpp", "[src/a.h | !.cpp]"),
        (
            "the parser now handles x/y.z and a.b as well",
            "[!the parser now handles x/y.z | !a.b as well]",
        ),
        ("[src/a.py], b.py", "[?[src/a.py] | b.py]"),
        ("2 files [src/a.py, src/b.py]", "[src/a.py | src/b.py]"),
        ("2 files (see src/a.py)", "[!2 files (see src/a.py)]"),
        ("[\"a.py\", \"b.py\"", "[a.py | b.py]"),
        ("[ a.py, b.py", "[a.py | b.py]"),
        (
            "Dockerfile.dev, Makefile.am",
            "[Dockerfile.dev | Makefile.am]",
        ),
        ("README.dev", "[?README.dev]"),
        // Patterns, places and names that only look like them.
        ("src/$(date).md", "[!src/$(date).md]"),
        ("src/{12}/a.py", "[src/{12}/a.py]"),
        ("a b c d e f g more", "[!a b c d e f g more]"),
        // Characters written in other ways.
        ("src/a.py -&gt; src/b.py", "[src/a.py->src/b.py]"),
        ("&quot;src/a.py&quot;", "[src/a.py]"),
        ("&apos;src/a.py&apos;", "[src/a.py]"),
        ("src/a&#46;py", "[src/a.py]"),
        ("src/a&#10;.py", "[?src/a&#10 | !.py]"),
        ("\u{ff41}\u{ff0e}\u{ff50}\u{ff59}", "[a.py]"),
        ("src/a.py\tnew", "[src/a.py]"),
        ("\"a\\\"b.py\"", "[?a\"b.py]"),
        ("'a.py's, b.py', c.py", "[?'a.py's | ?b.py' | c.py]"),
        ("1) src/a.py 2) src/b.py", "[src/a.py | src/b.py]"),
        ("1) src/a.py 2) its tests", "[?src/a.py]"),
        ("1) src/a.py 123) src/b.py", "[?src/a.py 123) src/b.py]"),
        // Emphasis around all of it.
        ("**a.py, b.py**", "[a.py | b.py]"),
        ("_src/a.py — new_", "[src/a.py]"),
        ("`a.py`/`b.py`", "[a.py | b.py]"),
        // Nothing.
        ("N.A.", "[]"),
        ("no", "[]"),
        ("na", "[]"),
        ("empty", "[]"),
        ("empty src/a.py", "[?empty src/a.py]"),
        ("No files were modified.", "[]"),
        ("nothing was changed", "[]"),
        ("None, I only read src/a.py", "[]"),
        ("none; only ran the tests", "[]"),
        ("not applicable (research)", "[]"),
        ("{}", "[]"),
    ];
    let wrong: Vec<_> = cases
        .iter()
        .map(|(text, expected)| (text, value(text), expected))
        .filter(|(_, found, expected)| found != *expected)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn readings(value: &str) -> Vec<String> {
    let claim = parse(&format!("Status: DONE\nFiles changed: {value}\n"));
    let Meaning::Paths(readings) = &claim.entries[0].meaning else {
        return Vec::new();
    };
    readings
        .iter()
        .filter_map(|reading| match &reading.target {
            Target::File(name) => Some(name.clone()),
            _ => None,
        })
        .collect()
}

#[test]
fn every_reading_of_an_odd_name_is_kept() {
    for (value, name) in [
        ("a, b.py", "a, b.py"),
        ("salt and pepper.py", "salt and pepper.py"),
        ("a (new)", "a (new)"),
        ("src/a.py - copy.py", "src/a.py - copy.py"),
        ("a: b.py", "a: b.py"),
        ("src\\a.py", "src/a.py"),
        ("src/a.py:12", "src/a.py:12"),
        ("\"caf\\303\\251.py\"", "caf\u{e9}.py"),
        ("[a.py](src/a.py)", "src/a.py"),
        ("'quoted.py'", "'quoted.py'"),
        ("Modified src/a.py", "Modified src/a.py"),
        ("page(1).tsx", "page(1).tsx"),
        ("a -> b", "a -> b"),
        ("a, b and c, d.py", "a, b and c, d.py"),
        ("my.old file.py", "my.old file.py"),
        ("[x](my%20a.py)", "my a.py"),
        ("a.h/a.cpp", "a.cpp"),
        ("Cargo.toml/lock", "Cargo.toml"),
        ("@src/a.py", "src/a.py"),
        ("b/src/a.py", "src/a.py"),
        ("a&amp;b.py", "a&b.py"),
    ] {
        assert!(
            readings(value).contains(&name.to_owned()),
            "{value}: {:?}",
            readings(value)
        );
    }
}

#[test]
fn no_reading_has_a_control_character() {
    let link = readings("[a.py](src/a%0Ab.py)");
    assert!(link.contains(&"a.py".to_owned()), "{link:?}");
    assert!(!link.iter().any(|name| name.contains('\n')), "{link:?}");
}
