//! The A2A server of the examples, over HTTP: both bindings, tasks that outlive their connection,
//! refusals.

use agentwire::a2a::tasks::state;
use agentwire::json::Value;

use crate::a2a_server as server;

/// Serves the example on a free port while `work` runs.
async fn served<T>(work: impl AsyncFnOnce(String) -> T) -> T {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let app = server::app(&url);
    let server = tokio::spawn(async { axum::serve(listener, app).await });
    let done = work(url).await;
    server.abort();
    done
}

/// Sends a request; returns the status and the body of the response.
async fn request(url: &str, body: Option<String>) -> (u16, String) {
    let client = reqwest::Client::new();
    let request = match body {
        Some(body) => client.post(url).body(body),
        None => client.get(url),
    };
    let response = request.header("content-type", "application/json").send().await.unwrap();
    (response.status().as_u16(), response.text().await.unwrap())
}

fn rpc(method: &str, params: &str) -> Option<String> {
    Some(format!(r#"{{"jsonrpc":"2.0","id":"q","method":"{method}","params":{params}}}"#))
}

fn message(text: &str) -> String {
    format!(r#"{{"message":{{"messageId":"m","role":"ROLE_USER","parts":[{{"text":"{text}"}}]}}}}"#)
}

fn json(text: &str) -> Value {
    Value::parse(text, 64).unwrap()
}

fn at<'v>(value: &'v Value, path: &str) -> &'v Value {
    path.split('.').fold(value, |value, key| match value {
        Value::Array(items) => &items[key.parse::<usize>().unwrap()],
        value => value.get(key).unwrap_or_else(|| panic!("{key} of {path} in {}", value.to_json())),
    })
}

#[tokio::test]
async fn a_task_is_streamed_and_stored() {
    served(async |url| {
        let (status, card) = request(&format!("{url}/.well-known/agent-card.json"), None).await;
        assert_eq!(
            (status, at(&json(&card), "url").as_str()),
            (200, Some(format!("{url}/a2a").as_str()))
        );

        let body = rpc("SendStreamingMessage", &message("one two three"));
        let (_, events) = request(&format!("{url}/a2a"), body).await;
        let events: Vec<Value> =
            events.lines().filter_map(|line| line.strip_prefix("data: ")).map(json).collect();
        let id = at(&events[0], "result.task.id").as_str().unwrap();
        let last = at(events.last().unwrap(), "result.statusUpdate.status");
        assert_eq!(at(last, "state").as_str(), Some("TASK_STATE_COMPLETED"));
        assert!(
            at(last, "timestamp")
                .as_str()
                .is_some_and(|time| time.starts_with("20") && time.ends_with('Z'))
        );

        let (_, got) =
            request(&format!("{url}/a2a"), rpc("GetTask", &format!(r#"{{"id":"{id}"}}"#))).await;
        let task = json(&got);
        assert_eq!(at(&task, "result.artifacts.0.parts.0.text").as_str(), Some("one two three"));
        assert_eq!(state(at(&task, "result")), "TASK_STATE_COMPLETED");
        let context = at(&task, "result.contextId").as_str().unwrap();
        let (_, listed) = request(&format!("{url}/a2a/tasks?contextId={context}"), None).await;
        assert_eq!(at(&json(&listed), "tasks.0.id").as_str(), Some(id));

        // The same in 0.3, whose REST binding has another form of parts.
        let (_, old) = request(&format!("{url}/a2a/v1/tasks/{id}"), None).await;
        assert_eq!(at(&json(&old), "history.0.content.0.text").as_str(), Some("one two three"));
        let (status, refused) =
            request(&format!("{url}/a2a/v1/tasks/{id}:cancel"), Some(String::new())).await;
        assert_eq!((status, at(&json(&refused), "code")), (409, &Value::from(-32002)));
    })
    .await;
}

#[tokio::test]
async fn a_task_is_followed_and_canceled_over_other_connections() {
    served(async |url| {
        let words = "word ".repeat(200);
        let how = r#","configuration":{"returnImmediately":true}}"#;
        let params = message(&words).strip_suffix('}').unwrap().to_owned() + how;
        let (_, begun) = request(&format!("{url}/a2a/message:send"), Some(params)).await;
        let task = json(&begun);
        let id = at(&task, "task.id").as_str().unwrap();
        let more = message("more").replace("\"role\"", &format!("\"taskId\":\"{id}\",\"role\""));
        let (status, _) = request(&format!("{url}/a2a/message:send"), Some(more)).await;
        assert_eq!(status, 400);

        let follow = format!("{url}/a2a/tasks/{id}:subscribe");
        let following = tokio::spawn(async move { request(&follow, None).await.1 });
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        let (status, canceled) =
            request(&format!("{url}/a2a/tasks/{id}:cancel"), Some(String::new())).await;
        assert_eq!((status, state(&json(&canceled))), (200, "TASK_STATE_CANCELED"));
        let followed = following.await.unwrap();
        let last = followed.lines().rfind(|line| line.starts_with("data: ")).unwrap();
        assert_eq!(
            at(&json(&last["data: ".len()..]), "statusUpdate.status.state").as_str(),
            Some("TASK_STATE_CANCELED")
        );
        let (status, _) = request(&format!("{url}/a2a/tasks/{id}:subscribe"), None).await;
        assert_eq!(status, 400);
        assert_eq!(request(&format!("{url}/a2a/tasks/nobody"), None).await.0, 404);
    })
    .await;
}
