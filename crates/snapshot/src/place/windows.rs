//! Paths of Windows as agents and their shells write them, in the forms that its own calls take.
//!
//! This is text alone, so that it is tested on every system.

/// What is mounted where by the shells that show a drive as a folder: Git Bash, Cygwin, and WSL.
const MOUNTS: [&str; 3] = ["/", "/cygdrive/", "/mnt/"];
/// The names that a machine has for itself.
const THIS_MACHINE: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// The paths that a text may mean, the likeliest first. None if it names a place that is not looked at: one that
/// depends on a folder which nobody knows (`C:a.py`), a device, or another machine than the one that has the work
/// tree. `share` is the server and the share of the work tree, if it is on one.
pub(super) fn forms(text: &str, share: Option<&(String, String)>) -> Vec<String> {
    let text = text.replace('\\', "/");
    let Some(text) = of_the_system(&text) else {
        return Vec::new();
    };
    if let Some(there) = text.strip_prefix("//") {
        let Some(local) = on_this_machine(there) else {
            let is_known = share.is_some_and(|share| is_on(there, share));
            return spellings(&text).filter(|_| is_known).unwrap_or_default();
        };
        return spellings(&local).unwrap_or_default();
    }
    let drive = MOUNTS.iter().find_map(|mount| mounted(&text, mount));
    let forms = drive.into_iter().chain([text.clone()]);
    forms
        .filter_map(|form| spellings(&form))
        .flatten()
        .collect()
}

/// The text without the mark that says "as it is written" to the system. `None` if it names a device.
fn of_the_system(text: &str) -> Option<String> {
    let Some(rest) = text.strip_prefix("//?/").or(text.strip_prefix("//./")) else {
        return Some(text.to_owned());
    };
    if has_prefix(rest, "UNC/") {
        return Some(format!("//{}", &rest["UNC/".len()..]));
    }
    is_on_a_drive(rest).then(|| rest.to_owned())
}

fn is_on_a_drive(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, b':', b'/', ..] if letter.is_ascii_alphabetic())
}

fn has_prefix(text: &str, prefix: &str) -> bool {
    let start = text.get(..prefix.len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

/// `localhost/c$/a.py`: the share of a whole drive, which every Windows makes of itself.
fn on_this_machine(there: &str) -> Option<String> {
    let (server, rest) = there.split_once('/')?;
    let (share, rest) = rest.split_once('/')?;
    let drive = share.strip_suffix('$').filter(|drive| is_letter(drive))?;
    let is_here = THIS_MACHINE.iter().any(|name| has_prefix(server, name));
    let is_here = is_here && THIS_MACHINE.iter().any(|name| name.len() == server.len());
    is_here.then(|| format!("{drive}:/{rest}"))
}

fn is_on(there: &str, (server, share): &(String, String)) -> bool {
    let mut parts = there.splitn(3, '/');
    let mut is = |name: &String| parts.next().is_some_and(|it| it.eq_ignore_ascii_case(name));
    is(server) && is(share)
}

fn is_letter(drive: &str) -> bool {
    matches!(drive.as_bytes(), [letter] if letter.is_ascii_alphabetic())
}

/// `/c/project/a.py` as a path of the drive.
fn mounted(text: &str, mount: &str) -> Option<String> {
    let (drive, rest) = text.strip_prefix(mount)?.split_once('/')?;
    is_letter(drive).then(|| format!("{drive}:/{rest}"))
}

/// A path as it is written, and as most programs' calls shorten it: without dots and blanks at the end of a part, and
/// without the name of a stream, which is a part of the file before it. `None` if no file has such a name.
fn spellings(path: &str) -> Option<Vec<String>> {
    let (drive, rest) = match path.as_bytes() {
        [letter, b':', ..] if letter.is_ascii_alphabetic() => path.split_at(2),
        _ => ("", path),
    };
    if !drive.is_empty() && !rest.starts_with('/') {
        return None;
    }
    let (above, name) = rest.rsplit_once('/').unwrap_or(("", rest));
    let file = name.split(':').next().unwrap_or(name);
    let rest = &rest[..rest.len() - name.len() + file.len()];
    let is_impossible = |c: char| c.is_control() || matches!(c, '<' | '>' | '"' | '|' | '?' | '*');
    if above.contains(':') || rest.contains(is_impossible) {
        return None;
    }
    let short: Vec<&str> = rest.split('/').map(shortened).collect();
    let mut all = vec![format!("{drive}{rest}")];
    let short = format!("{drive}{}", short.join("/"));
    if short != all[0] {
        all.push(short);
    }
    Some(all)
}

fn shortened(part: &str) -> &str {
    match part.trim_end_matches(['.', ' ']) {
        "" => part,
        short => short,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_name_a_file_of_a_drive_is_the_path_on_it() {
        for text in [
            r"C:\p\a.py",
            r"\\?\C:\p\a.py",
            "//?/C:/p/a.py",
            r"\\.\C:\p\a.py",
            r"\\localhost\C$\p\a.py",
            r"\\?\UNC\localhost\C$\p\a.py",
            "//127.0.0.1/C$/p/a.py",
            "/C/p/a.py",
            "/cygdrive/C/p/a.py",
            "/mnt/C/p/a.py",
            r"C:\p\a.py:stream",
            r"C:\p\a.py::$DATA",
        ] {
            let forms = forms(text, None);
            assert_eq!(forms.first().unwrap(), "C:/p/a.py", "{text}");
        }
    }

    #[test]
    fn a_folder_may_have_the_name_of_a_mount() {
        assert_eq!(forms("/mnt/c/p/a.py", None), ["c:/p/a.py", "/mnt/c/p/a.py"]);
        for text in ["/cd/p", "c/p", "/1/p", "/ü/p", "/c", "/mnt/data/p", "/"] {
            assert_eq!(forms(text, None), [text]);
        }
    }

    #[test]
    fn what_names_no_place_that_may_be_looked_at_is_none() {
        for text in [
            r"C:src\a.py",
            "C:a.py",
            r"\\.\pipe\a.py",
            r"\\?\Volume{1}\a.py",
            r"\\server\share\a.py",
            r"\\localhost\share\a.py",
            r"\\localhost.evil\c$\a.py",
            "src/a<b.py",
            "a:b/c.py",
        ] {
            assert_eq!(forms(text, None), [""; 0], "{text}");
        }
    }

    #[test]
    fn a_share_is_looked_at_if_the_work_tree_is_on_it() {
        let share = ("server".to_owned(), "share".to_owned());
        let forms = |text| forms(text, Some(&share));
        assert_eq!(forms(r"\\Server\share\a.py"), ["//Server/share/a.py"]);
        assert_eq!(forms(r"\\?\UNC\server\share\a.py"), ["//server/share/a.py"]);
        assert_eq!(forms(r"\\server\other\a.py"), [""; 0]);
    }

    #[test]
    fn dots_and_blanks_at_an_end_may_have_been_dropped() {
        assert_eq!(forms("src./a.py. ", None), ["src./a.py. ", "src/a.py"]);
        assert_eq!(forms("../a.py", None), ["../a.py"]);
        assert_eq!(forms("nul", None), ["nul"]);
    }
}
