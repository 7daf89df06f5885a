//! Filters of lists that need no script: of each choice, the style sheet hides what is not of it.

use std::collections::BTreeMap;

use maud::{Markup, html};

/// Choices of a filter at most; what is of none of them is shown only with all.
const MOST_CHOICES: usize = 12;

/// The choices of one list: for each question its values, the most frequent first.
#[derive(Debug)]
pub(super) struct Filters {
    list: &'static str,
    questions: Vec<(&'static str, Vec<String>)>,
}

impl Filters {
    /// Of a list with this name; each item has one value for every question.
    pub(super) fn of<const N: usize>(
        list: &'static str,
        names: [&'static str; N],
        items: impl Iterator<Item = [String; N]>,
    ) -> Self {
        let mut counts: Vec<BTreeMap<String, u32>> = vec![BTreeMap::new(); N];
        for item in items {
            for (counts, value) in counts.iter_mut().zip(item) {
                *counts.entry(value).or_default() += 1;
            }
        }
        let values = counts.into_iter().map(|counts| {
            let mut values: Vec<_> = counts.into_iter().collect();
            values.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
            let values = values.into_iter().map(|(value, _)| value);
            values.take(MOST_CHOICES).collect()
        });
        Self {
            list,
            questions: names.into_iter().zip(values).collect(),
        }
    }

    /// The classes of an item with these values, each with the place of its question.
    pub(super) fn classes<'v>(&self, values: impl IntoIterator<Item = (usize, &'v str)>) -> String {
        let mut classes = "of".to_owned();
        for (question, value) in values {
            let known = self.questions.get(question);
            let known = known.and_then(|(_, all)| all.iter().position(|it| it == value));
            if let Some(known) = known {
                let class = format!(" {}", class(question, known));
                if !classes.contains(&format!("{class} ")) && !classes.ends_with(&class) {
                    classes.push_str(&class);
                }
            }
        }
        classes
    }

    /// Buttons for every choice, in front of the list, which has to be a sibling of the class `list`.
    pub(super) fn choices(&self) -> Markup {
        html! {
            @for (question, (name, values)) in self.asked() {
                @for choice in 0..=values.len() {
                    input.choice type="radio" name={ (self.list) "-" (question) } id=(self.id(question, choice))
                        checked[choice == 0] aria-label={ (name) ": " (values.get(choice.wrapping_sub(1)).map_or("all", String::as_str)) };
                }
            }
            @if self.asked().next().is_some() {
                details.filters aria-hidden="true" {
                    summary { "Filter" }
                    @for (question, (name, values)) in self.asked() {
                        p.choices {
                            span.soft { (name) ": " }
                            label for=(self.id(question, 0)) { "all" }
                            @for (choice, value) in (1..).zip(values) {
                                label for=(self.id(question, choice)) { code { (value) } }
                            }
                        }
                    }
                }
            }
        }
    }

    /// The rules of the style sheet for them.
    pub(super) fn style(&self) -> String {
        let mut style = String::new();
        for (question, (_, values)) in self.asked() {
            for choice in 0..=values.len() {
                let id = self.id(question, choice);
                style.push_str(&format!(
                    "#{id}:checked~.filters label[for={id}]{{background:var(--link);color:var(--page)}}\
                     #{id}:focus-visible~.filters label[for={id}]{{outline:3px solid var(--text)}}"
                ));
                if choice > 0 {
                    let class = class(question, choice - 1);
                    style.push_str(&format!(
                        "#{id}:checked~.list .of:not(.{class}){{display:none}}"
                    ));
                }
            }
        }
        style
    }

    /// The questions that have more than one answer.
    fn asked(&self) -> impl Iterator<Item = (usize, &(&'static str, Vec<String>))> {
        let all = self.questions.iter().enumerate();
        all.filter(|(_, (_, values))| values.len() > 1)
    }

    fn id(&self, question: usize, choice: usize) -> String {
        format!("{}-{question}-{choice}", self.list)
    }
}

fn class(question: usize, choice: usize) -> String {
    format!("q{question}v{choice}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_hides_what_is_not_of_it() {
        let items = [["a", "x"], ["b", "x"], ["a", "x"]];
        let items = items.map(|item| item.map(str::to_owned));
        let filters = Filters::of("l", ["Type", "Repository"], items.into_iter());
        assert_eq!(filters.classes([(0, "a"), (1, "x")]), "of q0v0 q1v0");
        assert_eq!(
            filters.classes([(0, "b"), (0, "a"), (0, "b")]),
            "of q0v1 q0v0"
        );
        assert_eq!(filters.classes([(0, "unknown")]), "of");
        let style = filters.style();
        assert!(style.contains("#l-0-2:checked~.list .of:not(.q0v1){display:none}"));
        assert!(!style.contains("l-1-"), "one value is no choice");
        assert_eq!(filters.choices().into_string().matches("<input").count(), 3);
    }
}
