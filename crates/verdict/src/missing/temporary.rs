//! Places where nothing is meant to stay.

use std::path::Path;

/// Folders in which nothing is meant to stay.
const TEMPORARY: [&str; 8] = [
    "tmp",
    "temp",
    ".tmp",
    ".temp",
    "scratch",
    ".scratch",
    "scratchpad",
    "tmpdir",
];
/// Where systems have folders of that kind.
const SYSTEM: [&str; 4] = ["/tmp", "/var/tmp", "/var/folders", "/private/tmp"];

/// Whether nothing is meant to stay at the place.
pub(super) fn is_temporary(name: &str, root: &Path) -> bool {
    let path = Path::new(name);
    let inside = path.strip_prefix(root).unwrap_or(path);
    let is_outside = inside.is_absolute();
    let mut folders = inside.parent().into_iter().flat_map(Path::components);
    let is_named = folders.any(|folder| {
        let folder = folder.as_os_str().to_string_lossy().to_lowercase();
        TEMPORARY.contains(&folder.as_str())
    });
    is_named || is_outside && SYSTEM.iter().any(|folder| inside.starts_with(folder))
}
