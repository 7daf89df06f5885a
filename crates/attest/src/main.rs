//! attest proves whether the files an agent says it changed really changed.

mod env;

fn main() {}
