//! The program that the hooks run, and how their entries name it.

use std::path::{Path, PathBuf};

use attest_host::settings::{CallForm, is_attest};

use super::InstallArgs;
use crate::install_error::InstallError;
use attest_base::env::{self, Env};

/// The program for the hooks, as an absolute path that an entry can be recognised by later.
pub(super) fn wanted(args: &InstallArgs, env: &Env) -> Result<String, InstallError> {
    let path = match args.binary.as_deref() {
        Some(path) => std::path::absolute(path).unwrap_or_else(|_| path.to_owned()),
        None => this_program(env)?,
    };
    let refuse = |why| {
        Err(InstallError::Binary {
            path: path.clone(),
            why,
        })
    };
    let Some(text) = path.to_str() else {
        return refuse("its path is not UTF-8, which JSON cannot hold");
    };
    if !args.dry_run && !path.is_file() {
        return refuse("there is no such file");
    }
    if !is_attest(text) {
        return refuse("a hook entry is recognised by the name attest");
    }
    if text.contains("${") {
        return refuse("the host would replace the ${...} in its path");
    }
    Ok(text.to_owned())
}

/// This program by the name that the PATH has for it: that one survives an update by a package
/// manager, which changes the folder that a link leads to.
pub(crate) fn this_program(env: &Env) -> Result<PathBuf, InstallError> {
    let exact = std::env::current_exe().map_err(InstallError::CurrentProgram)?;
    let real = |path: &Path| attest_snapshot::canonical(path).ok();
    let folders = env.get(env::PATH).map(std::env::split_paths);
    let folders = folders.into_iter().flatten().chain(homebrew(&exact));
    let lasting = folders.into_iter().find_map(|folder| {
        let candidate = folder.join(format!("attest{}", std::env::consts::EXE_SUFFIX));
        (folder.is_absolute() && real(&candidate).is_some() && real(&candidate) == real(&exact))
            .then_some(candidate)
    });
    Ok(lasting.unwrap_or(exact))
}

/// The folder for programs of the Homebrew that this program belongs to, which the PATH may lack.
fn homebrew(program: &Path) -> Option<PathBuf> {
    let cellar = program.ancestors().find(|it| it.ends_with("Cellar"))?;
    Some(cellar.parent()?.join("bin"))
}

/// The program as an entry of this form names it. A command line on Windows is for one of three shells, and only
/// this slash means the same to all of them.
pub(super) fn for_form(binary: &str, form: CallForm) -> String {
    if cfg!(windows) && form == CallForm::Shell {
        return binary.replace('\\', "/");
    }
    binary.to_owned()
}
