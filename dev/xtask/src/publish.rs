//! The order in which a release is published, as the lines of a shell script.
//!
//! The formula names the checksum of the source, and the source is that of the tag: so the tag comes first, and
//! the formula is committed after it.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use crate::release::sha256;

/// Print the commands that publish a release, in their order: what is tagged, and what is committed where
#[derive(Debug, clap::Args)]
pub(crate) struct PublishArgs {
    /// Where `cargo xtask release` has put the files
    #[arg(long, value_name = "DIR", default_value = "target/release-files/out")]
    out: PathBuf,
    /// A clone of the tap, which is a repository named homebrew-…
    #[arg(long, value_name = "DIR", default_value = "../homebrew-attest")]
    tap: PathBuf,
}

pub(crate) fn run(args: &PublishArgs) -> Result<(), Box<dyn Error>> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let version = env!("CARGO_PKG_VERSION");
    check_repository(env!("CARGO_PKG_REPOSITORY"))?;
    let script = script(&top.join(&args.out), &top.join(&args.tap), version)?;
    print!("{script}");
    Ok(())
}

/// The commands, to be run in the top folder of this repository.
fn script(out: &Path, tap: &Path, version: &str) -> Result<String, Box<dyn Error>> {
    check(out, version)?;
    let word = |path: &Path| format!("'{}'", path.display().to_string().replace('\'', r"'\''"));
    let (out, tap) = (word(out), word(tap));
    Ok(format!(
        "\
# 1. The tag. The workflow builds from it, and publishes what it has built.
git tag --annotate v{version} --message 'attest {version}'
git push origin v{version}

# 2. The archives. They are those of here if the workflow had the same tools; if not, nothing goes on.
gh run watch --exit-status \"$(gh run list --workflow release.yml --branch v{version} --limit 1 --json databaseId --jq '.[0].databaseId')\"
gh release download v{version} --pattern SHA256SUMS --output - | diff - {out}/SHA256SUMS

# 3. The formula, in this repository, on the main branch: behind the tag, whose source it names.
cp {out}/attest.rb Formula/attest.rb
git add Formula/attest.rb
git commit --message 'Give the formula of {version}'
git push origin HEAD:main

# 4. The tap, from which people install.
mkdir -p {tap}/Formula
cp {out}/attest.rb {tap}/Formula/attest.rb
git -C {tap} add Formula/attest.rb
git -C {tap} commit --message 'attest {version}'
git -C {tap} push origin HEAD
"
    ))
}

/// Whether `cargo binstall` can find the archives.
fn check_repository(named: &str) -> Result<(), Box<dyn Error>> {
    if named == crate::release::NOWHERE {
        return Err(
            "Cargo.toml names no place: give its repository, and make the release again".into(),
        );
    }
    Ok(())
}

