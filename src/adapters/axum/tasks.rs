//! A2A: tasks whose agent works as long as their connection is open.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::future::poll_fn;
use std::pin::Pin;
use std::string::String;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker, ready};

use axum_core::extract::{FromRequest as _, Request};
use axum_core::response::{IntoResponse, Response};
use futures_core::Stream;

use super::service::{AgentContext, AgentService, Asked, Running};
use super::{A2aBody, SseResponse, answer};
use crate::convert::{ProtocolRequest as _, RawRequest};
use crate::core::declare::model::member::object_to_json;
use crate::core::id::{Clock, RandomIds};
use crate::emit::ConversationRequest;
use crate::json::Value;
use crate::protocols::ProtocolKind;
use crate::protocols::a2a::request::{
    ErrorKind, HttpAnswer, ListTasks, Method, OperationCall, RefusedOperation, Reply,
    SendMessageRequest,
};
use crate::protocols::a2a::tasks::{self, MemoryTaskStore, TaskStore, found};
use crate::protocols::a2a::{A2a, TaskState};
use crate::read::reader::Reader;

/// The tasks of a service.
#[derive(Clone, Default)]
pub(super) struct Tasks {
    store: Arc<MemoryTaskStore>,
    running: Arc<Mutex<BTreeMap<String, RunningTask>>>,
}

/// A task at which the agent works.
#[derive(Default)]
struct RunningTask {
    /// The task after another connection has canceled it.
    canceled: Option<Value>,
    /// Wakes the connection of the task.
    waker: Option<Waker>,
}

impl Tasks {
    /// Responds to a request at `/a2a` (JSON-RPC) or below it (REST).
    pub async fn respond(&self, service: &AgentService, request: Request) -> Response {
        let (context, request) = AgentContext::of(ProtocolKind::A2a, request);
        let version =
            request.headers().get("a2a-version").and_then(|version| version.to_str().ok());
        let version: String = version.unwrap_or_default().into();
        let (method, uri) = (request.method().clone(), request.uri().clone());
        let body = match A2aBody::from_request(request, &()).await {
            Ok(A2aBody(body)) => body,
            Err(rejection) => return rejection,
        };
        let path = uri.path().strip_prefix("/a2a").unwrap_or_default();
        let call = match path {
            "" if method == http::Method::POST => OperationCall::of_json_rpc(&body, &version),
            _ => OperationCall::of_rest(
                method.as_str(),
                path,
                uri.query().unwrap_or_default(),
                &body,
                &version,
            ),
        };
        let OperationCall { reply, method, .. } = match call {
            Ok(call) => call,
            Err(rejection) => return rejection.into_response(),
        };
        drop(body);
        match self.perform(service, context, &reply, method).await {
            Ok(response) => response,
            Err(refusal) => reply.error(refusal.kind, &refusal.message).into_response(),
        }
    }

    async fn perform(
        &self,
        service: &AgentService,
        context: AgentContext,
        reply: &Reply,
        method: Method,
    ) -> Result<Response, RefusedOperation> {
        let owner = context.user.as_deref();
        let load = |id: &str| found(self.store.load(owner, id), id);
        let result = match method {
            Method::SendMessage { request, streaming } => {
                return self.send(service, context, reply, request, streaming).await;
            }
            Method::GetTask { id, history_length } => {
                tasks::shown(load(&id)?, history_length, true)
            }
            Method::ListTasks(query) => self.store.list(owner, &query)?,
            Method::CancelTask { id } => {
                let task = tasks::canceled(load(&id)?, service.clock())?;
                if let Some(work) = self.running().get_mut(&id) {
                    work.canceled = Some(task.clone());
                    if let Some(waker) = work.waker.take() {
                        waker.wake();
                    }
                }
                self.store.save(owner, task.clone());
                task
            }
            Method::SubscribeToTask { id } => {
                tasks::may_follow(&load(&id)?)?;
                let reason = "A task is streamed to the connection that started it.";
                return Err(RefusedOperation::new(ErrorKind::UnsupportedOperation, reason));
            }
        };
        Ok(reply.result(result).into_response())
    }

    /// Whether a task in the conversation that a message names has been completed. A message that
    /// follows a failed task repeats its message.
    fn continues(&self, owner: Option<&str>, request: &SendMessageRequest) -> bool {
        let context_id = request.message.context_id.clone().filter(|id| !id.is_empty());
        let status = Some("TASK_STATE_COMPLETED".into());
        let query = ListTasks { page_size: Some(1), context_id, status, ..ListTasks::default() };
        let page = query.context_id.is_some().then(|| self.store.list(owner, &query));
        page.and_then(Result::ok)
            .is_some_and(|page| page.get("tasks").is_some_and(|tasks| !tasks.items().is_empty()))
    }

