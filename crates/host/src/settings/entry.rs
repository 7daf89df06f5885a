//! Telling our own hook entries from everybody else's.

use std::ops::Range;

use jsonc_parser::cst::CstObject;

use super::node;
use super::shell::{self, Guard};

/// Every word that may stand behind `attest hook`, whichever version wrote the entry.
const VERBS: [&str; 6] = [
    "start",
    "stop",
    "failed",
    "session-stop",
    "post-tool-use",
    "prompt",
];

/// What a handler of a settings file is to us.
#[derive(Debug)]
pub(super) enum Handler {
    /// It calls attest and does nothing else.
    Own(OwnCall),
    /// A person's own command line that calls attest among other things.
    Mention,
    Foreign,
}

/// A handler that runs `attest hook <verb>`.
#[derive(Debug)]
pub(super) struct OwnCall {
    pub(super) verb: &'static str,
    /// The path as it is written, without quotes.
    pub(super) program: String,
    /// Whether that is the path: no shell expands anything in it.
    pub(super) is_literal: bool,
    pub(super) form: Form,
    /// What stands behind it.
    pub(super) guard: Guard,
}

/// How the call is written.
#[derive(Debug)]
pub(super) enum Form {
    /// `command` is the program and `args` its arguments, which are these.
    Exec(Vec<String>),
    /// `command` is a plain command line; here are the arguments.
    Shell(Vec<String>),
    /// A command line with variables or redirections that a person added; here is where the
    /// program stands in it.
    Decorated { program: Range<usize> },
}

/// Looks at one handler, whose command line is its property `key`.
pub(super) fn recognise(handler: &CstObject, key: &str) -> Handler {
    let Some(command) = node::text(handler, key) else {
        return Handler::Foreign;
    };
    let args = args_of(handler);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let own = if args.is_empty() {
        own_command_line(&command)
    } else {
        own_exec(&command, &args)
    };
    match own {
        Some(call) => Handler::Own(call),
        None if mentions(&command, &args) => Handler::Mention,
        None => Handler::Foreign,
    }
}

/// Whether the last component of `program` is attest, with either kind of slash.
#[must_use]
pub fn is_attest(program: &str) -> bool {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    name == "attest" || name.eq_ignore_ascii_case("attest.exe")
}

fn args_of(handler: &CstObject) -> Vec<String> {
    let args = handler.array_value("args");
    let args = args.into_iter().flat_map(|args| args.elements());
    args.filter_map(|arg| node::string(&arg)).collect()
}

fn own_exec(program: &str, args: &[&str]) -> Option<OwnCall> {
    let verb = verb_of(args)?;
    is_attest(program).then(|| OwnCall {
        verb,
        program: program.to_owned(),
        is_literal: true,
        form: Form::Exec(owned(args)),
        guard: Guard::Bare,
    })
}

fn own_command_line(command: &str) -> Option<OwnCall> {
    let (bare, guard) = Guard::split(command);
    let call = bare.strip_prefix(shell::CALL).unwrap_or(bare);
    let before = bare.len() - call.len();
    let words = shell::words(call)?;
    let assignments = words
        .iter()
        .take_while(|word| shell::is_assignment(&word.text))
        .count();
    let (program, args) = words.get(assignments..)?.split_first()?;
    let args: Vec<&str> = args.iter().map(|word| word.text.as_str()).collect();
    let verb = verb_of(&args)?;
    let is_plain = assignments == 0 && matches!(args.get(2..), None | Some([] | ["--harness", _]));
    is_attest(&program.text).then(|| OwnCall {
        verb,
        program: program.text.clone(),
        is_literal: program.is_literal,
        form: if is_plain {
            Form::Shell(owned(&args))
        } else {
            Form::Decorated {
                program: before + program.span.start..before + program.span.end,
            }
        },
        guard,
    })
}

fn owned(args: &[&str]) -> Vec<String> {
    args.iter().map(|arg| (*arg).to_owned()).collect()
}

fn verb_of(args: &[&str]) -> Option<&'static str> {
    match args {
        ["hook", verb, ..] => VERBS.into_iter().find(|known| known == verb),
        _ => None,
    }
}

