//! Tests that deltas are replayed without parsing.

use super::*;
use crate::core::options::ReadOptions;
use crate::engine::{EventReceiver as _, Protocol as _};
use crate::read::StreamDecoder;
use alloc::format;

#[test]
fn deltas_are_replayed_with_any_obfuscation_padding() {
    let (options, mut snapshot) = (ReadOptions::default(), Snapshot::default());
    let engine = Chat::default().engine(&options, &mut snapshot);
    let mut stream = StreamDecoder::new(engine, &options);
    let mut push = |delta: &str, padding: &str| {
        let chunk = format!(
            "data: {{\"id\":\"c\",\"model\":\"m\",\"x\":[1],\"choices\":[{{\"index\":0,\"delta\":{{{delta}}}}}],\"obfuscation\":\"{padding}\"}}\n\n"
        );
        stream.push(chunk.as_bytes(), &mut snapshot);
        stream.fold().repeatable().is_some()
    };
    assert!(!push(r#""role":"assistant","content":"""#, ""), "it opens the choice");
    assert!(push(r#""content":"a""#, "1"));
    assert!(push(r#""content":"b""#, "22"));
    assert!(!push(
        r#""tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":""}}]"#,
        ""
    ));
    assert!(push(r#""tool_calls":[{"index":0,"function":{"arguments":"{"}}]"#, ""));
    assert!(push(r#""tool_calls":[{"index":0,"function":{"arguments":"}"}}]"#, ""));
    assert!(!push(r#""reasoning":"c""#, ""), "it opens the text");
    assert!(push(r#""reasoning":"d""#, ""));
    assert_eq!(snapshot.text(), "ab");
}
