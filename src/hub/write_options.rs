//! Options for writing a stream, the same for all protocols.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

use crate::core::id::{Clock, IdSource};
use crate::json::Value;

/// Options for writing a stream.
pub struct WriteOptions {
    pub(crate) ids: Box<dyn IdSource>,
    pub(crate) run_id: Option<String>,
    pub(crate) session_id: Option<String>,
    pub(crate) clock: Clock,
    pub(crate) echo: Value,
}

impl WriteOptions {
    /// Creates options. `ids` creates the ids that the source does not have.
    pub fn new(ids: impl IdSource + 'static) -> Self {
        WriteOptions { ids: Box::new(ids), run_id: None, session_id: None, clock: || 0, echo: Value::Null }
    }

    /// Sets the clock, for protocols whose runs have a start time that the source did not send.
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Sets the members of the request that the answer repeats: an object with members of the protocol that is
    /// written.
    pub fn echo(mut self, echo: Value) -> Self {
        self.echo = echo;
        self
    }

    /// Sets the run's id instead of the source's.
    pub fn run_id(mut self, id: impl Into<String>) -> Self {
        self.run_id = Some(id.into()).filter(|id| !id.is_empty());
        self
    }

    /// Sets the conversation's id instead of the source's.
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
