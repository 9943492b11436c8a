//! Requests, both ways.

use agentwire::ag_kit::request::SendMessageInput;
use agentwire::agent_api::Payload;
use agentwire::agent_api::request::AgentRequest;
use agentwire::hub::Losses;
use agentwire::json::Value;

use crate::convert;

fn to_ag_kit(asked: &AgentRequest, losses: &mut Losses) -> SendMessageInput {
    convert(asked, losses)
}

fn to_agent_api(asked: &SendMessageInput, losses: &mut Losses) -> AgentRequest {
    convert(asked, losses)
}

fn round_trip(json: &str) -> (SendMessageInput, Losses) {
    let mut losses = Losses::default();
    let input = SendMessageInput::parse(json).unwrap();
    let request = to_agent_api(&input, &mut losses);
    let problems = request.validate();
    assert!(problems.is_empty() || request.user_id.is_none(), "{problems:?}");
    (to_ag_kit(&request, &mut losses), losses)
}

#[test]
fn new_messages_round_trip() {
    for json in [
        r#"{"conversationId":"c","messages":[{"role":"system","content":"s"},{"role":"user","content":"你好"}]}"#,
        r#"{"conversationId":"c","messages":[{"role":"tool","content":"blue","toolCallId":"a"},{"role":"tool","content":"","toolCallId":"b"}]}"#,
        r#"{"conversationId":"c","messages":[],"resume":{"interruptId":"i","payload":"{\"approved\":false}"}}"#,
        r#"{"conversationId":"c","messages":[],"resume":{"interruptId":"i","payload":"go on"}}"#,
    ] {
        let (back, losses) = round_trip(json);
        assert_eq!(back.to_json(), SendMessageInput::parse(json).unwrap().to_json());
        let expected: &[(&str, u64)] =
            if json.contains("go on") { &[("approval-not-understood", 1)] } else { &[] };
        assert_eq!(losses.counts(), expected, "{json}");
    }
}

/// The elements of a member that is a list.
fn items<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    let Some(Value::Array(items)) = value.get(name) else { panic!("no list `{name}`") };
    items
}

/// Returns the approval response for an interrupt answer, and the losses.
fn decision(payload: &str) -> (Value, Losses) {
    let json =
        format!(r#"{{"conversationId":"c","resume":{{"interruptId":"i","payload":{payload}}}}}"#);
    let mut losses = Losses::default();
    let request = to_agent_api(&SendMessageInput::parse(&json).unwrap(), &mut losses);
    let Payload::Data { data: Some(data) } =
        request.input[0].content.as_ref().unwrap()[0].payload.clone()
    else {
        panic!("data")
    };
    (data, losses)
}

#[test]
fn only_clear_approvals_approve() {
    let spellings = |value: &str| [value.to_owned(), Value::from(value).to_json()];
    for value in [
        "true",
        r#"{"approved":true}"#,
        r#"{"approve":true}"#,
        r#"{"approve":true,"reason":"sure"}"#,
        r#""approve""#,
        r#""approved""#,
        r#""yes""#,
    ] {
        for payload in spellings(value) {
            let (data, losses) = decision(&payload);
            assert_eq!(data.get("approve"), Some(&true.into()), "{payload}");
            assert!(losses.is_empty(), "{payload}");
        }
    }
    for value in ["false", r#"{"approved":false}"#, r#"{"approve":false,"reason":"no"}"#] {
        for payload in spellings(value) {
            let (data, losses) = decision(&payload);
            assert_eq!(data.get("approve"), Some(&false.into()), "{payload}");
            assert!(losses.is_empty(), "{payload}");
        }
    }
    for value in [
        "null",
        "0",
        "1",
        "[]",
        "[true]",
        "{}",
        r#""""#,
        r#""no""#,
        r#""YES""#,
        r#"" yes""#,
        r#""\"yes\"""#,
        r#""True""#,
        r#"{"decision":"reject"}"#,
        r#"{"approved":"yes"}"#,
        r#"{"approved":1}"#,
        r#"{"approve":true,"approved":false}"#,
        r#"{"approve":true,"approved":null}"#,
    ] {
        for payload in [value.to_owned(), Value::from(value).to_json()] {
            if payload == r#""\"yes\"""# {
                // Unchanged, this is the spelling of `yes` of the official client.
                continue;
            }
            let (data, losses) = decision(&payload);
            assert_eq!(data.get("approve"), Some(&false.into()), "{payload}");
            let noted: Vec<_> =
                losses.iter().map(|loss| (loss.kind, loss.location.as_str())).collect();
            let place = if value == "null" {
                "i".to_owned()
            } else {
                Value::parse(value, 8).unwrap().to_json()
            };
            assert_eq!(noted, [("approval-not-understood", place.as_str())], "{payload}");
        }
    }
}

