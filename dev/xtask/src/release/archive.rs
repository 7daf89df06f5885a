//! Packing files so that the same files are the same bytes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libdeflater::{CompressionLvl, Compressor};
use sha2::{Digest, Sha256};

use super::target::{System, Target};
use super::{Outcome, Release, build, printed, run_it, zip};

/// The shells, and the files that their completions are expected in.
const SHELLS: [(&str, &str); 4] = [
    ("bash", "attest.bash"),
    ("fish", "attest.fish"),
    ("powershell", "_attest.ps1"),
    ("zsh", "_attest"),
];

/// The README and what it links to, and what puts all of it in place.
const TEXTS: [&str; 7] = [
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "README.md",
    "SECURITY.md",
    "docs",
    INSTALLER,
];
/// A script for a shell, which Windows does not have.
const INSTALLER: &str = "install.sh";

/// What is in all archives beside the program.
pub(super) struct Extras(PathBuf);

impl Extras {
    #[cfg(test)]
    pub(super) fn at(folder: PathBuf) -> Self {
        Self(folder)
    }

    pub(super) fn folder(&self) -> &Path {
        &self.0
    }

    /// Has the first program that runs on this machine write them, or one that is built for it.
    pub(super) fn of(release: &Release, programs: &[(&Target, PathBuf)]) -> Outcome<Self> {
        let runs = |program: &&PathBuf| printed(Command::new(program).arg("--version")).is_ok();
        let program = programs.iter().map(|(_, program)| program).find(runs);
        let program = match program {
            Some(program) => program.clone(),
            None => build::for_this_machine(release)?,
        };
        let program = &program;
        let folder = release.scratch.join("extras");
        let completions = folder.join("completions");
        fs::create_dir_all(&completions)?;
        for (shell, file) in SHELLS {
            let script = printed(Command::new(program).args(["completions", shell]))?;
            fs::write(completions.join(file), script + "\n")?;
        }
        printed(
            Command::new(program)
                .arg("man")
                .arg(folder.join("man/man1")),
        )?;
        for name in TEXTS {
            let mut copy = Command::new("cp");
            copy.arg("-R").arg(release.top.join(name)).arg(&folder);
            run_it(&mut copy)?;
        }
        Ok(Self(folder))
    }
}

/// Packs the program for `target`.
pub(super) fn pack(
    release: &Release,
    target: &Target,
    program: &Path,
    extras: &Extras,
) -> Outcome<PathBuf> {
    let name = release.name(format_args!("-{}", target.triple));
    let folder = release.scratch.join(&name);
    run_it(Command::new("cp").arg("-R").arg(&extras.0).arg(&folder))?;
    fs::copy(program, folder.join(target.program()))?;
    if target.system == System::Windows {
        fs::remove_file(folder.join(INSTALLER))?;
        return zip::pack(release, &name, &target.archive(&release.version));
    }
    tar(release, &name)
}

/// Packs a folder of the scratch folder.
pub(super) fn tar(release: &Release, name: &str) -> Outcome<PathBuf> {
    let packed = release.scratch.join(format!("{name}.tar"));
    run_it(&mut tarred(release, &release.scratch, &packed, name))?;
    let archive = release.out.join(format!("{name}.tar.gz"));
    fs::write(&archive, compressed(&fs::read(&packed)?)?)?;
    Ok(archive)
}

/// The command that packs `name`, which is in `folder`, as `packed`.
pub(super) fn tarred(release: &Release, folder: &Path, packed: &Path, name: &str) -> Command {
    let mut tar = Command::new("tar");
    tar.current_dir(folder)
        .args([
            "--create",
            "--format=gnu",
            "--sort=name",
            "--owner=0",
            "--group=0",
            "--numeric-owner",
        ])
        // Whatever the umask was.
        .arg("--mode=u=rwX,go=rX")
        .arg(format!("--mtime=@{}", release.moment))
        .arg("--file")
        .arg(packed)
        .arg(name);
    tar
}

/// The same format as that of gzip, 3 % smaller, and without a name and a time. `Cargo.lock` says by which version.
pub(super) fn compressed(bytes: &[u8]) -> Outcome<Vec<u8>> {
    let mut compressor = Compressor::new(CompressionLvl::best());
    let mut all = vec![0; compressor.gzip_compress_bound(bytes.len())];
    let length = compressor.gzip_compress(bytes, &mut all)?;
    all.truncate(length);
    Ok(all)
}

/// Writes the checksums of all files, in the form that `sha256sum --check` reads.
pub(super) fn sums(release: &Release) -> Outcome<()> {
    let mut lines = Vec::new();
    for entry in fs::read_dir(&release.out)? {
        let path = entry?.path();
        let name = path.file_name().ok_or("a file without a name")?;
        lines.push((name.to_owned(), sha256(&path)?));
    }
    lines.sort();
    let mut text = String::new();
    for (name, sum) in lines {
        text.push_str(&format!("{sum}  {}\n", name.display()));
    }
    Ok(fs::write(release.out.join("SHA256SUMS"), text)?)
}

pub(crate) fn sha256(file: &Path) -> Outcome<String> {
    let sum = Sha256::digest(fs::read(file)?);
    Ok(sum
        .iter()
        .fold(String::new(), |text, byte| text + &format!("{byte:02x}")))
}
