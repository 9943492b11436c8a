//! Requests, parsed, written, and converted to and from the hub.

use agentwire::ag_ui::request::RunAgentInput;
use agentwire::chat::request::ChatRequest;
use agentwire::hub::Losses;
use agentwire::hub::request::convert;
use agentwire::responses::request::CreateResponse;

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
    assert_eq!(refused.problems()[0].path(), "body.messages");
}

#[test]
fn consecutive_calls_become_one_message() {
    let asked = CreateResponse::parse(
        r#"{"model":"m","instructions":"Be short.","max_output_tokens":9,"reasoning":{"effort":"low"},"input":[
            {"role":"user","content":"Weather?"},
            {"type":"message","role":"assistant","content":[{"type":"output_text","text":"I look."}]},
            {"type":"function_call","call_id":"a","name":"f","arguments":"{}"},
            {"type":"function_call","call_id":"b","name":"g","arguments":"{}"},
            {"type":"function_call_output","call_id":"a","output":"1"},
            {"type":"function_call_output","call_id":"b","output":"2"}],
          "tools":[{"type":"function","name":"f","description":"d","parameters":{"type":"object"},"strict":true}]}"#,
    )
    .expect("a request");
    let mut losses = Losses::default();
    let chat: ChatRequest = convert(&asked, &mut losses);
    assert_eq!(
        chat.to_json(),
        concat!(
            r#"{"model":"m","messages":[{"role":"system","content":"Be short."},{"role":"user","content":"Weather?"},"#,
            r#"{"role":"assistant","content":"I look.","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},"#,
            r#"{"id":"b","type":"function","function":{"name":"g","arguments":"{}"}}]},"#,
            r#"{"role":"tool","content":"1","tool_call_id":"a"},{"role":"tool","content":"2","tool_call_id":"b"}],"#,
            r#""tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"},"strict":true}}],"#,
            r#""stream":false,"max_completion_tokens":9,"reasoning_effort":"low"}"#,
        )
    );
    assert!(losses.is_empty(), "{}", losses.to_json());
    let back: CreateResponse = convert(&chat, &mut losses);
    let again: ChatRequest = convert(&back, &mut losses);
    assert_eq!(again, chat);
}

#[test]
fn an_agent_request_is_converted_to_a_model_request() {
    let asked = RunAgentInput::parse(
        r#"{"threadId":"t","runId":"r","messages":[{"id":"1","role":"user","content":"hi"}],"tools":[],"context":[],"state":{"a":1},"forwardedProps":{}}"#,
    )
    .expect("a request");
    let mut losses = Losses::default();
    let chat: ChatRequest = convert(&asked, &mut losses);
    assert_eq!(
        chat.to_json(),
        r#"{"messages":[{"role":"user","content":"hi"}],"stream":true,"stream_options":{"include_usage":true}}"#
    );
    assert!(losses.count("conversation") > 0 && losses.count("parameter") > 0, "{}", losses.to_json());
}
