//! Code in another language that a command has among its words: it is not understood, but it says so if all that
//! it names stands in it.

use crate::programs::Program;
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
/// What of other modules does not either.
const PARTS: [(&str, &str); 3] = [
    (
        "os",
        "chdir cpu_count environ getcwd getenv getpid linesep listdir name path scandir sep stat uname walk",
    ),
    (
        "subprocess",
        "CalledProcessError DEVNULL PIPE STDOUT TimeoutExpired",
    ),
    ("tempfile", "TemporaryDirectory gettempdir mkdtemp"),
];
/// Words with which code of Python gets at more than it imports.
const REACHES: &str = "breakpoint compile eval exec executable getattr globals io locals modules open pathlib shutil vars";
/// The same for JavaScript, in which everything is at hand.
const REACHES_OF_JS: &str = "Bun Deno Function Proxy Reflect WebAssembly child_process cluster constructor dgram eval fs \
    global globalThis http http2 https import inspector module net repl require this tls trace_events v8 vm \
    worker_threads";
/// What of the process it only reads.
const PARTS_OF_PROCESS: &str = "arch argv cwd env exitCode pid platform version versions";
/// What runs a command, in Python and in JavaScript.
const RUNS: [&str; 8] = [
    "subprocess.run(",
    "subprocess.call(",
    "subprocess.check_call(",
    "subprocess.check_output(",
    "os.system(",
    "os.popen(",
    "require('child_process').execSync(",
    "require(\"child_process\").execSync(",
];
/// Commands that one code may run.
const MAX_RUNS: usize = 50;

/// The commands that code for `program` runs, each with its words, if it writes nothing but what these write.
pub(super) fn only_runs(program: Program, code: &str) -> Option<Vec<Vec<String>>> {
    let (rest, commands) = without_runs(code)?;
    let changes_folder = || ["chdir", "cwd"].iter().any(|word| code.contains(word));
    let is_known = if program.is("python") {
        writes_nothing(&rest)
    } else {
        program.is("js")
            && has_none_of(REACHES_OF_JS, &rest)
            && takes_only(&rest, "process", PARTS_OF_PROCESS)
    };
    (is_known && (commands.is_empty() || !changes_folder())).then_some(commands)
}

/// The code without the calls that run a command which stands there to the letter, and these commands.
fn without_runs(mut code: &str) -> Option<(String, Vec<Vec<String>>)> {
    let (mut rest, mut commands) = (String::new(), Vec::new());
    let next = |code: &str| {
        let found = RUNS
            .iter()
            .filter_map(|run| Some((code.find(run)?, run.len())));
        found.min()
    };
    while let Some((at, len)) = next(code) {
        let (words, behind) = command(&code[at + len..]).filter(|_| commands.len() < MAX_RUNS)?;
        commands.push(words);
        rest.push_str(&code[..at]);
        code = behind;
    }
    rest.push_str(code);
    Some((rest, commands))
}

/// A command as the first argument of a call, a text or a list of texts, and what stands behind it.
fn command(arguments: &str) -> Option<(Vec<String>, &str)> {
    let arguments = arguments.trim_start();
    let (words, behind) = if let Some(list) = arguments.strip_prefix('[') {
        let (list, behind) = list.split_once(']')?;
        let words = list.split(',').map(|word| text(word.trim_start()));
        let words = words.map(|it| it.filter(|(_, behind)| behind.trim().is_empty()));
        let words: Option<Vec<_>> = words.map(|it| Some(it?.0.to_owned())).collect();
        (words.filter(|words| !words[0].contains(' '))?, behind)
    } else {
        let (command, behind) = text(arguments)?;
        (["sh", "-c", command].map(str::to_owned).to_vec(), behind)
    };
    let is_whole = behind.trim_start().starts_with([',', ')']);
    is_whole.then_some((words, behind))
}

/// A text in quotes in which everything means itself, and what stands behind it.
fn text(code: &str) -> Option<(&str, &str)> {
    let quote = code.chars().next().filter(|it| matches!(it, '\'' | '"'))?;
    let (text, behind) = code[1..].split_once(quote)?;
    (!text.is_empty() && !text.contains('\\')).then_some((text, behind))
}

/// Whether code of Python writes no file: it imports nothing that could, and opens none.
fn writes_nothing(code: &str) -> bool {
    let statements = code.split(['\n', ';', ':']).map(str::trim);
    let imported = statements.filter(|it| it.split_whitespace().any(|word| word == "import"));
    let is_known = |name: &str| {
        let module = name.split('.').next();
        is_one_of(PURE, name) || PARTS.iter().any(|(known, _)| Some(*known) == module)
    };
    has_none_of(REACHES, code)
        && imported.flat_map(modules).all(is_known)
        && PARTS
            .iter()
            .all(|(module, parts)| takes_only(code, module, parts))
}

fn has_none_of(list: &str, code: &str) -> bool {
    let mut words = code.split(|char| !is_of_word(char));
    !words.any(|word| word.starts_with("__") || is_one_of(list, word))
}

/// Whether the code takes only these parts of `whole`, where it does not import it under its name.
fn takes_only(code: &str, whole: &str, parts: &str) -> bool {
    code.match_indices(whole).all(|(at, _)| {
        let (before, behind) = (&code[..at], &code[at + whole.len()..]);
        if before.ends_with(is_of_word) || behind.starts_with(is_of_word) {
            return true;
        }
        let part = behind.strip_prefix('.').unwrap_or_default();
        let statement = before.rsplit(['\n', ';', ':']).next().unwrap_or_default();
        is_one_of(
            parts,
            part.split(|char| !is_of_word(char))
                .next()
                .unwrap_or_default(),
        ) || statement.trim_start().starts_with("import ") && !behind.starts_with(" as ")
    })
}

fn is_of_word(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
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
mod tests;
