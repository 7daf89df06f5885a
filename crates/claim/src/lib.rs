//! attest-claim
