//! What somebody who leads a team of agents asks, each answered by one command that fits a line, and the answer held
//! against what is true of a history that was made.

use std::collections::{BTreeMap, BTreeSet};

use attest_claim::Kind;
use attest_made_history::{Cost, Plan, REPOSITORIES, Stop, Truth, make};
use attest_verdict::{Fate, Outcome, ReasonCode};
use jiff::{SignedDuration, Timestamp, Zoned};
use serde_json::Value;

use crate::common::TestContext;

const VERDICTS: u32 = 10_000;
/// A command that is longer than this has to be looked up each time.
const LONGEST: usize = 60;
/// As `stats` has it: of fewer agents it says of how many.
const FEW: usize = 20;

/// A team's month.
struct Month {
    context: TestContext,
    truth: Truth,
    now: Timestamp,
}

/// The questions, and who looks whether they are answered.
const QUESTIONS: [fn(&Month); 12] = [
    which_type_claims_falsely_most_often,
    is_it_getting_better_this_week_against_the_last,
    in_which_repository,
    what_was_claimed_on_a_day_at_three,
    what_became_of_the_blocks,
    what_the_blocks_cost_in_time_and_tokens,
    why_false_dones_were_let_go,
    what_share_of_the_stops_could_be_judged,
    what_one_agent_claimed_over_all_its_stops,
    which_kind_of_claim_is_false_most_often,
    who_is_at_work_now_and_how_full_they_are,
    a_page_of_a_month_can_be_mailed,
];

/// One history for all of them: to make it takes as long as to ask.
#[test]
fn each_question_of_a_lead_is_answered_by_one_short_command() {
    let month = Month::new();
    for question in QUESTIONS {
        question(&month);
    }
}

impl Month {
    fn new() -> Self {
        let mut context = TestContext::new();
        let state = context.folder().join("state/state.db");
        context.set("ATTEST_STATE_DB", &state);
        let now = Timestamp::now();
        let truth = make(&state, &Plan::new(&state, VERDICTS, now)).unwrap();
        Self {
            context,
            truth,
            now,
        }
    }

    /// What one command prints, which has to fit its line.
    fn ask(&self, command: &str) -> String {
        assert!(command.len() <= LONGEST, "{command}: {}", command.len());
        let mut words = Vec::new();
        for (number, part) in command.split('\'').enumerate() {
            match number % 2 {
                0 => words.extend(part.split_whitespace()),
                _ => words.push(part),
            }
        }
        assert_eq!(words.remove(0), "attest");
        self.context.attest(words).assert_success().stdout
    }

    fn json(&self, command: &str) -> Value {
        serde_json::from_str(&self.ask(command)).unwrap()
    }

    fn stops(&self) -> impl Iterator<Item = &Stop> {
        self.truth.stops.iter()
    }

    /// The agents with a claim and with a false one, by what `of` says of a stop.
    fn rates(&self, of: impl Fn(&Stop) -> Option<String>) -> BTreeMap<String, (usize, usize)> {
        let mut claims: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        let mut lies = claims.clone();
        for stop in self.stops() {
            let Some(name) = of(stop) else { continue };
            if stop.is_claim() {
                claims.entry(name.clone()).or_default().insert(&stop.agent);
            }
            if stop.is_false() {
                lies.entry(name).or_default().insert(&stop.agent);
            }
        }
        let rate = |(name, agents): (String, BTreeSet<&str>)| {
            let lies = lies.get(&name).map_or(0, BTreeSet::len);
            (name, (agents.len(), lies))
        };
        claims.into_iter().map(rate).collect()
    }
}

fn share((whole, part): (usize, usize)) -> f64 {
    f64::from(u32::try_from(part).unwrap()) * 100.0 / f64::from(u32::try_from(whole).unwrap())
}

/// How a table has a rate.
fn in_words((whole, part): (usize, usize)) -> String {
    if whole < FEW {
        return format!("{part} of {whole}");
    }
    format!("{:.1}%", share((whole, part)))
}

/// The rows of the first table, by their first words.
fn rows(text: &str) -> Vec<(String, String)> {
    let lines = text.lines().skip(1).take_while(|line| !line.is_empty());
    let row = |line: &str| {
        let (name, rest) = line.split_once("  ").unwrap();
        (
            name.to_owned(),
            rest.split_whitespace().collect::<Vec<_>>().join(" "),
        )
    };
    lines.map(row).collect()
}

/// The number under a heading in the first table.
fn number(text: &str, name: &str, title: &str) -> u64 {
    let mut lines = text.lines();
    let header = lines.next().unwrap();
    let end = header.find(title).unwrap() + title.len();
    let first_columns = |row: &str| row.chars().take(end).collect::<String>();
    let row = lines.find(|line| line.starts_with(name)).unwrap();
    let cells = first_columns(row);
    cells
        .split_whitespace()
        .next_back()
        .unwrap()
        .parse()
        .unwrap()
}

