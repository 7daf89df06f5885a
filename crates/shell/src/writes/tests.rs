use attest_clock::size;

use super::*;
use crate::places::Place::{self, Around, Exact, Moved};

fn read_all(commands: &[&str]) -> (Vec<Place>, Option<String>) {
    let mut shell = Shell::default();
    let mut places = Places::default();
    for command in commands {
        shell.read(command, None, &mut places);
    }
    let list = places.list();
    let why = list.complete().err().map(ToString::to_string);
    (list.found().clone(), why)
}

fn exact(text: &str) -> Place {
    Exact(text.to_owned())
}

fn around(text: &str) -> Place {
    Around(text.to_owned())
}

/// Where something is written.
fn text_of(place: &Place) -> Option<&str> {
    match place {
        Exact(text) | Around(text) | Moved { to: text, .. } => Some(text),
        _ => None,
    }
}

#[track_caller]
fn names(command: &str, expected: &[Place]) {
    let (found, why) = read_all(&[command]);
    assert_eq!(why, None, "{command}");
    for place in expected {
        assert!(
            found.contains(place),
            "{command}: {place:?} is not in {found:?}"
        );
    }
}

#[test]
fn git_brings_files_of_other_commits() {
    names(
        "git checkout other -- src/a.py",
        &[exact("src/a.py"), Place::Brought],
    );
    names("git restore --source=other src/a.py", &[exact("src/a.py")]);
    names("git cherry-pick -n other", &[Place::Brought]);
    for command in [
        "git commit -qm x",
        "git add -A",
        "git rm src/a.py",
        "git status",
    ] {
        let (found, _) = read_all(&[command]);
        assert!(!found.contains(&Place::Brought), "{command}: {found:?}");
    }
}

#[test]
fn a_command_writes_where_its_words_say() {
    for (command, expected) in [
        ("echo x > ../infra/main.tf", exact("../infra/main.tf")),
        ("echo x >>../infra/main.tf 2>&1", exact("../infra/main.tf")),
        ("make 2> /srv/err.log", exact("/srv/err.log")),
        ("pytest &> '/srv/my out.log'", exact("/srv/my out.log")),
        (
            "cat > /srv/a\\ b.tf <<'EOF'\nit's\nEOF",
            exact("/srv/a b.tf"),
        ),
        (
            "cat <<EOF | tee -a ../infra/a.tf\nx\nEOF",
            exact("../infra/a.tf"),
        ),
        (
            "mkdir -p ../infra && touch ../infra/{a,b}.tf",
            around("../infra"),
        ),
        ("cp a.py \"$HOME/my notes/a.py\"", exact("~/my notes/a.py")),
        ("cp a.py b.py /srv/lib", exact("/srv/lib/b.py")),
        ("cp -r src /srv/lib", around("/srv/lib")),
        (
            "install -m 644 a.conf /etc/x/a.conf",
            exact("/etc/x/a.conf"),
        ),
        ("install -D -t ../x a.conf", exact("../x/a.conf")),
        ("rsync -av src/ ../infra/", around("../infra/")),
        ("ls | xargs -I% cp % ../infra/a.tf", exact("../infra/a.tf")),
        ("ls | xargs cp -t ../infra", around("../infra")),
        (
            "grep -rl x ../infra/lib | xargs sed -i s/a/b/",
            around("../infra/lib"),
        ),
        (
            "git ls-files '../infra/*.tf' | while read -r f; do sed -i s/a/b/ $f; done",
            around("../infra"),
        ),
        (
            "touch $(dirname ../infra/a.tf)/$(basename lib/b.tf .tf).md",
            exact("../infra/b.md"),
        ),
        (
            "find src -name '*.tf' | while read f; do cp $f ../infra/$(basename $f); done",
            around("../infra"),
        ),
        (
            "ln -s $PWD/a.py ../infra/link.py",
            exact("../infra/link.py"),
        ),
        (
            "mv a.tf ../infra/b.tf",
            Moved {
                from: "a.tf".into(),
                to: "../infra/b.tf".into(),
            },
        ),
        (
            "sed -i 's/a/b/' ../infra/main.tf",
            exact("../infra/main.tf"),
        ),
        (
            "perl -pi -e 's/a/b/' ../infra/main.tf",
            exact("../infra/main.tf"),
        ),
        (
            "sed -i --expression=s/a/b/ ../infra/main.tf",
            exact("../infra/main.tf"),
        ),
        (
            "sed -i -e \"s/a/$B/\" ../infra/main.tf",
            exact("../infra/main.tf"),
        ),
        ("cp --parents src/a.py ../infra", around("../infra")),
        ("gzip -k ../infra/a.log", around("../infra/a.log")),
        ("gh repo clone a/b ../infra", around("../infra")),
        (
            "find . -exec grep x {} \\; -exec touch /srv/a \\;",
            exact("/srv/a"),
        ),
        (
            "curl -sSL -o ../infra/x.json \"$URL\"",
            around("../infra/x.json"),
        ),
        ("tool --out=/srv/x -v/y", around("/srv/x")),
        ("terraform -chdir=../infra apply", around("../infra")),
        ("DESTDIR=/srv/out make install", around("/srv/out")),
        ("env OUT=/srv/out tool", around("/srv/out")),
        (
            "git -C ../infra commit -am \"$(cat <<'EOF'\nIt's (done)\nEOF\n)\"",
            around("../infra"),
        ),
        ("make -C ../infra build", around("../infra")),
        ("tar xf a.tgz -C ../infra", around("../infra")),
        ("bash -lc 'cd /srv/infra; touch a'", exact("/srv/infra/a")),
        ("sh <<'EOF'\ntouch /srv/a\nEOF", exact("/srv/a")),
        ("eval 'touch /srv/a'", exact("/srv/a")),
        ("command cd /srv && touch a", exact("/srv/a")),
        ("builtin cd /srv && touch a", exact("/srv/a")),
        ("sudo -u me env A=b timeout 5 touch /srv/a", exact("/srv/a")),
        ("env -C /srv/infra touch a", exact("/srv/infra/a")),
        ("D=/srv/infra; touch $D/a ${D}/b", exact("/srv/infra/b")),
        (
            "D=/srv/a; [ -d x ] && D=/srv/b; touch $D/x",
            exact("/srv/a/x"),
        ),
        (
            "for d in ../a ../b; do touch \"$d/x\"; done",
            exact("../b/x"),
        ),
        (
            "for f in /srv/*.tf; do sed -i s/a/b/ \"$f\"; done",
            around("/srv"),
        ),
        (
            "find ../infra -name '*.tf' -exec sed -i s/a/b/ {} +",
            around("../infra"),
        ),
        ("python3 -c \"open('/srv/a','w')\"", around("/srv/a")),
        ("python3 - <<'EOF'\nopen('../a','w')\nEOF", around("../a")),
        ("echo $(touch /srv/a)", exact("/srv/a")),
        ("echo `touch /srv/a`", exact("/srv/a")),
        ("diff <(touch /srv/a) b", exact("/srv/a")),
        ("if true; then touch /srv/a; fi > /srv/b", exact("/srv/a")),
        (
            "case $x in a|b) touch /srv/a;; *) touch /srv/b;; esac",
            exact("/srv/b"),
        ),
        ("f() { touch /srv/a; }; f", exact("/srv/a")),
        ("touch ../infra/log-$(date +%s).txt", around("../infra")),
        ("tool ..\\infra\\x", around("..\\infra\\x")),
    ] {
        names(command, &[expected]);
    }
}

