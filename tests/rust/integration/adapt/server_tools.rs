//! Tools of Responses' own server, from Responses to Responses: their items keep types and members.

use agentwire::ProtocolKind::{AgentApi, Responses};
use agentwire::Reader;
use agentwire::json::Value;
use agentwire_cases::reads;

use super::facts::convert;

/// Items that the recordings do not have: one item of each of these tools, as
/// `response.output_item.done` has it.
const ITEMS: &[&str] = &[
    r#"{"id":"cu_1","type":"computer_call","status":"completed","call_id":"c1","action":{"type":"click","x":1},"pending_safety_checks":[]}"#,
    r#"{"id":"cuo_1","type":"computer_call_output","status":"completed","call_id":"c1","output":{"type":"computer_screenshot","image_url":"u"}}"#,
    r#"{"id":"ap_1","type":"apply_patch_call","status":"completed","call_id":"c2","operation":{"type":"delete_file","path":"a"}}"#,
    r#"{"id":"apo_1","type":"apply_patch_call_output","status":"failed","call_id":"c2","output":"[\"no such file\"]"}"#,
    r#"{"id":"ls_1","type":"local_shell_call","status":"completed","call_id":"c3","action":{"type":"exec","command":["ls"]}}"#,
    r#"{"id":"lso_1","type":"local_shell_call_output","status":"completed","call_id":"c3","output":"{\"stdout\":\"a\"}"}"#,
    r#"{"id":"ts_1","type":"tool_search_call","status":"completed","call_id":"c4","arguments":{"query":"q"},"execution":"server"}"#,
    r#"{"id":"tso_1","type":"tool_search_output","status":"completed","call_id":"c4","tools":[{"type":"function","name":"f"}]}"#,
    r#"{"id":"p_1","type":"program","call_id":"c5","code":"1 + 1","fingerprint":"f"}"#,
    r#"{"id":"po_1","type":"program_output","call_id":"c5","result":"2"}"#,
    r#"{"id":"ws_1","type":"web_search_call","status":"failed"}"#,
    r#"{"id":"ws_2","type":"web_search_call","status":"completed","action":{"type":"open_page","url":"u"}}"#,
    r#"{"id":"fs_1","type":"file_search_call","status":"completed","queries":["a","b"]}"#,
    r#"{"id":"fs_2","type":"file_search_call","status":"completed","queries":["c"],"results":[{"text":"t"}]}"#,
    r#"{"id":"ci_1","type":"code_interpreter_call","status":"completed","code":"1","container_id":"k","outputs":[{"type":"logs","logs":"1"}]}"#,
    r#"{"id":"m_1","type":"mcp_call","status":"completed","name":"n","arguments":"{}","server_label":"s","output":"o","approval_request_id":"q"}"#,
    r#"{"id":"ig_1","type":"image_generation_call","status":"completed","result":"aGk="}"#,
    r#"{"id":"ig_2","type":"image_generation_call","status":"completed","result":"aGk=","output_format":"webp"}"#,
    r#"{"id":"ig_3","type":"image_generation_call","status":"completed","result":"","output_format":"svg"}"#,
];

fn stream() -> String {
    let head = r#""id":"resp_1","object":"response","created_at":1,"model":"m""#;
    let mut stream = format!(
        "data: {{\"type\":\"response.created\",\"sequence_number\":0,\"response\":{{{head},\"status\":\"in_progress\",\"output\":[]}}}}\n\n"
    );
    for (at, item) in ITEMS.iter().enumerate() {
        for (number, word) in ["added", "done"].iter().enumerate() {
            let number = 1 + at * 2 + number;
            stream += &format!(
                "data: {{\"type\":\"response.output_item.{word}\",\"sequence_number\":{number},\"output_index\":{at},\"item\":{item}}}\n\n"
            );
        }
    }
    let number = 1 + ITEMS.len() * 2;
    let items = ITEMS.join(",");
    stream
        + &format!(
            "data: {{\"type\":\"response.completed\",\"sequence_number\":{number},\"response\":{{{head},\"status\":\"completed\",\"output\":[{items}]}}}}\n\n"
        )
}

fn output_of(bytes: &[u8]) -> Vec<Value> {
    let mut reader = Reader::new(agentwire::responses::Responses::default());
    reader.push(bytes);
    let answer = Value::parse(&reader.finish().snapshot.to_json(), 128).expect("an answer is JSON");
    match answer.get("output") {
        Some(Value::Array(items)) => items.clone(),
        other => panic!("{other:?}"),
    }
}

