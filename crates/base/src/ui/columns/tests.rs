use anstream::adapter::strip_str;

use super::*;

fn shown(table: &Table, width: usize) -> String {
    let text = strip_str(&table.render(Some(width))).to_string();
    for line in text.lines() {
        assert!(line.width() <= width, "{line:?} at {width}");
        assert_eq!(line, line.trim_end(), "nothing unseen at the end");
    }
    text
}

fn table() -> Table {
    let mut table = Table::new([
        Column::id("ID", 9),
        Column::name("TYPE", 3),
        Column::number("COUNT", 5),
        Column::bar("SHARE", 2),
        Column::path("PATH", 4),
    ]);
    for (id, kind, count, path) in [
        ("0123456789abcdef", "general-purpose", 1, "src/a.rs"),
        (
            "0123456798abcdef",
            "漢字漢字漢字漢字漢字",
            20,
            "crates/attest/src/cmd/doctor/environment.rs",
        ),
        ("ffff", "نص من اليمين", 300, "שם.rs"),
    ] {
        table.push([
            Cell::new(id),
            Cell::new(kind),
            Cell::new(count.to_string()),
            Cell::bar(count, 300),
            Cell::new(path),
        ]);
    }
    table
}

#[test]
fn numbers_ids_and_bars_are_never_cut() {
    for width in 40..140 {
        let text = shown(&table(), width);
        for line in text.lines().skip(1) {
            let id = line.split_whitespace().next().unwrap();
            assert!(id == "ffff" || id.len() >= 9, "{id} at {width}");
        }
        if text.contains("COUNT") {
            assert!(text.contains("300"), "{text}");
        }
        if text.contains("SHARE") {
            let lengths: Vec<_> = text
                .lines()
                .skip(1)
                .map(|line| line.chars().filter(|char| "█░".contains(*char)).count())
                .collect();
            assert!(lengths[0] >= 8 && lengths.iter().all(|one| *one == lengths[0]));
            let filled = |line: &str| line.matches('█').count();
            assert_eq!(filled(text.lines().last().unwrap()), lengths[0]);
            assert_eq!(
                filled(text.lines().nth(1).unwrap()),
                1,
                "what is not nothing"
            );
        }
    }
}

#[test]
fn what_is_worth_least_goes_first() {
    let columns = |width| {
        let text = shown(&table(), width);
        text.lines()
            .next()
            .unwrap()
            .split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(columns(120), ["ID", "TYPE", "COUNT", "SHARE", "PATH"]);
    assert_eq!(columns(56), ["ID", "TYPE", "COUNT", "PATH"]);
    assert_eq!(columns(40), ["ID", "COUNT", "PATH"]);
}

#[test]
fn a_table_without_a_limit_has_everything_whole() {
    let text = strip_str(&table().render(None)).to_string();
    assert!(text.contains("0123456798abcdef"), "{text}");
    assert!(
        text.contains("doctor/environment.rs") && !text.contains('…'),
        "{text}"
    );
}

#[test]
fn prose_is_wrapped_in_its_column_or_below_its_row() {
    let mut table = Table::new([Column::whole("WORD", 9), Column::prose("WHY", 8)]).indented(2);
    table.push([
        Cell::new("ABSENT"),
        Cell::new("it is not on disk, and it never was there"),
    ]);
    assert_eq!(
        shown(&table, 42),
        "  WORD    WHY\n  ABSENT  it is not on disk, and it never\n          was there\n"
    );
    let mut narrow = Table::new([Column::whole("LONG WORD HERE", 9), Column::prose("WHY", 8)]);
    narrow.push([
        Cell::new("ABSENT"),
        Cell::new("it is not on disk, and it never was there"),
    ]);
    assert_eq!(
        shown(&narrow, 40),
        "LONG WORD HERE\nABSENT\n    it is not on disk, and it never was\n    there\n"
    );
}

#[test]
fn a_column_can_be_as_wide_as_what_is_still_to_come() {
    let mut table = Table::new([Column::name("A", 1).at_least(6), Column::whole("B", 1)]);
    table.push([Cell::new("x"), Cell::new("y")]);
    assert_eq!(shown(&table, 80), "A       B\nx       y\n");
}

/// The twin is an id, of which the beginning can be typed.
#[test]
fn words_in_place_of_an_id_are_cut_with_a_mark() {
    for (name, has_mark) in [
        ("implement the parser of all that there is", true),
        ("0198f7c2-1112-7aaa-8bbb-0123456789abcdef0", false),
    ] {
        let mut table = Table::new([Column::id("AGENT", 9), Column::brief("WHAT", 8)]);
        let what = "a line that is longer than there is room for in such a table";
        table.push([Cell::new(name), Cell::new(what)]);
        let text = shown(&table, 40);
        let cell = text.lines().nth(1).unwrap().split("  ").next().unwrap();
        assert!(cell.len() < name.len(), "{text}");
        assert_eq!(!name.starts_with(cell), has_mark, "{text}");
    }
}