#[test]
fn a_folder_that_is_changed_to_counts_for_what_follows() {
    for (command, expected) in [
        ("cd infra && sed -i s/a/b/ x", exact("infra/x")),
        ("cd /srv\ngit -C infra add x/y", around("/srv/infra")),
        ("(cd ../a; cd b; touch ./c); touch d", exact("../a/b/./c")),
        ("(cd ../a); touch d", exact("d")),
        ("pushd ../a; npm test; popd; touch d", around("../a")),
        ("pushd ../a; popd; touch d", exact("d")),
        ("cd ../a; cd - ; touch d", exact("d")),
        ("cd; touch d", exact("~/d")),
        ("test -d ../a && cd ../a; touch d", exact("d")),
        ("test -d ../a && cd ../a; touch d", exact("../a/d")),
        (
            "for d in ../a ../b; do cd $d; touch x; done",
            exact("../a/x"),
        ),
        ("cd \"../my dir\"; touch x", exact("../my dir/x")),
        ("cd ../a; npm run build", around("../a")),
        ("eval 'cd ../a; D=b'; touch $D", exact("../a/b")),
    ] {
        names(command, &[expected]);
    }
    let (found, why) = read_all(&["cd ../infra", "touch a"]);
    assert_eq!((found, why), (vec![exact("../infra/a"), exact("a")], None));
}

/// What is behind "&&" runs only in the folder that was changed to; what is behind the statement in either.
#[test]
fn behind_a_change_of_the_folder_that_passed_there_is_no_other() {
    let found = |command: &str| read_all(&[command]);
    for (command, expected) in [
        ("test -d ../a && cd ../a && touch d", vec!["../a/d"]),
        (
            "test -d ../a && cd ../a && touch d; touch e",
            vec!["../a/d", "../a/e", "e"],
        ),
        ("true && cd ../a && cd ../b && touch d", vec!["../a/../b/d"]),
        ("test -d ../a && cd ../a || touch d", vec!["../a/d", "d"]),
        ("cd ../a || touch d", vec!["../a/d"]),
        ("test -d x || cd ../a && touch d", vec!["../a/d", "d"]),
        (
            "if true; then true && cd ../a && touch d; fi; touch e",
            vec!["../a/d", "d", "../a/e", "e"],
        ),
    ] {
        let expected: Vec<_> = expected.into_iter().map(exact).collect();
        assert_eq!(found(command), (expected, None), "{command}");
    }
    let clone =
        "T=$(mktemp -d) && git clone -q ../lib $T && cd $T && echo 1 > sdk/a.ts && rm -rf $T";
    let (places, why) = found(clone);
    assert!(
        !places.contains(&exact("sdk/a.ts")) && why.is_some(),
        "{places:?}"
    );
}

