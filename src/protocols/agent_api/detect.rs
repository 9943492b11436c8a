//! Telling the Agent API by the first event of a stream.

use crate::core::detect::Opening;

/// Its events are one of three objects. A bare error (`{"error":…}`) is its own, too, unless it has `details`.
pub(crate) fn detect(opening: &Opening<'_, '_>) -> bool {
    match opening.word("object") {
        Some(_) => opening.is_one_of("object", &["response", "message", "content"]),
        None => {
            let is_error = opening.has("error") && opening.member("details").is_none();
            is_error && opening.word("type").is_none() && !opening.has("jsonrpc")
        }
    }
}
