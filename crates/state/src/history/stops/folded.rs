//! Spans of the history in few bytes, each as one value: to take a hundred thousand rows apart takes longest of all.
//!
//! A span is folded by the command that counts it first, never by a hook, and unfolds to what its rows would be read
//! as. It is dropped when one of them changes or goes, and made anew.

use std::ops::RangeInclusive;

use rusqlite::{Connection, Transaction, params};

use super::texts::{COLUMNS, Name, Texts};
use super::{Stopped, Stops};
use crate::StoreError;

/// Numbers of verdicts in a span. Behind the last that is full, rows are read.
const SPAN: i64 = if cfg!(test) { 4 } else { 500 };
/// What is written here; another form is read as if nothing were there, and so is what is damaged.
const FORM: u8 = 3;

impl Stops<'_> {
    /// Reads everything.
    pub(super) fn read_all(&mut self, moment: Transaction<'_>) -> Result<(), StoreError> {
        let gaps = self.unfold_all(&moment)?;
        let unfolded = self.all.len();
        for (first, last) in gaps {
            let between = "NOT INDEXED WHERE seq BETWEEN ? AND ?";
            self.read(&moment, between, vec![first.into(), last.into()])?;
        }
        let fresh = self.all.get_mut(unfolded..).unwrap_or_default();
        fresh.sort_unstable_by_key(|stop| stop.seq);
        let Some(newest) = self.all.iter().map(|stop| stop.seq).max() else {
            return Ok(());
        };
        let fresh = self.all.get(unfolded..).unwrap_or_default();
        let is_full = |stop: &Stopped| span(stop) < newest.div_euclid(SPAN);
        let full = fresh.partition_point(is_full);
        if let Some(full) = fresh.get(..full).filter(|full| !full.is_empty()) {
            // It was counted all the same. What somebody has written meanwhile makes this fail, as it should: the
            // rows may not be those that were read.
            moment.busy_timeout(std::time::Duration::ZERO)?;
            let folded = self.fold(&moment, full);
            let folded = folded.and_then(|()| Ok(moment.commit()?));
            // Each opening reads what has piled up beside the file, those of hooks as well.
            let _ = folded.and_then(|()| self.store.tidy());
            let connection = &self.store.connection;
            connection.busy_timeout(self.store.patience.left())?;
        }
        Ok(())
    }

    /// Reads what is folded. Gives the numbers between which there may be more.
    fn unfold_all(&mut self, connection: &Connection) -> Result<Vec<(i64, i64)>, StoreError> {
        let sql = "SELECT first, last, content FROM folded ORDER BY first";
        let mut select = connection.prepare(sql)?;
        let mut rows = select.query([])?;
        let (mut gaps, mut next) = (Vec::new(), i64::MIN);
        while let Some(row) = rows.next()? {
            let (first, last): (i64, i64) = (row.get(0)?, row.get(1)?);
            let before = self.all.len();
            let content = row.get_ref(2)?.as_blob().unwrap_or_default();
            let is_read = first >= next
                && unfold(content, (first, last), &mut self.texts, &mut self.all).is_some();
            if !is_read {
                self.all.truncate(before);
                continue;
            }
            if next < first {
                gaps.push((next, first - 1));
            }
            next = last.saturating_add(1);
        }
        gaps.push((next, i64::MAX));
        Ok(gaps)
    }

    /// Keeps stops that lie in spans which are full.
    fn fold(&self, transaction: &Transaction<'_>, stops: &[Stopped]) -> Result<(), StoreError> {
        let clear = "DELETE FROM folded WHERE first BETWEEN ?1 AND ?2";
        let mut clear = transaction.prepare(clear)?;
        let insert = "INSERT INTO folded (first, last, content) VALUES (?1, ?2, ?3)";
        let mut insert = transaction.prepare(insert)?;
        for stops in stops.chunk_by(|one, other| span(one) == span(other)) {
            let ends = stops.first().zip(stops.last());
            let Some((first, last)) = ends.map(|(first, last)| (first.seq, last.seq)) else {
                continue;
            };
            clear.execute([first, last])?;
            let mut content = folded(stops, &self.texts);
            content.extend(sum(&content, (first, last)).to_le_bytes());
            insert.execute(params![first, last, content])?;
        }
        Ok(())
    }
}

