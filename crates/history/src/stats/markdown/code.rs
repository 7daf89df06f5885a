//! Text of others in Markdown, of which nothing is read as such.

use attest_snapshot::escaped;

/// `text` as code, on one line. A row of a table has to pass it on through [`row`].
pub(super) fn code(text: &str) -> String {
    let text = escaped(text.as_bytes());
    let longest = text.split(|it| it != '`').map(str::len).max();
    let fence = "`".repeat(longest.unwrap_or(0) + 1);
    // A blank at either end keeps a back-tick from being part of the fence, and is not shown.
    let is_bare = !text.starts_with(['`', ' ']) && !text.ends_with(['`', ' ']);
    let blank = if is_bare && !text.is_empty() { "" } else { " " };
    format!("{fence}{blank}{text}{blank}{fence}")
}

/// A row of a table. A bar ends a cell in code too, unless a backslash stands before it.
pub(super) fn row(cells: &[String]) -> String {
    let cells = cells.iter().map(|cell| cell.replace('|', "\\|"));
    let cells: Vec<_> = cells.collect();
    format!("| {} |\n", cells.join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_out_of_code() {
        for (text, expected) in [
            ("a.rs", "`a.rs`"),
            ("<b>*x*</b> [y](z) @all", "`<b>*x*</b> [y](z) @all`"),
            ("a`b", "``a`b``"),
            ("a``b`c", "```a``b`c```"),
            ("`", "`` ` ``"),
            (" a", "`  a `"),
            ("", "`  `"),
            ("a\nb", "`a\\u{a}b`"),
        ] {
            assert_eq!(code(text), expected, "{text}");
        }
        assert_eq!(row(&[code("a|b"), "1".to_owned()]), "| `a\\|b` | 1 |\n");
    }
}
