//! The legal order of events.
//!
//! ```text
//!            ┌────────┐ start ┌──────┐ REQUIRE_… ┌─────────┐
//!     reply  │ Before │──────▶│ Open │──────────▶│ Waiting │ ↺ results, REQUIRE_…, …_RESULT
//!            └────────┘       └──────┘◀──────────└─────────┘
//!                │   …_RESULT    │ end   start        │ end
//!                └──▶ Waiting    ▼                    ▼
//!                             ┌───────┐
//!                             │ Ended │
//!                             └───────┘
//!
//!            ┌────────┐ start ┌──────┐ end ┌───────┐
//!     block  │ Absent │──────▶│ Open │────▶│ Ended │
//!            └────────┘       └──────┘     └───────┘
//!                              ↺ delta
//! ```

use super::rules;
use crate::core::transitions;

/// The state of a reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReplyState {
    /// No event of it was received.
    #[default]
    Before,
    /// It is growing.
    Open,
    /// Calls wait for the user or for the client.
    Waiting,
    /// It has ended.
    Ended,
}

/// The effect of an event on the reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyEvent {
    /// `REPLY_START`
    Start,
    /// Content.
    Content,
    /// `REQUIRE_USER_CONFIRM`, `REQUIRE_EXTERNAL_EXECUTION`
    Wait,
    /// `USER_CONFIRM_RESULT`, `EXTERNAL_EXECUTION_RESULT`
    Resume,
    /// `REPLY_END`
    End,
}

/// The state of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BlockState {
    /// Before its start.
    #[default]
    Absent,
    /// It is growing.
    Open,
    /// It has ended.
    Ended,
}

/// The effect of an event on a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockEvent {
    /// Its start.
    Start,
    /// A delta.
    Delta,
    /// Its end.
    End,
}

transitions! {
    /// The events of a reply. (M3, M4, M8.)
    pub fn reply(ReplyState, ReplyEvent) {
        Before: Start -> Open, Content !NOT_STARTED -> Open, Wait !NOT_STARTED -> Waiting, Resume -> Waiting, End !NOT_STARTED -> Ended;
        Open: Start !REPLY_STARTED_TWICE, Content, Wait | Resume -> Waiting, End -> Ended;
        Waiting: Start -> Open, Content | Wait | Resume, End -> Ended;
        Ended: Start | Content | Wait | Resume | End !AFTER_END;
    }

    /// The events of a block. (M5.)
    pub fn block(BlockState, BlockEvent) {
        Absent: Start -> Open, Delta | End !BLOCK_NOT_STARTED;
        Open: Start !BLOCK_STARTED_TWICE, Delta, End -> Ended;
        Ended: Start !BLOCK_STARTED_TWICE, Delta | End !AFTER_BLOCK_END;
    }
}
