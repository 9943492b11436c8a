//! Requests, responses and errors.

use agentwire::json::Value;
use agentwire::runs::problem::{Answered, Code, RefusedRequest};
use agentwire::runs::request::{
    CancelQuery, EventsQuery, HistoryQuery, HistorySnapshot, RunCreated, RunInput, Uploaded,
    UserContent,
};

const THREAD: &str = "8473547e-c8ed-4aef-a84c-603a6a8d42da";

fn body(members: &str) -> String {
    format!(
        r#"{{"threadId":"{THREAD}","runId":"run_a","messages":[{{"id":"u1","role":"user","content":"hi"}}],"forwardedProps":{{"runtime_mode":"chat"}}{members}}}"#
    )
}

#[test]
fn the_documented_request_round_trips() {
    let text = r#"{"threadId":"8473547e-c8ed-4aef-a84c-603a6a8d42da","runId":"run_a","messages":[{"role":"user","id":"u1","content":[{"type":"text","text":"明天有什么安排?"},{"type":"binary","mimeType":"image/png","url":"https://storage.example/signed/x.png"}]}],"forwardedProps":{"runtime_mode":"chat","client_time":{"device_timezone":"Asia/Shanghai","client_now_iso":"2026-03-19T18:42:45+08:00","client_epoch_ms":1773916965000}},"state":{}}"#;
    let input = RunInput::parse(text).unwrap();
    assert_eq!(
        Value::parse(&input.to_json().unwrap(), 16).unwrap(),
        Value::parse(text, 16).unwrap()
    );
    let Some(("u1", UserContent::Parts(parts))) = input.user_message() else { panic!("{input:?}") };
    assert_eq!(parts.len(), 2);
    assert_eq!(RunInput::parse(&body(r#","tools":null,"thread_id":1"#)).unwrap().tools, []);
}

/// E1: a request that answers the previous run needs no message of the user, and may repeat it.
#[test]
fn tool_results_and_resume_entries_continue_a_run() {
    let text = body("");
    let with = |messages: &str, resume: &str| {
        let mut input = Value::parse(&text, 16).unwrap();
        input.insert("messages", Value::parse(messages, 16).unwrap());
        input.insert("resume", Value::parse(resume, 16).unwrap());
        RunInput::parse(&input.to_json()).map(|input| input.to_json().unwrap())
    };
    let tool = r#"{"id":"t","role":"tool","toolCallId":"c","content":"done"}"#;
    let user = r#"{"id":"u1","role":"user","content":"hi"}"#;
    let answer = r#"[{"interruptId":"i","status":"resolved","payload":{"approved":true}}]"#;
    assert!(with(&format!("[{tool}]"), "null").is_ok());
    assert!(with(&format!("[{user},{tool}]"), "[]").is_ok());
    assert!(with("[]", answer).is_ok_and(|body| body.contains(r#""interruptId":"i""#)));
    for (messages, resume) in [("[]", "[]"), ("[]", "{}"), ("[]", "null")] {
        assert_eq!(
            with(messages, resume).unwrap_err().code,
            Code::MessagesInvalid,
            "{messages} {resume}"
        );
    }
    assert!(with(&format!("[{user},{user},{tool}]"), answer).is_err());
}

/// E1: each rule separately, with the code of the error and the path and name of the problem.
#[test]
fn invalid_requests_are_rejected_with_code_and_path() {
    let user = |content: &str| format!(r#"[{{"id":"u","role":"user","content":{content}}}]"#);
    let with = |member: &str, value: &str| {
        let mut text = Value::parse(&body(""), 16).unwrap();
        text.insert(member, Value::parse(value, 16).unwrap());
        text.to_json()
    };
    let long = format!("\"{}\"", "x".repeat(129));
    let two = r#"[{"id":"u","role":"user","content":"a"},{"id":"v","role":"user","content":"b"}]"#;
    let none = r#"[{"id":"a","role":"assistant","content":"a"}]"#;
    let many =
        format!("[{}]", vec![r#"{"id":"a","role":"assistant","content":"a"}"#; 201].join(","));
    let part = |part: &str| user(&format!("[{part}]"));
    let cases: [(String, Code, &str, &str); 24] = [
        ("".to_owned(), Code::InputInvalid, "body", "missing"),
        ("{".to_owned(), Code::InputInvalid, "body.1", "json_invalid"),
        ("[]".to_owned(), Code::InputInvalid, "body", "model_attributes_type"),
        (with("threadId", "\"t\""), Code::InputInvalid, "body.threadId", "uuid_parsing"),
        (with("threadId", "7"), Code::InputInvalid, "body.threadId", "string_type"),
        (with("runId", "\"\""), Code::InputInvalid, "body.runId", "string_too_short"),
        (with("runId", "\"a\\nb\""), Code::InputInvalid, "body.runId", "string_pattern_mismatch"),
        (with("runId", &long), Code::InputInvalid, "body.runId", "string_too_long"),
        (with("runId", "null"), Code::InputInvalid, "body.runId", "string_type"),
        (with("messages", "{}"), Code::MessagesInvalid, "body.messages", "list_type"),
        (with("messages", "[]"), Code::MessagesInvalid, "body.messages", "one_user_message"),
        (with("messages", two), Code::MessagesInvalid, "body.messages", "one_user_message"),
        (with("messages", none), Code::MessagesInvalid, "body.messages", "one_user_message"),
        (with("messages", &many), Code::MessagesInvalid, "body.messages", "too_long"),
        (
            with("messages", r#"[{"role":"pope"}]"#),
            Code::MessagesInvalid,
            "body.messages.0",
            "union_tag_invalid",
        ),
        (
            with("messages", &part(r#"{"type":"audio"}"#)),
            Code::MessagesInvalid,
            "body.messages.0.user.content.list[part].0",
            "union_tag_invalid",
        ),
        (
            with(
                "messages",
                &part(r#"{"type":"binary","mimeType":"image/png","url":"/x","data":"AAAA"}"#),
            ),
            Code::MessagesInvalid,
            "body.messages.0.content.0.data",
            "data_forbidden",
        ),
        (
            with("messages", &part(r#"{"type":"binary","mimeType":"text/html","url":"/x"}"#)),
            Code::MessagesInvalid,
            "body.messages.0.content.0.mimeType",
            "mime_type",
        ),
        (
            with("messages", &part(r#"{"type":"binary","mimeType":"image/png"}"#)),
            Code::MessagesInvalid,
            "body.messages.0.content.0.url",
            "url_parsing",
        ),
        (
            with(
                "messages",
                &part(
                    r#"{"type":"image","source":{"type":"url","value":"data:image/png;base64,A"}}"#,
                ),
            ),
            Code::MessagesInvalid,
            "body.messages.0.content.0.source.value",
            "url_parsing",
        ),
        (
            with("forwardedProps", "{}"),
            Code::InputInvalid,
            "body.forwardedProps.runtime_mode",
            "missing",
        ),
        (
            with("forwardedProps", r#"{"runtime_mode":"loud"}"#),
            Code::InputInvalid,
            "body.forwardedProps.runtime_mode",
            "literal_error",
        ),
        (
            with("forwardedProps", r#"{"runtime_mode":"chat","agent_type":"x"}"#),
            Code::InputInvalid,
            "body.forwardedProps.agent_type",
            "extra_forbidden",
        ),
        (
            with(
                "forwardedProps",
                r#"{"runtime_mode":"chat","client_time":{"client_epoch_ms":"soon"}}"#,
            ),
            Code::InputInvalid,
            "body.forwardedProps.client_time.client_epoch_ms",
            "int_parsing",
        ),
    ];
    for (text, code, path, problem) in cases {
        let refusal = RunInput::parse(&text).unwrap_err();
        let found: Vec<_> = refusal.problems.iter().map(|one| (one.path(), one.code())).collect();
        assert_eq!(refusal.code, code, "{text}: {found:?}");
        assert!(found.contains(&(path.to_owned(), problem)), "{text}: {found:?}");
    }
}

#[test]
fn a_rejection_lists_every_problem() {
    let refusal = RunInput::parse(r#"{"runId":1,"messages":0,"forwardedProps":0}"#).unwrap_err();
    assert_eq!(refusal.problems.len(), 4);
    let body = Value::parse(&refusal.body(), 16).unwrap();
    assert_eq!(body.get("status"), Some(&422i64.into()));
    assert_eq!(body.get("title").and_then(Value::as_str), Some("Unprocessable Content"));
    assert_eq!(body.get("code").and_then(Value::as_str), Some("AGENT_RUN_INPUT_INVALID"));
    assert!(matches!(body.get("problems"), Some(Value::Array(problems)) if problems.len() == 4));
    let whole = Value::parse(&refusal.to_json(), 16).unwrap();
    assert_eq!(whole.get("contentType").and_then(Value::as_str), Some("application/problem+json"));
}

#[test]
fn queries_have_defaults_and_limits() {
    let events = |json: &str| EventsQuery::parse(json);
    assert_eq!(events(r#"{"runId":"a"}"#).unwrap().idle_limit, 300);
    assert_eq!(events(r#"{"runId":"a","idle_limit":"7","other":"x"}"#).unwrap().idle_limit, 7);
    let code = |refused: Result<EventsQuery, RefusedRequest>| refused.unwrap_err().code;
    assert_eq!(code(events("{}")), Code::InvalidRunId);
    assert_eq!(code(events(r#"{"runId":""}"#)), Code::InvalidRunId);
    for wrong in ["0", "3601", "-1", "1.5", "", "x", "99999999999999999999"] {
        let query = format!(r#"{{"runId":"a","idle_limit":"{wrong}"}}"#);
        assert_eq!(code(events(&query)), Code::PayloadInvalid, "{wrong}");
    }
    assert_eq!(CancelQuery::parse("{}").unwrap_err().code, Code::InvalidRunId);
    assert_eq!(HistoryQuery::parse("{}").unwrap().before, None);
    let day = |day: &str| HistoryQuery::parse(&format!(r#"{{"before":"{day}"}}"#));
    for right in ["2026-03-19", "2024-02-29", "2000-02-29"] {
        assert_eq!(day(right).unwrap().before.as_deref(), Some(right));
    }
    for wrong in [
        "2026-3-19",
        "2026-02-29",
        "1900-02-29",
        "2026-13-01",
        "2026-04-31",
        "2026-01-00",
        "today",
        "２０２６-01-01",
    ] {
        assert_eq!(day(wrong).unwrap_err().code, Code::PayloadInvalid, "{wrong}");
    }
    assert_eq!(HistoryQuery::parse(r#"{"threadId":"x"}"#).unwrap_err().code, Code::ThreadIdInvalid);
}

#[test]
fn responses_round_trip() {
    for text in [
        r#"{"scope":"history_day","threadId":null,"day":null,"hasMore":false,"messages":[]}"#,
        r#"{"scope":"history_day","threadId":"t","day":"2026-03-19","hasMore":true,"messages":[{"id":"u1","seq":1,"role":"user","content":"?","attachments":[{"mimeType":"image/png","url":"/x"}],"timestamp":"2026-03-19T10:42:45Z"},{"id":"m1","seq":3,"role":"assistant","content":"!","suggestedActions":["more"],"timestamp":"2026-03-19T10:42:48Z"}]}"#,
    ] {
        assert_eq!(HistorySnapshot::parse(text).unwrap().to_json(), text);
    }
    let created = r#"{"taskId":"k","threadId":"t","runId":"r","created":true}"#;
    assert_eq!(RunCreated::parse(created).unwrap().to_json(), created);
    let uploaded = r#"{"attachment":{"bucket":"b","path":"p","mimeType":"image/png","url":"/x"}}"#;
    assert_eq!(Uploaded::parse(uploaded).unwrap().to_json(), uploaded);
    assert_eq!(RunCreated::parse(r#"{"threadId":1}"#).unwrap_err().len(), 4);
}

/// E17: by the code, and where that is unknown by the status.
#[test]
fn an_error_is_identified_by_its_code_and_otherwise_by_its_status() {
    let sent = RefusedRequest::new(Code::ConnectionLimit, "two are enough");
    let read = Answered::read(429, &sent.body());
    assert_eq!((read.known(), &*read.detail), (Some(Code::ConnectionLimit), "two are enough"));
    for (body, code, detail) in [
        (r#"{"code":"AGENT_NEW","title":"New"}"#, "AGENT_NEW", "New"),
        (r#"{"code":7,"detail":""}"#, "", "the server answered 418"),
        ("<html>", "", "the server answered 418"),
        ("", "", "the server answered 418"),
    ] {
        let read = Answered::read(418, body);
        assert_eq!((read.known(), &*read.code, &*read.detail), (None, code, detail), "{body}");
    }
    for code in Code::ALL {
        assert_eq!(Code::named(code.as_str()), Some(*code));
        assert!((400..600).contains(&code.status()));
    }
}
