//! Requests: read leniently, refused as the server refuses, written strictly.

use agentwire::ag_kit::request::{AssistantToolCall, InputMessage, Resume, SendMessageInput, Tool};
use agentwire::ag_kit::{AgKit, Snapshot};
use agentwire::builder::Counter;
use agentwire::json::Value;
use agentwire::request::InvalidRequest;
use agentwire::{Limits, Reader};
use agentwire_cases::{Kind, one, select};

fn parse(body: &str) -> SendMessageInput {
    SendMessageInput::parse(body).unwrap_or_else(|error| panic!("{body}: {error}"))
}

fn refused(body: &str) -> InvalidRequest {
    SendMessageInput::parse(body).expect_err(body)
}

/// The requests of the recorded streams, all of which the server accepted.
#[test]
fn recorded_requests_round_trip() {
    let mut seen = 0;
    for case in select("ag-kit", Kind::Read) {
        let native = case.about["http"]["path"] == "/send-message";
        let Some(request) = case.find("request.json").filter(|_| native) else { continue };
        seen += 1;
        let request = Value::parse(&request, 64).expect("JSON").to_json();
        let input = parse(&request);
        assert!(input.validate().is_empty(), "{case}");
        assert_eq!(input.to_json().unwrap(), request, "{case}");
    }
    assert!(seen >= 9, "{seen}");
}

