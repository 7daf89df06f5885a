//! Says in the program for Windows that it takes paths of any length, and leaves out of one for tests what makes it slow to
//! start.

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
    let is = |variable: &str, value: &str| env::var(variable).is_ok_and(|it| it == value);
    let is_static = env::var("CARGO_CFG_TARGET_FEATURE").is_ok_and(|it| it.contains("crt-static"));
    // Tests start it by the ten thousand. One that may lie anywhere in memory has 1.7 MB to be adapted at each start.
    if is("PROFILE", "debug")
        && is("CARGO_CFG_TARGET_OS", "linux")
        && is("CARGO_CFG_TARGET_ENV", "gnu")
        && !is_static
    {
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
    Ok(())
}
