//! attest-transcript
