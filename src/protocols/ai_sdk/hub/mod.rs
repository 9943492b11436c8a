//! The AI SDK and the hub.

mod media;
mod source;
mod target;
mod usage;

pub use source::FromAiSdk;
pub use target::ToAiSdk;

use alloc::string::String;

use crate::hub::approval::MADE_UP;
use crate::hub::conversation::RequestCodec;
use crate::hub::{WriteOptions, conversion};
use crate::json::Value;
use crate::protocols::ai_sdk::AiSdk;
use crate::protocols::ai_sdk::request::UiRequest;

conversion!(AiSdk: source::AiSdkSource {
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

/// The member of its metadata with the opaque members of another provider, which the client carries
/// to the next request.
const STATE: &str = "state";

/// The beginning of the ids of calls that were inserted for questions.
const QUESTION: &str = "question_";

/// Returns whether a call was inserted for a question that is not about a tool: its input is the
/// payload of the question.
fn is_inserted(id: &str, name: Option<&str>) -> bool {
    id.starts_with(QUESTION) && name == Some(MADE_UP.0)
}

/// The member of a question's description with its reason, if the text is in the place of the
/// reason.
const REASON: &str = "reason";

/// The member of a question's description with the time at which it expires.
const EXPIRES_AT: &str = "expiresAt";

/// The member of a question's description with the schema of the answer.
const RESPONSE_SCHEMA: &str = "responseSchema";

/// The member of a question's description with its payload, if that is not the call.
const PAYLOAD: &str = "payload";

/// The id of the message that an answer continues, in the echo of its request and in the start of a
/// stream.
const MESSAGE_ID: &str = "messageId";

/// The reason of a message that has ended and waits for nothing.
const STOP: &str = "stop";

impl UiRequest {
    /// Returns the members of the request that the writer of its answer needs: the id of the
    /// message that the answer continues, which is the last one, if it is the assistant's. A client
    /// that receives another id keeps both messages.
    pub fn echo(&self) -> Value {
        let last = self.messages.last().filter(|message| message.role == "assistant");
        match last.and_then(|message| message.id.as_deref()).filter(|id| !id.is_empty()) {
            Some(id) => [(MESSAGE_ID, id.into())].into(),
            None => Value::Null,
        }
    }
}