#[test]
fn a_database_is_written_and_nothing_else_unless_its_program_is_told() {
    for command in [
        "sqlite3 a.db 'select * from t'",
        "sqlite3 -header -csv a.db '.tables'",
        "sqlite3 a.db <<'E'\n.mode csv\nselect 1;\nE",
        "sqlite3 a.db \"insert into t values ('x')\"",
    ] {
        assert_eq!(
            read_all(&[command]),
            (vec![exact("a.db")], None),
            "{command}"
        );
    }
    for command in [
        "sqlite3 a.db '.output b.csv' 'select 1'",
        "sqlite3 a.db \"select writefile('b.csv', x) from t\"",
        "sqlite3 a.db \"ATTACH 'b.db' AS b\"",
        "sqlite3 a.db < b.sql",
        "sqlite3 -init b.sql a.db 'select 1'",
        "sqlite3 a.db \"$SQL\"",
        "cat b.sql | sqlite3 a.db",
    ] {
        let (found, why) = read_all(&[command]);
        assert!(why.is_some(), "{command}: {found:?}");
    }
}

#[test]
fn a_folder_that_was_only_read_is_no_place() {
    for command in [
        "ls /srv/infra; cat ../infra/x | grep -r foo /srv",
        "cd ../infra && ls -la && git log && cat x",
        "(cd ../infra && git status); echo done",
        "find /srv -name x",
        "find /srv -name x -exec grep y {} +",
        "diff -r a ../infra",
        "sed -n 1,20p /srv/x",
        "awk '{print $1}' /srv/x",
        "git -C ../infra log -p",
        "ls ../a | xargs cat",
        "git ls-files -d | xargs rm -f",
        "ls | xargs -n 1 -I% echo %",
        "rg foo ../infra > /dev/null 2>&1",
        "echo \"$X\" \"${Y:-z}\" $(cat /srv/x)",
        "[[ $a > $b ]] && echo x",
        "export PATH=/usr/local/bin:$PATH",
        "gh pr create --body \"$(cat <<'EOF'\ndon't\nEOF\n)\"",
    ] {
        assert_eq!(read_all(&[command]), (vec![], None), "{command}");
    }
}

#[test]
fn plain_commands_are_read_in_full() {
    for command in [
        "npm test",
        "npm run build && npm run lint:fix",
        "cargo test --workspace 2>&1 | tail -20",
        "cargo +nightly fmt",
        "pytest -q tests/unit | tee out.log",
        "make -j8 test",
        "./gradlew test",
        "node_modules/.bin/jest --ci",
        "source .venv/bin/activate && python -m pytest",
        ". \"$HOME/.cargo/env\"; cargo build",
        "git add -A && git commit -m \"$MESSAGE\" && git push",
        "./scripts/run_tests.sh --fast",
        "cd $(git rev-parse --show-toplevel) && touch x",
        "python3 manage.py migrate",
        "find . -name '*.py' | xargs grep -l foo",
        "grep -rl 'a b' src 2>/dev/null | xargs sed -i s/a/b/",
        "grep -rlZ -e /srv/a src lib | xargs -0 sed -i s/a/b/",
        "rg -l foo | xargs -n 1 sed -i s/a/b/",
        "git ls-files 'src/*.ts' | grep -v test | sort -u | head -n 5 | xargs prettier --write",
        "find src -name '*.py' -print0 | xargs -0 -I{} cp {} {}.bak",
        "git ls-files src | while read -r f; do sed -i s/a/b/ \"$f\"; done",
        "find . -name a | while IFS= read -r f; do cp $f out/$(basename \"$f\" .py).txt; done",
        "mkdir -p $(dirname src/a/b.ts) && cp README.md docs/$(basename README.md .md).txt",
        "find . -name '*.py' -exec sed -i s/a/b/ {} \\;",
        "for f in src/*.py; do echo $f; sed -i s/a/b/ $f; done",
        "docker compose up -d && docker ps",
        "go test ./... && go vet ./...",
        "yarn && yarn jest --ci && pnpm add x && pnpm lint && bun install",
        "npx eslint src --fix",
        "poetry run pytest",
        "uv run pytest -x",
        "python3 - <<'EOF'\nimport re\np='src/a.py'\ns=open(p).read()\nopen(p,'w').write(s)\nEOF",
        "curl -s https://example.com/x | jq .",
        "# it's a comment\nls",
        "timeout 60 cargo test",
        "pnpm --filter web typecheck && pnpm -F ./apps/web test && pnpm -w lint",
        "npm -w web test",
        "cat a.json | python3 -c \"import json,sys; print(json.load(sys.stdin)['a'])\"",
        "tool note \"$CLAUDE_SESSION_ID\" \"$CLAUDE_CODE_SESSION_ID\"",
        "while read f; do echo \"$f\"; done < list.txt",
        "T=$(mktemp); git diff > $T; wc -l \"$T\"; rm -f $T",
        "git diff > $(mktemp) && tool --out=$(mktemp)",
        "eval \"$(direnv export bash)\" && eval \"$(ssh-agent -s)\"",
        "git ls-files | xargs -I{} sh -c 'wc -l {}; grep -c x \"{}\"'",
    ] {
        let (found, why) = read_all(&[command]);
        assert_eq!(why, None, "{command}");
        let outside = found
            .iter()
            .find(|place| text_of(place).is_some_and(crate::places::leads_out));
        assert_eq!(outside, None, "{command}");
    }
}

