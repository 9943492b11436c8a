//! Requests, parsed, written, and converted to and from the hub.

use agentwire::ag_ui::request::RunAgentInput;
use agentwire::agent_api::request::AgentRequest;
use agentwire::ai_sdk::request::UiRequest;
use agentwire::chat::request::ChatRequest;
use agentwire::hub::Losses;
use agentwire::hub::request::convert;

const CONVERSATION: &str = concat!(
    r#"{"id":"chat-1","messages":[{"id":"u1","role":"user","parts":[{"type":"text","text":"hi"},{"type":"file","url":"data:image/png;base64,iVBORw0KGgo=","mediaType":"image/png"}]},"#,
    r#"{"id":"a1","role":"assistant","parts":[{"type":"step-start"},{"type":"text","text":"I look.","state":"done"},"#,
    r#"{"type":"tool-w","toolCallId":"a","state":"output-available","input":{"x":1},"output":{"t":2}},"#,
    r#"{"type":"dynamic-tool","toolCallId":"b","toolName":"v","state":"output-error","input":{},"errorText":"failed"}]}],"#,
    r#""trigger":"submit-message","sessionId":"s1"}"#,
);

#[test]
fn a_request_round_trips() {
    assert_eq!(UiRequest::parse(CONVERSATION).expect("a request").to_json(), CONVERSATION);
    let refused = UiRequest::parse(r#"{"id":"c","messages":[{"role":"user"}]}"#).unwrap_err();
    assert_eq!(refused.problems()[0].path(), "body.messages.0.parts");
}

#[test]
fn consecutive_calls_are_written_before_their_results() {
    let asked = UiRequest::parse(CONVERSATION).expect("a request");
    let mut losses = Losses::default();
    let chat: ChatRequest = convert(&asked, &mut losses);
    let json = chat.to_json();
    let place = |text: &str| json.find(text).unwrap_or_else(|| panic!("no {text} in {json}"));
    assert!(place(r#""id":"b""#) < place(r#""tool_call_id":"a""#), "{json}");
    assert!(json.contains(r#""content":"failed","tool_call_id":"b""#), "{json}");
    let agent: AgentRequest = convert(&asked, &mut losses);
    assert_eq!(agent.session_id.as_deref(), Some("chat-1"));
}

#[test]
fn an_approval_response_becomes_a_resume_entry() {
    let asked = UiRequest::parse(concat!(
        r#"{"id":"c","messages":[{"id":"a1","role":"assistant","parts":[{"type":"tool-delete","toolCallId":"x","state":"approval-responded","input":{},"#,
        r#""approval":{"id":"q","approved":true,"reason":"fine"}}]}]}"#,
    ))
    .expect("a request");
    let mut losses = Losses::default();
    let run: RunAgentInput = convert(&asked, &mut losses);
    let json = run.normalized_json();
    assert!(json.contains(r#""interruptId":"q""#), "{json}");
    let back: UiRequest = convert(&run, &mut losses);
    assert_eq!(back.id.as_deref(), Some("c"));
}

#[test]
fn a_chat_completions_request_round_trips() {
    let chat = r#"{"model":"m","messages":[{"role":"system","content":"Be short."},{"role":"user","content":"Weather?"},{"role":"assistant","content":"I look.","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}]},{"role":"tool","content":"1","tool_call_id":"a"},{"role":"user","content":"And?"}],"stream":true}"#;
    let mut losses = Losses::default();
    let ui: UiRequest = convert(&ChatRequest::parse(chat).expect("a request"), &mut losses);
    assert_eq!(
        ui.to_json(),
        concat!(
            r#"{"messages":[{"role":"system","parts":[{"type":"text","text":"Be short."}]},{"role":"user","parts":[{"type":"text","text":"Weather?"}]},"#,
            r#"{"role":"assistant","parts":[{"type":"text","text":"I look."},{"type":"tool-f","toolCallId":"a","state":"output-available","input":{"x":1},"output":"1"}]},"#,
            r#"{"role":"user","parts":[{"type":"text","text":"And?"}]}],"trigger":"submit-message","model":"m"}"#,
        )
    );
    let back: ChatRequest = convert(&ui, &mut losses);
    let again: UiRequest = convert(&back, &mut losses);
    assert_eq!(again.messages, ui.messages);
}
