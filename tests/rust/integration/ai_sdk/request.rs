//! Requests, parsed and written.

use agentwire::ai_sdk::request::UiRequest;

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
