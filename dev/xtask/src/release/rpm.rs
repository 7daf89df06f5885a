//! The package for Fedora, openSUSE and their like.

use std::fs;
use std::path::{Path, PathBuf};

use rpm::{BuildConfig, CompressionWithLevel, Dependency, FileOptions, PackageBuilder};

use super::archive::{Extras, compressed};
use super::target::{System, Target};
use super::{Outcome, Release, packaged};

/// Each completion that `extras` has, and where a shell of these systems looks for it.
const COMPLETIONS: [(&str, &str); 3] = [
    (
        "attest.bash",
        "/usr/share/bash-completion/completions/attest",
    ),
    (
        "attest.fish",
        "/usr/share/fish/vendor_completions.d/attest.fish",
    ),
    ("_attest", "/usr/share/zsh/site-functions/_attest"),
];

/// Packs the program for `target`, if that is a Linux.
pub(super) fn pack(
    release: &Release,
    target: &Target,
    program: &Path,
    extras: &Extras,
) -> Outcome<Option<PathBuf>> {
    if target.system != System::Linux {
        return Ok(None);
    }
    let (processor, _) = target.triple.split_once('-').ok_or("no processor")?;
    let moment: u32 = release.moment.parse()?;
    // What was packed already is not packed twice.
    let config = BuildConfig::v4()
        .compression(CompressionWithLevel::Gzip(9))
        .source_date(moment);
    let maintainer = packaged::maintainer(release)?;
    let version = &release.version;
    let mut package = PackageBuilder::new("attest", version, "MIT", processor, packaged::SUMMARY);
    package
        .using_config(config)
        .release("1")
        .description(packaged::DESCRIPTION)
        .url(&release.home)
        .packager(&maintainer)
        .group("Development/Tools")
        .build_host("localhost")
        // Whichever package has it.
        .requires(Dependency::any("/usr/bin/git"))
        .add_changelog_entry(
            format!("{maintainer} - {version}-1"),
            "- The changes are in CHANGELOG.md.",
            moment,
        );
    package.with_file_contents(
        fs::read(program)?,
        FileOptions::new("/usr/bin/attest").permissions(0o755),
    )?;
    for (place, bytes) in texts(release, extras)? {
        let file = FileOptions::new(&place).permissions(0o644);
        let file = match place.as_str() {
            place if place.starts_with("/usr/share/licenses/") => file.license(),
            place if place.starts_with("/usr/share/doc/") => file.doc(),
            place if place.starts_with("/usr/share/man/") => file.doc(),
            _ => file,
        };
        package.with_file_contents(bytes, file)?;
    }
    let file = release
        .out
        .join(format!("attest-{version}-1.{processor}.rpm"));
    package.build()?.write_file(&file)?;
    Ok(Some(file))
}

/// What is installed beside the program, in the order of its places.
fn texts(release: &Release, extras: &Extras) -> Outcome<Vec<(String, Vec<u8>)>> {
    let mut texts = vec![
        (
            "/usr/share/doc/attest/CHANGELOG.md".to_owned(),
            fs::read(release.top.join("CHANGELOG.md"))?,
        ),
        (
            "/usr/share/licenses/attest/LICENSE".to_owned(),
            fs::read(release.top.join("LICENSE"))?,
        ),
    ];
    for (from, to) in COMPLETIONS {
        let script = fs::read(extras.folder().join("completions").join(from))?;
        texts.push((to.to_owned(), script));
    }
    for page in fs::read_dir(extras.folder().join("man/man1"))? {
        let page = page?;
        let place = format!("/usr/share/man/man1/{}.gz", page.file_name().display());
        texts.push((place, compressed(&fs::read(page.path())?)?));
    }
    texts.sort();
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::super::tests::World;
    use super::*;
    use crate::release::target;

    #[test]
    fn a_package_has_the_program_and_nothing_that_is_run() {
        let world = World::new();
        let of = |triple: &str| {
            let target = target::named(triple).unwrap();
            pack(&world.release, target, &world.program, &world.extras).unwrap()
        };
        assert_eq!(of("x86_64-pc-windows-gnu"), None);
        let file = of("aarch64-unknown-linux-musl").unwrap();
        assert_eq!(file, world.release.out.join("attest-1.2.3-1.aarch64.rpm"));
        let bytes = fs::read(&file).unwrap();
        of("aarch64-unknown-linux-musl");
        assert_eq!(fs::read(&file).unwrap(), bytes, "it is the same each time");
        let package = rpm::Package::open(&file).unwrap();
        let about = &package.metadata;
        assert_eq!(about.get_arch().unwrap(), "aarch64");
        assert!(about.get_pre_install_script().is_err());
        assert!(about.get_post_install_script().is_err());
        let needs = about.get_requires().unwrap();
        assert!(needs.iter().any(|need| need.name == "/usr/bin/git"));
        let files = about.get_file_entries().unwrap();
        let program = files
            .iter()
            .find(|file| file.path() == Path::new("/usr/bin/attest"));
        assert_eq!(program.unwrap().mode().permissions(), 0o755);
        let has = |place: &str| files.iter().any(|file| file.path() == Path::new(place));
        for (_, place) in COMPLETIONS {
            assert!(has(place), "{place}");
        }
        assert!(has("/usr/share/man/man1/attest.1.gz"));
    }
}