/// The claims of a stop that can be judged. A list of files can be although one of them cannot.
fn judged(stop: &Stop) -> Vec<(Kind, Option<bool>)> {
    let is_some = |(kind, is_so): &(Kind, Option<bool>)| {
        is_so.is_some() || (*kind == Kind::Files && stop.files.len() > 1)
    };
    let seen = stop.outcome != Outcome::Unverifiable;
    let claims = stop.claims.iter().copied();
    claims.filter(|it| seen && is_some(it)).collect()
}

/// The name whose agents lie most of those that are enough.
fn worst(rates: &BTreeMap<String, (usize, usize)>) -> String {
    let enough = rates.iter().filter(|(_, rate)| rate.0 >= FEW);
    let worst = enough.max_by(|one, other| share(*one.1).total_cmp(&share(*other.1)));
    worst.unwrap().0.clone()
}

fn which_type_claims_falsely_most_often(month: &Month) {
    let rates = month.rates(|stop| Some(stop.agent_type.to_owned()));
    let rows = rows(&month.ask("attest stats --all --sort rate"));
    assert_eq!(rows[0].0, worst(&rates));
    for (name, rate) in &rates {
        let (_, row) = rows.iter().find(|(it, _)| it == name).unwrap();
        assert!(row.contains(&in_words(*rate)), "{name}: {row}, {rate:?}");
    }
    // A rate of three agents says so, and is not the first.
    assert_eq!(rates["migrator"].0, 3);
    assert_eq!(
        rows.iter().position(|(name, _)| name == "migrator"),
        Some(5)
    );
}

fn is_it_getting_better_this_week_against_the_last(month: &Month) {
    let week = SignedDuration::from_hours(7 * 24);
    let rate = |from: Timestamp, to: Timestamp| {
        let of = |stop: &Stop| (from <= stop.at && stop.at < to).then(String::new);
        month.rates(of)[""]
    };
    let (before, now) = (
        rate(month.now - week - week, month.now - week),
        rate(month.now - week, month.now),
    );
    let text = month.ask("attest stats --all --since 7d");
    let (name, row) = rows(&text).pop().unwrap();
    assert_eq!(name, "all");
    // The command is asked a little later than the history was made, so an agent may be in the week before by now.
    let change = share(now) - share(before);
    let column = text.lines().next().unwrap().find("CHANGE");
    assert!(column.is_some(), "{text}");
    let shown = row.split(' ').find_map(|word| {
        let is_signed = word.starts_with(['+', '-']);
        word.parse::<f64>().ok().filter(|_| is_signed)
    });
    assert!((shown.unwrap() - change).abs() < 0.6, "{row}, {change}");
    assert!(change < 0.0, "less is lied in the last week");
    let said = text.replace('\n', " ");
    assert!(said.contains("the time before, from "), "{said}");
    // The same by the week, of local weeks.
    let of_week = |stop: &Stop| {
        let date = stop.at.to_zoned(Zoned::now().time_zone().clone()).date();
        let back = date.weekday().to_monday_zero_offset();
        let monday = date - jiff::Span::new().days(i64::from(back));
        Some(monday.to_string())
    };
    let weeks = month.json("attest stats --all --by week --json");
    let found = weeks.as_array().unwrap().iter().map(|week| {
        let number = |name: &str| usize::try_from(week[name].as_u64().unwrap()).unwrap();
        let rate = (
            number("agents_with_claim"),
            number("agents_with_false_done"),
        );
        (week["week"].as_str().unwrap().to_owned(), rate)
    });
    let agents_by_first = first_stops(month, of_week);
    assert_eq!(found.collect::<BTreeMap<_, _>>(), agents_by_first);
}

/// The rates of agents by what is true of their first stop.
fn first_stops(
    month: &Month,
    of: impl Fn(&Stop) -> Option<String>,
) -> BTreeMap<String, (usize, usize)> {
    let mut first = BTreeMap::new();
    for stop in month.stops() {
        first.entry(&stop.agent).or_insert_with(|| of(stop));
    }
    month.rates(|stop| first[&stop.agent].clone())
}

fn in_which_repository(month: &Month) {
    let rates = month.rates(|stop| Some(stop.repository.to_owned()));
    assert_eq!(rates.len(), REPOSITORIES.len());
    let rows = rows(&month.ask("attest stats --all --by repository --sort rate"));
    assert_eq!(rows[0].0, worst(&rates));
    for (name, rate) in &rates {
        let (_, row) = rows.iter().find(|(it, _)| it == name).unwrap();
        assert!(row.contains(&in_words(*rate)), "{name}: {row}");
    }
}

