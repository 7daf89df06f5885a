//! The words by which prose is read. The lists are fixed, and docs/DESIGN.md has them too.

/// Words that tell of a file that is now different.
pub(super) const CHANGE: [&str; 21] = [
    "added",
    "changed",
    "complete",
    "completed",
    "created",
    "deleted",
    "done",
    "edited",
    "finished",
    "fixed",
    "implemented",
    "modified",
    "refactored",
    "removed",
    "renamed",
    "replaced",
    "rewritten",
    "rewrote",
    "updated",
    "written",
    "wrote",
];

/// Words that tell of work which changes nothing.
pub(super) const STUDY: [&str; 20] = [
    "analysed",
    "analysis",
    "analyzed",
    "audit",
    "audited",
    "checked",
    "examined",
    "exploration",
    "explored",
    "inspected",
    "inspection",
    "investigated",
    "investigation",
    "read",
    "research",
    "researched",
    "review",
    "reviewed",
    "searched",
    "studied",
];

/// Words that take the telling back: a negation, a wish, a condition, a past that was not the
/// agent's own. Every word that ends in `n't` is one of them.
pub(super) const GUARD: [&str; 38] = [
    "already",
    "by",
    "can",
    "cannot",
    "could",
    "fail",
    "failed",
    "fails",
    "if",
    "incomplete",
    "itself",
    "may",
    "might",
    "must",
    "need",
    "needed",
    "needs",
    "neither",
    "never",
    "no",
    "nobody",
    "none",
    "nor",
    "not",
    "nothing",
    "partially",
    "previously",
    "should",
    "themselves",
    "todo",
    "unable",
    "unless",
    "until",
    "was",
    "were",
    "will",
    "without",
    "would",
];

/// Words that may stand between the speaker and what the speaker did, or in front of that.
pub(super) const LEAD: [&str; 13] = [
    "ahead", "also", "and", "finally", "first", "had", "have", "just", "next", "now", "so", "then",
    "went",
];

/// What is part of a report and no file: who wrote it wrote what is being read.
pub(super) const REPORT: [&str; 29] = [
    "answer",
    "answers",
    "checklist",
    "comparison",
    "conclusion",
    "conclusions",
    "diagram",
    "estimate",
    "explanation",
    "findings",
    "inventory",
    "list",
    "mapping",
    "mind",
    "note",
    "notes",
    "numbers",
    "outline",
    "overview",
    "plan",
    "proposal",
    "recommendation",
    "recommendations",
    "reference",
    "references",
    "report",
    "summary",
    "table",
    "walkthrough",
];

/// Words in front of which the sentences behind are about what others did, or about another time.
pub(super) const OTHERS: [&str; 30] = [
    "ago",
    "author",
    "authors",
    "blame",
    "branch",
    "changelog",
    "code review",
    "commit",
    "commits",
    "contributor",
    "contributors",
    "diff",
    "git log",
    "history",
    "last month",
    "last week",
    "last year",
    "merge request",
    "originally",
    "patch",
    "pr",
    "previous agent",
    "pull request",
    "recent",
    "recently",
    "release",
    "release notes",
    "releases",
    "upstream",
    "verdict",
];

/// Words behind which a verb of change has its object, so that it is no adjective: "added the".
pub(super) const OBJECT: [&str; 27] = [
    "a", "all", "an", "another", "any", "both", "each", "every", "five", "four", "it", "its",
    "many", "more", "my", "new", "one", "our", "several", "some", "that", "the", "their", "these",
    "this", "those", "three",
];

/// Words behind which a verb of change is passive: "implemented in".
pub(super) const PASSIVE: [&str; 14] = [
    "as", "at", "before", "during", "for", "from", "here", "in", "inside", "on", "there", "under",
    "when", "within",
];

/// Verbs of a sentence that says what is: "deleted rows are".
pub(super) const STATE: [&str; 17] = [
    "are", "become", "come", "comes", "do", "does", "end", "get", "gets", "go", "goes", "has",
    "have", "is", "live", "lives", "stay",
];

/// Words in front of a file that something was put into.
pub(super) const INTO: [&str; 9] = [
    "as", "at", "called", "in", "into", "named", "on", "to", "under",
];

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [(&str, &[&str]); 10] = [
        ("change", &CHANGE),
        ("study", &STUDY),
        ("guard", &GUARD),
        ("lead", &LEAD),
        ("report", &REPORT),
        ("others", &OTHERS),
        ("object", &OBJECT),
        ("passive", &PASSIVE),
        ("state", &STATE),
        ("into", &INTO),
    ];

    #[test]
    fn the_lists_are_sorted_and_lower_case() {
        for (name, list) in ALL {
            assert!(list.is_sorted(), "{name}");
            assert!(
                list.iter().all(|word| *word == word.to_lowercase()),
                "{name}"
            );
        }
    }

    #[test]
    fn the_lists_are_those_of_the_documentation() {
        let design = include_str!("../../../../docs/DESIGN.md");
        let design = design.split_whitespace().collect::<Vec<_>>().join(" ");
        for (name, list) in ALL {
            let line = format!("- *{name}*: {} ", list.join(", "));
            assert!(design.contains(&line), "{line}");
        }
    }
}
