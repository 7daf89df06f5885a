//! Writes each message of the corpus into a file of its own: for what begins with files, as a fuzzer does.

use std::fs;
use std::io;
use std::path::PathBuf;

fn main() -> io::Result<()> {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        return Err(io::Error::other("name the folder for the messages"));
    };
    fs::create_dir_all(&folder)?;
    for case in attest_corpus::cases() {
        fs::write(folder.join(case.name.replace('/', "-")), case.message)?;
    }
    Ok(())
}
