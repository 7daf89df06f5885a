//! Takes out of a recorded value what is of the machine and the moment, so that two runs of one
//! host version give the same text.

use std::path::Path;

use serde_json::Value;

/// The home of nobody in particular.
const HOME: &str = "/home/user";
/// What every time of day becomes.
const MOMENT: &str = "2026-01-01T00:00:00.000Z";
/// What the host tells its model beside the facts. It is the host's own text, and no concern of
/// anything that reads the fixtures.
const REMARKS: [(&str, &str); 3] = [
    ("<note>", "</note>"),
    (" (file state is current", ")"),
    ("[Your previous response", "]"),
];
/// Numbers inside texts that are of the machine or the moment: what stands before them.
const NUMBERS: [&str; 3] = ["/tmp/claude-", "<duration_ms>", "duration_ms: "];
/// Length of a UUID in its usual form, and where its dashes are.
const UUID: usize = 36;
const DASHES: [usize; 4] = [8, 13, 18, 23];

/// Replaces paths, ids and times. One for a whole run: an id keeps its replacement.
#[derive(Debug)]
pub struct Sanitiser {
    /// Literal texts, the longest first, so that none is broken by a shorter one.
    literals: Vec<(String, String)>,
    uuids: Vec<String>,
}

impl Sanitiser {
    /// For a run in `home` with these agents, in the order in which they were started.
    #[must_use]
    pub fn new<'a>(home: &Path, agents: impl IntoIterator<Item = &'a str>) -> Self {
        let home = home.to_string_lossy();
        let mut literals = vec![
            // The host's temporary folder, which elsewhere is the system's, and the user's number.
            (format!("{home}/.tmp"), "/tmp".to_owned()),
            (home.to_string(), HOME.to_owned()),
            (folder_name(&home), folder_name(HOME)),
        ];
        let mut seen = Vec::new();
        for agent in agents {
            if !seen.contains(&agent) {
                seen.push(agent);
                literals.push((agent.to_owned(), format!("a{:016x}", seen.len())));
            }
        }
        literals.sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));
        Self {
            literals,
            uuids: Vec::new(),
        }
    }

    /// The value with everything replaced, in keys too.
    pub fn value(&mut self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(text)),
            Value::Array(items) => items.iter().map(|item| self.value(item)).collect(),
            Value::Object(fields) => fields
                .iter()
                .map(|(name, field)| {
                    let field = if is_measured(name) && field.is_number() {
                        Value::from(1000)
                    } else {
                        self.value(field)
                    };
                    (self.text(name), field)
                })
                .collect(),
            other => other.clone(),
        }
    }

    fn text(&mut self, text: &str) -> String {
        if is_moment(text) {
            return MOMENT.to_owned();
        }
        let mut text = text.to_owned();
        for (from, to) in &self.literals {
            text = text.replace(from, to);
        }
        for (start, end) in REMARKS {
            text = without(&text, start, end);
        }
        for label in NUMBERS {
            text = round(&text, label);
        }
        self.without_uuids(&text)
    }

    fn without_uuids(&mut self, text: &str) -> String {
        let mut result = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(next) = rest.chars().next() {
            if let Some(uuid) = rest.get(..UUID).filter(|text| is_uuid(text)) {
                result.push_str(&self.uuid(uuid));
                rest = &rest[UUID..];
            } else {
                result.push(next);
                rest = &rest[next.len_utf8()..];
            }
        }
        result
    }

    fn uuid(&mut self, uuid: &str) -> String {
        let known = self.uuids.iter().position(|known| known == uuid);
        let number = known.unwrap_or_else(|| {
            self.uuids.push(uuid.to_owned());
            self.uuids.len() - 1
        });
        format!("00000000-0000-4000-8000-{:012}", number + 1)
    }
}

/// How the host names a project's folder.
fn folder_name(path: &str) -> String {
    path.replace(|c: char| !c.is_ascii_alphanumeric(), "-")
}

/// How long something took is another number in each run.
fn is_measured(name: &str) -> bool {
    name.ends_with("Ms") || name.ends_with("_ms")
}

