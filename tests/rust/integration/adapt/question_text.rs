//! The text of a question in every protocol: what clients show, and what returns to the hub.

use agentwire::ProtocolKind;
use agentwire::ProtocolKind::{A2a, AgKit, AgUi, AgentApi, AiSdk, Responses};
use agentwire::convert::{ConversionSide, Converter};
use agentwire::hub::Losses;
use agentwire::json::Value;

use super::facts::options;

const TEXT: &str = "Really?";

/// Payloads that are not calls, with those that look like a payload to which a text was added.
const PAYLOADS: &[&str] = &[
    "null",
    "5",
    r#""why?""#,
    "[1,{}]",
    "true",
    r#"{"n":3}"#,
    r#"{"payload":5}"#,
    r#"{"payload":{"payload":null}}"#,
    r#"{"payload":5,"n":3}"#,
    r#"{"text":"another"}"#,
    r#"{"text":5,"n":3}"#,
    r#"{"text":"another","payload":5}"#,
    r#"{"text":{"payload":5}}"#,
];

fn convert(from: ConversionSide, to: ConversionSide, stream: &str) -> (String, Losses) {
    let mut converter = Converter::new(from, to, options()).expect("both are there");
    let mut out = String::new();
    converter.push(stream.as_bytes(), &mut out);
    converter.finish(&mut out);
    (out, converter.losses().expect("a source").clone())
}

