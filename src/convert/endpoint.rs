//! What a conversion may begin and end with.

use crate::protocols::ProtocolKind;

/// What stands on one side of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Endpoint {
    /// A protocol of this crate.
    Protocol(ProtocolKind),
    /// The hub itself, as [lines](crate::hub::steps) of JSON.
    Steps,
}
