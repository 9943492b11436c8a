//! Calls of both dialects and bindings, and their refusals.

use agentwire::a2a::Dialect;
use agentwire::a2a::request::{
    Binding, ErrorKind, Method, OperationCall, Reply, SendMessageRequest,
};
use agentwire::agent_api::request::AgentRequest;
use agentwire::hub::Losses;
use agentwire::json::Value;

use crate::convert;

fn rpc(method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":"x","method":"{method}","params":{params}}}"#)
}

const MESSAGE: &str = r#"{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"hi"}]}}"#;
const MESSAGE_03: &str = r#"{"message":{"kind":"message","messageId":"m","role":"user","parts":[{"kind":"text","text":"hi"},
    {"kind":"file","file":{"bytes":"AAEC","mimeType":"image/png","name":"a.png"}},{"kind":"data","data":{"value":[1]},"metadata":{"data_part_compat":true}}]},
    "configuration":{"blocking":false}}"#;

fn sent(call: OperationCall) -> SendMessageRequest {
    match call.method {
        Method::SendMessage { request, .. } => request,
        other => panic!("a message, not {other:?}"),
    }
}

#[test]
fn the_method_name_selects_the_dialect() {
    for (method, params, dialect) in [
        ("SendMessage", MESSAGE, Dialect::V1),
        ("SendStreamingMessage", MESSAGE, Dialect::V1),
        ("message/send", MESSAGE_03, Dialect::V0_3),
        ("message/stream", MESSAGE_03, Dialect::V0_3),
        ("GetTask", r#"{"id":"t"}"#, Dialect::V1),
        ("tasks/get", r#"{"id":"t"}"#, Dialect::V0_3),
        ("ListTasks", "{}", Dialect::V1),
        ("tasks/cancel", r#"{"id":"t"}"#, Dialect::V0_3),
        ("SubscribeToTask", r#"{"id":"t"}"#, Dialect::V1),
        ("tasks/resubscribe", r#"{"id":"t"}"#, Dialect::V0_3),
    ] {
        for version in ["", "0.3", "1.0"] {
            let call = OperationCall::of_json_rpc(&rpc(method, params), version)
                .unwrap_or_else(|refusal| panic!("{method}: {refusal:?}"));
            assert_eq!((call.reply.dialect, call.reply.id), (dialect, "x".into()), "{method}");
        }
    }
}

#[test]
fn a_v0_3_message_is_parsed_as_v1_0() {
    let request = sent(OperationCall::of_json_rpc(&rpc("message/send", MESSAGE_03), "").unwrap());
    assert_eq!(request.configuration.as_ref().and_then(|how| how.return_immediately), Some(true));
    assert_eq!(
        request.normalized_json(),
        r#"{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"hi"},{"raw":"AAEC","filename":"a.png","mediaType":"image/png"},{"data":[1]}]},"configuration":{"returnImmediately":true}}"#,
    );
}

#[test]
fn rest_requests_are_parsed_as_calls() {
    let call = |http, path, query, body| {
        OperationCall::of_rest(http, path, query, body, "1.0").map(|call| call.method)
    };
    assert!(matches!(
        call("POST", "/message:send", "", MESSAGE),
        Ok(Method::SendMessage { streaming: false, .. })
    ));
    assert!(matches!(
        call("POST", "/message:stream", "", MESSAGE),
        Ok(Method::SendMessage { streaming: true, .. })
    ));
    let Ok(Method::GetTask { id, history_length }) =
        call("GET", "/tasks/a%2Fb%20c", "historyLength=2", "")
    else {
        panic!()
    };
    assert_eq!((id.as_str(), history_length), ("a/b c", Some(2)));
    let Ok(Method::ListTasks(asked)) =
        call("GET", "/tasks", "contextId=c+d&pageSize=7&includeArtifacts=true", "")
    else {
        panic!()
    };
    assert_eq!(
        (asked.context_id.as_deref(), asked.page_size, asked.include_artifacts),
        (Some("c d"), Some(7), true)
    );
    assert_eq!(call("POST", "/tasks/t:cancel", "", ""), Ok(Method::CancelTask { id: "t".into() }));
    assert_eq!(
        call("GET", "/tasks/t:subscribe", "", ""),
        Ok(Method::SubscribeToTask { id: "t".into() })
    );
    for (http, path) in
        [("GET", "/message:send"), ("DELETE", "/tasks/t"), ("GET", "/"), ("GET", "/tasks/t/x")]
    {
        assert_eq!(call(http, path, "", "").unwrap_err().status, 404, "{http} {path}");
    }
}

#[test]
fn unsupported_calls_are_rejected_with_their_error_code() {
    let refused = |body: &str, version: &str| {
        let refusal = OperationCall::of_json_rpc(body, version).unwrap_err();
        assert_eq!(refusal.status, 200);
        let body = refusal.body.trim_start_matches("data: ").trim();
        let error = Value::parse(body, 16).unwrap().get("error").cloned().unwrap();
        error.get("code").map(Value::to_json).unwrap()
    };
    let config = r#"{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"hi"}]},"configuration":{"taskPushNotificationConfig":{"url":"https://example.com"}}}"#;
    for (code, body, version) in [
        ("-32700", "{".to_owned(), ""),
        ("-32600", "[]".to_owned(), ""),
        ("-32600", r#"{"jsonrpc":"1.0","id":1,"method":"GetTask"}"#.to_owned(), ""),
        (
            "-32600",
            format!(r#"{{"jsonrpc":"2.0","id":"{}","method":"GetTask"}}"#, "x".repeat(2000)),
            "",
        ),
        ("-32601", rpc("DoNothing", "{}"), ""),
        ("-32601", rpc("", "{}"), ""),
        ("-32602", rpc("GetTask", "{}"), ""),
        ("-32602", rpc("GetTask", "[]"), ""),
        (
            "-32602",
            rpc("SendMessage", r#"{"message":{"messageId":"m","role":"ROLE_USER","parts":[]}}"#),
            "",
        ),
        (
            "-32602",
            rpc(
                "SendMessage",
                r#"{"message":{"messageId":"m","role":"user","parts":[{"text":"a"}]}}"#,
            ),
            "",
        ),
        ("-32602", rpc("ListTasks", r#"{"pageSize":101}"#), ""),
        ("-32003", rpc("CreateTaskPushNotificationConfig", "{}"), ""),
        ("-32003", rpc("tasks/pushNotificationConfig/set", "{}"), ""),
        ("-32003", rpc("SendMessage", config), ""),
        ("-32007", rpc("GetExtendedAgentCard", "{}"), ""),
        ("-32009", rpc("GetTask", r#"{"id":"t"}"#), "2.0"),
    ] {
        assert_eq!(refused(&body, version), code, "{body}");
    }
}

#[test]
fn an_error_has_the_form_of_its_call() {
    let kind = ErrorKind::TaskNotFound;
    let v1 = Reply { id: 7.into(), ..Reply::default() };
    let data = r#"{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"TASK_NOT_FOUND","domain":"a2a-protocol.org"}"#;
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":7,"error":{{"code":-32001,"message":"no","data":[{data}]}}}}"#
    );
    assert_eq!(v1.error(kind, "no").body, body);
    let stream = Reply { is_stream: true, ..v1.clone() }.error(kind, "no");
    assert_eq!(
        (stream.body, stream.content_type),
        (format!("data: {body}\n\n"), "text/event-stream; charset=utf-8")
    );
    let v03 = Reply { dialect: Dialect::V0_3, ..v1.clone() };
    assert_eq!(
        v03.error(kind, "no").body,
        r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32001,"message":"no"}}"#
    );
    let rest = Reply { binding: Binding::Rest, ..v1 }.error(kind, "no");
    assert_eq!(rest.status, 404);
    assert_eq!(
        rest.body,
        format!(
            r#"{{"error":{{"code":404,"status":"NOT_FOUND","message":"no","details":[{data}]}}}}"#
        )
    );
}

#[test]
fn request_ids_are_returned_unchanged() {
    for id in ["1", "\"x\"", "null", "1.50", "[1,{\"a\":\"\\u0000\"}]", "12345678901234567890"] {
        let body =
            format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"GetTask","params":{{"id":"t"}}}}"#);
        let reply = OperationCall::of_json_rpc(&body, "1.0").unwrap().reply;
        let told = Reply::of_value(&reply.to_value());
        assert_eq!(told, reply);
        assert_eq!(
            told.result(Value::Null).body,
            format!(r#"{{"jsonrpc":"2.0","id":{id},"result":null}}"#)
        );
    }
}

#[test]
fn a_message_is_converted_to_an_agent_request() {
    let params = r#"{"message":{"messageId":"m","contextId":"c","taskId":"t","role":"ROLE_USER","parts":[{"text":"look"},
        {"url":"https://example.com/a.png","mediaType":"image/png"},{"raw":"AAEC","filename":"b.bin"},{"data":{"a":1}}]},"metadata":{"k":"v"}}"#;
    let request = sent(OperationCall::of_json_rpc(&rpc("SendMessage", params), "1.0").unwrap());
    let mut losses = Losses::default();
    let asked: AgentRequest = convert(&request, &mut losses);
    // It is not the metadata of the model's API.
    assert_eq!(losses.counts(), [("parameter", 1)], "{}", losses.to_json());
    let json = Value::parse(&asked.to_json(agentwire::agent_api::Style::Compact), 32).unwrap();
    let get = |name: &str| json.get(name).map(Value::to_json).unwrap_or_default();
    assert_eq!(
        (get("id"), get("session_id"), get("metadata")),
        ("\"t\"".into(), "\"c\"".into(), String::new())
    );
    for part in [
        r#""text":"look""#,
        r#""image_url":"https://example.com/a.png""#,
        r#""file_data":"AAEC""#,
        r#""data":{"a":1}"#,
    ] {
        assert!(get("input").contains(part), "{part} in {}", get("input"));
    }
    let back: SendMessageRequest = convert(&asked, &mut losses);
    assert_eq!(back.message.parts.len(), 4);
    assert_eq!(
        (back.message.context_id.as_deref(), back.message.task_id.as_deref()),
        (Some("c"), Some("t"))
    );
}

#[test]
fn rest_v0_3_uses_protocol_buffer_json() {
    let body = r#"{"message":{"messageId":"m","taskId":"","role":"ROLE_USER","content":[{"text":"hi"},
        {"file":{"fileWithBytes":"AAEC","mimeType":"image/png","name":"a.png"}},{"file":{"fileWithUri":"https://example.com/b"}},{"data":{"data":{"a":1}}}]},
        "configuration":{"acceptedOutputModes":["text/plain"]}}"#;
    let call = OperationCall::of_rest("POST", "/v1/message:stream", "", body, "").unwrap();
    assert_eq!((call.reply.dialect, call.reply.binding), (Dialect::V0_3, Binding::Rest));
    let reply = call.reply.clone();
    let request = sent(call);
    // A boolean that a protocol buffer omits is false: `blocking`.
    assert_eq!(request.configuration.as_ref().and_then(|how| how.return_immediately), Some(true));
    let parts: Vec<_> = request.message.parts.iter().collect();
    assert_eq!(parts[0].text.as_deref(), Some("hi"));
    let file =
        (parts[1].raw.as_deref(), parts[1].filename.as_deref(), parts[1].media_type.as_deref());
    assert_eq!(file, (Some("AAEC"), Some("a.png"), Some("image/png")));
    assert_eq!(parts[2].url.as_deref(), Some("https://example.com/b"));
    assert_eq!(parts[3].data.as_ref().map(Value::to_json).as_deref(), Some(r#"{"a":1}"#));

    let task = r#"{"id":"t","contextId":"c","status":{"state":"TASK_STATE_CANCELED","message":{"messageId":"n","role":"ROLE_AGENT","parts":[{"text":"no"}]}},
        "artifacts":[{"artifactId":"a","parts":[{"url":"https://example.com/b","mediaType":"image/png"},{"data":[1]}]}]}"#;
    let told = r#"{"id":"t","contextId":"c","status":{"state":"TASK_STATE_CANCELLED","message":{"messageId":"n","role":"ROLE_AGENT","content":[{"text":"no"}]}},"artifacts":[{"artifactId":"a","parts":[{"file":{"fileWithUri":"https://example.com/b","mimeType":"image/png"}},{"data":{"data":{"value":[1]}}}]}]}"#;
    let task = Value::parse(task, 32).unwrap();
    let answer = reply.result(task.clone());
    assert_eq!((answer.content_type, answer.body.as_str()), ("application/json", told));
    assert_eq!(
        reply.event([("task", task)].into()).into_sse(),
        format!("data: {{\"task\":{told}}}\n\n")
    );
    let update = r#"{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}"#;
    assert_eq!(
        reply.event(Value::parse(update, 32).unwrap()).json(),
        r#"{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"},"final":false}}"#
    );
    let refused = reply.error(ErrorKind::TaskNotCancelable, "no");
    assert_eq!((refused.status, refused.body.as_str()), (409, r#"{"code":-32002,"message":"no"}"#));
    for (http, path, code) in [
        ("GET", "/v1/tasks/t/pushNotificationConfigs", "-32003"),
        ("GET", "/v1/card", "-32007"),
        ("GET", "/v1/nothing", "-32601"),
        ("POST", "/v1/message:send", "-32602"),
    ] {
        let refused = OperationCall::of_rest(http, path, "", "", "").unwrap_err();
        assert!(
            refused.body.starts_with(&format!("{{\"code\":{code},")),
            "{path}: {}",
            refused.body
        );
    }
}

#[test]
fn empty_parts_are_written_in_v0_3() {
    let task = r#"{"id":"t","status":{"state":"TASK_STATE_CANCELED"},"artifacts":[{"artifactId":"a"}],"history":[{"messageId":"m"}]}"#;
    let reply = Reply { dialect: Dialect::V0_3, ..Reply::default() };
    let answer = Value::parse(&reply.result(Value::parse(task, 8).unwrap()).body, 8).unwrap();
    for list in ["artifacts", "history"] {
        let Some(Value::Array(objects)) = answer.get("result").and_then(|task| task.get(list))
        else {
            panic!("{list}")
        };
        assert_eq!(objects[0].get("parts"), Some(&Value::Array(Vec::new())), "{list}");
    }
}