    async fn send(
        &self,
        service: &AgentService,
        context: AgentContext,
        reply: &Reply,
        mut request: SendMessageRequest,
        streaming: bool,
    ) -> Result<Response, RefusedOperation> {
        let owner = context.user.clone();
        let named = request.message.task_id.clone().unwrap_or_default();
        let stored = self.store.load(owner.as_deref(), &named);
        let reason = "The task is running and accepts no messages.";
        let busy = || RefusedOperation::new(ErrorKind::UnsupportedOperation, reason);
        if stored.is_some() && self.running().contains_key(&named) {
            return Err(busy());
        }
        let continues = stored.is_some() || self.continues(owner.as_deref(), &request);
        let so_far = request.accept(stored.as_ref(), &mut RandomIds)?;
        let id = request.message.task_id.clone().unwrap_or_default();
        let session = request.message.context_id.clone().unwrap_or_default();
        let echo = Value::from([("task", so_far), ("timestamps", true.into())]);
        let asked = ConversationRequest::of(&request, &mut RandomIds).map_err(|_| {
            RefusedOperation::new(ErrorKind::InvalidParams, "The message cannot be read.")
        })?;
        let received = RawRequest { protocol: ProtocolKind::A2a, body: request.to_body() };
        let mut asked = asked.with_native(received).with_user(owner.clone());
        if continues {
            asked.losses_mut().lose_history(&session);
        }
        let asked = Asked { request: asked, context };
        let emission = service
            .emit(ProtocolKind::A2a, asked, |write| {
                write.session_id(session).response_id(id.clone()).echo(echo)
            })
            .map_err(|error| RefusedOperation::new(ErrorKind::Internal, error.text()))?;
        let length = request.configuration.as_ref().and_then(|how| how.history_length);
        drop((stored, request));
        match self.running().entry(id.clone()) {
            // Another message to the task came first.
            Entry::Occupied(_) => return Err(busy()),
            Entry::Vacant(place) => drop(place.insert(RunningTask::default())),
        }
        let mut events = TaskEvents {
            emission: Some(emission),
            reader: Reader::new(A2a::default()),
            state: None,
            ended: None,
            owner,
            id,
            reply: reply.clone(),
            is_streamed: streaming,
            tasks: self.clone(),
            clock: service.clock(),
        };
        if streaming {
            return Ok(SseResponse(events).into_response());
        }
        while poll_fn(|context| Pin::new(&mut events).poll_next(context)).await.is_some() {}
        let ended = events.ended.take().and_then(|json| Value::parse(&json, u32::MAX).ok());
        let task = tasks::shown(found(ended, &events.id)?, length, true);
        drop(events);
        Ok(reply.result([("task", task)].into()).into_response())
    }

    fn running(&self) -> MutexGuard<'_, BTreeMap<String, RunningTask>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The events of a task at which the agent works, in the dialect and binding of a request.
struct TaskEvents {
    /// `None` after the end.
    emission: Option<Running>,
    /// Reads the events into the task.
    reader: Reader<A2a>,
    /// The state that was saved last.
    state: Option<TaskState>,
    /// The JSON of the task after its end.
    ended: Option<String>,
    /// The user of the task.
    owner: Option<String>,
    id: String,
    reply: Reply,
    /// Whether the client receives the events, and not only the task at its end.
    is_streamed: bool,
    tasks: Tasks,
    clock: Clock,
}

impl TaskEvents {
    /// Saves the task if its state has changed.
    fn save(&mut self) {
        let state = self.reader.snapshot().task.as_ref().map(|task| task.state());
        if state != self.state {
            self.state = state;
            self.keep();
        }
    }

    /// Saves the task, and returns its JSON.
    fn keep(&self) -> Option<String> {
        let task = self.reader.snapshot().task.as_ref()?;
        let (owner, json) = (self.owner.as_deref(), object_to_json(task));
        let context = task.context_id.as_deref().unwrap_or_default();
        self.tasks.store.save_json(owner, &self.id, context, task.state().as_str(), json.clone());
        Some(json)
    }

    /// Ends the task. Returns the canceled task if another connection has canceled it.
    fn end(&mut self) -> Option<Value> {
        self.emission = None;
        self.tasks.running().remove(&self.id)?.canceled
    }

    /// Stops the agent if another connection has canceled the task, and returns the last event.
    fn canceled(&mut self, context: &Context<'_>) -> Option<Value> {
        if let Some(work) = self.tasks.running().get_mut(&self.id)
            && work.canceled.is_none()
        {
            work.waker = Some(context.waker().clone());
            return None;
        }
        let task = self.end()?;
        let member = |key: &str| task.get(key).cloned().unwrap_or_default();
        let update = [
            ("taskId", member("id")),
            ("contextId", member("contextId")),
            ("status", member("status")),
        ];
        self.ended = Some(task.to_json());
        Some([("statusUpdate", update.into())].into())
    }

    /// Returns the frames in the form that the request requires.
    fn convert(&self, frames: &str) -> String {
        let mut out = String::new();
        for line in frames.lines() {
            let event =
                line.strip_prefix("data: ").and_then(|data| Value::parse(data, u32::MAX).ok());
            if let Some(event) = event.as_ref().and_then(|event| event.get("result")) {
                out += self.reply.event(event.clone()).as_sse();
            } else if line.starts_with(':') {
                out += line;
                out += "\n\n";
            }
        }
        out
    }
}

impl Stream for TaskEvents {
    type Item = String;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<String>> {
        let this = &mut *self;
        if this.emission.is_some()
            && let Some(last) = this.canceled(context)
        {
            return Poll::Ready(Some(this.reply.event(last).into_sse()));
        }
        let Some(emission) = &mut this.emission else { return Poll::Ready(None) };
        let Some(frames) = ready!(Pin::new(emission).poll_next(context)) else {
            this.ended = this.keep();
            this.end();
            return Poll::Ready(None);
        };
        this.reader.push(frames.as_bytes());
        this.save();
        Poll::Ready(Some(if this.is_streamed { this.convert(&frames) } else { String::new() }))
    }
}

/// A client that disconnects cancels its task.
impl Drop for TaskEvents {
    fn drop(&mut self) {
        if self.emission.is_none() {
            return;
        }
        if self.end().is_none()
            && let Some(task) = self.reader.snapshot().task.as_ref()
            && let Ok(task) = Value::parse(&object_to_json(task), u32::MAX)
            && let Ok(task) = tasks::canceled(task, self.clock)
        {
            self.tasks.store.save(self.owner.as_deref(), task);
        }
    }
}

impl IntoResponse for HttpAnswer {
    fn into_response(self) -> Response {
        answer(self.status, self.content_type, self.body)
    }
}
