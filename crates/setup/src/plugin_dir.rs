//! `attest plugin-dir`: writes the plugin of Claude Code, which other hosts load too, or the package of a host that
//! has one of its own, and says where.

pub(super) mod package;

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use attest_host::{Host, hosts};
use attest_state::private;
use clap::Args;
use serde_json::{Value, json};
use thiserror::Error;

use crate::install::this_program;
use crate::install_error::InstallError;
use attest_base::config::Config;
use attest_base::env::{Env, NoHome};
use attest_base::error::CommandError;
use attest_base::exit_status::ExitStatus;
use attest_base::targets;
use attest_base::ui::Ui;

const MANIFEST: &str = include_str!("../../../.claude-plugin/plugin.json");
const MARKETPLACE: &str = include_str!("../../../.claude-plugin/marketplace.json");
const HOOKS: &str = include_str!("../../../hooks/hooks.json");
const LAUNCHER: &str = include_str!("../../../bin/attest");
const README: &str = include_str!("../../../.claude-plugin/README.md");
const SKILL: &str = include_str!("../../../skills/attest-report/SKILL.md");
const ICON: &[u8] = include_bytes!("../../../.claude-plugin/icon.png");
/// The name of the plugin.
const NAME: &str = "attest";
const MANIFEST_FILE: &str = ".claude-plugin/plugin.json";
const MARKETPLACE_FILE: &str = ".claude-plugin/marketplace.json";
const HOOKS_FILE: &str = "hooks/hooks.json";
const README_FILE: &str = "README.md";
const SKILL_FILE: &str = "skills/attest-report/SKILL.md";
const ICON_FILE: &str = ".claude-plugin/icon.png";
const LAUNCHER_FILE: &str = "bin/attest";
const PROGRAM_FILE: &str = "bin/attest.exe";
/// What the README begins with in every version.
const README_HEAD: &str = "# attest as a plugin\n";
/// What the skill begins with in every version.
const SKILL_HEAD: &str = "---\nname: attest-report\n";
/// What the launcher begins with in every version.
const LAUNCHER_HEAD: &str = "#!/bin/sh\n# Runs the attest that is installed.";
/// The line of the launcher that names the program.
const PROGRAM: &str = "program=attest\n";

/// Write attest's plugin for Claude Code, or the package of another host, and print its folder
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
    attest plugin-dir\n  \
    attest plugin-dir --host gemini\n  \
    attest plugin-dir --into ./attest-plugin")]
pub struct PluginDirArgs {
    /// The host, if it has a package of its own [default: claude-code, whose plugin others load too]
    #[arg(long, value_name = "NAME", value_parser = targets::host_names())]
    host: Option<&'static dyn Host>,
    /// The folder [default: ~/.attest/plugin, or one for the host in ~/.attest/packages]
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,
}

