//! What honest agents do, and what becomes of their files until somebody looks back.

use std::fs;
use std::path::{Path, PathBuf};

use super::transcript::{Kind, Step};
use crate::common::TestContext;

/// What can be said of a ghost in the report of such an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sight {
    /// All that the agent can have written is in transcripts.
    Clear,
    /// Only a program that was not read may have made it.
    Unread,
    /// Something else unseen may have made it.
    Doubt,
    /// Nobody can look.
    Gone,
}

/// One agent, played.
pub struct Played {
    /// The folder in which it worked.
    pub folder: PathBuf,
    /// What it did before its report.
    pub steps: Vec<Step>,
    /// What it claims.
    pub files: Vec<String>,
    /// Its report, if it is none of the usual forms.
    pub report: Option<String>,
    /// What happens once its session is over.
    pub later: Box<dyn FnOnce(&TestContext)>,
}

/// A situation: whether only Claude Code has it, what a ghost beside it is, and how it is played in a repository with
/// a number of its own.
pub struct Situation {
    pub name: &'static str,
    pub is_of_claude: bool,
    pub ghost: Sight,
    pub play: fn(&Scene<'_>) -> Played,
}

/// Where it is played.
pub struct Scene<'s> {
    pub context: &'s TestContext,
    pub root: PathBuf,
    pub number: usize,
    pub session: String,
    pub kind: Kind,
}

impl Scene<'_> {
    /// The name of a file that no other session has.
    pub fn name(&self, name: &str) -> String {
        let (stem, end) = name.rsplit_once('.').unwrap();
        format!("{stem}_{}.{end}", self.number)
    }

    fn put(&self, name: &str) {
        put(&self.root.join(name));
    }

    fn commit(&self) {
        commit(self.context, &self.root);
    }

    fn git(&self, args: &[&str]) {
        self.context.git(&self.root, args);
    }

    fn write(&self, name: &str) -> Step {
        Step::Write(self.root.join(name), true)
    }

    fn played(&self, steps: Vec<Step>, files: &[&str]) -> Played {
        Played {
            folder: self.root.clone(),
            steps,
            files: files.iter().map(|it| (*it).to_owned()).collect(),
            report: None,
            later: Box::new(|_| {}),
        }
    }

    fn said(&self, report: String) -> Played {
        Played {
            report: Some(report),
            ..self.played(vec![Step::Read(self.root.join("start.py"))], &[])
        }
    }

    /// An agent whose file is removed from the disk afterwards.
    fn removed(&self, steps: Vec<Step>, name: &str) -> Played {
        let place = self.root.join(name);
        Played {
            later: Box::new(move |_| fs::remove_file(place).unwrap()),
            ..self.played(steps, &[name])
        }
    }
}

fn put(place: &Path) {
    fs::create_dir_all(place.parent().unwrap()).unwrap();
    fs::write(place, "x\n").unwrap();
}

fn commit(context: &TestContext, root: &Path) {
    context.git(root, &["add", "--all"]);
    context.git(root, &["commit", "--quiet", "--message", "work"]);
}

macro_rules! situations {
    ($($name:ident, $ghost:ident $(, $claude:ident)?: |$scene:ident| $play:expr;)+) => {
        /// Every situation.
        pub const ALL: &[Situation] = &[$(Situation {
            name: stringify!($name),
            is_of_claude: false $(|| !stringify!($claude).is_empty())?,
            ghost: Sight::$ghost,
            play: |$scene| $play,
        }),+];
    };
}

