use std::fs;

use super::*;
use crate::scratch::Scratch;

/// The configuration as libgit2 reads it and as git lists it.
fn both<T>(scratch: &Scratch, look: impl Fn(&Config<'_>, &Repository) -> T) -> [T; 2] {
    scratch.both().map(|repository| {
        let config = Config::read(&repository, &Limits::default()).unwrap();
        look(&config, &repository)
    })
}

fn add(scratch: &Scratch, text: &str) {
    let file = scratch.root.join(".git/config");
    let before = fs::read_to_string(&file).unwrap();
    fs::write(file, format!("{before}\n{text}\n")).unwrap();
}

/// What git says of a setting, `None` if it is not set.
fn said(scratch: &Scratch, kind: &str, name: &str) -> Option<String> {
    let default = "--default=attest-none";
    let said = scratch.ask(&["config", kind, default, "--get", name], b"");
    (said != "attest-none").then_some(said)
}

#[test]
fn switches_are_what_git_says() {
    for (value, expected) in [
        ("= true", true),
        ("= YES", true),
        ("= On", true),
        ("= 1", true),
        ("= -2", true),
        ("", true),
        ("= false", false),
        ("= No", false),
        ("= off", false),
        ("= 0", false),
        ("=", false),
        ("= \"true\"", true),
        ("= tr\"ue\" ; a remark", true),
        ("= fal\\\nse", false),
        ("= 1 # a remark", true),
    ] {
        let scratch = Scratch::new(&[]);
        add(&scratch, &format!("[Core] sparseCheckout {value}"));
        let git = scratch.ask(
            &["config", "--type=bool", "--get", "core.sparsecheckout"],
            b"",
        );
        assert_eq!(git, expected.to_string(), "{value}");
        let found = both(&scratch, |config, _| {
            config.flag("core.sparsecheckout", !expected).unwrap()
        });
        assert_eq!(found, [expected; 2], "{value}");
    }
}

#[test]
fn what_is_not_set_has_its_default_and_nonsense_is_an_error() {
    let scratch = Scratch::new(&[]);
    assert_eq!(
        both(&scratch, |config, _| config.flag("core.x", true).unwrap()),
        [true; 2]
    );
    assert_eq!(
        both(&scratch, |config, _| config.flag("core.x", false).unwrap()),
        [false; 2]
    );
    assert_eq!(
        both(&scratch, |config, _| config.text("core.x").unwrap()),
        [None, None]
    );
    let none = |config: &Config<'_>, repository: &Repository| {
        config
            .path("core.x", repository, &Limits::default())
            .unwrap()
    };
    assert_eq!(both(&scratch, none), [None, None]);
    add(&scratch, "[core] x = maybe");
    assert_eq!(
        both(&scratch, |config, _| config.flag("core.x", true).is_err()),
        [true; 2]
    );
}

#[test]
fn texts_are_unquoted_as_git_does() {
    for value in [
        "plain",
        "\"  spaces  \"",
        "a \\\"b\\\" c",
        "a\\tb\\\\c",
        "one # two",
        "\"one # two\"",
        "one\\\n two",
        "ä",
    ] {
        let scratch = Scratch::new(&[]);
        add(&scratch, &format!("[core]\n\teol = first\n\teol = {value}"));
        let expected = scratch.ask(&["config", "-z", "--get", "core.eol"], b"");
        let expected = expected.trim_end_matches('\0').to_owned();
        let found = both(&scratch, |config, _| {
            config.text("core.eol").unwrap().unwrap()
        });
        assert_eq!(
            found.map(|text| text.trim().to_owned()),
            [expected.trim(), expected.trim()],
            "{value}"
        );
    }
}

