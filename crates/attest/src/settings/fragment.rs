//! New JSON in the style of the text around it.

/// A piece of JSON to be written.
#[derive(Debug, Clone)]
pub(super) enum Fragment {
    Text(String),
    Number(u32),
    Bool(bool),
    Array(Vec<Fragment>),
    Object(Vec<(&'static str, Fragment)>),
    /// `"name": value`, to be put into an object.
    Property(&'static str, Box<Fragment>),
}

/// How a fragment is laid out.
#[derive(Debug, Clone)]
pub(super) enum Layout {
    /// One item a line.
    Lines {
        newline: &'static str,
        /// One step of indentation.
        step: String,
        /// The indentation of the fragment's own line.
        indent: String,
    },
    /// All on one line, with or without spaces after colons and commas.
    Inline { spaced: bool },
}

impl Fragment {
    pub(super) fn property(name: &'static str, value: Self) -> Self {
        Self::Property(name, Box::new(value))
    }

    pub(super) fn words(words: &[String]) -> Self {
        Self::Array(words.iter().cloned().map(Self::Text).collect())
    }

    /// The fragment as text; its first line is not indented.
    pub(super) fn render(&self, layout: &Layout) -> String {
        let mut out = String::new();
        self.write(layout, &mut out);
        out
    }

    fn write(&self, layout: &Layout, out: &mut String) {
        match self {
            Self::Text(text) => out.push_str(&serde_json::Value::from(text.as_str()).to_string()),
            Self::Number(number) => out.push_str(&number.to_string()),
            Self::Bool(value) => out.push_str(&value.to_string()),
            Self::Property(name, value) => {
                let colon = if layout.spaced() { ": " } else { ":" };
                out.extend(["\"", name, "\"", colon]);
                value.write(layout, out);
            }
            Self::Array(items) => {
                let layout = if items.iter().any(Self::is_container) {
                    layout.clone()
                } else {
                    Layout::Inline {
                        spaced: layout.spaced(),
                    }
                };
                write_items(items, ('[', ']'), &layout, out);
            }
            Self::Object(properties) => {
                let items: Vec<_> = properties
                    .iter()
                    .map(|(name, value)| Self::property(name, value.clone()))
                    .collect();
                write_items(&items, ('{', '}'), layout, out);
            }
        }
    }

    fn is_container(&self) -> bool {
        matches!(self, Self::Array(_) | Self::Object(_))
    }
}

fn write_items(items: &[Fragment], (open, close): (char, char), layout: &Layout, out: &mut String) {
    let inner = layout.deeper();
    out.push(open);
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        match &inner {
            Layout::Lines { .. } => out.push_str(&inner.line_start()),
            Layout::Inline { spaced } if *spaced && index > 0 => out.push(' '),
            Layout::Inline { .. } => {}
        }
        item.write(&inner, out);
    }
    if !items.is_empty() {
        out.push_str(&layout.line_start());
    }
    out.push(close);
}

impl Layout {
    fn spaced(&self) -> bool {
        match self {
            Self::Lines { .. } => true,
            Self::Inline { spaced } => *spaced,
        }
    }

    /// The line break and indentation that start an item of this layout; nothing on one line.
    pub(super) fn line_start(&self) -> String {
        match self {
            Self::Lines {
                newline, indent, ..
            } => format!("{newline}{indent}"),
            Self::Inline { .. } => String::new(),
        }
    }

    fn deeper(&self) -> Self {
        match self {
            Self::Lines {
                newline,
                step,
                indent,
            } => Self::Lines {
                newline,
                step: step.clone(),
                indent: format!("{indent}{step}"),
            },
            Self::Inline { spaced } => Self::Inline { spaced: *spaced },
        }
    }
}
