//! Messages to tasks: invalid ones are refused. The store of tasks.

use agentwire::a2a::request::{ListTasks, Message, OperationCall, Part, SendMessageRequest};
use agentwire::a2a::tasks::{self, MemoryTaskStore, TaskStore};
use agentwire::agent_api::request::AgentRequest;
use agentwire::builder::Counter;
use agentwire::hub::Losses;
use agentwire::json::Value;

use crate::convert;

fn waiting() -> Value {
    Value::parse(
        r#"{"id":"t","contextId":"c","status":{"state":"TASK_STATE_INPUT_REQUIRED","message":{"messageId":"q","role":"ROLE_AGENT",
            "parts":[{"text":"Delete?"},{"data":{"id":"approval_1","payload":{}}}]}},"artifacts":[{"artifactId":"a","parts":[]}],
            "history":[{"messageId":"m0","role":"ROLE_USER","parts":[{"text":"delete"}]}]}"#,
        16,
    )
    .unwrap()
}

/// Returns the request that the agent receives for a reply to the waiting task.
fn answered(part: Part) -> String {
    let mut message = Message::user("m1", vec![part]);
    message.task_id = Some("t".into());
    let mut request = SendMessageRequest::new(message);
    let so_far = request.accept(Some(&waiting()), &mut Counter::default()).unwrap();
    let history = so_far.get("history").map(Value::to_json).unwrap();
    assert!(history.contains("m0") && history.contains("m1"), "{history}");
    assert!(so_far.get("artifacts").is_some());
    let asked: AgentRequest = convert(&request, &mut Losses::default());
    asked.to_json(agentwire::agent_api::Style::Compact)
}

