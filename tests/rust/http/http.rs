//! A client of the feature `reqwest` requests streams from a server of the feature `axum`.

use agentwire::a2a::{A2a, TaskState};
use agentwire::adapters::axum::AgentService;
use agentwire::adapters::reqwest::{HttpError, read};
use agentwire::emit::{AnyError, ConversationRequest, Out};
use agentwire::read::AnyOutcome;
use agentwire::{AnyReader, AnySnapshot, EndReason, ProtocolKind, Reader};

use crate::{ask, keep, proxy, serve};

/// Serves the example on a free port while `work` runs.
async fn with_example<T>(work: impl AsyncFnOnce(String) -> T) -> T {
    with_server(serve::app(), work).await
}

/// Serves an application on a free port while `work` runs.
pub async fn with_server<T>(app: axum::Router, work: impl AsyncFnOnce(String) -> T) -> T {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let server = tokio::spawn(async { axum::serve(listener, app).await });
    let done = work(url).await;
    server.abort();
    done
}

#[tokio::test]
async fn the_client_receives_the_text_incrementally() {
    let (outcome, pieces) = with_example(async |url| {
        let mut pieces = Vec::new();
        let outcome =
            ask::ask(&(url + "/process"), "one two three", |piece| pieces.push(piece.to_owned()))
                .await;
        (outcome.unwrap(), pieces)
    })
    .await;
    assert_eq!(
        (outcome.report.end_reason, outcome.report.violations.len()),
        (EndReason::Terminal, 0)
    );
    let said: Vec<String> =
        outcome.snapshot.response.output.iter().map(|message| message.text()).collect();
    assert_eq!(said.last().unwrap(), "one two three");
    let call = &outcome.snapshot.tool_calls[0];
    assert_eq!((call.name.as_deref(), call.state.as_str()), (Some("count_words"), "answered"));
    assert!(pieces.len() >= 2 && pieces.concat() == "one two three", "{pieces:?}");
}

#[tokio::test]
async fn an_agent_error_is_masked() {
    let outcome =
        with_example(async |url| ask::ask(&(url + "/process"), "fail", |_| ()).await.unwrap())
            .await;
    let error = outcome.snapshot.response.error.unwrap();
    assert_eq!(
        (outcome.snapshot.response.status.as_str(), error.code.as_str()),
        ("failed", "AGENT_UNKNOWN_ERROR")
    );
    assert!(
        error.message.starts_with("an internal error happened, its id is error_"),
        "{}",
        error.message
    );
}

/// Returns the result of reading the response to a body, with the protocol of its first event.
async fn answered(path: &str, body: &'static str) -> AnyOutcome {
    with_example(async |url| {
        let asked =
            reqwest::Client::new().post(url + path).header("content-type", "application/json");
        let response = asked.body(body).send().await.unwrap();
        assert!(response.status().is_success(), "{}", response.text().await.unwrap());
        assert_eq!(response.headers()["x-accel-buffering"], "no");
        let run = read(response, AnyReader::new()).await.unwrap();
        run.outcome().await.unwrap()
    })
    .await
}

#[tokio::test]
async fn the_same_agent_serves_ag_kit_and_ag_ui() {
    let ag_kit = r#"{"conversationId":"c","messages":[{"role":"user","content":"hi there"}]}"#;
    let outcome = answered("/send-message", ag_kit).await;
    let AnySnapshot::AgKit(turn) = outcome.snapshot else { panic!("AG-Kit was asked for") };
    assert_eq!((turn.text().as_str(), turn.status.as_str()), ("hi there", "completed"));
    assert!(outcome.report.violations.is_empty());

    let ag_ui = r#"{"threadId":"t","runId":"r","messages":[{"id":"m","role":"user","content":"hi there"}],
        "state":{},"tools":[],"context":[],"forwardedProps":{}}"#;
    let outcome = answered("/ag-ui", ag_ui).await;
    let AnySnapshot::AgUi(thread) = outcome.snapshot else { panic!("AG-UI was asked for") };
    let named = (thread.thread_id.as_deref(), thread.run_id.as_deref(), thread.status.as_str());
    assert_eq!(named, (Some("t"), Some("r"), "finished"));
    assert!(
        thread.messages.last().is_some_and(|said| said.text() == Some("hi there")),
        "{:?}",
        thread.messages
    );
    assert!(outcome.report.violations.is_empty());
}

