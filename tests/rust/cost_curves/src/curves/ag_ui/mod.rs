//! AG-UI.

pub mod activities;
pub mod lanes;
pub mod messages;
pub mod runs;
pub mod snapshots;
pub mod state;

const RUN: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;
const END: &str = r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#;
const TEXT: &str = r#"{"type":"TEXT_MESSAGE_START","messageId":"s$i","role":"assistant"}"#;
const TEXT_END: &str = r#"{"type":"TEXT_MESSAGE_END","messageId":"s$i"}"#;
const CALL: &str = r#"{"type":"TOOL_CALL_START","toolCallId":"c$i","toolCallName":"f"}"#;
const CALL_END: &str = r#"{"type":"TOOL_CALL_END","toolCallId":"c$i"}"#;
const SUBAGENT: &str = r#"{"type":"SUBAGENT_STARTED","subagentRunId":"l$i","name":"f"}"#;
const SUBAGENT_END: &str =
    r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"l$i","outcome":{"type":"success"}}"#;
