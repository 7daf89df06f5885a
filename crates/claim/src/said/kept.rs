//! What a sentence says to have been committed and pushed, and of the work tree.

use super::prose::as_written;
use crate::assertion::Topic;
use crate::sentence::{Sentence, Token};
use crate::{Assertion, Says};
use attest_shell::text::is_one_of;

/// What a sentence may call what it says to be committed, and the words by which that is a thing of its own: "the changes",
/// but not "committed changes".
const WORK: &str = "all everything it my of work the these this change changes edit edits file files fix update updates";
const DETERMINED: &str = "all everything it my the these this";
/// What else is said to be pushed.
const COMMITS: &str = "branch commit commits";
/// Names of branches that nobody marks as code.
const BRANCHES: &str = "main master develop";
/// What a sentence may call a work tree that it says to be clean, and the words of which it has one.
const TREE: &str = "the git is now working work tree directory status worktree";
const TREES: &str = "tree worktree directory status";
/// Words in front of a deed of the speaker's own.
const SPEAKER: &str = "i i've have and";
/// The same, and what it was done to.
const LEADS: &str = "i i've have has been all everything the my change changes commit commits branch work is are now and it";

/// What a sentence about the speaker's deeds says of git, if that is understood as the value of a key would be:
/// "Committed as `1a2b3c4`", "Rebased on main and pushed to origin", "All changes are committed", "The working tree is
/// clean."
pub(super) fn kept(sentence: &Sentence<'_>) -> Vec<Assertion> {
    let tokens = &sentence.tokens;
    let is_plain = || !sentence.is_asked() && !sentence.is_guarded() && !sentence.goes_on();
    let said = |says| Assertion {
        raw: as_written(sentence),
        says,
    };
    if is_clean(tokens) && is_plain() {
        return vec![said(Says::CleanTree)];
    }
    let is_kept = |it: &Token<'_>| matches!(&*it.word, "committed" | "pushed" | "force-pushed");
    // Most sentences say nothing of it.
    if !tokens.iter().any(is_kept) || !begins_with_deed(tokens) || sentence.is_guarded() {
        return Vec::new();
    }
    let text = as_written(sentence);
    let mut found = Vec::new();
    for (at, verb) in tokens.iter().enumerate().filter(|(_, it)| is_kept(it)) {
        let joins = |it: &Token<'_>| it.text.ends_with(',') || it.word == "and";
        let is_joined = tokens[..at].last().is_some_and(joins) || tokens[..at].iter().all(is_lead);
        let Some((_, behind)) = text.split_once(verb.text).filter(|_| is_joined) else {
            continue;
        };
        let behind = behind.trim_end_matches('.');
        let names = [" as ", " in "]
            .iter()
            .find_map(|sign| behind.split_once(sign));
        let (place, names) = names.unwrap_or((behind, ""));
        if verb.word != "committed" {
            let place = without_object(&tokens[at + 1..], place);
            found.extend(Topic::Pushed.read(&format!("pushed {place}")));
        } else if is_plain() && is_all(tokens, at) {
            found.push(said(Says::Committed));
        }
        found.extend(Topic::Commits.read(names));
    }
    let is_push = |it: &Token<'_>| it.word == "pushed";
    // "Committed and pushed back": what happened to it is not understood.
    if tokens.iter().any(is_push) && !found.iter().any(|it| it.says == Says::Pushed) {
        found.retain(|it| it.says != Says::Committed);
    }
    found
}

/// Whether the sentence says no more of what was committed than that it is all, or the speaker's, and that it was pushed.
/// "The committed changes" only names them.
fn is_all(tokens: &[Token<'_>], at: usize) -> bool {
    let (before, behind) = (&tokens[..at], &tokens[at + 1..]);
    let words = behind.iter().take_while(|it| is_one_of(WORK, &it.word));
    let (object, rest) = behind.split_at(words.count());
    let is_of_speaker = || before.iter().all(|it| is_one_of(SPEAKER, &it.word));
    let is_deed = match object.first() {
        Some(first) => {
            let is_behind_another = !before.iter().all(is_lead);
            is_one_of(DETERMINED, &first.word) && (is_behind_another || is_of_speaker())
        }
        // Alone it is a title.
        None => tokens.len() > 1 || tokens[at].text.ends_with(['.', '!']),
    };
    let is_branch = |it: &Token<'_>| it.text.starts_with('`') || is_one_of(BRANCHES, &it.word);
    let rest = match rest {
        [to, branch, rest @ ..] if matches!(&*to.word, "to" | "on") && is_branch(branch) => rest,
        rest => rest,
    };
    let mut rest = rest.iter().map(|it| &*it.word);
    let ends = matches!(
        (rest.next(), rest.next()),
        (None, _) | (Some("and"), Some("pushed"))
    );
    is_deed && ends
}

/// Where something was pushed to, without what it was: "the branch to origin", "the change".
fn without_object<'t>(behind: &[Token<'_>], place: &'t str) -> &'t str {
    let is_object = |it: &&Token<'_>| is_one_of(WORK, &it.word) || is_one_of(COMMITS, &it.word);
    let object = behind.iter().take_while(is_object).count();
    let is_named = object > 0 && is_one_of(DETERMINED, &behind[0].word);
    let place = match behind.get(object) {
        _ if !is_named => place,
        None => "",
        Some(next) => place.find(next.text).map_or(place, |at| &place[at..]),
    };
    match place.trim() {
        "to the remote" | "to remote" => "",
        place => place,
    }
}

/// "The working tree is now clean."
fn is_clean(tokens: &[Token<'_>]) -> bool {
    let Some((last, subject)) = tokens.split_last() else {
        return false;
    };
    last.word == "clean"
        && subject.iter().all(|it| is_one_of(TREE, &it.word))
        && subject.iter().any(|it| is_one_of(TREES, &it.word))
}

/// "Fixed", "I have", "All changes": no other speaker, and nothing else that may have been pushed somewhere.
fn begins_with_deed(tokens: &[Token<'_>]) -> bool {
    let first = tokens.iter().find(|it| !is_lead(it));
    first.is_some_and(|it| it.word.ends_with("ed"))
}

fn is_lead(token: &Token<'_>) -> bool {
    is_one_of(LEADS, &token.word)
}
