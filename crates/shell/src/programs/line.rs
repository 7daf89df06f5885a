/// A line of the table, as it is written.
#[derive(Debug)]
struct Line<'t> {
    /// Programs with the words that follow, not yet apart.
    left: &'t str,
    /// What they do.
    does: &'t str,
    example: &'t str,
    /// What it runs that no command line shows.
    runs: &'t str,
}

impl<'t> Line<'t> {
    fn of(line: &'t str) -> Option<Self> {
        let mut parts = line.split(" | ").map(str::trim);
        let left = parts.next()?;
        if left.is_empty() || left.starts_with('#') {
            return None;
        }
        let mut part = || parts.next().unwrap_or_default();
        let (does, example, runs) = (part(), part(), part());
        Some(Self { left, does, example, runs })
    }

    /// Each program with the words that follow it.
    fn keys(&self) -> Vec<String> {
        let (programs, words) = self.left.split_once(": ").unwrap_or((self.left, ""));
        let mut keys: Vec<_> = programs.split(' ').map(str::to_owned).collect();
        for word in words.split_whitespace() {
            let each = keys.iter().flat_map(|key| word.split('/').map(move |word| format!("{key} {word}")));
            keys = each.collect();
        }
        keys
    }
}
