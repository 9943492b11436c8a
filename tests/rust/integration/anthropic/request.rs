//! Requests, parsed and written.

use agentwire::anthropic::request::MessagesRequest;

#[test]
fn a_request_round_trips() {
    let json = r#"{"model":"m","max_tokens":9,"system":[{"type":"text","text":"Be short.","cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":[{"type":"text","text":"What is this?"},{"type":"image","source":{"type":"url","url":"https://example.com/a.png"}}]},{"role":"assistant","content":[{"type":"thinking","thinking":"Hm","signature":"c2ln"},{"type":"tool_use","id":"c","name":"f","input":{"a":1}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"ok"}]}],"tools":[{"name":"f","input_schema":{"type":"object"}},{"type":"web_search_20250305","name":"web_search","max_uses":5}],"stream":true,"betas":["x"]}"#;
    assert_eq!(MessagesRequest::parse(json).expect("a request").to_json(), json);
    let refused =
        MessagesRequest::parse(r#"{"model":"m","messages":[{"role":"user"}]}"#).unwrap_err();
    assert_eq!(refused.problems()[0].path(), "body.messages.0.content");
}