#[test]
fn only_an_explicit_approval_approves() {
    for (part, approves) in [
        (Part::text("yes"), true),
        (Part::text(" Approve. "), true),
        (Part::text("no"), false),
        (Part::text("whatever"), false),
        (Part::data(true.into()), true),
        (Part::data([("approved", true.into())].into()), true),
        (Part::data([("approve", false.into())].into()), false),
        (
            Part::data(
                [("approval_request_id", "approval_1".into()), ("approve", true.into())].into(),
            ),
            true,
        ),
    ] {
        let asked = answered(part.clone());
        assert!(asked.contains(r#""type":"mcp_approval_response""#), "{asked}");
        assert!(asked.contains(r#""approval_request_id":"approval_1""#), "{asked}");
        assert!(asked.contains(&format!(r#""approve":{approves}"#)), "{part:?}: {asked}");
    }
}

#[test]
fn invalid_messages_to_a_task_are_rejected() {
    let accept = |task_id: &str, context: &str, task: Option<Value>| {
        let mut request = SendMessageRequest::user("m", "hi");
        request.message.task_id = Some(task_id.into());
        request.message.context_id = Some(context.into());
        request
            .accept(task.as_ref(), &mut Counter::default())
            .map_err(|refusal| refusal.kind.code())
    };
    assert_eq!(accept("x", "", None), Err(-32001));
    assert_eq!(accept("t", "other", Some(waiting())), Err(-32602));
    let at = || 86_399;
    let canceled = tasks::canceled(waiting(), at).unwrap();
    let timestamp = canceled.get("status").and_then(|status| status.get("timestamp"));
    assert_eq!(timestamp, Some(&"1970-01-01T23:59:59Z".into()));
    assert_eq!(accept("t", "c", Some(canceled.clone())), Err(-32004));
    assert_eq!(tasks::may_follow(&canceled).unwrap_err().kind.code(), -32004);
    assert_eq!(tasks::canceled(canceled.clone(), || 0), Ok(canceled));
    let mut completed = waiting();
    completed.insert("status", [("state", "TASK_STATE_COMPLETED".into())].into());
    assert_eq!(tasks::canceled(completed, at).unwrap_err().kind.code(), -32002);
    assert!(accept("", "", None).is_ok());
}

/// A task of a conversation, whose artifacts have so many bytes.
fn task(id: &str, context: &str, bytes: usize) -> Value {
    let parts = Value::Array(vec![[("text", "x".repeat(bytes).into())].into()]);
    [
        ("id", id.into()),
        ("contextId", context.into()),
        ("status", [("state", "TASK_STATE_WORKING".into())].into()),
        ("artifacts", Value::Array(vec![[("artifactId", "a".into()), ("parts", parts)].into()])),
    ]
    .into()
}

/// The tasks that a request of this conversation selects.
fn of(context: Option<&str>) -> ListTasks {
    let mut query = ListTasks::default();
    query.context_id = context.map(Into::into);
    query
}

fn ids(page: &Value) -> Vec<String> {
    let Some(Value::Array(tasks)) = page.get("tasks") else { panic!("{}", page.to_json()) };
    tasks.iter().filter_map(|task| Some(task.get("id")?.as_str()?.to_owned())).collect()
}

#[test]
fn tasks_are_stored_and_listed_in_pages() {
    let store = MemoryTaskStore::new(5, usize::MAX);
    let user = Some("u");
    for number in 0..8 {
        let context = if number % 2 == 0 { "even" } else { "odd" };
        store.save(user, task(&format!("t{number}"), context, 1));
    }
    assert!(store.load(user, "t2").is_none() && store.load(user, "t3").is_some());
    let mut asked = ListTasks::default();
    asked.page_size = Some(2);
    let mut all = Vec::new();
    loop {
        let page = store.list(user, &asked).unwrap();
        all.extend(ids(&page));
        assert_eq!(page.get("totalSize"), Some(&5.into()));
        assert!(!page.to_json().contains("artifacts"));
        match page.get("nextPageToken").and_then(Value::as_str).filter(|token| !token.is_empty()) {
            Some(token) => asked.page_token = Some(token.into()),
            None => break,
        }
    }
    assert_eq!(all, ["t7", "t6", "t5", "t4", "t3"]);
    let mut odd = of(Some("odd"));
    odd.include_artifacts = true;
    let page = store.list(user, &odd).unwrap();
    assert_eq!(ids(&page), ["t7", "t5", "t3"]);
    assert!(page.to_json().contains("artifacts"));
    odd.status = Some("TASK_STATE_COMPLETED".into());
    assert!(ids(&store.list(user, &odd).unwrap()).is_empty());
}

#[test]
fn tasks_of_other_owners_do_not_exist() {
    let store = MemoryTaskStore::default();
    for owner in [Some("a"), Some("b"), Some(""), None] {
        store.save(owner, task(&format!("of {owner:?}"), "c", 1));
        // The same id is another task.
        store.save(owner, task("same", &format!("{owner:?}"), 1));
    }
    for owner in [Some("a"), Some("b"), Some(""), None] {
        for other in [Some("a"), Some("b"), Some(""), None] {
            let found = store.load(owner, &format!("of {other:?}")).is_some();
            assert_eq!(found, owner == other, "{owner:?} {other:?}");
        }
        let context = store.load(owner, "same").unwrap().get("contextId").cloned();
        assert_eq!(context, Some(format!("{owner:?}").as_str().into()));
        assert_eq!(ids(&store.list(owner, &of(Some("c"))).unwrap()), [format!("of {owner:?}")]);
    }
    assert_eq!(ids(&store.list(Some("a"), &of(None)).unwrap()).len(), 2);
    let refused = store.list(None, &of(None)).unwrap_err();
    assert_eq!(refused.kind.code(), -32602);
    assert!(refused.message.contains("contextId"), "{}", refused.message);
}

#[test]
fn kept_tasks_and_pages_are_limited_in_bytes() {
    let store = MemoryTaskStore::new(1000, 1 << 20);
    (0..100).for_each(|number| store.save(None, task(&number.to_string(), "c", 100_000)));
    assert_eq!(ids(&store.list(None, &of(Some("c"))).unwrap()).len(), 10);
    assert!(store.load(None, "90").is_some() && store.load(None, "89").is_none());
    // A task that is saved again is not counted twice.
    (0..50).for_each(|_| store.save(None, task("99", "c", 100_000)));
    assert_eq!(ids(&store.list(None, &of(Some("c"))).unwrap()).len(), 10);
    // One that exceeds the limit is not kept, nor is its earlier state.
    store.save(None, task("99", "c", 2 << 20));
    assert!(store.load(None, "99").is_none());

    let store = MemoryTaskStore::default();
    (0..8).for_each(|number| store.save(None, task(&number.to_string(), "c", 1 << 20)));
    store.save(None, task("large", "c", 9 << 20));
    let mut asked = of(Some("c"));
    asked.include_artifacts = true;
    let mut pages = Vec::new();
    loop {
        let page = store.list(None, &asked).unwrap();
        pages.push(ids(&page).len());
        assert_eq!(page.get("totalSize"), Some(&9.into()));
        match page.get("nextPageToken").and_then(Value::as_str).filter(|token| !token.is_empty()) {
            Some(token) => asked.page_token = Some(token.into()),
            None => break,
        }
    }
    assert_eq!(pages, [1, 3, 3, 2]);
    // Without their artifacts they are short.
    assert_eq!(ids(&store.list(None, &of(Some("c"))).unwrap()).len(), 9);
}

/// Refusals quote at most a kilobyte of a value.
#[test]
fn refusals_are_short() {
    let long = "é".repeat(100_000);
    let rpc = |method: &str, params: &str| {
        OperationCall::of_json_rpc(
            &format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#),
            "1.0",
        )
    };
    let refused = [
        rpc(&long, "{}").unwrap_err().body,
        OperationCall::of_json_rpc("{}", &long).unwrap_err().body,
        OperationCall::of_json_rpc(
            r#"{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"t"}}"#,
            &long,
        )
        .unwrap_err()
        .body,
        OperationCall::of_rest("GET", &format!("/{long}"), "", "", "1.0").unwrap_err().body,
        OperationCall::of_rest(
            "GET",
            "/tasks",
            &format!("pageToken={long}&pageSize={long}"),
            "",
            "1.0",
        )
        .unwrap_err()
        .body,
        OperationCall::of_json_rpc(&format!(r#"{{"jsonrpc":"2.0","id":"{long}"}}"#), "1.0")
            .unwrap_err()
            .body,
        tasks::found(None, &long).unwrap_err().message,
    ];
    for body in refused {
        assert!(body.len() < 2000, "{} bytes: {}", body.len(), &body[..200]);
    }
    let ended = [
        ("id", long.as_str().into()),
        ("status", [("state", "TASK_STATE_COMPLETED".into())].into()),
    ];
    let mut request = SendMessageRequest::user("m", "hi");
    request.message.task_id = Some(long.clone());
    let refused = request.accept(Some(&ended.into()), &mut Counter::default()).unwrap_err();
    assert!(
        refused.message.len() < 1000 && refused.message.contains("has ended"),
        "{}",
        refused.message
    );
}
