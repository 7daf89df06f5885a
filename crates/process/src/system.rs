//! What the system says of a failure, for a person.

/// What Rust puts behind the system's words.
const NUMBER: &str = " (os error ";

/// The system's words without the number that Rust puts behind them, and without the name of a
/// temporary file behind that.
#[must_use]
pub fn without_number(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once(NUMBER) {
        words.push_str(before);
        rest = number_end(behind).unwrap_or_else(|| {
            words.push_str(NUMBER);
            behind
        });
    }
    words + rest
}

/// What follows a number and its bracket.
fn number_end(text: &str) -> Option<&str> {
    let (number, behind) = text.split_once(')')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let is_temporary = behind.starts_with(" at path \"") && behind.ends_with('"');
    is_number.then_some(if is_temporary { "" } else { behind })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_an_error_is_for_programs() {
        let full = std::io::Error::from_raw_os_error(28).to_string();
        assert!(full.ends_with(" (os error 28)"), "{full}");
        let words = without_number(&full);
        assert!(!words.contains("28") && full.starts_with(&words), "{words}");
        let with_path = format!("{full} at path \"/x/.tmp1\"");
        assert_eq!(without_number(&with_path), words);
        assert_eq!(
            without_number(&format!("a: {full}; b: {full}.")),
            format!("a: {words}; b: {words}.")
        );
        for other in [
            "a (os error b)",
            "a (os error 1",
            "a (os error )",
            "a (os error  (os error",
        ] {
            assert_eq!(without_number(other), other);
        }
    }
}
