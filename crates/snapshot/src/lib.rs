//! attest-snapshot
