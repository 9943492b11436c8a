//! What connects a protocol with the hub.

use super::source::Source;
use super::transducer::FromHub;
use crate::core::fold::Protocol;
use crate::core::options::ReadOptions;
use crate::core::wire::WireEvent;

/// A protocol that can be converted: both its ends at the hub.
pub(crate) trait Spoke: Protocol {
    /// The name that the registry has for it.
    const NAME: &'static str;

    /// What reads it.
    type Source: Source;
    /// What writes it.
    type Target: FromHub<Event = WireEvent> + core::fmt::Debug;
    /// How it is written.
    type WriteOptions;

    /// A source at the start of a stream.
    fn source(self, options: &ReadOptions) -> Self::Source;

    /// A target at the start of a stream.
    fn target(options: Self::WriteOptions) -> Self::Target;
}
