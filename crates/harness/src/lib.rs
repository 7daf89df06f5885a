//! attest-harness
