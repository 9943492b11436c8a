//! What is not a stream of events of the protocol: errors in other forms, whole answers, lists of
//! events, pages.

use agentwire::ProtocolKind;
use agentwire::builder::Counter;
use agentwire::convert::{ConvertOptions, Converter, Source};
use agentwire::read::{AnyOptions, AnyOutcome};
use agentwire::{EndReason, agent_api::builder};

use crate::reading;

/// The beginning of an answer of each protocol.
fn beginning(kind: ProtocolKind) -> Vec<String> {
    let events: &[&str] = match kind.as_str() {
        "agent-api" => &[
            r#"{"sequence_number":0,"object":"response","status":"created","id":"r"}"#,
            r#"{"sequence_number":1,"object":"message","status":"in_progress","id":"m","type":"message"}"#,
            r#"{"sequence_number":2,"object":"content","type":"text","delta":true,"msg_id":"m","index":0,"text":"Hi"}"#,
        ],
        "agentscope" => &[
            r#"{"type":"REPLY_START","session_id":"s","reply_id":"r","name":"n"}"#,
            r#"{"type":"TEXT_BLOCK_START","reply_id":"r","block_id":"b"}"#,
            r#"{"type":"TEXT_BLOCK_DELTA","reply_id":"r","block_id":"b","delta":"Hi"}"#,
        ],
        "ag-kit" => &[r#"{"type":"text","content":"Hi"}"#],
        "ag-ui" => &[
            r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hi"}"#,
        ],
        "responses" => &[
            r#"{"type":"response.created","sequence_number":0,"response":{"id":"r","object":"response","status":"in_progress","output":[]}}"#,
            r#"{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"type":"message","id":"m","role":"assistant","status":"in_progress","content":[]}}"#,
        ],
        "a2a" => &[
            r#"{"jsonrpc":"2.0","id":1,"result":{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}}"#,
        ],
        "ai-sdk" => &[
            r#"{"type":"start","messageId":"m"}"#,
            r#"{"type":"text-start","id":"t"}"#,
            r#"{"type":"text-delta","id":"t","delta":"Hi"}"#,
        ],
        "chat" => &[
            r#"{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"Hi"}}]}"#,
        ],
        "anthropic" => &[
            r#"{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"x","content":[]}}"#,
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Hi"}}"#,
        ],
        "gemini" => {
            &[r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"Hi"}]},"index":0}]}"#]
        }
        "interactions" => &[
            r#"{"interaction":{"id":"v1_a","status":"in_progress"},"event_type":"interaction.created"}"#,
            r#"{"index":0,"step":{"type":"model_output"},"event_type":"step.start"}"#,
            r#"{"index":0,"delta":{"text":"Hi","type":"text"},"event_type":"step.delta"}"#,
        ],
        other => panic!("no beginning of {other}"),
    };
    events.iter().map(|event| format!("data: {event}\n\n")).collect()
}

/// Errors with the message `quota exceeded`, as JSON.
const ERRORS: &[&str] = &[
    r#"{"error":{"message":"quota exceeded","type":"insufficient_quota","code":429}}"#,
    r#"{"error":{"code":503,"message":"quota exceeded","status":"UNAVAILABLE"}}"#,
    r#"{"error":"quota exceeded"}"#,
    r#"{"error":{"error":{"message":"quota exceeded"}}}"#,
    r#"{"error":{"error":"quota exceeded"}}"#,
    r#"{"error":{"code":429,"details":"quota exceeded"}}"#,
    r#"{"error":{"code":429,"metadata":{"raw":"quota exceeded"}}}"#,
    r#"{"error":["quota exceeded"]}"#,
    r#"{"error":true,"message":"quota exceeded"}"#,
    r#"{"error":"insufficient_quota","message":"quota exceeded"}"#,
    r#"{"error":"insufficient_quota","error_description":"quota exceeded"}"#,
    r#"{"timestamp":"2026-01-01","status":429,"error":"Too Many Requests","message":"quota exceeded","path":"/v1"}"#,
    r#"{"errors":[{"message":"quota exceeded"}]}"#,
    r#"{"errors":["quota exceeded"]}"#,
    r#"{"detail":"quota exceeded"}"#,
    r#"{"detail":[{"type":"missing","loc":["body","messages"],"msg":"quota exceeded"}]}"#,
    r#"{"detail":{"error":"quota exceeded"}}"#,
    r#"{"detail":{"message":"quota exceeded","code":1}}"#,
    r#"{"message":"quota exceeded"}"#,
    r#"{"message":"quota exceeded","code":429}"#,
    r#"{"Message":"quota exceeded"}"#,
    r#"{"object":"error","message":"quota exceeded","type":"BadRequestError","code":400}"#,
    r#"{"object":"error","error":{"message":"quota exceeded"}}"#,
    r#"{"type":"error","error":{"type":"overloaded_error","message":"quota exceeded"}}"#,
    r#"{"type":"error","message":"quota exceeded"}"#,
    r#"{"type":"error","error":"quota exceeded"}"#,
    r#"{"type":"error","data":{"message":"quota exceeded"}}"#,
    r#"{"type":"invalid_request_error","message":"quota exceeded"}"#,
    r#"{"type":"https://example.test/limits","title":"quota exceeded","status":429,"error":{"message":"quota exceeded"}}"#,
    r#"{"status":429,"title":"quota exceeded"}"#,
    r#"{"success":false,"msg":"quota exceeded"}"#,
    r#"{"ok":false,"reason":"quota exceeded","error":true}"#,
    r#"[{"error":{"code":429,"message":"quota exceeded"}}]"#,
    r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"quota exceeded"}}"#,
];

