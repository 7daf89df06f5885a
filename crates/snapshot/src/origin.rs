//! What names a repository on all machines: where it was cloned from, without who did so.

/// A host with a path: of all ways to reach a repository the same.
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
    (host.len() > 1).then(|| format!("{host}/{path}"))
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
}
