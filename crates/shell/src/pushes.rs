//! Whether a command pushes, and whether its exit status says how that went.

use crate::looks::{is_understood, simple_looks, whole};
use crate::programs::{self, Effect, Program};
use crate::tree::{Join, Node, Word};

const GIT: &str = "git";

/// What a command does that pushes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Push {
    /// Nothing.
    Never,
    /// A `git push` is the last that it does, and it fails if that fails.
    Shown,
    /// The same, but its status may be that of something else.
    Hidden,
    /// That is not known.
    Unknown,
}

/// What `command` does that pushes.
#[must_use]
pub fn push(command: &str) -> Push {
    let Some(list) = whole(command) else {
        return Push::Unknown;
    };
    let nodes: Vec<_> = list.nodes().collect();
    let Some(end) = nodes.iter().rposition(|node| !is_idle(node)) else {
        return Push::Never;
    };
    let waits = list.statements.iter().all(|it| !it.is_background);
    let is_push = |node: &&Node| is_git(node, |git, words| git.does("pushes", words));
    let first = nodes.iter().position(is_push);
    if first != Some(end) || !waits {
        return Push::Unknown;
    }
    let is_shown = match list.statements.as_slice() {
        [statement] => statement.pipelines.iter().all(|(join, pipeline)| {
            *join != Join::Or && !pipeline.is_negated && pipeline.nodes.len() == 1
        }),
        _ => false,
    };
    if is_shown && end + 1 == nodes.len() {
        Push::Shown
    } else {
        Push::Hidden
    }
}

/// Whether it pushes nothing: it looks, or is a verb of git that is known not to.
fn is_idle(node: &Node) -> bool {
    let looks = matches!(node, Node::Simple(simple) if simple_looks(simple));
    looks
        || is_git(node, |git, words| {
            git.effect(words) == Effect::Reads && !git.does("pushes", words)
        })
}

/// Whether it is git with words of which this is so, and what else runs in them only looks.
fn is_git(node: &Node, is_so: impl Fn(Program, &[&str]) -> bool) -> bool {
    let Node::Simple(simple) = node else {
        return false;
    };
    let words = simple.behind_assignments().iter().map(Word::text);
    let texts: Vec<_> = words.map(Option::unwrap_or_default).collect();
    let texts: Vec<_> = texts.iter().map(String::as_str).collect();
    let is_understood = simple.words.iter().all(is_understood);
    let git = texts.split_first().filter(|(name, _)| **name == GIT);
    let program = programs::of(GIT).filter(|_| is_understood);
    git.zip(program)
        .is_some_and(|((_, words), git)| is_so(git, words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_that_a_command_does_may_be_a_push_whose_status_it_has() {
        let cases: [(Push, &[&str]); 4] = [
            (
                Push::Shown,
                &[
                    "git push",
                    "git push origin main 2>&1",
                    "git -C x push -q > push.log 2>&1",
                    "make release && git push -u origin $(git branch --show-current)",
                    "git push --dry-run && git push --no-verify",
                ],
            ),
            (
                Push::Hidden,
                &[
                    "git push 2>&1 | tail -5",
                    "git push || true",
                    "git push; git status --short",
                    "git push && git log --oneline -3",
                    "git commit -qam one; git push",
                    "test -f x || git push",
                ],
            ),
            (
                Push::Never,
                &[
                    "git push --dry-run 2>&1 | tail -5",
                    "git -C x push -n origin main",
                    "git fetch && git log -3 | grep push",
                    "",
                ],
            ),
            (
                Push::Unknown,
                &[
                    "git push || git push -f",
                    "git push; ./release.sh",
                    "git push &",
                    "git push $(./release.sh)",
                    "git p",
                    "git $VERB",
                    "if true; then git push; fi",
                    "git push 'a",
                    "make release",
                ],
            ),
        ];
        for (expected, commands) in cases {
            for command in commands {
                assert_eq!(push(command), expected, "{command}");
            }
        }
    }
}
