//! Functions for the members of a data content.

use alloc::vec::Vec;

use crate::json::{Member, Value};
use crate::protocols::agent_api::Content;

/// Returns an object with these members, followed by `more`.
pub(super) fn with<const N: usize>(said: [(&str, Value); N], more: &[Member]) -> Value {
    let mut data = Value::from(said);
    if let Value::Object(members) = &mut data {
        members.extend_from_slice(more);
    }
    data
}

/// Returns the members of data except for those in `without`.
pub(super) fn data_members(content: Option<&Content>, without: &[&str]) -> Vec<Member> {
    content.and_then(Content::data).map(|data| data.members_without(without)).unwrap_or_default()
}