#[test]
fn what_a_check_is_given_is_no_place_and_what_its_options_name_is() {
    for command in [
        "go test ./cmd/cli/...",
        "pytest ../lib/tests -q",
        "eslint ../lib/a.ts",
    ] {
        let (found, why) = read_all(&[command]);
        assert_eq!((found, why), (Vec::new(), None), "{command}");
    }
    for (command, place) in [
        (
            "go test -coverprofile ../out/c.txt ./cmd/cli/...",
            "../out/c.txt",
        ),
        ("pytest --junitxml=../out/r.xml tests", "../out/r.xml"),
        ("prettier --write ../lib/a.ts", "../lib/a.ts"),
    ] {
        names(command, &[around(place)]);
    }
}

#[test]
fn a_clone_is_its_folder() {
    for (command, place) in [
        ("git clone https://h/a/b ../infra", "../infra"),
        ("git clone --depth 1 -b main \"$URL\" ../infra", "../infra"),
        ("cd ../x && git clone git@h:a/infra.git", "../x/infra"),
        ("cd ../x && git clone \"$URL\"", "../x"),
    ] {
        names(command, &[around(place)]);
    }
}

#[test]
fn what_is_taken_away_is_known_by_its_folder() {
    for (command, place) in [
        ("cd ../c && git rm -q a.py", "../c/a.py"),
        ("git -C ../c mv a.py b.py", "../c/a.py"),
        ("rm -r ../c/docs", "../c/docs"),
        ("mv ../c/a.py ../c/b.py", "../c/a.py"),
    ] {
        names(command, &[Place::Removed(place.to_owned())]);
    }
    assert_eq!(read_all(&["rm -rf \"$TMP\""]), (vec![], None));
}

#[test]
fn a_request_names_what_a_server_changes() {
    for (command, name) in [
        (
            "gh api -X PUT repos/o/r/contents/a.py -f x=y",
            "repos/o/r/contents/a.py",
        ),
        (
            "curl -XPUT https://h/api/docs%2Fa.md?ref=b -d @x",
            "api/docs/a.md",
        ),
        ("http PUT https://h/api/a.md < b", "api/a.md"),
        (
            "gh api graphql --input - <<'EOF'\n{\"path\": \"docs\\/my a.md\", \"contents\": \"eA==\"}\nEOF",
            "docs/my a.md",
        ),
    ] {
        names(command, &[Place::Elsewhere(name.to_owned())]);
    }
    for command in [
        "gh api graphql --input q.json",
        "gh api graphql --input=/srv/q.json",
        "gh api graphql -F query=@q.graphql",
        "curl -X POST https://h/graphql -d @/srv/q.json",
        "gh api graphql --input - <<EOF\n{\"path\": \"$F\"}\nEOF",
        "jq . q.json | gh api graphql --input -",
        "curl -X PUT https://h/f/$NAME -d x",
    ] {
        assert!(read_all(&[command]).1.is_some(), "{command}");
    }
    for command in [
        "curl https://h/api/a.md",
        "gh api repos/o/r -X GET -f a=b.py",
        "gh api graphql -f query='mutation { resolve(id: 1) { id } }' -F owner=o",
        "curl -d @x http://localhost:80/a.md",
    ] {
        assert_eq!(read_all(&[command]), (vec![], None), "{command}");
    }
}

/// What is sent may be any content, and is not kept.
#[test]
fn a_text_that_is_sent_names_files_and_leaves_no_doubt() {
    let content = "x".repeat(5_000);
    let body = format!("{{\"query\": \"mutation($i: X!) {{ y(i: $i) }}\", \"a\": \"{content}\"}}");
    let command = format!("gh api graphql --input - <<'EOF'\n{body}\nEOF");
    let (found, why) = read_all(&[&command]);
    assert_eq!(why, None);
    assert!(
        found
            .iter()
            .all(|place| matches!(place, Place::Elsewhere(_)))
    );
}

