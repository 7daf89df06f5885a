//! The package of a host that has one of its own: what the host's own command installs.

use std::fs;
use std::path::Path;

use attest_host::Host;

use super::{LAUNCHER_FILE, LAUNCHER_HEAD, PluginError, PluginFile};
pub(crate) use crate::in_force::PACKAGES as FOLDER;

/// The program in a package that is for every machine.
const ANY: &str = "attest";

/// The files of the package.
pub(super) fn files(
    host: &'static dyn Host,
    program: &Path,
) -> Result<Vec<PluginFile>, PluginError> {
    let package = host
        .profile()
        .package
        .ok_or(PluginError::NoPackage(host.name()))?;
    let launcher = package.has_launcher.then(|| launcher(host, program));
    let own = package.files.iter();
    let own = own.map(|file| (file.name, file.written_for(ANY).into_bytes(), false));
    Ok(own.chain(launcher.transpose()?).collect())
}

#[cfg(not(windows))]
fn launcher(_: &dyn Host, program: &Path) -> Result<PluginFile, PluginError> {
    let content = super::launcher(program)?.into_bytes();
    Ok((LAUNCHER_FILE, content, true))
}

#[cfg(windows)]
fn launcher(host: &dyn Host, _: &Path) -> Result<PluginFile, PluginError> {
    Err(PluginError::NoShell(host.name()))
}

/// Whether a folder in that of the package has files of it.
pub(super) fn is_part(host: &dyn Host, name: &Path) -> bool {
    let package = host.profile().package;
    let names = package.iter().flat_map(|package| package.files);
    let mut names = names.map(|file| file.name).chain([LAUNCHER_FILE]);
    names.any(|file| Path::new(file).parent() == Some(name))
}

/// Whether a file in the folder of a package is one that attest wrote, in this version or another.
pub(super) fn is_own(host: &dyn Host, folder: &Path, name: &Path) -> bool {
    let path = folder.join(name);
    let (Some(package), true) = (
        host.profile().package,
        path.symlink_metadata().is_ok_and(|it| it.is_file()),
    ) else {
        return false;
    };
    let content = fs::read(&path).unwrap_or_default();
    if package.has_launcher && name == Path::new(LAUNCHER_FILE) {
        return content.starts_with(LAUNCHER_HEAD.as_bytes());
    }
    let mut files = package.files.iter();
    files.any(|file| Path::new(file.name) == name && file.is_ours(&content))
}

#[cfg(all(test, unix))]
mod tests {
    use attest_host::hosts;
    use serde_json::Value;

    use super::super::{What, write_all};
    use super::*;

    fn packaged() -> Vec<&'static dyn Host> {
        let all = hosts::ALL.iter().copied();
        all.filter(|host| host.profile().package.is_some())
            .collect()
    }

    #[test]
    fn what_is_written_is_known_again_and_has_the_version_of_the_program() {
        assert!(packaged().len() > 2);
        for host in packaged() {
            let folder = tempfile::tempdir().unwrap();
            let write = |program| {
                write_all(folder.path(), What::Package(host), Path::new(program)).unwrap();
            };
            write("/opt/attest");
            let mut versions = 0;
            for (name, content, _) in files(host, Path::new("/opt/attest")).unwrap() {
                let name = Path::new(name);
                assert!(is_own(host, folder.path(), name), "{host:?} {name:?}");
                let inside = name.parent().unwrap();
                assert!(is_part(host, inside), "{host:?} {name:?}");
                let json: Value = serde_json::from_slice(&content).unwrap_or_default();
                if let Some(version) = json["version"].as_str() {
                    assert_eq!(version, env!("CARGO_PKG_VERSION"), "{name:?}");
                    versions += 1;
                }
            }
            assert_eq!(versions, 1, "{host:?}");
            write("/opt/other");
        }
    }

    #[test]
    fn a_package_for_every_machine_names_no_path_of_this_one() {
        for host in packaged() {
            let launched = host.profile().package.unwrap().has_launcher;
            for (name, content, _) in files(host, Path::new("/opt/attest")).unwrap() {
                let text = String::from_utf8(content).unwrap();
                let is_named = text.contains("/opt/attest");
                assert_eq!(is_named, launched && name == LAUNCHER_FILE, "{name}");
                assert!(!text.contains("@attest@"), "{name}");
            }
        }
    }

    #[test]
    fn a_file_of_somebody_else_is_not_written_over() {
        for host in packaged() {
            for (name, ..) in files(host, Path::new("/opt/attest")).unwrap() {
                let folder = tempfile::tempdir().unwrap();
                let path = folder.path().join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(&path, "mine").unwrap();
                let written = write_all(folder.path(), What::Package(host), Path::new("/a"));
                assert!(
                    matches!(written, Err(PluginError::NotOurs { .. })),
                    "{name}"
                );
                assert_eq!(fs::read(&path).unwrap(), b"mine");
            }
        }
    }
}
