//! Requests, both ways.

use agentwire::adapt::Losses;
use agentwire::adapt::ag_kit::request::{to_ag_kit, to_agent_api};
use agentwire::ag_kit::request::SendMessageInput;
use agentwire::agent_api::request::AgentRequest;
use agentwire::json::Value;

fn there_and_back(json: &str) -> (SendMessageInput, Losses) {
    let mut losses = Losses::default();
    let input = SendMessageInput::parse(json).unwrap();
    let request = to_agent_api(&input, &mut losses);
    let problems = request.validate();
    assert!(problems.is_empty() || request.user_id.is_none(), "{problems:?}");
    (to_ag_kit(&request, &mut losses), losses)
}

#[test]
fn what_is_new_in_a_conversation_goes_there_and_back() {
    for json in [
        r#"{"conversationId":"c","messages":[{"role":"system","content":"s"},{"role":"user","content":"你好"}]}"#,
        r#"{"conversationId":"c","messages":[{"role":"tool","content":"blue","toolCallId":"a"},{"role":"tool","content":"","toolCallId":"b"}]}"#,
        r#"{"conversationId":"c","messages":[],"resume":{"interruptId":"i","payload":"{\"approved\":false}"}}"#,
        r#"{"conversationId":"c","messages":[],"resume":{"interruptId":"i","payload":"go on"}}"#,
    ] {
        let (back, losses) = there_and_back(json);
        assert_eq!(back, SendMessageInput::parse(json).unwrap());
        assert!(losses.is_empty(), "{json}: {}", losses.to_json());
    }
}

#[test]
fn tools_keep_their_parameters_as_text_or_json() {
    let schema = r#"{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}"#;
    let text = Value::from(schema).to_json();
    for parameters in [schema, &text] {
        let json = format!(
            r#"{{"conversationId":"c","messages":[],"tools":[{{"name":"f","description":"d","parameters":{parameters}}}]}}"#
        );
        let (back, losses) = there_and_back(&json);
        assert!(losses.is_empty(), "{}", losses.to_json());
        assert_eq!(back.tools[0].parameters.to_json(), schema);
        assert_eq!((back.tools[0].name.as_str(), back.tools[0].description.as_str()), ("f", "d"));
    }
    let json = r#"{"conversationId":"c","messages":[],"tools":[{"name":"f","description":"d","parameters":"none"}]}"#;
    let (back, losses) = there_and_back(json);
    assert_eq!((back.tools[0].parameters.to_json().as_str(), losses.count("tool-parameters")), ("{}", 1));
}

#[test]
fn an_answer_to_an_approval_request_resumes_the_run() {
    let asked = r#"{"session_id":"s","user_id":"u","input":[
        {"role":"user","content":[{"type":"text","text":"delete it"}]},
        {"type":"mcp_approval_request","role":"assistant","content":[{"type":"data","data":{"id":"a","name":"f","arguments":"{}","server_label":"s"}}]},
        {"type":"mcp_approval_response","role":"user","content":[{"type":"data","data":{"approval_request_id":"a","approve":true,"id":null,"reason":"sure"}}]}
    ]}"#;
    let mut losses = Losses::default();
    let sent = to_ag_kit(&AgentRequest::parse(asked).unwrap(), &mut losses);
    let json = sent.to_json().unwrap();
    assert_eq!(
        json,
        r#"{"messages":[],"resume":{"interruptId":"a","payload":"{\"approve\":true,\"reason\":\"sure\"}"},"conversationId":"s"}"#
    );
    assert_eq!(losses.counts(), [("parameter", 1), ("history", 2)]);

    let back = to_agent_api(&SendMessageInput::parse(&json).unwrap(), &mut losses);
    let data = back.input[0].content.as_ref().unwrap()[0].payload.clone();
    let agentwire::agent_api::Payload::Data { data: Some(data) } = data else { panic!("data") };
    assert_eq!(data.get("approve"), Some(&true.into()));
    assert_eq!(data.get("reason"), Some(&"sure".into()));
}

#[test]
fn what_has_no_place_in_a_request_is_noted() {
    let asked = r#"{"model":"m","n":2,"biz":1,"tools":[{"type":"other"}],"input":[
        {"role":"assistant","content":[{"type":"text","text":"old"}]},
        {"role":"user","content":[{"type":"text","text":"look "},{"type":"image","image_url":"u"},{"type":"text","text":"here"}]},
        {"role":"tool","content":[{"type":"text","text":"whose?"}]}
    ]}"#;
    let mut losses = Losses::default();
    let sent = to_ag_kit(&AgentRequest::parse(asked).unwrap(), &mut losses);
    assert_eq!(
        sent.to_json().unwrap(),
        r#"{"messages":[{"role":"user","content":"look here"}],"conversationId":""}"#
    );
    let counts =
        [("conversation", 1), ("parameter", 3), ("history", 1), ("part", 1), ("role", 1), ("tool", 1)];
    assert_eq!(losses.counts(), counts);
}

#[test]
fn an_assistants_calls_become_messages() {
    let json = r#"{"conversationId":"c","messages":[{"role":"assistant","id":"m","content":"I look","toolCalls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","toolCallId":"a","content":"x"}]}"#;
    let mut losses = Losses::default();
    let request = to_agent_api(&SendMessageInput::parse(json).unwrap(), &mut losses);
    let types: Vec<_> = request.input.iter().map(|message| message.r#type.as_str()).collect();
    assert_eq!(types, ["message", "function_call", "function_call_output"]);
    assert_eq!(request.input[0].id.as_deref(), Some("m"));
    // The server has what the agent said.
    assert_eq!(to_ag_kit(&request, &mut losses).messages.len(), 1);
    assert_eq!(losses.counts(), [("history", 2)]);
}

#[test]
fn an_unnamed_conversation_is_nobodys_session() {
    let input = SendMessageInput::parse(r#"{"conversationId":"","messages":[]}"#).unwrap();
    let request = to_agent_api(&input, &mut Losses::default());
    assert_eq!(request.session_id, None);
}
