//! Generated agents whose shell works in folders outside of the work tree: whatever names the folders, an honest
//! agent is never blocked; and a file that it never made is named wherever all that it ran could be read.
//!
//! The commands are run by a shell, and what is there afterwards is what an agent may claim, so that no form is
//! believed to write where it does not.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::common::agent::{Agent, done};
use crate::common::forms::cases;
use crate::common::scene::{Scene, settle, write};
use crate::common::{TestContext, size};
use crate::places::transcript;

/// How a shell names a folder: `{d}` is its path, `{r}` the same from the work tree, `{f}` a file in it. `ENTER`
/// begins another call.
const READ_IN_FULL: &[&str] = &[
    "cd {r} && echo x > {f}",
    "cd \"{d}\"; touch {f}",
    "cd '{d}'/; touch ./{f}",
    "(cd {r}; echo x > {f})",
    "pushd {r} > /dev/null && touch {f} && popd > /dev/null",
    "cd {r}; cd -; touch {r}/{f}",
    "cd {d} || exit 1\nprintf x > {f}",
    "ls {r}; cd {r}/../{n}; touch {f}",
    "echo x > {d}/{f}",
    "echo x >> \"{d}/{f}\" 2>/dev/null",
    "echo x 2>&1 >{r}/{f}",
    "{ echo x; echo y; } > {r}/{f}",
    "cat > {r}/{f} <<'EOF'\nit's \"x\" $(y\nEOF",
    "cat <<EOF > {d}/{f}\nx $HOME\nEOF\nls",
    "echo x | tee {r}/{f}",
    "echo x | tee -a '{d}/{f}' > /dev/null",
    "touch {r}/{f}",
    "touch -- {d}/{f} && ls {d}",
    "cp a.py {r}/{f}",
    "cp a.py {d}/ && mv {d}/a.py {d}/{f}",
    "cp -r src {r}/s && cp a.py {r}/s/{f}",
    "cp -rp src {r}/s && mv {r}/s/b.py {r}/s/{f}",
    "install -m 644 a.py {r}/{f}",
    "install -D a.py {r}/x/y/{f}",
    "ln a.py {r}/{f}",
    "ln -s $PWD/a.py {d}/{f}",
    "dd if=a.py of={r}/{f} status=none",
    "mkdir -p {r}/sub && touch {r}/sub/{f}",
    "cd {r} && mkdir -p a/b/c && (cd a/b && touch c/{f})",
    "mkdir -p {r}/{one,two}/x; touch {r}/{one,two}/x/{f}",
    "D={r}; touch $D/{f}",
    "D={d} && cd \"$D\" && touch {f}",
    "export OUT={d}; touch \"${OUT}/{f}\"",
    "F=\"{d}/{f}\"; echo x > \"$F\"",
    "for f in {f}; do touch \"{r}/$f\"; done",
    "for d in {r} {d}; do cd \"$d\"; touch {f}; done",
    "for i in 1 2 3; do echo $i > {r}/$i-{f}; done",
    "if [ -d {r} ]; then touch {r}/{f}; else touch x; fi",
    "case x in y) ls;; x) touch {r}/{f};; esac",
    "while true; do touch {r}/{f}; break; done",
    "f() { touch {r}/{f}; }; f",
    "test -d {r} && cd {r} && touch {f} || true",
    "env -C {r} touch {f}",
    "env A=b touch {r}/{f}",
    "timeout 9 nice touch {d}/{f}",
    "sh -c 'cd {r} && touch {f}'",
    "bash -c \"echo x > {d}/{f}\"",
    "bash <<'EOF'\ncd {r}\ntouch {f}\nEOF",
    "eval 'touch {r}/{f}'",
    "echo $(touch {r}/{f}; echo y)",
    "echo `cd {r}; touch {f}`",
    "diff <(touch {r}/{f}) a.py",
    "git -C {r} init -q && touch {r}/{f}",
    "git init -q {r}; cd {r}; touch {f}; git add .",
    "cd {r} && git init -q && mkdir p && touch p/{f} && git add -A && git commit -qm \"$(cat <<'EOF'\nIt's (done)\nEOF\n)\"",
    "git clone -q . {r}/clone && mv {r}/clone/a.py {r}/clone/{f}",
    "make -C {r} build NAME={f}",
    "make --directory={d} NAME={f}",
    "(cd {r} && make NAME={f}) && cd src",
    "tar cf - a.py | tar xf - -C {r}; mv {r}/a.py {r}/{f}",
    "sed -i 's/old/new/' {r}/{old}",
    "sed 's/x/y/' a.py > {r}/{f}",
    "perl -pi -e 's/old/new/' {d}/{old}",
    "perl -e 'open(F, \">{d}/{f}\")'",
    "awk '{print > \"{d}/{f}\"}' a.py",
    "find {r} -maxdepth 1 -name 'old*' -exec cp {} {r}/{f} \\;",
    "find {d} -maxdepth 1 -name 'old*' -exec sed -i s/old/new/ {} +",
    "sed -i s/old/new/ {r}/*.old",
    "mkdir {r}/made && mv {r}/made {r}/moved && touch {r}/moved/{f}",
    "mkdir -p out && touch out/{f} && mv out {r}/out",
    "cd {r}\nENTER\npwd; touch {d}/{f}",
    "cd {r}; rm -f gone; chmod +x {old}",
    "touch \"{r}/{f}\" & wait",
    "set -euo pipefail; touch {r}/{f} # it's here",
    "cd {r} && \\\n  touch {f}",
    "true && { cd {r}; touch {f}; }",
    "cd /; cd {d}; touch {f}",
    "cd ~; touch {d}/{f}",
];
/// The same, with something among it that only a shell knows.
const DOUBTFUL: &[&str] = &[
    "D=$(mktemp -d {d}/XXXX); touch $D/{f}",
    "T=`mktemp -d {d}/XXXX` && cd $T && touch {f}",
    "cd \"$BASE/{n}\" && touch {f}",
    "touch $BASE/{n}/{f}",
    "touch \"${UNSET:-$BASE}/{n}/{f}\"",
    "echo x > ${BASE}/{n}/{f}",
    "bash {r}/gen.sh {f}",
    "sh {d}/gen.sh {f}",
    "{r}/gen.sh {f}",
    "cd {r} && ./gen.sh {f}",
    "source {d}/gen.sh {f}",
    ". {r}/gen.sh {f}",
    "echo {r}/{f} | xargs touch",
    "echo 'touch {r}/{f}' | sh",
    "W=touch; $W {r}/{f}",
    "$(echo touch) {r}/{f}",
    "eval \"touch $BASE/{n}/{f}\"",
    "sh -c \"touch $BASE/{n}/{f}\"",
    "set -- {r}; touch $1/{f}",
    "read D <<< {r}; touch $D/{f}",
    "A=({r}); touch ${A[0]}/{f}",
    "IFS=, ; while read d; do touch $d/{f}; done <<< {r}",
    "perl -e 'open(F, \">\" . $ENV{BASE} . \"/{n}/{f}\"); system(\"true\")'",
    "make -C {r} gen NAME={f}",
];
/// Commands that read there and write nothing.
const ONLY_READ: &[&str] = &[
    "ls -la {r}",
    "cat {d}/{old} | grep -c old",
    "cd {r} && ls && cat {old}",
    "(cd {r}; find . -name '*.old')",
    "grep -r old {d} > /dev/null 2>&1",
    "diff {r}/{old} a.py",
    "head -3 \"{d}/{old}\"; wc -l < {r}/{old}",
    "for f in {r}/*; do echo $f; done",
    "git -C {r} status; git -C {d} log -3",
    "echo \"$(cat {r}/{old})\" \"$BASE\"",
    "find {r} -type f -exec grep old {} +",
    "stat {d}; du -sh {r}",
    "echo {r} {d}/ghost.tf",
];

