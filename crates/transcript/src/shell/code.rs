//! Code in another language that a command has among its words: it is not understood, but it says so if all that
//! it names stands in it.

use crate::text::is_one_of;

/// What leads out of the folder that the code runs in, other than a name that stands in it. The beginnings of words.
const WAYS_OUT: &str = "__file__ __import__ abspath b64decode backtick chdir check_call check_output child_process \
    chr( decode( dirname environ expanduser getcwd gettempdir home import_module importlib mkdtemp mkstemp pardir \
    popen qx realpath resolve rglob shutil spawn stdin subprocess system temp tmp";
/// The same, whole words.
const WORDS_OUT: &str = "argv cwd env eval exec execSync input parent parents walk";

/// Modules of Python that open no file, nor run a program, whatever they are told.
const PURE: &str = "base64 collections csv datetime decimal difflib functools hashlib itertools json math re \
    statistics string sys textwrap toml tomllib typing unicodedata yaml";
/// Words with which code gets at more than it imports.
const REACHES: &str = "breakpoint compile eval exec getattr globals io locals modules open os pathlib shutil subprocess vars";

/// Whether code of Python writes no file: it imports nothing that could, and opens none.
pub(super) fn writes_nothing(code: &str) -> bool {
    let words = code.split(|char: char| !char.is_alphanumeric() && char != '_');
    let reaches = |word: &str| word.starts_with("__") || is_one_of(REACHES, word);
    if words.clone().any(reaches) {
        return false;
    }
    let statements = code.split(['\n', ';', ':']).map(str::trim);
    let imported = statements.filter(|it| it.split_whitespace().any(|word| word == "import"));
    imported.flat_map(modules).all(|name| is_one_of(PURE, name))
}

/// The modules of a statement with the word "import". What is not one is no name of a module.
fn modules(statement: &str) -> Vec<&str> {
    if let Some(names) = statement.strip_prefix("import ") {
        let names = names.split(',').map(str::split_whitespace);
        return names.filter_map(|mut words| words.next()).collect();
    }
    match statement.split_whitespace().collect::<Vec<_>>()[..] {
        ["from", module, "import", ..] => vec![module],
        _ => vec![statement],
    }
}

/// Whether the code may write where none of its words names.
pub(super) fn may_lead_out(code: &str) -> bool {
    // A path that stands in it is looked for, whatever it is called.
    let words = code.split(|char: char| char.is_whitespace() || "\"'`,;".contains(char));
    words.filter(|word| !word.contains('/')).any(leads_out)
}

fn leads_out(code: &str) -> bool {
    let begins = |word: &str| occurs(code, word, |_| true);
    let is_word = |char: Option<char>| char.is_none_or(|it| !it.is_ascii_alphanumeric());
    WAYS_OUT.split(' ').any(begins) || WORDS_OUT.split(' ').any(|word| occurs(code, word, is_word))
}

/// Whether `word` stands in `text` where a word begins, and before something that `may_follow`.
fn occurs(text: &str, word: &str, may_follow: impl Fn(Option<char>) -> bool) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        before.is_none_or(|it| !it.is_ascii_alphanumeric())
            && may_follow(text[at + word.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_that_opens_nothing_writes_nothing() {
        for code in [
            "import json,sys; print(json.load(sys.stdin)['version'])",
            "import sys, json as j\nfor x in j.load(sys.stdin):\n    sys.stdout.write(x['a'])",
            "from collections import Counter; import sys; print(Counter(sys.stdin))",
            "print(1 + 1)",
        ] {
            assert!(writes_nothing(code), "{code}");
        }
        for code in [
            "import sys; open(sys.stdin.read().strip(), 'w')",
            "import os, sys; os.rename(*sys.argv[1:])",
            "import json, sys\nfrom pathlib import Path\nPath(json.load(sys.stdin)).touch()",
            "import sys; sys.modules['os'].mkdir('a')",
            "import sys; exec(sys.stdin.read())",
            "import json as j,glob; glob.x()",
            "import json, \\\n tempfile; tempfile.mkdtemp()",
            "__import__('os').mkdir('a')",
            "if 1: import os\nos.mkdir('a')",
        ] {
            assert!(!writes_nothing(code), "{code}");
        }
    }

    #[test]
    fn code_that_names_its_files_leads_nowhere() {
        for code in [
            "p='src/a.py'; s=open(p).read(); open(p,'w').write(s.replace('a','b'))",
            "const fs=require('fs'); fs.writeFileSync('package.json', JSON.stringify({}))",
            "open('/tmp/.tmpx/home/x', 'w')",
            "import json; print(json.load(open('x.json'))['version'])",
        ] {
            assert!(!may_lead_out(code), "{code}");
        }
        for code in [
            "import os; open(os.environ['D'] + '/a', 'w')",
            "import tempfile; tempfile.mkdtemp()",
            "from pathlib import Path; (Path.cwd().parent / 'a').touch()",
            "require('child_process').execSync(c)",
            "open(process.env.D)",
            "os.path.expanduser(p)",
            "import sys; open(sys.argv[1], 'w')",
        ] {
            assert!(may_lead_out(code), "{code}");
        }
    }
}
