//! Where nobody looks because somebody else names it: a look may mount another machine's disk and wait for it, or
//! reach a device. What is there leaves a doubt, and proves nothing.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

use attest_evidence::{Doubt, apart, path_bytes};

use crate::around::MOST_LINKS;
use crate::nothing::is_missing;
use crate::{Limits, RepoPath};

/// Where an automounter has a folder for each machine.
const NET: &str = "/net";

impl Limits {
    /// The same for whoever names this folder of their own accord: it is looked at wherever it lies.
    #[must_use]
    pub fn trusting(&self, folder: &Path) -> Self {
        let mut limits = self.clone();
        limits.trusted.extend(std::path::absolute(folder));
        limits
    }

    /// Whether a place is looked at that somebody else names. No link on the way is followed before what it leads to
    /// is known to be looked at.
    pub fn may_look(&self, place: &Path) -> Result<(), Doubt> {
        // Where this process or the person is already, whatever is mounted there.
        let here = std::env::current_dir().ok();
        let mut known = self.trusted.iter().chain(&here);
        if known.any(|known| known.parent().is_some() && known.starts_with(place)) {
            return Ok(());
        }
        Ground::of(self).check(place)
    }

    /// The same of what lies below a work tree that is looked at itself: a link there may lead anywhere.
    pub(crate) fn may_look_below(&self, root: &Path, path: &RepoPath) -> Result<(), Doubt> {
        let mut above: Vec<_> = path.ancestors().collect();
        while let Some(place) = above.pop().and_then(|folder| folder.under(root)) {
            self.may_open(&place)?;
        }
        Ok(())
    }

    /// The same of a name in a folder that was looked at.
    pub(crate) fn may_open(&self, place: &Path) -> Result<(), Doubt> {
        match fs::symlink_metadata(place) {
            Ok(metadata) if metadata.is_symlink() => self.may_look(place),
            _ => Ok(()),
        }
    }
}

/// Asks the same of many places, of which most are in a few folders.
pub(crate) struct Lookout {
    ground: Ground<'static>,
    /// Folders that were gone through, and what each is without links.
    folders: HashMap<PathBuf, PathBuf>,
}

impl Lookout {
    pub(crate) fn within(limits: &Limits) -> Self {
        Self {
            ground: Ground::of(limits),
            folders: HashMap::new(),
        }
    }

    pub(crate) fn check(&mut self, place: &Path) -> Result<(), Doubt> {
        /// Folders above a place that may be known.
        const NEAR: usize = 4;
        let near = place.ancestors().skip(1).take(NEAR);
        let known = near.filter_map(|above| Some((self.folders.get(above)?, above)));
        let known = known.map(|(real, above)| (real.clone(), place.strip_prefix(above)));
        let (here, rest) = match known.into_iter().next() {
            Some((real, Ok(rest))) => (real, rest),
            _ => (PathBuf::from("/"), place),
        };
        let Some(folder) = place.parent().filter(|_| place.is_absolute()) else {
            return self.ground.check(place);
        };
        let mut left = names(rest);
        let last = left.first().cloned();
        left.drain(..1.min(left.len()));
        if let Some(real) = self.ground.follow(here, left)? {
            self.ground
                .follow(real.clone(), last.into_iter().collect())?;
            self.folders.insert(folder.to_owned(), real);
        }
        Ok(())
    }
}

/// What decides whether a place is looked at.
struct Ground<'g> {
    /// Places that are looked at wherever they lie, with what is above and below: somebody works there already.
    known: Vec<PathBuf>,
    mounts: &'g [Mount],
}

impl Ground<'static> {
    fn of(limits: &Limits) -> Self {
        let here = std::env::current_dir().ok();
        let known = limits.trusted.iter().cloned().chain(here);
        Self::around(known.collect(), of_this_machine())
    }
}

impl<'g> Ground<'g> {
    /// What is mounted where a place is that is known is mounted already.
    fn around(known: Vec<PathBuf>, mounts: &'g [Mount]) -> Self {
        let mut ground = Self { known, mounts };
        let points = ground.known.iter().filter_map(|it| ground.mount_of(it));
        let points: Vec<_> = points.map(|mount| mount.point.clone()).collect();
        ground.known.extend(points);
        ground.known.retain(|known| known.parent().is_some());
        ground
    }

