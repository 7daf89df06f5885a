//! Stops over time: how many, what they came to, how many reports were false, and how many could be
//! judged.

use attest_state::history::{Periods, Rate, Share};
use attest_verdict::Outcome;
use jiff::civil::{DateTime, Time};
use jiff::{Span, ToSpan as _};
use maud::{Markup, html};

use super::Report;
use super::parts::{CLASSES, class_of, legend, percent};
use attest_base::ui::counted;

/// Of a plot, in pixels.
const HEIGHT: i64 = 130;
/// Above the highest bar, for what the height means.
const TOP: i64 = 18;
/// Below the bars, for the dates.
const BOTTOM: i64 = 20;
/// More bars cannot be told from each other; the latest are shown.
const MOST_BARS: usize = 120;
/// A single bar as wide as the page would be no plot.
const LEAST_BARS: usize = 7;

/// What a bar is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Period {
    Hour,
    Day,
}

/// The stops of one hour or day.
#[derive(Debug, Default)]
struct Bar {
    name: String,
    /// By [`CLASSES`].
    by_class: [u32; 4],
    /// Agents that first stopped then.
    agents: Rate,
    coverage: Share,
}

impl Bar {
    fn stops(&self) -> u32 {
        self.by_class.iter().sum()
    }

    fn false_dones(&self) -> u32 {
        self.by_class[2]
    }
}

pub(super) fn section(report: &Report) -> Markup {
    let bars = bars(&report.periods, report.period);
    let unit = match report.period {
        Period::Hour => "hour",
        Period::Day => "day",
    };
    html! {
        section aria-labelledby="time" {
            h2 id="time" { "Over time" }
            @if bars.is_empty() {
                p { "No stop is recorded." }
            } @else {
                h3 { "Stops by the " (unit) }
                (legend(&CLASSES))
                (stacked(&bars))
                div.pair {
                    div {
                        h3 { "Agents with a false DONE among those with a claim" }
                        (shares(&bars, "bad", |bar| (bar.agents.agents_with_false_done, bar.agents.agents_with_claim)))
                    }
                    div {
                        h3 { "Stops that could be judged" }
                        (shares(&bars, "good", |bar| (bar.coverage.judged, bar.coverage.stops)))
                    }
                }
            }
        }
    }
}

/// Every period from the first to the last, also those without a stop; a few before if there are few.
fn bars(periods: &Periods, period: Period) -> Vec<Bar> {
    let mut names = Vec::new();
    let mut at = periods.keys().next_back().and_then(|name| begin(name));
    let first = periods.keys().next().and_then(|name| begin(name));
    while let (Some(now), Some(first)) = (at, first) {
        if (now < first && names.len() >= LEAST_BARS) || names.len() >= MOST_BARS {
            break;
        }
        names.push(name(now, period));
        at = now.checked_sub(length(period)).ok();
    }
    names.reverse();
    let bars = names.into_iter().map(|name| {
        let found = periods.get(&name).copied().unwrap_or_default();
        let mut bar = Bar {
            name: name.replace('T', " ") + if period == Period::Hour { ":00" } else { "" },
            agents: found.agents,
            coverage: found.coverage,
            ..Bar::default()
        };
        for (outcome, stops) in Outcome::ALL.into_iter().zip(found.stops) {
            let class = CLASSES
                .iter()
                .position(|(name, _)| *name == class_of(outcome));
            bar.by_class[class.unwrap_or_default()] += stops;
        }
        bar
    });
    bars.collect()
}

fn length(period: Period) -> Span {
    match period {
        Period::Hour => 1.hour(),
        Period::Day => 1.day(),
    }
}

/// When a period begins, by its name.
fn begin(name: &str) -> Option<DateTime> {
    let (date, hour) = name.split_once('T').unwrap_or((name, "0"));
    let date: jiff::civil::Date = date.parse().ok()?;
    Some(date.to_datetime(Time::new(hour.parse().ok()?, 0, 0, 0).ok()?))
}

fn name(at: DateTime, period: Period) -> String {
    let form = match period {
        Period::Hour => "%Y-%m-%dT%H",
        Period::Day => "%Y-%m-%d",
    };
    at.strftime(form).to_string()
}

