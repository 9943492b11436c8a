//! Telling OpenAI Responses by the first event of a stream.

use crate::core::detect::Opening;

/// The types of its events begin with `response.`. A sign of life may come first.
pub(crate) fn detect(opening: &Opening<'_, '_>) -> bool {
    opening.word("type").is_some_and(|name| name == "keepalive" || name.to_str().starts_with("response."))
}
