//! attest-verdict
