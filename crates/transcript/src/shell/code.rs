//! Code in another language that a command has among its words: it is not understood, but it says so if all that
//! it names stands in it.

/// What leads out of the folder that the code runs in, other than a name that stands in it. The beginnings of words.
const WAYS_OUT: &[&str] = &[
    "__file__",
    "__import__",
    "abspath",
    "b64decode",
    "backtick",
    "chdir",
    "check_call",
    "check_output",
    "child_process",
    "chr(",
    "decode(",
    "dirname",
    "environ",
    "expanduser",
    "getcwd",
    "gettempdir",
    "home",
    "import_module",
    "importlib",
    "mkdtemp",
    "mkstemp",
    "pardir",
    "popen",
    "qx",
    "realpath",
    "resolve",
    "rglob",
    "shutil",
    "spawn",
    "stdin",
    "subprocess",
    "system",
    "temp",
    "tmp",
];
/// The same, whole words.
const WORDS_OUT: &[&str] = &[
    "argv", "cwd", "env", "eval", "exec", "execSync", "input", "parent", "parents", "walk",
];

/// Whether the code may write where none of its words names.
pub(super) fn may_lead_out(code: &str) -> bool {
    // A path that stands in it is looked for, whatever it is called.
    let words = code.split(|char: char| char.is_whitespace() || "\"'`,;".contains(char));
    words.filter(|word| !word.contains('/')).any(leads_out)
}

fn leads_out(code: &str) -> bool {
    let begins = |word: &&str| occurs(code, word, |_| true);
    let is_word = |char: Option<char>| char.is_none_or(|it| !it.is_ascii_alphanumeric());
    WAYS_OUT.iter().any(begins) || WORDS_OUT.iter().any(|word| occurs(code, word, is_word))
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