situations! {
    written, Clear: |scene| {
        let name = scene.name("src/a.py");
        scene.put(&name);
        scene.played(vec![Step::Read(scene.root.join("start.py")), scene.write(&name)], &[&name])
    };
    edited_in_a_folder_of_its_own, Clear: |scene| {
        let name = scene.name("pkg/inner/b.py");
        scene.put(&name);
        let short = name.strip_prefix("pkg/").unwrap().to_owned();
        let steps = vec![Step::Shell("git status && ls".into()), scene.write(&name)];
        Played { folder: scene.root.join("pkg"), ..scene.played(steps, &[&short]) }
    };
    committed, Clear: |scene| {
        let name = scene.name("src/c.py");
        scene.put(&name);
        let root = scene.root.clone();
        Played {
            later: Box::new(move |context| commit(context, &root)),
            ..scene.played(vec![scene.write(&name)], &[&name])
        }
    };
    squashed_and_the_branch_is_gone, Unread: |scene| {
        let name = scene.name("src/d.py");
        scene.git(&["checkout", "--quiet", "-b", &format!("b{}", scene.number)]);
        scene.put(&name);
        scene.commit();
        scene.git(&["checkout", "--quiet", "main"]);
        scene.git(&["merge", "--quiet", "--squash", &format!("b{}", scene.number)]);
        scene.commit();
        scene.git(&["branch", "--quiet", "-D", &format!("b{}", scene.number)]);
        scene.played(vec![Step::Shell("python gen.py && git commit -am x".into())], &[&name])
    };
    deleted_later, Clear: |scene| {
        let name = scene.name("src/e.py");
        scene.put(&name);
        scene.removed(vec![scene.write(&name)], &name)
    };
    deleted_by_a_commit, Unread: |scene| {
        let name = scene.name("src/f.py");
        scene.put(&name);
        scene.commit();
        scene.git(&["rm", "--quiet", &name]);
        scene.commit();
        scene.played(vec![Step::Shell("make all".into())], &[&name])
    };
    committed_by_a_person_and_removed, Clear: |scene| {
        let name = scene.name("src/g.py");
        scene.put(&name);
        scene.commit();
        scene.git(&["rm", "--quiet", &name]);
        scene.commit();
        scene.played(vec![Step::Shell("git diff".into())], &[&name])
    };
    renamed, Clear: |scene| {
        let (old, new) = (scene.name("src/h.py"), scene.name("lib/new.py"));
        scene.put(&old);
        scene.commit();
        fs::create_dir_all(scene.root.join("lib")).unwrap();
        scene.git(&["mv", &old, &new]);
        scene.commit();
        scene.played(vec![], &[&old])
    };
    moved_without_a_commit, Clear: |scene| {
        let (old, new) = (scene.name("src/i.py"), scene.root.join(scene.name("other/j.py")));
        scene.put(&old);
        let place = scene.root.join(&old);
        Played {
            later: Box::new(move |_| {
                fs::create_dir_all(new.parent().unwrap()).unwrap();
                fs::rename(place, new).unwrap();
            }),
            ..scene.played(vec![scene.write(&old)], &[&old])
        }
    };
    by_a_command_and_gone, Clear: |scene| {
        let name = scene.name("src/k.py");
        scene.played(vec![Step::Shell(format!("echo x > {name}"))], &[&name])
    };
    by_a_command_and_there, Unread: |scene| {
        let name = scene.name("src/l.py");
        scene.put(&name);
        scene.played(vec![Step::Shell("python gen.py".into())], &[&name])
    };
    tested_and_built, Clear: |scene| {
        let name = scene.name("src/ak.py");
        scene.put(&name);
        let checks = "cargo test --workspace 2>&1 | tail -5; git add -A && git diff --cached --stat";
        scene.played(vec![scene.write(&name), Step::Shell(checks.into())], &[&name])
    };
    in_a_folder_that_was_unpacked, Unread: |scene| {
        let name = scene.name("src/al.py");
        scene.put(&name);
        scene.played(vec![Step::Shell("tar xf parts.tar".into())], &[&name])
    };
    moved_by_a_command_and_gone, Clear: |scene| {
        let name = scene.name("lib/am.py");
        scene.played(vec![Step::Shell(format!("mv old.py {name}"))], &[&name])
    };
    written_in_a_code_that_is_not_read, Doubt: |scene| {
        let name = scene.name("src/an.py");
        scene.played(vec![Step::Shell("ssh build make all".into())], &[&name])
    };
    told_in_sentences, Clear: |scene| {
        let name = scene.name("src/ao.py");
        let written = scene.write(&name);
        scene.put(&name);
        Played {
            report: Some(format!("I created `{name}` with the parser.\n")),
            ..scene.played(vec![written], &[])
        }
    };
    by_a_tool_of_a_server, Clear, claude: |scene| {
        let name = scene.name("src/m.py");
        let path = Some(scene.root.join(&name));
        scene.played(vec![Step::Server("mcp__fs__write_file", path)], &[&name])
    };
    by_a_server_that_says_nothing, Doubt: |scene| {
        let name = scene.name("src/n.py");
        scene.played(vec![Step::Server("mcp__ide__refactor", None)], &[&name])
    };
    by_another_agent, Doubt: |scene| {
        let name = scene.name("src/o.py");
        scene.played(vec![Step::Agent], &[&name])
    };
    by_an_agent_whose_transcript_is_kept, Doubt, claude: |scene| {
        let name = scene.name("src/p.py");
        let other = Kind::ClaudeSubagent;
        let steps = [Step::Prompt("go".into()), scene.write(&name), Step::Say("Well.".into())];
        let session = format!("{}-child", scene.session);
        other.keep(scene.context.home(), &scene.root, &session, &steps);
        scene.played(vec![Step::Agent], &[&name])
    };
    written_by_its_session, Clear, claude: |scene| {
        let name = scene.name("src/q.py");
        let steps = [Step::Prompt("go".into()), scene.write(&name), Step::Say("Well.".into())];
        let other = match scene.kind {
            Kind::ClaudeMain => Kind::ClaudeSubagent,
            _ => Kind::ClaudeMain,
        };
        other.keep(scene.context.home(), &scene.root, &scene.session, &steps);
        scene.played(vec![], &[&name])
    };
    ignored, Clear: |scene| {
        let name = scene.name("build/r.js");
        scene.played(vec![Step::Shell("cat start.py | head -n 3".into())], &[&name])
    };
    outside, Clear: |scene| {
        let gone = scene.context.folder().join(scene.name("outside/gone.py"));
        let there = scene.context.folder().join(scene.name("outside/there.py"));
        put(&there);
        scene.played(vec![], &[gone.to_str().unwrap(), there.to_str().unwrap()])
    };
    in_a_work_tree_of_its_own, Clear: |scene| {
        let tree = scene.context.folder().join(format!("tree{}", scene.number));
        scene.git(&["worktree", "add", "--quiet", tree.to_str().unwrap()]);
        let name = scene.name("src/s.py");
        put(&tree.join(&name));
        let steps = vec![Step::Write(tree.join(&name), true)];
        Played { folder: tree, ..scene.played(steps, &[&name]) }
    };
    in_a_work_tree_that_is_gone, Gone: |scene| {
        let tree = scene.context.folder().join(format!("gone{}", scene.number));
        scene.git(&["worktree", "add", "--quiet", tree.to_str().unwrap()]);
        let name = scene.name("src/t.py");
        let (root, removed) = (scene.root.clone(), tree.clone());
        Played {
            folder: tree,
            later: Box::new(move |context| {
                let tree = removed.to_str().unwrap();
                context.git(&root, &["worktree", "remove", "--force", tree]);
            }),
            ..scene.played(vec![], &[&name])
        }
    };
    in_a_repository_that_has_moved, Gone: |scene| {
        let old = scene.context.repository(&format!("old{}", scene.number), &[("a.py", "x\n")]);
        let new = scene.context.folder().join(format!("new{}", scene.number));
        let name = scene.name("src/u.py");
        put(&old.join(&name));
        let from = old.clone();
        Played {
            folder: old,
            later: Box::new(move |_| fs::rename(from, new).unwrap()),
            ..scene.played(vec![], &[&name])
        }
    };
    in_no_repository, Gone: |scene| {
        let folder = scene.context.folder().join(format!("plain{}", scene.number));
        fs::create_dir_all(&folder).unwrap();
        let name = scene.name("v.py");
        Played { folder, ..scene.played(vec![], &[&name]) }
    };
    resumed, Clear: |scene| {
        let (first, second) = (scene.name("src/w.py"), scene.name("src/x.py"));
        let steps = vec![
            scene.write(&first),
            Step::Say(format!("Status: DONE\nFiles changed: {first}")),
            Step::Prompt("go on".into()),
            scene.write(&second),
        ];
        scene.played(steps, &[&first, &second])
    };
    compacted, Clear, claude: |scene| {
        let name = scene.name("src/y.py");
        let steps = vec![scene.write(&name), Step::Summary, Step::Read(scene.root.join("start.py"))];
        scene.played(steps, &[&name])
    };
    begun_with_a_summary, Doubt, claude: |scene| {
        let name = scene.name("src/z.py");
        scene.played(vec![Step::Summary, Step::Read(scene.root.join("start.py"))], &[&name])
    };
    sent_back_and_corrected, Clear, claude: |scene| {
        let name = scene.name("src/aa.py");
        let ghost = scene.name("src/withdrawn.py");
        let steps = vec![
            scene.write(&name),
            Step::Say(format!("Status: DONE\nFiles changed: {name}, {ghost}")),
            Step::SentBack,
        ];
        scene.played(steps, &[&name])
    };
    stashed, Clear: |scene| {
        let name = scene.name("src/ab.py");
        scene.put(&name);
        scene.git(&["add", &name]);
        scene.git(&["stash", "push", "--quiet", "--", &name]);
        scene.played(vec![], &[&name])
    };
    amended_away, Clear: |scene| {
        let name = scene.name("src/ac.py");
        scene.put(&name);
        scene.commit();
        scene.git(&["reset", "--quiet", "HEAD~1"]);
        fs::remove_file(scene.root.join(&name)).unwrap();
        scene.played(vec![Step::Shell("git log --oneline".into())], &[&name])
    };
    refused_and_made_by_a_command, Clear: |scene| {
        let name = scene.name("src/ad.py");
        let refused = Step::Write(scene.root.join(&name), false);
        scene.played(vec![refused, Step::Shell(format!("tee {name}"))], &[&name])
    };
    named_by_its_whole_path, Clear: |scene| {
        let name = scene.name("src/ae.py");
        let place = scene.root.join(&name);
        scene.played(vec![scene.write(&name)], &[place.to_str().unwrap()])
    };
    with_a_plan, Clear: |scene| {
        let name = scene.name("src/af.py");
        scene.said(format!("Status: DONE\n\n## Planned changes\n- {name}\n"))
    };
    that_could_not_be_done, Clear: |scene| {
        let name = scene.name("src/ag.py");
        scene.said(format!("Status: BLOCKED\nFiles changed: {name}\n"))
    };
    in_prose, Clear: |scene| {
        let name = scene.name("src/ah.py");
        scene.said(format!("All done. I looked at {name}, which does not exist.\n"))
    };
    of_a_file_that_was_left_alone, Clear: |scene| {
        let name = scene.name("src/ai.py");
        scene.said(format!("Status: DONE\nFiles changed:\n- start.py\n- {name} (not created, not needed)\n"))
    };
    without_files, Clear: |scene| scene.said("Status: DONE\nFiles changed: none\n".to_owned());
}
