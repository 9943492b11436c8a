//! The names of protocols.

/// A protocol of the registry, with its name.
pub trait Named {
    /// The name of the protocol.
    const NAME: &'static str;
}
