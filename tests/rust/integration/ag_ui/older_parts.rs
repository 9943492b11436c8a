//! Message parts of older versions become those of 1.0. (U8.)

use agentwire::Reader;
use agentwire::ag_ui::AgUi;
use agentwire::json::Value;

/// The contents of the messages after a snapshot of these.
fn contents(messages: &str) -> Vec<String> {
    let mut reader = Reader::new(AgUi::default());
    for event in [
        r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#.to_owned(),
        format!(r#"{{"type":"MESSAGES_SNAPSHOT","messages":{}}}"#, messages.replace('\n', " ")),
    ] {
        reader.push(format!("data: {event}\n\n").as_bytes());
    }
    let snapshot = Value::parse(&reader.finish().snapshot.to_json(), 64).expect("JSON");
    let Some(Value::Array(messages)) = snapshot.get("messages") else { panic!("no messages") };
    messages
        .iter()
        .map(|message| message.get("content").map_or_else(String::new, Value::to_json))
        .collect()
}

#[test]
fn binary_parts_become_parts_of_their_media_type() {
    let said = contents(
        r#"[ {"id":"1","role":"user","content":"no [ parts"},
            {"id":"2","role":"user","content": [ {"type":"text","text":"a ],[ \u00e9"},
                {"type":"binary","mimeType":"image/png","data":"AA==","filename":"c\n.png"} ]},
            {"id":"3","content":[ {"type":"binary","mimeType":"text/plain","url":"https://e/x"},
                { "type" : "document", "source" : {"type":"url","value":"https://e/x","mimeType":"text/plain"} } ],"role":"user"} ]"#,
    );
    assert_eq!(
        said,
        [
            r#""no [ parts""#,
            r#"[{"type":"text","text":"a ],[ é"},{"type":"image","source":{"type":"data","value":"AA==","mimeType":"image/png"},"metadata":{"filename":"c\n.png"}}]"#,
            r#"[{"type":"document","source":{"type":"url","value":"https://e/x","mimeType":"text/plain"}}]"#,
        ]
    );
}