fn read(kind: ProtocolKind, stream: &[u8], size: usize) -> AnyOutcome {
    reading::read(kind, AnyOptions::default(), stream.chunks(size))
}

fn convert(from: impl Into<Source>, to: ProtocolKind, stream: &[u8], size: usize) -> String {
    let write = builder::BuilderOptions::new(Counter::default(), || 0);
    let mut converter = Converter::new(from, to, ConvertOptions::new(write)).unwrap();
    let mut out = String::new();
    stream.chunks(size).for_each(|chunk| converter.push(chunk, &mut out));
    converter.finish(&mut out);
    out
}

/// Checks that the message of an error is in the answer and in its conversions.
fn has_message(kind: ProtocolKind, stream: &str, message: &str) {
    let what = format!("{}: {stream}", kind.as_str());
    let AnyOutcome { snapshot, report, .. } = read(kind, stream.as_bytes(), usize::MAX);
    let json = snapshot.to_json();
    assert!(json.contains(message), "{what}\n{json}\n{:?}", report.violations);
    for size in [1, 7] {
        let cut = read(kind, stream.as_bytes(), size);
        assert_eq!(cut.snapshot.to_json(), json, "{what}");
        assert_eq!(cut.report.to_json(), report.to_json(), "{what}");
    }
    for to in crate::written() {
        let out = convert(kind, to, stream.as_bytes(), usize::MAX);
        assert!(out.contains(message), "{what}\nto {}: {out}", to.as_str());
        assert_eq!(convert(kind, to, stream.as_bytes(), 3), out, "{what}");
    }
}

#[test]
fn the_message_of_an_error_in_any_form_is_kept() {
    for kind in crate::spoken() {
        for begins in [false, true] {
            let start = if begins { beginning(kind).concat() } else { String::new() };
            for error in ERRORS {
                // Of an event, of a line between the events, and pretty-printed.
                has_message(kind, &format!("{start}data: {error}\n\n"), "quota exceeded");
                has_message(
                    kind,
                    &format!("{start}event: error\ndata: {error}\n\n"),
                    "quota exceeded",
                );
                has_message(kind, &format!("{start}{error}"), "quota exceeded");
                let pretty = error.replace(",\"", ",\n  \"").replace(":{", ": {\n    ");
                has_message(kind, &format!("{start}{pretty}\n"), "quota exceeded");
            }
        }
    }
}

#[test]
fn the_message_of_an_error_without_a_form_is_kept() {
    for kind in crate::spoken() {
        for begins in [false, true] {
            let start = if begins { beginning(kind).concat() } else { String::new() };
            for error in [
                "event: error\ndata: quota exceeded\n\n",
                "event: error\ndata: \"quota exceeded\"\n\n",
                "data: quota exceeded\n\n",
                "quota exceeded",
                "Error: quota exceeded\n",
                "<html>\n<head><title>quota exceeded</title></head>\n</html>\n",
                "[error] quota exceeded\n",
                "event: error\ndata: {\"retryable\":false,\"cause\":\"quota exceeded\"}\n\n",
            ] {
                has_message(kind, &format!("{start}{error}"), "quota exceeded");
            }
        }
        // An answer that is only an object of an unknown kind.
        has_message(kind, "{\"foo\":\"quota exceeded\"}", "quota exceeded");
    }
}

