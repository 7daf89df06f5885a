//! The hosts whose hooks ran lately, by what they recorded: those of a package are in no settings file.

use std::collections::BTreeMap;

use attest_base::config::Config;
use attest_base::env::Env;
use attest_base::state_file::StateFile;
use attest_host::Host;
use attest_state::history;
use jiff::{SignedDuration, Timestamp};

/// What ran longer ago may be gone.
const LATELY: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Where the packages are, in the folder of attest, each in a folder of its host's name.
pub(crate) const PACKAGES: &str = "packages";

/// Whether the package of a host was written here.
pub(super) fn has_package(host: &dyn Host, env: &Env) -> bool {
    let folder = Config::read(env).folder;
    folder.is_some_and(|folder| folder.join(PACKAGES).join(host.name()).is_dir())
}

/// When a hook of each host ran last; nothing if that cannot be read.
pub(crate) fn last_heard(env: &Env) -> BTreeMap<String, Timestamp> {
    let file = StateFile::of(&Config::read(env), "setup").ok();
    let store = file.and_then(|file| file.open_if_there().ok()?);
    let since = Timestamp::now().checked_sub(LATELY).ok();
    let last = store
        .zip(since)
        .map(|(store, since)| history::last_of_each_host(&store, since));
    last.and_then(Result::ok).unwrap_or_default()
}