/// One bar for each period, its parts in the colours of their outcomes.
fn stacked(bars: &[Bar]) -> Markup {
    let highest = round_up(bars.iter().map(Bar::stops).max().unwrap_or(0));
    let count = i64::try_from(bars.len()).unwrap_or(1);
    html! {
        div.scaled {
            (scale(highest, ""))
            svg.plot role="img" aria-label="Stops over time, by outcome" height=(HEIGHT + BOTTOM) {
                (grid(highest))
                @for (number, bar) in (0..).zip(bars) {
                    g {
                        title { (bar.name) ": " (counted(bar.stops() as usize, "stop")) ", " (counted(bar.false_dones() as usize, "false DONE")) }
                        @for (class, y, height) in parts(bar, highest) {
                            rect class=(class) x=(percent(number * 10 + 1, count * 10)) y=(y)
                                width=(percent(8, count * 10)) height=(height) {}
                        }
                    }
                }
                (dates(bars))
            }
        }
    }
}

/// The parts of a bar from below: class, upper edge and height.
fn parts(bar: &Bar, highest: u32) -> Vec<(&'static str, i64, i64)> {
    let room = HEIGHT - TOP;
    let mut below = 0;
    let mut parts = Vec::new();
    for ((class, _), count) in CLASSES.iter().zip(bar.by_class) {
        let from = i64::from(below) * room / i64::from(highest);
        below += count;
        let to = i64::from(below) * room / i64::from(highest);
        if count > 0 {
            // What is there is seen.
            let height = (to - from).max(1);
            parts.push((*class, HEIGHT - from - height, height));
        }
    }
    parts
}

/// One dot for each period that has a share, and lines between neighbours.
fn shares(bars: &[Bar], class: &str, of: fn(&Bar) -> (u32, u32)) -> Markup {
    let count = i64::try_from(bars.len()).unwrap_or(1);
    let dots: Vec<_> = (0..)
        .zip(bars)
        .filter_map(|(number, bar): (i64, _)| {
            let (part, whole) = of(bar);
            let share = (i64::from(part) * 1000).checked_div(i64::from(whole))?;
            Some((
                percent(number * 2 + 1, count * 2),
                share,
                (part, whole),
                &bar.name,
            ))
        })
        .collect();
    let most = dots.iter().map(|(_, share, ..)| *share).max().unwrap_or(0);
    let most = u32::try_from(most).unwrap_or(0).div_ceil(10);
    let highest = round_up(most).min(100);
    let dots = dots.into_iter().map(|(x, share, of, name)| {
        let y = HEIGHT - share * (HEIGHT - TOP) / (i64::from(highest) * 10);
        (x, y, of, name)
    });
    let dots: Vec<_> = dots.collect();
    html! {
        div.scaled {
            (scale(highest, "%"))
            svg.plot role="img" aria-label="Share over time in percent" height=(HEIGHT + BOTTOM) {
                (grid(highest))
                @for pair in dots.windows(2) {
                    @if let [(x1, y1, ..), (x2, y2, ..)] = pair {
                        line class={ "line " (class) } x1=(x1) y1=(y1) x2=(x2) y2=(y2) {}
                    }
                }
                @for (x, y, (part, whole), name) in &dots {
                    circle class=(class) cx=(x) cy=(y) r="3" { title { (name) ": " (part) " of " (whole) } }
                }
                (dates(bars))
            }
        }
    }
}

/// The upper end of an axis: a round number that is not much larger than what it has to show.
fn round_up(most: u32) -> u32 {
    let mut unit = 1_u32;
    while unit.saturating_mul(10) <= most {
        unit = unit.saturating_mul(10);
    }
    let round = [1, 2, 4, 5, 6, 8, 10].map(|times| unit.saturating_mul(times));
    let least = |it: &u32| *it >= most.max(1);
    round.into_iter().find(least).unwrap_or(most)
}

/// The lines of a plot and what each means: its upper and lower edge, and the middle if that is a whole number.
fn marks(highest: u32) -> impl Iterator<Item = (i64, u32)> {
    let middle = highest.is_multiple_of(2);
    let middle = middle.then_some((TOP.midpoint(HEIGHT), highest / 2));
    let marks = [Some((TOP, highest)), middle, Some((HEIGHT, 0))];
    marks.into_iter().flatten()
}

fn grid(highest: u32) -> Markup {
    html! {
        @for (y, _) in marks(highest) {
            line.grid x1="0" x2="100%" y1=(y) y2=(y) {}
        }
    }
}

