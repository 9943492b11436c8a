//! AgentScope and the hub.

mod source;
mod target;
mod usage;

pub use source::FromAgentScope;
pub use target::ToAgentScope;

use alloc::string::String;

use crate::hub::conversation::RequestCodec;
use crate::hub::{WriteOptions, conversion};
use crate::protocols::agentscope::AgentScope;

conversion!(AgentScope: source::AgentScopeSource {
    fn requests() -> Option<&'static RequestCodec> {
        Some(&super::conversation::REQUESTS)
    }
} => hub => ToAgentScope(WriteOptions) {
    fn can_write_pieces(target: &mut ToAgentScope) -> bool {
        target.can_write_pieces()
    }

    fn write_pieces(target: &mut ToAgentScope, text: &str, ends: &[usize], out: &mut String) {
        target.write_pieces(text, ends, out);
    }
});

/// The name of the custom step that a hint is, with `id`, `source` and `hint`.
const HINT: &str = "agentscope.hint";

/// The name of the custom event that data is.
const DATA: &str = "agentwire.data";

/// The member of a result with its metadata.
const METADATA: &str = "metadata";

/// The reason of a reply whose agent has exceeded its iterations.
const EXCEEDED: &str = "exceed_max_iters";

/// The name of the model of a step without a name.
const MODEL_NAME: &str = "model";

/// The text of a result without one that was stopped or not allowed.
const STOPPED: &str = "The call was interrupted.";
