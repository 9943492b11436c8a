//! How a stream is written, whatever its protocol.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

use crate::core::id::{Clock, IdSource};

/// How a target writes a stream.
pub struct WriteOptions {
    pub(crate) ids: Box<dyn IdSource>,
    pub(crate) run_id: Option<String>,
    pub(crate) session_id: Option<String>,
    pub(crate) clock: Clock,
}

impl WriteOptions {
    /// Ids that the source does not have come from `ids`.
    pub fn new(ids: impl IdSource + 'static) -> Self {
        WriteOptions { ids: Box::new(ids), run_id: None, session_id: None, clock: || 0 }
    }

    /// The time, for protocols whose runs say when they began and the source's did not.
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// The run's id, in place of the source's.
    pub fn run_id(mut self, id: impl Into<String>) -> Self {
        self.run_id = Some(id.into()).filter(|id| !id.is_empty());
        self
    }

    /// The conversation's id, in place of the source's.
    pub fn session_id(mut self, id: impl Into<String>) -> Self {
        self.session_id = Some(id.into()).filter(|id| !id.is_empty());
        self
    }
}

impl fmt::Debug for WriteOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WriteOptions { run_id, session_id, .. } = self;
        let mut shown = f.debug_struct("WriteOptions");
        shown.field("run_id", run_id).field("session_id", session_id).finish_non_exhaustive()
    }
}
