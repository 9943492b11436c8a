//! How the requests of a protocol are read and written.

use alloc::string::String;

use super::{Conversation, Requirements};
use crate::core::id::IdSource;
use crate::json::Value;

/// The requests of a protocol: data and three functions.
#[derive(Debug)]
pub(crate) struct RequestCodec {
    /// Returns the requirements of a model, by its name; those of the protocol if it has none.
    pub requirements: fn(model: Option<&str>) -> &'static Requirements,
    /// Reads the members of a request.
    pub read: fn(Value) -> Conversation,
    /// Reads a message, item or answer of the protocol, and adds it as the next turns.
    pub append: fn(&mut Conversation, Value),
    /// Whether the model has not finished although no call of its answer waits for a result: it is
    /// called again.
    pub continues: fn(answer: &Value) -> bool,
    /// The member of a request that is the list of its messages.
    pub messages: &'static str,
    /// Writes a conversation that is valid for the requirements. `ids` creates the ids that the
    /// protocol requires and the conversation does not have.
    pub write: fn(&Conversation, ids: &mut dyn IdSource) -> String,
}
