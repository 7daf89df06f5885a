//! What stands around a check, and whether it is known to leave it what it is.

use super::{check, ends};

#[test]
fn what_a_builtin_does_is_not_known_to_leave_the_folder() {
    for (command, passed) in [
        ("builtin cd other && pytest", "pytest? *"),
        ("command cd other && pytest", "other: pytest+"),
        ("builtin pwd; pytest", "pytest? *"),
    ] {
        assert_eq!(ends(command, 0), passed, "{command}");
    }
}

#[test]
fn what_a_prefix_is_told_may_have_it_run_nothing() {
    for command in ["command -v npm", "command -V npm", "command -pv npm"] {
        assert_eq!(ends(command, 1), "", "{command}");
    }
    for command in [
        "sudo -l npm test",
        "sudo -b npm test",
        "timeout -h npm test",
        "nice -h npm test",
        "strace -h npm test",
        "setsid -f npm test",
        "setsid npm test",
        "builtin npm test",
        "env -C web npm test",
        "npx -c 'npm test'",
        "dotenv -p npm test",
    ] {
        assert_eq!(ends(command, 1), "*", "{command}");
    }
    for command in [
        "command npm test",
        "command -p npm test",
        "sudo -E npm test",
        "timeout -s KILL 60 npm test",
        "timeout --signal=KILL -k5 60 npm test",
        "nice -n 5 npm test",
        "nice -n5 npm test",
        "stdbuf -oL npm test",
        "nohup npm test",
        "env -u X CI=1 npm test",
        "xvfb-run -a npm test",
    ] {
        check(command, "npm test+", "npm test-");
    }
    check("uv run -q --with x pytest", "pytest+", "pytest-");
    check("uv run --directory web pytest", "pytest?", "pytest-");
    check("pnpm -r exec jest", "jest?", "jest-");
    check("env PATH=fake npm test", "npm test?", "npm test-");
}

#[test]
fn the_same_word_says_another_thing_to_another_program() {
    for (command, found) in [
        ("cargo test -q -v", "cargo test"),
        ("pytest -q -v -x", "pytest"),
        ("go test -v ./...", "go test ./..."),
        ("python -m unittest -v", "unittest"),
        ("make -s test", "make test"),
        ("npm test -- --run", "npm test"),
        ("npm test -- -v", "npm test -v"),
        ("ctest -V", "ctest"),
        ("mvn -V test", "mvn test"),
        ("npx mocha -v", "mocha -v"),
        ("npx tsc -v", "tsc -v"),
        ("npx tsc -b -v", "tsc -b -v"),
        ("bundle exec rspec -v", "rspec -v"),
        ("pytest run", "pytest run"),
    ] {
        check(command, &format!("{found}+"), &format!("{found}-"));
    }
    for command in [
        "npx eslint -v",
        "npx tsc --all",
        "npx jest -v",
        "npx vitest -v",
        "hadolint -v",
        "./gradlew test -v",
        "make -q test",
        "make -n test",
    ] {
        assert_eq!(ends(command, 1), "", "{command}");
    }
}

#[test]
fn what_stands_behind_code_is_told_to_the_code() {
    for command in ["python -c 'x' --help", "node -e 'x' --version"] {
        assert_eq!(ends(command, 0), "*", "{command}");
    }
    check("bash -c 'npm test' --help", "npm test+", "npm test-");
    for command in ["python --version", "bash --help", "node --version"] {
        assert_eq!(ends(command, 0), "", "{command}");
    }
}

#[test]
fn a_shell_may_be_told_to_run_nothing() {
    for command in [
        "set -o noexec; npm test",
        "set -n; npm test",
        "set -t; npm test",
        "shopt -so noexec; npm test",
        "shopt -s -o noexec; npm test",
        "shopt -s expand_aliases; npm test",
        "bash -o noexec -c 'npm test'",
        "bash -n -c 'npm test'",
        "bash -nc 'npm test'",
        "bash -D -c 'npm test'",
        "bash --dump-strings -c 'npm test'",
        "bash --rcfile x -ic 'npm test'",
    ] {
        let found = ends(command, 0);
        assert!(
            !found.contains('+') && found.ends_with('*'),
            "{command}: {found}"
        );
    }
    for command in [
        "set -eux; npm test",
        "set -o errexit -o nounset; npm test",
        "shopt -s globstar nullglob; npm test",
        "bash -euo pipefail -c 'npm test'",
        "bash -ce 'npm test'",
        "bash --login -c 'npm test'",
    ] {
        check(command, "npm test+", "npm test-");
    }
}

#[test]
fn a_variable_may_decide_what_a_check_does() {
    for front in [
        "MAKEFILES=x",
        "npm_config_script_shell=true",
        "CARGO_TARGET_X_RUNNER=true",
        "RUSTC_WRAPPER=x",
        "GTEST_FILTER=x",
        "PYTHONOPTIMIZE=1",
        "PYTHONPATH=x",
        "PATH=x",
        "export MAVEN_ARGS=x;",
        "export npm_config_script_shell=true;",
        "x=true; export x;",
        "RUBYOPT=x;",
        "printf -v PYTEST_ADDOPTS %s x;",
        "read -r RUSTC < x;",
        "unset PATH;",
        "env 'BASH_FUNC_npm%%=() { true; }'",
        "cross-env RUSTC=x",
    ] {
        check(&format!("{front} npm test"), "npm test?", "npm test-");
    }
    for front in [
        "CI=1 RUST_LOG=x LC_ALL=C TZ=UTC",
        "env CI=true NODE_ENV=test",
        "export FORCE_COLOR=0 DEBUG=1;",
        "out=x;",
        "printf 'A=b';",
        "read -r line < x;",
        "PATH=\"$HOME/.cargo/bin:$PATH\"",
    ] {
        let found = ends(&format!("{front} npm test"), 0);
        assert_eq!(found, "npm test+", "{front}");
    }
    assert_eq!(ends("python -O -m pytest", 0), "*");
    check("python -u -m pytest", "pytest+", "pytest-");
}
