//! What each simple command may write, by the program that it runs.

use super::code::may_lead_out;
use super::programs::{self, Class, class};
use super::reader::{Argument, Command, Reader};
use crate::places::{Place, Unknown, add_named, looks_like_path};

impl Reader<'_> {
    /// Reads a command: the program and its words.
    pub(super) fn dispatch(&mut self, words: &[Argument], command: &Command) {
        let Some((program, words)) = words.split_first() else {
            return;
        };
        let Some(path) = program.text() else {
            return self.places.miss(Unknown::Script, &program.shown);
        };
        let path = path.strip_suffix(".exe").unwrap_or(path);
        let name = match path.rsplit_once(['/', '\\']) {
            None => path,
            Some((folder, name))
                if programs::is_of_a_tool(folder) || programs::is_wrapper(name) =>
            {
                name
            }
            Some((_, name)) => return self.script(path, name, words),
        };
        match class(name) {
            Class::Reads => self.run_reader(name, words),
            Class::Operands { skip } => self
                .operands(words)
                .skip(skip)
                .for_each(|word| self.exact(&word)),
            Class::Copies => self.copy(name, words),
            Class::Options(options) => self.options(name, options, words),
            Class::Here => self.work(name, words),
            Class::Tasks => self.task(name, words, command),
            Class::Runs => self.prefix(name, words, command),
            Class::RunsWithInput => self.with_input(words),
            Class::Shell => self.shell(name, words, command),
            Class::Interpreter => self.interpret(name, words, command),
            Class::Edits => self.edit(name, words),
            Class::Elsewhere => self.elsewhere(name, words),
            Class::Git => self.git(words),
            Class::Find => self.find(words, command),
            Class::ChangesFolder => self.change_folder(name, words),
            Class::Sources => self.source(words),
            Class::Assigns => self.set(words),
            Class::Declares => self.declare(words),
            Class::Evaluates => self.evaluate(name, words),
        }
    }

    /// The words that are no options.
    fn operands(&self, words: &[Argument]) -> std::vec::IntoIter<Argument> {
        let operands: Vec<_> = words
            .iter()
            .filter(|word| !word.is_option())
            .cloned()
            .collect();
        operands.into_iter()
    }

    fn run_reader(&mut self, name: &str, words: &[Argument]) {
        // The only one that sets a variable.
        if name == "printf" && words.first().and_then(Argument::text) == Some("-v") {
            self.set(&words[1..]);
        }
    }

    /// A program that writes in the folder that it runs in, and where its words say.
    fn work(&mut self, name: &str, words: &[Argument]) {
        let asks_only = matches!(words, [word] if matches!(word.text(), Some("--version" | "--help" | "-V" | "version" | "help")));
        if asks_only {
            return;
        }
        self.here(name);
        for word in words {
            self.named(word);
        }
    }

    /// Adds the places that a word may name.
    pub(super) fn named(&mut self, word: &Argument) {
        let Some(values) = &word.values else {
            return self.places.miss(Unknown::Expansion, &word.shown);
        };
        let pieces = values.iter().flat_map(|value| {
            let glued = ["-C", "-o", "-O", "-d", "-P", "-t"]
                .iter()
                .find_map(|option| value.strip_prefix(option));
            let colons = value.split(':').filter(|_| !value.contains("://"));
            value
                .split(['=', ',', ';'])
                .chain(colons)
                .chain(glued)
                .map(str::to_owned)
        });
        let pieces: Vec<_> = pieces.collect();
        for piece in pieces {
            if looks_like_path(&piece) {
                self.around(&Argument {
                    values: Some(vec![piece]),
                    shown: word.shown.clone(),
                });
            }
        }
    }

    /// A program by its path: nobody knows what it does, unless its name says that it only checks.
    fn script(&mut self, path: &str, name: &str, words: &[Argument]) {
        let stem = name.split('.').next().unwrap_or(name);
        if !programs::only_checks(stem) {
            self.places.miss(Unknown::Script, path);
        }
        self.work(name, words);
    }

    fn copy(&mut self, name: &str, words: &[Argument]) {
        let is_deep = words.iter().any(|word| {
            let text = word.text().unwrap_or_default();
            let short = text.starts_with('-')
                && !text.starts_with("--")
                && text.contains(['r', 'R', 'a', 'd']);
            short || matches!(text, "--recursive" | "--archive" | "--directory")
        }) || matches!(name, "rsync" | "ditto");
        let mut operands = Vec::new();
        let mut target = None;
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.text() {
                Some("-t" | "--target-directory") => target = words.next().cloned(),
                Some("-m" | "-o" | "-g" | "-e" | "-S" | "--exclude" | "--include") => {
                    words.next();
                }
                _ => match word.behind("--target-directory") {
                    Some(named) => target = Some(named),
                    None if !word.is_option() => operands.push(word.clone()),
                    None => {}
                },
            }
        }
        let Some(target) = target.or_else(|| operands.pop()) else {
            return;
        };
        let is_remote = |value: &String| {
            let host = value.split_once(':').map(|(host, _)| host);
            host.is_some_and(|host| host.len() > 1 && !host.contains('/'))
        };
        if matches!(name, "scp" | "rsync") && target.values.iter().flatten().any(is_remote) {
            return self.places.miss(Unknown::Machine, &target.shown);
        }
        self.exact(&target);
        let sources: Option<Vec<_>> = operands.iter().map(Argument::text).collect();
        match sources {
            Some(sources) if !is_deep => {
                for source in sources {
                    self.copied(name, source, &target);
                }
            }
            _ => self.around(&target),
        }
        if name == "install" && is_deep {
            operands.iter().for_each(|word| self.exact(word));
        }
    }

    /// What `source` is in the folder `target`.
    fn copied(&mut self, name: &str, source: &str, target: &Argument) {
        let source = source.trim_end_matches('/');
        let base = source.rsplit(['/', '\\']).next().unwrap_or(source);
        let inside = target
            .values
            .iter()
            .flatten()
            .map(|value| format!("{value}/{base}"))
            .collect();
        let inside = Argument {
            values: Some(inside),
            shown: target.shown.clone(),
        };
        self.exact(&inside);
        if name != "mv" {
            return;
        }
        for to in [&inside, target] {
            for value in to.values.iter().flatten() {
                let (from, to): (Vec<_>, Vec<_>) = (
                    self.folders.joined(source).collect(),
                    self.folders.joined(value).collect(),
                );
                for (from, to) in from.into_iter().zip(to) {
                    self.places.add(Place::Moved { from, to });
                }
            }
        }
    }

    /// A program that writes what some of its options name.
    fn options(&mut self, name: &str, options: &[&str], words: &[Argument]) {
        let mut words = words.iter().peekable();
        while let Some(word) = words.next() {
            if word.text().is_some_and(|text| options.contains(&text)) {
                if let Some(value) = words.peek() {
                    self.around(value);
                }
            } else if let Some(value) = options.iter().find_map(|option| word.behind(option)) {
                self.around(&value);
            } else if let Some(text) = word
                .text()
                .filter(|text| text.starts_with('-') && !text.starts_with("--"))
            {
                if name == "curl" && text.ends_with('o') {
                    words.peek().iter().for_each(|value| self.around(value));
                } else if name == "curl" && text.contains('O') {
                    self.here(name);
                } else if let Some(glued) = text.strip_prefix("-o") {
                    let values = Some(vec![glued.to_owned()]);
                    let shown = text.to_owned();
                    self.around(&Argument { values, shown });
                }
            }
        }
    }

    /// A runner of tasks: a task that has no usual name may be any script.
    fn task(&mut self, name: &str, words: &[Argument], command: &Command) {
        let mut operands = self.operands(words).filter(|word| {
            let text = word.text().unwrap_or_default();
            !text.starts_with('+')
                && !text.contains('=')
                && !text.chars().all(|it| it.is_ascii_digit())
        });
        let verb = operands.next();
        let verb_text = verb
            .as_ref()
            .and_then(Argument::text)
            .unwrap_or_default()
            .to_owned();
        let is_own = match name {
            "make" | "gmake" | "just" | "task" | "rake" | "invoke" | "inv" | "mage" | "poe"
            | "nox" => {
                let values = [
                    "-C",
                    "--directory",
                    "-f",
                    "--file",
                    "-j",
                    "-I",
                    "-o",
                    "-l",
                    "-s",
                ];
                let mut words = words.iter();
                let mut is_usual = true;
                while let Some(word) = words.next() {
                    match word.text() {
                        Some(text) if values.contains(&text) => drop(words.next()),
                        Some(text) if text.starts_with('-') || text.contains('=') => {}
                        Some(text) => is_usual &= programs::is_usual(text),
                        None => is_usual = false,
                    }
                }
                // `make -C folder target` as well.
                !is_usual
            }
            _ => match verb_text.as_str() {
                "exec" | "x" | "dlx" | "run" | "run-script" | "tool"
                    if matches!(
                        name,
                        "poetry"
                            | "uv"
                            | "pipenv"
                            | "bundle"
                            | "hatch"
                            | "pdm"
                            | "rye"
                            | "conda"
                            | "mise"
                    ) || matches!(verb_text.as_str(), "exec" | "x" | "dlx") =>
                {
                    let at = words
                        .iter()
                        .position(|word| word.text() == Some(&verb_text));
                    let rest = at.map_or(&[][..], |at| &words[at + 1..]);
                    let rest: Vec<_> = rest
                        .iter()
                        .skip_while(|word| word.is_option())
                        .cloned()
                        .collect();
                    return self.dispatch(&rest, command);
                }
                "run" | "run-script"
                    if matches!(
                        name,
                        "npm" | "pnpm" | "yarn" | "bun" | "composer" | "turbo" | "nx"
                    ) =>
                {
                    let task = operands.next();
                    !task
                        .as_ref()
                        .and_then(Argument::text)
                        .is_none_or(programs::is_usual)
                }
                "run" | "generate" | "xtask" | "task" | "script" | "r" => true,
                // These run what a project calls so.
                verb if matches!(name, "yarn" | "pnpm" | "bun") => {
                    !verb.is_empty() && !programs::is_usual(verb) && !programs::is_of_packages(verb)
                }
                "g" | "runner" | "new" | "create" | "create-app" => matches!(name, "rails" | "mix"),
                _ => false,
            },
        };
        if is_own {
            let shown: Vec<_> = words.iter().map(|word| word.shown.as_str()).collect();
            self.places
                .miss(Unknown::Script, &format!("{name} {}", shown.join(" ")));
        }
        self.work(name, words);
    }

    /// A program that runs the one among its words.
    fn prefix(&mut self, name: &str, words: &[Argument], command: &Command) {
        let mut rest = words;
        let before = self.folders.clone();
        while let Some((word, more)) = rest.split_first() {
            let text = word.text().unwrap_or_default();
            let takes_value = matches!(
                (name, text),
                (
                    "sudo" | "doas",
                    "-u" | "-g" | "-h" | "-p" | "-D" | "--chdir" | "--user"
                ) | ("env", "-u" | "-C" | "--chdir" | "--unset")
                    | ("nice" | "ionice", "-n" | "-c" | "-p")
                    | ("timeout" | "gtimeout", "-s" | "-k")
                    | ("stdbuf", "-i" | "-o" | "-e")
                    | ("exec", "-a")
                    | (
                        "npx" | "bunx" | "uvx" | "pnpx",
                        "-p" | "--package" | "--from" | "--with" | "--python"
                    )
                    | ("watch", "-n" | "--interval")
                    | ("strace" | "ltrace", "-e" | "-o" | "-p")
                    | ("dotenv", "-e" | "-f")
            );
            let chdir = word.behind("--chdir");
            if takes_value {
                if matches!(text, "-C" | "-D" | "--chdir") {
                    let to = more.first().and_then(|word| word.values.clone());
                    self.folders.change(to.as_deref(), true);
                }
                rest = more.get(1..).unwrap_or_default();
            } else if let Some(to) = chdir {
                self.folders.change(to.values.as_deref(), true);
                rest = more;
            } else if (name, text) == ("env", "-S") {
                more.iter().for_each(|word| match word.text() {
                    Some(text) => self.nested_text(text),
                    None => self.places.miss(Unknown::Expansion, &word.shown),
                });
                return;
            } else if word.is_option() {
                rest = more;
            } else if matches!(name, "env" | "sudo" | "doas" | "cross-env")
                && (text.contains('=') || word.shown.contains('='))
            {
                self.named(word);
                rest = more;
            } else if matches!(name, "timeout" | "gtimeout")
                && text.starts_with(|it: char| it.is_ascii_digit())
            {
                rest = more;
            } else {
                break;
            }
        }
        self.dispatch(rest, command);
        if name != "exec" {
            self.folders = before;
        }
    }

    /// A command whose last words come from standard input.
    fn with_input(&mut self, words: &[Argument]) {
        let mut rest = words;
        while let Some((word, more)) = rest.split_first() {
            let takes_value = matches!(
                word.text(),
                Some("-I" | "-n" | "-P" | "-L" | "-d" | "-a" | "-E" | "-s" | "-j")
            );
            if takes_value {
                rest = more.get(1..).unwrap_or_default();
            } else if word.is_option() {
                rest = more;
            } else {
                break;
            }
        }
        let Some(program) = rest.first() else {
            return;
        };
        let name = program
            .text()
            .map(|path| path.rsplit('/').next().unwrap_or(path));
        let is_reader = match name.map(class) {
            Some(Class::Reads) => true,
            Some(Class::Edits) => !edits_in_place(&rest[1..]),
            Some(Class::Git) => rest.get(1).and_then(Argument::text).is_some_and(only_reads),
            _ => false,
        };
        if is_reader {
            return;
        }
        self.places
            .miss(Unknown::Expansion, &format!("xargs {}", program.shown));
    }

    fn shell(&mut self, name: &str, words: &[Argument], command: &Command) {
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.text() {
                Some("--version" | "--help") => return,
                Some("-o" | "+o" | "--rcfile" | "--init-file") => drop(words.next()),
                Some(text)
                    if text.starts_with('-') && !text.starts_with("--") && text.ends_with('c') =>
                {
                    match words
                        .next()
                        .map(|word| (word.text().map(str::to_owned), &word.shown))
                    {
                        Some((Some(text), _)) => self.nested_text(&text),
                        Some((None, shown)) => self.places.miss(Unknown::Script, shown),
                        None => {}
                    }
                    return;
                }
                Some("-s" | "-") => break,
                Some("-n") => return,
                _ if word.is_option() => {}
                Some(path) => {
                    let base = path.rsplit(['/', '\\']).next().unwrap_or(path);
                    let rest: Vec<_> = words.cloned().collect();
                    return self.script(path, base, &rest);
                }
                None => return self.places.miss(Unknown::Script, &word.shown),
            }
        }
        match &command.input {
            Some(text) if !command.reads_pipe && !text.is_empty() => self.nested_text(text),
            _ if command.reads_pipe || command.input.is_some() => {
                self.places.miss(Unknown::Script, name)
            }
            _ => {}
        }
    }

    /// A program in another language: code among its words is read for what it names.
    fn interpret(&mut self, name: &str, words: &[Argument], command: &Command) {
        let is_awk = matches!(name, "awk" | "gawk" | "mawk" | "nawk");
        let is_perl = matches!(name, "perl" | "ruby");
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            match word.text() {
                Some("--version" | "-V" | "-v" | "--help") => return,
                Some("-m") => {
                    let rest: Vec<_> = rest.cloned().collect();
                    return match rest.first().and_then(Argument::text) {
                        Some(
                            "pip" | "pytest" | "unittest" | "venv" | "http.server" | "json.tool"
                            | "py_compile" | "compileall" | "mypy" | "ruff" | "black" | "isort"
                            | "flake8" | "pylint" | "coverage" | "build" | "tox" | "nox" | "timeit"
                            | "doctest" | "pyflakes" | "virtualenv" | "pre_commit" | "twine"
                            | "sphinx",
                        ) => {
                            self.work(name, &rest[1..]);
                        }
                        _ => self.places.miss(Unknown::Script, &format!("{name} -m")),
                    };
                }
                Some("-F" | "-f" | "-W" | "-X" | "-I" | "-r" | "--require") if !matches!(word.text(), Some("-r") if name == "php") =>
                {
                    rest.next();
                }
                Some(text) if text.starts_with('-') && is_code_option(name, text) => {
                    let code = rest.next();
                    self.code(code);
                    if is_perl {
                        rest.filter(|word| !word.is_option())
                            .for_each(|word| self.exact(word));
                    }
                    return;
                }
                Some("-") => break,
                _ if word.is_option() => {}
                _ if is_awk => return self.awk(word, words),
                Some(path) => {
                    let base = path.rsplit(['/', '\\']).next().unwrap_or(path);
                    let rest: Vec<_> = rest.cloned().collect();
                    if programs::is_wrapper(base) {
                        return self.work(base, &rest);
                    }
                    return self.script(path, base, &rest);
                }
                None => return self.places.miss(Unknown::Script, &word.shown),
            }
        }
        match &command.input {
            Some(text) if !command.reads_pipe && !text.is_empty() => self.read_code(text),
            _ if command.reads_pipe || command.input.is_some() => {
                self.places.miss(Unknown::Code, name)
            }
            _ => {}
        }
    }

    fn awk(&mut self, program: &Argument, words: &[Argument]) {
        let code = program.text().unwrap_or_default();
        if program.values.is_none() || code.contains("system(") || code.contains("| \"") {
            return self.places.miss(Unknown::Code, &program.shown);
        }
        if code.contains('>') {
            add_named(code, "", self.places);
        }
        if words.iter().any(|word| word.text() == Some("inplace")) {
            self.operands(words).for_each(|word| self.exact(&word));
        }
    }

    fn code(&mut self, code: Option<&Argument>) {
        match code.map(|code| (code.text().map(str::to_owned), &code.shown)) {
            Some((Some(text), _)) => self.read_code(&text),
            Some((None, shown)) => self.places.miss(Unknown::Code, shown),
            None => {}
        }
    }

    fn read_code(&mut self, text: &str) {
        if self.folders.is_unknown || may_lead_out(text) {
            self.places.miss(Unknown::Code, text);
        }
        let folders = self.folders.known.clone();
        for folder in folders {
            add_named(text, &folder, self.places);
            self.places.add(Place::Around(folder));
        }
    }

    fn edit(&mut self, name: &str, words: &[Argument]) {
        if edits_in_place(words) || name == "sd" {
            // The first is what is done, unless an option gives it.
            self.operands(words)
                .skip(1)
                .for_each(|word| self.exact(&word));
        }
    }

    fn elsewhere(&mut self, name: &str, words: &[Argument]) {
        let mut operands = self.operands(words);
        let verb = operands.find_map(|word| {
            let text = word.text()?;
            let runs = matches!(text, "exec" | "run" | "cp" | "attach" | "ssh" | "debug");
            (runs
                || matches!(
                    text,
                    "build"
                        | "ps"
                        | "logs"
                        | "images"
                        | "get"
                        | "describe"
                        | "up"
                        | "down"
                        | "pull"
                ))
            .then_some(runs)
        });
        let is_container = matches!(
            name,
            "docker" | "podman" | "kubectl" | "nerdctl" | "docker-compose" | "vagrant"
        );
        if !is_container || verb == Some(true) {
            self.places.miss(Unknown::Machine, name);
        }
    }

    fn find(&mut self, words: &[Argument], command: &Command) {
        let is_action = |word: &Argument| {
            matches!(
                word.text(),
                Some(
                    "-exec"
                        | "-execdir"
                        | "-ok"
                        | "-okdir"
                        | "-delete"
                        | "-fprint"
                        | "-fprintf"
                        | "-fls"
                )
            )
        };
        let Some(at) = words.iter().position(is_action) else {
            return;
        };
        if words[at].text().is_some_and(|text| text.starts_with("-f")) {
            return words[at + 1..]
                .iter()
                .take(1)
                .for_each(|word| self.exact(word));
        }
        if words[at].text() == Some("-delete") {
            return;
        }
        let starts_program = words
            .get(at + 1)
            .and_then(Argument::text)
            .map(|path| path.rsplit('/').next().unwrap_or(path));
        if starts_program.map(class) == Some(Class::Reads) {
            return;
        }
        let roots: Vec<_> = words
            .iter()
            .take_while(|word| !word.is_option())
            .cloned()
            .collect();
        if roots.is_empty() {
            self.here("find");
        }
        roots.iter().for_each(|root| self.around(root));
        // Each file is below one of the roots.
        let program = words[at + 1..]
            .iter()
            .filter(|word| !matches!(word.text(), Some("{}" | ";" | "+")));
        let program: Vec<_> = program.cloned().collect();
        self.dispatch(&program, command);
    }

    fn change_folder(&mut self, name: &str, words: &[Argument]) {
        let is_certain = self.is_certain();
        let target = words.iter().find(|word| !word.is_option());
        match (name, target) {
            ("popd", _) => self.folders.back(),
            (_, Some(word)) if word.text() == Some("-") => self.folders.back(),
            (_, Some(word)) => {
                let values = word
                    .values
                    .as_deref()
                    .filter(|values| !values.iter().any(|it| it.contains(super::reader::ANY)));
                self.folders.change(values, is_certain);
            }
            ("pushd", None) => self.folders.back(),
            (_, None) => self.folders.change(Some(&["~".to_owned()]), is_certain),
        }
    }

    fn source(&mut self, words: &[Argument]) {
        let Some(file) = words.first() else {
            return;
        };
        let base = file
            .values
            .iter()
            .flatten()
            .map(|path| path.rsplit(['/', '\\']).next().unwrap_or(path));
        let mut base = base.peekable();
        let ends = ["activate", "nvm.sh", "/env"];
        let is_known = base.peek().is_some() && base.all(programs::sets_up)
            || file.values.is_none() && ends.iter().any(|end| file.shown.ends_with(end));
        if !is_known {
            self.places.miss(Unknown::Script, &file.shown);
        }
    }

    fn set(&mut self, words: &[Argument]) {
        for word in words {
            if let Some(name) = word.text() {
                self.assign(name.split('=').next().unwrap_or(name), None);
            }
        }
    }

    fn declare(&mut self, words: &[Argument]) {
        for word in words {
            let all = word.values.as_deref().unwrap_or_default();
            let pairs: Vec<_> = all
                .iter()
                .filter_map(|value| value.split_once('='))
                .collect();
            match pairs.first() {
                Some((name, _)) => {
                    let values = pairs.iter().map(|(_, value)| (*value).to_owned()).collect();
                    self.assign(name, Some(values));
                    let is_list = name.ends_with("PATH") || name.ends_with("HOME");
                    if !is_list {
                        self.named(word);
                    }
                }
                None => {
                    if let Some((name, _)) =
                        word.shown.split_once('=').filter(|_| word.values.is_none())
                    {
                        self.assign(name, None);
                    }
                }
            }
        }
    }

    fn evaluate(&mut self, name: &str, words: &[Argument]) {
        let words = if name == "trap" {
            &words[..words.len().min(1)]
        } else {
            words
        };
        match words.iter().map(Argument::text).collect::<Option<Vec<_>>>() {
            Some(texts) => self.nested_text(&texts.join(" ")),
            None => {
                let shown: Vec<_> = words.iter().map(|word| word.shown.as_str()).collect();
                self.places.miss(Unknown::Script, &shown.join(" "));
            }
        }
    }

    fn git(&mut self, words: &[Argument]) {
        let before = self.folders.clone();
        let mut rest = words;
        let verb = loop {
            let Some((word, more)) = rest.split_first() else {
                break None;
            };
            rest = more;
            match word.text() {
                Some("-C") => {
                    let to = more.first();
                    self.folders
                        .change(to.and_then(|word| word.values.as_deref()), true);
                    rest = more.get(1..).unwrap_or_default();
                }
                Some("-c" | "--exec-path" | "--namespace") => {
                    rest = more.get(1..).unwrap_or_default()
                }
                Some("--git-dir" | "--work-tree") => {
                    more.iter().take(1).for_each(|word| self.around(word));
                    rest = more.get(1..).unwrap_or_default();
                }
                _ if word.is_option() => {
                    let named = ["--git-dir", "--work-tree"]
                        .iter()
                        .find_map(|option| word.behind(option));
                    named.iter().for_each(|word| self.around(word));
                }
                _ => break Some(word.clone()),
            }
        };
        if let Some(verb) = verb {
            self.git_verb(&verb, rest);
        }
        self.folders = before;
    }

    fn git_verb(&mut self, verb: &Argument, words: &[Argument]) {
        let Some(verb) = verb.text() else {
            return self.places.miss(Unknown::Expansion, "git");
        };
        if only_reads(verb) {
            return;
        }
        self.here("git");
        match verb {
            "clone" | "init" | "worktree" | "archive" | "format-patch" | "bundle"
            | "checkout-index" | "submodule" => {
                for word in words {
                    self.named(word);
                }
                // The last word of `git clone` need not look like a path.
                if let Some(last) = words.last().filter(|word| !word.is_option()) {
                    self.around(last);
                }
            }
            "bisect" | "filter-branch" | "rebase" | "foreach" => {
                if words
                    .iter()
                    .any(|word| matches!(word.text(), Some("run" | "-x" | "--exec" | "foreach")))
                {
                    self.places.miss(Unknown::Script, verb);
                }
            }
            _ => {}
        }
    }
}

