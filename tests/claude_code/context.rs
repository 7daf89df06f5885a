//! What attest adds to what a model reads: the words that ask for a report, and nothing if a person leaves them out.

use std::path::Path;

use attest_scripted_host::{Host, Trial, Workbench};

use crate::{BINARY, FOLDER};

/// What is given the version and its host.
type Body = fn(&str, &Host);

/// Each test with its name.
pub(crate) const ALL: [(&str, Body); 2] = [
    ("context_is_left_alone", is_left_alone),
    ("context_asks_a_subagent_if_that_is_wanted", asks),
];

fn honest() -> Trial {
    Trial::load(&Path::new(FOLDER).join("honest_done_adds_nothing.toml")).unwrap()
}

/// The requests to the model with the script that each belongs to; with attest as the hooks or without any.
fn requests(host: &Host, with_attest: bool, variables: &[(&str, &str)]) -> Vec<(String, String)> {
    let mut trial = honest();
    let variables = variables.iter();
    let variables = variables.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    trial.expect.env.extend(variables);
    let bench = Workbench::new(&trial.scenario.files).unwrap();
    // The host names folders of its own after it.
    let home = bench.home().file_name().unwrap();
    let home = home.to_string_lossy().trim_start_matches('.').to_owned();
    let outcome = if with_attest {
        trial.play(host, bench, Path::new(BINARY)).unwrap().outcome
    } else {
        host.play(&trial.scenario, bench).unwrap()
    };
    assert_eq!(outcome.unplayed(&trial.scenario), [""; 0]);
    let entries = outcome.requests.iter();
    entries
        .filter_map(|entry| {
            let text = entry.request.to_string().replace(&home, "HOME");
            Some((entry.script.clone()?, without_ids(&text)))
        })
        .collect()
}

/// The text without what is different in every run: ids, times, counts of tokens.
fn without_ids(text: &str) -> String {
    let mut kept = String::new();
    let is_part = |c: char| c.is_ascii_alphanumeric();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        // A part of a UUID may be of letters alone.
        let is_hex = word.len() >= 4 && word.chars().all(|c| c.is_ascii_hexdigit());
        let is_counted = is_hex || word.contains(|c: char| c.is_ascii_digit());
        kept.push_str(if is_counted { "#" } else { word });
        let next = after.chars().next().map_or(0, char::len_utf8);
        let (between, after) = after.split_at(next);
        kept.push_str(between);
        rest = after;
    }
    kept
}

/// Where two texts part: the next hundred characters of each.
fn difference<'t>(one: &'t str, other: &'t str) -> Option<(String, String)> {
    let both = || one.chars().zip(other.chars());
    let same = both().take_while(|(a, b)| a == b).count();
    let rest = |text: &'t str| text.chars().skip(same).take(100).collect::<String>();
    (one != other).then(|| (rest(one), rest(other)))
}

/// Without these words, every request is that of a host without attest.
fn is_left_alone(_version: &str, host: &Host) {
    let (without, with) = (requests(host, false, &[]), requests(host, true, &[]));
    assert_eq!(with.len(), without.len());
    for ((script, one), (_, other)) in with.iter().zip(&without) {
        assert_eq!(difference(one, other), None, "a request of {script}");
    }
}

/// The subagent reads the words, once, in its first request; the main agent does not.
fn asks(_version: &str, host: &Host) {
    let words = "end your last message with this block, outside of any code fence";
    let requests = requests(host, true, &[("ATTEST_ASK", "1")]);
    let heard = |script: &str| {
        let own = requests.iter().filter(move |(name, _)| name == script);
        own.map(|(_, text)| text.matches(words).count())
            .collect::<Vec<_>>()
    };
    let worker = heard("worker");
    assert!(
        !worker.is_empty() && worker.iter().all(|count| *count == 1),
        "{worker:?}"
    );
    assert!(heard("main").iter().all(|count| *count == 0));
}