/// What the lines mean, beside the plot: on it, bars would hide it.
fn scale(highest: u32, unit: &str) -> Markup {
    html! {
        svg.scale aria-hidden="true" height=(HEIGHT + BOTTOM) {
            @for (y, value) in marks(highest) {
                text x="100%" y=(y + 4) text-anchor="end" { (value) (unit) }
            }
        }
    }
}

/// Bars between two dates in the middle of the axis, at least.
const BETWEEN_DATES: usize = 7;
/// Dates on a line at most: on a telephone more would lie on each other.
const MOST_DATES: usize = 4;

/// The first and the last period whole, and some between them without what they have in common.
fn dates(bars: &[Bar]) -> Markup {
    let count = bars.len();
    let gaps = (count / BETWEEN_DATES).clamp(1, MOST_DATES - 1);
    let ends = [
        (0, "0".to_owned(), "start"),
        (count.saturating_sub(1), "100%".to_owned(), "end"),
    ];
    let place = |number: usize| i64::try_from(number).unwrap_or(0);
    let between = (1..gaps).map(|gap| {
        let number = gap * (count - 1) / gaps;
        (
            number,
            percent(place(number) * 2 + 1, place(count) * 2),
            "middle",
        )
    });
    html! {
        @for (number, x, anchor) in ends.into_iter().take(count).chain(between) {
            @if let Some(bar) = bars.get(number) {
                @let name = if anchor == "middle" { bar.name.get(5..10).unwrap_or(&bar.name) } else { &bar.name };
                text x=(x) y=(HEIGHT + BOTTOM - 5) text-anchor=(anchor) { (name) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use attest_state::history::InPeriod;

    use super::*;

    fn found<const N: usize>(stops: [(&str, Outcome, u32); N]) -> Periods {
        let mut periods = Periods::new();
        for (period, outcome, stops) in stops {
            let found: &mut InPeriod = periods.entry(period.to_owned()).or_default();
            found.stops[outcome as usize] += stops;
        }
        periods
    }

    #[test]
    fn days_without_a_stop_are_there() {
        let periods = found([
            ("2026-02-27", Outcome::Ok, 3),
            ("2026-02-27", Outcome::Blocked, 1),
            ("2026-03-02", Outcome::NoClaim, 2),
        ]);
        let bars = bars(&periods, Period::Day);
        assert_eq!(bars.len(), LEAST_BARS);
        let bars = &bars[3..];
        let seen: Vec<_> = bars
            .iter()
            .map(|bar| (bar.name.as_str(), bar.by_class))
            .collect();
        assert_eq!(
            seen,
            [
                ("2026-02-27", [3, 0, 1, 0]),
                ("2026-02-28", [0; 4]),
                ("2026-03-01", [0; 4]),
                ("2026-03-02", [0, 0, 0, 2]),
            ]
        );
    }

    #[test]
    fn hours_are_named_and_years_are_cut() {
        let hours = found([
            ("2026-02-27T23", Outcome::Ok, 1),
            ("2026-02-28T01", Outcome::Ok, 1),
        ]);
        let named: Vec<_> = bars(&hours, Period::Hour)
            .into_iter()
            .map(|bar| bar.name)
            .skip(LEAST_BARS - 3)
            .collect();
        assert_eq!(
            named,
            ["2026-02-27 23:00", "2026-02-28 00:00", "2026-02-28 01:00"]
        );
        let years = found([
            ("2020-01-01", Outcome::Ok, 1),
            ("2026-02-28", Outcome::Ok, 1),
        ]);
        assert_eq!(bars(&years, Period::Day).len(), MOST_BARS);
    }

    #[test]
    fn an_axis_ends_a_little_above_what_it_shows() {
        let rounded = [0, 1, 3, 7, 9, 10, 11, 43, 100, 101, 612].map(round_up);
        assert_eq!(rounded, [1, 1, 4, 8, 10, 10, 20, 50, 100, 200, 800]);
    }

    #[test]
    fn the_parts_of_a_bar_lie_on_each_other() {
        let bar = Bar {
            by_class: [2, 0, 1, 1],
            ..Bar::default()
        };
        let parts = parts(&bar, 4);
        let room = HEIGHT - TOP;
        assert_eq!(
            parts,
            [
                ("good", HEIGHT - room / 2, room / 2),
                ("bad", HEIGHT - room * 3 / 4, room / 4),
                ("none", TOP, room / 4),
            ]
        );
    }
}