/// Whether a command of git leaves all files as they are.
fn only_reads(verb: &str) -> bool {
    matches!(
        verb,
        "status"
            | "log"
            | "diff"
            | "show"
            | "branch"
            | "rev-parse"
            | "ls-files"
            | "ls-tree"
            | "ls-remote"
            | "cat-file"
            | "blame"
            | "annotate"
            | "describe"
            | "remote"
            | "config"
            | "fetch"
            | "shortlog"
            | "reflog"
            | "grep"
            | "rev-list"
            | "name-rev"
            | "for-each-ref"
            | "show-ref"
            | "symbolic-ref"
            | "merge-base"
            | "diff-tree"
            | "diff-index"
            | "diff-files"
            | "check-ignore"
            | "check-attr"
            | "tag"
            | "push"
            | "var"
            | "version"
            | "help"
            | "count-objects"
            | "fsck"
            | "whatchanged"
            | "cherry"
            | "range-diff"
            | "notes"
            | "gc"
            | "prune"
            | "repack"
            | "maintenance"
    )
}

fn edits_in_place(words: &[Argument]) -> bool {
    words.iter().any(|word| {
        let text = word
            .values
            .as_ref()
            .and_then(|values| values.first())
            .map_or("", String::as_str);
        let short = text.starts_with('-') && !text.starts_with("--") && text.contains('i');
        short || text.starts_with("--in-place") || text == "--inplace"
    })
}

/// Whether the word behind the option is code.
fn is_code_option(name: &str, option: &str) -> bool {
    match name {
        "perl" | "ruby" => option.contains(['e', 'E']) && !option.starts_with("--"),
        "python" | "python2" | "python3" | "pypy" | "pypy3" | "ipython" | "pwsh" | "powershell" => {
            option.ends_with('c') || option.eq_ignore_ascii_case("-command")
        }
        "php" => option == "-r",
        "node" | "nodejs" | "tsx" | "ts-node" => {
            matches!(option, "-e" | "-p" | "-pe" | "--eval" | "--print")
        }
        _ => matches!(option, "-e" | "--eval" | "-c"),
    }
}
