//! How a stream is written, whatever its protocol.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

use crate::core::id::{Clock, IdSource};
use crate::json::Value;

/// How a target writes a stream.
pub struct WriteOptions {
    pub(crate) ids: Box<dyn IdSource>,
    pub(crate) run_id: Option<String>,
    pub(crate) session_id: Option<String>,
    pub(crate) clock: Clock,
    pub(crate) echo: Value,
}

impl WriteOptions {
    /// Ids that the source does not have come from `ids`.
    pub fn new(ids: impl IdSource + 'static) -> Self {
        WriteOptions { ids: Box::new(ids), run_id: None, session_id: None, clock: || 0, echo: Value::Null }
    }

    /// The time, for protocols whose runs say when they began and the source's did not.
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// What of its request the answer repeats: an object, whose members are those of the protocol that is written.
    pub fn echo(mut self, echo: Value) -> Self {
        self.echo = echo;
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
        let WriteOptions { run_id, session_id, echo, .. } = self;
        let mut shown = f.debug_struct("WriteOptions");
        shown
            .field("run_id", run_id)
            .field("session_id", session_id)
            .field("echo", echo)
            .finish_non_exhaustive()
    }
}
