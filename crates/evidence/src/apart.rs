//! Places that are on no disk of this machine, as far as their names tell.

/// What a place is that is on no disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Apart {
    /// A device, or what the kernel makes up: nothing that is written there stays.
    Kernel,
    /// On another machine, or in memory: work may be there.
    Mounted,
}

/// What the place is that this absolute path names; `None` if that may be on a disk.
#[must_use]
pub fn apart(path: &[u8]) -> Option<Apart> {
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in path.split(|byte| *byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let is_whole = path.starts_with(b"/");
    match parts.as_slice() {
        [b"net", ..] | [b"dev", b"shm", ..] if is_whole => Some(Apart::Mounted),
        [b"proc" | b"sys" | b"dev", ..] if is_whole => Some(Apart::Kernel),
        _ => is_share(path).then_some(Apart::Mounted),
    }
}

/// `//host/share`, or with the other slash.
fn is_share(path: &[u8]) -> bool {
    let rest = path.strip_prefix(b"//").or(path.strip_prefix(br"\\"));
    rest.and_then(<[u8]>::first)
        .is_some_and(|first| !b"/\\".contains(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_tells_what_is_on_no_disk() {
        let found = |path: &str| apart(path.as_bytes());
        for path in [
            "/proc/self/fd/0",
            "/sys/x",
            "/dev/null",
            "/home/../dev/tty",
            "/dev",
        ] {
            assert_eq!(found(path), Some(Apart::Kernel), "{path}");
        }
        for path in [
            "/net/host/a.py",
            "//host/share/a.py",
            r"\\host\share",
            "/dev/shm/a.py",
        ] {
            assert_eq!(found(path), Some(Apart::Mounted), "{path}");
        }
        for path in [
            "/network/a.py",
            "net/a.py",
            "proc/a",
            "/home/net/a",
            "/dev/../a",
            "///a",
            "a.py",
        ] {
            assert_eq!(found(path), None, "{path}");
        }
    }
}
