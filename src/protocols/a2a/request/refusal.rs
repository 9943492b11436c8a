//! The refusal of an operation.

use alloc::string::String;
use core::fmt;

use super::ErrorKind;

/// A refused operation, which a [`Reply`](super::Reply) writes as an [error](super::Reply::error).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// The error of the protocol.
    pub kind: ErrorKind,
    /// A sentence for the client.
    pub message: String,
}

impl Refusal {
    /// Creates a refusal.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Refusal { kind, message: message.into() }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for Refusal {}
