//! Requests, parsed, written, and converted to and from the hub.

use agentwire::anthropic::request::MessagesRequest;
use agentwire::chat::request::ChatRequest;
use agentwire::hub::Losses;
use agentwire::hub::request::convert;

#[test]
fn a_request_round_trips() {
    let json = r#"{"model":"m","max_tokens":9,"system":[{"type":"text","text":"Be short.","cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":[{"type":"text","text":"What is this?"},{"type":"image","source":{"type":"url","url":"https://example.com/a.png"}}]},{"role":"assistant","content":[{"type":"thinking","thinking":"Hm","signature":"c2ln"},{"type":"tool_use","id":"c","name":"f","input":{"a":1}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"ok"}]}],"tools":[{"name":"f","input_schema":{"type":"object"}},{"type":"web_search_20250305","name":"web_search","max_uses":5}],"stream":true,"betas":["x"]}"#;
    assert_eq!(MessagesRequest::parse(json).expect("a request").to_json(), json);
    let refused = MessagesRequest::parse(r#"{"model":"m","messages":[{"role":"user"}]}"#).unwrap_err();
    assert_eq!(refused.problems()[0].path(), "body.messages.0.content");
}

#[test]
fn a_chat_completions_request_round_trips() {
    let chat = r#"{"model":"m","messages":[{"role":"system","content":"Be short."},{"role":"user","content":"Weather?"},{"role":"assistant","content":"I look.","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}},{"id":"b","type":"function","function":{"name":"g","arguments":"{}"}}]},{"role":"tool","content":"1","tool_call_id":"a"},{"role":"tool","content":"2","tool_call_id":"b"},{"role":"user","content":"And?"}],"tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"}}}],"tool_choice":"required","parallel_tool_calls":false,"stream":true,"max_completion_tokens":9,"stop":"END","user":"u"}"#;
    let asked = ChatRequest::parse(chat).expect("a request");
    let mut losses = Losses::default();
    let messages: MessagesRequest = convert(&asked, &mut losses);
    assert_eq!(
        messages.to_json(),
        concat!(
            r#"{"model":"m","max_tokens":9,"system":"Be short.","messages":[{"role":"user","content":"Weather?"},"#,
            r#"{"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"a","name":"f","input":{"x":1}},{"type":"tool_use","id":"b","name":"g","input":{}}]},"#,
            r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"1"},{"type":"tool_result","tool_use_id":"b","content":"2"},{"type":"text","text":"And?"}]}],"#,
            r#""tools":[{"name":"f","description":"d","input_schema":{"type":"object"}}],"#,
            r#""tool_choice":{"type":"any","disable_parallel_tool_use":true},"stream":true,"stop_sequences":["END"],"metadata":{"user_id":"u"}}"#,
        )
    );
    assert!(losses.is_empty(), "{}", losses.to_json());
    let back: ChatRequest = convert(&messages, &mut losses);
    let again: MessagesRequest = convert(&back, &mut losses);
    assert_eq!(again, messages);
}
