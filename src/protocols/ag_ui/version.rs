//! The version of the protocol that is written.

/// The version of the protocol that is written.
pub const PROTOCOL_VERSION: &str = "1.0";
