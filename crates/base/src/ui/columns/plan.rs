//! Which columns of a table are shown, and how wide.

use std::collections::BTreeSet;

use unicode_width::UnicodeWidthStr;

use super::column::{Cell, Column, ColumnKind};
use crate::ui::prose::shortest_path;

/// Between two columns.
pub(super) const GAP: usize = 2;
/// How far prose below its row is moved in.
pub(super) const BELOW: usize = 4;

/// Digits of an id that are shown at least: fewer are soon those of another.
const SHORTEST_ID: usize = 8;
/// A name of which less is left says nothing.
const SHORTEST_NAME: usize = 15;
const SHORTEST_PATH: usize = 16;
/// The last name of a path is whole if it is no longer.
const LONGEST_NAME: usize = 32;
const SHORTEST_BRIEF: usize = 20;
const SHORTEST_PROSE: usize = 28;
const SHORTEST_BAR: usize = 8;
/// A bar that is longer says no more.
const LONGEST_BAR: usize = 30;

/// A column that is shown.
#[derive(Debug)]
pub(super) struct ShownColumn {
    /// Its number in the table.
    pub(super) column: usize,
    pub(super) width: usize,
}

#[derive(Debug)]
pub(super) struct Plan {
    pub(super) places: Vec<ShownColumn>,
    /// The column that is shown below each row, and how wide.
    pub(super) below: Option<(usize, usize)>,
}

/// How wide a column may be.
#[derive(Debug, Clone, Copy)]
struct Need {
    least: usize,
    /// With which the last name of each path is whole.
    wished: usize,
    most: usize,
}

impl Plan {
    /// For rows that may be as wide as `room`.
    pub(super) fn of(
        columns: &[Column],
        rows: &[Vec<Cell>],
        has_header: bool,
        room: Option<usize>,
    ) -> Self {
        let needs = columns.iter().enumerate().map(|(number, column)| {
            let cells: Vec<_> = rows.iter().filter_map(|row| row.get(number)).collect();
            need(column, &cells, has_header)
        });
        let needs: Vec<_> = needs.collect();
        let all: Vec<_> = (0..columns.len()).collect();
        let Some(room) = room else {
            let most = |need: &Need| need.most;
            return Self::with(&all, needs.iter().map(most), None);
        };
        let (shown, below) = choose(columns, &needs, &all, room);
        let widths = widths(columns, &needs, &shown, room);
        let below = below.map(|column| (column, room.saturating_sub(BELOW)));
        Self::with(&shown, widths, below)
    }

    fn with(
        shown: &[usize],
        widths: impl IntoIterator<Item = usize>,
        below: Option<(usize, usize)>,
    ) -> Self {
        let places = shown.iter().zip(widths);
        let places = places.map(|(column, width)| ShownColumn {
            column: *column,
            width,
        });
        Self {
            places: places.collect(),
            below,
        }
    }
}

/// What the cells of a column need.
fn need(column: &Column, cells: &[&Cell], has_header: bool) -> Need {
    let header = if has_header { column.title.width() } else { 0 };
    let widest = if cells.iter().any(|cell| cell.is_bar()) {
        LONGEST_BAR
    } else {
        let widths = cells.iter().map(|cell| cell.text().width());
        widths.max().unwrap_or(0)
    };
    let paths = cells.iter().filter(|_| column.kind == ColumnKind::Path);
    let wished = paths.map(|cell| shortest_path(cell.text())).max();
    let wished = wished.unwrap_or(0).clamp(SHORTEST_PATH, LONGEST_NAME);
    let shortest = match column.kind {
        ColumnKind::Whole | ColumnKind::Number => widest,
        ColumnKind::Id => shortest_ids(cells.iter().map(|cell| cell.text())),
        ColumnKind::Name => SHORTEST_NAME,
        ColumnKind::Path if column.has_whole_names => wished,
        ColumnKind::Path => SHORTEST_PATH,
        ColumnKind::Brief => SHORTEST_BRIEF,
        ColumnKind::Prose => SHORTEST_PROSE,
        ColumnKind::Bar => SHORTEST_BAR,
    };
    let floor = header.max(column.least);
    Need {
        least: shortest.min(widest).max(floor),
        wished: wished.min(widest),
        most: widest.max(floor),
    }
}

/// How many characters tell every id of a column from all others.
fn shortest_ids<'a>(ids: impl Iterator<Item = &'a str>) -> usize {
    let ids: BTreeSet<_> = ids.collect();
    let next = ids.iter().skip(1);
    let common = ids.iter().zip(next).map(|(one, other)| {
        let same = one.chars().zip(other.chars());
        same.take_while(|(one, other)| one == other).count()
    });
    SHORTEST_ID.max(common.max().unwrap_or(0) + 1)
}

/// The columns that there is room for, and the one that is below each row.
fn choose(
    columns: &[Column],
    needs: &[Need],
    all: &[usize],
    room: usize,
) -> (Vec<usize>, Option<usize>) {
    let mut shown = all.to_vec();
    let mut below = None;
    while least_of(needs, &shown) > room && shown.len() > 1 {
        let worth = |column: &usize| columns.get(*column).map(|column| column.worth);
        let Some(last) = shown.iter().copied().min_by_key(worth) else {
            break;
        };
        let is_wordy =
            |column: &Column| matches!(column.kind, ColumnKind::Brief | ColumnKind::Prose);
        if below.is_none() && columns.get(last).is_some_and(is_wordy) {
            below = Some(last);
            // Without it there may be room for what went before.
            shown = all.to_vec();
        }
        shown.retain(|column| *column != last && Some(*column) != below);
    }
    (shown, below)
}

fn least_of(needs: &[Need], shown: &[usize]) -> usize {
    let least = shown.iter().filter_map(|column| needs.get(*column));
    let gaps = GAP * shown.len().saturating_sub(1);
    least.map(|need| need.least).sum::<usize>() + gaps
}

/// Gives each column what it needs, to paths what keeps names whole, and what is left to the narrowest first, of which
/// text that says what happened gets twice as much as a name. Ids grow last: what is there of them suffices.
fn widths(columns: &[Column], needs: &[Need], shown: &[usize], room: usize) -> Vec<usize> {
    let gaps = GAP * shown.len().saturating_sub(1);
    let room = room.saturating_sub(gaps);
    let mut places: Vec<_> = shown
        .iter()
        .filter_map(|number| Some((columns.get(*number)?.kind, needs.get(*number)?)))
        // Only a single column can be wider than the room.
        .map(|(kind, need)| (kind, need, need.least.min(room)))
        .collect();
    let mut free = room.saturating_sub(places.iter().map(|(_, _, width)| width).sum());
    for (kind, need, width) in &mut places {
        if *kind == ColumnKind::Path {
            let more = need.wished.saturating_sub(*width).min(free);
            *width += more;
            free -= more;
        }
    }
    for grows_id in [false, true] {
        while places.iter().map(|(_, _, width)| width).sum::<usize>() < room {
            let open = places.iter_mut().filter(|(kind, need, width)| {
                *width < need.most && (*kind == ColumnKind::Id) == grows_id
            });
            let share = |kind| match kind {
                ColumnKind::Brief | ColumnKind::Prose | ColumnKind::Path => 1,
                _ => 2,
            };
            let Some((_, _, width)) = open.min_by_key(|(kind, _, width)| *width * share(*kind))
            else {
                break;
            };
            *width += 1;
        }
    }
    places.into_iter().map(|(_, _, width)| width).collect()
}
