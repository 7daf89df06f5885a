//! What names a repository on all machines: where it was cloned from, without who did so.

/// The longest name that is kept, in bytes. A clone's settings can name more.
const MOST: usize = 1024;

/// A host with a path: of all ways to reach a repository the same. None has a control character, so that no byte of a
/// clone's settings begins a line where the name is kept.
pub(crate) fn name_of(url: &str) -> Option<String> {
    let (rest, has_scheme) = match url.split_once("://") {
        Some(("file", _)) => return None,
        Some((_, rest)) => (rest, true),
        None => (url, false),
    };
    // `user@host:path`, and not a path of this machine.
    let rest = if has_scheme {
        rest.to_owned()
    } else {
        let (host, path) = rest.split_once(':')?;
        format!("{host}/{}", path.trim_start_matches('/'))
    };
    let (host, path) = rest.split_once('/')?;
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let host = host.split(':').next().unwrap_or(host).to_ascii_lowercase();
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let path = path.trim_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    // A letter is a drive.
    let name = (host.len() > 1).then(|| format!("{host}/{path}"))?;
    (name.len() <= MOST && !name.contains(char::is_control)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_a_repository_has_one_name_without_a_secret() {
        for url in [
            "https://host.example/team/project.git",
            "https://user:secret@host.example/team/project",
            "https://secret@HOST.example:8443/team/project.git/",
            "ssh://git@host.example:22/team/project.git",
            "git@host.example:team/project.git",
            "host.example:/team/project.git",
            "https://host.example/team/project?token=secret",
        ] {
            let name = name_of(url);
            assert_eq!(name.as_deref(), Some("host.example/team/project"), "{url}");
        }
        for path in [
            "/srv/project.git",
            "../project",
            "C:\\project",
            "C:/project",
            "file:///srv/a",
        ] {
            assert_eq!(name_of(path), None, "{path}");
        }
    }

    #[test]
    fn what_a_clone_names_neither_begins_a_line_nor_grows() {
        for end in ["a\nssh-rsa AAAA", "a\rb", "a\u{1b}[2J", "a\u{85}b"] {
            assert_eq!(name_of(&format!("https://host.example/{end}")), None);
            assert_eq!(name_of(&format!("git@host.example:{end}")), None);
        }
        let of = |length: usize| name_of(&format!("host.example:{}", "a".repeat(length)));
        let path = MOST - "host.example/".len();
        assert_eq!(of(path).map(|name| name.len()), Some(MOST));
        assert_eq!(of(path + 1), None);
    }
}
