//! Streams that are recognised and not read: the events that show each of them.

use crate::core::Opening;

/// Whether it is a chunk of Gemini's `streamGenerateContent`.
pub fn gemini(opening: &Opening<'_, '_>) -> bool {
    opening.has("candidates") || opening.has("promptFeedback") && opening.has("usageMetadata")
}