/// The text without everything from `start` to `end`.
fn without(text: &str, start: &str, end: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(start) {
        let Some((_, after)) = after.split_once(end) else {
            break;
        };
        kept.push_str(before);
        rest = after;
    }
    kept + rest
}

/// The text with the number behind each `label` replaced.
fn round(text: &str, label: &str) -> String {
    let mut pieces = text.split(label);
    let mut result = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let rest = piece.trim_start_matches(|c: char| c.is_ascii_digit());
        result.push_str(label);
        if rest.len() < piece.len() {
            result.push_str("1000");
        }
        result.push_str(rest);
    }
    result
}

fn is_uuid(text: &str) -> bool {
    text.bytes().enumerate().all(|(index, byte)| {
        if DASHES.contains(&index) {
            byte == b'-'
        } else {
            byte.is_ascii_hexdigit()
        }
    })
}

/// Whether it is a time as the host writes it, such as `2026-01-01T00:00:00.000Z`.
fn is_moment(text: &str) -> bool {
    text.len() == MOMENT.len()
        && text.bytes().zip(MOMENT.bytes()).all(|(byte, pattern)| {
            if pattern.is_ascii_digit() {
                byte.is_ascii_digit()
            } else {
                byte == pattern
            }
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const ONE: &str = "71fe0e5c-b90a-4a8c-bc57-2ede8b16a725";
    const TWO: &str = "abcf1632-a9b7-4239-b32b-a9ded48ec13f";

    fn sanitiser() -> Sanitiser {
        Sanitiser::new(
            Path::new("/tmp/scriptedX1"),
            [
                "a5cad8fd22650cc15",
                "aadead0000000beef",
                "a5cad8fd22650cc15",
            ],
        )
    }

    #[test]
    fn paths_ids_and_times_are_replaced_wherever_they_stand() {
        let value = json!({
            "cwd": "/tmp/scriptedX1/project",
            "path": format!("/tmp/scriptedX1/.claude/projects/-tmp-scriptedX1-project/{ONE}.jsonl"),
            "agents": ["aadead0000000beef", "agent-a5cad8fd22650cc15.jsonl"],
            "at": "2026-11-21T05:34:28.820Z",
            "total_duration_ms": 88,
            "count": 88,
        });
        let expected = json!({
            "cwd": "/home/user/project",
            "path": "/home/user/.claude/projects/-home-user-project/\
                     00000000-0000-4000-8000-000000000001.jsonl",
            "agents": ["a0000000000000002", "agent-a0000000000000001.jsonl"],
            "at": MOMENT,
            "total_duration_ms": 1000,
            "count": 88,
        });
        assert_eq!(sanitiser().value(&value), expected);
    }

    #[test]
    fn an_id_keeps_its_replacement() {
        let mut sanitiser = sanitiser();
        let first = sanitiser.value(&json!([TWO, format!("é{ONE}é")]));
        let second = sanitiser.value(&json!([format!("é{ONE}é"), TWO]));
        assert_eq!(first[0], second[1]);
        assert_eq!(first[1], second[0]);
        assert_ne!(first[0], first[1]);
    }

    #[test]
    fn the_hosts_remarks_and_measurements_in_texts_go() {
        let clean = |text: &str| sanitiser().text(text);
        assert_eq!(
            clean("a <note>b</note>c<duration_ms>17</duration_ms> <note>d"),
            "a c<duration_ms>1000</duration_ms> <note>d"
        );
        assert_eq!(
            clean("/tmp/scriptedX1/.tmp/claude-0/-tmp-scriptedX1-project/x"),
            "/tmp/claude-1000/-home-user-project/x"
        );
        assert_eq!(clean("made: f (file state is current …)"), "made: f");
    }

    #[test]
    fn what_only_looks_like_an_id_stays() {
        let value = json!(["71fe0e5c-b90a-4a8c-bc57-2ede8b16a72", "2026-11-21", "é-é"]);
        assert_eq!(sanitiser().value(&value), value);
    }
}