fn what_was_claimed_on_a_day_at_three(month: &Month) {
    let day =
        (month.now - SignedDuration::from_hours(6 * 24)).to_zoned(Zoned::now().time_zone().clone());
    let at = |hour: i8| {
        day.date()
            .at(hour, 0, 0, 0)
            .to_zoned(day.time_zone().clone())
            .unwrap()
    };
    let date = day.strftime("%m-%d").to_string();
    let command = format!("attest log --all --since '{date} 15:00' --until '{date} 16:00'");
    let text = month.ask(&command);
    let (from, to) = (at(15).timestamp(), at(16).timestamp());
    let expected: Vec<_> = month
        .stops()
        .filter(|it| from <= it.at && it.at < to)
        .collect();
    assert!(!expected.is_empty());
    let lines: Vec<_> = text.lines().skip(1).collect();
    assert_eq!(lines.len(), expected.len());
    for (line, stop) in lines.iter().zip(expected.iter().rev()) {
        assert!(line.contains(&stop.id[..8]), "{line}");
        let claims = stop.files.first().filter(|_| !stop.is_false());
        assert!(claims.is_none_or(|file| line.contains(file)), "{line}");
    }
}

fn what_became_of_the_blocks(month: &Month) {
    let mut fates: BTreeMap<&str, u64> = BTreeMap::new();
    for stop in month.stops() {
        if stop.outcome == Outcome::Blocked {
            *fates.entry("BLOCKED").or_default() += 1;
        }
        if let Some(fate) = stop.fate {
            *fates.entry(fate.as_str()).or_default() += 1;
        }
    }
    let text = month.ask("attest stats --all");
    for (title, fate) in [
        ("BLOCKED", "BLOCKED"),
        ("FIXED", Fate::Fixed.as_str()),
        ("WITHDRAWN", Fate::Withdrawn.as_str()),
        ("REPEATED", Fate::Repeated.as_str()),
    ] {
        assert_eq!(number(&text, "all", title), fates[fate], "{title}: {text}");
    }
    // Of one of them, when and how.
    let liar = month
        .stops()
        .find(|stop| stop.fate == Some(Fate::Repeated))
        .unwrap();
    let block = month.stops().find(|it| it.agent == liar.agent).unwrap();
    let shown = month.ask(&format!("attest show {}", block.id));
    let seconds = liar.at.duration_since(block.at).as_secs();
    let then = shown.lines().find(|line| line.starts_with("then")).unwrap();
    assert!(then.contains("REPEATED: "), "{then}");
    let after = if seconds < 60 {
        format!("{seconds}s later, ")
    } else {
        format!("{}m {}s later, ", seconds / 60, seconds % 60)
    };
    let rest = "the same was claimed again, and let go";
    assert!(then.contains(&format!("{after}{rest}")), "{then}");
}

fn what_the_blocks_cost_in_time_and_tokens(month: &Month) {
    let mut blocks = BTreeMap::new();
    let (mut seconds, mut count) = (0, 0_u32);
    for stop in month.stops() {
        if let (Some(at), Some(_)) = (blocks.get(&stop.agent), stop.fate) {
            seconds += stop.at.duration_since(*at).as_secs();
            count += 1;
        }
        blocks.insert(&stop.agent, stop.at);
    }
    let tallies = month.json("attest stats --all --json");
    let sum = |name: &str| {
        let all = tallies.as_array().unwrap().iter();
        all.map(|tally| tally["after_blocks"][name].as_u64().unwrap())
            .sum::<u64>()
    };
    assert_eq!(sum("blocks"), u64::from(count));
    assert_eq!(sum("seconds"), u64::try_from(seconds).unwrap());
    let text = month.ask("attest stats --all");
    let sentence = text
        .lines()
        .find(|line| line.starts_with("after "))
        .unwrap();
    assert!(
        sentence.starts_with(&format!("after {count} blocks ")),
        "{sentence}"
    );
    assert!(sentence.contains(" tokens read and "), "{sentence}");
    // The sums are those of the newest, and each is what its transcript has.
    let costs: BTreeMap<_, Cost> = month
        .stops()
        .filter_map(|stop| Some((&stop.agent, stop.cost?)))
        .collect();
    let (agent, cost) = costs.iter().next_back().unwrap();
    let block = month.stops().find(|it| it.agent == **agent).unwrap();
    let shown = month.json(&format!("attest show {} --json", block.id));
    for (name, value) in [
        ("turns", u64::from(cost.turns)),
        ("input_tokens", cost.input),
        ("output_tokens", cost.output),
    ] {
        assert_eq!(shown["cost"][name], value, "{name}");
    }
    assert!(sum("transcripts") <= 20 && sum("transcripts") > 0);
}