/// A script whose text stands in the command is read like code in its place.
#[test]
fn a_script_that_was_written_right_before_is_read() {
    let script = |text: &str, behind: &str| format!("cat > /tmp/k.py <<'E'\n{text}\nE\n{behind}");
    let harmless = [exact("/tmp/k.py")];
    for behind in ["python3 /tmp/k.py", "cd src; python3 /tmp/k.py"] {
        let (found, why) = read_all(&[&script("print(1)", behind)]);
        assert_eq!((&found[..], why), (&harmless[..], None), "{behind}");
        names(&script("open('/srv/a', 'w')", behind), &[around("/srv/a")]);
    }
    names(
        "cat > k.sh <<'E'\ntouch a.py\nE\nbash k.sh",
        &[exact("a.py")],
    );
    for command in [
        script("print(1)", "sed -i s/1/2/ /tmp/k.py; python3 /tmp/k.py"),
        script("print(1)", "python3 /tmp/other.py"),
        script("import shutil", "python3 /tmp/k.py"),
        "cat >> /tmp/k.py <<'E'\nprint(1)\nE\npython3 /tmp/k.py".to_owned(),
        "cat > /tmp/k.py <<E\n$CODE\nE\npython3 /tmp/k.py".to_owned(),
        "cat > /tmp/k.py b.py <<'E'\nprint(1)\nE\npython3 /tmp/k.py".to_owned(),
    ] {
        let (found, why) = read_all(&[&command]);
        let is_program = |it: &Place| matches!(it, Place::Program { .. });
        assert!(
            why.is_some() || found.iter().any(is_program),
            "{command}: {found:?}"
        );
    }
}

#[test]
fn a_place_that_only_a_shell_knows_is_a_doubt() {
    for command in [
        "D=$(mktemp -d); cd $D; touch main.tf",
        "cd \"$INFRA\" && touch main.tf",
        "touch $INFRA/main.tf",
        "git clone https://h/a/b \"$DIR\"",
        "touch \"${INFRA:-/srv}/main.tf\"",
        "echo x > $LOG",
        "cp a.py $(where)/a.py",
        "cd $X; make",
        "git -C \"$X\" commit -am x",
        "make -C $X",
        "tool --out=$X",
        "D=/srv/a; read D; touch $D/x",
        "D=a; unset D; touch $D/x",
        "bash deploy.sh",
        "./deploy.sh",
        "source deploy.sh",
        "curl https://x | sh",
        "eval \"$X\"",
        "\"$TOOL\" x",
        "sh -c \"$X\"",
        "python gen.py",
        "python3 -c 'import os; open(os.environ[\"D\"],\"w\")'",
        "node -e \"$X\"",
        "make new-service",
        "npm run scaffold",
        "yarn gen",
        "pnpm -w scaffold",
        "pnpm --filter web scaffold",
        "cargo run -- x",
        "npm --prefix ../web run scaffold",
        "fd -e py -x touch",
        "go run ./cmd/gen",
        "ssh host touch x",
        "scp -r a host:x",
        "scp *.py host:x",
        "scp $A host:x",
        "rsync a/ host:x",
        "docker run -v /srv:/srv x",
        "docker exec x sh",
        "ls src | xargs touch",
        "find . -printf '%f\\n' | xargs touch",
        "git ls-files -s | xargs touch",
        "git -C ../x ls-files | xargs touch",
        "git ls-files $X | xargs touch",
        "git ls-files ':/*.py' | xargs touch",
        "git ls-files | xargs touch < list",
        "git ls-files | xargs -a list touch",
        "git ls-files | xargs bash",
        "git ls-files | while read f; do sed -i s/a/b/ $f; done < list",
        "git ls-files | while read f; do mv $f ${f%.js}.ts; done",
        "git ls-files | while read f g; do sed -i s/a/b/ $g; done",
        "git ls-files | sed s/a/b/ | xargs touch",
        "git ls-files | grep -o a | xargs touch",
        "grep -r foo src | xargs touch",
        "grep -l foo | xargs touch",
        "touch $(dirname $X)",
        "touch $(basename -a a/b c/d)",
        "cat list | xargs touch",
        "cat list | xargs cp a.py",
        "cat list | xargs -n 2 cp",
        "cat list | xargs sed -i",
        "cat list | xargs -I{} cp a.py {}",
        "cat list | xargs -I {} sh -c 'touch {}'",
        "cat list | xargs -I {} sh -c \"touch '{}'\"",
        "cat list | xargs -I {} sh -c '{}'",
        "T=$(mktemp); [ -d x ] && T=$OUT; echo x > $T",
        "T=$(mktemp); echo 'touch /srv/a' > $T; bash $T",
        "T=$(mktemp); echo 'touch /srv/a' > $T; sudo $T",
        "T=$(mktemp); rm $T; mkdir $T; cd $T; touch a",
        "T=$(mktemp); rm $T; mkdir $T; touch $T/a",
        "D=$(mktemp -d); git clone https://h/a/b $D",
        "D=$(mktemp -d); git worktree add $D",
        "D=$(mktemp -d); git -C $D commit -m x",
        "D=$(mktemp -d)/x; mkdir $D; cd $D; touch a",
        "D=$(mktemp -d); cp -r src $D",
        "D=$(mktemp -d); mv src $D",
        "D=$(mktemp -d); unzip a.zip -d $D",
        "D=$(mktemp -d); bash $D/x.sh",
        "D=$(mktemp -d); touch $D/*.py",
        "D=$(mktemp -d); [ -d x ] && D=$OUT; touch $D/x",
        "eval \"$(direnv exec . x)\"",
        "ls | parallel cp {} ../x",
        "touch ~other/x",
        "touch 'x",
        "touch $1",
        "f() { touch $1/x; }; f /srv",
        "cd ../a-*; touch x",
        "find / -name x -exec sh -c 'touch $0' {} \\;",
        "git rebase --exec 'x' main",
        "target/debug/tool x",
    ] {
        let (found, why) = read_all(&[command]);
        assert!(why.is_some(), "{command}: {found:?}");
    }
    let (_, why) = read_all(&["cd $X", "touch a"]);
    assert!(why.is_some(), "the shell may still be there");
}

