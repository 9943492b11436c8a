//! Answers that are in one event: their texts, calls and results are in their order.

use agentwire::ProtocolKind::{self, AgentApi, Anthropic, Gemini, Interactions, Responses};
use agentwire::agent_api::builder::BuilderOptions;
use agentwire::builder::Counter;
use agentwire::convert::{ConversionSide, ConvertOptions, Converter};
use agentwire::json::Value;

/// A text, a call with its result, and a text, in one event of each protocol.
const ANSWERS: [(ProtocolKind, &str); 6] = [
    (
        AgentApi,
        r#"{"object":"response","id":"r","status":"completed","output":[
            {"object":"message","id":"m1","type":"message","role":"assistant","status":"completed","content":[{"type":"text","text":"before"}]},
            {"object":"message","id":"m2","type":"function_call","role":"assistant","status":"completed","content":[{"type":"data","data":{"call_id":"c","name":"f","arguments":"{}"}}]},
            {"object":"message","id":"m3","type":"function_call_output","role":"tool","status":"completed","content":[{"type":"data","data":{"call_id":"c","name":"f","output":"result"}}]},
            {"object":"message","id":"m4","type":"message","role":"assistant","status":"completed","content":[{"type":"text","text":"after"}]}]}"#,
    ),
    (
        AgentApi,
        r#"{"object":"response","id":"r","status":"completed","output":[
            {"id":"m1","type":"message","role":"assistant","content":[{"type":"text","text":"before"}]},
            {"id":"m2","type":"function_call","role":"assistant","content":[{"type":"data","data":{"call_id":"c","name":"f","arguments":"{}"}}]},
            {"id":"m3","type":"function_call_output","role":"tool","content":[{"type":"data","data":{"call_id":"c","name":"f","output":"result"}}]},
            {"id":"m4","type":"message","role":"assistant","content":[{"type":"text","text":"after"}]}]}"#,
    ),
    (
        Responses,
        r#"{"type":"response.completed","sequence_number":0,"response":{"id":"r","object":"response","status":"completed","output":[
            {"type":"message","id":"m1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"before","annotations":[]}]},
            {"type":"function_call","id":"m2","call_id":"c","name":"f","arguments":"{}","status":"completed"},
            {"type":"function_call_output","id":"m3","call_id":"c","output":"result","status":"completed"},
            {"type":"message","id":"m4","role":"assistant","status":"completed","content":[{"type":"output_text","text":"after","annotations":[]}]}]}}"#,
    ),
    (
        Gemini,
        r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"before"},{"functionCall":{"id":"c","name":"f","args":{}}},{"functionResponse":{"id":"c","name":"f","response":{"output":"result"}}},{"text":"after"}]},"finishReason":"STOP"}]}"#,
    ),
    (
        Interactions,
        r#"{"event_type":"interaction.completed","interaction":{"id":"r","status":"completed","steps":[
            {"type":"model_output","content":[{"type":"text","text":"before"}]},
            {"type":"function_call","id":"c","name":"f","arguments":{}},
            {"type":"function_result","call_id":"c","name":"f","result":"result"},
            {"type":"model_output","content":[{"type":"text","text":"after"}]}]}}"#,
    ),
    (
        Anthropic,
        r#"{"type":"message_start","message":{"id":"r","type":"message","role":"assistant","model":"x","content":[
            {"type":"text","text":"before"},
            {"type":"server_tool_use","id":"c","name":"web_search","input":{}},
            {"type":"web_search_tool_result","tool_use_id":"c","content":[]},
            {"type":"text","text":"after"}],"usage":{"input_tokens":1,"output_tokens":1}}}"#,
    ),
];

/// The other items of Responses, each between two texts.
const ITEMS: [&str; 7] = [
    r#"{"type":"image_generation_call","id":"i","status":"completed","result":"aGk="}"#,
    r#"{"type":"mcp_approval_request","id":"a","name":"f","arguments":"{}","server_label":"s"}"#,
    r#"{"type":"mcp_list_tools","id":"l","server_label":"s","tools":[]}"#,
    r#"{"type":"reasoning","id":"t","summary":[],"encrypted_content":"aGk="}"#,
    r#"{"type":"web_search_call","id":"w","status":"completed","action":{"type":"search","query":"q"}}"#,
    r#"{"type":"mcp_call","id":"c","name":"f","arguments":"{}","server_label":"s","output":"o"}"#,
    r#"{"type":"custom_tool_call","id":"u","call_id":"k","name":"f","input":"x"}"#,
];

#[test]
fn each_item_of_a_last_response_is_between_its_neighbors() {
    let text = |text| {
        let part = format!(r#"{{"type":"output_text","text":"{text}","annotations":[]}}"#);
        format!(r#"{{"type":"message","id":"{text}","role":"assistant","content":[{part}]}}"#)
    };
    for item in ITEMS {
        let output = [text("before"), item.to_owned(), text("after")].join(",");
        let response =
            format!(r#"{{"id":"r","object":"response","status":"completed","output":[{output}]}}"#);
        let event = format!(r#"{{"type":"response.completed","response":{response}}}"#);
        let steps = steps_of(Responses, &event);
        let at = |piece: &str| {
            steps.iter().position(|step| step.get("piece").and_then(Value::as_str) == Some(piece))
        };
        let (before, after) = (at("before").unwrap(), at("after").unwrap());
        // Only the ends of the second text and of the answer follow it.
        let late = steps[after..].iter().filter_map(|step| step.get("type")?.as_str());
        let late: Vec<_> =
            late.filter(|kind| !matches!(*kind, "text" | "end-part" | "close" | "end")).collect();
        assert!(before < after && late.is_empty(), "{item}: {late:?} of {steps:?}");
    }
}

fn steps_of(from: ProtocolKind, event: &str) -> Vec<Value> {
    let options = ConvertOptions::new(BuilderOptions::new(Counter::default(), || 0));
    let from = ConversionSide::Protocol(from);
    let mut converter = Converter::new(from, ConversionSide::Steps, options).unwrap();
    let mut out = String::new();
    let data = event.replace('\n', "");
    converter.push(format!("data: {data}\n\n").as_bytes(), &mut out);
    converter.finish(&mut out);
    out.lines().map(|line| Value::parse(line, 100).unwrap()).collect()
}

#[test]
fn an_answer_in_one_event_keeps_its_order() {
    for (from, event) in ANSWERS {
        let steps = steps_of(from, event);
        let order: Vec<_> = steps
            .iter()
            .filter_map(|step| match step.get("type")?.as_str()? {
                "text" => Some(step.get("piece")?.as_str()?.to_owned()),
                kind @ ("call" | "result") => Some(kind.to_owned()),
                _ => None,
            })
            .collect();
        assert_eq!(order, ["before", "call", "result", "after"], "{from:?}\n{steps:?}");
    }
}