fn word<'a>(item: &'a Value, name: &str) -> &'a str {
    item.get(name).and_then(Value::as_str).unwrap_or_default()
}

#[test]
fn server_tool_items_keep_their_types_and_members() {
    let made = stream();
    let recorded = [
        "web_search_citations",
        "file_search",
        "code_interpreter",
        "shell",
        "shell_outputs_by_call",
    ];
    let recorded =
        reads().into_iter().filter(|case| recorded.iter().any(|name| case.name.ends_with(name)));
    let streams: Vec<_> = recorded.map(|case| case.stream()).chain([made.into_bytes()]).collect();
    assert_eq!(streams.len(), 6);
    for bytes in streams {
        let (out, losses) = convert(Responses, Responses, [&bytes[..]], false);
        let mut expected = output_of(&bytes);
        for item in &mut expected {
            if word(item, "type") == "image_generation_call" && item.get("output_format").is_none()
            {
                // An item without another format has this one.
                item.insert("output_format", "png".into());
            }
        }
        assert_eq!(output_of(out.as_bytes()), expected, "{out}");
        let lost: Vec<_> = losses.iter().map(|loss| loss.kind).collect();
        assert!(lost.iter().all(|what| *what == "output"), "{lost:?}");
    }
}

#[test]
fn item_types_and_ids_round_trip_through_agent_api() {
    let bytes = stream();
    let (through, _) = convert(Responses, AgentApi, [bytes.as_bytes()], false);
    let (out, _) = convert(AgentApi, Responses, [through.as_bytes()], false);
    let names = |items: &[Value]| -> Vec<_> {
        items.iter().map(|item| [word(item, "type"), word(item, "id")].map(str::to_owned)).collect()
    };
    assert_eq!(names(&output_of(out.as_bytes())), names(&output_of(bytes.as_bytes())), "{out}");
}

#[test]
fn a_server_tool_with_unexpected_arguments_is_reported() {
    let items = r#"{"object":"response","id":"r","status":"created","sequence_number":0}

{"object":"message","id":"m","type":"plugin_call","role":"assistant","status":"in_progress","sequence_number":1}

{"object":"content","type":"data","index":0,"delta":false,"msg_id":"m","status":"completed","data":{"call_id":"c","name":"web_search_call","arguments":"no JSON"},"sequence_number":2}

{"object":"message","id":"m","type":"plugin_call","role":"assistant","status":"completed","sequence_number":3}

{"object":"response","id":"r","status":"completed","sequence_number":4}

"#;
    let stream: String = items
        .lines()
        .map(|line| if line.is_empty() { "\n".into() } else { format!("data: {line}\n") })
        .collect();
    let (out, losses) = convert(AgentApi, Responses, [stream.as_bytes()], false);
    assert!(losses.iter().any(|loss| loss.kind == "call-members"), "{losses:?}");
    let items = output_of(out.as_bytes());
    assert_eq!(word(&items[0], "type"), "web_search_call");
}

/// Clients run functions and custom tools, so a call that the agent has run itself is neither.
#[test]
fn a_tool_of_the_agent_is_not_a_client_call() {
    let cases = reads().into_iter().filter(|case| case.protocol == "agent-api");
    let mut seen = 0;
    for case in cases.filter(|case| {
        ["12_plugin_call_two_calls", "13_component_call"].contains(&case.name.as_str())
    }) {
        let (made, _) = convert(AgentApi, Responses, [&case.stream()[..]], false);
        let items = output_of(made.as_bytes());
        for item in &items {
            let r#type = word(item, "type");
            assert!(
                !["function_call", "custom_tool_call", "custom_tool_call_output"].contains(&r#type),
                "{case}: {item:?}"
            );
            assert_eq!(word(item, "status"), "completed", "{case}: {item:?}");
        }
        let calls: Vec<_> = items.iter().filter(|item| word(item, "type") == "mcp_call").collect();
        assert!(!calls.is_empty(), "{case}");
        for call in calls {
            seen += 1;
            for member in ["name", "arguments", "output", "server_label"] {
                assert!(!word(call, member).is_empty(), "{case}: {member} of {call:?}");
            }
        }
        let (back, _) = convert(Responses, AgentApi, [made.as_bytes()], false);
        assert!(
            back.contains("mcp_call_output") && !back.contains("function_call"),
            "{case}: {back}"
        );
    }
    assert!(seen >= 3, "{seen}");
}
