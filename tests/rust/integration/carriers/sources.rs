//! The answers of models.

use agentwire::ProtocolKind::{A2a, Anthropic, Chat, Gemini, Interactions, Responses};

use super::check;

/// Returns events as a stream, each with its type as its name.
fn named(events: &[&str]) -> String {
    let name = |event: &&str| {
        let name = event.split('"').nth(3).expect("a type").to_owned();
        format!("event: {name}\ndata: {event}\n\n")
    };
    events.iter().map(name).collect()
}

fn unnamed(events: &[&str]) -> String {
    events.iter().map(|event| format!("data: {event}\n\n")).collect()
}

const BEGIN: &str = r#"{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":9,"output_tokens":1}}}"#;
const STOP: &str = r#"{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":5}}"#;
const END: &str = r#"{"type":"message_stop"}"#;

#[test]
fn thinking_of_anthropic() {
    let stream = named(&[
        BEGIN,
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"First "}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"this, "}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"then that."}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2ln"}}"#,
        r#"{"type":"content_block_stop","index":0}"#,
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"cmVk"}}"#,
        r#"{"type":"content_block_stop","index":1}"#,
        r#"{"type":"content_block_start","index":2,"content_block":{"type":"text","text":""}}"#,
        r#"{"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"One moment."}}"#,
        r#"{"type":"content_block_stop","index":2}"#,
        r#"{"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"toolu_1","name":"f","input":{},"caller":{"type":"code_execution_20250825","tool_id":"srvtoolu_0"}}}"#,
        r#"{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"{\"a\":1}"}}"#,
        r#"{"type":"content_block_stop","index":3}"#,
        r#"{"type":"content_block_start","index":4,"content_block":{"type":"thinking","thinking":"","signature":"cw=="}}"#,
        r#"{"type":"content_block_stop","index":4}"#,
        r#"{"type":"content_block_start","index":5,"content_block":{"type":"tool_use","id":"toolu_2","name":"f","input":{},"caller":{"type":"direct"}}}"#,
        r#"{"type":"content_block_stop","index":5}"#,
        STOP,
        END,
    ]);
    check(
        Anthropic,
        &stream,
        &[
            r#"reasoning First this, then that. = anthropic {"signature":"c2ln"}"#,
            r#"block = anthropic block {"data":"cmVk","type":"redacted_thinking"}"#,
            "text One moment.",
            r#"call toolu_1 = anthropic {"caller":{"tool_id":"srvtoolu_0","type":"code_execution_20250825"}}"#,
            // A thinking that the model does not show, with its signature.
            r#"reasoning  = anthropic {"signature":"cw=="}"#,
            // The model itself has called it, as usual.
            "call toolu_2",
        ],
    );
}

#[test]
fn search_of_anthropic() {
    let stream = named(&[
        BEGIN,
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"query\":\"x\"}"}}"#,
        r#"{"type":"content_block_stop","index":0}"#,
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","title":"T","url":"https://example.com","encrypted_content":"ZW5j"}]}}"#,
        r#"{"type":"content_block_stop","index":1}"#,
        r#"{"type":"content_block_start","index":2,"content_block":{"type":"text","text":""}}"#,
        r#"{"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"I found"}}"#,
        r#"{"type":"content_block_stop","index":2}"#,
        r#"{"type":"content_block_start","index":3,"content_block":{"type":"text","text":"","citations":[]}}"#,
        r#"{"type":"content_block_delta","index":3,"delta":{"type":"text_delta","text":" this."}}"#,
        r#"{"type":"content_block_delta","index":3,"delta":{"type":"citations_delta","citation":{"type":"web_search_result_location","url":"https://example.com","title":"T","encrypted_index":"aW5k","cited_text":"that"}}}"#,
        r#"{"type":"content_block_stop","index":3}"#,
        r#"{"type":"content_block_start","index":4,"content_block":{"type":"compaction","content":"All so far.","encrypted_content":"Y29t"}}"#,
        r#"{"type":"content_block_stop","index":4}"#,
        STOP,
        END,
    ]);
    check(
        Anthropic,
        &stream,
        &[
            r#"call srvtoolu_1 = anthropic block {"id":"srvtoolu_1","input":{"query":"x"},"name":"web_search","type":"server_tool_use"}"#,
            r#"result srvtoolu_1 = anthropic block {"content":[{"encrypted_content":"ZW5j","title":"T","type":"web_search_result","url":"https://example.com"}],"tool_use_id":"srvtoolu_1","type":"web_search_tool_result"}"#,
            "text I found",
            r#"text  this. = anthropic {"citations":[{"cited_text":"that","encrypted_index":"aW5k","title":"T","type":"web_search_result_location","url":"https://example.com"}]}"#,
            r#"block = anthropic block {"content":"All so far.","encrypted_content":"Y29t","type":"compaction"}"#,
        ],
    );
}

