//! Ids that a target can repeat as often as its protocol does.

use alloc::string::String;

use super::transducer::Out;
use crate::bytes::string_map::StringMap;
use crate::json::decimal;

/// How many bytes an id may have that every piece has again: otherwise a few kilobytes of a source could become any number.
pub(crate) const LONGEST: usize = 1024;

/// Whether every event that is about a call can say its id.
pub(crate) fn can_repeat(id: &str) -> bool {
    !id.is_empty() && id.len() <= LONGEST
}

/// The ids of calls: those that readers could not pair, or that are too long to be repeated, get another one.
#[derive(Debug, Default)]
pub(crate) struct CallIds(StringMap<String>);

impl CallIds {
    /// The id that a call has here.
    pub fn of<'i, E>(&'i mut self, id: &'i str, out: &mut Out<'_, E>) -> &'i str {
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

/// The id of a message, if it has one that can be repeated.
pub(crate) fn message_id<'i, E>(id: Option<&'i str>, out: &mut Out<'_, E>) -> Option<&'i str> {
    let id = id.filter(|id| !id.is_empty())?;
    if id.len() <= LONGEST {
        return Some(id);
    }
    out.lose(
        "message-id",
        id,
        "every event of a message repeats its id, and this one is too long: it got another",
    );
    None
}
