//! Streams that are recognised and not read: the events that show each of them.

use crate::core::Opening;

/// Whether it is a chunk of the UI message stream of the AI SDK. A `start` alone may be of another protocol.
pub fn ai_sdk(opening: &Opening<'_, '_>) -> bool {
    const TYPES: &[&str] = &[
        "start-step",
        "text-start",
        "text-delta",
        "text-end",
        "reasoning-start",
        "reasoning-delta",
        "tool-input-start",
        "tool-input-delta",
        "tool-input-available",
        "tool-output-available",
        "finish-step",
    ];
    opening.is_one_of("type", TYPES)
        || opening.is_one_of("type", &["start"]) && opening.has("messageId")
        || opening.is_one_of("type", &["error"]) && opening.has("errorText")
}
