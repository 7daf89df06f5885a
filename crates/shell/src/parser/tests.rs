use std::fmt::Write as _;

use attest_clock::processor_time;

use super::*;

/// A tree in one line: `;` between statements, `&&`, `||` and `|` as they are, `(…)` around groups.
fn shown(list: &List) -> String {
    let statements = list.statements.iter().map(|statement| {
        let mut text = String::new();
        for (join, pipeline) in &statement.pipelines {
            text.push_str(match join {
                Join::First => "",
                Join::And => " && ",
                Join::Or => " || ",
            });
            text.push_str(if pipeline.is_negated { "! " } else { "" });
            let nodes: Vec<_> = pipeline.nodes.iter().map(shown_node).collect();
            text.push_str(&nodes.join(" | "));
        }
        text.push_str(if statement.is_background { " &" } else { "" });
        text
    });
    statements.collect::<Vec<_>>().join("; ")
}

fn shown_node(node: &Node) -> String {
    let word = |word: &Word| {
        let mut text = word.shown();
        for list in word.commands() {
            let _ = write!(text, "<{}>", shown(list));
        }
        text
    };
    let redirect = |it: &Redirect| match (&it.body, it.writes) {
        (Some(body), _) => format!("<<{body:?}{}", word(&it.target)),
        (None, true) => format!(">{}", word(&it.target)),
        (None, false) => format!("<{}", word(&it.target)),
    };
    match node {
        Node::Simple(simple) => {
            let words = simple.words.iter().map(word);
            words
                .chain(simple.redirects.iter().map(redirect))
                .collect::<Vec<_>>()
                .join(" ")
        }
        Node::Group(group) => {
            let words: Vec<_> = group.words.iter().map(word).collect();
            let lists: Vec<_> = group.lists.iter().map(shown).collect();
            let redirects: String = group.redirects.iter().map(redirect).collect();
            format!(
                "{:?}({} : {}){redirects}",
                group.kind,
                words.join(" "),
                lists.join(" / ")
            )
        }
    }
}

#[track_caller]
fn reads(text: &str, tree: &str) {
    let script = parse(text);
    assert_eq!(shown(&script.list), tree, "{text}");
    assert!(script.is_whole, "{text}");
}

#[test]
fn a_command_becomes_a_tree() {
    for (text, tree) in [
        ("", ""),
        ("a b; c\nd", "a b; c; d"),
        ("a && b || c | d &", "a && b || c | d &"),
        ("a &&\n b", "a && b"),
        ("! a | b", "! a | b"),
        ("time -p a", "a"),
        ("a > b 2>&1 <c", "a >b < <c"),
        ("(a; b) > c", "Subshell( : a; b)>c"),
        ("{ a; b; }", "Braces( : a; b)"),
        (
            "if a; then b; elif c; then d; else e; fi",
            "If( : a / b / c / d / e)",
        ),
        ("while a; do b; done < c", "Loop( : a / b)<c"),
        ("for f in a b; do c $f; done", "For(f in a b : c $f)"),
        ("for ((i=0; i<3; i++)); do a; done", "For( : a)"),
        ("for f\ndo a; done", "For(f : a)"),
        (
            "case $x in a|b) c;; (*) d; esac; e",
            "Case($x a b * : c / d); e",
        ),
        ("f() { a; }; f", "Function( : Braces( : a)); f"),
        ("function f { a; }", "Function( : Braces( : a))"),
        ("[[ a && ( b > c ) ]] && d", "[[ a b c ]] && d"),
        ("A=(a $(b) c) d", "A=${…}$(…)<b> d"),
        ("a $(b `c`) <(d)", "a $(…)<b $(…)<c>> $(…)<d>"),
        (
            "cat <<E | d\nx $(y)\nE\ne",
            "cat <<\"x $(y)\\n\"$(…)<y> | d; e",
        ),
        ("cat <<'E'\nx $(y)\nE", "cat <<\"x $(y)\\n\""),
        (
            "a \"$(cat <<'E'\nit's )\nE\n)\"; b",
            "a $(…)<cat <<\"it's )\\n\">; b",
        ),
        ("a # b\nc", "a; c"),
        ("a \\\n b", "a b"),
    ] {
        reads(text, tree);
    }
}

#[test]
fn what_is_not_read_whole_says_so_and_keeps_the_rest() {
    for (text, tree) in [
        ("a; 'b", "a; b"),
        ("a; fi; b", "a; b"),
        ("a; (b", "a; Subshell( : b)"),
        ("a) b", "a; b"),
        ("if a; then b", "If( : a / b)"),
        ("a $(b", "a $(…)<b>"),
        ("case x in a", "Case(x a : )"),
        ("a b(c) d", "a b c"),
        ("cat <<E\nx", "cat <"),
    ] {
        let script = parse(text);
        assert!(!script.is_whole, "{text}");
        assert!(
            shown(&script.list).starts_with(tree),
            "{text}: {}",
            shown(&script.list)
        );
    }
}

#[test]
fn a_text_takes_a_time_that_grows_with_it() {
    let shapes = [
        "$(",
        "(",
        "{ ",
        "`",
        "\"$(",
        "if a; then ",
        "case a in b) ",
        "* ",
        "*",
        "${a:-",
        "a=(",
        "<(",
        "cat <<A ",
        "$(cat <<A)",
        "f() ",
        "! ",
        "[[ ",
        "a && ",
        "'",
        "[",
        "{a,b}",
        "\\",
        "<<<",
        "a;",
        "\n",
        "$",
        "((",
    ];
    for shape in shapes {
        let taken = processor_time(|| parse(&shape.repeat(100_000 / shape.len())));
        assert!(taken.as_secs() < 20, "{shape}: {taken:?}");
    }
}

mod any {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_text_is_read(text in "[ -~\n\t]{0,200}", more in any::<String>()) {
            let _ = (super::parse(&text), super::parse(&more));
        }
    }
}