/// What is done with one folder.
#[derive(Debug, Clone, Copy)]
enum Visit {
    Work(usize),
    Doubt(usize),
    Read(usize),
}

impl Visit {
    fn form(self) -> &'static str {
        match self {
            Self::Work(form) => READ_IN_FULL[form],
            Self::Doubt(form) => DOUBTFUL[form],
            Self::Read(form) => ONLY_READ[form],
        }
    }
}

fn visits() -> impl Strategy<Value = Vec<Visit>> {
    let work = || (0..READ_IN_FULL.len()).prop_map(Visit::Work);
    let read = || (0..ONLY_READ.len()).prop_map(Visit::Read);
    let doubt = || (0..DOUBTFUL.len()).prop_map(Visit::Doubt);
    let plain = move || prop_oneof![3 => work(), 1 => read()];
    let any = move || prop_oneof![9 => plain(), 1 => doubt()];
    prop_oneof![
        4 => vec(plain(), 1..=20),
        2 => vec(any(), 1..=20),
        1 => vec(plain(), 20..=500),
    ]
}

/// A session of two agents, one of which claims a file more than was made.
struct Session {
    scene: Scene,
    /// Files that somebody else wrote in folders that the agents only read.
    theirs: Vec<PathBuf>,
    calls: Vec<String>,
}

