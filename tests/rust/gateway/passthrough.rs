//! Upstreams that have the protocol of the client: their bytes are passed through.

use reqwest::Response;
use serde_json::{Value, json};

use crate::corpus;
use crate::fake::{Answer, Asked, Fake};
use crate::program::{Gateway, KEY};

const ARGUMENTS: [&str; 4] = ["--upstream-protocol", "responses", "--model", "small"];

/// A request whose form no serializer would choose, with members that no version knows.
const ODD: &str = "{ \"input\" :\t[{\"role\":\"user\",\"content\":\"h\\u0069\",\"x\":1e3}],\n  \
    \"mod\\u0065l\" : \"other\",\"unknown\":{\"a\":[1.50,{}]} , \"stream\" : true }  ";

async fn post(gateway: &Gateway, path: &str, body: &str) -> Response {
    let request = reqwest::Client::new().post(format!("{}{path}", gateway.url));
    request.header("content-type", "application/json").body(body.to_owned()).send().await.unwrap()
}

async fn responses(gateway: &Gateway, body: &Value) -> Response {
    post(gateway, "/v1/responses", &body.to_string()).await
}

#[tokio::test]
async fn the_bytes_of_requests_and_answers_are_kept() {
    // Comments, line ends, unknown events and what follows the end are bytes as well.
    let mut answer =
        b": hello\n\nid: 7\ndata: {\"type\":\"response.unknown\",\"x\":1e3}\r\n\r\n".to_vec();
    answer.extend(corpus("responses", "custom_tool"));
    answer.extend(b": the end\n\n");
    let sent = answer.clone();
    let fake = Fake::start(move |_| {
        let headers = [
            ("content-type", "text/event-stream"),
            ("x-request-id", "req_1"),
            ("x-ratelimit-remaining-requests", "7"),
            ("openai-processing-ms", "12"),
            ("x-codex-turn-state", "t"),
            ("set-cookie", "a=b"),
            ("x-internal", "secret"),
        ];
        let headers = headers.map(|(name, value)| (name, value.to_owned())).into();
        Answer::Response(200, headers, sent.clone())
    })
    .await;
    let gateway = Gateway::start(&format!("{}/v1?api-version=1", fake.url), &ARGUMENTS).await;
    let request = reqwest::Client::new()
        .post(format!("{}/v1/responses?a=b&api-version=9&api-key=secret", gateway.url));
    let headers = [
        ("content-type", "application/json"),
        ("authorization", "Bearer of-the-client"),
        ("x-api-key", "of-the-client"),
        ("api-key", "of-the-client"),
        ("cookie", "a=of-the-client"),
        ("openai-beta", "responses=experimental"),
        ("openai-organization", "of-the-client"),
        ("x-stainless-lang", "js"),
        ("x-codex-turn-state", "t"),
        ("session_id", "s"),
        ("originator", "codex_cli_rs"),
        ("user-agent", "codex"),
        ("accept-encoding", "gzip"),
        ("x-forwarded-for", "1.2.3.4"),
    ];
    let request = headers.into_iter().fold(request, |it, (name, value)| it.header(name, value));
    let response = request.body(ODD).send().await.unwrap();
    assert_eq!(response.status(), 200);
    let received = response.headers().clone();
    for (name, value) in [
        ("content-type", Some("text/event-stream")),
        ("x-request-id", Some("req_1")),
        ("x-ratelimit-remaining-requests", Some("7")),
        ("openai-processing-ms", Some("12")),
        ("x-codex-turn-state", Some("t")),
        ("cache-control", Some("no-cache, no-transform")),
        ("set-cookie", None),
        ("x-internal", None),
    ] {
        assert_eq!(received.get(name).map(|value| value.to_str().unwrap()), value, "{name}");
    }
    assert_eq!(response.bytes().await.unwrap(), answer);

    let Asked { path, query, headers, text, .. } = fake.asked().pop().unwrap();
    assert_eq!((&*path, query.as_deref()), ("/v1/responses", Some("api-version=1&a=b")));
    assert_eq!(text, ODD.replace("\"other\"", "\"small\""));
    for (name, value) in [
        ("authorization", format!("Bearer {KEY}")),
        ("content-type", "application/json".into()),
        ("accept-encoding", "identity".into()),
        ("openai-beta", "responses=experimental".into()),
        ("x-stainless-lang", "js".into()),
        ("x-codex-turn-state", "t".into()),
        ("session_id", "s".into()),
        ("originator", "codex_cli_rs".into()),
        ("user-agent", "codex".into()),
    ] {
        assert_eq!(headers[name], value, "{name}");
    }
    assert!(!format!("{headers:?}").contains("of-the-client"), "{headers:?}");
    assert!(!headers.contains_key("x-forwarded-for"));

    let line = gateway.logged(0).await;
    assert_eq!((&line["status"], &line["upstream"]), (&json!(200), &json!(200)));
    assert_eq!((&line["model"], &line["error"]), (&json!("small"), &Value::Null));
}