#[test]
fn contradictory_approvals_decline() {
    let Ok(all) = Value::parse(include_str!("../../../data/approvals.json"), 9) else {
        panic!("JSON")
    };
    for (name, approves) in [("approve", true), ("decline", false)] {
        for answer in items(&all, name) {
            let payload = answer.to_json();
            for payload in [payload.clone(), Value::from(payload.as_str()).to_json()] {
                let (data, losses) = decision(&payload);
                assert_eq!(data.get("approve"), Some(&approves.into()), "{payload}");
                assert!(losses.is_empty() || !approves, "{payload}");
            }
        }
    }
    for answer in [
        r#"{"approved":false,"approved":true}"#,
        r#"{"approved":true,"approved":false}"#,
        r#"{"approve":true,"approve":null,"approve":true}"#,
        r#"{"approved":"no","\u0061pproved":true}"#,
        r#"{"approve":true,"payload":{"approved":false,"approved":true}}"#,
    ] {
        for payload in [answer.to_owned(), Value::from(answer).to_json()] {
            assert_eq!(decision(&payload).0.get("approve"), Some(&false.into()), "{payload}");
        }
    }
    assert_eq!(
        decision(r#"{"approved":true,"approved":true}"#).0.get("approve"),
        Some(&true.into())
    );
}

#[test]
fn a_declining_answer_never_becomes_an_approval() {
    let resumed = |data: &str| {
        let asked = format!(
            r#"{{"session_id":"s","input":[{{"type":"mcp_approval_response","content":[{{"type":"data","data":{data}}}]}}]}}"#
        );
        let mut losses = Losses::default();
        let sent = to_ag_kit(&AgentRequest::parse(&asked).unwrap(), &mut losses);
        (sent.resume.unwrap().answer().to_json(), losses.count("approval-not-understood"))
    };
    let answer = |members: &str| resumed(&format!(r#"{{"approval_request_id":"a",{members}}}"#));
    assert_eq!(answer(r#""approve":true,"payload":"blue""#), (r#""blue""#.to_owned(), 0));
    assert_eq!(answer(r#""approve":false,"payload":"no""#), (r#""no""#.to_owned(), 0));
    let declined = r#"{"approved":false}"#.to_owned();
    assert_eq!(answer(r#""approve":false,"payload":{"approved":true}"#), (declined.clone(), 1));
    assert_eq!(answer(r#""payload":true"#), (declined.clone(), 1));
    assert_eq!(answer(r#""approve":"true""#), (declined.clone(), 1));
    assert_eq!(answer(r#""approve":null"#), (declined, 1));
}

#[test]
fn tool_parameters_are_parsed_from_text_or_json() {
    let schema = r#"{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}"#;
    let text = Value::from(schema).to_json();
    for parameters in [schema, &text] {
        let json = format!(
            r#"{{"conversationId":"c","messages":[],"tools":[{{"name":"f","description":"d","parameters":{parameters}}}]}}"#
        );
        let (back, losses) = round_trip(&json);
        assert!(losses.is_empty(), "{}", losses.to_json());
        // The documentation has them as text.
        assert_eq!(back.tools[0].parameters.as_str(), Some(schema));
        assert_eq!((back.tools[0].name.as_str(), back.tools[0].description.as_str()), ("f", "d"));
    }
    let json = r#"{"conversationId":"c","messages":[],"tools":[{"name":"f","description":"d","parameters":"none"}]}"#;
    let (back, losses) = round_trip(json);
    assert_eq!(
        (back.tools[0].parameters.as_str(), losses.count("tool-parameters")),
        (Some(r#"{"type":"object"}"#), 1)
    );
}

#[test]
fn an_approval_response_resumes_the_run() {
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
        r#"{"messages":[],"resume":{"interruptId":"a","payload":"{\"approved\":true,\"reason\":\"sure\"}"},"conversationId":"s"}"#
    );
    assert_eq!(losses.counts(), [("parameter", 1), ("history", 2)]);

    let back = to_agent_api(&SendMessageInput::parse(&json).unwrap(), &mut losses);
    let data = back.input[0].content.as_ref().unwrap()[0].payload.clone();
    let Payload::Data { data: Some(data) } = data else { panic!("data") };
    assert_eq!(data.get("approve"), Some(&true.into()));
    assert_eq!(data.get("reason"), Some(&"sure".into()));
}

#[test]
fn unsupported_request_content_is_reported_as_a_loss() {
    let asked = r#"{"model":"m","n":2,"biz":1,"tools":[{"type":"other"}],"input":[
        {"role":"assistant","content":[{"type":"text","text":"old"}]},
        {"role":"user","content":[{"type":"text","text":"look "},{"type":"image","image_url":"u"},{"type":"text","text":"here"}]},
        {"role":"tool","content":[{"type":"text","text":"whose?"}]}
    ]}"#;
    let mut losses = Losses::default();
    let sent = to_ag_kit(&AgentRequest::parse(asked).unwrap(), &mut losses);
    assert_eq!(
        sent.to_json().unwrap(),
        concat!(
            r#"{"messages":[{"role":"assistant","id":"msg_1","content":"old"},{"role":"user","content":"look [image left out]here"},"#,
            r#"{"role":"user","content":"whose?"}],"conversationId":"conversation_2"}"#,
        )
    );
    assert_eq!(losses.counts(), [("parameter", 3), ("tool", 1), ("image", 1)]);
}

#[test]
fn assistant_tool_calls_become_messages() {
    let json = r#"{"conversationId":"c","messages":[{"role":"assistant","id":"m","content":"I look","toolCalls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","toolCallId":"a","content":"x"}]}"#;
    let mut losses = Losses::default();
    let request = to_agent_api(&SendMessageInput::parse(json).unwrap(), &mut losses);
    let types: Vec<_> = request.input.iter().map(|message| message.r#type.as_str()).collect();
    assert_eq!(types, ["message", "function_call", "function_call_output"]);
    assert_eq!(request.input[0].id.as_deref(), Some("m"));
    // The server has the messages of the agent.
    assert_eq!(to_ag_kit(&request, &mut losses).messages.len(), 1);
    assert_eq!(losses.counts(), [("history", 1)]);
}

#[test]
fn an_empty_conversation_id_becomes_no_session() {
    let input = SendMessageInput::parse(r#"{"conversationId":"","messages":[]}"#).unwrap();
    let request = to_agent_api(&input, &mut Losses::default());
    assert_eq!(request.session_id, None);
}
