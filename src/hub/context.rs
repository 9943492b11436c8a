//! The context of a step: the fields that every step can have in addition to its own.

use crate::json::Member;

/// The fields that every step can have in addition to its own.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Context<'a> {
    /// The subagent run that the step belongs to; `None` for the main agent.
    pub lane: Option<&'a str>,
    /// The number of the source's event, from 0. At the end of the stream, the number of events.
    pub event: u64,
    /// Free metadata.
    pub metadata: &'a [Member],
    /// The step was emitted from a list of all messages. Targets that have such lists receive the list instead.
    pub(crate) is_listed: bool,
}

impl<'a> Context<'a> {
    /// Creates the context of a step of the main agent, without metadata.
    pub fn of(event: u64) -> Self {
        Context { event, ..Self::default() }
    }

    /// Whether it has neither lane nor metadata.
    pub(super) fn is_plain(self) -> bool {
        self.lane.is_none() && self.metadata.is_empty()
    }

    /// Returns the context with a lane.
    #[must_use]
    pub fn in_lane(self, lane: Option<&'a str>) -> Self {
        Context { lane, ..self }
    }

    /// Returns the context of a step that comes from a list of all messages.
    #[must_use]
    pub(crate) fn listed(self) -> Self {
        Context { is_listed: true, ..self }
    }

    /// Returns the context with metadata.
    #[must_use]
    pub fn with_metadata(self, metadata: &'a [Member]) -> Self {
        Context { metadata, ..self }
    }
}
