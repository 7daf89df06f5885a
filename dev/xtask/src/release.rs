//! The files of a release: the same bytes wherever they are made.

mod archive;
mod bill;
mod build;
mod checks;
mod deb;
mod formula;
mod packaged;
mod rpm;
mod source;
mod target;
mod tools;
mod windows;
mod zip;

use std::error::Error;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) use archive::sha256;
pub(crate) use formula::NOWHERE;
use target::{TARGETS, Target};

/// What a step of a release gives.
pub(crate) type Outcome<T> = Result<T, Box<dyn Error>>;

/// Make the archives, the source, the checksums, the bill of materials and the formula of a release
#[derive(Debug, clap::Args)]
pub(crate) struct ReleaseArgs {
    /// Where the files go, which is emptied first
    #[arg(long, value_name = "DIR", default_value = "target/release-files/out")]
    out: PathBuf,
    /// Only this system and processor, without the source; can be repeated
    #[arg(long, value_name = "TARGET", value_parser = target::named)]
    target: Vec<&'static Target>,
    /// Where the project is published, without `.git`: the formula names it
    #[arg(long, value_name = "URL", default_value = formula::NOWHERE)]
    home: String,
    /// Leave out the source with the libraries that it needs, and the formula, which names it
    #[arg(long)]
    no_source: bool,
    /// Take what is not committed too: the files are those of no version
    #[arg(long)]
    allow_dirty: bool,
}

/// What all steps know.
struct Release {
    top: PathBuf,
    out: PathBuf,
    /// For what is put together before it is packed.
    scratch: PathBuf,
    /// For what the compilers make.
    build: PathBuf,
    version: String,
    home: String,
    /// Seconds since 1970 at which every packed file was changed last: those of the commit.
    moment: String,
}

pub(crate) fn run(args: &ReleaseArgs) -> Outcome<()> {
    let release = Release::new(args)?;
    let targets = match args.target.as_slice() {
        [] => TARGETS.iter().collect(),
        chosen => chosen.to_vec(),
    };
    let mut programs = Vec::new();
    tools::check(&release.top)?;
    for target in targets {
        println!("building for {}", target.triple);
        let program = build::program(&release, target)?;
        checks::program(&release, target, &program)?;
        programs.push((target, program));
    }
    let extras = archive::Extras::of(&release, &programs)?;
    for (target, program) in &programs {
        let archive = archive::pack(&release, target, program, &extras)?;
        checks::archive(&archive)?;
        let packages = [
            deb::pack(&release, target, program, &extras)?,
            rpm::pack(&release, target, program, &extras)?,
        ];
        for package in packages.iter().flatten() {
            checks::archive(package)?;
        }
        if target.system == target::System::Windows {
            windows::write(&release, &archive)?;
        }
    }
    // What fetches the archive for a person's system is fetched from beside it.
    fs::copy(
        release.top.join("install.sh"),
        release.out.join("install.sh"),
    )?;
    bill::write(&release)?;
    // What the real host did is there where all scenarios were played.
    let details = release.top.join("target/tmp/validation-details.md");
    if details.is_file() {
        fs::copy(details, release.out.join("validation-details.md"))?;
    }
    if !args.no_source && args.target.is_empty() {
        let source = source::pack(&release)?;
        formula::write(&release, &source)?;
    }
    archive::sums(&release)?;
    println!("{}", release.out.display());
    Ok(())
}

impl Release {
    fn new(args: &ReleaseArgs) -> Outcome<Self> {
        let top = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .canonicalize()?;
        let git = |words: &[&str]| printed(Command::new("git").args(words).current_dir(&top));
        if !args.allow_dirty && !git(&["status", "--porcelain"])?.is_empty() {
            return Err("not everything is committed: commit it, or name --allow-dirty".into());
        }
        let moment = git(&["log", "-1", "--format=%ct"])?;
        let out = top.join(&args.out);
        let scratch = top.join("target/release-files/scratch");
        // C code may contain the time of the commit, of which neither cargo nor zig knows when it keeps what it
        // has built.
        let build = top.join("target/release-files/build");
        for folder in [&out, &scratch, &build] {
            if folder.exists() {
                fs::remove_dir_all(folder)?;
            }
            fs::create_dir_all(folder)?;
        }
        Ok(Self {
            out: out.canonicalize()?,
            scratch,
            build,
            top,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            home: args.home.clone(),
            moment,
        })
    }