#[test]
fn signatures_of_gemini() {
    let chunk = |parts: &str, more: &str| {
        format!(
            r#"{{"candidates":[{{"content":{{"role":"model","parts":[{parts}]}},"index":0{more}}}],"modelVersion":"gemini-3","responseId":"r1"}}"#
        )
    };
    let chunks = [
        chunk(r#"{"text":"Hm, ","thought":true}"#, ""),
        chunk(r#"{"text":"so.","thought":true}"#, ""),
        chunk(r#"{"text":"Looking.","thoughtSignature":"dDE="}"#, ""),
        chunk(
            r#"{"functionCall":{"id":"c1","name":"f","args":{"a":1}},"thoughtSignature":"Y2E="}"#,
            "",
        ),
        chunk(r#"{"functionCall":{"id":"c2","name":"f","args":{}}}"#, ""),
        chunk(
            r#"{"executableCode":{"id":"e1","language":"PYTHON","code":"1"},"thoughtSignature":"ZXg="}"#,
            "",
        ),
        chunk(r#"{"codeExecutionResult":{"id":"e1","outcome":"OUTCOME_OK","output":"1"}}"#, ""),
        chunk(r#"{"text":"Done."}"#, ""),
        chunk(r#"{"text":"","thoughtSignature":"ZW1w"}"#, r#","finishReason":"STOP""#),
    ];
    let stream = unnamed(&chunks.each_ref().map(|chunk| &**chunk));
    check(
        Gemini,
        &stream,
        &[
            r#"reasoning Hm, so. = gemini {"thought":true}"#,
            r#"text Looking. = gemini {"thoughtSignature":"dDE="}"#,
            r#"call c1 = gemini {"functionCall":{"id":"c1"},"thoughtSignature":"Y2E="}"#,
            r#"call c2 = gemini {"functionCall":{"id":"c2"}}"#,
            r#"call e1 = gemini block {"executableCode":{"code":"1","id":"e1","language":"PYTHON"},"thoughtSignature":"ZXg="}"#,
            r#"result e1 = gemini block {"codeExecutionResult":{"id":"e1","outcome":"OUTCOME_OK","output":"1"}}"#,
            "text Done.",
            r#"block = gemini block {"text":"","thoughtSignature":"ZW1w"}"#,
        ],
    );
}

#[test]
fn steps_of_interactions() {
    let events = [
        r#"{"event_type":"interaction.created","interaction":{"id":"v1_a","status":"in_progress","object":"interaction","model":"gemini-3-pro"}}"#,
        r#"{"event_type":"step.start","index":0,"step":{"type":"thought"}}"#,
        r#"{"event_type":"step.delta","index":0,"delta":{"type":"thought_summary","content":{"type":"text","text":"Hm."}}}"#,
        r#"{"event_type":"step.delta","index":0,"delta":{"type":"thought_signature","signature":"dGg="}}"#,
        r#"{"event_type":"step.stop","index":0}"#,
        r#"{"event_type":"step.start","index":1,"step":{"type":"google_search_call","id":"t1","signature":""}}"#,
        r#"{"event_type":"step.delta","index":1,"delta":{"type":"google_search_call","signature":"c2ln","arguments":{"queries":["q"]}}}"#,
        r#"{"event_type":"step.stop","index":1}"#,
        r#"{"event_type":"step.start","index":2,"step":{"type":"google_search_result","call_id":"t1","signature":""}}"#,
        r#"{"event_type":"step.delta","index":2,"delta":{"type":"google_search_result","signature":"cmVz","is_error":false,"result":[{"search_suggestions":"s"}]}}"#,
        r#"{"event_type":"step.stop","index":2}"#,
        r#"{"event_type":"step.start","index":3,"step":{"type":"model_output"}}"#,
        r#"{"event_type":"step.delta","index":3,"delta":{"type":"text","text":"Hi"}}"#,
        r#"{"event_type":"step.stop","index":3}"#,
        r#"{"event_type":"step.start","index":4,"step":{"type":"function_call","id":"c1","name":"f","signature":"Y2E=","arguments":{}}}"#,
        r#"{"event_type":"step.delta","index":4,"delta":{"type":"arguments_delta","arguments":"{\"a\":1}"}}"#,
        r#"{"event_type":"step.stop","index":4}"#,
        r#"{"event_type":"interaction.completed","interaction":{"id":"v1_a","status":"requires_action","object":"interaction","model":"gemini-3-pro"}}"#,
    ];
    let stream = named(&events) + "event: done\ndata: [DONE]\n\n";
    check(
        Interactions,
        &stream,
        &[
            r#"reasoning Hm. = interactions {"signature":"dGg="}"#,
            r#"call t1 = interactions block {"arguments":{"queries":["q"]},"id":"t1","signature":"c2ln","type":"google_search_call"}"#,
            r#"result t1 = interactions block {"call_id":"t1","is_error":false,"result":[{"search_suggestions":"s"}],"signature":"cmVz","type":"google_search_result"}"#,
            "text Hi",
            r#"call c1 = interactions {"signature":"Y2E="}"#,
        ],
    );
}

/// A result that has failed has no message of its own before it is known.
#[test]
fn a_failed_result_of_gemini_in_a2a() {
    let part = |part: &str| {
        format!(
            r#"{{"candidates":[{{"content":{{"role":"model","parts":[{part}]}},"index":0}}],"responseId":"r"}}"#
        )
    };
    let failed = r#"{"codeExecutionResult":{"id":"e1","outcome":"OUTCOME_FAILED","output":"no"}}"#;
    let stream = unnamed(&[
        &part(r#"{"executableCode":{"id":"e1","language":"PYTHON","code":"x"}}"#),
        &part(failed),
        r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"It failed."}]},"finishReason":"STOP","index":0}],"responseId":"r"}"#,
    ]);
    let (out, losses) = super::convert(Gemini, A2a, &stream);
    assert_eq!(losses.count("opaque"), 0, "{}", losses.to_json());
    assert_eq!(
        super::client::carried(A2a, &out),
        [
            r#"call e1 = gemini block {"executableCode":{"code":"x","id":"e1","language":"PYTHON"}}"#,
            &format!("result e1 = gemini block {failed}"),
            "text It failed.",
        ]
    );
    let difference = super::next_request::difference(Gemini, &stream, A2a, &out);
    assert_eq!(difference, None);
}

#[test]
fn details_and_extra_content_of_chat() {
    let chunk = |delta: &str, finish: &str| {
        format!(
            r#"{{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{{"index":0,"delta":{delta},"finish_reason":{finish}}}]}}"#
        )
    };
    let chunks = [
        chunk(r#"{"role":"assistant","content":""}"#, "null"),
        chunk(
            r#"{"reasoning":"Hm, ","reasoning_details":[{"type":"reasoning.text","text":"Hm, ","index":0}]}"#,
            "null",
        ),
        chunk(
            r#"{"reasoning":"so.","reasoning_details":[{"type":"reasoning.text","text":"so.","index":0}]}"#,
            "null",
        ),
        chunk(
            r#"{"reasoning_details":[{"type":"reasoning.text","signature":"c2ln","index":0}]}"#,
            "null",
        ),
        chunk(
            r#"{"reasoning_details":[{"type":"reasoning.encrypted","data":"ZW5j","id":"c1","index":0}]}"#,
            "null",
        ),
        chunk(
            r#"{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"f","arguments":""},"extra_content":{"google":{"thought_signature":"czE="}}}]}"#,
            "null",
        ),
        chunk(r#"{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]}"#, "null"),
        chunk(
            r#"{"tool_calls":[{"index":1,"id":"c2","type":"function","function":{"name":"f","arguments":"{}"}}]}"#,
            "null",
        ),
        chunk("{}", r#""tool_calls""#),
    ];
    let stream = unnamed(&chunks.each_ref().map(|chunk| &**chunk)) + "data: [DONE]\n\n";
    check(
        Chat,
        &stream,
        &[
            // The pieces of a text are one detail, as in the official client.
            r#"reasoning Hm, so. = chat {"reasoning_details":[{"index":0,"signature":"c2ln","text":"Hm, so.","type":"reasoning.text"},{"data":"ZW5j","id":"c1","index":0,"type":"reasoning.encrypted"}]}"#,
            r#"call c1 = chat {"extra_content":{"google":{"thought_signature":"czE="}}}"#,
            "call c2",
        ],
    );
    // Of a message, and encrypted reasoning alone.
    let chunks = [
        chunk(
            r#"{"role":"assistant","content":"","reasoning_details":[{"type":"reasoning.encrypted","data":"ZW5j","index":0}]}"#,
            "null",
        ),
        chunk(r#"{"content":"Hi."}"#, "null"),
        chunk(
            r#"{"content":"","extra_content":{"google":{"thought_signature":"czE="}}}"#,
            r#""stop""#,
        ),
    ];
    let stream = unnamed(&chunks.each_ref().map(|chunk| &**chunk)) + "data: [DONE]\n\n";
    check(
        Chat,
        &stream,
        &[
            r#"reasoning  = chat {"reasoning_details":[{"data":"ZW5j","index":0,"type":"reasoning.encrypted"}]}"#,
            "text Hi.",
            r#"block = chat block {"extra_content":{"google":{"thought_signature":"czE="}}}"#,
        ],
    );
}

#[test]
fn items_of_responses() {
    let reasoning = r#"{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"Hm."}],"encrypted_content":"ZW5j"}"#;
    let search = r#"{"id":"ws_1","type":"web_search_call","status":"completed","action":{"type":"search","query":"x"}}"#;
    let message = r#"{"id":"msg_1","type":"message","status":"completed","role":"assistant","phase":"commentary","content":[{"type":"output_text","text":"Hi.","annotations":[],"logprobs":[]}]}"#;
    let call = r#"{"id":"fc_1","type":"function_call","status":"completed","call_id":"c1","name":"f","arguments":"{}","namespace":"n"}"#;
    let compaction = r#"{"id":"cmp_1","type":"compaction","encrypted_content":"Y29t"}"#;
    let done = |at: u32, item: &str| {
        format!(r#"{{"type":"response.output_item.done","output_index":{at},"item":{item}}}"#)
    };
    let items = [reasoning, search, message, call, compaction];
    let output = items.join(",");
    let events = [
        r#"{"type":"response.created","response":{"id":"resp_1","object":"response","created_at":1,"status":"in_progress","output":[]}}"#.to_owned(),
        done(0, reasoning),
        done(1, search),
        done(2, message),
        done(3, call),
        done(4, compaction),
        format!(r#"{{"type":"response.completed","response":{{"id":"resp_1","object":"response","created_at":1,"status":"completed","output":[{output}]}}}}"#),
    ];
    let numbered: Vec<String> = events
        .iter()
        .enumerate()
        .map(|(at, event)| {
            format!(r#"{},"sequence_number":{at}}}"#, event.strip_suffix('}').expect("an object"))
        })
        .collect();
    let stream = named(&numbered.iter().map(String::as_str).collect::<Vec<_>>());
    let expected = [
        r#"reasoning Hm. = responses {"encrypted_content":"ZW5j","id":"rs_1","summary":[{"text":"Hm.","type":"summary_text"}],"type":"reasoning"}"#,
        r#"call ws_1 = responses block {"action":{"query":"x","type":"search"},"id":"ws_1","status":"completed","type":"web_search_call"}"#,
        r#"text Hi. = responses {"message":{"id":"msg_1","phase":"commentary"}}"#,
        r#"call c1 = responses {"id":"fc_1","namespace":"n"}"#,
        r#"block = responses block {"encrypted_content":"Y29t","id":"cmp_1","type":"compaction"}"#,
    ];
    use agentwire::ProtocolKind::{AgUi, AgentApi, AiSdk};
    for to in [AgUi, AiSdk, AgentApi, A2a] {
        let (out, losses) = super::convert(Responses, to, &stream);
        assert_eq!(
            super::client::carried(to, &out),
            expected,
            "{to:?}: {}\n{out}",
            losses.to_json()
        );
        assert_eq!(super::next_request::difference(Responses, &stream, to, &out), None, "{to:?}");
        // Back in their own protocol, they are items as they were.
        let (again, losses) = super::convert(to, Responses, &out);
        for item in [reasoning, compaction] {
            let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
            let known = value(item)["encrypted_content"].clone();
            assert!(again.contains(&known.to_string()), "{to:?}: {}\n{again}", losses.to_json());
        }
    }
    let (out, losses) = super::convert(Responses, Responses, &stream);
    let last: serde_json::Value = out
        .lines()
        .rev()
        .find_map(|line| serde_json::from_str(line.strip_prefix("data: ")?).ok())
        .expect("the response");
    let expected: serde_json::Value = serde_json::from_str(&format!("[{output}]")).expect("JSON");
    let (written, expected) = (
        last["response"]["output"].as_array().expect("a list"),
        expected.as_array().expect("a list"),
    );
    for (written, expected) in written.iter().zip(expected) {
        for (name, value) in expected.as_object().expect("an object") {
            assert_eq!(&written[name], value, "{written} {}", losses.to_json());
        }
    }
}
