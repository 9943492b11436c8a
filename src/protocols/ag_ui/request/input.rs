//! Requests, declared. (B.2.)

use alloc::string::String;

use crate::core::declare::requests;
use crate::json::Value;

requests! {
    objects {
        /// What an agent asks (B.8).
        Interrupt as "AgUiInterrupt" {
            /// What to name when answering.
            id: String,
            /// Why: `tool_call`, or any other word.
            reason: String,
            /// The question, for people.
            message: Option<String> [NotNull],
            /// The call that it is about.
            tool_call_id as "toolCallId": Option<String> [NotNull],
            /// JSON Schema of the answer.
            response_schema as "responseSchema": Option<Value> [Object],
            /// Until when it can be answered, as ISO 8601.
            expires_at as "expiresAt": Option<String> [NotNull],
            /// Anything more.
            metadata: Option<Value> [Object],
            /// The lane that asks.
            subagent_run_id as "subagentRunId": Option<String> [NotNull],
        }
    }
}

impl Interrupt {
    /// A question of that id and reason.
    pub fn new(id: impl Into<String>, reason: impl Into<String>) -> Self {
        Interrupt { id: id.into(), reason: reason.into(), ..Self::empty() }
    }
}
