//! Telling A2A by the first event of a stream.

use crate::core::detect::Opening;

/// Its events are JSON-RPC responses; in the REST binding they are what stands in those.
pub(crate) fn detect(opening: &Opening<'_, '_>) -> bool {
    let is_object = |name| opening.member(name).is_some_and(|value| value.object().is_ok());
    opening.has("jsonrpc")
        || opening.is_one_of("kind", super::KINDS)
        || opening.word("type").is_none()
            && ["task", "statusUpdate", "artifactUpdate"].into_iter().any(is_object)
}
