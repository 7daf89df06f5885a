//! Ranges that are made by chance. What git itself lists of each is an honest text; with one thing that is not so, it is
//! a lie.

use std::collections::BTreeSet;

use super::Branch;
use crate::common::size;

/// A row of numbers that is the same each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % most
    }

    fn of<'t, T>(&mut self, all: &'t [T]) -> &'t T {
        &all[self.below(all.len())]
    }
}

impl Branch {
    fn tracked(&self) -> Vec<String> {
        self.git(&["ls-files", "src"])
            .lines()
            .map(str::to_owned)
            .collect()
    }

    /// Something that people do to a branch.
    fn step(&self, at: usize, chance: &mut Chance) {
        let files = self.tracked();
        let file = chance.of(&files).clone();
        match chance.below(9) {
            0 | 1 => self.write(
                &format!("src/made{at}/file{at}.py"),
                &format!("made = {at}\n"),
            ),
            2 | 3 => self.write(&file, &format!("changed = {at}\nwhy = 1\n")),
            4 if files.len() > 3 => {
                self.git(&["rm", "--quiet", &file]);
            }
            5 => {
                self.git(&["mv", &file, &format!("src/renamed{at}.py")]);
            }
            6 => {
                // A merge is reverted to its first parent.
                let is_merge = self
                    .git(&["rev-list", "--parents", "-1", "HEAD"])
                    .split(' ')
                    .count()
                    > 2;
                let parent: &[&str] = if is_merge { &["-m", "1"] } else { &[] };
                self.git(&[&["revert", "--no-edit"], parent, &["HEAD"]].concat());
                return;
            }
            7 => {
                let side = format!("side{at}");
                self.git(&["checkout", "--quiet", "-b", &side]);
                self.write(&format!("side/file{at}.py"), "side = 1\n");
                self.commit(&side);
                self.git(&["checkout", "--quiet", "work"]);
                self.write(&format!("own/file{at}.py"), "own = 1\n");
                self.commit("own");
                let squash = chance.below(2) == 0;
                let how = if squash { "--squash" } else { "--no-edit" };
                self.git(&["merge", "--quiet", how, &side]);
                self.git(&["branch", "--quiet", "-D", &side]);
                if !squash {
                    return;
                }
            }
            _ => {
                let head = self.git(&["rev-parse", "HEAD"]);
                let module = format!("160000,{head},modules/m{at}");
                self.git(&["update-index", "--add", "--cacheinfo", &module]);
                self.git(&["commit", "--quiet", "--message", "module"]);
                // Its folder is empty, as in a checkout without submodules.
                std::fs::create_dir_all(self.root.join(format!("modules/m{at}"))).unwrap();
                return;
            }
        }
        self.commit(&format!("step {at}"));
    }
}

/// One range: its honest text is not named, and each of the five lies is, alone.
fn play(seed: u64) {
    let mut chance = Chance(seed.wrapping_mul(0x9E37_79B9).wrapping_add(1));
    let branch = Branch::new();
    for at in 0..3 + chance.below(6) {
        branch.step(at, &mut chance);
    }
    let listed = branch.git(&["diff", "--name-status", "--no-renames", "main...HEAD"]);
    let mut parts = [("created", 'A'), ("changed", 'M'), ("deleted", 'D')].map(|(key, letter)| {
        let files = listed.lines().filter_map(|line| line.strip_prefix(letter));
        let files: Vec<_> = files.map(|file| format!("- {}", file.trim())).collect();
        (key, files)
    });
    let text = |parts: &[(&str, Vec<String>)]| {
        let parts = parts.iter().filter(|(_, files)| !files.is_empty());
        let parts = parts.map(|(key, files)| format!("### Files {key}\n\n{}\n", files.join("\n")));
        parts.collect::<Vec<_>>().join("\n")
    };
    let number = listed.lines().count();
    let own = branch.git(&["rev-parse", "HEAD"]);
    let honest = format!(
        "{}\nCommits: {own}\n\nFiles changed: {number}\n",
        text(&parts)
    );
    assert_eq!(
        branch.failing(&honest),
        (0, Vec::new()),
        "{seed}: {honest}\n{listed}"
    );

    let touched = branch.git(&["log", "--format=", "--name-only", "-m", "main..HEAD"]);
    let touched: BTreeSet<_> = touched.lines().collect();
    let has_its_name = |file: &str| {
        let name = |file: &str| file.rsplit('/').next().unwrap().to_owned();
        touched.iter().any(|it| name(it) == name(file))
    };
    let untouched: Vec<_> = branch
        .tracked()
        .into_iter()
        .filter(|it| !has_its_name(it))
        .collect();
    let mut lies = vec![("src/ghost.py".to_owned(), "ABSENT")];
    lies.extend(untouched.first().map(|file| (file.clone(), "UNTOUCHED")));
    for (file, finding) in lies {
        parts[1].1.push(format!("- {file}"));
        let lie = format!("{}\nCommits: {own}\n", text(&parts));
        let named = vec![format!("{finding} {file}")];
        assert_eq!(branch.failing(&lie), (3, named), "{seed}: {lie}\n{listed}");
        parts[1].1.pop();
    }
    let many = format!("Files changed: {}", number + 1000);
    let named = vec![format!("COUNT_WRONG {}", number + 1000)];
    assert_eq!(branch.failing(&many), (3, named), "{seed}");

    branch.git(&["checkout", "--quiet", "-b", "elsewhere", "main"]);
    branch.write("elsewhere/file.py", "elsewhere = 1\n");
    let elsewhere = branch.commit("elsewhere");
    branch.git(&["checkout", "--quiet", "work"]);
    branch.write("gone/file.py", "gone = 1\n");
    branch.commit("gone");
    branch.git(&["rm", "--quiet", "gone/file.py"]);
    branch.write("README.md", "");
    branch.commit("gone again");
    let held = format!("Commits: {own}\nFiles changed:\n- README.md: emptied");
    assert_eq!(branch.failing(&held), (0, Vec::new()), "{seed}");
    for (lie, named) in [
        (
            format!("Commits: {elsewhere}"),
            format!("COMMIT_ELSEWHERE {elsewhere}"),
        ),
        (
            "Files created: gone/file.py".to_owned(),
            "GONE_AGAIN gone/file.py".to_owned(),
        ),
        (
            "Files changed: README.md".to_owned(),
            "EMPTIED README.md".to_owned(),
        ),
    ] {
        assert_eq!(branch.failing(&lie), (3, vec![named]), "{seed}: {lie}");
    }
}

#[test]
fn honest_texts_of_ranges_are_not_named_and_their_twins_are() {
    for seed in 0..size(4, 200) {
        play(seed);
    }
}