#[test]
fn includes_count_where_they_stand() {
    let scratch = Scratch::new(&[]);
    let root = scratch.root.display().to_string();
    let branch = scratch.ask(&["symbolic-ref", "--short", "HEAD"], b"");
    scratch.write(".git/other", "[core] eol = included\n[core] x = 1");
    let other = "path = other";
    for (text, is_included) in [
        (format!("[include] {other}"), true),
        (format!("[include] {other}\n[core] eol = later"), false),
        (format!("[core] eol = earlier\n[include] {other}"), true),
        ("[include] path = gone".to_owned(), false),
        (format!("[includeIf \"gitdir:{root}/\"] {other}"), true),
        (format!("[includeIf \"gitdir:{root}/.git\"] {other}"), true),
        (
            format!("[includeIf \"gitdir:{root}/other/\"] {other}"),
            false,
        ),
        (
            format!("[includeIf \"gitdir:**/project/**\"] {other}"),
            true,
        ),
        (
            format!("[includeIf \"gitdir:**/PROJECT/**\"] {other}"),
            false,
        ),
        (
            format!("[includeIf \"gitdir/i:**/PROJECT/**\"] {other}"),
            true,
        ),
        (format!("[includeIf \"onbranch:{branch}\"] {other}"), true),
        (format!("[includeIf \"onbranch:other/\"] {other}"), false),
        (format!("[includeIf \"nonsense:{root}/\"] {other}"), false),
        (
            format!("[remote \"o\"] url = u:x\n[includeIf \"hasconfig:remote.*.url:u:*\"] {other}"),
            true,
        ),
        (
            format!("[remote \"o\"] url = u:x\n[includeIf \"hasconfig:remote.*.url:v:*\"] {other}"),
            false,
        ),
    ] {
        let scratch_file = scratch.root.join(".git/config");
        let plain = fs::read(&scratch_file).unwrap();
        add(&scratch, &text);
        let git = said(&scratch, "--no-type", "core.eol");
        let found = both(&scratch, |config, _| config.text("core.eol").unwrap());
        assert_eq!(found, [git.clone(), git.clone()], "{text}");
        assert_eq!(git.as_deref() == Some("included"), is_included, "{text}");
        fs::write(scratch_file, plain).unwrap();
    }
}

/// As deep as git goes, and not endlessly where a file includes itself.
#[test]
fn includes_have_a_depth() {
    let scratch = Scratch::new(&[]);
    for number in 0..20 {
        let text = format!("[include] path = n{}\n", number + 1);
        scratch.write(&format!(".git/n{number}"), &text);
    }
    for (first, is_read) in [(12, true), (0, false)] {
        let plain = fs::read(scratch.root.join(".git/config")).unwrap();
        add(&scratch, &format!("[include] path = n{first}"));
        let found = Repository::discover(&scratch.root, &Limits::default());
        let found = found.and_then(|it| Config::read(&it, &Limits::default()).map(|_| ()));
        assert_eq!(found.is_ok(), is_read, "{first}: {found:?}");
        fs::write(scratch.root.join(".git/config"), plain).unwrap();
    }
    scratch.write(".git/circle", "[include] path = circle\n");
    add(&scratch, "[include] path = circle");
    let found = Repository::discover(&scratch.root, &Limits::default());
    assert!(
        found
            .and_then(|it| Config::read(&it, &Limits::default()).map(|_| ()))
            .is_err()
    );
}

#[test]
fn paths_begin_at_home() {
    let scratch = Scratch::new(&[]);
    add(
        &scratch,
        "[core]\n\texcludesFile = ~/rules\n\tattributesFile = /abs/attributes",
    );
    for name in ["core.excludesfile", "core.attributesfile"] {
        let git = said(&scratch, "--type=path", name).unwrap();
        let found = both(&scratch, |config, repository| {
            config
                .path(name, repository, &Limits::default())
                .unwrap()
                .unwrap()
        });
        assert_eq!(found, [PathBuf::from(&git), PathBuf::from(&git)], "{name}");
    }
}

#[test]
fn a_section_without_an_end_is_unreadable() {
    for text in ["[core", "[core \"x]\n"] {
        let scratch = Scratch::new(&[]);
        let file = scratch.root.join(".git/config");
        fs::write(file, text).unwrap();
        let found = Repository::discover(&scratch.root, &Limits::default());
        let found = found.and_then(|it| Config::read(&it, &Limits::default()).map(|_| ()));
        assert!(found.is_err(), "{text:?}");
    }
}
