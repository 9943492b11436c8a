//! How far the message of an object has been emitted.

/// The message of an object that is a message of its own at the hub, such as a call. It begins once
/// and ends once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum MessagePhase {
    /// It has not begun.
    #[default]
    Waiting,
    /// It has begun with this number.
    Open(u32),
    /// It has begun with this number, and ended.
    Ended(u32),
    /// It never begins: it was removed, or other steps have its content.
    Omitted,
}

impl MessagePhase {
    /// Returns the number of a message that has begun.
    pub fn number(self) -> Option<u32> {
        match self {
            MessagePhase::Open(message) | MessagePhase::Ended(message) => Some(message),
            MessagePhase::Waiting | MessagePhase::Omitted => None,
        }
    }

    /// Whether the message can still begin.
    pub fn is_waiting(self) -> bool {
        self == MessagePhase::Waiting
    }

    /// Ends a message that has begun. Another one never begins.
    pub fn stop(&mut self) {
        *self = self.number().map_or(MessagePhase::Omitted, MessagePhase::Ended);
    }

    /// Ends the message. Returns its number, unless it has ended before or never began.
    pub fn end(&mut self) -> Option<u32> {
        let MessagePhase::Open(message) = *self else { return None };
        *self = MessagePhase::Ended(message);
        Some(message)
    }
}