/// Returns a run that asks, as lines of steps. `more` are further members of the question.
fn asking(payload: &str, more: &str) -> String {
    [
        r#"{"type":"start","id":"r","sessionId":"s"}"#,
        r#"{"type":"open","message":1,"messageType":"interrupt","role":"assistant"}"#,
        &format!(r#"{{"type":"interrupt","message":1,"part":0,"id":"i","reason":"confirmation","payload":{payload}{more}}}"#),
        r#"{"type":"close","message":1,"status":"completed"}"#,
        r#"{"type":"end","status":"incomplete","reason":"interrupt"}"#,
    ]
    .join("\n")
}

fn with_text() -> String {
    format!(r#","text":"{TEXT}""#)
}

/// Returns the only question of lines of steps.
fn question(lines: &str) -> Value {
    let questions: Vec<_> =
        lines.lines().filter(|line| line.contains(r#""type":"interrupt""#)).collect();
    let [question] = questions[..] else { panic!("one question in {lines}") };
    Value::parse(question, 128).expect("a step")
}

/// Returns the question that was written in a protocol, and the question after a round trip through
/// it.
fn trip(run: &str, by: ProtocolKind) -> (String, Value, Losses) {
    let (there, losses) = convert(ConversionSide::Steps, ConversionSide::Protocol(by), run);
    let (back, _) = convert(ConversionSide::Protocol(by), ConversionSide::Steps, &there);
    (there, question(&back), losses)
}

fn text<'q>(question: &'q Value, name: &str) -> Option<&'q str> {
    question.get(name).and_then(Value::as_str)
}

fn json(question: &Value, name: &str) -> String {
    question.get(name).map_or("null".into(), Value::to_json)
}

#[test]
fn a_text_round_trips_through_every_protocol_and_the_payload_with_it() {
    for by in [A2a, AgUi, AgentApi, AiSdk, Responses] {
        for payload in PAYLOADS {
            let (there, question, losses) = trip(&asking(payload, &with_text()), by);
            assert_eq!(text(&question, "text"), Some(TEXT), "{payload}: {there}");
            assert_eq!(json(&question, "payload"), *payload, "{there}");
            // Responses has no reason.
            let lost = u64::from(by == Responses);
            assert_eq!(losses.count("interrupt-members"), lost, "{payload}: {}", losses.to_json());
            assert_eq!(
                text(&question, "reason"),
                Some("confirmation").filter(|_| lost == 0),
                "{there}"
            );
        }
    }
}

/// The first trip adds the text to the payload, and others change nothing.
#[test]
fn a_text_is_a_member_of_the_payload_in_ag_kit() {
    for (payload, written) in [
        ("null", r#"{"text":"Really?"}"#),
        (r#"{"n":3}"#, r#"{"n":3,"text":"Really?"}"#),
        ("5", r#"{"text":"Really?","payload":5}"#),
        ("[1,{}]", r#"{"text":"Really?","payload":[1,{}]}"#),
        (r#"{"text":"another"}"#, r#"{"text":"Really?","payload":{"text":"another"}}"#),
        (r#"{"text":"Really?","n":3}"#, r#"{"text":"Really?","n":3}"#),
        (r#"{"name":"rm","arguments":"{}"}"#, r#"{"name":"rm","arguments":"{}","text":"Really?"}"#),
    ] {
        let (there, question, losses) = trip(&asking(payload, &with_text()), AgKit);
        assert!(there.contains(&format!(r#""payload":{written}}}"#)), "{there}");
        assert_eq!(
            (text(&question, "text"), json(&question, "payload")),
            (Some(TEXT), written.to_owned())
        );
        assert_eq!(losses.count("interrupt-members"), 0, "{}", losses.to_json());
        for by in [A2a, AgKit, AgUi, AgentApi, AiSdk, Responses] {
            let (_, again, _) = trip(&asking(written, &with_text()), by);
            let is_call = by == AiSdk && written.contains("rm");
            assert_eq!(text(&again, "text"), Some(TEXT), "{written} by {}", by.as_str());
            assert!(
                is_call
                    || by == Responses && written.contains("rm")
                    || json(&again, "payload") == written,
                "{}",
                again.to_json()
            );
        }
    }
}

/// The text of a payload is that of the question for clients, and remains in the payload.
#[test]
fn a_text_that_a_payload_has_is_not_removed() {
    for payload in
        [r#"{"text":"Own?"}"#, r#"{"n":3,"text":"Own?"}"#, r#"{"text":"Own?","payload":5}"#]
    {
        for by in [A2a, AgKit, AgUi, AgentApi, AiSdk, Responses] {
            let (there, question, _) = trip(&asking(payload, ""), by);
            assert_eq!(json(&question, "payload"), payload, "{there}");
            let is_copied = matches!(by, AgKit | AiSdk | Responses);
            assert_eq!(text(&question, "text"), Some("Own?").filter(|_| is_copied), "{there}");
            let (again, same, _) = trip(&asking(payload, r#","text":"Own?""#), by);
            assert_eq!(
                (json(&same, "payload"), text(&same, "text")),
                (payload.to_owned(), Some("Own?")),
                "{again}"
            );
        }
    }
}

#[test]
fn responses_have_the_text_beside_the_arguments() {
    for (payload, item) in [
        (
            r#"{"n":3}"#,
            r#""name":"interrupt","arguments":"{\"n\":3,\"text\":\"Really?\"}","server_label":"agent","text":"Really?""#,
        ),
        (
            "null",
            r#""name":"interrupt","arguments":"{\"text\":\"Really?\"}","server_label":"agent","text":"Really?""#,
        ),
        (
            "5",
            r#""name":"interrupt","arguments":"{\"text\":\"Really?\",\"payload\":5}","server_label":"agent","text":"Really?""#,
        ),
        // The arguments of a tool are its own.
        (
            r#"{"name":"rm","arguments":"{\"path\": \"/\"}","server_label":"fs"}"#,
            r#""name":"rm","arguments":"{\"path\": \"/\"}","server_label":"fs","text":"Really?""#,
        ),
        (
            r#"{"text":"Really?"}"#,
            r#""name":"interrupt","arguments":"{\"text\":\"Really?\"}","server_label":"agent"}"#,
        ),
    ] {
        let (there, question, _) = trip(&asking(payload, &with_text()), Responses);
        assert!(there.contains(item), "{payload}: {there}");
        assert_eq!(
            (text(&question, "text"), json(&question, "payload")),
            (Some(TEXT), payload.to_owned())
        );
    }
}

/// A text of another server, or of none, and the name of the default tool.
#[test]
fn only_an_added_text_is_removed_from_arguments() {
    let items = [
        (
            r#""name":"interrupt","server_label":"agent","arguments":"{\"n\":3,\"text\":\"a\"}""#,
            Some("a"),
            r#"{"n":3,"text":"a"}"#,
        ),
        (
            r#""name":"interrupt","server_label":"agent","arguments":"{\"n\":3,\"text\":\"a\"}","text":"b""#,
            Some("b"),
            r#"{"n":3,"text":"a"}"#,
        ),
        (
            r#""name":"interrupt","server_label":"agent","arguments":"{\"n\":3,\"text\":\"a\"}","text":5"#,
            Some("a"),
            r#"{"n":3,"text":"a"}"#,
        ),
        (
            r#""name":"interrupt","server_label":"fs","arguments":"{\"text\":\"a\"}","text":"a""#,
            Some("a"),
            r#"{"name":"interrupt","arguments":"{\"text\":\"a\"}","server_label":"fs"}"#,
        ),
        (
            r#""name":"rm","server_label":"fs","arguments":"{\"text\":\"a\"}""#,
            None,
            r#"{"name":"rm","arguments":"{\"text\":\"a\"}","server_label":"fs"}"#,
        ),
    ];
    for (members, said, payload) in items {
        let item = format!(r#"{{"type":"mcp_approval_request","id":"i",{members}}}"#);
        let head = r#"{"type":"response.created","sequence_number":0,"response":{"id":"r","object":"response","status":"in_progress","output":[]}}"#;
        let end = format!(
            r#"{{"type":"response.completed","sequence_number":1,"response":{{"id":"r","object":"response","status":"completed","output":[{item}]}}}}"#
        );
        let stream = format!(
            "event: response.created\ndata: {head}\n\nevent: response.completed\ndata: {end}\n\n"
        );
        let (lines, _) =
            convert(ConversionSide::Protocol(Responses), ConversionSide::Steps, &stream);
        let question = question(&lines);
        assert_eq!(
            (text(&question, "text"), &*json(&question, "payload")),
            (said, payload),
            "{members}"
        );
    }
}

#[test]
fn the_ai_sdk_shows_the_text_as_the_reason_and_keeps_the_rest_in_the_description() {
    let more = r#","text":"Really?","expiresAt":"z","responseSchema":{"type":"object"}"#;
    let (there, question, losses) = trip(&asking(r#"{"n":3}"#, more), AiSdk);
    assert!(
        there.contains(r#""toolName":"interrupt","input":{"n":3,"text":"Really?"}"#),
        "{there}"
    );
    let chunk = r#"{"type":"tool-approval-request","approvalId":"i","toolCallId":"question_i","approvalDescriptor":{"reason":"confirmation","text":"Really?","expiresAt":"z","responseSchema":{"type":"object"}},"reason":"Really?"}"#;
    assert!(there.contains(chunk), "{there}");
    let wanted = r#"{"type":"interrupt","message":2,"part":0,"id":"i","reason":"confirmation","payload":{"n":3},"call":"question_i","text":"Really?","expiresAt":"z","responseSchema":{"type":"object"}}"#;
    assert_eq!(question.to_json(), wanted);
    assert_eq!(losses.count("interrupt-members"), 0, "{}", losses.to_json());

    // Another trip changes neither the chunk nor the call.
    let (steps, _) = convert(ConversionSide::Protocol(AiSdk), ConversionSide::Steps, &there);
    let (again, losses) = convert(ConversionSide::Steps, ConversionSide::Protocol(AiSdk), &steps);
    assert!(again.contains(chunk) && losses.is_empty(), "{again}");

    // Without a text, the reason is the reason.
    let (there, question, _) = trip(&asking("null", ""), AiSdk);
    assert!(there.contains(r#""toolCallId":"question_i","reason":"confirmation"}"#), "{there}");
    assert_eq!((text(&question, "reason"), text(&question, "text")), (Some("confirmation"), None));
}

#[test]
fn a_question_about_a_call_keeps_its_text_in_the_ai_sdk() {
    for (payload, back, lost) in [
        ("null", r#"{"name":"rm","arguments":"{\"path\":\"/\"}"}"#, 0),
        (
            r#"{"name":"rm","arguments":"{\"path\":\"/\"}"}"#,
            r#"{"name":"rm","arguments":"{\"path\":\"/\"}"}"#,
            0,
        ),
        (r#"{"n":3}"#, r#"{"n":3}"#, 0),
        (r#"{"name":"cp","arguments":"{}"}"#, r#"{"name":"rm","arguments":"{\"path\":\"/\"}"}"#, 1),
    ] {
        let call = [
            r#"{"type":"open","message":0,"messageType":"function_call","role":"assistant"}"#,
            r#"{"type":"call","message":0,"part":0,"id":"c","name":"rm"}"#,
            r#"{"type":"arguments","message":0,"part":0,"piece":"{\"path\":\"/\"}"}"#,
            r#"{"type":"end-part","message":0,"part":0,"whole":true}"#,
            r#"{"type":"close","message":0,"status":"completed"}"#,
            r#"{"type":"open","message":1"#,
        ];
        let run = asking(payload, r#","call":"c","text":"Really?""#);
        let run = run.replace(r#"{"type":"open","message":1"#, &call.join("\n"));
        let (there, question, losses) = trip(&run, AiSdk);
        assert!(there.contains(r#""approvalId":"i","toolCallId":"c","approvalDescriptor":{"reason":"confirmation","text":"Really?""#), "{there}");
        assert!(there.contains(r#""input":{"path":"/"}"#), "{there}");
        assert_eq!(
            (text(&question, "text"), text(&question, "reason")),
            (Some(TEXT), Some("confirmation"))
        );
        assert_eq!(json(&question, "payload"), back);
        assert_eq!(losses.count("interrupt-members"), lost, "{}", losses.to_json());
    }
}

/// A payload that AG-Kit cannot have is omitted, and its text is not.
#[test]
fn a_text_remains_without_a_payload_that_is_too_deep() {
    let deep = ["[".repeat(127), "]".repeat(127)].concat();
    let (there, question, losses) = trip(&asking(&deep, &with_text()), AgKit);
    assert!(there.contains(r#""payload":{"text":"Really?"}"#) && !losses.is_empty(), "{there}");
    assert_eq!(text(&question, "text"), Some(TEXT));
}
