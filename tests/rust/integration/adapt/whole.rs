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

#[test]
fn an_answer_in_one_event_keeps_its_order() {
    for (from, event) in ANSWERS {
        let options = ConvertOptions::new(BuilderOptions::new(Counter::default(), || 0));
        let from = ConversionSide::Protocol(from);
        let mut converter = Converter::new(from, ConversionSide::Steps, options).unwrap();
        let mut out = String::new();
        let data = event.replace('\n', "");
        converter.push(format!("data: {data}\n\n").as_bytes(), &mut out);
        converter.finish(&mut out);
        let steps = out.lines().map(|line| Value::parse(line, 100).unwrap());
        let order: Vec<_> = steps
            .filter_map(|step| match step.get("type")?.as_str()? {
                "text" => Some(step.get("piece")?.as_str()?.to_owned()),
                kind @ ("call" | "result") => Some(kind.to_owned()),
                _ => None,
            })
            .collect();
        assert_eq!(order, ["before", "call", "result", "after"], "{from:?}\n{out}");
    }
}
