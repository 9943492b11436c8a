//! The agent of the tests: that of `tests/js/support/runs_agent.mjs`.

use std::path::Path;
use std::time::Duration;

use agentwire::adapters::axum::runs::{BlobStore, FolderBlobs, MemoryBlobs, RunsEndpoints};
use agentwire::adapters::axum::{AgentContext, AgentService, WhileRunning};
use agentwire::ag_ui::request::{ContentPart, InputContent, InputMessage, RunAgentInput};
use agentwire::emit::{AnyError, ConversationRequest, Out};
use agentwire::json::Value;
use agentwire::stores::LogStore;
use axum::http::request::Parts;

/// Does what the last message of the user asks: `count N MS` sends N numbers, one each MS
/// milliseconds, or all at once; `recall` repeats the earlier messages of the user; `who` names the
/// user; `fail` returns an error; `hang` never continues; `last` waits until it must stop, and then
/// sends its last word; `call` calls a tool of the client, whose result is answered with the roles
/// of all messages.
pub async fn agent(
    out: Out,
    request: ConversationRequest,
    context: AgentContext,
) -> Result<(), AnyError> {
    let input = RunAgentInput::parse(&request.native().ok_or("a request of AG-UI")?.body)?;
    if let Some(InputMessage::Tool { .. }) = input.messages.last() {
        let roles = input.messages.iter().map(|message| match message {
            InputMessage::User { .. } => "user",
            InputMessage::Assistant { .. } => "assistant",
            InputMessage::Tool { .. } => "tool",
            _ => "instructions",
        });
        out.text(&roles.collect::<Vec<_>>().join(" ")).await;
        return Ok(());
    }
    let texts: Vec<String> = input.messages.iter().filter_map(text_of).collect();
    let (last, earlier) = texts.split_last().ok_or("a message of the user")?;
    let mut words = last.split(' ');
    match words.next() {
        Some("fail") => return Err("a secret of the agent".into()),
        Some("hang") => std::future::pending().await,
        Some("recall") => out.text(&earlier.join("|")).await,
        Some("who") => {
            out.text(&format!("{} here", context.user.as_deref().unwrap_or_default())).await
        }
        Some("call") => {
            let call = out.call_with_id("position", "c1").await;
            call.arguments("{}").await;
            call.complete().await;
        }
        Some("last") => {
            out.text("first ").await;
            context.stopped().await;
            out.text("last").await;
        }
        _ => count(&out, words, "").await,
    }
    Ok(())
}

/// Writes numbers: as many as the first word, one each so many milliseconds as the second, or all at
/// once. Each is followed by a text.
pub async fn count<'w>(out: &Out, mut words: impl Iterator<Item = &'w str>, after: &str) {
    let mut number = || words.next().and_then(|word| word.parse().ok());
    let (count, pause) = (number().unwrap_or(3), number().unwrap_or(0));
    for at in 1..=count {
        if pause > 0 {
            tokio::time::sleep(Duration::from_millis(pause)).await;
        }
        out.text(&format!("{at} {after}")).await;
    }
}

fn text_of(message: &InputMessage) -> Option<String> {
    match message {
        InputMessage::User { content: InputContent::Text(text), .. } => Some(text.clone()),
        InputMessage::User { content: InputContent::Parts(parts), .. } => Some(
            parts
                .iter()
                .filter_map(|part| {
                    if let ContentPart::Text { text, .. } = part { Some(&**text) } else { None }
                })
                .collect(),
        ),
        _ => None,
    }
}

/// The user is the token up to a dot, so that a user can have several tokens.
pub async fn user(request: Parts) -> Result<Option<String>, AnyError> {
    let header = request.headers.get("authorization").and_then(|value| value.to_str().ok());
    let token = header.and_then(|header| header.strip_prefix("Bearer ")).unwrap_or_default();
    Ok(token.split('.').next().filter(|user| !user.is_empty()).map(str::to_owned))
}

/// Gives a service a store and the runs endpoints, whose attachments are in a folder or in memory.
/// `options` are those of `createHandler` in JavaScript.
pub fn with_runs(
    service: AgentService,
    store: impl LogStore,
    folder: Option<&Path>,
    options: &Value,
) -> AgentService {
    match folder {
        None => on(service, store, MemoryBlobs::default(), options),
        Some(folder) => on(service, store, FolderBlobs::new(folder.join("blobs")), options),
    }
}

fn on(
    service: AgentService,
    store: impl LogStore,
    blobs: impl BlobStore,
    options: &Value,
) -> AgentService {
    let number = |group: &str, name: &str| match options.get(group)?.get(name)? {
        Value::Number(digits) => digits.parse::<u64>().ok(),
        _ => None,
    };
    let set = |target: &mut usize, name: &str| {
        *target = number("limits", name).map_or(*target, |number| number as usize);
    };
    let time = |target: &mut Duration, group: &str, name: &str| {
        *target = number(group, name).map_or(*target, Duration::from_millis);
    };
    let while_running = match options.get("whileRunning").and_then(Value::as_str) {
        Some("enqueue") => WhileRunning::Enqueue,
        Some("interrupt") => WhileRunning::Interrupt,
        _ => WhileRunning::Refuse,
    };
    let endpoints =
        RunsEndpoints::default().blobs(blobs).secret("a secret for addresses").transcribe(
            async |recording| Ok(format!("{:?} of {}", recording.duration, recording.user)),
        );
    let endpoints = match number("retention", "logBytes") {
        Some(bytes) => endpoints.log_bytes(bytes),
        None => endpoints,
    };
    service.store(store).while_running(while_running).runs(endpoints).store_limits(|limits| {
        set(&mut limits.user_runs, "userRuns");
        set(&mut limits.user_connections, "userConnections");
        set(&mut limits.thread_connections, "threadConnections");
        set(&mut limits.user_tasks, "userTasks");
        time(&mut limits.run_time, "limits", "runMs");
        time(&mut limits.keep_alive, "limits", "keepAliveMs");
        time(&mut limits.log_time, "retention", "logMs");
        time(&mut limits.answer_time, "retention", "answerMs");
        time(&mut limits.task_time, "retention", "taskMs");
    })
}
