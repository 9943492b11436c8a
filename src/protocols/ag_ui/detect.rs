//! Telling AG-UI by the first event of a stream.

use crate::core::detect::{Opening, is_in_capitals};

/// Its event types are in capitals: `RUN_STARTED`.
pub(crate) fn detect(opening: &Opening<'_, '_>) -> bool {
    opening.word("object").is_none()
        && opening.word("type").is_some_and(|name| is_in_capitals(&name.to_str()))
}