fn why_false_dones_were_let_go(month: &Month) {
    let mut agents: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for stop in month.stops().filter(|it| it.outcome == Outcome::Mismatch) {
        let of = agents.entry(stop.reason.as_str()).or_default();
        of.insert(&stop.agent);
    }
    let text = month.ask("attest stats --all");
    let lines = text.lines().filter(|line| line.contains(" let go: "));
    let found: BTreeMap<_, _> = lines
        .map(|line| {
            let (agents, rest) = line.split_once(" agent").unwrap();
            let (rest, advice) = rest.split_once("). ").unwrap();
            let (_, word) = rest.rsplit_once('(').unwrap();
            (word, (agents.parse::<usize>().unwrap(), advice))
        })
        .collect();
    let shown = found.iter().map(|(word, (agents, _))| (*word, *agents));
    let expected = agents.iter().map(|(word, agents)| (*word, agents.len()));
    assert_eq!(
        shown.collect::<BTreeMap<_, _>>(),
        expected.collect::<BTreeMap<_, _>>()
    );
    let dirty = found[ReasonCode::AllowAmbiguous.as_str()].1;
    assert!(dirty.contains("`attest enforce on`"), "{found:?}");
}

fn what_share_of_the_stops_could_be_judged(month: &Month) {
    let count = month
        .stops()
        .filter(|stop| !judged(stop).is_empty())
        .count();
    let share = share((VERDICTS as usize, count));
    let text = month.ask("attest stats --all");
    let line = format!("could be judged at {count} of {VERDICTS} stops ({share:.0}%): files at ");
    assert!(text.contains(&line), "{line}: {text}");
}

fn what_one_agent_claimed_over_all_its_stops(month: &Month) {
    let agent = &month
        .stops()
        .find(|stop| stop.fate.is_some())
        .unwrap()
        .agent;
    let text = month.ask(&format!("attest log --all --agent {agent}"));
    let stops: Vec<_> = month.stops().filter(|stop| stop.agent == *agent).collect();
    assert_eq!(stops.len(), 2);
    let lines: Vec<_> = text.lines().skip(1).collect();
    assert_eq!(lines.len(), 2);
    for (line, stop) in lines.iter().zip(stops.iter().rev()) {
        assert!(
            line.contains(&stop.id[..8]) && line.contains(stop.outcome.as_str()),
            "{line}"
        );
    }
    let unknown = month.ask("attest log --all --agent nobody");
    assert!(unknown.contains("--agent"), "{unknown}");
}

fn which_kind_of_claim_is_false_most_often(month: &Month) {
    let mut rates: BTreeMap<&str, [BTreeSet<&str>; 2]> = BTreeMap::new();
    for stop in month.stops() {
        for (kind, is_so) in judged(stop) {
            let [claims, lies] = rates.entry(kind.as_str()).or_default();
            claims.insert(&stop.agent);
            if is_so == Some(false) {
                lies.insert(&stop.agent);
            }
        }
    }
    let rates = rates.into_iter();
    let rates = rates.map(|(kind, [claims, lies])| (kind.to_owned(), (claims.len(), lies.len())));
    let rates: BTreeMap<_, _> = rates.collect();
    let rows = rows(&month.ask("attest stats --all --by claim --sort rate"));
    assert_eq!(rows[0].0, worst(&rates));
    assert_eq!(rows.len(), rates.len());
    for (name, rate) in &rates {
        let (_, row) = rows.iter().find(|(it, _)| it == name).unwrap();
        assert!(row.contains(&in_words(*rate)), "{name}: {row}, {rate:?}");
    }
}

fn who_is_at_work_now_and_how_full_they_are(month: &Month) {
    let text = month.ask("attest agents --all");
    let active: BTreeMap<_, _> = text
        .lines()
        .filter(|line| line.contains(" active "))
        .map(|line| {
            let full = line.split_whitespace().find(|word| word.ends_with('%'));
            (
                line.split_whitespace().next().unwrap().to_owned(),
                full.unwrap().to_owned(),
            )
        })
        .collect();
    let expected = month.truth.at_work.iter();
    let expected = expected.map(|(agent, percent)| (agent.clone(), format!("{percent}%")));
    assert_eq!(active, expected.collect::<BTreeMap<_, _>>());
}

/// The page is small enough to be mailed.
fn a_page_of_a_month_can_be_mailed(month: &Month) {
    let page = month.ask("attest report - --all");
    assert!(page.len() < 2 * 1024 * 1024, "{}", page.len());
    for (repository, _) in REPOSITORIES {
        assert!(
            page.contains(&format!("<code>{repository}</code>")),
            "{repository}"
        );
    }
}
