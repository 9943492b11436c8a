//! Requests of OpenAI Responses as those of the other protocols, and back.

use agentwire::ag_kit::request::SendMessageInput;
use agentwire::ag_ui::request::RunAgentInput;
use agentwire::agent_api::Style;
use agentwire::agent_api::request::AgentRequest;
use agentwire::hub::{Losses, request};
use agentwire::responses::request::CreateResponse;

fn lost(losses: &Losses) -> Vec<(&'static str, String)> {
    losses.iter().map(|loss| (loss.kind, loss.location.clone())).collect()
}

#[test]
fn a_request_round_trips_through_agent_api() {
    for json in [
        r#"{"model":"m","input":"hi","instructions":"Say hi.","stream":true}"#,
        concat!(
            r#"{"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"what is this"},"#,
            r#"{"type":"input_image","image_url":"https://x/i.png"},{"type":"input_audio","input_audio":{"data":"AA==","format":"wav"}},"#,
            r#"{"type":"input_file","file_id":"f","filename":"a.pdf"}]},"#,
            r#"{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"a cat"},{"type":"refusal","refusal":"No."}]},"#,
            r#"{"type":"reasoning","id":"rs_1","content":[{"type":"reasoning_text","text":"hm"}],"summary":[]},"#,
            r#"{"type":"function_call","call_id":"c","name":"f","arguments":"{\"n\":1}"},"#,
            r#"{"type":"function_call_output","call_id":"c","output":"21"},"#,
            r#"{"type":"custom_tool_call","call_id":"d","name":"g","input":"plain"},"#,
            r#"{"type":"custom_tool_call_output","call_id":"d","output":"ok"},"#,
            r#"{"type":"mcp_call","id":"e","name":"h","arguments":"{}","output":"done"},"#,
            r#"{"type":"mcp_approval_request","id":"q","name":"n","arguments":"{}","server_label":"s"},"#,
            r#"{"type":"mcp_approval_response","approval_request_id":"q","approve":true},"#,
            r#"{"type":"message","role":"system","content":[{"type":"input_text","text":"be kind"}]}],"#,
            r#""stream":true,"tools":[{"type":"function","name":"f","description":"d","parameters":{"type":"object"},"strict":true},"#,
            r#"{"type":"web_search","search_context_size":"low"}],"tool_choice":"auto","conversation":"conv_1","temperature":0.5,"#,
            r#""max_output_tokens":16,"reasoning":{"effort":"low"},"store":false,"metadata":{"a":"b"},"user":"u"}"#,
        ),
    ] {
        let mut losses = Losses::default();
        let asked = CreateResponse::parse(json).unwrap();
        let converted: AgentRequest = request::convert(&asked, &mut losses);
        let parsed = AgentRequest::parse(&converted.to_json(Style::Compact)).unwrap();
        let back: CreateResponse = request::convert(&parsed, &mut losses);
        assert_eq!(back.to_json(), json);
        assert_eq!(lost(&losses), [], "{json}");
        assert_eq!(back.validate(), []);
    }
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
    let asked: AgentRequest = request::convert(&CreateResponse::parse(json).unwrap(), &mut losses);
    assert_eq!(
        (asked.max_tokens, asked.stream, asked.id.as_deref(), asked.session_id.as_deref()),
        (Some(7), false, None, None)
    );
    let extra: Vec<_> = asked.extra.iter().map(|member| member.key.as_str()).collect();
    assert_eq!(extra, ["previous_response_id", "include", "new_member"]);
    let types: Vec<_> = asked.input.iter().map(|message| message.r#type.as_str()).collect();
    assert_eq!(types, ["message", "plugin_call", "function_call_output"]);
    assert_eq!(asked.input[0].role.as_ref().unwrap().as_str(), "system");
    let sent = asked.to_json(Style::Compact);
    assert!(sent.contains(r#""name":"web_search_call","arguments":"{\"id\":\"ws_1\","#), "{sent}");
    assert_eq!(
        lost(&losses),
        [
            ("item-reference", "msg_1".to_owned()),
            ("part", "input_image".to_owned()),
            ("previous-response", "resp_1".to_owned()),
        ]
    );
}

#[test]
fn requests_of_other_protocols_enable_streaming() {
    let ui = RunAgentInput::parse(
        r#"{"threadId":"t","runId":"r","messages":[{"role":"user","id":"u","content":"hi"}],"state":{"a":1},"tools":[{"name":"f","description":"","parameters":{"type":"object"}}]}"#,
    );
    let mut losses = Losses::default();
    let asked: CreateResponse = request::convert(&ui.unwrap(), &mut losses);
    assert_eq!(
        asked.to_json(),
        concat!(
            r#"{"input":[{"type":"message","id":"u","role":"user","content":[{"type":"input_text","text":"hi"}]}],"stream":true,"#,
            r#""tools":[{"type":"function","name":"f","description":"","parameters":{"type":"object"}}],"conversation":"t"}"#,
        )
    );
    assert_eq!(lost(&losses), [("parameter", "id".to_owned()), ("parameter", "state".to_owned())]);
    let kit =
        SendMessageInput::parse(r#"{"conversationId":"c","messages":[{"role":"user","content":"hi"}]}"#)
            .unwrap();
    let asked: CreateResponse = request::convert(&kit, &mut Losses::default());
    assert_eq!(asked.to_json(), r#"{"input":"hi","stream":true,"conversation":"c"}"#);
    let back: SendMessageInput = request::convert(&asked, &mut losses);
    assert_eq!(back.to_json().unwrap(), kit.to_json().unwrap());
}