#[test]
fn text_after_a_whole_answer_is_not_its_error() {
    let chat = |text: &str| {
        let stream = format!(
            "data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"role\":\"assistant\",\"content\":\"Hi\"}},\"finish_reason\":\"stop\"}}]}}\n\n{text}"
        );
        read(ProtocolKind::Chat, stream.as_bytes(), usize::MAX)
    };
    for text in ["bye\n", "x-request-id: 5\n\n", "data: bye\n\n"] {
        let outcome = chat(text);
        assert_eq!(outcome.report.count("foreign-error"), 0, "{text}");
        assert_eq!(outcome.report.end_reason, EndReason::Eof);
    }
    // A field that the standard ignores is not an error of a stream that breaks off.
    let outcome = read(
        ProtocolKind::AgUi,
        format!("x-request-id: 5\n\n{}", beginning(ProtocolKind::AgUi).concat()).as_bytes(),
        5,
    );
    assert_eq!(outcome.report.count("foreign-error"), 0);
}

#[test]
fn an_event_of_an_unknown_type_is_not_an_error() {
    for kind in crate::spoken() {
        for event in [
            r#"{"type":"telemetry","message":"all is well"}"#,
            r#"{"type":"telemetry","error":null,"detail":"x"}"#,
            r#"{"object":"telemetry","message":"all is well"}"#,
        ] {
            let stream = format!("{}data: {event}\n\n", beginning(kind).concat());
            let outcome = read(kind, stream.as_bytes(), usize::MAX);
            assert_eq!(outcome.report.count("foreign-error"), 0, "{}: {event}", kind.as_str());
        }
    }
}

/// Events of a call whose arguments are JSON in place of a text with it.
const JSON_ARGUMENTS: &[(ProtocolKind, &[&str])] = &[
    (
        ProtocolKind::Responses,
        &[
            r#"{"type":"response.created","sequence_number":0,"response":{"id":"r","object":"response","status":"in_progress","output":[]}}"#,
            r#"{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"type":"function_call","id":"i","call_id":"c","name":"f","arguments":"","status":"in_progress"}}"#,
            r#"{"type":"response.function_call_arguments.delta","sequence_number":2,"output_index":0,"item_id":"i","delta":{"city":"Paris"}}"#,
            r#"{"type":"response.function_call_arguments.done","sequence_number":3,"output_index":0,"item_id":"i","arguments":{"city":"Paris"}}"#,
            r#"{"type":"response.completed","sequence_number":4,"response":{"id":"r","object":"response","status":"completed","output":[{"type":"function_call","id":"i","call_id":"c","name":"f","arguments":{"city":"Paris"},"status":"completed"}]}}"#,
        ],
    ),
    (
        ProtocolKind::Responses,
        &[
            r#"{"type":"response.created","sequence_number":0,"response":{"id":"r","object":"response","status":"in_progress","output":[]}}"#,
            r#"{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"type":"function_call","id":"i","call_id":"c","name":"f","arguments":{"city":"Paris"},"status":"in_progress"}}"#,
            r#"{"type":"response.completed","sequence_number":2,"response":{"id":"r","object":"response","status":"completed","output":[{"type":"function_call","id":"i","call_id":"c","name":"f","arguments":{"city":"Paris"},"status":"completed"}]}}"#,
        ],
    ),
    (
        ProtocolKind::AgUi,
        &[
            r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
            r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f"}"#,
            r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":{"city":"Paris"}}"#,
            r#"{"type":"TOOL_CALL_END","toolCallId":"c"}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#,
        ],
    ),
    (
        ProtocolKind::AgUi,
        &[
            r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
            r#"{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f","delta":{"city":"Paris"}}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#,
        ],
    ),
    (
        ProtocolKind::Anthropic,
        &[
            r#"{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"x","content":[]}}"#,
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c","name":"f","input":{}}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":{"city":"Paris"}}}"#,
            r#"{"type":"content_block_stop","index":0}"#,
            r#"{"type":"message_delta","delta":{"stop_reason":"tool_use"}}"#,
            r#"{"type":"message_stop"}"#,
        ],
    ),
    (
        ProtocolKind::AiSdk,
        &[
            r#"{"type":"start","messageId":"m"}"#,
            r#"{"type":"tool-input-start","toolCallId":"c","toolName":"f"}"#,
            r#"{"type":"tool-input-delta","toolCallId":"c","inputTextDelta":{"city":"Paris"}}"#,
            r#"{"type":"tool-input-available","toolCallId":"c","toolName":"f","input":{"city":"Paris"}}"#,
            r#"{"type":"finish"}"#,
        ],
    ),
    (
        ProtocolKind::Chat,
        &[
            r#"{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"f","arguments":{"city":"Paris"}}}]}}]}"#,
            r#"{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}"#,
            "[DONE]",
        ],
    ),
];

