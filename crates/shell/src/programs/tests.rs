use super::{Effect, MAX_WORDS, Of, Part, of};

include!("line.rs");

fn lines() -> impl Iterator<Item = Line<'static>> {
    include_str!("../../programs.txt")
        .lines()
        .filter_map(Line::of)
}

#[test]
fn each_line_is_found_by_its_words_and_says_only_what_is_known() {
    const KNOWN: &str = "past ranges brings decides looks wrapper tool module set-up file said env later pushes filter sure task named inner goal goals scripts bare watches checks \
        usual makes runs-on suggests removes undoes keeps restores resets asks settings whole part rewrites packages alters there joined image sets-up lists seeks deep picks python js awk in-place";
    for line in lines() {
        assert!(!line.runs.contains(['\t', '|']), "{line:?}");
        for class in line.does.split(' ') {
            let is_list = [
                "but", "into", "valued", "goes", "tells", "whole", "all", "manifest", "as",
                "sends", "enters", "mounts", "plain", "inline",
            ]
            .iter()
            .any(|it| class.starts_with(&format!("{it}:")));
            let is_known = KNOWN.split_whitespace().any(|it| it == class)
                || Effect::of(class).is_some()
                || Part::of(class).is_some()
                || is_list;
            assert!(is_known, "{line:?}: {class} is no class");
        }
        for key in line
            .keys()
            .iter()
            .filter(|key| !key.starts_with("[task]") && !key.starts_with("[file]"))
        {
            let mut words = key.split(' ');
            let program = of(words.next().unwrap()).unwrap();
            let words: Vec<_> = words.collect();
            assert!(words.len() <= MAX_WORDS);
            let first = line.does.split(' ').next().unwrap();
            let found = program.line(first, &words).unwrap();
            let words: Vec<_> = found.words().collect();
            assert_eq!(
                [&[found.0.program()], words.as_slice()].concat().join(" "),
                *key
            );
            assert!(
                !line.example.is_empty() || program.is("git"),
                "{key} has no example"
            );
        }
    }
}

#[test]
fn what_is_no_program_is_not_found() {
    for name in [
        "",
        "no-such-program",
        "cargo test",
        "[task]",
        "[file]",
        "a\tb",
        "zzzz",
        "\u{7f}",
    ] {
        assert!(of(name).is_none(), "{name}");
    }
    assert!(of("[").is_some() && of("[[").is_some());
}

#[test]
fn the_line_with_the_most_words_counts() {
    let part = |command: &str| {
        let mut words = command.split(' ');
        let program = of(words.next().unwrap()).unwrap();
        let words: Vec<_> = words.collect();
        let (line, part) = program.part(&words);
        (line.map(super::Line::family).unwrap_or_default(), part)
    };
    let check = |family: &str, of| (family.to_owned(), Part::Check(of));
    assert_eq!(
        part("cargo +nightly -C x t --lib"),
        check("cargo test", Of::Tests)
    );
    assert_eq!(
        part("cargo fmt --all --check"),
        check("cargo fmt", Of::Lint)
    );
    assert_eq!(part("cargo fmt --all").1, Part::Mends);
    assert_eq!(part("cargo nextest run"), check("cargo nextest", Of::Tests));
    assert_eq!(part("cargo nextest list").1, Part::Anything);
    assert_eq!(part("git -C x commit").1, Part::Hooks);
    assert_eq!(part("cat x").1, Part::Nothing);
    assert_eq!(
        of("git").unwrap().effect(&["-C", "x", "log"]),
        Effect::Reads
    );
    assert_eq!(of("cargo").unwrap().effect(&["test"]), Effect::Tasks);
    let node = of("node").unwrap();
    assert_eq!(node.effect(&["--check", "a.js"]), Effect::Reads);
    assert_eq!(node.effect(&["a.js", "--check"]), Effect::Code);
}
