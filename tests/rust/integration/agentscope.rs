//! AgentScope 2: the messages that its own library makes of the recorded streams.

use agentwire::Reader;
use agentwire::agentscope::AgentScope;
use agentwire_cases::Kind;
use serde_json::Value;

/// Returns a message without what the library adds to it: the times at which it reads events, the
/// ids of texts in results, and members without a value.
fn message(mut message: Value) -> Value {
    let object = message.as_object_mut().expect("a message");
    for own in ["session_id", "model", "status", "custom", "created_at", "structured_output"] {
        object.remove(own);
    }
    object.retain(|_, value| !is_empty(value));
    for block in object.get_mut("content").and_then(Value::as_array_mut).into_iter().flatten() {
        let block = block.as_object_mut().expect("a block");
        block.remove("created_at");
        // The library takes its own time for the end of a hint.
        if block["type"] == "hint" {
            block.remove("finished_at");
        }
        for part in block.get_mut("output").and_then(Value::as_array_mut).into_iter().flatten() {
            let part = part.as_object_mut().expect("a block of a result");
            for member in ["created_at", "finished_at", "name"] {
                part.remove(member);
            }
            if part["type"] == "text" {
                part.remove("id");
            }
        }
        block.retain(|name, value| name == "output" || !is_empty(value));
    }
    message
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::String(text) => text.is_empty(),
        _ => false,
    }
}

#[test]
fn recorded_streams_are_the_messages_of_the_library() {
    let mut count = 0;
    for case in agentwire_cases::select("agentscope", Kind::Read) {
        let Some(client) = case.find("client.json") else { continue };
        let mut reader = Reader::new(AgentScope::default());
        reader.push(&case.stream());
        let snapshot = reader.finish().snapshot.to_json();
        let mut own = message(serde_json::from_str(&snapshot).expect("JSON"));
        let mut official = message(serde_json::from_str(&client).expect("JSON"));
        // The library knows the calls of a continued reply from the streams before.
        if case.name.starts_with("confirm_") || case.name == "external_result" {
            for message in [&mut own, &mut official] {
                let content = message["content"].as_array_mut().expect("a list");
                content.retain(|block| block["type"] != "tool_call");
            }
        }
        // It has the result that the client has sent, and appends what the agent repeats of it.
        if case.name == "external_result" {
            assert_eq!(official["content"][0]["output"][0]["text"], "hihi");
            official["content"][0]["output"][0]["text"] = "hi".into();
        }
        assert_eq!(own, official, "{case}");
        count += 1;
    }
    assert!(count >= 25, "{count}");
}