impl Session {
    fn new(visits: &[Visit]) -> Self {
        let mut context = TestContext::enforcing();
        let base = context.folder().join("base");
        context.set("BASE", &base);
        let scene = Scene::of(context, &[("a.py", "x\n"), ("src/b.py", "two\n")]);
        let mut session = Self {
            scene,
            theirs: Vec::new(),
            calls: Vec::new(),
        };
        for (number, visit) in visits.iter().enumerate() {
            session.prepare(&base, number, *visit);
        }
        session
    }

    fn prepare(&mut self, base: &Path, number: usize, visit: Visit) {
        let (name, file, old) = (
            format!("place{number}"),
            format!("new{number}.tf"),
            format!("f{number}.old"),
        );
        let folder = base.join(&name);
        write(&folder.join(&old), "old\n");
        write(&folder.join("Makefile"), "build gen:\n\ttouch $(NAME)\n");
        write(
            &folder.join("gen.sh"),
            "touch \"$(dirname \"$0\")/${1:-$F}\" || true\n",
        );
        self.scene
            .context
            .command("chmod")
            .arg("+x")
            .arg(folder.join("gen.sh"))
            .status()
            .unwrap();
        let relative = format!("../base/{name}");
        let text = visit.form().replace("{d}", folder.to_str().unwrap());
        let text = text
            .replace("{r}", &relative)
            .replace("{f}", &file)
            .replace("{n}", &name);
        let text = text.replace("{old}", &old);
        self.calls
            .extend(text.split("\nENTER\n").map(str::to_owned));
        // A shell that stays in a folder may have written there with the next command.
        if matches!(visit, Visit::Read(_)) && !visit.form().starts_with("cd ") {
            self.theirs.push(folder.join(format!("theirs{number}.tf")));
        }
    }

    /// Runs every call, each in a shell of its own that begins in the work tree.
    fn run(&self) {
        for call in &self.calls {
            let mut shell = self.scene.context.command("bash");
            shell.current_dir(&self.scene.repo).args(["-c", call]);
            shell.output().unwrap();
        }
        self.theirs.iter().for_each(|path| write(path, "theirs\n"));
    }

    /// What is there that was not, or not like that, by its path from the folder of all places.
    fn made(&self, before: &BTreeSet<(PathBuf, String)>) -> Vec<String> {
        let now = self.files();
        let new = now.difference(before).map(|(path, _)| path);
        let own = new.filter(|path| !self.theirs.contains(path));
        let base = self.scene.path("base");
        let names = own.map(|path| {
            path.strip_prefix(&base)
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned()
        });
        names
            .filter(|name| name.contains("new") || name.contains(".old"))
            .collect()
    }

