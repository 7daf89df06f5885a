//! Says in the program for Windows that it takes paths of any length.

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "it talks with cargo, and is no part of the program"
)]

use std::env;
use std::error::Error;

use embed_manifest::manifest::Setting;
use embed_manifest::{embed_manifest, new_manifest};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    if env::var_os("CARGO_CFG_WINDOWS").is_some() {
        embed_manifest(new_manifest("Attest.Attest").long_path_aware(Setting::Enabled))?;
    }
    Ok(())
}