/// Why there is no plugin.
#[derive(Debug, Error)]
enum PluginError {
    #[error("nowhere to put the plugin")]
    NoHome(#[source] NoHome),
    #[error("cannot write {}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("{} is there already, and is not of the plugin", path.display())]
    NotOurs { path: PathBuf },
    #[error("cannot use {}: {why}", path.display())]
    Path { path: PathBuf, why: &'static str },
    #[error("{0} has no package of its own")]
    NoPackage(&'static str),
    #[cfg_attr(not(windows), expect(dead_code, reason = "there is a shell"))]
    #[error("the package of {0} needs a shell, which is not here")]
    NoShell(&'static str),
}

/// What is written: the plugin, or the package of a host.
#[derive(Debug, Clone, Copy)]
pub(super) enum What {
    Plugin,
    Package(&'static dyn Host),
}

impl What {
    fn of(args: &PluginDirArgs) -> Self {
        let is_usual = |host: &&'static dyn Host| host.name() == hosts::usual().name();
        match args.host.filter(|host| !is_usual(host)) {
            None => Self::Plugin,
            Some(host) => Self::Package(host),
        }
    }

    /// Its folder in that of attest.
    fn folder(self) -> PathBuf {
        match self {
            Self::Plugin => PathBuf::from("plugin"),
            Self::Package(host) => Path::new(package::FOLDER).join(host.name()),
        }
    }

    fn files(self, program: &Path) -> Result<Vec<PluginFile>, PluginError> {
        match self {
            Self::Plugin => files(program),
            Self::Package(host) => package::files(host, program),
        }
    }

    /// Whether a folder, by its path in that of the whole, has files of it or folders with some.
    pub(super) fn is_part(self, name: &Path) -> bool {
        match self {
            Self::Plugin => is_part(name),
            Self::Package(host) => package::is_part(host, name),
        }
    }

    /// Whether a file in its folder is one that attest wrote, in this version or another.
    pub(super) fn is_own(self, folder: &Path, name: &Path) -> bool {
        match self {
            Self::Plugin => is_own(folder, name),
            Self::Package(host) => package::is_own(host, folder, name),
        }
    }
}

pub(super) fn run(
    ui: &mut Ui,
    env: &Env,
    args: &PluginDirArgs,
) -> Result<ExitStatus, CommandError> {
    let program = this_program(env).map_err(InstallError::hinted)?;
    let what = What::of(args);
    let folder = match &args.into {
        Some(folder) => std::path::absolute(folder).unwrap_or_else(|_| folder.clone()),
        None => home(ui, env, what).map_err(|error| {
            CommandError::from(error)
                .hinted("name a folder with --into, or set HOME to an absolute path")
        })?,
    };
    let printed = text(&folder)?.to_owned();
    write_all(&folder, what, &program).map_err(|error| {
        let hint = match &error {
            PluginError::NotOurs { .. } => "name an empty folder with --into".to_owned(),
            PluginError::NoPackage(name) | PluginError::NoShell(name) => {
                format!("`attest install --host {name}` adds its hooks")
            }
            _ => return CommandError::from(error),
        };
        CommandError::from(error).hinted(hint)
    })?;
    ui.say(&printed)?;
    Ok(ExitStatus::Success)
}

fn home(ui: &mut Ui, env: &Env, what: What) -> Result<PathBuf, PluginError> {
    let folder = match Config::of_command(ui, env).folder {
        Some(folder) => folder,
        None => env
            .home_or_why()
            .map_err(PluginError::NoHome)?
            .join(".attest"),
    };
    let path = folder.join(what.folder());
    // The state comes into the folder above it, which is nobody else's.
    match private::make_folder(&path) {
        Ok(()) => Ok(path),
        Err(source) => Err(PluginError::Write { path, source }),
    }
}

fn write_all(folder: &Path, what: What, program: &Path) -> Result<(), PluginError> {
    let files = what.files(program)?;
    // All of them first: half a plugin is no use to anybody.
    for (name, ..) in &files {
        let path = folder.join(name);
        if path.symlink_metadata().is_ok() && !what.is_own(folder, Path::new(name)) {
            return Err(PluginError::NotOurs { path });
        }
    }
    files.iter().try_for_each(|(name, content, is_program)| {
        let path = folder.join(name);
        let written = write(&path, content, *is_program);
        written.map_err(|source| PluginError::Write { path, source })
    })
}

/// A file of the plugin: its name, what is in it, and whether it is a program.
type PluginFile = (&'static str, Vec<u8>, bool);

fn files(program: &Path) -> Result<Vec<PluginFile>, PluginError> {
    let launcher = if cfg!(windows) {
        let copied = fs::read(program).map_err(|source| PluginError::Write {
            path: program.to_owned(),
            source,
        })?;
        (PROGRAM_FILE, copied, true)
    } else {
        (LAUNCHER_FILE, launcher(program)?.into_bytes(), true)
    };
    Ok(vec![
        (MANIFEST_FILE, MANIFEST.into(), false),
        (MARKETPLACE_FILE, marketplace().into_bytes(), false),
        (HOOKS_FILE, HOOKS.into(), false),
        (README_FILE, README.into(), false),
        (SKILL_FILE, SKILL.into(), false),
        (ICON_FILE, ICON.into(), false),
        launcher,
    ])
}

fn is_part(name: &Path) -> bool {
    let files = [MANIFEST_FILE, HOOKS_FILE, LAUNCHER_FILE, SKILL_FILE].map(Path::new);
    files
        .iter()
        .any(|file| file.starts_with(name) && *file != name)
}

fn is_own(folder: &Path, name: &Path) -> bool {
    let path = folder.join(name);
    if !path.symlink_metadata().is_ok_and(|it| it.is_file()) {
        return false;
    }
    // A program and a picture say nothing of themselves; what is beside them does.
    if [PROGRAM_FILE, ICON_FILE].map(Path::new).contains(&name) {
        return is_own(folder, Path::new(MANIFEST_FILE));
    }
    let Ok(content) = fs::read(&path) else {
        return false;
    };
    let heads = [
        (LAUNCHER_FILE, LAUNCHER_HEAD),
        (README_FILE, README_HEAD),
        (SKILL_FILE, SKILL_HEAD),
    ];
    if let Some((_, head)) = heads.iter().find(|(file, _)| name == Path::new(file)) {
        return content.starts_with(head.as_bytes());
    }
    let value: Value = serde_json::from_slice(&content).unwrap_or_default();
    match name.to_str() {
        Some(MANIFEST_FILE) => value["name"] == NAME,
        Some(MARKETPLACE_FILE) => value["name"] == NAME && value["plugins"][0]["name"] == NAME,
        Some(HOOKS_FILE) => value["description"]
            .as_str()
            .is_some_and(|it| it.starts_with("attest: ")),
        _ => false,
    }
}

/// The plugin as it is offered from its own folder, for a host that knows no other source.
fn marketplace() -> String {
    let mut marketplace: Value = serde_json::from_str(MARKETPLACE).unwrap_or_default();
    marketplace["plugins"][0]["source"] = json!("./");
    format!("{marketplace:#}\n")
}

/// The launcher with the path of the program: a hook need not have the person's PATH. The program itself
/// is not copied, so that it is always the one that is installed.
fn launcher(program: &Path) -> Result<String, PluginError> {
    let quoted = text(program)?.replace('\'', r"'\''");
    Ok(LAUNCHER.replace(PROGRAM, &format!("program='{quoted}'\n")))
}

/// A path that can be written into a line.
fn text(path: &Path) -> Result<&str, PluginError> {
    let refuse = |why| PluginError::Path {
        path: path.to_owned(),
        why,
    };
    let text = path.to_str();
    let text = text.ok_or_else(|| refuse("its path is not UTF-8"))?;
    if text.contains(char::is_control) {
        return Err(refuse("its path has a control character"));
    }
    Ok(text)
}

/// Writes a file, unless it is there and right: hosts copy the folder while others may call this.
fn write(path: &Path, content: &[u8], is_program: bool) -> io::Result<()> {
    if fs::read(path).is_ok_and(|there| there == content) {
        return Ok(());
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    private::make_open_folder(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(content)?;
    set_mode(file.as_file(), is_program)?;
    file.persist(path)?;
    Ok(())
}

#[cfg(unix)]
fn set_mode(file: &fs::File, is_program: bool) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = if is_program { 0o755 } else { 0o644 };
    file.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "Unix has modes")]
fn set_mode(_file: &fs::File, _is_program: bool) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use attest_host::hosts;

    #[test]
    fn the_plugin_has_the_hooks_of_the_settings() {
        let plugin: Value = serde_json::from_str(HOOKS).unwrap();
        // The plugin is one file for every version.
        let all = hosts::usual().wiring().hooks().iter();
        let specs: Vec<_> = all.filter(|spec| spec.since.is_none()).collect();
        let events = plugin["hooks"].as_object().unwrap();
        // Only droid, which loads the plugin too, begins its turns with that; to the others it says nothing.
        let others = &events["SessionStart"][0]["hooks"][0];
        assert_eq!(others["args"], json!(["hook", "event", "--plugin"]));
        assert_eq!(events.len(), specs.len() + 1);
        for spec in specs {
            let group = &events[spec.event][0];
            assert_eq!(group["matcher"].as_str(), spec.matcher, "{}", spec.event);
            let hook = &group["hooks"][0];
            assert_eq!(hook["command"], "${CLAUDE_PLUGIN_ROOT}/bin/attest");
            assert_eq!(hook["args"], json!(["hook", spec.verb, "--plugin"]));
            assert_eq!(hook["timeout"], spec.timeout);
        }
    }

    #[test]
    fn the_plugin_has_the_version_of_the_program() {
        let manifest: Value = serde_json::from_str(MANIFEST).unwrap();
        assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
        let own: Value = serde_json::from_str(&marketplace()).unwrap();
        assert_eq!(own["plugins"][0]["name"], manifest["name"]);
        assert_eq!(own["plugins"][0]["source"], "./");
    }

    #[test]
    fn what_is_written_is_known_again() {
        let folder = tempfile::tempdir().unwrap();
        let this = |program| write_all(folder.path(), What::Plugin, Path::new(program));
        this("/opt/attest").unwrap();
        for (name, ..) in files(Path::new("/opt/attest")).unwrap() {
            assert!(is_own(folder.path(), Path::new(name)), "{name}");
            assert!(is_part(Path::new(name).parent().unwrap()), "{name}");
        }
        this("/opt/other").unwrap();
    }

    #[test]
    fn the_plugin_of_somebody_else_is_not_written_over() {
        for name in [
            MANIFEST_FILE,
            MARKETPLACE_FILE,
            HOOKS_FILE,
            LAUNCHER_FILE,
            README_FILE,
            SKILL_FILE,
            ICON_FILE,
        ] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "{\"name\": \"mine\"}").unwrap();
            let written = write_all(folder.path(), What::Plugin, Path::new("/opt/attest"));
            assert!(
                matches!(written, Err(PluginError::NotOurs { .. })),
                "{name}"
            );
            assert_eq!(fs::read(&path).unwrap(), b"{\"name\": \"mine\"}");
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        }
    }

    #[test]
    fn the_launcher_names_the_program_as_one_word() {
        let launcher = launcher(Path::new("/opt/my 'own'/attest")).unwrap();
        assert!(launcher.contains("program='/opt/my '\\''own'\\''/attest'\n"));
        assert!(text(Path::new("/a\nb")).is_err());
    }
}
