//! Pairing of calls and outputs where no recorded stream has the case.

use agentwire::Reader;
use agentwire::agent_api::{AgentApi, ToolState};

#[test]
fn an_approval_request_can_have_the_id_of_its_call() {
    let message = |id: &str, kind: &str, data: &str| {
        format!(
            "data: {{\"object\":\"message\",\"status\":\"completed\",\"id\":\"{id}\",\"type\":\"{kind}\",\
             \"content\":[{{\"type\":\"data\",\"data\":{data}}}]}}\n\n"
        )
    };
    let mut reader = Reader::new(AgentApi::default());
    for event in [
        message("m1", "mcp_approval_request", r#"{"id":"c1","name":"f","arguments":"{}"}"#),
        message("m2", "mcp_call", r#"{"call_id":"c1","name":"f","arguments":"{}"}"#),
        message("m3", "mcp_call_output", r#"{"call_id":"c1","name":"f","output":"o"}"#),
    ] {
        reader.push(event.as_bytes());
    }
    let snapshot = reader.finish().snapshot;
    let said: Vec<_> = snapshot
        .tool_calls
        .iter()
        .map(|call| (call.message_id.as_deref(), call.output_message_id.as_deref(), call.state))
        .collect();
    assert_eq!(
        said,
        [(Some("m1"), None, ToolState::Called), (Some("m2"), Some("m3"), ToolState::Answered)]
    );
}