    fn files(&self) -> BTreeSet<(PathBuf, String)> {
        let (mut files, mut folders) = (BTreeSet::new(), vec![self.scene.path("base")]);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                match entry.file_type().unwrap() {
                    kind if !kind.is_dir() => {
                        let content = format!("{:?}", fs::read(entry.path()).ok());
                        files.insert((entry.path(), content));
                    }
                    _ if entry.file_name() != ".git" => folders.push(entry.path()),
                    _ => {}
                }
            }
        }
        files
    }

    fn bash(&self) -> Vec<(&'static str, Value)> {
        let calls = self.calls.iter();
        calls
            .map(|command| ("Bash", json!({ "command": command })))
            .collect()
    }
}

/// Plays the session: an honest agent, and one that claims `ghost` as well.
fn play(visits: &[Visit]) -> Result<(), TestCaseError> {
    let session = Session::new(visits);
    let context = &session.scene.context;
    let [honest, liar, thief] =
        ["honest", "liar", "thief"].map(|name| Agent::new(name, &session.scene.repo));
    let before = session.files();
    settle();
    for agent in [&honest, &liar, &thief] {
        agent.start(context);
    }
    session.run();
    let made = session.made(&before);
    let last = |path: &String| path.rsplit('/').next().unwrap().to_owned();
    // By the path, by its last two parts, and by its name alone.
    let claim = |(number, path): (usize, &String)| {
        let parts: Vec<_> = path.split('/').collect();
        let from = [0, parts.len().saturating_sub(2), parts.len() - 1][number % 3];
        parts[from..].join("/")
    };
    let claims: Vec<_> = made.iter().enumerate().map(claim).collect();
    let stop = |agent: &Agent, extra: &[&str]| {
        let files: Vec<_> = claims
            .iter()
            .map(String::as_str)
            .chain(extra.iter().copied())
            .collect();
        let message = done(&files.join(", "));
        let path = transcript(&session.scene, &session.bash(), &message);
        agent.stop_with(context, &message, &json!({"agent_transcript_path": path}))
    };
    let stopped = stop(&honest, &[]);
    prop_assert!(
        stopped.block().is_none(),
        "{:#?}\n{:#?}",
        stopped,
        session.calls
    );
    prop_assert!(!stopped.0.stderr.contains("false DONE"), "{:#?}", stopped);
    let is_doubtful = visits.iter().any(|visit| matches!(visit, Visit::Doubt(_)));
    let ghosts = [(&liar, "src/ghost.tf".to_owned())].into_iter();
    let stolen = session
        .theirs
        .first()
        .map(|path| (&thief, last(&path.to_str().unwrap().to_owned())));
    for (agent, ghost) in ghosts.chain(stolen) {
        let stopped = stop(agent, &[&ghost]);
        let reason = stopped.block().unwrap_or_default();
        // The other two run the same commands, and some of these remove files.
        let told = format!("DOUBT: \"{ghost}\": other agents worked in the same tree");
        prop_assert!(
            is_doubtful || reason.contains(&ghost) || stopped.0.stderr.contains(&told),
            "{}: {}\n{:#?}",
            ghost,
            reason,
            session.calls
        );
        for claim in &claims {
            prop_assert!(!reason.contains(&format!("\"{claim}\"")), "{}", reason);
        }
    }
    Ok(())
}

/// One folder for each form, so that none is left to chance, each alone: a doubt in one hides what another lacks. In
/// `.ci/full` all are visited, else one of three.
#[test]
fn every_form_alone() {
    let work = (0..READ_IN_FULL.len()).map(Visit::Work);
    let doubts = (0..DOUBTFUL.len()).map(Visit::Doubt);
    for visit in work.chain(doubts).step_by(size(3, 1)) {
        play(&[visit]).unwrap_or_else(|why| panic!("{}: {why}", visit.form()));
    }
}

#[test]
fn every_form_in_one_session() {
    let work: Vec<_> = (0..READ_IN_FULL.len()).map(Visit::Work).collect();
    let read: Vec<_> = (0..ONLY_READ.len()).map(Visit::Read).collect();
    play(&[work, read].concat()).unwrap();
}

proptest! {
    #![proptest_config(cases(2, 24))]
    #[test]
    fn honest_work_outside_is_never_blocked_and_the_lie_beside_it_is_named(visits in visits()) {
        play(&visits)?;
    }
}
