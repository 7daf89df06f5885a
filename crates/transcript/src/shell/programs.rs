//! What programs do with the words that they are given, as far as it says where they write.

/// What a program does to files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// It writes nothing that a report could claim, unless its output is redirected.
    Reads,
    /// It writes what these words name, behind the first so many.
    Operands {
        skip: usize,
    },
    /// It writes what its last word names, or what lies below it.
    Copies,
    /// It writes what these options name.
    Options(&'static [&'static str]),
    /// It writes in the folder that it runs in, and may write wherever its words name.
    Here,
    /// The same, but that its first words name a task that somebody wrote.
    Tasks,
    /// It runs the program that its words name.
    Runs,
    /// It runs the program that its words name with words that nobody sees.
    RunsWithInput,
    /// It runs shell commands.
    Shell,
    /// It runs a program in another language.
    Interpreter,
    /// It edits in place if it is told to.
    Edits,
    /// It runs commands on another machine, or in a container.
    Elsewhere,
    Git,
    Find,
    ChangesFolder,
    /// It runs the file that it is given in this shell.
    Sources,
    /// It sets variables from what it reads.
    Assigns,
    /// It sets variables to what its words say.
    Declares,
    /// It runs its words as a command of this shell.
    Evaluates,
}

pub(super) fn class(program: &str) -> Class {
    match program {
        "cat" | "head" | "tail" | "less" | "more" | "bat" | "ls" | "ll" | "la" | "tree" | "exa"
        | "eza" | "lsd" | "dir" | "grep" | "egrep" | "fgrep" | "zgrep" | "rg" | "ag" | "ack"
        | "fd" | "fdfind" | "locate" | "wc" | "uniq" | "cut" | "tr" | "nl" | "tac" | "rev"
        | "od" | "xxd" | "hexdump" | "strings" | "column" | "paste" | "join" | "comm" | "fold"
        | "fmt" | "expand" | "diff" | "colordiff" | "cmp" | "sdiff" | "file" | "stat" | "which"
        | "whereis" | "type" | "hash" | "man" | "help" | "info" | "echo" | "print" | "pwd"
        | "true" | "false" | ":" | "test" | "[" | "[[" | "date" | "cal" | "sleep" | "ps"
        | "top" | "htop" | "df" | "du" | "free" | "uname" | "arch" | "nproc" | "lscpu"
        | "whoami" | "id" | "groups" | "hostname" | "uptime" | "jq" | "basename" | "dirname"
        | "realpath" | "readlink" | "seq" | "expr" | "bc" | "factor" | "md5sum" | "sha1sum"
        | "sha256sum" | "sha512sum" | "shasum" | "cksum" | "base64" | "base32" | "jobs"
        | "wait" | "kill" | "pkill" | "pgrep" | "killall" | "lsof" | "fuser" | "netstat" | "ss"
        | "ip" | "ifconfig" | "ping" | "dig" | "nslookup" | "host" | "nc" | "return" | "exit"
        | "logout" | "break" | "continue" | "shift" | "set" | "shopt" | "ulimit" | "umask"
        | "bg" | "fg" | "disown" | "history" | "printenv" | "locale" | "tty" | "stty" | "clear"
        | "reset" | "tput" | "yes" | "rm" | "rmdir" | "unlink" | "trash" | "gh" | "glab"
        | "hub" | "psql" | "mysql" | "redis-cli" | "heroku" | "fly" | "vercel" | "netlify"
        | "systemctl" | "service" | "journalctl" | "dmesg" | "mount" | "sync" | "shellcheck"
        | "hadolint" | "actionlint" | "cloc" | "tokei" | "scc" | "open" | "xdg-open" | "pbcopy"
        | "pbpaste" | "xclip" | "env-info" | "sw_vers" | "lsb_release" | "ldd" | "nm"
        | "objdump" | "readelf" | "size" | "time" | "times" | "unalias" | "alias" | "complete"
        | "bind" | "dirs" | "printf" => Class::Reads,
        "touch" | "mkdir" | "tee" | "truncate" | "mkfifo" | "shred" | "fallocate" | "dos2unix"
        | "unix2dos" => Class::Operands { skip: 0 },
        "chmod" | "chown" | "chgrp" | "setfacl" => Class::Operands { skip: 1 },
        "cp" | "mv" | "install" | "ln" | "rsync" | "scp" | "ditto" | "link" => Class::Copies,
        "curl" => Class::Options(&[
            "-o",
            "--output",
            "--output-dir",
            "-D",
            "--dump-header",
            "-c",
            "--cookie-jar",
            "--trace",
            "--trace-ascii",
            "--stderr",
        ]),
        "sort" => Class::Options(&["-o", "--output"]),
        "make" | "gmake" | "just" | "task" | "rake" | "invoke" | "inv" | "npm" | "pnpm"
        | "yarn" | "bun" | "cargo" | "go" | "dotnet" | "deno" | "mix" | "composer" | "rails"
        | "mage" | "swift" | "stack" | "cabal" | "zig" | "turbo" | "nx" | "lerna" | "moon"
        | "poe" | "nox" | "hatch" | "pdm" | "rye" | "poetry" | "uv" | "pipenv" | "bundle"
        | "mise" | "conda" => Class::Tasks,
        "sudo" | "doas" | "env" | "nohup" | "nice" | "timeout" | "gtimeout" | "stdbuf"
        | "setsid" | "command" | "builtin" | "exec" | "ionice" | "caffeinate" | "npx" | "bunx"
        | "uvx" | "pnpx" | "unbuffer" | "dotenv" | "cross-env" | "strace" | "ltrace"
        | "valgrind" | "watch" | "xvfb-run" => Class::Runs,
        "xargs" | "parallel" => Class::RunsWithInput,
        "sh" | "bash" | "zsh" | "dash" | "ksh" | "ash" | "fish" => Class::Shell,
        "python" | "python2" | "python3" | "pypy" | "pypy3" | "ipython" | "node" | "nodejs"
        | "ruby" | "perl" | "php" | "lua" | "luajit" | "Rscript" | "R" | "julia" | "tsx"
        | "ts-node" | "osascript" | "pwsh" | "powershell" | "groovy" | "scala" | "kotlin"
        | "java" | "elixir" | "awk" | "gawk" | "mawk" | "nawk" | "sqlite3" | "ed" | "ex"
        | "vim" | "vi" | "nvim" | "emacs" | "expect" | "tclsh" => Class::Interpreter,
        "sed" | "gsed" | "yq" | "sd" => Class::Edits,
        "ssh" | "docker" | "podman" | "kubectl" | "nerdctl" | "vagrant" | "ansible"
        | "ansible-playbook" | "docker-compose" | "lxc" | "wsl" | "chroot" | "nsenter"
        | "screen" | "tmux" | "at" | "batch" | "crontab" => Class::Elsewhere,
        "git" => Class::Git,
        "find" => Class::Find,
        "cd" | "pushd" | "popd" | "chdir" => Class::ChangesFolder,
        "source" | "." => Class::Sources,
        "read" | "mapfile" | "readarray" | "getopts" | "let" | "unset" => Class::Assigns,
        "export" | "declare" | "local" | "readonly" | "typeset" => Class::Declares,
        "eval" | "trap" => Class::Evaluates,
        _ => Class::Here,
    }
}

