//! The members of a data content, put together and taken apart.

use alloc::vec::Vec;

use crate::json::{Member, Value};
use crate::protocols::agent_api::Content;

/// Members with more of them.
pub(super) fn with<const N: usize>(said: [(&str, Value); N], more: &[Member]) -> Value {
    let mut data = Value::from(said);
    if let Value::Object(members) = &mut data {
        members.extend_from_slice(more);
    }
    data
}

/// The members of data, but for these.
pub(super) fn data_members(content: Option<&Content>, without: &[&str]) -> Vec<Member> {
    content.and_then(Content::data).map(|data| data.members_without(without)).unwrap_or_default()
}
