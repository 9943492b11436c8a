//! The digest of an answer: the same as that of `benches/js/digest.mjs` for the same answer.

use agentwire::agent_api::{Payload, Snapshot};
use agentwire::json::Value;

use super::state::State;

/// FNV-1a over UTF-16 units, because JavaScript's strings have those.
struct Hash(u32);

impl Hash {
    fn add(&mut self, text: &str) {
        for unit in text.encode_utf16() {
            self.0 = (self.0 ^ u32::from(unit)).wrapping_mul(0x0100_0193);
        }
    }

    /// Adds a missing member by the name that it has in JavaScript.
    fn add_member(&mut self, text: Option<&str>) {
        self.add(text.unwrap_or("undefined"));
    }

    fn word(&self, messages: usize) -> String {
        format!("{messages}:{:08x}", self.0)
    }
}

pub fn of_snapshot(snapshot: &Snapshot) -> String {
    let mut hash = Hash(0x811c_9dc5);
    for message in &snapshot.response.output {
        hash.add(&message.id);
        hash.add(message.r#type.as_str());
        hash.add(message.role.as_ref().map_or("null", |role| role.as_str()));
        hash.add(message.status.as_str());
        for content in &message.content {
            hash.add(content.payload.content_type().as_str());
            match &content.payload {
                Payload::Text { text } => hash.add(text.as_deref().unwrap_or("null")),
                Payload::Data { data } => {
                    let member = |name| {
                        data.as_ref().and_then(|data| data.get(name)).and_then(Value::as_str)
                    };
                    for name in ["call_id", "name", "arguments", "output"] {
                        hash.add_member(member(name));
                    }
                }
                _ => {}
            }
        }
    }
    hash.word(snapshot.response.output.len())
}

pub fn of_state(state: &State) -> String {
    let mut hash = Hash(0x811c_9dc5);
    for message in &state.messages {
        for text in [&message.id, &message.kind, &message.role] {
            hash.add(text);
        }
        hash.add(message.status.as_str());
        for content in &message.contents {
            match (&content.text, &content.data) {
                (_, Some(data)) => {
                    hash.add("data");
                    for member in [&data.call_id, &data.name, &data.arguments, &data.output] {
                        hash.add_member(member.as_deref());
                    }
                }
                (text, None) => {
                    hash.add("text");
                    hash.add(text.as_deref().unwrap_or("null"));
                }
            }
        }
    }
    hash.word(state.messages.len())
}
