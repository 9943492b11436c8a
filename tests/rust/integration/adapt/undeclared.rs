//! Members that a protocol does not declare, of its events and of its errors: what no step has is a
//! loss, once for each name.

use agentwire::ProtocolKind::{
    self, AgKit, AgUi, AgentScope, Anthropic, Chat, Gemini, Interactions, Responses,
};

use super::facts::convert;

/// Streams, and the names of the members that are lost.
const STREAMS: &[(ProtocolKind, &[&str], &[&str])] = &[
    (
        Responses,
        &[
            r#"{"type":"response.created","sequence_number":0,"response":{"id":"r","object":"response","status":"in_progress","output":[],"new_mode":"fast"},"trace":1}"#,
            r#"{"type":"response.output_item.added","output_index":0,"item":{"id":"m","type":"message","role":"assistant","status":"in_progress","content":[]},"trace":2}"#,
            r#"{"type":"response.content_part.added","output_index":0,"item_id":"m","content_index":0,"part":{"type":"output_text","text":"","annotations":[]},"none":null}"#,
            r#"{"type":"response.output_text.delta","output_index":0,"item_id":"m","content_index":0,"delta":"a","confidence":0.5,"obfuscation":"xx"}"#,
            r#"{"type":"response.output_text.delta","output_index":0,"item_id":"m","content_index":0,"delta":"b","confidence":0.5,"obfuscation":"yy"}"#,
            r#"{"type":"response.failed","response":{"id":"r","object":"response","status":"failed","new_mode":"fast","error":{"code":"server_error","message":"m","hint":"h"},"output":[]}}"#,
        ],
        &["confidence", "hint", "new_mode", "trace"],
    ),
    (
        Anthropic,
        &[
            r#"{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"x","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}},"trace":1}"#,
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"},"confidence":1}"#,
            r#"{"type":"error","error":{"type":"overloaded_error","message":"m","details":{"retry":1}}}"#,
        ],
        &["confidence", "details", "trace"],
    ),
    (
        Chat,
        &[
            r#"{"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"a"}}]}"#,
            r#"{"error":{"code":"c","message":"m","details":[1]}}"#,
        ],
        &["details"],
    ),
    (
        Gemini,
        &[r#"{"error":{"code":500,"status":"INTERNAL","message":"m","details":[1]}}"#],
        &["details"],
    ),
    (
        Interactions,
        &[
            r#"{"event_type":"interaction.created","interaction":{"id":"v1_a","status":"in_progress","object":"interaction"},"trace":1}"#,
            r#"{"event_type":"step.start","index":0,"step":{"type":"model_output"}}"#,
            r#"{"event_type":"step.delta","index":0,"delta":{"type":"text","text":"a"},"confidence":1}"#,
            r#"{"event_type":"error","error":{"code":"c","message":"m","details":[1]}}"#,
        ],
        &["confidence", "details", "trace"],
    ),
    (
        AgentScope,
        &[
            r#"{"type":"REPLY_START","reply_id":"r","session_id":"s","name":"n","trace":1}"#,
            r#"{"type":"TEXT_BLOCK_START","reply_id":"r","block_id":"b"}"#,
            r#"{"type":"TEXT_BLOCK_DELTA","reply_id":"r","block_id":"b","delta":"a","confidence":1}"#,
            r#"{"type":"TEXT_BLOCK_END","reply_id":"r","block_id":"b"}"#,
            r#"{"type":"REPLY_END","reply_id":"r","session_id":"s"}"#,
        ],
        &["confidence", "trace"],
    ),
    (AgKit, &[r#"{"type":"text","content":"a","confidence":1}"#], &["confidence"]),
    (
        AgUi,
        &[
            r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant","confidence":1}"#,
            r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#,
        ],
        &["confidence"],
    ),
];

#[test]
fn what_no_step_has_is_lost_once() {
    for (from, events, expected) in STREAMS {
        let stream: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
        for size in [1, 7, stream.len()] {
            let (_, losses) =
                convert(*from, ProtocolKind::AgentApi, stream.as_bytes().chunks(size), false);
            let lost = losses.iter().filter(|loss| loss.kind == "undeclared-member");
            let mut lost: Vec<&str> = lost.map(|loss| &*loss.location).collect();
            lost.sort_unstable();
            assert_eq!(lost, *expected, "{from:?}, pieces of {size}");
        }
    }
}
