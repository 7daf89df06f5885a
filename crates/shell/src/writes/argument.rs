//! A word of a command, as the program gets it.

/// Values that one word may have.
pub(super) const MAX_VALUES: usize = 1_000;
/// Stands in a value for what only the file system knows: part of a name.
pub(super) const ANY: char = '\0';
/// Stands in front of a value for a folder that `mktemp` made.
pub(super) const NEW_FOLDER: char = '\u{1}';

/// A word with all values that it may have; `None` if they are not known, and none if it names what nobody can mean.
#[derive(Debug, Clone)]
pub(super) struct Argument {
    pub(super) values: Option<Vec<String>>,
    pub(super) shown: String,
    /// Of a place in a folder that `mktemp` made, whose values are not known: what it names there.
    pub(super) in_new_folder: Option<String>,
}

impl Argument {
    /// Its value, if it has one.
    pub(super) fn text(&self) -> Option<&str> {
        match self.values.as_deref() {
            Some([value]) if !value.contains(ANY) => Some(value),
            _ => None,
        }
    }

    /// Its values, as a variable keeps them.
    pub(super) fn into_values(self) -> Option<Vec<String>> {
        let inside = self.in_new_folder;
        self.values
            .or_else(|| inside.map(|path| vec![format!("{NEW_FOLDER}{path}")]))
    }

    pub(super) fn is_option(&self) -> bool {
        let values = self.values.as_deref().unwrap_or_default();
        values
            .first()
            .is_some_and(|value| value.starts_with('-') && value != "-")
    }

    pub(super) fn of(text: &str) -> Self {
        Self {
            values: Some(vec![text.to_owned()]),
            shown: text.to_owned(),
            in_new_folder: None,
        }
    }

    /// The part behind `=`, of an option with its value.
    pub(super) fn behind(&self, option: &str) -> Option<Self> {
        let strip =
            |value: &String| Some(value.strip_prefix(option)?.strip_prefix('=')?.to_owned());
        let values = self
            .values
            .as_ref()
            .filter(|values| !values.is_empty())?
            .iter()
            .map(strip)
            .collect::<Option<_>>()?;
        Some(Self {
            values: Some(values),
            shown: self.shown.clone(),
            in_new_folder: None,
        })
    }
}

/// What the one value names in a folder that `mktemp` made. Another folder may be beside it, or above.
pub(super) fn in_new_folder(values: &[String]) -> Option<String> {
    let [value] = values else {
        return None;
    };
    let path = value.strip_prefix(NEW_FOLDER)?;
    let is_inside = path.is_empty() || path.starts_with('/') && !path.contains("..");
    (is_inside && !path.contains([ANY, NEW_FOLDER])).then(|| path.to_owned())
}

/// The folder of what a pattern matches.
pub(super) fn part_before_any(value: &str) -> Option<String> {
    let (before, _) = value.split_once(ANY)?;
    let end = before.rfind(['/', '\\']).map_or(0, |at| at.max(1));
    let folder = &before[..end];
    Some(if folder.is_empty() {
        ".".to_owned()
    } else {
        folder.to_owned()
    })
}
