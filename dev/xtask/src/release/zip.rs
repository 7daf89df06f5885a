//! The archive for Windows, which unpacks this kind without a further program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libdeflater::{CompressionLvl, Compressor, crc32};

use super::{Outcome, Release, printed};

/// What each field of the format says for all files: the least program that reads it, and names in UTF-8.
const VERSION: u16 = 20;
const UTF8: u16 = 1 << 11;
const DEFLATED: u16 = 8;
/// Made by a program for Unix, so that the mode is read.
const MADE_BY: u16 = 3 << 8 | VERSION;

/// Packs a folder of the scratch folder as a file of this name.
pub(super) fn pack(release: &Release, name: &str, archive: &str) -> Outcome<PathBuf> {
    let mut files = Vec::new();
    collect(&release.scratch.join(name), name, &mut files)?;
    files.sort();
    let moment = dos_moment(&release.moment)?;
    let (mut all, mut directory) = (Vec::new(), Vec::new());
    let count = u16::try_from(files.len())?;
    for (name, path) in files {
        let bytes = fs::read(&path)?;
        let file = fields(&name, &bytes, moment)?;
        let start = u32::try_from(all.len())?;
        all.extend(b"PK\x03\x04");
        all.extend(VERSION.to_le_bytes());
        all.extend(&file.common);
        all.extend(name.as_bytes());
        all.extend(&file.packed);
        let is_program = path.extension().is_some_and(|it| it == "exe");
        let mode: u32 = if is_program { 0o100_755 } else { 0o100_644 };
        directory.extend(b"PK\x01\x02");
        directory.extend(MADE_BY.to_le_bytes());
        directory.extend(VERSION.to_le_bytes());
        directory.extend(&file.common);
        // No comment, the first disk, nothing that is said of the content.
        directory.extend([0; 6]);
        directory.extend((mode << 16).to_le_bytes());
        directory.extend(start.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (start, size) = (u32::try_from(all.len())?, u32::try_from(directory.len())?);
    all.extend(directory);
    all.extend(b"PK\x05\x06\0\0\0\0");
    all.extend(count.to_le_bytes());
    all.extend(count.to_le_bytes());
    all.extend(size.to_le_bytes());
    all.extend(start.to_le_bytes());
    all.extend([0; 2]);
    let archive = release.out.join(archive);
    fs::write(&archive, all)?;
    Ok(archive)
}

/// A packed file, and what both of its headers say of it.
struct Packed {
    common: Vec<u8>,
    packed: Vec<u8>,
}

fn fields(name: &str, bytes: &[u8], (time, date): (u16, u16)) -> Outcome<Packed> {
    let mut compressor = Compressor::new(CompressionLvl::best());
    let mut packed = vec![0; compressor.deflate_compress_bound(bytes.len())];
    let length = compressor.deflate_compress(bytes, &mut packed)?;
    packed.truncate(length);
    let mut common = Vec::new();
    for field in [UTF8, DEFLATED, time, date] {
        common.extend(field.to_le_bytes());
    }
    for field in [
        crc32(bytes),
        u32::try_from(packed.len())?,
        u32::try_from(bytes.len())?,
    ] {
        common.extend(field.to_le_bytes());
    }
    common.extend(u16::try_from(name.len())?.to_le_bytes());
    common.extend([0; 2]);
    Ok(Packed { common, packed })
}

/// All files below a folder, by their names in the archive.
fn collect(folder: &Path, name: &str, files: &mut Vec<(String, PathBuf)>) -> Outcome<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{name}/{}", entry.file_name().display());
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &name, files)?;
        } else {
            files.push((name, entry.path()));
        }
    }
    Ok(())
}

/// The time and the date as this format has them: from 1980 on, in steps of two seconds.
fn dos_moment(moment: &str) -> Outcome<(u16, u16)> {
    let mut date = Command::new("date");
    date.args(["--utc", "--date"])
        .arg(format!("@{moment}"))
        .arg("+%-Y %-m %-d %-H %-M %-S");
    let said = printed(&mut date)?;
    let parts: Vec<u16> = said.split(' ').map(str::parse).collect::<Result<_, _>>()?;
    let [year, month, day, hour, minute, second] = parts[..] else {
        return Err(format!("not a moment: {said}").into());
    };
    let year = year.checked_sub(1980).ok_or("before 1980")?;
    Ok((
        hour << 11 | minute << 5 | (second / 2),
        year << 9 | month << 5 | day,
    ))
}

#[cfg(test)]
mod tests {
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
