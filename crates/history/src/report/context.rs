//! How full the context of the agents was when they last answered.

use maud::{Markup, html};

use super::Report;
use super::parts::percent;
use attest_base::ui::counted;

/// Of the plot, in pixels.
const HEIGHT: i64 = 90;
const TOP: i64 = 16;
const BOTTOM: i64 = 20;
/// From here on hosts begin to forget.
const FULL: usize = 8;

pub(super) fn section(report: &Report) -> Markup {
    let tenths = tenths(&report.contexts);
    let highest = i64::from(tenths.iter().copied().max().unwrap_or(0).max(1));
    html! {
        section aria-labelledby="context" {
            h2 id="context" { "How full the context was" }
            @if report.contexts.is_empty() {
                p { "No transcript of these agents says it." }
            } @else {
                p.soft { "Of " (counted(report.contexts.len(), "agent")) ", at the last turn." }
                svg.plot role="img" aria-label="Agents by how full their context was" height=(HEIGHT + BOTTOM) {
                    line.grid x1="0" x2="100%" y1=(HEIGHT) y2=(HEIGHT) {}
                    @for (number, count) in (0..).zip(tenths) {
                        @if count > 0 {
                            @let height = (i64::from(count) * (HEIGHT - TOP) / highest).max(1);
                            @let class = if number < FULL { "good" } else { "care" };
                            @let place = i64::try_from(number).unwrap_or(0);
                            rect class=(class) x=(percent(place * 10 + 1, 100)) y=(HEIGHT - height) width="8%" height=(height) {}
                            text x=(percent(place * 10 + 5, 100)) y=(HEIGHT - height - 4) text-anchor="middle" { (count) }
                        }
                    }
                    @for (x, anchor, label) in [("0", "start", "empty"), ("50%", "middle", "50%"), ("100%", "end", "full")] {
                        text x=(x) y=(HEIGHT + BOTTOM - 5) text-anchor=(anchor) { (label) }
                    }
                }
            }
        }
    }
}

/// How many have a context that is filled to each tenth.
fn tenths(contexts: &[u32]) -> [u32; 10] {
    let mut tenths = [0; 10];
    for percent in contexts {
        let tenth = usize::try_from(percent / 10).unwrap_or(9).min(9);
        if let Some(count) = tenths.get_mut(tenth) {
            *count += 1;
        }
    }
    tenths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_more_than_full_is_in_the_last_tenth() {
        assert_eq!(
            tenths(&[0, 9, 10, 99, 100, 250]),
            [2, 1, 0, 0, 0, 0, 0, 0, 0, 3]
        );
    }
}
