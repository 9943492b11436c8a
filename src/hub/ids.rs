//! Ids of calls and messages that are short enough for a target to repeat in every event.

use alloc::string::String;

use super::transducer::EventOutput;
use crate::bytes::string_map::StringMap;
use crate::json::decimal;

/// The maximum length, in bytes, of an id that every piece repeats. Without it, a few kilobytes of
/// a source could produce output of any size.
const LONGEST: usize = 1024;

/// Whether every event of a call or message can repeat its id.
pub(crate) fn can_repeat(id: &str) -> bool {
    !id.is_empty() && id.len() <= LONGEST
}

/// The ids of calls. An empty id, or one that is too long to be repeated, is replaced.
#[derive(Debug, Default)]
pub(crate) struct CallIds(StringMap<String>);

impl CallIds {
    /// Returns the id that a call has in the target.
    pub fn of<'i, E>(&'i mut self, id: &'i str, out: &mut EventOutput<'_, E>) -> &'i str {
        if can_repeat(id) {
            return id;
        }
        if self.0.get(id).is_none() {
            out.lose("call-id", id, "readers could not pair it: the call got another one");
            let next = self.0.len() + 1;
            self.0.insert(id, ["unnamed_", &decimal(next as i64)].concat());
        }
        self.0.get(id).map_or(id, String::as_str)
    }
}

/// Returns the id of a message if it can be repeated.
pub(crate) fn message_id<'i, E>(
    id: Option<&'i str>,
    out: &mut EventOutput<'_, E>,
) -> Option<&'i str> {
    let id = id.filter(|id| !id.is_empty())?;
    if can_repeat(id) {
        return Some(id);
    }
    let reason =
        "every event of a message repeats its id, and this one is too long: it got another";
    out.lose("message-id", id, reason);
    None
}