/// The same where the protocol has JSON there, or any value.
const WHOLE_ARGUMENTS: &[(ProtocolKind, &[&str])] = &[
    (
        ProtocolKind::Anthropic,
        &[
            r#"{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"x","content":[]}}"#,
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c","name":"f","input":{"city":"Paris"}}}"#,
            r#"{"type":"content_block_stop","index":0}"#,
            r#"{"type":"message_delta","delta":{"stop_reason":"tool_use"}}"#,
            r#"{"type":"message_stop"}"#,
        ],
    ),
    (
        ProtocolKind::AgentApi,
        &[
            r#"{"sequence_number":0,"object":"response","status":"created","id":"r"}"#,
            r#"{"sequence_number":1,"object":"message","status":"in_progress","id":"m","type":"plugin_call","role":"assistant"}"#,
            r#"{"sequence_number":2,"object":"content","status":"completed","type":"data","delta":false,"msg_id":"m","index":0,"data":{"call_id":"c","name":"f","arguments":{"city":"Paris"}}}"#,
            r#"{"sequence_number":3,"object":"message","status":"completed","id":"m","type":"plugin_call","role":"assistant","content":[{"object":"content","type":"data","delta":false,"msg_id":"m","index":0,"data":{"call_id":"c","name":"f","arguments":{"city":"Paris"}}}]}"#,
            r#"{"sequence_number":4,"object":"response","status":"completed","id":"r"}"#,
        ],
    ),
    (
        ProtocolKind::AiSdk,
        &[
            r#"{"type":"start","messageId":"m"}"#,
            r#"{"type":"tool-input-available","toolCallId":"c","toolName":"f","input":"{\"city\":\"Paris\"}"}"#,
            r#"{"type":"finish"}"#,
        ],
    ),
];

#[test]
fn arguments_that_are_json_in_place_of_text_are_kept() {
    let all = JSON_ARGUMENTS
        .iter()
        .map(|case| (case, true))
        .chain(WHOLE_ARGUMENTS.iter().map(|case| (case, false)));
    for ((kind, events), is_reported) in all {
        let stream: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
        for size in [1, stream.len()] {
            let outcome = read(*kind, stream.as_bytes(), size);
            let (snapshot, report) = (outcome.snapshot.to_json(), outcome.report.to_json());
            assert_eq!(outcome.report.end_reason, EndReason::Terminal, "{stream}\n{report}");
            assert!(snapshot.contains("Paris"), "{stream}\n{snapshot}\n{report}");
            assert_eq!(
                outcome.report.count("tool-arguments") > 0,
                is_reported,
                "{stream}\n{report}"
            );
            assert_eq!(outcome.report.count("malformed-event"), 0, "{stream}\n{report}");
        }
        for to in crate::written() {
            let written = convert(*kind, to, stream.as_bytes(), stream.len());
            assert!(written.contains("Paris"), "to {}: {stream}\n{written}", to.as_str());
            assert!(!written.contains("ParisParis"), "{written}");
        }
    }
}

