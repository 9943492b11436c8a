//! Requests, parsed and written.

use agentwire::chat::request::ChatRequest;

#[test]
fn a_request_round_trips() {
    for json in [
        r#"{"model":"m","messages":[{"role":"user","content":"hi"}]}"#,
        r#"{"model":"m","messages":[{"role":"developer","content":"Be short."},{"role":"user","content":[{"type":"text","text":"What is this?"},{"type":"image_url","image_url":{"url":"https://example.com/a.png","detail":"low"}}]},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","content":"ok","tool_call_id":"c"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"},"strict":true}}],"stream":true,"n":2,"temperature":0.5,"prediction":{"type":"content"}}"#,
    ] {
        let request = ChatRequest::parse(json).expect("a request");
        assert_eq!(request.to_json(), json.replace(r#""content":null,"#, ""));
    }
    let refused = ChatRequest::parse(r#"{"model":"m","messages":"hi"}"#).unwrap_err();
    assert_eq!(refused.status(), 400);
    assert_eq!(
        refused.body(),
        r#"{"error":{"message":"Invalid value for 'messages': Input should be a valid list","type":"invalid_request_error","param":"messages","code":"list_type"}}"#,
    );
}

#[test]
fn a_request_has_a_message() {
    let refused = ChatRequest::parse(r#"{"model":"m","messages":[]}"#).unwrap_err();
    assert_eq!(
        (refused.status(), &*refused.body()),
        (
            400,
            r#"{"error":{"message":"Invalid value for 'messages': List should have at least 1 item after validation, not 0","type":"invalid_request_error","param":"messages","code":"too_short"}}"#
        ),
    );
    let mut request = ChatRequest::user("m", "hi");
    assert_eq!(request.validate(), []);
    request.messages.clear();
    assert_eq!(request.validate()[0].code(), "too_short");
}