#[test]
fn recorded_rejections_are_written_byte_for_byte() {
    let recorded = |name: &str| one("ag-kit", name).text("reply.json").trim_end().to_owned();
    let missing = refused(r#"{"messages":[{"role":"user","content":"hi"}]}"#);
    assert_eq!(missing.status(), 422);
    assert_eq!(missing.detail(), recorded("k14_missing_conversation_id"));
    // Any payload is accepted; `InvalidRequest::of` refuses it as the server does.
    let input = parse(r#"{"conversationId":"c","resume":{"interruptId":"i","payload":{"a":1}}}"#);
    let strict = InvalidRequest::of(input.validate()).expect("a problem");
    assert_eq!(strict.detail(), recorded("k15_resume_payload_object"));
    assert!(InvalidRequest::of(parse(r#"{"conversationId":"c"}"#).validate()).is_none());
}

#[test]
fn both_spellings_nulls_and_parts_are_parsed() {
    let input = parse(
        r#"{"conversation_id":"c","tools":null,"resume":null,"more":1,"messages":[
            {"role":"system","content":"s"},
            {"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]},
            {"role":"tool","content":"r","tool_call_id":"snake","toolCallId":"t"},
            {"role":"assistant","content":null,"toolCalls":null},
            {"role":"assistant","id":"m","content":"x","tool_calls":[{"id":"t","type":"function","function":{"name":"f","arguments":"{}"}}]}
        ]}"#,
    );
    let calls = vec![AssistantToolCall::new("t", "f", "{}")];
    assert_eq!(
        input.messages,
        [
            InputMessage::System { content: "s".into() },
            InputMessage::User { content: "ab".into() },
            InputMessage::Tool { content: "r".into(), tool_call_id: "t".into() },
            InputMessage::Assistant { id: None, content: None, tool_calls: vec![] },
            InputMessage::Assistant {
                id: Some("m".into()),
                content: Some("x".into()),
                tool_calls: calls
            },
        ]
    );
    assert_eq!((input.conversation_id.as_str(), input.tools.len(), input.resume), ("c", 0, None));
    let absent = parse(r#"{"conversationId":"","messages":null}"#);
    assert_eq!((absent.conversation_id.as_str(), absent.messages.len()), ("", 0));
}

#[test]
fn every_problem_is_reported_with_its_path() {
    let error = refused(
        r#"{"conversationId":5,"messages":[{"role":"critic","content":""},{"content":"x"},7,{"role":"tool","content":null},
            {"role":"user","content":[{"type":"image"}]},{"role":"assistant","toolCalls":[{"id":"t","function":{"name":"f"}}]}],
            "tools":[{"name":"f"}],"resume":{"payload":1}}"#,
    );
    let shown: Vec<(String, &str)> =
        error.problems().iter().map(|p| (p.path(), p.code())).collect();
    let expected = [
        ("body.conversationId", "string_type"),
        ("body.messages.0.role", "literal_error"),
        ("body.messages.1.role", "missing"),
        ("body.messages.2", "model_attributes_type"),
        ("body.messages.3.content", "string_type"),
        ("body.messages.3.toolCallId", "missing"),
        ("body.messages.4.content", "string_type"),
        ("body.messages.5.toolCalls.0.function.arguments", "missing"),
        ("body.tools.0.description", "missing"),
        ("body.tools.0.parameters", "missing"),
        ("body.resume.interruptId", "missing"),
    ];
    assert_eq!(shown, expected.map(|(path, code)| (path.to_owned(), code)));
    assert!(
        error.to_string().starts_with("body.conversationId: Input should be a valid string; "),
        "{error}"
    );

    let shown = |body: &str| refused(body).detail();
    assert_eq!(
        shown(""),
        r#"{"detail":[{"type":"missing","loc":["body"],"msg":"Field required","input":null}]}"#
    );
    assert!(
        shown("[]").starts_with(r#"{"detail":[{"type":"model_attributes_type","loc":["body"],"#)
    );
    assert!(
        shown("{\"a\":}").starts_with(r#"{"detail":[{"type":"json_invalid","loc":["body",5],"#)
    );
    let mut limits = Limits::default();
    limits.event_bytes = 3;
    let long = SendMessageInput::parse_within("{}  ", &limits).expect_err("too long");
    assert_eq!((long.status(), long.problems()[0].code()), (413, "body_too_long"));
}

/// K14: the requests of a client.
#[test]
fn written_requests_are_strict() {
    let mut input = parse(
        r#"{"conversation_id":"c","tools":[{"name":"f","description":"d","parameters":{"type": "object"}},
            {"name":"g","description":"d","parameters":"{\"type\": \"object\"}"}],
            "resume":{"interrupt_id":"i","payload":{"ok": true}},"messages":[{"role":"assistant","content":null}]}"#,
    );
    assert_eq!(input.to_json().unwrap_err().code, "message-without-id");
    let validated: Vec<String> = input.validate().iter().map(|problem| problem.path()).collect();
    assert_eq!(validated, ["body.messages.0.id", "body.resume.payload"]);
    input.messages.iter_mut().for_each(|message| message.identify(&mut Counter::default()));
    let written = input.to_json().unwrap();
    assert_eq!(
        written,
        r#"{"messages":[{"role":"assistant","id":"msg_1"}],"tools":[{"name":"f","description":"d","parameters":"{\"type\":\"object\"}"},{"name":"g","description":"d","parameters":"{\"type\": \"object\"}"}],"resume":{"interruptId":"i","payload":"{\"ok\":true}"},"conversationId":"c"}"#
    );
    assert!(parse(&written).validate().is_empty());

    let tool = |parameters: Value| {
        let mut input = SendMessageInput::user("c", "x");
        input.tools.push(Tool::new("f", "d", parameters));
        input.to_json().map_err(|misuse| misuse.code)
    };
    assert_eq!(tool("not JSON".into()), Err("parameters-not-json"));
    assert_eq!(tool(Value::Number("1.".into())), Err("not-a-number"));
    assert!(tool("{}".into()).is_ok());
}

/// The official client sends `JSON.stringify(answer)`; others send the text itself, or any JSON.
#[test]
fn interrupt_answers_are_written_as_json_text_and_parsed_in_every_form() {
    let written = |answer: Value| {
        let mut input = SendMessageInput::new("c", vec![]);
        input.resume = Some(Resume::new("i", answer));
        input.to_json().unwrap()
    };
    let body = |payload: &str| {
        format!(
            r#"{{"messages":[],"resume":{{"interruptId":"i","payload":{payload}}},"conversationId":"c"}}"#
        )
    };
    for (answer, text) in [
        ("yes".into(), r#""\"yes\"""#),
        ("true".into(), r#""\"true\"""#),
        ("".into(), r#""\"\"""#),
        (r#"{"a":1}"#.into(), r#""\"{\\\"a\\\":1}\"""#),
        (true.into(), r#""true""#),
        (Value::Null, r#""null""#),
        (Value::from([("ok", true.into())]), r#""{\"ok\":true}""#),
    ] {
        let answer: Value = answer;
        assert_eq!(written(answer.clone()), body(text));
        let read = parse(&body(text));
        assert_eq!(read.resume.as_ref().unwrap().answer(), answer);
        assert_eq!(read.to_json().unwrap(), body(text));
    }
    for (payload, answer) in
        [(r#""yes""#, r#""yes""#), ("true", "true"), (r#"{"a":[1]}"#, r#"{"a":[1]}"#)]
    {
        let read = parse(&body(payload));
        assert_eq!(read.resume.as_ref().unwrap().answer().to_json(), answer);
        assert_eq!(read.to_json().unwrap(), body(&Value::from(answer).to_json()));
    }
    // JSON text that nests too deep to be read is still JSON text.
    let deep = "[".repeat(200) + &"]".repeat(200);
    assert_eq!(
        parse(&body(&format!("\"{deep}\""))).to_json().unwrap(),
        body(&format!("\"{deep}\""))
    );
    let mut input = SendMessageInput::new("c", vec![]);
    input.resume = Some(Resume::new("i", Value::Number("1.".into())));
    assert_eq!(input.to_json().unwrap_err().code, "not-a-number");
}

fn turn(case: &str) -> Snapshot {
    let mut reader = Reader::new(AgKit::default());
    reader.push(&one("ag-kit", case).stream());
    reader.finish().snapshot
}

/// K15, with the turn and the follow-up that were recorded (k03, k04).
#[test]
fn tool_answers_writes_one_message_per_pending_call() {
    let turn = turn("k03_client_tool_call");
    let answers = |answers: &[(&str, &str)]| {
        SendMessageInput::tool_answers(
            "2da2146d-9e7e-41f3-9515-b70557e4430c",
            &turn,
            answers.iter().copied(),
        )
    };
    let next = answers(&[("a_b_c", "Background color successfully changed to: blue")]).unwrap();
    let recorded = one("ag-kit", "k04_client_tool_result_followup").text("request.json");
    assert_eq!(next.to_json().unwrap(), Value::parse(&recorded, 64).expect("JSON").to_json());

    let code = |given: &[(&str, &str)]| answers(given).unwrap_err().code;
    assert_eq!(code(&[]), "answer-missing");
    assert_eq!(code(&[("a_b_c", "1"), ("a_b_c", "2")]), "answered-twice");
    assert_eq!(code(&[("a_b_c", "1"), ("other", "2")]), "not-pending");
    let nothing =
        SendMessageInput::tool_answers("c", &Snapshot::default(), [("x", "y"); 0]).unwrap_err();
    assert_eq!(nothing.code, "nothing-pending");
}

/// K17: without tools in the request, no call is left to the client.
#[test]
fn a_request_configures_the_reader_of_its_stream() {
    let mut request = SendMessageInput::user("c", "x");
    assert_eq!(request.protocol().client_tools.as_deref(), Some(&[][..]));
    request.tools.push(Tool::new("change-background-color", "d", "{}".into()));
    let mut reader = Reader::new(request.protocol());
    reader.push(&one("ag-kit", "k03_client_tool_call").stream());
    assert_eq!(reader.finish().snapshot.pending_tool_call_ids, ["a_b_c"]);
}

/// Damage: every prefix of a request, and every byte of it replaced by an unexpected one.
#[test]
fn no_body_panics() {
    let body = r#"{"conversationId":"c","messages":[{"role":"user","content":[{"text":"\u00e9\ud83d"}]},{"role":"tool",
        "content":"r","tool_call_id":"t"},{"role":"assistant","id":"m","toolCalls":[{"id":"t","function":{"name":"f",
        "arguments":"{}"}}]}],"tools":[{"name":"f","description":"d","parameters":{"a":[1.5e3]}}],
        "resume":{"interruptId":"i","payload":[null]}}"#;
    assert!(SendMessageInput::parse(body).is_ok());
    let look = |text: &str| match SendMessageInput::parse(text) {
        Ok(request) => drop((request.validate(), request.to_json())),
        Err(error) => {
            assert!(!error.problems().is_empty());
            assert!(Value::parse(&error.detail(), 200).is_ok(), "{}", error.detail());
        }
    };
    for end in 0..body.len() {
        look(&body[..end]);
        for odd in ["", "\"", "{", "[", "null", "1", "-", "\\", "\u{0}", "é", "e9999", "true"] {
            look(&format!("{}{odd}{}", &body[..end], &body[end + 1..]));
            look(&format!("{}{odd}{}", &body[..end], &body[end..]));
        }
    }
}
