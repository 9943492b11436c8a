//! Events without the fields of server-sent events, and what is no event.

use crate::curves::Curve;

/// The kinds of a protocol whose pieces of a text are such events, between the first ones and the
/// last ones.
macro_rules! kinds {
    ($($PROTOCOL:ident: [$($first:literal),*] $piece:literal [$($last:literal),*];)*) => {
        $(pub const $PROTOCOL: &[Curve] = &[
            ("lines of JSON", |s, n| {
                [$($first),*].iter().for_each(|event: &&str| s.lines(1, event));
                s.lines(n, $piece);
                [$($last),*].iter().for_each(|event: &&str| s.lines(1, event));
            }),
            ("a list of events", |s, n| {
                let first: &str = concat!("[", $($first, ",\n",)*);
                s.body([first, concat!("\n", $(",", $last,)* "]")], n, $piece);
            }),
            ("a list of events in an event", |s, n| {
                s.list([concat!("[", $($first, ",",)*), concat!($(",", $last,)* "]")], n, $piece);
            }),
            ("errors of other servers", |s, n| s.lines(n, r#"{"error":{"message":"e$i","code":$i}}"#)),
            ("a list of errors", |s, n| s.body(["{\"errors\":[", "]}"], n, r#"{"message":"e$i"}"#)),
            ("objects of other servers", |s, n| s.lines(n, r#"{"a$i":$i}"#)),
            ("lines of text", |s, n| s.lines(n, "<p class=\"a\">$i</p>")),
            ("JSON that does not end", |s, n| s.lines(n, r#"{"a":[$i,"#)),
            ("JSON with blank lines", |s, n| s.lines(n, "{\"a\":\n\n$i}\n")),
            ("JSON beside fields", |s, n| s.lines(n, "id: $i\n{\"a\":\ndata: $i}\n")),
        ];)*
    };
}

kinds! {
    AGENT_API:
        [r#"{"object":"response","status":"in_progress","id":"r"}"#,
         r#"{"object":"message","status":"in_progress","id":"m","type":"message","role":"assistant"}"#]
        r#"{"object":"content","type":"text","msg_id":"m","index":0,"delta":true,"text":"a$i","status":"in_progress"}"#
        [r#"{"object":"response","status":"completed","id":"r"}"#];
    AGENTSCOPE:
        [r#"{"type":"REPLY_START","session_id":"s","reply_id":"r","name":"n"}"#,
         r#"{"type":"TEXT_BLOCK_START","reply_id":"r","block_id":"t"}"#]
        r#"{"type":"TEXT_BLOCK_DELTA","reply_id":"r","block_id":"t","delta":"a$i"}"#
        [r#"{"type":"TEXT_BLOCK_END","reply_id":"r","block_id":"t"}"#,
         r#"{"type":"REPLY_END","reply_id":"r","session_id":"s"}"#];
    AG_KIT:
        []
        r#"{"type":"text","content":"a$i"}"#
        [r#"{"type":"finish"}"#];
    AG_UI:
        [r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
         r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}"#]
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a$i"}"#
        [r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#,
         r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#];
    RESPONSES:
        [r#"{"type":"response.created","sequence_number":0,"response":{"id":"r","object":"response","status":"in_progress","output":[]}}"#,
         r#"{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"id":"m","type":"message","status":"in_progress","role":"assistant","content":[]}}"#,
         r#"{"type":"response.content_part.added","sequence_number":2,"item_id":"m","output_index":0,"content_index":0,"part":{"type":"output_text","text":"","annotations":[]}}"#]
        r#"{"type":"response.output_text.delta","sequence_number":3,"item_id":"m","output_index":0,"content_index":0,"delta":"a$i"}"#
        [r#"{"type":"response.completed","sequence_number":4,"response":{"id":"r","object":"response","status":"completed"}}"#];
    A2A:
        [r#"{"jsonrpc":"2.0","id":1,"result":{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}}"#]
        r#"{"jsonrpc":"2.0","id":1,"result":{"artifactUpdate":{"taskId":"t","contextId":"c","append":true,"artifact":{"artifactId":"a","parts":[{"text":"x$i"}]}}}}"#
        [r#"{"jsonrpc":"2.0","id":1,"result":{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}}}"#];
    AI_SDK:
        [r#"{"type":"start","messageId":"m"}"#, r#"{"type":"text-start","id":"t"}"#]
        r#"{"type":"text-delta","id":"t","delta":"a$i"}"#
        [r#"{"type":"text-end","id":"t"}"#, r#"{"type":"finish","finishReason":"stop"}"#];
    CHAT:
        []
        r#"{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"a$i"}}]}"#
        [r#"{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#];
    ANTHROPIC:
        [r#"{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[]}}"#,
         r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#]
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a$i"}}"#
        [r#"{"type":"content_block_stop","index":0}"#, r#"{"type":"message_stop"}"#];
    GEMINI:
        []
        r#"{"candidates":[{"content":{"parts":[{"text":"a$i"}],"role":"model"},"index":0}],"responseId":"r"}"#
        [r#"{"candidates":[{"content":{"parts":[],"role":"model"},"finishReason":"STOP","index":0}],"responseId":"r"}"#];
    INTERACTIONS:
        [r#"{"interaction":{"id":"i","status":"in_progress"},"event_type":"interaction.created"}"#,
         r#"{"index":0,"step":{"type":"model_output"},"event_type":"step.start"}"#]
        r#"{"index":0,"delta":{"text":"a$i","type":"text"},"event_type":"step.delta"}"#
        [r#"{"index":0,"event_type":"step.stop"}"#, r#"{"interaction":{"id":"i","status":"completed"},"event_type":"interaction.completed"}"#];
}
