//! An A2A server behind axum: JSON-RPC and REST, versions 1.0 and 0.3, tasks that continue after
//! their connection is lost, and the agent card.
//!
//! ```text
//! cargo run --example a2a --features axum
//! curl http://127.0.0.1:8789/.well-known/agent-card.json
//! curl -N -H 'content-type: application/json' http://127.0.0.1:8789/a2a/message:stream \
//!     -d '{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"count to three"}]}}'
//! ```

use std::collections::HashMap;
use std::future::poll_fn;
use std::pin::Pin;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use agentwire::ProtocolKind;
use agentwire::Reader;
use agentwire::a2a::request::{
    ErrorKind, HttpAnswer, Method, OperationCall, RefusedOperation, Reply, SendMessageRequest,
};
use agentwire::a2a::tasks::{self, MemoryTaskStore, TaskStore, found};
use agentwire::a2a::{A2a, card};
use agentwire::adapters::axum::{A2aBody, SseResponse};
use agentwire::builder::RandomIds;
use agentwire::emit::{AnyError, ConversationRequest, EmitOptions, Out, emit};
use agentwire::json::Value;
use axum::extract::State;
use axum::http::{HeaderMap, Method as HttpMethod, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::{Router, routing::any, routing::get, routing::post};
use futures_core::Stream;
use tokio::sync::mpsc;
use tokio::task::AbortHandle;

#[tokio::main]
async fn main() -> ExitCode {
    match listen().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn listen() -> std::io::Result<()> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8789").await?;
    let url = format!("http://{}", listener.local_addr()?);
    eprintln!("{url}/a2a");
    axum::serve(listener, app(&url))
        .with_graceful_shutdown(async { drop(tokio::signal::ctrl_c().await) })
        .await
}

/// Returns the routes of the agent: JSON-RPC at `/a2a`, REST below it, and the agent card at the
/// usual paths.
pub fn app(url: &str) -> Router {
    let card = card::AgentCard {
        name: "Counter".to_owned(),
        description: "Says what you say, word by word.".to_owned(),
        version: "1.0.0".to_owned(),
        url: format!("{url}/a2a"),
        ..Default::default()
    };
    let mut app = Router::new().route("/a2a", post(json_rpc)).route("/a2a/{*path}", any(rest));
    for path in card::CARD_PATHS {
        let card = card.to_json();
        app = app.route(path, get(async || ([(header::CONTENT_TYPE, "application/json")], card)));
    }
    app.with_state(Server::default())
}

async fn json_rpc(
    State(server): State<Server>,
    headers: HeaderMap,
    A2aBody(body): A2aBody,
) -> Response {
    server.answer(OperationCall::of_json_rpc(&body, version(&headers))).await
}

async fn rest(
    State(server): State<Server>,
    http: HttpMethod,
    uri: Uri,
    headers: HeaderMap,
    A2aBody(body): A2aBody,
) -> Response {
    let path = uri.path().strip_prefix("/a2a").unwrap_or_default();
    let query = uri.query().unwrap_or_default();
    server
        .answer(OperationCall::of_rest(http.as_str(), path, query, &body, version(&headers)))
        .await
}

fn version(headers: &HeaderMap) -> &str {
    headers.get("a2a-version").and_then(|version| version.to_str().ok()).unwrap_or_default()
}

/// The running tasks, and the store with the last saved state of all tasks.
#[derive(Clone, Default)]
struct Server {
    store: Arc<MemoryTaskStore>,
    running: Arc<Mutex<HashMap<String, Running>>>,
}

/// A running task.
struct Running {
    /// Builds the current task from the events.
    reader: Reader<A2a>,
    /// The connections that follow the task, which share its events. One that has `WAITING` unread
    /// events is dropped.
    followers: Vec<mpsc::Sender<Arc<Value>>>,
    agent: Option<AbortHandle>,
}

const WAITING: usize = 1024;

/// The number of connections that may follow a task.
const FOLLOWERS: usize = 16;

impl Server {
    async fn answer(&self, call: Result<OperationCall, HttpAnswer>) -> Response {
        let OperationCall { reply, method, .. } = match call {
            Ok(call) => call,
            Err(answer) => return answer.into_response(),
        };
        match self.perform(&reply, method).await {
            Ok(response) => response,
            Err(refusal) => reply.error(refusal.kind, &refusal.message).into_response(),
        }
    }

    async fn perform(&self, reply: &Reply, method: Method) -> Result<Response, RefusedOperation> {
        let result = match method {
            Method::SendMessage { request, streaming } => {
                return self.send(reply, request, streaming).await;
            }
            Method::GetTask { id, history_length } => {
                tasks::shown(found(self.task(&id), &id)?, history_length, true)
            }
            // A server that authenticates its users passes the user instead of `None`.
            Method::ListTasks(asked) => self.store.list(None, &asked)?,
            Method::CancelTask { id } => {
                let task = tasks::canceled(found(self.task(&id), &id)?, now)?;
                self.stop(&id, &task);
                task
            }
            Method::SubscribeToTask { id } => {
                let task = found(self.task(&id), &id)?;
                tasks::may_follow(&task)?;
                let events = self.follow(&id)?;
                let first = Some(Arc::new([("task", task)].into()));
                return Ok(
                    SseResponse(Events { reply: reply.clone(), first, events }).into_response()
                );
            }
            _ => {
                return Err(RefusedOperation::new(
                    ErrorKind::MethodNotFound,
                    "There is no such method.",
                ));
            }
        };
        Ok(reply.result(result).into_response())
    }

    /// Passes a message to the agent, which continues even if the client disconnects.
    async fn send(
        &self,
        reply: &Reply,
        mut request: SendMessageRequest,
        streaming: bool,
    ) -> Result<Response, RefusedOperation> {
        let named = request.message.task_id.clone().unwrap_or_default();
        if self.running().contains_key(&named) {
            return Err(RefusedOperation::new(
                ErrorKind::UnsupportedOperation,
                "The task is running and accepts no messages.",
            ));
        }
        let so_far = request.accept(self.task(&named).as_ref(), &mut RandomIds)?;
        let id = request.message.task_id.clone().unwrap_or_default();
        let context = request.message.context_id.clone().unwrap_or_default();
        let asked = ConversationRequest::of(&request, &mut RandomIds)
            .map_err(|error| RefusedOperation::new(ErrorKind::InvalidParams, error.to_string()))?;
        let echo = Value::from([("task", so_far), ("timestamps", true.into())]);
        let options = EmitOptions::random(ProtocolKind::A2a, now)
            .write(|write| write.session_id(context).response_id(id.clone()).echo(echo));
        let emission = emit(options, async |out| agent(out, asked).await)
            .map_err(|misuse| RefusedOperation::new(ErrorKind::Internal, misuse.to_string()))?;
        let (sender, events) = mpsc::channel(WAITING);
        let running =
            Running { reader: Reader::new(A2a::default()), followers: vec![sender], agent: None };
        self.running().insert(id.clone(), running);
        let worker = tokio::spawn(self.clone().work(id.clone(), Box::pin(emission)));
        if let Some(running) = self.running().get_mut(&id) {
            running.agent = Some(worker.abort_handle());
        }
        if streaming {
            return Ok(
                SseResponse(Events { reply: reply.clone(), first: None, events }).into_response()
            );
        }
        let how = request.configuration.as_ref();
        if how.is_none_or(|how| how.return_immediately != Some(true)) {
            drop(worker.await);
        }
        let mut events = events;
        let task = match self.task(&id) {
            Some(task) => task,
            // The agent has just started. Its first event contains the task.
            None => {
                events.recv().await.and_then(|event| event.get("task").cloned()).unwrap_or_default()
            }
        };
        Ok(reply
            .result(
                [("task", tasks::shown(task, how.and_then(|how| how.history_length), true))].into(),
            )
            .into_response())
    }

    /// Reads the events of the agent, which are A2A 1.0 in JSON-RPC, until it ends.
    async fn work(self, id: String, mut said: Pin<Box<impl Stream<Item = String>>>) {
        let mut state = None;
        while let Some(frames) = poll_fn(|context| said.as_mut().poll_next(context)).await {
            let mut all = self.running();
            let Some(running) = all.get_mut(&id) else { return };
            running.reader.push(frames.as_bytes());
            let events = frames
                .lines()
                .filter_map(|line| Value::parse(line.strip_prefix("data: ")?, 64).ok());
            for event in events.filter_map(|event| event.get("result").cloned().map(Arc::new)) {
                running.followers.retain(|follower| follower.try_send(event.clone()).is_ok());
            }
            let said = running.reader.snapshot().task.as_ref().map(|task| task.state());
            if said != state {
                state = said;
                running.task().into_iter().for_each(|task| self.store.save(None, task));
            }
        }
        let ended = self.running().remove(&id);
        ended
            .and_then(|running| running.task())
            .into_iter()
            .for_each(|task| self.store.save(None, task));
    }

    /// Returns the current task.
    fn task(&self, id: &str) -> Option<Value> {
        let working = self.running().get(id).and_then(Running::task);
        working.or_else(|| self.store.load(None, id))
    }

    /// Returns the following events of a task.
    fn follow(&self, id: &str) -> Result<mpsc::Receiver<Arc<Value>>, RefusedOperation> {
        let (sender, events) = mpsc::channel(WAITING);
        if let Some(running) = self.running().get_mut(id) {
            running.followers.retain(|follower| !follower.is_closed());
            if running.followers.len() >= FOLLOWERS {
                let reason = "The task has too many followers.";
                return Err(RefusedOperation::new(ErrorKind::UnsupportedOperation, reason));
            }
            running.followers.push(sender);
        }
        Ok(events)
    }

    /// Stops the agent of a canceled task and informs the followers.
    fn stop(&self, id: &str, task: &Value) {
        let part = |key: &str| task.get(key).cloned().unwrap_or_default();
        if let Some(running) = self.running().remove(id) {
            running.agent.into_iter().for_each(|agent| agent.abort());
            let update = [
                ("taskId", part("id")),
                ("contextId", part("contextId")),
                ("status", part("status")),
            ];
            let event = Arc::new(Value::from([("statusUpdate", update.into())]));
            running.followers.iter().for_each(|follower| drop(follower.try_send(event.clone())));
        }
        self.store.save(None, task.clone());
    }

    fn running(&self) -> MutexGuard<'_, HashMap<String, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Running {
    fn task(&self) -> Option<Value> {
        let snapshot = Value::parse(&self.reader.snapshot().to_json(), 64).ok()?;
        snapshot.get("task").filter(|task| !task.is_null()).cloned()
    }
}

/// The events of a task, in the version and binding of a request.
struct Events {
    reply: Reply,
    first: Option<Arc<Value>>,
    events: mpsc::Receiver<Arc<Value>>,
}

impl Stream for Events {
    type Item = String;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<String>> {
        let next = match self.first.take() {
            Some(first) => Poll::Ready(Some(first)),
            None => self.events.poll_recv(context),
        };
        next.map(|event| {
            event.map(|event| self.reply.event(Arc::unwrap_or_clone(event)).into_sse())
        })
    }
}

/// Repeats the user's text, word by word.
async fn agent(out: Out, request: ConversationRequest) -> Result<(), AnyError> {
    for word in request.text().split_inclusive(' ') {
        tokio::time::sleep(Duration::from_millis(20)).await;
        out.text(word).await;
    }
    Ok(())
}

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64)
}
