//! Limits the length of ids that are repeated in every event.

/// The maximum length, in bytes, of an id that every piece repeats. Without it, a few kilobytes of a source could
/// produce output of any size.
const LONGEST: usize = 1024;

/// Whether every event of a call or message can repeat its id.
pub(crate) fn can_repeat(id: &str) -> bool {
    !id.is_empty() && id.len() <= LONGEST
}