/// Whether the formula is one that people can install from.
fn check(out: &Path, version: &str) -> Result<(), Box<dyn Error>> {
    let source = out.join(format!("attest-{version}.tar.gz"));
    let sum = sha256(&source)
        .map_err(|error| format!("{}: {error}: run cargo xtask release", source.display()))?;
    let file = out.join("attest.rb");
    let formula = fs::read_to_string(&file)
        .map_err(|error| format!("{}: {error}: run cargo xtask release", file.display()))?;
    let name = file.display();
    if !formula.contains(&format!("  sha256 \"{sum}\"\n")) {
        return Err(format!("{name} does not have the checksum of the source, {sum}").into());
    }
    if !formula.contains(&format!("/download/v{version}/attest-{version}.tar.gz\"")) {
        return Err(format!("{name} does not name version {version}").into());
    }
    if formula.contains(crate::release::NOWHERE) {
        return Err(format!("{name} names no place: give --home to cargo xtask release").into());
    }
    Ok(())
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::process::Command;

    use tempfile::TempDir;

    use super::*;

    const HOME: &str = "https://git.invalid/attest";

    /// The files of a release.
    fn release(world: &Path, home: &str) -> PathBuf {
        let out = world.join("my out");
        fs::create_dir(&out).unwrap();
        let source = out.join("attest-1.2.3.tar.gz");
        fs::write(&source, "source").unwrap();
        fs::write(out.join("SHA256SUMS"), "sums\n").unwrap();
        let sum = sha256(&source).unwrap();
        let url = format!("{home}/releases/download/v1.2.3/attest-1.2.3.tar.gz");
        let formula = format!("  url \"{url}\"\n  sha256 \"{sum}\"\n");
        fs::write(out.join("attest.rb"), formula).unwrap();
        out
    }

    fn git(folder: &Path, words: &[&str]) -> String {
        let mut git = Command::new("git");
        git.current_dir(folder).args(words);
        crate::release::printed(&mut git).unwrap()
    }

    /// A clone with one commit, of a repository beside it to which it can be pushed.
    fn clone(world: &Path, name: &str) -> PathBuf {
        let (clone, origin) = (world.join(name), world.join(format!("{name}.git")));
        git(
            world,
            &[
                "init",
                "--quiet",
                "--bare",
                "-b",
                "main",
                origin.to_str().unwrap(),
            ],
        );
        git(
            world,
            &[
                "clone",
                "--quiet",
                origin.to_str().unwrap(),
                clone.to_str().unwrap(),
            ],
        );
        git(&clone, &["config", "user.name", "Test"]);
        git(&clone, &["config", "user.email", "test@example.invalid"]);
        fs::create_dir(clone.join("Formula")).unwrap();
        fs::write(clone.join("Formula/attest.rb"), "of an earlier version\n").unwrap();
        git(&clone, &["add", "."]);
        git(&clone, &["commit", "--quiet", "--message", "start"]);
        git(&clone, &["push", "--quiet", "origin", "HEAD"]);
        clone
    }

    /// Plays the commands; `published` is what the place says that it has.
    fn play(world: &Path, script: &str, published: &str) -> bool {
        let tools = world.join("tools");
        fs::create_dir_all(&tools).unwrap();
        let gh = format!("#!/bin/sh\ncase $* in *download*) echo '{published}' ;; esac\n");
        fs::write(tools.join("gh"), gh).unwrap();
        let mut chmod = Command::new("chmod");
        crate::release::printed(chmod.arg("+x").arg(tools.join("gh"))).unwrap();
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin", tools.display());
        let mut shell = Command::new("sh");
        shell
            .args(["-euc", script])
            .current_dir(world.join("project"))
            .env("PATH", path);
        shell.output().unwrap().status.success()
    }

    #[test]
    fn the_commands_end_with_the_formula_in_the_tap() {
        let world = TempDir::new().unwrap();
        let world = world.path();
        let out = release(world, HOME);
        let (project, tap) = (clone(world, "project"), clone(world, "homebrew-attest"));
        let script = script(&out, &tap, "1.2.3").unwrap();
        assert!(play(world, &script, "sums"), "{script}");
        let formula = fs::read_to_string(out.join("attest.rb")).unwrap();
        for (origin, subject) in [
            ("project.git", "Give the formula of 1.2.3"),
            ("homebrew-attest.git", "attest 1.2.3"),
        ] {
            let origin = world.join(origin);
            let has = git(&origin, &["show", "main:Formula/attest.rb"]);
            assert_eq!(has, formula.trim_end());
            assert_eq!(git(&origin, &["log", "-1", "--format=%s", "main"]), subject);
        }
        // The tag is of the commit before, from which the source was made.
        let tagged = git(&project, &["rev-parse", "v1.2.3^{commit}"]);
        assert_eq!(tagged, git(&project, &["rev-parse", "HEAD~1"]));
    }

    #[test]
    fn nothing_goes_on_if_other_archives_were_published() {
        let world = TempDir::new().unwrap();
        let world = world.path();
        let out = release(world, HOME);
        let (_, tap) = (clone(world, "project"), clone(world, "homebrew-attest"));
        let script = script(&out, &tap, "1.2.3").unwrap();
        assert!(!play(world, &script, "other sums"));
        assert_eq!(git(&tap, &["log", "-1", "--format=%s"]), "start");
    }

    #[test]
    fn a_formula_that_nobody_can_install_from_is_refused() {
        let refused = |change: fn(&Path), home: &str| {
            let world = TempDir::new().unwrap();
            let out = release(world.path(), home);
            change(&out);
            let error = script(&out, world.path(), "1.2.3").unwrap_err();
            error.to_string()
        };
        let nothing: fn(&Path) = |_| ();
        let another = |out: &Path| fs::write(out.join("attest-1.2.3.tar.gz"), "other").unwrap();
        let none = |out: &Path| fs::remove_file(out.join("attest.rb")).unwrap();
        assert!(refused(nothing, crate::release::NOWHERE).contains("names no place"));
        assert!(refused(another, HOME).contains("checksum of the source"));
        assert!(refused(none, HOME).ends_with("run cargo xtask release"));
    }

    #[test]
    fn a_manifest_that_names_no_place_is_not_published() {
        let error = check_repository(crate::release::NOWHERE).unwrap_err();
        assert!(error.to_string().starts_with("Cargo.toml names no place"));
        check_repository(HOME).unwrap();
    }
}
