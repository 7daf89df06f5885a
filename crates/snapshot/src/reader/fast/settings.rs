//! The settings that affect comparing and listing.

use std::path::{Path, PathBuf};

use crate::config::Config;
use crate::{Limits, Repository, Unreadable};

/// The settings of git-config(1) that change what differs from HEAD.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of git's own"
)]
pub(super) struct Settings {
    /// `core.fileMode`: the execute bit counts.
    pub(super) file_mode: bool,
    /// `core.symlinks`: a link is stored as a link, and not as a file that contains its target.
    pub(super) symlinks: bool,
    /// `core.trustctime`.
    pub(super) trust_ctime: bool,
    /// `core.checkStat` is not `minimal`.
    pub(super) check_stat: bool,
    /// `core.precomposeUnicode`: names are listed in a form that differs from the one on disk.
    pub(super) precompose: bool,
    /// `core.sparseCheckout`, unless `sparse.expectFilesOutsideOfPatterns` is set: a path that is
    /// left out counts again if it exists.
    pub(super) sparse: bool,
    /// `core.autocrlf` is not off: the content of any file may be rewritten.
    pub(super) rewrites: bool,
    /// What determines the ignore rules.
    pub(super) ignoring: Ignoring,
    /// `core.attributesFile`, or git's default for it.
    pub(super) attributes: Option<PathBuf>,
}

/// The settings that change what is ignored.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Ignoring {
    /// `core.ignoreCase`.
    pub(crate) ignore_case: bool,
    /// `core.excludesFile`, or git's default for it.
    pub(crate) excludes: Option<PathBuf>,
}

impl Settings {
    /// Reads the settings of a repository.
    pub(super) fn read(
        config: &Config<'_>,
        repository: &Repository,
        limits: &Limits,
    ) -> Result<Self, Unreadable> {
        let check_stat = config.text("core.checkstat")?;
        let autocrlf = config.text("core.autocrlf")?;
        let attributes = place(
            config,
            repository,
            limits,
            "core.attributesfile",
            "attributes",
        )?;
        Ok(Self {
            file_mode: config.flag("core.filemode", true)?,
            symlinks: config.flag("core.symlinks", true)?,
            trust_ctime: config.flag("core.trustctime", true)?,
            check_stat: check_stat.is_none_or(|text| !text.eq_ignore_ascii_case("minimal")),
            // On other systems git does not know it.
            precompose: cfg!(target_os = "macos")
                && config.flag("core.precomposeunicode", false)?,
            sparse: config.flag("core.sparsecheckout", false)?
                && !config.flag("sparse.expectfilesoutsideofpatterns", false)?,
            rewrites: autocrlf.is_some_and(|text| {
                let off = ["false", "no", "off", "0", ""];
                !off.iter().any(|off| text.eq_ignore_ascii_case(off))
            }),
            ignoring: Ignoring::read(config, repository, limits)?,
            attributes,
        })
    }
}

impl Ignoring {
    /// Reads the settings of a repository.
    pub(crate) fn read(
        config: &Config<'_>,
        repository: &Repository,
        limits: &Limits,
    ) -> Result<Self, Unreadable> {
        Ok(Self {
            ignore_case: config.flag("core.ignorecase", false)?,
            excludes: place(config, repository, limits, "core.excludesfile", "ignore")?,
        })
    }
}

/// The file that the setting `name` gives, or the one in git's folder in the person's home. git
/// resolves a relative path from the top of the work tree.
fn place(
    config: &Config<'_>,
    repository: &Repository,
    limits: &Limits,
    name: &str,
    default: &str,
) -> Result<Option<PathBuf>, Unreadable> {
    match config.path(name, repository, limits)? {
        Some(path) if path.as_os_str().is_empty() => Ok(None),
        Some(path) => Ok(Some(repository.root.join(path))),
        None => Ok(home_of_git().map(|home| home.join(default))),
    }
}

/// git's folder in the person's home.
#[expect(
    clippy::disallowed_methods,
    reason = "git's own rule for where the person's files are; no setting of attest"
)]
fn home_of_git() -> Option<PathBuf> {
    let folder = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    match folder("XDG_CONFIG_HOME") {
        Some(config) => Some(Path::new(&config).join("git")),
        None => Some(Path::new(&folder("HOME")?).join(".config/git")),
    }
}
