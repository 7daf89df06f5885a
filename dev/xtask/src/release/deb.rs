//! The package for Debian: an `ar` archive of a number and two packed folders.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use ar::Header;

use super::archive::{Extras, compressed, tarred};
use super::target::{System, Target};
use super::{Outcome, Release, packaged, printed, run_it};

/// Each completion that `extras` has, and where a shell of Debian looks for it.
const COMPLETIONS: [(&str, &str); 3] = [
    ("attest.bash", "bash-completion/completions/attest"),
    ("attest.fish", "fish/vendor_completions.d/attest.fish"),
    ("_attest", "zsh/vendor-completions/_attest"),
];

/// What lintian finds and is meant to be so.
const OVERRIDES: &str = "\
# One program for every Debian of this processor, as in the archives of the release.
attest: statically-linked-binary [usr/bin/attest]
attest: embedded-library * [usr/bin/attest]
# Nobody has asked for it to be a part of Debian.
attest: initial-upload-closes-no-bugs [usr/share/doc/attest/changelog.Debian.gz:1]
";

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
    let processor = match target.triple.split_once('-') {
        Some(("x86_64", _)) => "amd64",
        Some(("aarch64", _)) => "arm64",
        _ => return Err(format!("Debian has no name for {}", target.triple).into()),
    };
    let name = format!("attest_{}-1_{processor}.deb", release.version);
    let top = release.scratch.join(&name);
    let (data, control) = (top.join("data"), top.join("control"));
    let maintainer = packaged::maintainer(release)?;
    fill(release, &data, program, extras, &maintainer)?;
    fs::create_dir_all(&control)?;
    let text = control_of(release, processor, &maintainer, kibibytes(&data)?);
    fs::write(control.join("control"), text)?;
    let sums = "find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum";
    let sums = printed(Command::new("sh").args(["-c", sums]).current_dir(&data))?;
    fs::write(control.join("md5sums"), sums + "\n")?;
    let [control, data] = [control, data].map(|folder| packed(release, &folder));
    let files: [(&str, &[u8]); 3] = [
        ("debian-binary", b"2.0\n"),
        ("control.tar.gz", &control?),
        ("data.tar.gz", &data?),
    ];
    let file = release.out.join(name);
    fs::write(&file, archived(&files, release.moment.parse()?)?)?;
    Ok(Some(file))
}

/// Lays out what is installed.
fn fill(
    release: &Release,
    data: &Path,
    program: &Path,
    extras: &Extras,
    maintainer: &str,
) -> Outcome<()> {
    let put = |place: &str, bytes: &[u8]| -> Outcome<()> {
        let place = data.join("usr").join(place);
        fs::create_dir_all(place.parent().ok_or("no folder")?)?;
        Ok(fs::write(place, bytes)?)
    };
    put("bin/attest", b"")?;
    // With its mode.
    fs::copy(program, data.join("usr/bin/attest"))?;
    for (from, to) in COMPLETIONS {
        let script = fs::read(extras.folder().join("completions").join(from))?;
        put(&format!("share/{to}"), &script)?;
    }
    for page in fs::read_dir(extras.folder().join("man/man1"))? {
        let page = page?;
        let name = page.file_name().display().to_string();
        put(
            &format!("share/man/man1/{name}.gz"),
            &compressed(&fs::read(page.path())?)?,
        )?;
    }
    let changes = fs::read(release.top.join("CHANGELOG.md"))?;
    put("share/doc/attest/changelog.gz", &compressed(&changes)?)?;
    let packaged = format!(
        "attest ({}-1) unstable; urgency=medium\n\n  * The changes are in changelog.gz.\n\n -- {maintainer}  {}\n",
        release.version,
        printed(
            Command::new("date")
                .args(["--utc", "--rfc-email", "--date"])
                .arg(format!("@{}", release.moment))
        )?,
    );
    put(
        "share/doc/attest/changelog.Debian.gz",
        &compressed(packaged.as_bytes())?,
    )?;
    put(
        "share/doc/attest/copyright",
        &fs::read(release.top.join("LICENSE"))?,
    )?;
    put("share/lintian/overrides/attest", OVERRIDES.as_bytes())
}

fn control_of(release: &Release, processor: &str, maintainer: &str, size: u64) -> String {
    format!(
        "\
Package: attest
Version: {}-1
Architecture: {processor}
Maintainer: {maintainer}
Installed-Size: {size}
Depends: git
Section: devel
Priority: optional
Homepage: {}
Description: {}
 {}
",
        release.version,
        release.home,
        // As Debian has it: no sentence, and a dot where a line is empty.
        packaged::SUMMARY.replacen('C', "c", 1),
        packaged::DESCRIPTION
            .replace("\n\n", "\n.\n")
            .replace('\n', "\n "),
    )
}

fn kibibytes(folder: &Path) -> Outcome<u64> {
    let said = printed(
        Command::new("du")
            .args(["-sk", "--apparent-size"])
            .arg(folder),
    )?;
    let size = said.split_whitespace().next().ok_or("du said nothing")?;
    Ok(size.parse()?)
}

/// What is in a folder, packed.
fn packed(release: &Release, folder: &Path) -> Outcome<Vec<u8>> {
    let file = folder.with_extension("tar");
    run_it(&mut tarred(release, folder, &file, "."))?;
    compressed(&fs::read(file)?)
}

/// The files one behind the other, as Debian has them.
fn archived(files: &[(&str, &[u8])], moment: u64) -> Outcome<Vec<u8>> {
    let mut archive = ar::Builder::new(Vec::new());
    for (name, bytes) in files {
        let mut header = Header::new(name.as_bytes().to_vec(), u64::try_from(bytes.len())?);
        header.set_mode(0o100_644);
        header.set_mtime(moment);
        archive.append(&header, *bytes)?;
    }
    Ok(archive.into_inner()?)
}

#[cfg(test)]
mod tests {
    use super::super::tests::World;
    use super::*;
    use crate::release::target;

    #[test]
    fn only_a_linux_has_a_package_and_it_has_no_script_that_is_run() {
        let world = World::new();
        let release = &world.release;
        let of = |triple: &str| {
            let target = target::named(triple).unwrap();
            pack(release, target, &world.program, &world.extras).unwrap()
        };
        assert_eq!(of("x86_64-apple-darwin"), None);
        let package = of("x86_64-unknown-linux-musl").unwrap();
        assert_eq!(package, release.out.join("attest_1.2.3-1_amd64.deb"));
        let bytes = fs::read(&package).unwrap();
        fs::remove_dir_all(&release.scratch).unwrap();
        of("x86_64-unknown-linux-musl");
        assert_eq!(
            fs::read(&package).unwrap(),
            bytes,
            "it is the same each time"
        );
        // dpkg itself, where there is one.
        let Ok(said) = printed(Command::new("dpkg-deb").arg("--info").arg(&package)) else {
            return;
        };
        for line in ["Version: 1.2.3-1", "Architecture: amd64", "Depends: git"] {
            assert!(said.contains(line), "{said}");
        }
        assert!(
            !said.contains("postinst") && !said.contains("prerm"),
            "{said}"
        );
        let listed = printed(Command::new("dpkg-deb").arg("--contents").arg(&package)).unwrap();
        let program = listed
            .lines()
            .find(|line| line.ends_with(" ./usr/bin/attest"));
        assert!(program.unwrap().starts_with("-rwxr-xr-x 0/0"), "{listed}");
        assert!(
            listed.contains(" ./usr/share/man/man1/attest.1.gz"),
            "{listed}"
        );
    }
}
