//! Facts that a conversion must not change: the end of a run, the names of its calls, and that
//! nothing is repeated.

use agentwire::ProtocolKind::{self, A2a, AgKit, AgUi, AgentApi, Responses};
use agentwire::a2a::Dialect;
use agentwire::convert::Converter;

use super::facts::{Status, convert, options, read};

const ALL: [ProtocolKind; 5] = [AgentApi, AgKit, AgUi, Responses, A2a];

fn stream(events: &[&str]) -> String {
    events.iter().map(|event| format!("data: {event}\n\n")).collect()
}

/// Streams that end after the first words.
fn cut_off() -> [(ProtocolKind, String); 5] {
    [
        (
            AgentApi,
            stream(&[
                r#"{"object":"response","status":"created","id":"r"}"#,
                r#"{"object":"response","status":"in_progress","id":"r"}"#,
                r#"{"object":"message","status":"in_progress","id":"m","type":"message","role":"assistant"}"#,
                r#"{"object":"content","type":"text","msg_id":"m","index":0,"delta":true,"text":"Do not"}"#,
            ]),
        ),
        (AgKit, stream(&[r#"{"type":"text","content":"Do not"}"#])),
        (
            AgUi,
            stream(&[
                r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
                r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}"#,
                r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Do not"}"#,
            ]),
        ),
        (
            Responses,
            responses(&[
                r#"{"type":"response.output_text.delta","item_id":"m","output_index":0,"content_index":0,"delta":"Do not"}"#,
            ]),
        ),
        (
            A2a,
            stream(&[
                r#"{"jsonrpc":"2.0","id":1,"result":{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}}"#,
                r#"{"jsonrpc":"2.0","id":1,"result":{"artifactUpdate":{"taskId":"t","contextId":"c","artifact":{"artifactId":"a","parts":[{"text":"Do not"}]}}}}"#,
            ]),
        ),
    ]
}

/// A response with a message of one text, and these events.
fn responses(events: &[&str]) -> String {
    let begin = [
        r#"{"type":"response.created","response":{"id":"r","status":"in_progress","output":[]}}"#,
        r#"{"type":"response.output_item.added","output_index":0,"item":{"id":"m","type":"message","role":"assistant","content":[]}}"#,
        r#"{"type":"response.content_part.added","item_id":"m","output_index":0,"content_index":0,"part":{"type":"output_text","text":""}}"#,
    ];
    stream(&[&begin[..], events].concat())
}

#[test]
fn a_truncated_source_is_not_completed() {
    for (from, bytes) in cut_off() {
        for to in ALL {
            let mut converter =
                Converter::new(from, to, options()).expect("protocols that are converted");
            let mut out = String::new();
            converter.push(bytes.as_bytes(), &mut out);
            converter.cut_off(&mut out);
            assert_eq!(
                read(to, out.as_bytes()).0.status,
                Status::Otherwise,
                "{from:?} to {to:?}: {out}"
            );
            if to == A2a {
                assert!(
                    out.contains("TASK_STATE_FAILED") && out.contains(r#""incomplete":"eof""#),
                    "{out}"
                );
                assert_eq!(converter.losses().expect("the run has begun").count("status"), 1);
            }
        }
    }
}

#[test]
fn a_source_truncated_after_a_question_waits_for_input() {
    let item = r#"{"id":"q","type":"mcp_approval_request","name":"f","arguments":"{}","server_label":"s"}"#;
    let done = format!(r#"{{"type":"response.output_item.done","output_index":1,"item":{item}}}"#);
    let (out, losses) = convert(Responses, A2a, [responses(&[&done]).as_bytes()], false);
    assert!(
        out.contains("TASK_STATE_INPUT_REQUIRED") && out.contains(r#""incomplete":"eof""#),
        "{out}"
    );
    assert_eq!(losses.count("status"), 1);
    // The source may have had more questions.
    let (out, losses) = convert(A2a, AgUi, [out.as_bytes()], false);
    assert!(out.contains("RUN_ERROR") && losses.count("interrupt-hidden") == 1, "{out}");
}

#[test]
fn a_question_completes_a_response() {
    let asks = stream(&[
        r#"{"type":"text","content":"May I?"}"#,
        r#"{"type":"interrupt","id":"q","payload":{"a":1}}"#,
        "[DONE]",
    ]);
    let (out, _) = convert(AgKit, Responses, [asks.as_bytes()], false);
    let last = out.trim_end().lines().last().expect("an event");
    assert!(
        last.contains(r#""type":"response.completed""#) && last.contains("mcp_approval_request"),
        "{out}"
    );
    // The way back returns the questions.
    let (back, _) = convert(Responses, AgKit, [out.as_bytes()], false);
    assert_eq!(read(AgKit, back.as_bytes()).0, read(AgKit, asks.as_bytes()).0);
}

#[test]
fn a_message_that_only_a_snapshot_contains_is_written_and_earlier_turns_are_not() {
    let earlier = r#"{"id":"u0","role":"user","content":"Hi"},{"id":"a0","role":"assistant","content":"Hello"},{"id":"u1","role":"user","content":"?"}"#;
    let listed = stream(&[
        r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
        r#"{"type":"STEP_STARTED","stepName":"chat"}"#,
        &format!(
            r#"{{"type":"MESSAGES_SNAPSHOT","messages":[{earlier},{{"id":"a1","role":"assistant","content":"I look.","toolCalls":[{{"id":"c","type":"function","function":{{"name":"f","arguments":"{{}}"}}}}]}},{{"id":"t1","role":"tool","toolCallId":"c","content":"7"}},{{"id":"a2","role":"assistant","content":"Seven."}}]}}"#
        ),
        r#"{"type":"STEP_FINISHED","stepName":"chat"}"#,
        r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#,
    ]);
    for to in [AgentApi, AgKit, Responses, A2a] {
        let (out, losses) = convert(AgUi, to, [listed.as_bytes()], false);
        let facts = read(to, out.as_bytes()).0;
        assert_eq!(facts.text, "I look.Seven.", "{to:?}: {out}");
        assert_eq!(facts.calls, [("c".into(), "f".into(), "{}".into())], "{to:?}");
        assert_eq!(facts.results.get("c").map(String::as_str), Some("7"), "{to:?}");
        assert_eq!(losses.count("call-missing") + losses.count("result-repeated"), 0);
        // Another round trip: the list already contains it.
        let back = convert(to, AgUi, [out.as_bytes()], false).0;
        let again = read(AgUi, back.as_bytes()).0;
        let text = if to == AgentApi { "HiHello?I look.Seven." } else { "I look.Seven." };
        assert_eq!(again.text, text, "{to:?}: {back}");
        assert_eq!(again.calls.len(), 1);
    }
    let (out, _) = convert(AgUi, AgUi, [listed.as_bytes()], false);
    assert!(!out.contains("TEXT_MESSAGE_START"), "{out}");
}

#[test]
fn an_initial_snapshot_is_history_unless_nothing_follows() {
    let begin = [
        r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
        r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"a0","role":"assistant","content":"Before."}]}"#,
    ];
    let says = [
        r#"{"type":"TEXT_MESSAGE_START","messageId":"m"}"#,
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Now."}"#,
        r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#,
    ];
    let end = [r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#];
    for (says, expected) in [(&says[..], "Now."), (&[], "Before.")] {
        let (out, _) =
            convert(AgUi, AgKit, [stream(&[&begin[..], says, &end].concat()).as_bytes()], false);
        assert_eq!(read(AgKit, out.as_bytes()).0.text, expected);
    }
}

#[test]
fn a_call_gets_its_last_name_and_arguments() {
    let item = |name: &str, arguments: &str| {
        format!(
            r#"{{"id":"c","type":"mcp_call","name":"{name}","arguments":"{arguments}","server_label":"s"}}"#
        )
    };
    let events = |added: String, more: &[&str], done: String| {
        let mut events = vec![
            r#"{"type":"response.created","response":{"id":"r","status":"queued","output":[]}}"#
                .to_owned(),
            format!(r#"{{"type":"response.output_item.added","output_index":0,"item":{added}}}"#),
        ];
        events.extend(more.iter().map(|event| (*event).to_owned()));
        events.push(format!(
            r#"{{"type":"response.output_item.done","output_index":0,"item":{done}}}"#
        ));
        events.push(format!(
            r#"{{"type":"response.completed","response":{{"id":"r","status":"completed","output":[{done}]}}}}"#
        ));
        stream(&events.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let completed = r#"{"type":"response.mcp_call.completed","item_id":"c","output_index":0}"#;
    let placeholder = events(item("mcp_tool", "{}"), &[completed], item("maps", r#"{\"q\":1}"#));
    let delta = r#"{"type":"response.mcp_call_arguments.delta","item_id":"c","output_index":0,"delta":"{}"}"#;
    let renamed = events(item("mcp_tool", ""), &[delta], item("maps", "{}"));
    for to in ALL {
        let (out, losses) = convert(Responses, to, [placeholder.as_bytes()], false);
        let calls = read(to, out.as_bytes()).0.calls;
        assert_eq!(calls, [("c".into(), "maps".into(), r#"{"q":1}"#.into())], "{to:?}: {out}");
        assert_eq!(losses.count("call-renamed") + losses.count("arguments-replaced"), 0, "{to:?}");
        let (_, losses) = convert(Responses, to, [renamed.as_bytes()], false);
        assert_eq!(losses.count("call-renamed"), 1, "{to:?}: {}", losses.to_json());
    }
}

#[test]
fn the_last_event_of_an_artifact_contains_its_parts() {
    for text in [&["hi"][..], &["h", "i"]] {
        let pieces: Vec<String> =
            text.iter().map(|text| format!(r#"{{"type":"text","content":"{text}"}}"#)).collect();
        let events: Vec<&str> = pieces.iter().map(String::as_str).chain(["[DONE]"]).collect();
        let (out, _) = convert(AgKit, A2a, [stream(&events).as_bytes()], false);
        let last: Vec<&str> =
            out.lines().filter(|line| line.contains(r#""lastChunk":true"#)).collect();
        assert!(matches!(last[..], [last] if last.contains(r#""text":"hi""#)), "{out}");
        assert!(!out.contains(r#""parts":[]"#), "{out}");
    }
    // Both calls of a message are written.
    let call = |index: u32, id: &str| {
        format!(
            r#"{{"object":"content","type":"data","msg_id":"m","index":{index},"status":"completed","data":{{"call_id":"{id}","name":"f","arguments":"{{}}"}}}}"#
        )
    };
    let two = stream(&[
        r#"{"object":"message","status":"in_progress","id":"m","type":"function_call","role":"assistant"}"#,
        &call(0, "c"),
        &call(1, "d"),
        r#"{"object":"response","status":"completed"}"#,
    ]);
    let (out, _) = convert(AgentApi, A2a, [two.as_bytes()], false);
    assert_eq!(read(A2a, out.as_bytes()).0.calls.len(), 2, "{out}");
    // A call is one event.
    let call = stream(&[
        r#"{"type":"tool-call-start","toolCallId":"c","toolCallName":"f"}"#,
        r#"{"type":"tool-call-end","toolCallId":"c"}"#,
        r#"{"type":"tool-result","toolCallId":"c","result":"7"}"#,
        "[DONE]",
    ]);
    let (out, _) = convert(AgKit, A2a, [call.as_bytes()], false);
    let artifacts: Vec<&str> = out.lines().filter(|line| line.contains("artifactUpdate")).collect();
    assert_eq!(artifacts.len(), 2, "{out}");
    assert!(artifacts.iter().all(|line| line.contains(r#""lastChunk":true"#)), "{out}");
}

/// The official clients refuse events of more than 4 MiB.
#[test]
fn a_long_artifact_is_not_sent_once_more() {
    let piece = format!(r#"{{"type":"text","content":"{}"}}"#, "x".repeat(10_000));
    for (pieces, is_repeated) in [(50, true), (500, false)] {
        let events: Vec<&str> =
            std::iter::repeat_n(piece.as_str(), pieces).chain(["[DONE]"]).collect();
        let (out, losses) = convert(AgKit, A2a, [stream(&events).as_bytes()], false);
        let last =
            out.lines().find(|line| line.contains(r#""lastChunk":true"#)).expect("a last event");
        assert_eq!(last.len() > 10_000 * pieces, is_repeated, "{} bytes", last.len());
        assert_eq!(last.contains(r#""parts":[]"#), !is_repeated, "{} bytes", last.len());
        assert_eq!(read(A2a, out.as_bytes()).0.text.len(), 10_000 * pieces);
        assert!(losses.counts().is_empty(), "{}", losses.to_json());
    }
}

#[test]
fn a2a_is_written_in_the_requested_version() {
    let mut asked = options();
    asked.read.a2a.version = Some(Dialect::V0_3);
    asked.read.a2a.is_rest = true;
    let mut converter = Converter::new(AgKit, A2a, asked).expect("a supported pair");
    let mut out = String::new();
    converter.push(stream(&[r#"{"type":"text","content":"hi"}"#, "[DONE]"]).as_bytes(), &mut out);
    converter.finish(&mut out);
    assert!(out.contains(r#""kind":"artifact-update""#) || out.contains("TASK_STATE"), "{out}");
    assert!(!out.contains("jsonrpc"), "{out}");
    let mut asked = options();
    asked.read.a2a.version = Some(Dialect::V0_3);
    let mut converter = Converter::new(AgKit, A2a, asked).expect("a supported pair");
    out.clear();
    converter.push(stream(&[r#"{"type":"text","content":"hi"}"#, "[DONE]"]).as_bytes(), &mut out);
    converter.finish(&mut out);
    assert!(out.contains(r#""kind":"artifact-update""#) && !out.contains("TASK_STATE"), "{out}");
}

#[test]
fn deltas_that_repeat_the_text_are_written_once() {
    let delta = |text: &str| {
        format!(
            r#"{{"type":"response.output_text.delta","item_id":"m","output_index":0,"content_index":0,"delta":"{text}"}}"#
        )
    };
    let done = |text: &str| {
        format!(
            r#"{{"type":"response.output_text.done","item_id":"m","output_index":0,"content_index":0,"text":"{text}"}}"#
        )
    };
    let cases: &[(&[&str], Option<&str>, &str)] = &[
        (&["A", "AB"], Some("AB"), "AB"),
        (&["A", "AB", "ABC"], Some("ABC"), "ABC"),
        // The same deltas as further text.
        (&["A", "AB"], Some("AAB"), "AAB"),
        (&["A", "AB", "B"], Some("AABB"), "AABB"),
        (&["A", "AB"], None, "AAB"),
        (&["ha", "ha", "hah"], Some("hahahah"), "hahahah"),
    ];
    for (pieces, whole, expected) in cases {
        let mut events: Vec<String> = pieces.iter().map(|piece| delta(piece)).collect();
        events.extend(whole.map(done));
        let bytes = responses(&events.iter().map(String::as_str).collect::<Vec<_>>());
        for to in ALL {
            let (out, losses) = convert(Responses, to, [bytes.as_bytes()], false);
            assert_eq!(read(to, out.as_bytes()).0.text, *expected, "{pieces:?} to {to:?}: {out}");
            assert_eq!(losses.count("text-replaced"), 0, "{pieces:?} to {to:?}");
            let cut = convert(Responses, to, bytes.as_bytes().chunks(5), false);
            assert_eq!(cut.0, out, "{pieces:?} to {to:?}");
        }
    }
}

#[test]
fn a_task_that_requires_authorization_keeps_its_state() {
    let task = stream(&[
        r#"{"jsonrpc":"2.0","id":1,"result":{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_AUTH_REQUIRED","message":{"messageId":"q","role":"ROLE_AGENT","parts":[{"text":"Sign in."}]}}}}}"#,
    ]);
    for by in [AgentApi, AgKit, AgUi, A2a] {
        let there = convert(A2a, by, [task.as_bytes()], false).0;
        let back = convert(by, A2a, [there.as_bytes()], false).0;
        assert!(back.contains("TASK_STATE_AUTH_REQUIRED"), "by {by:?}: {back}");
    }
}

#[test]
fn the_end_status_round_trips_through_ag_ui() {
    for (reason, status) in [("max_output_tokens", "incomplete"), ("", "incomplete")] {
        let details =
            if reason.is_empty() { "null".into() } else { format!(r#"{{"reason":"{reason}"}}"#) };
        let end = format!(
            r#"{{"type":"response.incomplete","response":{{"id":"r","status":"incomplete","incomplete_details":{details},"output":[]}}}}"#
        );
        let there = convert(Responses, AgUi, [stream(&[&end]).as_bytes()], false).0;
        let back = convert(AgUi, Responses, [there.as_bytes()], false).0;
        assert!(back.contains(&format!(r#""type":"response.{status}""#)), "{back}");
        assert!(back.contains(reason), "{back}");
    }
    // The error of a run that was stopped has no equivalent.
    let end = r#"{"type":"response.incomplete","response":{"id":"r","status":"cancelled","error":{"code":"c","message":"Out of paper"},"output":[]}}"#;
    for to in ALL {
        let (out, losses) = convert(Responses, to, [stream(&[end]).as_bytes()], false);
        let is_lost = losses.count("error-message") > 0;
        assert!(is_lost != out.contains("Out of paper"), "{to:?}: {out} {}", losses.to_json());
    }
}
