//! What the configuration says about comparing and listing.

use std::path::{Path, PathBuf};

use git2::{Config, ErrorCode};

use super::Refusal;

/// The settings of git-config(1) that change what differs from HEAD.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of git's own"
)]
pub(super) struct Settings {
    /// `core.fileMode`: the execute bit counts.
    pub(super) file_mode: bool,
    /// `core.trustctime`.
    pub(super) trust_ctime: bool,
    /// `core.checkStat` is not `minimal`.
    pub(super) check_stat: bool,
    /// `core.precomposeUnicode`: names are listed in another form than they have on the disk.
    pub(super) precompose: bool,
    /// `core.sparseCheckout`, unless `sparse.expectFilesOutsideOfPatterns` is set: a path that is
    /// left out counts again when it is there.
    pub(super) sparse: bool,
    /// `core.autocrlf` is not off: the content of any file may be rewritten.
    pub(super) rewrites: bool,
    /// What decides about ignore rules.
    pub(super) ignoring: Ignoring,
    /// `core.attributesFile`, or where git looks without it.
    pub(super) attributes: Option<PathBuf>,
}

/// The settings that change what is ignored.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Ignoring {
    /// `core.ignoreCase`.
    pub(crate) ignore_case: bool,
    /// `core.excludesFile`, or where git looks without it.
    pub(crate) excludes: Option<PathBuf>,
}

impl Settings {
    /// Reads those of the work tree at `root`.
    pub(super) fn read(config: &Config, root: &Path) -> Result<Self, Refusal> {
        // Where links are plain files, their content has to be read as a target.
        if !flag(config, "core.symlinks", true)? {
            return Err(Refusal::Setting("core.symlinks"));
        }
        let check_stat = text(config, "core.checkstat")?;
        let autocrlf = text(config, "core.autocrlf")?;
        Ok(Self {
            file_mode: flag(config, "core.filemode", true)?,
            trust_ctime: flag(config, "core.trustctime", true)?,
            check_stat: check_stat.is_none_or(|text| !text.eq_ignore_ascii_case("minimal")),
            precompose: flag(config, "core.precomposeunicode", false)?,
            sparse: flag(config, "core.sparsecheckout", false)?
                && !flag(config, "sparse.expectfilesoutsideofpatterns", false)?,
            rewrites: autocrlf.is_some_and(|text| {
                let off = ["false", "no", "off", "0", ""];
                !off.iter().any(|off| text.eq_ignore_ascii_case(off))
            }),
            ignoring: Ignoring::read(config, root)?,
            attributes: place(config, root, "core.attributesfile", "attributes")?,
        })
    }
}

impl Ignoring {
    /// Reads those of the work tree at `root`.
    pub(crate) fn read(config: &Config, root: &Path) -> Result<Self, Refusal> {
        // libgit2 leaves out what is included on this condition, and git does not.
        let mut unknown = config.entries(Some(r"^includeif\.hasconfig:"))?;
        if unknown.next().is_some() {
            return Err(Refusal::Setting("includeIf.hasconfig"));
        }
        Ok(Self {
            ignore_case: flag(config, "core.ignorecase", false)?,
            excludes: place(config, root, "core.excludesfile", "ignore")?,
        })
    }
}

fn flag(config: &Config, name: &str, default: bool) -> Result<bool, Refusal> {
    match config.get_bool(name) {
        Ok(value) => Ok(value),
        Err(error) if error.code() == ErrorCode::NotFound => Ok(default),
        Err(error) => Err(error.into()),
    }
}

fn text(config: &Config, name: &str) -> Result<Option<String>, Refusal> {
    match config.get_string(name) {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.code() == ErrorCode::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The file that `name` names, or the one of git's own folder in the person's home. git reads a
/// relative path from the top of the work tree on.
fn place(
    config: &Config,
    root: &Path,
    name: &'static str,
    default: &str,
) -> Result<Option<PathBuf>, Refusal> {
    match config.get_path(name) {
        Ok(path) if path.as_os_str().is_empty() => Ok(None),
        // git has a folder of its own in mind, or a newer git another meaning.
        Ok(path)
            if path.starts_with("%(prefix)")
                || path.as_os_str().as_encoded_bytes().starts_with(b":(") =>
        {
            Err(Refusal::Setting(name))
        }
        Ok(path) => Ok(Some(root.join(path))),
        Err(error) if error.code() == ErrorCode::NotFound => {
            Ok(home_of_git().map(|home| home.join(default)))
        }
        Err(error) => Err(error.into()),
    }
}

/// git's own folder in the person's home.
#[expect(
    clippy::disallowed_methods,
    reason = "git's own rule for where the person's files are; no setting of attest"
)]
pub(crate) fn home_of_git() -> Option<PathBuf> {
    let folder = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    match folder("XDG_CONFIG_HOME") {
        Some(config) => Some(Path::new(&config).join("git")),
        None => Some(Path::new(&folder("HOME")?).join(".config/git")),
    }
}
