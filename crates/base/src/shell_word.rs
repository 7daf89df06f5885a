//! A name in a command line that a person is to copy. Whoever named a folder must not thereby write the
//! command.

#[cfg(not(windows))]
use std::fmt::Write as _;

use attest_snapshot::Untrusted;

/// One word for a shell, which is visible from end to end.
#[cfg(not(windows))]
#[must_use]
pub fn shell_word(bytes: &[u8]) -> String {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_@%+=:,./-".contains(byte);
    if !bytes.is_empty() && bytes.iter().all(is_plain) {
        return Untrusted::new(bytes).to_string();
    }
    let visible = Untrusted::new(bytes).to_string();
    let is_as_it_is = visible.as_bytes() == bytes;
    // In single quotes some shells know no sign but the quote, some the backslash too.
    if is_as_it_is && !visible.contains('\\') {
        return format!("'{}'", visible.replace('\'', r"'\''"));
    }
    // A shell that does not know this form takes it for a name that is not there: no quote is in it.
    let mut word = String::from("$'");
    for byte in bytes {
        match byte {
            b' '..=b'~' if !matches!(byte, b'\\' | b'\'') => word.push(char::from(*byte)),
            // Writing to a string does not fail.
            _ => drop(write!(word, "\\x{byte:02x}")),
        }
    }
    word.push('\'');
    word
}

/// The two shells of the system read almost every sign in another way, so that a name with one of those is
/// left to the person.
#[cfg(windows)]
#[must_use]
pub fn shell_word(bytes: &[u8]) -> String {
    let visible = Untrusted::new(bytes).to_string();
    let is_safe = |char: char| char.is_alphanumeric() || "_@+=:,./\\- ()[]{}~#".contains(char);
    if visible.as_bytes() != bytes || !visible.chars().all(is_safe) {
        return "NAME".to_owned();
    }
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "_+=:./\\-".contains(char);
    if !visible.is_empty() && visible.chars().all(is_plain) {
        return visible;
    }
    format!("\"{visible}\"")
}

#[cfg(all(test, unix))]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "tests start what they need")]

    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_are_one_word() {
        for (name, word) in [
            ("/a/b-1.yaml", "/a/b-1.yaml"),
            ("", "''"),
            ("/a b", "'/a b'"),
            ("/$(reboot)/`x`;*", "'/$(reboot)/`x`;*'"),
            ("it's", r"'it'\''s'"),
            ("grün", "'grün'"),
            (r"a\'b", r"$'a\x5c\x27b'"),
            ("a\nb", r"$'a\x0ab'"),
            ("a\u{200b}", r"$'a\xe2\x80\x8b'"),
        ] {
            assert_eq!(shell_word(name.as_bytes()), word, "{name:?}");
        }
    }

    /// What `shell` makes of the word. One that lacks a form must not run anything either.
    fn read_by(shell: &str, word: &str) -> Option<Vec<u8>> {
        let line = format!("printf '%s.' {word}");
        let ran = std::process::Command::new(shell)
            .args(["-c", &line])
            .output()
            .ok()?;
        Some(ran.stdout)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn shells_read_the_name_again(
            name in proptest::collection::vec(prop_oneof![any::<u8>(), prop::sample::select(&b"'\\$`\"!;&|\n *~#({[<"[..])], 0..12)
        ) {
            let name: Vec<u8> = name.into_iter().filter(|byte| *byte != 0).collect();
            let word = shell_word(&name);
            prop_assert_eq!(Untrusted::new(&word).to_string(), &*word);
            let expected = [&name[..], b"."].concat();
            if let Some(read) = read_by("bash", &word) {
                prop_assert_eq!(OsStr::from_bytes(&read), OsStr::from_bytes(&expected), "{}", word);
            }
            if !word.starts_with('$') && let Some(read) = read_by("sh", &word) {
                prop_assert_eq!(OsStr::from_bytes(&read), OsStr::from_bytes(&expected), "{}", word);
            }
        }
    }
}
