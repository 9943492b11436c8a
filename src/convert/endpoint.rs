//! The sources and targets of a conversion.

use crate::protocols::ProtocolKind;

/// The source of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// The protocol that the first event shows.
    Auto,
    /// A protocol of this crate.
    Protocol(ProtocolKind),
    /// The hub itself, as [lines](crate::hub::steps) of JSON.
    Steps,
}

impl From<ProtocolKind> for Source {
    fn from(protocol: ProtocolKind) -> Self {
        Source::Protocol(protocol)
    }
}

/// `None` is [`Source::Auto`].
impl From<Option<ProtocolKind>> for Source {
    fn from(protocol: Option<ProtocolKind>) -> Self {
        protocol.map_or(Source::Auto, Source::Protocol)
    }
}

impl From<Endpoint> for Source {
    fn from(side: Endpoint) -> Self {
        match side {
            Endpoint::Protocol(protocol) => Source::Protocol(protocol),
            Endpoint::Steps => Source::Steps,
        }
    }
}

impl From<ProtocolKind> for Endpoint {
    fn from(protocol: ProtocolKind) -> Self {
        Endpoint::Protocol(protocol)
    }
}

/// One side of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Endpoint {
    /// A protocol of this crate.
    Protocol(ProtocolKind),
    /// The hub itself, as [lines](crate::hub::steps) of JSON.
    Steps,
}