/// A program of the project that is not read leaves a weaker doubt than a place that only a shell knows.
#[test]
fn a_program_that_is_not_read_is_told_of_and_what_only_a_shell_knows_is_not() {
    let is_told = |command: &str| {
        let mut places = Places::default();
        Shell::default().read(command, None, &mut places);
        places.list().complete().unwrap_err().is_told()
    };
    for command in [
        "./deploy.sh",
        "bash deploy.sh --all",
        "cd tools && python3 gen.py x",
        "node x.js",
        "node x.js --check",
        "make new-service",
        "npm run scaffold",
        "python3 -m tools.gen",
        "target/debug/tool x > out.txt",
        "docker exec -w /app web pytest -x",
        "docker compose exec web npm test",
    ] {
        assert!(is_told(command), "{command}");
    }
    for command in [
        "./deploy.sh $OUT",
        "cd $X; ./deploy.sh",
        "./deploy.sh; touch $INFRA/a",
        "source deploy.sh",
        "\"$TOOL\" x",
        "make -C ../infra new-service",
        "npm --prefix=../web run scaffold",
        "docker exec x sh",
        "docker exec web touch pytest",
        "docker exec web sh -c 'pytest; touch a'",
        "ssh host ./deploy.sh",
    ] {
        assert!(!is_told(command), "{command}");
    }
}

/// What runs on another machine or in a container is work only if it may write there.
#[test]
fn what_only_reads_elsewhere_is_no_work_and_what_may_write_there_is() {
    for command in [
        "docker exec -it db psql -U me -c 'select 1'",
        "docker exec -w /app app sh -c 'cd src && ls -la; cat a.py | grep x > /dev/null'",
        "docker compose -f dev.yml exec -T app ls",
        "docker-compose exec app cat src/a.py",
        "docker compose run --rm app ls",
        "docker run -d --name web -p 80:80 nginx",
        "docker run --rm -v \"$PWD\":/w x ls -la /w",
        "docker run --rm x sh -c 'ls /w'",
        "podman ps && docker logs -f app",
        "kubectl exec -it pod -n ns -- ls /srv",
        "ssh -p 22 me@host uptime",
        "ssh host 'cd proj && git log -3; df -h'",
        "ssh host <<'EOF'\nls\nEOF",
        "tmux ls; screen -ls",
    ] {
        assert_eq!(read_all(&[command]), (vec![], None), "{command}");
    }
    for command in [
        "docker exec app sh -c 'cat > src/x.py'",
        "docker exec -i app tee src/x.py < x.py",
        "docker exec -i app sh < gen.sh",
        "docker exec -it app bash",
        "docker exec app",
        "docker exec --unlisted app sh -c 'touch x'",
        "docker exec app sh -c \"$X\"",
        "docker exec app npm install",
        "docker exec app alembic revision -m x",
        "ssh host 'cd proj && git pull'",
        "docker exec app sh -c 'bash' < gen.sh",
        "docker cp x.py app:/srv/x.py",
        "docker run --rm x sh -c 'git clone a b && touch b/x && git -C b push'",
        "docker run --rm x terraform fmt",
        "docker run --rm x fmt",
        "docker run --rm x install",
        "docker run --rm --entrypoint sh x -c 'touch y'",
        "docker run --rm --entrypoint touch x ls",
        "docker run --rm -i x <<'EOF'\nopen('y', 'w')\nEOF",
        "docker compose run app",
        "docker compose run --rm tf fmt",
        "docker compose run --entrypoint touch app ls",
        "kubectl exec pod -- touch x",
        "ssh host",
        "ssh host 'cd proj && vi'",
        "ssh host 'cd proj && vi x.py'",
        "ssh host 'bash -s' <<'EOF'\ntouch x\nEOF",
        "ssh host bash -s < gen.sh",
        "cat x | ssh host 'cat > src/x.py'",
        "ssh host \"echo $X\"",
        "ssh host ls \\; touch x",
        "tmux new -d -s x 'npm start'",
        "tmux send-keys -t x 'touch y' Enter",
    ] {
        let (_, why) = read_all(&[command]);
        let is_of_machine = why.as_ref().is_some_and(|why| why.contains("container"));
        assert!(is_of_machine, "{command}: {why:?}");
    }
    let image = "docker run --rm -v ../out:/out --mount=type=bind,src=../more,dst=/m gen";
    let (found, why) = read_all(&[image]);
    assert!(found.contains(&around("../out")) && found.contains(&around("../more")));
    assert!(
        why.unwrap().contains("was not read"),
        "what the image does by itself"
    );
    let (_, why) = read_all(&["bash < gen.sh"]);
    assert!(why.is_some(), "a script that is read");
}