    fn check(&self, place: &Path) -> Result<(), Doubt> {
        if cfg!(unix) && place.is_absolute() {
            self.follow(PathBuf::from("/"), names(place))?;
        }
        Ok(())
    }

    /// Goes on from a folder without links, the last name first. `None` if something on the way is not there: nothing is
    /// behind it, and nobody is asked for more.
    fn follow(&self, mut here: PathBuf, mut left: Vec<OsString>) -> Result<Option<PathBuf>, Doubt> {
        let mut links = 0;
        while let Some(name) = left.pop() {
            if name == ".." {
                here.pop();
                continue;
            }
            let next = here.join(name);
            if !self.allows(&next) {
                return Err(Doubt::NotLookedAt);
            }
            match fs::read_link(&next) {
                Ok(_) if links == MOST_LINKS => return Ok(None),
                Ok(target) => {
                    links += 1;
                    if target.is_absolute() {
                        here = PathBuf::from("/");
                    }
                    left.extend(names(&target));
                }
                Err(error) if is_missing(&error) => {
                    let whole = left.iter().rev().fold(next, |path, name| path.join(name));
                    let is_allowed = self.allows(&whole) && !self.is_waiting(&whole);
                    return is_allowed.then_some(None).ok_or(Doubt::NotLookedAt);
                }
                Err(_) => here = next,
            }
        }
        if self.is_waiting(&here) {
            return Err(Doubt::NotLookedAt);
        }
        Ok(Some(here))
    }

    /// Whether a look into the place would mount something there.
    fn is_waiting(&self, place: &Path) -> bool {
        self.automount_of(place) == Some(place)
    }

    /// Whether the system may be asked for a name, all folders above which were looked at.
    fn allows(&self, place: &Path) -> bool {
        if self.automount_of(place).is_some_and(|point| point != place) {
            return self.there().any(|there| there.starts_with(place));
        }
        apart(&path_bytes(place)).is_none() || self.is_known(place)
    }

    /// Where something is mounted that is no automount.
    fn there(&self) -> impl Iterator<Item = &Path> {
        let there = self.mounts.iter().filter(|mount| !mount.is_automatic);
        there.map(|mount| mount.point.as_path())
    }

    fn is_known(&self, place: &Path) -> bool {
        let mut known = self
            .there()
            .filter(|point| point.starts_with(NET) && *point != Path::new(NET))
            .chain(self.known.iter().map(PathBuf::as_path));
        known.any(|known| place.starts_with(known) || known.starts_with(place))
    }

    /// Where the automount is that the place is in, if it is in one. Most machines have none to ask of all mounts.
    fn automount_of(&self, place: &Path) -> Option<&'g Path> {
        let mut automatic = self.mounts.iter().filter(|mount| mount.is_automatic);
        automatic.find(|mount| place.starts_with(&mount.point))?;
        let mount = self.mount_of(place).filter(|mount| mount.is_automatic)?;
        Some(&mount.point)
    }

    /// What is mounted where the place is. Of two at one point the last one counts.
    fn mount_of(&self, place: &Path) -> Option<&'g Mount> {
        let around = self.mounts.iter();
        let around = around.filter(|mount| place.starts_with(&mount.point));
        around.max_by_key(|mount| mount.point.components().count())
    }
}

/// The names in a path, the last first.
fn names(path: &Path) -> Vec<OsString> {
    let names = path.components().rev().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        Component::Prefix(_) | Component::RootDir | Component::CurDir => None,
    });
    names.collect()
}

/// Something that is mounted.
#[derive(Debug, PartialEq, Eq)]
struct Mount {
    point: PathBuf,
    /// Whether a look below it mounts something else.
    is_automatic: bool,
}

fn of_this_machine() -> &'static [Mount] {
    static MOUNTS: OnceLock<Vec<Mount>> = OnceLock::new();
    MOUNTS.get_or_init(|| {
        let known = cfg!(target_os = "linux").then(|| fs::read("/proc/self/mountinfo"));
        let known = known.and_then(Result::ok).unwrap_or_default();
        known
            .split(|byte| *byte == b'\n')
            .filter_map(mount)
            .collect()
    })
}