    /// The name of a file or folder of this release.
    fn name(&self, of: impl std::fmt::Display) -> String {
        format!("attest-{}{of}", self.version)
    }
}

/// Runs a program, which has to succeed.
fn run_it(command: &mut Command) -> Outcome<()> {
    let status = command.status();
    let status = status.map_err(|error| format!("{}: {error}", name_of(command)))?;
    if status.success() {
        return Ok(());
    }
    Err(format!("{} ended with {status}", name_of(command)).into())
}

/// Runs a program, which has to succeed, and gives what it printed.
pub(crate) fn printed(command: &mut Command) -> Outcome<String> {
    let output = command.output();
    let output = output.map_err(|error| format!("{}: {error}", name_of(command)))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{} ended with {}: {said}", name_of(command), output.status).into());
    }
    Ok(String::from_utf8(output.stdout)?.trim_end().to_owned())
}

fn name_of(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(OsStr::to_string_lossy).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A release that has a script in the place of the program.
    pub(super) struct World {
        pub(super) release: Release,
        pub(super) program: PathBuf,
        pub(super) extras: archive::Extras,
        _folder: tempfile::TempDir,
    }

    impl World {
        pub(super) fn new() -> Self {
            let world = tempfile::TempDir::new().unwrap();
            let folder = |name: &str| {
                let folder = world.path().join(name);
                fs::create_dir_all(&folder).unwrap();
                folder
            };
            let extras = folder("extras");
            fs::create_dir_all(extras.join("man/man1")).unwrap();
            fs::create_dir_all(extras.join("completions")).unwrap();
            fs::write(extras.join("man/man1/attest.1"), ".TH attest 1\n").unwrap();
            for script in ["attest.bash", "attest.fish", "_attest"] {
                fs::write(extras.join("completions").join(script), "# it\n").unwrap();
            }
            let program = world.path().join("program");
            fs::write(&program, "#!/bin/sh\n").unwrap();
            run_it(Command::new("chmod").arg("755").arg(&program)).unwrap();
            let release = Release {
                top: Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."),
                out: folder("out"),
                scratch: folder("scratch"),
                build: folder("build"),
                version: "1.2.3".to_owned(),
                home: "https://git.invalid/owner/attest".to_owned(),
                moment: "1700000000".to_owned(),
            };
            Self {
                release,
                program,
                extras: archive::Extras::at(extras),
                _folder: world,
            }
        }
    }

    /// `cargo binstall` makes the name of an archive of what the manifest says.
    #[test]
    fn cargo_finds_each_archive_by_its_name_and_the_program_in_it() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/attest/Cargo.toml");
        let manifest: toml::Table = toml::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        let settings = &manifest["package"]["metadata"]["binstall"];
        for target in &target::TARGETS {
            let own = settings
                .get("overrides")
                .and_then(|it| it.get(target.triple));
            let value = |key: &str| {
                let value = own.and_then(|it| it.get(key)).or(settings.get(key));
                let filled = value.unwrap().as_str().unwrap();
                filled
                    .replace("{ repo }", "https://git.invalid/owner/attest")
                    .replace("{ name }", "attest")
                    .replace("{ bin }", "attest")
                    .replace("{ version }", "1.2.3")
                    .replace("{ target }", target.triple)
                    .replace(
                        "{ binary-ext }",
                        target.program().trim_start_matches("attest"),
                    )
            };
            let archive = target.archive("1.2.3");
            let place = "https://git.invalid/owner/attest/releases/download/v1.2.3";
            assert_eq!(value("pkg-url"), format!("{place}/{archive}"));
            let is_zip = Path::new(&archive)
                .extension()
                .is_some_and(|it| it == "zip");
            assert_eq!(value("pkg-fmt"), if is_zip { "zip" } else { "tgz" });
            let (folder, _) = archive.split_at(archive.rfind(target.triple).unwrap());
            let program = format!("{folder}{}/{}", target.triple, target.program());
            assert_eq!(value("bin-dir"), program);
        }
        // People on Windows have the other compiler; the program is the same.
        let windows = &settings["overrides"];
        let of = |triple: &str| windows[triple]["pkg-url"].as_str().unwrap();
        assert_eq!(of("x86_64-pc-windows-msvc"), of("x86_64-pc-windows-gnu"));
    }
}
