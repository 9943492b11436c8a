//! Requests that cannot be served, and the responses to them.

use agentwire::Limits;
use agentwire::agent_api::request::{AgentRequest, RequestError, bare_error_frame};
use agentwire::json::Value;
use agentwire_cases::one;

fn refused(body: &str) -> RequestError {
    AgentRequest::parse(body).expect_err(body)
}

#[test]
fn recorded_error_frames_are_written_byte_for_byte() {
    let missing = refused(r#"{"session_id": "x"}"#);
    let recorded = one("agent-api", "44_bad_request_missing_input").text("stream.sse");
    assert_eq!(missing.to_sse(), recorded);
    let wrong = refused(r#"{"input": "你好"}"#);
    let recorded = one("agent-api", "45_bad_request_cjk_ascii_escaped").text("stream.sse");
    assert_eq!(wrong.to_sse(), recorded);
}

#[test]
fn error_frames_are_escaped_as_by_python() {
    let frame = bare_error_frame("a\"\\/\n\r\t\u{8}\u{c}\u{0}\u{1f}\u{7f}é你😀\u{2028} ~");
    assert_eq!(
        frame,
        "data: {\"error\": \"a\\\"\\\\/\\n\\r\\t\\b\\f\\u0000\\u001f\\u007f\\u00e9\\u4f60\\ud83d\\ude00\\u2028 ~\"}\n\n"
    );
    assert_eq!(bare_error_frame(""), "data: {\"error\": \"\"}\n\n");
}

#[test]
fn a_body_that_is_not_an_object_is_rejected_with_422() {
    // The response of the runtime (fastapi 0.163), except for the texts in `ctx` and its exact
    // position.
    let table = [
        (
            "",
            r#"{"detail":[{"type":"missing","loc":["body"],"msg":"Field required","input":null}]}"#,
        ),
        (
            "[]",
            r#"{"detail":[{"type":"dict_type","loc":["body"],"msg":"Input should be a valid dictionary","input":[]}]}"#,
        ),
        (
            "null",
            r#"{"detail":[{"type":"dict_type","loc":["body"],"msg":"Input should be a valid dictionary","input":null}]}"#,
        ),
        (
            "1.50",
            r#"{"detail":[{"type":"dict_type","loc":["body"],"msg":"Input should be a valid dictionary","input":1.50}]}"#,
        ),
        (
            r#""你""#,
            r#"{"detail":[{"type":"dict_type","loc":["body"],"msg":"Input should be a valid dictionary","input":"你"}]}"#,
        ),
        (
            r#"{"a":}"#,
            r#"{"detail":[{"type":"json_invalid","loc":["body",5],"msg":"JSON decode error","input":{},"ctx":{"error":"Unexpected character"}}]}"#,
        ),
        (
            r#"{"你":}"#,
            r#"{"detail":[{"type":"json_invalid","loc":["body",5],"msg":"JSON decode error","input":{},"ctx":{"error":"Unexpected character"}}]}"#,
        ),
        (
            r#"{"a":1}x"#,
            r#"{"detail":[{"type":"json_invalid","loc":["body",7],"msg":"JSON decode error","input":{},"ctx":{"error":"Extra data"}}]}"#,
        ),
        (
            "{",
            r#"{"detail":[{"type":"json_invalid","loc":["body",1],"msg":"JSON decode error","input":{},"ctx":{"error":"Unexpected end"}}]}"#,
        ),
        (
            "{\"a\":\"\n\"}",
            r#"{"detail":[{"type":"json_invalid","loc":["body",6],"msg":"JSON decode error","input":{},"ctx":{"error":"Invalid control character at"}}]}"#,
        ),
        (
            r#"{"a":"\q"}"#,
            r#"{"detail":[{"type":"json_invalid","loc":["body",6],"msg":"JSON decode error","input":{},"ctx":{"error":"Invalid \\escape"}}]}"#,
        ),
    ];
    for (body, detail) in table {
        let error = refused(body);
        assert_eq!(error.status(), 422, "{body}");
        assert_eq!(error.detail(), detail, "{body}");
        assert_eq!(error.problems().len(), 1);
    }
    // Constants that Python reads and JSON does not have.
    assert_eq!(refused(r#"{"input":[],"top_p":NaN}"#).status(), 422);
}

#[test]
fn depth_and_size_of_bodies_are_limited() {
    let depth = Limits::default().json_depth as usize;
    let nested = |levels: usize| {
        let inside = levels - 1;
        format!(r#"{{"input":[],"x":{}{}}}"#, "[".repeat(inside), "]".repeat(inside))
    };
    assert!(AgentRequest::parse(&nested(depth)).is_ok());
    let error = refused(&nested(depth + 1));
    assert_eq!((error.status(), error.problems()[0].code()), (422, "json_invalid"));
    assert!(error.detail().contains("Nested too deep"), "{}", error.detail());
    assert_eq!(refused(&"[".repeat(1_000_000)).status(), 422);

    let body = r#"{"input":[]}"#;
    let mut limits = Limits::default();
    limits.event_bytes = body.len();
    assert!(AgentRequest::parse_within(body, &limits).is_ok());
    limits.event_bytes -= 1;
    let error = AgentRequest::parse_within(body, &limits).unwrap_err();
    assert_eq!((error.status(), error.problems()[0].code()), (413, "body_too_long"));
    assert!(error.detail().contains("at most 11 bytes"), "{}", error.detail());
    limits.event_bytes = body.len();
    limits.json_depth = 1;
    assert!(AgentRequest::parse_within(body, &limits).is_err());
}

#[test]
fn every_problem_has_path_code_expected_and_actual_value() {
    let error = refused(
        r#"{"input":[{"role":"critic","content":[{"type":"text"},{"type":"image","image_url":1}]}],"n":6,"stop":{}}"#,
    );
    let shown: Vec<_> = error
        .problems()
        .iter()
        .map(|p| (p.path(), p.code(), p.expected().into_owned(), p.got().to_json()))
        .collect();
    let expected = [
        (
            "input.0.role",
            "literal_error",
            "Input should be 'assistant', 'system', 'user' or 'tool'",
            r#""critic""#,
        ),
        ("input.0.content.1.image.image_url", "string_type", "Input should be a valid string", "1"),
        ("stop.str", "string_type", "Input should be a valid string", "{}"),
        ("stop.list[str]", "list_type", "Input should be a valid list", "{}"),
        ("n", "less_than_equal", "Input should be less than or equal to 5", "6"),
    ];
    let expected = expected
        .map(|(path, code, text, got)| (path.to_owned(), code, text.to_owned(), got.to_owned()));
    assert_eq!(shown, expected);
}

/// Damage: every prefix of a request, and every byte of it replaced by an unexpected one.
#[test]
fn no_body_panics() {
    let body = r#"{"input":[{"role":"user","content":[{"type":"data","data":{"a":[1.5e3,"\u00e9\ud83d"]},"index":"1"}],
        "error":{"code":"c","message":"m"}}],"n":"3","stop":["a"],"tools":[{"function":{"name":"f","description":"d",
        "parameters":{"type":"object","properties":{},"required":null}}}],"top_p":"0.5","stream":"yes"}"#;
    assert!(AgentRequest::parse(body).is_ok());
    let look = |text: &str| match AgentRequest::parse(text) {
        Ok(request) => drop((request.validate(), request.to_json(Default::default()))),
        Err(error) => {
            assert!(!error.problems().is_empty());
            assert!(Value::parse(&error.detail(), 200).is_ok(), "{}", error.detail());
            drop((error.to_sse(), error.status()));
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
