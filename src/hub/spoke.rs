//! What connects a protocol with the hub.

use super::source::HubSink;
use super::transducer::FromHub;
use crate::core::fold::Protocol;
use crate::core::id::IdSource;
use crate::core::wire::WireEvent;
use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

/// A protocol that can be converted: both its ends at the hub.
pub(crate) trait Spoke: Protocol {
    /// What its fold tells, said to the hub.
    type Says: HubSink<Protocol = Self>;
    /// What writes it.
    type Target: FromHub<Event = WireEvent> + fmt::Debug;
    /// How it is written.
    type WriteOptions;

    /// A target at the start of a stream.
    fn target(options: Self::WriteOptions) -> Self::Target;
}

/// How a stream is written, whatever its protocol: where ids come from that the source does not have, and the ids that are
/// not taken from it.
pub(crate) struct WriteOptions {
    pub ids: Box<dyn IdSource>,
    pub run_id: Option<String>,
    pub session_id: Option<String>,
}

impl fmt::Debug for WriteOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WriteOptions { run_id, session_id, .. } = self;
        f.debug_struct("WriteOptions")
            .field("run_id", run_id)
            .field("session_id", session_id)
            .finish_non_exhaustive()
    }
}
