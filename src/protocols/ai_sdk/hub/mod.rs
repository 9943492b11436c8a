//! The AI SDK and the hub.

mod media;
mod source;
mod target;
mod usage;

pub use source::FromAiSdk;
pub use target::ToAiSdk;

use alloc::string::String;

use crate::hub::conversation::RequestCodec;
use crate::hub::{WriteOptions, spoke};
use crate::json::Value;
use crate::protocols::ai_sdk::AiSdk;
use crate::protocols::ai_sdk::request::UiRequest;

spoke!(AiSdk: source::State {
    fn requests() -> Option<&'static RequestCodec> {
        Some(&super::conversation::REQUESTS)
    }
} => hub => ToAiSdk(WriteOptions) {
    fn can_write_pieces(target: &mut ToAiSdk) -> bool {
        target.can_write_pieces()
    }

    fn write_pieces(target: &mut ToAiSdk, text: &str, ends: &[usize], out: &mut String) {
        target.write_pieces(text, ends, out);
    }
});

/// The provider under which a target writes what the protocol has no property for.
const PROVIDER: &str = "agentwire";

/// The member of its metadata with the opaque members of another provider, which the client carries to the next request.
const STATE: &str = "state";

/// The id of the message that an answer continues, in the echo of its request and in the start of a stream.
const MESSAGE_ID: &str = "messageId";

/// The reason of a message that has ended and waits for nothing.
const STOP: &str = "stop";

impl UiRequest {
    /// Returns the members of the request that the writer of its answer needs: the id of the message that the answer continues,
    /// which is the last one, if it is the assistant's. A client that receives another id keeps both messages.
    pub fn echo(&self) -> Value {
        let last = self.messages.last().filter(|message| message.role == "assistant");
        match last.and_then(|message| message.id.as_deref()).filter(|id| !id.is_empty()) {
            Some(id) => [(MESSAGE_ID, id.into())].into(),
            None => Value::Null,
        }
    }
}