fn mentions(command: &str, args: &[&str]) -> bool {
    let words: Vec<&str> = std::iter::once(command)
        .chain(args.iter().copied())
        .flat_map(str::split_whitespace)
        .map(|word| word.trim_matches(|char: char| "'\"();&|`".contains(char)))
        .collect();
    words
        .windows(3)
        .any(|three| is_attest(three[0]) && verb_of(&three[1..]).is_some())
}

#[cfg(test)]
mod tests {
    use jsonc_parser::ParseOptions;
    use jsonc_parser::cst::CstRootNode;

    use super::*;

    fn describe(handler: &str) -> String {
        let root = CstRootNode::parse(handler, &ParseOptions::default()).unwrap();
        match recognise(&root.object_value().unwrap(), "command") {
            Handler::Own(call) => format!("own {} {} {:?}", call.verb, call.program, call.form),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn own_calls_in_every_form() {
        insta::assert_snapshot!(
            [
                r#"{"type":"command","command":"/x y/attest","args":["hook","start"]}"#,
                r#"{"type":"command","command":"attest","args":["hook","stop","--harness","claude-code"]}"#,
                r#"{"command":"C:\\Program Files\\attest.EXE","args":["hook","stop"]}"#,
                r#"{"command":"'/x y/attest' hook stop"}"#,
                r#"{"command":"$HOME/.local/bin/attest hook start","args":[]}"#,
                r#"{"command":"attest hook stop --harness claude-code"}"#,
                r#"{"command":"ATTEST_ENFORCE=1 \"/x y/attest\" hook stop 2>>/tmp/log"}"#,
                r#"{"command":"attest hook prompt"}"#,
                r#"{"command":"'/x y/attest' hook stop --harness gemini 2>/dev/null || true"}"#,
                r#"{"command":"& \"C:/x y/attest.exe\" hook stop 2>$null; exit 0"}"#,
                r#"{"command":"A=1 attest hook stop || true"}"#,
            ]
            .map(describe)
            .join("\n"),
            @r#"
            own start /x y/attest Exec(["hook", "start"])
            own stop attest Exec(["hook", "stop", "--harness", "claude-code"])
            own stop C:\Program Files\attest.EXE Exec(["hook", "stop"])
            own stop /x y/attest Shell(["hook", "stop"])
            own start $HOME/.local/bin/attest Shell(["hook", "start"])
            own stop attest Shell(["hook", "stop", "--harness", "claude-code"])
            own stop /x y/attest Decorated { program: 17..30 }
            own prompt attest Shell(["hook", "prompt"])
            own stop /x y/attest Shell(["hook", "stop", "--harness", "gemini"])
            own stop C:/x y/attest.exe Shell(["hook", "stop"])
            own stop attest Decorated { program: 4..10 }
            "#
        );
    }

    #[test]
    fn calls_of_others_are_left_alone() {
        for handler in [
            r#"{"command":"/home/attest/bin/other","args":["hook","stop"]}"#,
            r#"{"command":"attest-report hook stop"}"#,
            r#"{"command":"attest","args":["log"]}"#,
            r#"{"command":"attest verify --claim-file hook"}"#,
            r#"{"command":"echo attest"}"#,
            r#"{"command":"attest hook"}"#,
            r#"{"command":"attest hook restart"}"#,
            r#"{"type":"prompt","prompt":"attest hook stop"}"#,
            r#"{"command":17}"#,
        ] {
            assert_eq!(describe(handler), "Foreign", "{handler}");
        }
    }

    #[test]
    fn a_larger_command_line_is_a_mention() {
        for handler in [
            r#"{"command":"cd /x && attest hook stop"}"#,
            r#"{"command":"tee /tmp/in | /x/attest hook stop; true"}"#,
            r#"{"command":"env","args":["ATTEST_ENFORCE=1","/x/attest","hook","stop"]}"#,
            r#"{"command":"sh","args":["-c","(attest hook stop)"]}"#,
        ] {
            assert_eq!(describe(handler), "Mention", "{handler}");
        }
    }
}