/// Streams with two results of one call: `first`, then `second`.
const TWO_RESULTS: &[(ProtocolKind, &[&str])] = &[
    (
        ProtocolKind::AgUi,
        &[
            r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
            r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f"}"#,
            r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{}"}"#,
            r#"{"type":"TOOL_CALL_END","toolCallId":"c"}"#,
            r#"{"type":"TOOL_CALL_RESULT","messageId":"m1","toolCallId":"c","content":"first","role":"tool"}"#,
            r#"{"type":"TOOL_CALL_RESULT","messageId":"m2","toolCallId":"c","content":"second","role":"tool"}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#,
        ],
    ),
    (
        ProtocolKind::AgentApi,
        &[
            r#"{"sequence_number":0,"object":"response","status":"created","id":"r"}"#,
            r#"{"sequence_number":1,"object":"message","status":"completed","id":"m","type":"plugin_call","role":"assistant","content":[{"object":"content","type":"data","data":{"call_id":"c","name":"f","arguments":"{}"}}]}"#,
            r#"{"sequence_number":2,"object":"message","status":"completed","id":"m1","type":"plugin_call_output","role":"tool","content":[{"object":"content","type":"data","data":{"call_id":"c","output":"first"}}]}"#,
            r#"{"sequence_number":3,"object":"message","status":"completed","id":"m2","type":"plugin_call_output","role":"tool","content":[{"object":"content","type":"data","data":{"call_id":"c","output":"second"}}]}"#,
            r#"{"sequence_number":4,"object":"response","status":"completed","id":"r"}"#,
        ],
    ),
    (
        ProtocolKind::AiSdk,
        &[
            r#"{"type":"start","messageId":"m"}"#,
            r#"{"type":"tool-input-available","toolCallId":"c","toolName":"f","input":{}}"#,
            r#"{"type":"tool-output-available","toolCallId":"c","output":"first"}"#,
            r#"{"type":"tool-output-available","toolCallId":"c","output":"second"}"#,
            r#"{"type":"finish"}"#,
        ],
    ),
    (
        ProtocolKind::AgKit,
        &[
            r#"{"type":"tool-call-start","toolCallId":"c","toolCallName":"f"}"#,
            r#"{"type":"tool-call-end","toolCallId":"c"}"#,
            r#"{"type":"tool-result","toolCallId":"c","result":"first"}"#,
            r#"{"type":"tool-result","toolCallId":"c","result":"second"}"#,
            "[DONE]",
        ],
    ),
    (
        ProtocolKind::Responses,
        &[
            r#"{"type":"response.created","sequence_number":0,"response":{"id":"r","object":"response","status":"in_progress","output":[]}}"#,
            r#"{"type":"response.completed","sequence_number":1,"response":{"id":"r","object":"response","status":"completed","output":[{"type":"function_call","id":"i","call_id":"c","name":"f","arguments":"{}","status":"completed"},{"type":"function_call_output","id":"o1","call_id":"c","output":"first"},{"type":"function_call_output","id":"o2","call_id":"c","output":"second"}]}}"#,
        ],
    ),
];

#[test]
fn a_second_result_of_a_call_is_not_lost() {
    for (kind, events) in TWO_RESULTS {
        let stream: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
        let outcome = read(*kind, stream.as_bytes(), stream.len());
        let (snapshot, report) = (outcome.snapshot.to_json(), outcome.report.to_json());
        assert!(snapshot.contains("second"), "{stream}\n{snapshot}\n{report}");
        for to in crate::written() {
            let write = builder::BuilderOptions::new(Counter::default(), || 0);
            let mut converter = Converter::new(*kind, to, ConvertOptions::new(write)).unwrap();
            let mut out = String::new();
            converter.push(stream.as_bytes(), &mut out);
            converter.finish(&mut out);
            let losses = converter.losses().unwrap().to_json();
            let is_noted =
                outcome.report.worst().is_some() || !losses.starts_with(r#"{"losses":[]"#);
            assert!(
                out.contains("second") || is_noted,
                "{} to {}: {losses}\n{out}",
                kind.as_str(),
                to.as_str()
            );
        }
    }
}

#[test]
fn calls_without_ids_are_separate() {
    let call = |name: &str| {
        format!(
            r#"{{"type":"function_call","name":"{name}","arguments":"{{}}","status":"completed"}}"#
        )
    };
    let (f, g) = (call("f"), call("g"));
    let events = [
        r#"{"type":"response.created","sequence_number":0,"response":{"id":"r","object":"response","status":"in_progress","output":[]}}"#.to_owned(),
        format!(r#"{{"type":"response.output_item.done","sequence_number":1,"output_index":0,"item":{f}}}"#),
        format!(r#"{{"type":"response.output_item.done","sequence_number":2,"output_index":1,"item":{g}}}"#),
        format!(r#"{{"type":"response.completed","sequence_number":3,"response":{{"id":"r","object":"response","status":"completed","output":[{f},{g}]}}}}"#),
    ];
    for events in [&events[..], &[&events[..1], &events[3..]].concat()] {
        let stream: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
        let outcome = read(ProtocolKind::Responses, stream.as_bytes(), 7);
        let (snapshot, report) = (outcome.snapshot.to_json(), outcome.report.to_json());
        assert_eq!(snapshot.matches(r#""type":"function_call""#).count(), 2, "{snapshot}");
        let ids: Vec<&str> = snapshot
            .split(r#""call_id":""#)
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
            .collect();
        let [first, second] = ids[..] else { panic!("{snapshot}") };
        assert!(!first.is_empty() && !second.is_empty() && first != second, "{snapshot}\n{report}");
        for to in crate::written() {
            let out = convert(ProtocolKind::Responses, to, stream.as_bytes(), 7);
            for (name, id) in [("f", first), ("g", second)] {
                let has = |text: &str| out.contains(&format!("\"{text}\""));
                assert!(has(name) && has(id), "{name} {id}\n{out}");
            }
        }
    }
}