#[test]
fn a_command_that_code_runs_writes_where_it_says() {
    for command in [
        "python3 -c \"import os; print(os.environ.get('HOME'))\"",
        "node -e \"console.log(process.env.HOME)\"",
        "python3 - <<'E'\nimport subprocess\nprint(subprocess.run(['git','status'], text=True).stdout)\nE",
        "node -e \"console.log(require('child_process').execSync('git status').toString())\"",
    ] {
        assert_eq!(read_all(&[command]), (vec![], None), "{command}");
    }
    names(
        "python3 -c \"import os; os.system('touch /srv/a')\"",
        &[exact("/srv/a")],
    );
    for command in [
        "python3 -c \"import os; os.system('./gen.sh')\"",
        "python3 -c \"import subprocess; subprocess.run(['bash'], input=b'touch ../a')\"",
        "python3 -c \"import subprocess; subprocess.run(['sh', '-c', c])\"",
    ] {
        assert!(read_all(&[command]).1.is_some(), "{command}");
    }
}

/// A folder of `mktemp` is one of work only if more is done there than to write files, which may be meant by name.
#[test]
fn a_file_in_a_folder_that_was_made_anew_or_on_another_machine_is_named() {
    let elsewhere = |name: &str| Place::Elsewhere(name.to_owned());
    for (command, expected) in [
        (
            "d=$(mktemp -d); ls $d; diff -r src $d; rm -rf \"$d\"",
            vec![],
        ),
        (
            "d=$(mktemp -d); cp src/a.py $d; rm -r $d",
            vec![elsewhere("a.py")],
        ),
        (
            "d=$(mktemp -d); mkdir -p $d/src; echo x > \"$d/src/b.py\"",
            vec![elsewhere("src"), elsewhere("src/b.py")],
        ),
        (
            "e=$(mktemp -d)/e; touch $e/b.py; (cat > ${e}/c.py)",
            vec![elsewhere("e/b.py"), elsewhere("e/c.py")],
        ),
        (
            "scp src/a.py me@host:/srv/b.py",
            vec![elsewhere("a.py"), elsewhere("/srv/b.py")],
        ),
    ] {
        assert_eq!(read_all(&[command]), (expected, None), "{command}");
    }
}

#[test]
fn a_reason_names_the_words_and_nothing_hidden() {
    let (_, why) = read_all(&["touch $INFRA/\u{202e}main.tf"]);
    let why = why.unwrap();
    assert!(
        why.contains("$INFRA/") && !why.contains('\u{202e}'),
        "{why}"
    );
}

#[test]
fn a_command_without_end_has_an_end() {
    let deep = [
        "$(".repeat(100_000),
        "(".repeat(100_000),
        "`".repeat(100_000),
        "\"$(".repeat(50_000),
    ];
    for command in deep {
        read_all(&[&command]);
    }
    let variables = format!("D='{}'; {}", "a ".repeat(10), "D=\"$D$D\"; ".repeat(100));
    read_all(&[&variables]);
    let doubled: Vec<_> = (0..200)
        .map(|n| format!("A{}=$A{n}$A{n};", n + 1))
        .collect();
    let (_, why) = read_all(&[&format!("A0=xxxx;{} touch $A200", doubled.concat())]);
    assert!(why.is_some(), "more than any memory holds");
    let variables: Vec<_> = (0..size(5_000, 20_000))
        .map(|n| format!("A{n}=x;"))
        .collect();
    let variables = variables.concat();
    let begun = std::time::Instant::now();
    for rest in [
        "$(x)",
        "(x);",
        "x && cd a;",
        "x || cd $A1/b;",
        "(cd a;",
        "$A1 ",
    ] {
        read_all(&[&format!(
            "{variables} echo {}",
            rest.repeat(size(1_500, 5_000))
        )]);
    }
    let values: Vec<_> = (0..900).map(|n| format!("../v{n}")).collect();
    let values = format!("for A in {}; do cd $A;", values.join(" "));
    for rest in [
        "touch $A;",
        "B=$A;",
        "(x);",
        "cd $A;",
        "x && cd $A;",
        "echo $(x);",
    ] {
        read_all(&[&format!("{values} {}", rest.repeat(size(1_500, 5_000)))]);
    }
    assert!(
        begun.elapsed() < std::time::Duration::from_mins(1),
        "{:?}",
        begun.elapsed()
    );
    let many: Vec<_> = (0..20_000).map(|n| format!("/p/{n}")).collect();
    let (_, why) = read_all(&[&format!("touch {}", many.join(" "))]);
    assert!(
        why.unwrap().contains("10000 places"),
        "{}",
        "a bound has its reason"
    );
    let (_, why) = read_all(&["A=1; A=2; A=3; touch $A$A$A$A$A$A$A$A$A$A$A$A"]);
    assert!(why.is_some(), "too many values");
}