/// A model that the request does not name, names twice, or names as something else.
#[tokio::test]
async fn only_the_name_of_the_model_is_replaced() {
    let fake = Fake::start(|_| Answer::Stream(corpus("responses", "custom_tool"))).await;
    let arguments = [&ARGUMENTS[..], &["--allow-model", "large"]].concat();
    let gateway = Gateway::start(&fake.url, &arguments).await;
    for (body, sent) in [
        (r#"{"input":"hi"}"#, r#"{"model":"small","input":"hi"}"#),
        ("{ }", r#"{"model":"small" }"#),
        (r#"{"model":"large"}"#, r#"{"model":"large"}"#),
        (r#"{"model":"x","a":1,"model":"large"}"#, r#"{"model":"large","a":1,"model":"large"}"#),
        (r#"{"model":"large","a":1,"model":"x"}"#, r#"{"model":"small","a":1,"model":"small"}"#),
        (r#"{"model":{"a":1},"b":2}"#, r#"{"model":"small","b":2}"#),
        (r#"{"input":[{"model":"x"}]}"#, r#"{"model":"small","input":[{"model":"x"}]}"#),
        // A decision that contradicts itself declines, whatever its server would read.
        (
            r#"{"model":"large","input":[{"approve":false,"approve":true}]}"#,
            r#"{"model":"large","input":[{"approve":false}]}"#,
        ),
        (
            r#"{"model":"x","store":true,"previous_response_id":"r"}"#,
            r#"{"model":"small","store":true,"previous_response_id":"r"}"#,
        ),
    ] {
        assert_eq!(post(&gateway, "/v1/responses", body).await.status(), 200, "{body}");
        assert_eq!(fake.asked().pop().unwrap().text, sent);
    }
    let asked = fake.asked().len();
    for body in ["", "[]", "{", r#"{"a":1}x"#, "\u{feff}{}", "null"] {
        assert_eq!(post(&gateway, "/v1/responses", body).await.status(), 400, "{body}");
    }
    assert_eq!(fake.asked().len(), asked);
}

#[tokio::test]
async fn json_answers_are_passed_through() {
    const WHOLE: &str = "{\n \"id\":\"resp_1\", \"object\":\"response\",\"output\":[],\"x\":1e2,\
        \"usage\":{\"input_tokens\":3,\"output_tokens\":4}}\n";
    let fake = Fake::start(|asked| {
        let kind = || vec![("content-type", "application/json".to_owned())];
        match asked.body["input"].as_str().unwrap() {
            "whole" => Answer::Response(200, kind(), WHOLE.into()),
            "created" => Answer::Response(201, vec![], WHOLE.into()),
            "cut" => Answer::BrokenResponse(kind(), WHOLE[..40].into()),
            "half" => Answer::Response(200, kind(), WHOLE[..40].into()),
            "large" => {
                Answer::Response(200, kind(), format!("[\"{}\"]", "x".repeat(40 << 20)).into())
            }
            other => panic!("{other}"),
        }
    })
    .await;
    let gateway = Gateway::start(&fake.url, &ARGUMENTS).await;
    let ask = async |input: &str| {
        let response = responses(&gateway, &json!({"model": "m", "input": input})).await;
        let kind = response.headers()["content-type"].to_str().unwrap().to_owned();
        (response.status().as_u16(), kind, response.text().await.unwrap())
    };
    let json = "application/json";
    assert_eq!(ask("whole").await, (200, json.into(), WHOLE.into()));
    assert_eq!(ask("created").await, (201, json.into(), WHOLE.into()));
    assert_eq!(ask("large").await.2.len(), (40 << 20) + 4);
    assert!(fake.asked().iter().all(|asked| asked.body.get("stream").is_none()));
    for (input, code) in [("cut", "upstream_cut_off"), ("half", "upstream_invalid")] {
        let (status, _, body) = ask(input).await;
        let body: Value = serde_json::from_str(&body).unwrap();
        assert_eq!((status, &body["error"]["code"]), (502, &json!(code)), "{input}");
    }
}

/// Clients decide by the words and the codes of errors.
#[tokio::test]
async fn errors_of_the_upstream_are_passed_through() {
    let limited = "{ \"error\" : {\"message\":\"Please try again in 1.5s\",\"type\":\"tokens\",\
        \"param\":null,\"code\":\"rate_limit_exceeded\",\"resets_at\":7}}\n";
    let too_long = r#"{"error":{"message":"This model's maximum context length is 8","code":"context_length_exceeded"}}"#;
    let with_key = format!(r#"{{"error":{{"message":"no {KEY}"}}}}"#);
    let fake = Fake::start(move |asked| {
        let (status, kind, body) = match asked.body["input"].as_str().unwrap() {
            "limited" => (429, "application/json", limited.to_owned()),
            "long" => (400, "application/json", too_long.to_owned()),
            "key" => (403, "application/json", with_key.clone()),
            "unauthorized" => (401, "application/json", with_key.clone()),
            "page" => (502, "text/html", "<html>Bad Gateway</html>".to_owned()),
            "empty" => (503, "", String::new()),
            "huge" => {
                (500, "application/json", format!("{{\"error\":\"{}\"}}", "x".repeat(9 << 20)))
            }
            "text" => (529, "text/plain", "no".to_owned()),
            "login" => (200, "text/html", "<html>Log in</html>".to_owned()),
            "nothing" => (200, "text/event-stream", String::new()),
            other => panic!("{other}"),
        };
        let headers = [
            ("content-type", kind),
            ("retry-after", "7"),
            ("retry-after-ms", "6900"),
            ("x-should-retry", "true"),
            ("x-ratelimit-reset-tokens", "6s"),
            ("x-secret", "s"),
        ];
        let headers = headers.map(|(name, value)| (name, value.to_owned()));
        let headers = headers.into_iter().filter(|(_, value)| !value.is_empty()).collect();
        Answer::Response(status, headers, body.into())
    })
    .await;
    let gateway = Gateway::start(&fake.url, &ARGUMENTS).await;
    for stream in [true, false] {
        let ask = async |input: &str| {
            let body = json!({"model": "m", "input": input, "stream": stream});
            let response = responses(&gateway, &body).await;
            let headers = response.headers().clone();
            assert_eq!(headers["content-type"], "application/json", "{input}");
            (response.status().as_u16(), headers, response.text().await.unwrap())
        };
        let (status, headers, body) = ask("limited").await;
        assert_eq!((status, &*body), (429, limited));
        for (name, value) in [
            ("retry-after", "7"),
            ("retry-after-ms", "6900"),
            ("x-should-retry", "true"),
            ("x-ratelimit-reset-tokens", "6s"),
        ] {
            assert_eq!(headers[name], value);
        }
        assert!(!headers.contains_key("x-secret"));
        let (status, _, body) = ask("long").await;
        assert_eq!((status, &*body), (400, too_long));
        let (status, _, body) = ask("key").await;
        assert_eq!((status, &*body), (403, r#"{"error":{"message":"no ***"}}"#));
        for (input, status, code, message) in [
            ("unauthorized", 401, "upstream_401", "the upstream answered 401 Unauthorized"),
            ("page", 502, "upstream_502", "the upstream answered 502 Bad Gateway"),
            ("empty", 503, "server_is_overloaded", "the upstream answered 503 Service Unavailable"),
            ("huge", 500, "upstream_500", "the upstream answered 500 Internal Server Error"),
            ("text", 529, "server_is_overloaded", "the upstream answered 529"),
            (
                "login",
                502,
                "upstream_200",
                "the upstream answered 200 OK with text/html instead of a stream",
            ),
            ("nothing", 502, "upstream_200", "the upstream answered 200 without a body"),
        ] {
            let (found, _, body) = ask(input).await;
            let body: Value = serde_json::from_str(&body).unwrap();
            let error = &body["error"];
            assert_eq!((found, &error["code"]), (status, &json!(code)), "{input}");
            assert_eq!(error["message"], message, "{input}");
        }
    }
    assert!(!gateway.log().concat().contains(KEY));
}

/// A stream that breaks off ends with the error of its protocol, after whole events only.
#[tokio::test]
async fn a_cut_becomes_an_error_of_the_protocol() {
    let stream = corpus("responses", "custom_tool");
    let whole = stream.clone();
    let fake = Fake::start(move |asked| {
        let at = asked.body["input"].as_str().unwrap();
        let (kind, at) = at.split_once(' ').unwrap();
        let part = whole[..at.parse::<usize>().unwrap()].to_vec();
        if kind == "broken" { Answer::Broken(part) } else { Answer::Stream(part) }
    })
    .await;
    let gateway = Gateway::start(&fake.url, &ARGUMENTS).await;
    let ends: Vec<usize> = stream
        .windows(2)
        .enumerate()
        .filter(|(_, two)| two == b"\n\n")
        .map(|(at, _)| at + 2)
        .collect();
    let before = &ends[..ends.len() - 2];
    for kind in ["broken", "ended"] {
        for at in [before[0], before[1] - 1, before[1], before[1] + 9, *before.last().unwrap()] {
            let body = json!({"model": "m", "input": format!("{kind} {at}"), "stream": true});
            let response = responses(&gateway, &body).await;
            let (status, text) = (response.status(), response.text().await.unwrap());
            if kind == "broken" && status == 502 {
                // The system has discarded the first event with the connection.
                assert!(text.contains("upstream_cut_off"), "{text}");
                continue;
            }
            let (kept, _) = text.split_once("event: error").unwrap();
            let kept_at_most = *ends.iter().rfind(|end| **end <= at).unwrap();
            let is_whole = kept.is_empty() || kept.ends_with("\n\n");
            assert!(is_whole && stream.starts_with(kept.as_bytes()), "{kind} {at}: {text}");
            assert!(kind == "broken" || kept.len() == kept_at_most, "{kind} {at}: {text}");
            let rest = &text[kept.len()..];
            let events = kept.matches("data: ").count();
            let error = format!(
                "event: error\ndata: {{\"type\":\"error\",\"sequence_number\":{events},\
                 \"code\":\"upstream_cut_off\","
            );
            assert!(rest.starts_with(&error) && rest.ends_with("}\n\n"), "{kind} {at}: {rest}");
            assert_eq!(rest.matches('\n').count(), 3, "{kind} {at}: {rest}");
        }
    }
    let line = gateway.logged(5).await;
    assert_eq!((&line["error"], &line["status"]), (&json!("upstream_cut_off"), &json!(200)));
}

/// Nothing has been sent before the first event: an error there has a status.
#[tokio::test]
async fn an_error_as_the_first_event_has_a_status() {
    let fake = Fake::start(|asked| {
        let error = match asked.body["input"].as_str().unwrap() {
            "overloaded" => r#"{"type":"error","code":"server_is_overloaded","message":"busy"}"#,
            "failed" => r#"{"type":"response.failed","response":{"status":"failed","error":{"code":"rate_limit_exceeded","message":"slow"}}}"#,
            "number" => r#"{"error":{"code":402,"message":"pay"}}"#,
            "invalid" => r#"{"type":"error","error":{"type":"invalid_request_error","message":"no"}}"#,
            "unknown" => r#"{"error":"what"}"#,
            other => panic!("{other}"),
        };
        Answer::Stream(format!(": hi\nevent: error\ndata: {error}\n\n").into())
    })
    .await;
    let gateway = Gateway::start(&fake.url, &ARGUMENTS).await;
    for (input, status, code, message) in [
        ("overloaded", 503, "server_is_overloaded", "busy"),
        ("failed", 429, "rate_limit_exceeded", "slow"),
        ("number", 429, "402", "pay"),
        ("invalid", 400, "upstream_400", "no"),
        ("unknown", 502, "upstream_502", "what"),
    ] {
        let body = json!({"model": "m", "input": input, "stream": true});
        let response = responses(&gateway, &body).await;
        let found = response.status().as_u16();
        let body: Value = serde_json::from_str(&response.text().await.unwrap()).unwrap();
        let error = &body["error"];
        assert_eq!(
            (found, &error["code"], &error["message"]),
            (status, &json!(code), &json!(message)),
            "{input}"
        );
    }
}

#[tokio::test]
async fn the_apis_of_all_models_are_passed_through() {
    let chat =
        r#"{"model":"x","messages":[{"role":"user","content":"hi"}],"stream":true,"a":[1e2]}"#;
    let anthropic = r#"{"model":"x","max_tokens":9,"system":[{"type":"text","text":"s","cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":[{"type":"text","text":"hi","cache_control":{"type":"ephemeral"}}]}],"stream":true,"context_management":{"edits":[]}}"#;
    for (protocol, path, called, body, error) in [
        (
            "chat",
            "/v1/chat/completions",
            "/chat/completions",
            chat,
            "data: {\"error\":{\"message\":\"the answer of the upstream broke off\",\"type\":\"server_error\",\"param\":null,\"code\":\"upstream_cut_off\"}}\n\n",
        ),
        (
            "anthropic",
            "/v1/messages",
            "/v1/messages",
            anthropic,
            "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"api_error\",\"message\":\"the answer of the upstream broke off\"}}\n\n",
        ),
    ] {
        let stream = corpus(protocol, "text");
        let whole = stream.clone();
        let fake = Fake::start(move |asked| match asked.headers["x-stainless-case"].to_str().unwrap() {
            "whole" => Answer::Stream(whole.clone()),
            "cut" => Answer::Broken(whole[..whole.len() / 2].into()),
            "count" => Answer::Status(200, r#"{"input_tokens": 7}"#.into()),
            _ => Answer::Status(529, r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"r"}"#.into()),
        })
        .await;
        let arguments = ["--upstream-protocol", protocol, "--model", "small"];
        let gateway = Gateway::start(&fake.url, &arguments).await;
        let ask = async |case: &str, path: &str| {
            let request = reqwest::Client::new().post(format!("{}{path}?beta=true", gateway.url));
            let request = request
                .header("content-type", "application/json")
                .header("x-api-key", "of-the-client")
                .header("anthropic-version", "2099-01-01")
                .header("anthropic-beta", "a-2025,b-2026")
                .header("x-stainless-case", case);
            let response = request.body(body).send().await.unwrap();
            (response.status().as_u16(), response.bytes().await.unwrap())
        };
        let (status, bytes) = ask("whole", path).await;
        assert_eq!((status, &bytes[..]), (200, &stream[..]), "{protocol}");
        let asked = fake.asked().pop().unwrap();
        assert_eq!((&*asked.path, asked.query.as_deref()), (called, Some("beta=true")));
        assert_eq!(asked.text, body.replacen("\"x\"", "\"small\"", 1));
        assert_eq!(asked.headers["anthropic-version"], "2099-01-01");
        assert_eq!(asked.headers["anthropic-beta"], "a-2025,b-2026");
        assert!(!format!("{:?}", asked.headers).contains("of-the-client"));
        let line = gateway.logged(0).await;
        assert_eq!(line["upstream"], 200, "{line}");

        let (status, bytes) = ask("cut", path).await;
        let text = std::str::from_utf8(&bytes).unwrap();
        let kept = text.strip_suffix(error).unwrap_or_else(|| panic!("{protocol}: {text}"));
        assert!(status == 200 && stream.starts_with(kept.as_bytes()) && kept.ends_with("\n\n"));
        let (status, bytes) = ask("busy", path).await;
        let text = std::str::from_utf8(&bytes).unwrap();
        assert!(
            status == 529 && text.contains(r#""type":"overloaded_error","message":"Overloaded"#),
            "{text}"
        );
        if protocol == "anthropic" {
            let (status, bytes) = ask("count", "/v1/messages/count_tokens").await;
            assert_eq!((status, &bytes[..]), (200, &br#"{"input_tokens": 7}"#[..]));
            assert_eq!(fake.asked().pop().unwrap().path, "/v1/messages/count_tokens");
        }
    }
}

/// Clients of Chat Completions that send back nothing but texts and calls continue the calls of
/// Gemini, which refuses calls of the current turn without a signature.
#[tokio::test]
async fn calls_without_their_state_get_what_the_api_documents_for_that() {
    let question = json!({"role": "user", "content": "hi"});
    let call = json!({"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}});
    let result = json!({"role": "tool", "tool_call_id": "c", "content": "done"});
    let signed = |signature: &str| {
        let mut call = call.clone();
        call["extra_content"] = json!({"google": {"thought_signature": signature}});
        json!({"role": "assistant", "content": null, "tool_calls": [call]})
    };
    let bare = json!({"role": "assistant", "content": null, "tool_calls": [call]});
    for (model, sent, expected) in [
        ("gemini-3-pro", bare.clone(), signed("skip_thought_signature_validator")),
        ("gemini-3-pro", signed("s"), signed("s")),
        ("gemini-2.5-flash", bare.clone(), bare.clone()),
    ] {
        let stream = corpus("chat", "text");
        let answer = stream.clone();
        let fake = Fake::start(move |_| Answer::Stream(answer.clone())).await;
        let gateway =
            Gateway::start(&fake.url, &["--upstream-protocol", "chat", "--model", model]).await;
        let body = json!({
            "model": "x",
            "stream": true,
            "custom": {"a": 1},
            "messages": [question, sent, result],
        });
        let response = post(&gateway, "/v1/chat/completions", &body.to_string()).await;
        assert_eq!(response.bytes().await.unwrap(), stream);
        let mut expected = json!({"messages": [question, expected, result]});
        let asked = fake.asked().pop().unwrap().body;
        expected["model"] = json!(model);
        expected["stream"] = json!(true);
        expected["custom"] = json!({"a": 1});
        assert_eq!(asked, expected, "{model}");
    }
}
