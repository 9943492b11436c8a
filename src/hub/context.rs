//! What every step can have besides its own members.

use crate::json::Member;

/// What every step can have besides its own members.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Context<'a> {
    /// The subagent run that the step belongs to; none is the main agent.
    pub lane: Option<&'a str>,
    /// The number of the source's event, from 0; how many there were when it is about the end of the stream.
    pub event: u64,
    /// Free metadata.
    pub metadata: &'a [Member],
    /// A list of all messages has said it: targets that have such lists have it from there.
    pub(crate) is_listed: bool,
}

impl<'a> Context<'a> {
    /// Of the main agent, without metadata.
    pub fn of(event: u64) -> Self {
        Context { event, ..Self::default() }
    }

    /// Whether it has neither lane nor metadata.
    pub(super) fn is_plain(self) -> bool {
        self.lane.is_none() && self.metadata.is_empty()
    }

    /// The same in a lane.
    #[must_use]
    pub fn in_lane(self, lane: Option<&'a str>) -> Self {
        Context { lane, ..self }
    }

    /// The same for what a list of all messages has said.
    #[must_use]
    pub(crate) fn listed(self) -> Self {
        Context { is_listed: true, ..self }
    }

    /// The same with metadata.
    #[must_use]
    pub fn with_metadata(self, metadata: &'a [Member]) -> Self {
        Context { metadata, ..self }
    }
}
