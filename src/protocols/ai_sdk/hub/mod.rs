//! The AI SDK and the hub.

mod media;
mod request;
mod source;
mod target;
mod usage;

pub use source::FromAiSdk;
pub use target::ToAiSdk;

use alloc::string::String;

use crate::hub::{WriteOptions, spoke};
use crate::protocols::ai_sdk::AiSdk;

spoke!(AiSdk: source::State => hub => ToAiSdk(WriteOptions) {
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
