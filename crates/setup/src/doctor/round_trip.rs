//! The real thing in small: an agent starts, claims and stops in a scratch repository.

use std::path::Path;

use attest_host::Host;

use super::report::Check;
use crate::scratch::{Fault, Scratch};
use attest_base::env::Env;

const NAME: &str = "round trip";

/// Lets `program` judge an honest and a false DONE.
pub(super) fn check(host: &dyn Host, program: &Path, env: &Env) -> Check {
    let result = Scratch::new(host, program, env).and_then(|scratch| {
        honest_done_is_allowed(&scratch)?;
        false_done_is_blocked(&scratch)
    });
    match result {
        Ok(()) => Check::pass(
            NAME,
            "an honest DONE was allowed and a false DONE was blocked",
        ),
        Err(why) if why.has_no_place => Check::fail(
            NAME,
            why.to_string(),
            "make that folder writable, or name another one in TMPDIR (on Windows TEMP)",
        ),
        Err(why) => {
            let advice = format!(
                "report this with the output of `{} --version`",
                program.display()
            );
            Check::fail(NAME, why.to_string(), advice)
        }
    }
}

fn honest_done_is_allowed(scratch: &Scratch<'_>) -> Result<(), Fault> {
    scratch.start("honest")?;
    scratch.write("a.py", "print('changed')\n")?;
    let output = scratch.stop("honest", &claim("a.py"), true)?;
    if scratch.is_block(&output) {
        return Err(Fault::of("an honest DONE was not allowed", &output));
    }
    scratch.git(&["checkout", "--quiet", "--", "a.py"])
}

fn false_done_is_blocked(scratch: &Scratch<'_>) -> Result<(), Fault> {
    scratch.start("false")?;
    let output = scratch.stop("false", &claim("ghost.py"), true)?;
    if scratch.is_block(&output) {
        return Ok(());
    }
    Err(Fault::of("a false DONE was not blocked", &output))
}

fn claim(path: &str) -> String {
    format!("## Handoff\n\nStatus: DONE\nFiles changed: {path}\n")
}
