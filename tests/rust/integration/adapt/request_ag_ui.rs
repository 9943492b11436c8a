//! AG-UI's requests as those of the other protocols, and back.

use agentwire::ag_kit::request::SendMessageInput;
use agentwire::ag_ui::request::RunAgentInput;
use agentwire::agent_api::request::AgentRequest;
use agentwire::hub::Losses;

use crate::convert;

fn counts(losses: &Losses) -> Vec<(&'static str, u64)> {
    losses.counts().to_vec()
}

#[test]
fn a_thread_round_trips_through_agent_api() {
    for json in [
        r#"{"threadId":"t","runId":"r","protocolVersion":"1.0","state":{"a":[1]},"messages":[{"role":"system","id":"s","content":"be kind"},{"role":"user","id":"u","content":"你好"},{"role":"assistant","id":"a","content":"Hi"},{"role":"user","id":"v","content":"And?"}],"tools":[{"name":"f","description":"d","parameters":{"type":"object"}}],"context":[{"description":"where","value":"here"}],"forwardedProps":{"x":1}}"#,
        r#"{"threadId":"t","runId":"r","protocolVersion":"1.0","state":{},"messages":[{"role":"user","id":"u","content":[{"type":"text","text":"what is this"},{"type":"image","source":{"type":"url","value":"https://x/i.png"}},{"type":"image","source":{"type":"data","value":"AAAA","mimeType":"image/png"}},{"type":"document","source":{"type":"file","value":"file_1"}}]}],"tools":[],"context":[],"forwardedProps":{}}"#,
        r#"{"threadId":"t","runId":"r","protocolVersion":"1.0","state":{},"messages":[{"role":"reasoning","id":"q","content":"hm"},{"role":"tool","id":"x","content":"blue","toolCallId":"c1"}],"tools":[],"context":[],"forwardedProps":{},"resume":[{"interruptId":"i","status":"resolved","payload":{"approved":true}}]}"#,
    ] {
        let mut losses = Losses::default();
        let input = RunAgentInput::parse(json).unwrap();
        let asked: AgentRequest = convert(&input, &mut losses);
        assert_eq!((asked.id.as_deref(), asked.session_id.as_deref()), (Some("r"), Some("t")));
        // AG-UI's requests do not name the user.
        let mut said = asked.clone();
        said.user_id = Some("u".to_owned());
        assert!(said.validate().is_empty(), "{:?}", said.validate());
        let back: RunAgentInput = convert(&asked, &mut losses);
        assert_eq!(back.to_json(), input.to_json(), "{json}");
        assert_eq!(counts(&losses), [], "{json}");
    }
}

#[test]
fn calls_and_results_become_separate_messages() {
    let json = r#"{"threadId":"t","runId":"r","messages":[{"role":"assistant","id":"a","content":"I look","toolCalls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\"n\":1}"}}]},{"role":"tool","id":"x","content":"","error":"no such file","toolCallId":"c1"},{"role":"activity","id":"y","activityType":"A","content":{}}]}"#;
    let mut losses = Losses::default();
    let asked: AgentRequest = convert(&RunAgentInput::parse(json).unwrap(), &mut losses);
    let types: Vec<_> = asked.input.iter().map(|message| message.r#type.as_str()).collect();
    assert_eq!(types, ["message", "function_call", "function_call_output"]);
    let sent = asked.to_json(agentwire::agent_api::Style::Compact);
    assert!(sent.contains(r#""output":"no such file""#), "{sent}");
    assert_eq!(counts(&losses), []);
}

#[test]
fn cancelled_and_unclear_resumes_decline() {
    for (resume, approves, lost) in [
        (r#"{"interruptId":"i","status":"cancelled"}"#, false, false),
        (r#"{"interruptId":"i","status":"cancelled","payload":{"approved":true}}"#, false, true),
        (r#"{"interruptId":"i","status":"resolved","payload":{"approved":true}}"#, true, false),
        (r#"{"interruptId":"i","status":"resolved","payload":{"approved":false}}"#, false, false),
        (r#"{"interruptId":"i","status":"resolved","payload":"maybe"}"#, false, true),
    ] {
        let json = format!(r#"{{"threadId":"t","runId":"r","messages":[],"resume":[{resume}]}}"#);
        let mut losses = Losses::default();
        let asked: AgentRequest = convert(&RunAgentInput::parse(&json).unwrap(), &mut losses);
        let sent = asked.to_json(agentwire::agent_api::Style::Compact);
        assert_eq!(sent.contains(r#""approve":true"#), approves, "{sent}");
        assert_eq!(counts(&losses).is_empty(), !lost, "{json}");
        let kit: SendMessageInput =
            convert(&RunAgentInput::parse(&json).unwrap(), &mut Losses::default());
        let payload = kit.resume.map(|resume| resume.answer().to_json()).unwrap_or_default();
        assert_eq!(
            payload.contains(r#""approved":true"#) || payload.contains(r#""approve":true"#),
            approves,
            "{payload}"
        );
    }
}

#[test]
fn unsupported_content_is_reported_as_a_loss() {
    let asked = r#"{"input":[{"role":"user","content":[{"type":"data","data":{"a":1}},{"type":"text","text":"x"}]}],"session_id":"s","temperature":0.5,"tools":[{"type":"web_search"}]}"#;
    let mut losses = Losses::default();
    let input: RunAgentInput = convert(&AgentRequest::parse(asked).unwrap(), &mut losses);
    assert_eq!(input.messages.len(), 1);
    let mut lost: Vec<_> = counts(&losses).into_iter().map(|(what, _)| what).collect();
    lost.sort_unstable();
    assert_eq!(lost, ["data", "tool"]);
}
