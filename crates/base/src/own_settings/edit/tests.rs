use super::*;
use crate::own_settings::OwnSettings;

const ON: &[(&str, Option<String>)] = &[("ATTEST_ENFORCE", None)];

fn on(value: &str) -> [(&'static str, Option<String>); 2] {
    [
        ("ATTEST_ENFORCE", Some(value.to_owned())),
        ("ATTEST_STRICT", None),
    ]
}

#[test]
fn what_is_set_goes_again_and_leaves_everything_else() {
    for before in [
        None,
        Some("# mine\nATTEST_LOG = \"info\" # why\n"),
        Some("[codex] # mine\nATTEST_LOG = \"info\"\n\n# of qwen\n[qwen]\nATTEST_ENFORCE = true\n"),
        Some("codex = { ATTEST_LOG = \"info\" }\n"),
        Some("codex.ATTEST_LOG = \"info\"\n"),
        Some("# nothing yet\n"),
        Some("ATTEST_LOG = \"info\"\n\n# of codex\n[codex]\n# nothing yet\n"),
        Some("\u{feff}ATTEST_LOG = \"info\"\r\n[codex]\r\n\r\n[qwen] # mine\r\n"),
        Some("\u{feff}codex.ATTEST_LOG = \"info\"\r\n"),
        Some("[qwen]\n# mine\n\n[codex] # mine\n# inner\n\n# of droid\n[droid]\n"),
        Some("[codex]\n# mine\nATTEST_LOG = \"info\" # why\n# tail\n\n\n[qwen]\n"),
        Some(""),
    ] {
        let on = on("1");
        let Edited::Content(with) = with_sections(before, &[("codex", &on)], Whose::Attest) else {
            panic!("{before:?}");
        };
        let settings = OwnSettings::of(with.as_bytes());
        assert_eq!(settings.faults, [], "{with}");
        let says = |name: &str| settings.section("codex").iter().any(|(it, _)| it == name);
        assert!(says("ATTEST_ENFORCE"), "{with}");
        let again = with_sections(Some(&with), &[("codex", &on)], Whose::Attest);
        assert_eq!(again, Edited::Same);
        let off = with_sections(Some(&with), &[("codex", ON)], Whose::Attest);
        let expected = before.map_or(Edited::Nothing, |before| Edited::Content(before.to_owned()));
        assert_eq!(off, expected, "{with}");
    }
}

#[test]
fn a_value_is_replaced_where_it_stands() {
    let before = "[codex]\nATTEST_ENFORCE = true # for now\n[qwen]\n";
    for (whose, mark) in [(Whose::Person, ""), (Whose::Attest, " # set by attest")] {
        let after = with_sections(Some(before), &[("codex", &on("0"))], whose);
        let expected = format!("[codex]\nATTEST_ENFORCE = \"0\" # for now{mark}\n[qwen]\n");
        assert_eq!(after, Edited::Content(expected));
    }
}

#[test]
fn a_remark_of_a_person_stays_where_their_line_goes() {
    let before = "[codex]\n# mine\nATTEST_ENFORCE = \"1\" # why\n# tail\n[qwen]\n";
    let after = with_sections(Some(before), &[("codex", ON)], Whose::Attest);
    let expected = "[codex]\n# mine\n# tail\n[qwen]\n";
    assert_eq!(after, Edited::Content(expected.to_owned()));
}

/// What a person wrote is theirs, also if it is what attest would have written.
#[test]
fn a_value_is_of_whoever_set_it_last() {
    let before = "[codex]\nATTEST_ENFORCE = \"1\"\n";
    let set = |text: &str, value: &str, whose| match with_sections(
        Some(text),
        &[("codex", &on(value))],
        whose,
    ) {
        Edited::Content(text) => text,
        _ => text.to_owned(),
    };
    assert_eq!(set(before, "1", Whose::Attest), before);
    assert!(own(before, "codex").is_empty());
    let attests = set(before, "0", Whose::Attest);
    assert_eq!(own(&attests, "codex"), ["ATTEST_ENFORCE"]);
    assert_eq!(set(&attests, "0", Whose::Attest), attests);
    assert!(own(&set(&attests, "0", Whose::Person), "codex").is_empty());
}

#[test]
fn what_is_not_a_section_is_refused() {
    for content in [
        "codex = 1\n",
        "[[codex]]\n",
        "not toml",
        "[codex.ATTEST_ENFORCE]\n",
    ] {
        assert_eq!(
            with_sections(Some(content), &[("codex", &on("1"))], Whose::Attest),
            Edited::Refused
        );
    }
}

#[test]
fn a_new_file_says_what_it_is() {
    let sections: [Section<'_>; 2] = [("codex", &on("1")), ("qwen", &on("1"))];
    let Edited::Content(text) = with_sections(None, &sections, Whose::Attest) else {
        panic!("nothing");
    };
    let line = "ATTEST_ENFORCE = \"1\" # set by attest\n";
    let body = format!("\n[codex]\n{line}\n[qwen]\n{line}");
    assert_eq!(text, format!("{HEAD}{body}"));
    let section = OwnSettings::of(text.as_bytes()).section("qwen");
    assert_eq!(section, [("ATTEST_ENFORCE".to_owned(), "1".to_owned())]);
}
