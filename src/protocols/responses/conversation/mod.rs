//! Requests as conversations, both ways.
//!
//! The items of an answer are the parts of one turn: texts of a message, reasoning, calls. What is
//! left of an item belongs to its part. The members of a message belong to its first part, in the
//! member `message`, which also marks where a message begins. Items that only this protocol has
//! stay as they are.
//!
//! Clients of other models carry the members of these models as `encrypted_content` of reasoning
//! items (see
//! [`Sealed`](crate::hub::conversation::Sealed)), which are opened here.

mod carried;
mod content;
mod hosted;
mod items;
mod read;
mod requirements;
#[cfg(test)]
mod tests;
mod write;
mod write_items;

use crate::hub::conversation::settings::SettingPaths;
use crate::hub::conversation::{Opaque, RequestCodec, SettingKey};
use crate::json::Value;

/// How requests are read and written.
pub(crate) static REQUESTS: RequestCodec = RequestCodec {
    requirements: requirements::of,
    read: read::request,
    append: read::append,
    continues: |_| false,
    messages: "input",
    write: write::request,
};

const FORMAT: &str = "responses";

const SETTINGS: SettingPaths = &[
    ("model", SettingKey::Model),
    ("stream", SettingKey::Stream),
    ("max_output_tokens", SettingKey::MaxTokens),
    ("temperature", SettingKey::Temperature),
    ("top_p", SettingKey::TopP),
    ("parallel_tool_calls", SettingKey::Parallel),
    ("reasoning.effort", SettingKey::Effort),
    ("reasoning.summary", SettingKey::Summary),
    ("text.verbosity", SettingKey::Verbosity),
    ("user", SettingKey::User),
    ("safety_identifier", SettingKey::Safety),
    ("metadata", SettingKey::Metadata),
    ("service_tier", SettingKey::ServiceTier),
    ("prompt_cache_key", SettingKey::CacheKey),
    ("store", SettingKey::Store),
];

/// The opaque member of the first part of a message that has the members of the message.
const MESSAGE: &str = "message";

/// The opaque member of a part of a message that only this protocol has: the whole part.
const BLOCK: &str = "block";

/// Returns the type of an item that stays as it is.
fn item_type(opaque: Option<&Opaque>) -> Option<&str> {
    opaque?.get("type").and_then(Value::as_str)
}
