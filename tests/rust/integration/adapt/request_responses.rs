//! Requests of OpenAI Responses as those of the other protocols, and back.

use agentwire::ag_kit::request::SendMessageInput;
use agentwire::ag_ui::request::RunAgentInput;
use agentwire::agent_api::Style;
use agentwire::agent_api::request::AgentRequest;
use agentwire::hub::Losses;
use agentwire::responses::request::CreateResponse;

use crate::convert;

fn lost(losses: &Losses) -> Vec<(&'static str, String)> {
    losses.iter().map(|loss| (loss.kind, loss.location.clone())).collect()
}

#[test]
fn a_request_keeps_its_content_through_agent_api() {
    let json = concat!(
        r#"{"model":"m","input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"what is this"},"#,
        r#"{"type":"input_image","image_url":"https://x/i.png","detail":"auto"},{"type":"input_audio","input_audio":{"data":"AA==","format":"wav"}},"#,
        r#"{"type":"input_file","file_id":"f"}]},"#,
        r#"{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"a cat","annotations":[]},{"type":"refusal","refusal":"No."}],"status":"completed"},"#,
        r#"{"type":"reasoning","summary":[],"encrypted_content":"gAAA"},"#,
        r#"{"type":"function_call","call_id":"c","name":"f","arguments":"{\"n\":1}"},"#,
        r#"{"type":"function_call_output","call_id":"c","output":"21"},"#,
        r#"{"type":"custom_tool_call","call_id":"d","name":"g","input":"plain"},"#,
        r#"{"type":"custom_tool_call_output","call_id":"d","output":"ok"},"#,
        r#"{"type":"mcp_call","id":"e","name":"h","arguments":"{}","output":"done"},"#,
        r#"{"type":"mcp_approval_request","id":"q","name":"n","arguments":"{}","server_label":"s"},"#,
        r#"{"type":"mcp_approval_response","approval_request_id":"q","approve":true},"#,
        r#"{"type":"message","role":"system","content":"be kind"}],"#,
        r#""instructions":"Say hi.","stream":true,"tools":[{"type":"function","name":"f","description":"d","parameters":{"type":"object","properties":{}},"strict":true},"#,
        r#"{"type":"custom","name":"g"},{"type":"web_search","search_context_size":"low"}],"tool_choice":"auto","temperature":0.5,"#,
        r#""max_output_tokens":16,"reasoning":{"effort":"low"},"store":false,"metadata":{"a":"b"},"user":"u"}"#,
    );
    let mut losses = Losses::default();
    let asked = CreateResponse::parse(json).unwrap();
    let converted: AgentRequest = convert(&asked, &mut losses);
    let parsed = AgentRequest::parse(&converted.to_json(Style::Compact)).unwrap();
    let back: CreateResponse = convert(&parsed, &mut losses);
    assert_eq!(back.to_json(), json);
    assert_eq!(lost(&losses), []);
    assert_eq!(back.validate(), []);
}

#[test]
fn undeclared_parameters_and_items_keep_their_names() {
    let json = concat!(
        r#"{"input":[{"role":"developer","content":"be kind"},{"type":"item_reference","id":"msg_1"},"#,
        r#"{"type":"web_search_call","id":"ws_1","status":"completed","action":{"query":"x"}},"#,
        r#"{"type":"function_call_output","call_id":"c","output":[{"type":"input_text","text":"a"},{"type":"input_image","image_url":"u"}]}],"#,
        r#""previous_response_id":"resp_1","max_output_tokens":7,"include":["x"],"new_member":1}"#,
    );
    let mut losses = Losses::default();
    let asked: AgentRequest = convert(&CreateResponse::parse(json).unwrap(), &mut losses);
    assert_eq!(
        (asked.max_tokens, asked.stream, asked.id.as_deref(), asked.session_id.as_deref()),
        (Some(7), false, None, None)
    );
    let extra: Vec<_> = asked.extra.iter().map(|member| member.key.as_str()).collect();
    assert_eq!(extra, ["previous_response_id", "include", "new_member"]);
    let types: Vec<_> = asked.input.iter().map(|message| message.r#type.as_str()).collect();
    // The reasoning has the items that only Responses has.
    assert_eq!(types, ["message", "reasoning", "plugin_call", "function_call_output"]);
    assert_eq!(asked.input[0].role.as_ref().unwrap().as_str(), "system");
    let sent = asked.to_json(Style::Compact);
    assert!(sent.contains(r#""name":"web_search","arguments":"{\"query\":\"x\"}""#), "{sent}");
    // An agent has the conversation, and what stands for parts of it.
    assert_eq!(lost(&losses), []);
}

#[test]
fn ids_of_other_protocols_are_not_sent_as_those_of_the_server() {
    let ui = RunAgentInput::parse(
        r#"{"threadId":"t","runId":"r","messages":[{"role":"user","id":"u","content":"hi"}],"state":{"a":1},"tools":[{"name":"f","description":"","parameters":{"type":"object"}}]}"#,
    );
    let mut losses = Losses::default();
    let asked: CreateResponse = convert(&ui.unwrap(), &mut losses);
    assert_eq!(
        asked.to_json(),
        concat!(
            r#"{"input":[{"type":"message","role":"user","content":"hi"}],"#,
            r#""tools":[{"type":"function","name":"f","parameters":{"type":"object","properties":{}},"strict":false}]}"#,
        )
    );
    assert_eq!(lost(&losses), [("parameter", "state".to_owned()), ("conversation", String::new())]);
    let kit = SendMessageInput::parse(
        r#"{"conversationId":"c","messages":[{"role":"user","content":"hi"}]}"#,
    )
    .unwrap();
    let asked: CreateResponse = convert(&kit, &mut Losses::default());
    assert_eq!(asked.to_json(), r#"{"input":[{"type":"message","role":"user","content":"hi"}]}"#);
}