#[tokio::test]
async fn the_same_agent_serves_openai_responses() {
    let outcome =
        answered("/v1/responses", r#"{"model":"m","input":"hi there","stream":true}"#).await;
    let AnySnapshot::Responses(response) = outcome.snapshot else {
        panic!("Responses were asked for")
    };
    assert_eq!((response.status.as_str(), outcome.report.violations.len()), ("completed", 0));

    let whole = with_example(async |url| {
        let asked = reqwest::Client::new()
            .post(url + "/v1/responses")
            .header("content-type", "application/json");
        asked
            .body(r#"{"model":"m","input":"hi there"}"#)
            .send()
            .await
            .unwrap()
            .text()
            .await
            .unwrap()
    })
    .await;
    let whole: serde_json::Value = serde_json::from_str(&whole).unwrap();
    assert_eq!((&whole["object"], &whole["model"]), (&"response".into(), &"m".into()));
}

#[tokio::test]
async fn the_same_agent_serves_chat_completions() {
    let asked = |stream: bool, text: &str| {
        format!(
            r#"{{"model":"m","messages":[{{"role":"user","content":"{text}"}}],"stream":{stream}}}"#
        )
    };
    with_example(async |url| {
        let post = async |path: &str, body: String| {
            let client = reqwest::Client::new().post(format!("{url}{path}"));
            client.header("content-type", "application/json").body(body).send().await.unwrap()
        };
        let run =
            read(post("/v1/chat/completions", asked(true, "hi there")).await, AnyReader::new())
                .await
                .unwrap();
        let outcome = run.outcome().await.unwrap();
        let AnySnapshot::Chat(completion) = outcome.snapshot else {
            panic!("Chat Completions was asked for")
        };
        assert_eq!((completion.text(), outcome.report.violations.len()), ("hi there", 0));
        assert_eq!(completion.choices[0].finish_reason.as_deref(), Some("stop"));
        assert_eq!(
            completion.choices[0].message.reasoning_content.as_deref(),
            Some("Let me look.")
        );
        assert!(completion.choices[0].message.tool_calls.is_none(), "the agent runs its tools");

        let json = async |response: reqwest::Response| {
            let status = response.status().as_u16();
            let text = response.text().await.unwrap();
            (status, serde_json::from_str::<serde_json::Value>(&text).unwrap())
        };
        let (status, whole) = json(post("/chat/completions", asked(false, "hi there")).await).await;
        assert_eq!((status, &whole["object"]), (200, &"chat.completion".into()));
        assert_eq!(whole["choices"][0]["message"]["content"], "hi there");
        assert_eq!(whole["model"], "m");

        let (status, failed) = json(post("/v1/chat/completions", asked(false, "fail")).await).await;
        assert_eq!((status, &failed["error"]["type"]), (500, &"server_error".into()));
        assert!(!failed.to_string().contains("secret"), "{failed}");
        let (status, refused) =
            json(post("/v1/chat/completions", r#"{"model":"m"}"#.into()).await).await;
        assert_eq!((status, &refused["error"]["param"]), (400, &"messages".into()));
        let empty = r#"{"model":"m","messages":[]}"#;
        let (status, refused) = json(post("/v1/chat/completions", empty.into()).await).await;
        assert_eq!((status, &refused["error"]["param"]), (400, &"messages".into()));
        let get = reqwest::get(format!("{url}/v1/chat/completions")).await.unwrap();
        assert_eq!(json(get).await.1["error"]["code"], "method_not_allowed");
    })
    .await;
}

#[tokio::test]
async fn the_same_agent_is_a_model_of_anthropic_messages() {
    with_example(async |url| {
        let client = reqwest::Client::new();
        let post = async |path: &str, body: String| {
            let client = client.post(format!("{url}{path}"));
            client.header("content-type", "application/json").body(body).send().await.unwrap()
        };
        let asked = |stream: bool, text: &str| {
            format!(
                r#"{{"model":"m","max_tokens":9,"stream":{stream},"messages":[{{"role":"user","content":"{text}"}}]}}"#
            )
        };
        let json = async |response: reqwest::Response| {
            let status = response.status().as_u16();
            let text = response.text().await.unwrap();
            (status, serde_json::from_str::<serde_json::Value>(&text).unwrap())
        };
        let response = post("/v1/messages?beta=true", asked(true, "hi there")).await;
        let run = read(response, AnyReader::new()).await.unwrap();
        let outcome = run.outcome().await.unwrap();
        let AnySnapshot::Anthropic(message) = outcome.snapshot else {
            panic!("Anthropic Messages was asked for")
        };
        assert_eq!((message.text(), outcome.report.violations.len()), ("hi there".into(), 0));
        assert_eq!(message.stop_reason.as_deref(), Some("end_turn"));
        assert_eq!(message.model, "m");

        let (status, whole) = json(post("/v1/messages", asked(false, "hi there")).await).await;
        assert_eq!((status, &whole["type"]), (200, &"message".into()));
        assert_eq!(whole["stop_reason"], "end_turn");

        let (status, failed) = json(post("/v1/messages", asked(false, "fail")).await).await;
        assert_eq!((status, &failed["error"]["type"]), (500, &"api_error".into()));
        assert!(!failed.to_string().contains("secret"), "{failed}");
        let (status, refused) = json(post("/v1/messages", r#"{"model":"m"}"#.into()).await).await;
        let kind = &refused["error"]["type"];
        assert_eq!((status, kind), (400, &"invalid_request_error".into()));
        let empty = r#"{"model":"m","max_tokens":1,"messages":[]}"#;
        for path in ["/v1/messages", "/v1/messages/count_tokens"] {
            let (status, refused) = json(post(path, empty.into()).await).await;
            let kind = &refused["error"]["type"];
            assert_eq!((status, kind), (400, &"invalid_request_error".into()));
        }

        let path = "/v1/messages/count_tokens";
        let (status, count) = json(post(path, asked(false, &"word ".repeat(400))).await).await;
        assert_eq!(status, 200);
        let count = count["input_tokens"].as_u64().unwrap();
        assert!((480..540).contains(&count), "{count}");
        assert_eq!(post(path, "[]".into()).await.status(), 400);

        let get = reqwest::get(format!("{url}/v1/messages")).await.unwrap();
        assert_eq!(json(get).await, (405, serde_json::json!({
            "type": "error",
            "error": { "type": "invalid_request_error", "message": "this path takes POST" },
        })));
        assert_eq!(client.head(&url).send().await.unwrap().status(), 200);
        assert_eq!(reqwest::get(&url).await.unwrap().status(), 404);
    })
    .await;
}

const MESSAGE: &str =
    r#"{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"TEXT"}]}}"#;

#[tokio::test]
async fn the_same_agent_serves_a2a() {
    with_example(async |url| {
        let card = reqwest::get(format!("{url}/.well-known/agent-card.json")).await.unwrap();
        let card: serde_json::Value = serde_json::from_str(&card.text().await.unwrap()).unwrap();
        assert_eq!(
            (&card["name"], &card["url"]),
            (&"Counter".into(), &format!("{url}/a2a").into())
        );

        let post = async |path: &str, body: String| {
            let asked = reqwest::Client::new().post(format!("{url}/a2a{path}"));
            asked.header("content-type", "application/json").body(body).send().await.unwrap()
        };
        let json = async |response: reqwest::Response| {
            serde_json::from_str::<serde_json::Value>(&response.text().await.unwrap()).unwrap()
        };
        let params = MESSAGE.replace("TEXT", "hi there");
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"SendStreamingMessage","params":{params}}}"#
        );
        let run = read(post("", body).await, AnyReader::new()).await.unwrap();
        let outcome = run.outcome().await.unwrap();
        let AnySnapshot::A2a(streamed) = outcome.snapshot else { panic!("A2A was asked for") };
        let task = streamed.task.unwrap();
        assert_eq!((task.state(), outcome.report.violations.len()), (TaskState::Completed, 0));

        let kept =
            reqwest::get(format!("{url}/a2a/tasks/{}", task.id.as_deref().unwrap())).await.unwrap();
        assert_eq!(json(kept).await["status"]["state"], "TASK_STATE_COMPLETED");
        let whole = json(post("/message:send", params).await).await;
        let artifacts = whole["task"]["artifacts"].as_array().unwrap();
        assert_eq!(artifacts.last().unwrap()["parts"][0]["text"], "hi there");
        let refused = post("/message:send", "{}".to_owned()).await;
        assert_eq!(refused.status(), 400);
    })
    .await;
}

#[tokio::test]
async fn a_task_is_canceled_over_another_connection_and_by_disconnecting() {
    with_example(async |url| {
        let client = reqwest::Client::new();
        let state = async |path: String| {
            let asked = client.get(format!("{url}/a2a{path}")).send().await.unwrap();
            let task: serde_json::Value =
                serde_json::from_str(&asked.text().await.unwrap()).unwrap();
            task["status"]["state"].as_str().unwrap_or_default().to_owned()
        };
        for leaves in [false, true] {
            let params = MESSAGE.replace("TEXT", &"word ".repeat(2000));
            let body = format!(
                r#"{{"jsonrpc":"2.0","id":1,"method":"SendStreamingMessage","params":{params}}}"#
            );
            let asked = client.post(format!("{url}/a2a")).body(body);
            let response = asked.header("content-type", "application/json").send().await.unwrap();
            let mut run = read(response, Reader::new(A2a::default())).await.unwrap();
            run.next_changes().await.unwrap();
            let id =
                run.reader().snapshot().task.as_ref().unwrap().id.as_deref().unwrap().to_owned();
            if leaves {
                drop(run);
                while state(format!("/tasks/{id}")).await != "TASK_STATE_CANCELED" {
                    tokio::time::sleep(std::time::Duration::from_millis(10)).await;
                }
            } else {
                let canceled =
                    client.post(format!("{url}/a2a/tasks/{id}:cancel")).send().await.unwrap();
                assert_eq!(canceled.status(), 200);
                let outcome = run.outcome().await.unwrap();
                assert_eq!(outcome.snapshot.task.unwrap().state(), TaskState::Canceled);
                assert!(outcome.report.violations.is_empty(), "{:?}", outcome.report.violations);
                assert_eq!(state(format!("/tasks/{id}")).await, "TASK_STATE_CANCELED");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn only_the_selected_protocols_are_served() {
    let service = AgentService::new(async |_, _, _| Ok(())).protocols([ProtocolKind::AgUi]);
    with_server(axum::Router::new().fallback_service(service), async |url| {
        let status = async |path: &str| {
            reqwest::get(format!("{url}{path}")).await.unwrap().status().as_u16()
        };
        assert_eq!(status("/ag-ui").await, 405);
        for path in ["/process", "/a2a", "/.well-known/agent-card.json", "/ag-ui/below"] {
            assert_eq!(status(path).await, 404, "{path}");
        }
    })
    .await;
}

#[tokio::test]
async fn rejections_match_the_servers_of_each_protocol() {
    with_example(async |url| {
        let post = async |path: &str, body: &'static str| {
            let asked = reqwest::Client::new()
                .post(format!("{url}{path}"))
                .header("content-type", "application/json");
            let answered = asked.body(body).send().await.unwrap();
            read(answered, AnyReader::new()).await
        };
        for (path, body, expected) in [
            ("/process", "[]", r#""type":"dict_type""#),
            ("/send-message", "{}", r#""type":"missing""#),
            ("/send-message", "{", r#""type":"json_invalid""#),
            ("/ag-ui", "{}", r#""type":"missing""#),
        ] {
            let refused: HttpError = post(path, body).await.map(drop).unwrap_err();
            assert_eq!(refused.status, 422, "{path}");
            assert!(refused.body.contains(expected), "{path}: {}", refused.body);
            assert!(refused.to_string().contains("422"));
        }
        let lost = post("/nowhere", "{}").await.map(drop).unwrap_err();
        assert_eq!(lost.status.as_u16(), 404);
        for path in ["/process", "/send-message", "/ag-ui", "/v1/responses", "/a2a", "/api/chat"] {
            assert!(lost.body.contains(path), "{}", lost.body);
        }
        assert!(
            lost.to_string().starts_with("the server answered 404 Not Found (application/json): {"),
            "{lost}"
        );
    })
    .await;
}

#[tokio::test]
async fn an_error_status_has_headers_and_the_start_of_the_body() {
    let long = "忙".repeat(1000);
    let busy = axum::Router::new().fallback(async move || {
        (reqwest::StatusCode::TOO_MANY_REQUESTS, [("retry-after", "7")], long)
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let server = tokio::spawn(async { axum::serve(listener, busy).await });
    let response = reqwest::get(url).await.unwrap();
    let refused = read(response, AnyReader::new()).await.map(drop).unwrap_err();
    server.abort();
    assert_eq!(
        (refused.status.as_u16(), &refused.headers["retry-after"]),
        (429, &"7".parse().unwrap())
    );
    assert_eq!(refused.body.chars().count(), 1000);
    let shown = format!(
        "the server answered 429 Too Many Requests (text/plain; charset=utf-8): {}",
        "忙".repeat(200)
    );
    assert_eq!(refused.to_string(), shown);
}

#[test]
fn an_outcome_round_trips_through_json() {
    for (stream, protocol) in [
        ("tests/data/corpus/agent-api/11_function_call_and_output/stream.sse", "agent-api"),
        ("tests/data/corpus/ag-kit/k01_basic_text/stream.sse", "ag-kit"),
    ] {
        let json = keep::keep(&std::fs::read(stream).unwrap()).unwrap();
        let kept: AnyOutcome = serde_json::from_str(&json).unwrap();
        assert_eq!(kept.snapshot.protocol().as_str(), protocol);
        assert_eq!(kept.report.end_reason, EndReason::Terminal);
    }
}

#[tokio::test]
async fn the_proxy_converts_while_streaming() {
    let body = r#"{"threadId":"t","runId":"r","messages":[{"id":"m","role":"user","content":"hi there"}],
        "state":{},"tools":[],"context":[],"forwardedProps":{}}"#;
    let ask = async |url: String| {
        let asked =
            reqwest::Client::new().post(url + "/ag-ui").header("content-type", "application/json");
        asked.body(body).send().await.unwrap()
    };
    let outcome = with_example(async |url| {
        with_server(proxy::app(url + "/v1/responses"), async |url| {
            let run = read(ask(url).await, AnyReader::new()).await.unwrap();
            run.outcome().await.unwrap()
        })
        .await
    })
    .await;
    let AnySnapshot::AgUi(thread) = outcome.snapshot else { panic!("AG-UI was asked for") };
    assert_eq!((thread.thread_id.as_deref(), thread.run_id.as_deref()), (Some("t"), Some("r")));
    assert_eq!(thread.messages.last().and_then(|said| said.text()), Some("hi there"));
    assert_eq!(
        (outcome.report.end_reason, outcome.report.violations.len()),
        (EndReason::Terminal, 0)
    );

    let gone = with_server(proxy::app("http://127.0.0.1:1/".to_owned()), async |url| {
        ask(url).await.status()
    })
    .await;
    assert_eq!(gone, 502);
}

/// A form of another site cannot start the agent: its bodies are not sent as JSON.
#[tokio::test]
async fn a_body_with_another_content_type_is_rejected() {
    with_example(async |url| {
        let client = reqwest::Client::new();
        for path in
            ["/process", "/send-message", "/ag-ui", "/v1/responses", "/a2a", "/a2a/message:send"]
        {
            for kind in ["text/plain", "application/x-www-form-urlencoded", ""] {
                let mut request = client.post(format!("{url}{path}")).body("{}");
                if !kind.is_empty() {
                    request = request.header("content-type", kind);
                }
                assert_eq!(request.send().await.unwrap().status(), 415, "{path}, {kind}");
            }
        }
        let other = client
            .post(format!("{url}/a2a"))
            .header("content-type", "application/a2a+json; charset=utf-8");
        assert_ne!(other.body("{}").send().await.unwrap().status(), 415);
    })
    .await;
}

/// A task belongs to the user who started it: for other users, and without a user, it does not
/// exist.
#[tokio::test]
async fn a_task_belongs_to_its_user() {
    let service = AgentService::new(async |out, _, _| {
        out.interrupt("i1", None, &"Go on?".into()).await;
        Ok(())
    });
    let service =
        service.user(|request| Some(request.headers().get("x-user")?.to_str().ok()?.to_owned()));
    with_server(axum::Router::new().fallback_service(service), async |url| {
        let call = async |user: &str, method: &str, params: String| {
            let asked = reqwest::Client::new()
                .post(format!("{url}/a2a"))
                .header("content-type", "application/json");
            let asked = if user.is_empty() { asked } else { asked.header("x-user", user) };
            let body =
                format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#);
            let text = asked.body(body).send().await.unwrap().text().await.unwrap();
            let text = text.strip_prefix("data: ").unwrap_or(&text);
            serde_json::from_str::<serde_json::Value>(text.trim()).unwrap()
        };
        for owner in ["alice", ""] {
            let started = call(owner, "SendMessage", MESSAGE.replace("TEXT", "hi")).await;
            let task = &started["result"]["task"];
            assert_eq!(task["status"]["state"], "TASK_STATE_INPUT_REQUIRED", "{started}");
            let (id, context) = (task["id"].as_str().unwrap(), task["contextId"].as_str().unwrap());
            let named = format!(r#"{{"id":"{id}"}}"#);
            let message = MESSAGE.replace(r#""role""#, &format!(r#""taskId":"{id}","role""#));
            for other in ["alice", "bob", "ALICE", ""].into_iter().filter(|other| *other != owner) {
                for (method, params) in [
                    ("GetTask", &named),
                    ("CancelTask", &named),
                    ("SubscribeToTask", &named),
                    ("SendMessage", &message),
                    ("SendStreamingMessage", &message),
                ] {
                    let refused = call(other, method, params.clone()).await;
                    assert_eq!(refused["error"]["code"], -32001, "{other}, {method}: {refused}");
                }
                let listed =
                    call(other, "ListTasks", format!(r#"{{"contextId":"{context}"}}"#)).await;
                assert_eq!(listed["result"]["totalSize"], 0, "{listed}");
                let all = call(other, "ListTasks", "{}".into()).await;
                assert!(!all.to_string().contains(id), "{all}");
            }
            assert_eq!(call(owner, "GetTask", named.clone()).await["result"]["id"], id);
            let listed = call(owner, "ListTasks", format!(r#"{{"contextId":"{context}"}}"#)).await;
            assert_eq!(listed["result"]["tasks"][0]["id"], id);
            let all = call(owner, "ListTasks", "{}".into()).await;
            // Without a user, the tasks of all callers would be listed.
            assert_eq!(all["result"]["tasks"][0]["id"] == id, owner == "alice", "{all}");
            let canceled = call(owner, "CancelTask", named).await;
            assert_eq!(canceled["result"]["status"]["state"], "TASK_STATE_CANCELED");
        }
    })
    .await;
}

/// The status of an upstream is the status of the response, if the agent has written nothing.
#[tokio::test]
async fn an_agent_passes_on_the_status_of_its_upstream() {
    let busy = axum::Router::new().fallback(async || {
        (
            reqwest::StatusCode::TOO_MANY_REQUESTS,
            [("retry-after", "7"), ("x-secret", "secret")],
            "secret",
        )
    });
    with_server(busy, async |upstream| {
        let service = AgentService::new(move |out: Out, request: ConversationRequest, _| {
            let upstream = upstream.clone();
            async move {
                if request.text() == "late" {
                    out.text("half").await;
                }
                drop(read(reqwest::get(upstream).await?, AnyReader::new()).await?);
                Ok::<(), AnyError>(())
            }
        });
        with_server(axum::Router::new().fallback_service(service), async |url| {
            let post = async |path: &str, body: String| {
                let asked = reqwest::Client::new().post(format!("{url}{path}"));
                asked.header("content-type", "application/json").body(body).send().await.unwrap()
            };
            for stream in [true, false] {
                let body = format!(r#"{{"model":"m","input":"hi","stream":{stream}}}"#);
                let refused = post("/v1/responses", body.clone()).await;
                assert_eq!(
                    (refused.status().as_u16(), &refused.headers()["retry-after"]),
                    (429, &"7".parse().unwrap())
                );
                assert!(!refused.headers().contains_key("x-secret"));
                let refused = refused.text().await.unwrap();
                assert!(
                    refused.contains(r#""code":"MODEL_HTTP_429""#) && !refused.contains("secret"),
                    "{refused}"
                );
                let late = post("/v1/responses", body.replace("hi", "late")).await;
                assert_eq!(late.status(), 200);
                let late = late.text().await.unwrap();
                assert!(
                    late.contains("failed") && late.contains("half") && !late.contains("secret"),
                    "{late}"
                );
            }
            let ag_kit = r#"{"conversationId":"c","messages":[{"role":"user","content":"hi"}]}"#;
            let refused = post("/send-message", ag_kit.into()).await;
            assert_eq!(refused.status(), 429);
            assert!(
                refused.text().await.unwrap().starts_with(r#"{"detail":"the model answered 429, "#)
            );
            let task = post("/a2a/message:send", MESSAGE.replace("TEXT", "hi")).await;
            assert_eq!(task.status(), 200);
            assert!(task.text().await.unwrap().contains("TASK_STATE_FAILED"));
        })
        .await;
    })
    .await;
}

/// Responses are stored by the agent, or not at all.
#[tokio::test]
async fn an_agent_may_store_responses() {
    let service = || {
        AgentService::new(async |out, request, _| {
            let is_named = |member: &&agentwire::json::Member| member.key == "previous_response_id";
            let named = request
                .as_agent_request()
                .extra
                .iter()
                .find(is_named)
                .map(|member| member.value.to_json());
            out.text(&named.unwrap_or_default()).await;
            Ok(())
        })
    };
    let body = r#"{"model":"m","input":"hi","store":true,"previous_response_id":"resp_1"}"#;
    for (service, status, said) in [
        (service(), 400, r#""param":"previous_response_id","code":"previous_response_not_found""#),
        (service().stores_responses(), 200, r#""store":true"#),
    ] {
        with_server(axum::Router::new().fallback_service(service), async |url| {
            let asked = reqwest::Client::new().post(format!("{url}/v1/responses"));
            let response =
                asked.header("content-type", "application/json").body(body).send().await.unwrap();
            assert_eq!(response.status(), status);
            let text = response.text().await.unwrap();
            assert!(text.contains(said) && text.contains("resp_1"), "{text}");
        })
        .await;
    }
}