/// A line of `mountinfo` (see `proc_pid_mountinfo(5)`).
fn mount(line: &[u8]) -> Option<Mount> {
    let mut fields = line.split(|byte| *byte == b' ');
    let point = unescaped(fields.nth(4)?);
    let kind = fields.skip_while(|field| *field != b"-").nth(1)?;
    Some(Mount {
        point: attest_evidence::exact_path_of_bytes(&point)?,
        is_automatic: kind == b"autofs",
    })
}

/// A field in which three octal digits behind a backslash stand for a byte.
fn unescaped(field: &[u8]) -> Vec<u8> {
    let mut rest = field;
    let mut bytes = Vec::with_capacity(rest.len());
    while let [first, after @ ..] = rest {
        let digits = after.get(..3).filter(|_| *first == b'\\');
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 8).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &after[3..] } else { after };
    }
    bytes
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    const INFO: &str = "\
22 1 8:1 / / rw - ext4 /dev/sda1 rw
30 22 0:40 / /home rw,relatime shared:9 - autofs auto.home rw,fd=6
31 30 0:41 / /home/me rw - nfs4 server:/home/me rw
32 22 0:42 / /net rw - autofs -hosts rw
33 32 0:43 / /net/near/export rw - nfs4 near:/export rw
34 22 0:44 / /mnt/my\\040disk rw - autofs systemd-1 rw
35 34 0:45 / /mnt/my\\040disk rw - ext4 /dev/sdb1 rw
36 22 0:46 / /mnt/other rw - autofs systemd-1 rw
";

    fn is_looked_at(place: &Path, known: &[&Path]) -> bool {
        let mounts: Vec<_> = INFO
            .lines()
            .filter_map(|line| mount(line.as_bytes()))
            .collect();
        assert_eq!(mounts.len(), INFO.lines().count());
        let known = known.iter().map(|known| known.to_path_buf()).collect();
        Ground::around(known, &mounts).check(place).is_ok()
    }

    #[test]
    fn nobody_looks_below_an_automount_or_at_a_device() {
        for place in [
            "/net/far/a.py",
            "/net/near/other/a.py",
            "/home/other/a.py",
            "/mnt/other",
            "/mnt/other/a.py",
            "/proc/self/fd/0",
            "/sys/a.py",
            "/dev/shm/a.py",
            "/tmp/../proc/self/cwd",
        ] {
            assert!(!is_looked_at(Path::new(place), &[]), "{place}");
        }
    }

    #[test]
    fn what_is_mounted_is_looked_at_and_so_is_where_the_person_works() {
        for place in [
            "/home/me/a.py",
            "/net/near/export/a.py",
            "/mnt/my disk/a.py",
            "/srv/a.py",
        ] {
            assert!(is_looked_at(Path::new(place), &[]), "{place}");
        }
        let known = [Path::new("/dev/shm/project")];
        for place in ["/dev/shm/project/a.py", "/dev/shm"] {
            assert!(is_looked_at(Path::new(place), &known), "{place}");
        }
        assert!(!is_looked_at(Path::new("/dev/shm/other/a.py"), &known));
    }

    #[test]
    fn a_link_is_not_followed_to_such_a_place() {
        let folder = tempfile::TempDir::new().unwrap();
        let root = crate::canonical(folder.path()).unwrap();
        fs::create_dir(root.join("sub")).unwrap();
        symlink("/net/far", root.join("far")).unwrap();
        symlink("../far/../..", root.join("sub/through")).unwrap();
        symlink("sub", root.join("near")).unwrap();
        symlink("loop", root.join("loop")).unwrap();
        for place in ["far", "far/a.py", "sub/through", "near/through/a.py"] {
            assert!(!is_looked_at(&root.join(place), &[]), "{place}");
        }
        for place in ["near/a.py", "near/../sub", "loop/a.py", "not/there"] {
            assert!(is_looked_at(&root.join(place), &[]), "{place}");
        }
        let limits = Limits::default();
        let below = |path: &[u8]| limits.may_look_below(&root, &RepoPath::from_git(path).unwrap());
        assert_eq!(below(b"far/a.py"), Err(Doubt::NotLookedAt));
        assert_eq!(below(b"near/a.py"), Ok(()));
        assert_eq!(below(b"far"), Ok(()), "a link itself is in the work tree");
    }
}