/// Drops the spans of verdicts that are changed or removed, so that they are made anew.
pub(in crate::history) fn forget(
    connection: &Connection,
    numbers: RangeInclusive<i64>,
) -> Result<(), StoreError> {
    let sql = "DELETE FROM folded WHERE first <= ?2 AND last >= ?1";
    connection.execute(sql, [numbers.start(), numbers.end()])?;
    Ok(())
}

fn span(stop: &Stopped) -> i64 {
    stop.seq.div_euclid(SPAN)
}

/// What all of a span comes to, with its first and last number: every change of it makes another sum.
fn sum(content: &[u8], (first, last): (i64, i64)) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let (words, rest) = content.as_chunks();
    let words = words.iter().map(|word| u64::from_le_bytes(*word));
    let rest = rest.iter().map(|byte| u64::from(*byte));
    let ends = [first, last].map(i64::cast_unsigned);
    words.chain(rest).chain(ends).fold(0, |sum: u64, word| {
        (sum ^ word).wrapping_mul(FACTOR).rotate_left(29)
    })
}

/// The form, how many texts there are, each with its length, and then for each stop as many bytes.
fn folded(stops: &[Stopped], texts: &Texts) -> Vec<u8> {
    let mut used: Vec<Name> = stops.iter().flat_map(|stop| stop.names).collect();
    used.sort_unstable();
    used.dedup();
    let used: Vec<_> = used
        .into_iter()
        .filter_map(|name| Some((name, texts.bytes(name)?)))
        .collect();
    let mut bytes = vec![FORM];
    bytes.extend(length(used.len()));
    for (_, text) in &used {
        bytes.extend(length(text.len()));
        bytes.extend_from_slice(text);
    }
    for stop in stops {
        bytes.extend(stop.seq.to_le_bytes());
        bytes.extend(stop.at.to_le_bytes());
        bytes.extend(stop.agent.to_le_bytes());
        for name in stop.names {
            let place = used.binary_search_by_key(&name, |(name, _)| *name);
            let place = place.map_or(0, |place| place + 1);
            // There are fewer than stops times columns.
            bytes.extend(u16::try_from(place).unwrap_or(0).to_le_bytes());
        }
        bytes.push(stop.facts.0);
    }
    bytes
}

fn length(length: usize) -> [u8; 4] {
    u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes()
}

/// Adds the stops of a span; `None` if it is damaged or of another form, of which some may have been added.
fn unfold(
    content: &[u8],
    ends: (i64, i64),
    texts: &mut Texts,
    stops: &mut Vec<Stopped>,
) -> Option<()> {
    let (mut bytes, written) = content.split_last_chunk()?;
    if u64::from_le_bytes(*written) != sum(bytes, ends) {
        return None;
    }
    let bytes = &mut bytes;
    if take(bytes)? != [FORM] {
        return None;
    }
    let count = u32::from_le_bytes(take(bytes)?);
    // The first is for none.
    let mut names = vec![Name::default()];
    for _ in 0..count {
        let length = u32::from_le_bytes(take(bytes)?);
        let (text, rest) = bytes.split_at_checked(length as usize)?;
        *bytes = rest;
        names.push(texts.of(text));
    }
    while !bytes.is_empty() {
        let seq = i64::from_le_bytes(take(bytes)?);
        let at = i64::from_le_bytes(take(bytes)?);
        let agent = u128::from_le_bytes(take(bytes)?);
        let mut of_stop = [Name::default(); COLUMNS];
        for name in &mut of_stop {
            *name = *names.get(usize::from(u16::from_le_bytes(take(bytes)?)))?;
        }
        let [facts] = take(bytes)?;
        let facts = super::Facts(facts);
        stops.push(Stopped::of(seq, at, agent, of_stop, facts, texts));
    }
    Some(())
}

fn take<const COUNT: usize>(bytes: &mut &[u8]) -> Option<[u8; COUNT]> {
    let (head, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*head)
}
