//! Numbers as a line of blocks, one for each.

use crate::env::{self, Env};

const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// The same where only ASCII is understood.
const MARKS: [char; 8] = ['_', '.', '-', ':', '=', '+', '*', '#'];
/// Stands for what is not known.
const UNKNOWN: char = ' ';

/// A line of shares, of which the highest that a line beside it may have is `highest`. Nothing is at its end that cannot
/// be seen.
pub fn sparkline(
    shares: impl IntoIterator<Item = Option<f64>>,
    highest: f64,
    has_blocks: bool,
) -> String {
    let marks = if has_blocks { BLOCKS } else { MARKS };
    let mark = |share: Option<f64>| {
        let Some(share) = share else {
            return UNKNOWN;
        };
        // What is not nothing is above the lowest.
        let steps = (1..marks.len()).filter(|step| is_above(share, *step, marks.len(), highest));
        let place = if share > 0.0 { steps.count().max(1) } else { 0 };
        marks.get(place).copied().unwrap_or(UNKNOWN)
    };
    let line: String = shares.into_iter().map(mark).collect();
    line.trim_end().to_owned()
}

/// Whether a share reaches a step of so many.
fn is_above(share: f64, step: usize, steps: usize, highest: f64) -> bool {
    let step = u32::try_from(step).map_or(0.0, f64::from);
    let last = u32::try_from(steps - 1).map_or(1.0, f64::from);
    highest > 0.0 && share * last >= highest * step
}

/// Whether the locale has characters outside of ASCII; where none is named nobody says that it has not.
pub(super) fn has_unicode(env: &Env) -> bool {
    let named = [env::LC_ALL, env::LC_CTYPE, env::LANG];
    let locale = named.into_iter().find_map(|name| env.text(name));
    locale.is_none_or(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_shows_what_is_nothing_and_what_is_not_known() {
        let shares = [Some(0.0), Some(0.1), Some(50.0), None, Some(100.0), None];
        assert_eq!(sparkline(shares, 100.0, true), "▁▂▄ █");
        assert_eq!(sparkline(shares, 100.0, false), "_.: #");
        assert_eq!(sparkline([Some(0.0), Some(0.0)], 0.0, true), "▁▁");
        assert_eq!(sparkline([None], 0.0, true), "");
    }
}
