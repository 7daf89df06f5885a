//! The archive for Windows, which unpacks this kind without a further program.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::PathBuf;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use walkdir::WalkDir;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::{Outcome, Release};

/// The best that is there.
const LEVEL: i64 = 9;

/// Packs a folder of the scratch folder as a file of this name.
pub(super) fn pack(release: &Release, name: &str, archive: &str) -> Outcome<PathBuf> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(LEVEL))
        .last_modified_time(moment(&release.moment)?);
    let archive = release.out.join(archive);
    let mut zip = ZipWriter::new(File::create(&archive)?);
    for entry in WalkDir::new(release.scratch.join(name)).sort_by_file_name() {
        let entry = entry?;
        if entry.file_type().is_dir() {
            continue;
        }
        let path = entry.path();
        let is_program = path.extension().is_some_and(|it| it == "exe");
        let mode = if is_program { 0o755 } else { 0o644 };
        let name = path.strip_prefix(&release.scratch)?;
        zip.start_file_from_path(name, options.unix_permissions(mode))?;
        zip.write_all(&fs::read(path)?)?;
    }
    zip.finish()?;
    Ok(archive)
}

/// A moment in seconds since the epoch, as this format has it: from 1980 on, in steps of two seconds.
fn moment(seconds: &str) -> Outcome<DateTime> {
    let moment = Timestamp::from_second(seconds.parse()?)?.to_zoned(TimeZone::UTC);
    Ok(DateTime::from_date_and_time(
        u16::try_from(moment.year())?,
        u8::try_from(moment.month())?,
        u8::try_from(moment.day())?,
        u8::try_from(moment.hour())?,
        u8::try_from(moment.minute())?,
        u8::try_from(moment.second())?,
    )?)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::super::printed;
    use super::super::tests::World;
    use super::*;

    #[test]
    fn an_archive_is_unpacked_by_others_and_is_the_same_each_time() {
        let world = World::new();
        let release = &world.release;
        let folder = release.scratch.join("it/deep");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("attest.exe"), "the program\n".repeat(99)).unwrap();
        fs::write(release.scratch.join("it/empty"), "").unwrap();
        let archive = pack(release, "it", "it.zip").unwrap();
        let bytes = fs::read(&archive).unwrap();
        pack(release, "it", "it.zip").unwrap();
        assert_eq!(fs::read(&archive).unwrap(), bytes);
        // Python has a reader of its own, where there is one.
        let script = "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; \
                      print([(i.filename, i.date_time, oct(i.external_attr >> 16)) for i in z.infolist()], \
                      len(z.read('it/deep/attest.exe')))";
        let mut python = Command::new("python3");
        let Ok(said) = printed(python.args(["-c", script]).arg(&archive)) else {
            return;
        };
        let moment = "(2023, 11, 14, 22, 13, 20)";
        assert_eq!(
            said,
            format!(
                "[('it/deep/attest.exe', {moment}, '0o100755'), ('it/empty', {moment}, '0o100644')] 1188"
            )
        );
    }
}
