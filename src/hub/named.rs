//! What a protocol is called.

/// A protocol of the registry, which says its name.
pub trait Named {
    /// The name.
    const NAME: &'static str;
}
