//! Telling AG-Kit by the first event of a stream.

use super::events::Event;
use crate::core::detect::Opening;

/// Its events have a type and are no `object`; an error may have `details` in the place of the type. `[DONE]` in the place
/// of a first event is its own, too.
pub(crate) fn detect(opening: &Opening<'_, '_>) -> bool {
    match (opening, opening.word("object"), opening.word("type")) {
        (Opening::Done, ..) => true,
        (_, None, Some(_)) => opening.is_one_of("type", Event::TYPES),
        (_, None, None) => opening.has("error") && opening.member("details").is_some(),
        (_, Some(_), _) => false,
    }
}