/// Where the programs of the system lie, and those of tools that a project has installed.
pub(super) fn is_of_a_tool(folder: &str) -> bool {
    const SYSTEM: [&str; 8] = [
        "/bin",
        "/sbin",
        "/usr/bin",
        "/usr/sbin",
        "/usr/local/bin",
        "/opt/homebrew/bin",
        "~/.cargo/bin",
        "~/.local/bin",
    ];
    const INSTALLED: [&str; 5] = [
        "node_modules/.bin",
        "venv/bin",
        ".venv/bin",
        "venv/Scripts",
        "vendor/bin",
    ];
    SYSTEM.contains(&folder) || INSTALLED.iter().any(|end| folder.ends_with(end))
}

/// Programs that a build tool puts into a project: they do what that tool does.
pub(super) fn is_wrapper(name: &str) -> bool {
    matches!(
        name,
        "gradlew" | "mvnw" | "manage.py" | "configure" | "artisan" | "sbt" | "bazelw"
    )
}

/// Files that set up a shell.
pub(super) fn sets_up(name: &str) -> bool {
    matches!(
        name,
        "activate"
            | "nvm.sh"
            | ".bashrc"
            | ".bash_profile"
            | ".profile"
            | ".zshrc"
            | "env"
            | "cargo-env"
            | "sdkman-init.sh"
    )
}

/// Whether a task of that name only looks at a project: `test`, `lint-all`, `check:types`.
pub(super) fn only_checks(task: &str) -> bool {
    const CHECKS: [&str; 18] = [
        "test",
        "tests",
        "lint",
        "check",
        "checks",
        "verify",
        "validate",
        "typecheck",
        "types",
        "format",
        "fmt",
        "coverage",
        "bench",
        "e2e",
        "unit",
        "integration",
        "spec",
        "audit",
    ];
    words(task).any(|word| CHECKS.contains(&word.as_str())) && !makes_elsewhere(task)
}

/// Whether a task of that name builds the project that it is of.
pub(super) fn is_usual(task: &str) -> bool {
    const USUAL: [&str; 22] = [
        "all", "build", "compile", "install", "clean", "dev", "start", "serve", "watch", "ci",
        "pre", "commit", "doc", "docs", "debug", "release", "dist", "bundle", "tsc", "run", "prod",
        "setup",
    ];
    let mut parts = words(task).peekable();
    let has_any = parts.peek().is_some();
    only_checks(task) || has_any && parts.all(|word| USUAL.contains(&word.as_str()))
}

/// What managers of packages do themselves, and the tools of packages that they run by name.
pub(super) fn is_of_packages(verb: &str) -> bool {
    const VERBS: [&str; 40] = [
        "add",
        "remove",
        "up",
        "update",
        "upgrade",
        "why",
        "list",
        "ls",
        "info",
        "init",
        "link",
        "unlink",
        "cache",
        "config",
        "outdated",
        "pack",
        "version",
        "dedupe",
        "store",
        "i",
        "jest",
        "vitest",
        "eslint",
        "prettier",
        "tsc",
        "mocha",
        "ava",
        "cypress",
        "playwright",
        "stylelint",
        "biome",
        "knip",
        "vite",
        "next",
        "webpack",
        "rollup",
        "esbuild",
        "storybook",
        "tsup",
        "pm",
    ];
    VERBS.contains(&verb)
}

fn makes_elsewhere(task: &str) -> bool {
    words(task).any(|word| {
        matches!(
            word.as_str(),
            "new" | "create" | "generate" | "scaffold" | "deploy" | "publish"
        )
    })
}

/// Whether a list that is separated by blanks has the word.
pub(super) fn is_one_of(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|each| each == word)
}

/// The words of a name.
pub(super) fn words(name: &str) -> impl Iterator<Item = String> {
    let words = name.split(|char: char| !char.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
}