/// The lines of the table of programs: what each says that it does, and its example as a command.
pub(crate) fn examples() -> Vec<(Vec<&'static str>, String)> {
    let lines = include_str!("../../../shell/programs.txt").lines();
    let lines = lines.filter(|line| !line.starts_with(['#', '[']) || line.starts_with("[ "));
    let examples = lines.filter_map(|line| {
        let parts: Vec<_> = line.split(" | ").collect();
        let (programs, words) = parts[0].split_once(": ").unwrap_or((parts[0], ""));
        let words = words.split('/').next().unwrap_or_default();
        let example = *parts.get(2)?;
        let commands = programs.split(' ').map(move |program| {
            let with_words = format!("{program} {words}");
            (
                parts[1].split(' ').collect(),
                example.replace('%', with_words.trim()),
            )
        });
        Some(commands)
    });
    examples.flatten().collect()
}

#[test]
fn programs_write_where_their_examples_say() {
    for (does, command) in examples() {
        let (found, why) = read_all(&[&command]);
        let is = |class| does.contains(&class);
        let writes = [
            "names", "names2", "copies", "into", "edits", "runs", "shell",
        ];
        if is("reads") {
            let writes = found.iter().find_map(text_of);
            assert_eq!((writes, &why), (None, &None), "{command}");
        } else if writes.into_iter().any(is) {
            let is_it = |it: &Place| format!("{it:?}").contains("/srv/");
            assert!(
                found.iter().any(is_it) && why.is_none(),
                "{command}: {found:?} {why:?}"
            );
        } else if is("elsewhere") && !is("build") {
            let only_looks_after = found.is_empty() && why.is_none();
            assert!(why.is_some() || only_looks_after, "{command}");
        } else if is("here") && !is("wrapper") && !is("set-up") && !is("module") {
            assert_eq!(why, None, "{command}: {found:?}");
        }
        if is("looks") && !is("find") {
            assert!(crate::looks::only_looks(&command), "{command}");
        }
    }
}

mod any {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_text_is_read(text in "[ -~\n\t]{0,200}", more in any::<String>()) {
            read_all(&[&text, &more]);
        }

        /// Whatever stands around it, a file that a command writes is found or doubted.
        #[test]
        fn a_file_that_is_written_is_never_missed(before in 0..BEFORE.len(), after in 0..AFTER.len(), way in 0..WAYS.len()) {
            let command = format!("{}{}{}", BEFORE[before], WAYS[way], AFTER[after]);
            let (found, why) = read_all(&[&command]);
            let is_named = found.iter().any(|place| {
                text_of(place).is_some_and(|text| text.starts_with("/srv/infra"))
            });
            prop_assert!(is_named || why.is_some(), "{}: {:?}", command, found);
        }
    }

    const BEFORE: &[&str] = &[
        "",
        "ls; ",
        "set -e\n",
        "( ",
        "{ ",
        "if true; then ",
        "for i in 1 2; do ",
        "x=1 && ",
        "! ",
        "true | ",
        "echo \"a; b\" && ",
        "case x in y) ;; esac; ",
        "# it's\n",
        "cat <<'E' > /dev/null\n$( ' \"\nE\n",
        "while false; do :; done; ",
        "echo $(( 1 + 2 )) ; ",
        "function f { ls; }; ",
        "echo 'it'\\''s'; ",
        "cd src; ",
        "cd /tmp && ",
    ];
    const AFTER: &[&str] = &[
        "", "; ls", " && ls", " || true", " # done", "\n", " &", " | cat", "; exit 0",
    ];
    const WAYS: &[&str] = &[
        "touch /srv/infra/a",
        "echo x>/srv/infra/a",
        "cd /srv/infra; npm test",
        "cd /srv/infra && touch a",
        "cp a /srv/infra/",
        "D=/srv/infra; touch $D/a",
        "git -C /srv/infra init",
        "sh -c 'touch /srv/infra/a'",
        "pushd /srv/infra; touch a; popd",
        "printf x | tee /srv/infra/a",
        "touch \"/srv/infra/a b\"",
        "touch $UNKNOWN/a",
        "env -C /srv/infra touch a",
        "make -C /srv/infra",
        "tar xf a.tar -C /srv/infra",
        "dd if=a of=/srv/infra/a",
        "mv a /srv/infra/b",
        "ln -s a /srv/infra/b",
        "install a /srv/infra/b",
        "rsync -a a/ /srv/infra",
        "mkdir -p /srv/infra/x",
    ];
}

#[test]
fn a_patch_is_written_where_it_says() {
    let patch = "*** Begin Patch\n*** Add File: src/a.py\n+x\n*** Delete File: b.py\n*** End Patch";
    let expected = [exact("src/a.py"), Place::Removed("b.py".to_owned())];
    let heredoc = format!("apply_patch <<'EOF'\n{patch}\nEOF");
    assert_eq!(read_all(&[&heredoc]), (expected.to_vec(), None));
    let mut places = Places::default();
    let words = ["apply_patch", patch].map(str::to_owned);
    Shell::default().read_words(&words, None, &mut places);
    assert_eq!(places.list().found(), &expected);
    // What only shows one writes nothing.
    let shown = format!("cat <<'EOF'\n{patch}\nEOF");
    assert_eq!(read_all(&[&shown]), (vec![], None));
}
