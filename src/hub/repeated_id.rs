//! Which ids can be said again with every event.

/// How many bytes an id may have that every piece has again: otherwise a few kilobytes of a source could become any number.
const LONGEST: usize = 1024;

/// Whether every event that is about a call or message can say its id.
pub(crate) fn can_repeat(id: &str) -> bool {
    !id.is_empty() && id.len() <= LONGEST
}
