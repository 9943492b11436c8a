//! Conversions between the Agent API and the hub.

mod request;
mod source;
mod target;
mod words;

pub use source::FromAgentApi;
pub use target::ToAgentApi;

use crate::core::ReadOptions;
use crate::hub::spoke;
use crate::protocols::agent_api::AgentApi;
use crate::protocols::agent_api::builder::{BuilderOptions, ContentBuilder};
use alloc::string::String;

spoke!(AgentApi: source::State {
    fn source(protocol: &mut AgentApi, options: &ReadOptions) -> source::State {
        protocol.keep_heartbeats = false;
        source::State::new(options.limits.json_depth)
    }
} => hub => ToAgentApi(BuilderOptions) {
    fn can_write_pieces(target: &mut ToAgentApi) -> bool {
        target.latest().is_some_and(ContentBuilder::can_write_pieces)
    }

    #[inline]
    fn write_pieces(target: &mut ToAgentApi, text: &str, ends: &[usize], out: &mut String) {
        if let Some(part) = target.latest() {
            part.write_pieces(text, ends, out);
        }
    }
});

/// Members of a response that the protocol does not declare: the parameters and the results of a run. The first two
/// have the names that OpenAI's responses use.
const MODEL: &str = "model";
const PARENT: &str = "previous_response_id";
const RESULT: &str = "result";
const PENDING: &str = "pending_tool_call_ids";

/// The prefix in the types of messages that stand for steps of the hub.
const NOTE: &str = "agentwire.";
