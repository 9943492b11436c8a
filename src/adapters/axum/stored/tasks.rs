//! The tasks of A2A: each is a thread, and each of its turns is a run, whose log begins with the
//! whole task. The frames of the log are events of 1.0 in JSON-RPC, whatever the form of the request
//! is.

use std::borrow::ToOwned as _;
use std::format;
use std::string::String;
use std::sync::Arc;
use std::vec;
use std::vec::Vec;

use axum_core::body::Body;
use axum_core::response::{IntoResponse as _, Response};
use http::{Extensions, HeaderValue, Method as HttpMethod};
use uuid::Uuid;

use super::super::service::{AgentContext, AgentService, Asked, Running};
use super::Stored;
use super::answers::{
    AnswerCall, IDLE, MAX_STORED_REQUEST_BYTES, followed_response, is_missing, list_of, missing,
    no_answer, stream,
};
use super::ending::snapshot_of;
use super::frames::frames_in;
use super::lists::{ListedAnswer, by_change, list_of_task, task_at, tasks_in};
use super::request::StoredRequest;
use super::task_frames::{Accepted, PATH, frame};
use crate::convert::ProtocolRequest as _;
use crate::core::id::{RandomIds, system_clock};
use crate::core::violation::excerpt;
use crate::emit::{AnyError, ConversationRequest};
use crate::json::Value;
use crate::protocols::ProtocolKind;
use crate::protocols::a2a::request::{
    ErrorKind, ListTasks, Method, OperationCall, RefusedOperation, Reply, SendMessageRequest,
};
use crate::protocols::a2a::tasks::{self, PAGE_SIZE};
use crate::protocols::agent_api::request::AgentRequest;
use crate::threads::{
    FollowedRun, NewThreadRun, Refusal, Until, hash_of, is_active, is_answer_id, parsed,
};

/// A call, and the request in which it was sent.
struct TaskCall<'c> {
    call: &'c AnswerCall,
    reply: Reply,
    body: String,
}

/// A task in its present state.
struct PresentTask {
    task: Value,
    /// Whether its agent is running.
    is_running: bool,
    /// The number of the last entry of its log.
    last: u64,
}

/// Why a call has no result.
enum TaskRefusal {
    Operation(RefusedOperation),
    Service(Refusal),
}

impl From<RefusedOperation> for TaskRefusal {
    fn from(refusal: RefusedOperation) -> Self {
        TaskRefusal::Operation(refusal)
    }
}

impl From<Refusal> for TaskRefusal {
    fn from(refusal: Refusal) -> Self {
        TaskRefusal::Service(refusal)
    }
}

/// Returns the name of the thread of a user's task. Without a user the id of the task is its
/// credential.
fn thread_of(user: &str, task: &str) -> String {
    hash_of(&list_of(&["task", user, task]))
}

/// Returns a UUID with the first digits of a hash.
fn uuid_of(hash: &str) -> String {
    let part = |from: usize, to: usize| &hash[from..to];
    [part(0, 8), "-", part(8, 12), "-4", part(13, 16), "-8", part(17, 20), "-", part(20, 32)]
        .concat()
}

fn still_running(task: &str) -> RefusedOperation {
    let message = format!(
        "Task {} is running and accepts no messages until it waits for input.",
        excerpt(task)
    );
    RefusedOperation::new(ErrorKind::UnsupportedOperation, message)
}

fn not_found(task: &str) -> RefusedOperation {
    RefusedOperation::new(ErrorKind::TaskNotFound, format!("Task not found: {}", excerpt(task)))
}

impl Stored {
    /// Answers a request at the path of A2A, or below it.
    pub(super) async fn task(self: &Arc<Self>, call: AnswerCall, body: Body) -> Response {
        let below = call.path().strip_prefix(PATH).unwrap_or_default().to_owned();
        if below.is_empty() && call.http.method != HttpMethod::POST {
            let mut refused = call.refuse(no_answer());
            *refused.status_mut() = http::StatusCode::METHOD_NOT_ALLOWED;
            refused.headers_mut().insert("allow", HeaderValue::from_static("POST"));
            return refused;
        }
        let body = match call.read(body).await {
            Ok(body) => body,
            Err(refused) => return refused,
        };
        let version = call.header("a2a-version").unwrap_or_default();
        let read = match below.is_empty() {
            true => OperationCall::of_json_rpc(&body, version),
            false => {
                let query = call.http.uri.query().unwrap_or_default();
                OperationCall::of_rest(call.http.method.as_str(), &below, query, &body, version)
            }
        };
        let OperationCall { reply, method, .. } = match read {
            Ok(read) => read,
            Err(refused) => return refused.into_response(),
        };
        let id = match &method {
            Method::SendMessage { request, .. } => {
                request.message.task_id.clone().unwrap_or_default()
            }
            Method::GetTask { id, .. }
            | Method::CancelTask { id }
            | Method::SubscribeToTask { id } => id.clone(),
            Method::ListTasks(_) => String::new(),
        };
        let task = TaskCall { call: &call, reply, body };
        match self.perform(&task, method).await {
            Ok(response) => response,
            Err(TaskRefusal::Service(refusal)) if is_missing(&refusal) => {
                let refused = not_found(&id);
                task.reply.error(refused.kind, &refused.message).into_response()
            }
            Err(TaskRefusal::Operation(refused)) => {
                task.reply.error(refused.kind, &refused.message).into_response()
            }
            Err(TaskRefusal::Service(refusal)) => call.refuse_call(refusal, &task.body),
        }
    }

    async fn perform(
        self: &Arc<Self>,
        call: &TaskCall<'_>,
        method: Method,
    ) -> Result<Response, TaskRefusal> {
        let user = &*call.call.user;
        let result = match method {
            Method::SendMessage { request, streaming } => {
                return self.send(call, request, streaming).await;
            }
            Method::ListTasks(query) => self.list(user, query).await?,
            Method::GetTask { id, history_length } => {
                let stored = self.load(user, &thread_of(user, &id), None, Until::First).await?;
                tasks::shown(stored.task, history_length, true)
            }
            Method::CancelTask { id } => self.cancel_task(call, &thread_of(user, &id)).await?,
            Method::SubscribeToTask { id } => {
                let thread = thread_of(user, &id);
                let stored = self.load(user, &thread, None, Until::First).await?;
                tasks::may_follow(&stored.task)?;
                return self.subscribe(call, &thread, stored).await;
            }
        };
        Ok(call.reply.result(result).into_response())
    }

    /// Returns a page of tasks, the last changed first. Without a user, tasks are listed only by
    /// their context.
    async fn list(&self, user: &str, query: ListTasks) -> Result<Value, TaskRefusal> {
        tasks::may_list(Some(user).filter(|user| !user.is_empty()), &query)?;
        let context = query.context_id.clone().unwrap_or_default();
        let list = list_of_task(user, &context);
        let mut all = tasks_in(self.threads.users.tasks(&list).await.map_err(Refusal::from)?);
        let status = query.status.clone().unwrap_or_default();
        all.retain(|task| {
            (context.is_empty() || task.name == context)
                && (status.is_empty() || task.state == status)
        });
        let size = query.page_size.unwrap_or(PAGE_SIZE);
        let mut rest = &*all;
        if let Some(token) = query.page_token.as_deref().filter(|token| !token.is_empty()) {
            let last = token.split_once('.').and_then(|(at, thread)| {
                Some(task_at(at.parse().ok()?, thread)).filter(|_| is_answer_id(thread))
            });
            let Some(last) = last else {
                let message = "The `pageToken` is not one of this list.";
                return Err(RefusedOperation::new(ErrorKind::InvalidParams, message).into());
            };
            // The last task of the page before may have changed.
            let later = all.partition_point(|task| by_change(task, &last).is_le());
            rest = &all[later..];
        }
        let most = usize::try_from(size).unwrap_or(1).min(rest.len());
        let (page, later) = rest.split_at(most);
        let (mut shown, mut gone) = (Vec::new(), 0);
        for ListedAnswer { thread, .. } in page {
            match self.load(user, thread, None, Until::First).await {
                Ok(stored) => shown.push(tasks::shown(
                    stored.task,
                    query.history_length,
                    query.include_artifacts,
                )),
                Err(refusal) if is_missing(&refusal) => {
                    // A process may be killed after it has deleted a task.
                    let removed = self.threads.users.set_task(&list, thread, None).await;
                    removed.map_err(Refusal::from)?;
                    gone += 1;
                }
                Err(refusal) => return Err(refusal.into()),
            }
        }
        let token = match page.last() {
            Some(last) if !later.is_empty() => format!("{}.{}", last.at, last.thread),
            _ => String::new(),
        };
        Ok([
            ("tasks", Value::Array(shown)),
            ("nextPageToken", token.into()),
            ("pageSize", size.into()),
            ("totalSize", ((all.len() - gone) as i64).into()),
        ]
        .into())
    }

    /// Deletes the tasks that changed first, except those whose agent is running, so that a list
    /// has room for one more.
    async fn make_room(&self, user: &str, context: &str) -> Result<(), Refusal> {
        let list = list_of_task(user, context);
        let listed = tasks_in(self.threads.users.tasks(&list).await?);
        for ListedAnswer { thread, .. } in listed.iter().skip(self.user_tasks.saturating_sub(1)) {
            let stored = self.load(user, thread, None, Until::First).await;
            if stored.is_ok_and(|stored| !stored.is_running) {
                self.threads.get(thread).delete(user).await?;
            }
        }
        Ok(())
    }

    /// Starts a task, or continues one that waits.
    async fn send(
        self: &Arc<Self>,
        task: &TaskCall<'_>,
        mut request: SendMessageRequest,
        streaming: bool,
    ) -> Result<Response, TaskRefusal> {
        let TaskCall { call, reply, body } = task;
        let user = &*call.user;
        let is_resumable = call.prefers_resumable();
        let run = call.answer_id()?;
        let named = request.message.task_id.clone().filter(|id| !id.is_empty());
        let id = named.clone().unwrap_or_else(|| uuid_of(&run));
        let name = thread_of(user, &id);
        let thread = self.threads.get(&name);
        // A repeated request has the task that it has started.
        let is_repeated = call.key()?.is_some()
            && thread.entries(Some(user), Some(&run), Until::Now).await.is_ok();
        let how = request.configuration.clone();
        if !is_repeated {
            let stored = match &named {
                Some(_) => Some(self.load(user, &name, None, Until::First).await?),
                None => None,
            };
            if stored.as_ref().is_some_and(|stored| stored.is_running) {
                return Err(still_running(&id).into());
            }
            let stored = stored.map(|stored| stored.task);
            // The id of a new task is that of its thread.
            let mut ids = NewTask { id: named.is_none().then(|| id.clone()) };
            let so_far = request.accept(stored.as_ref(), &mut ids)?;
            let context = request.message.context_id.clone().unwrap_or_default();
            if named.is_none() {
                self.make_room(user, &context).await?;
            }
            let asked = ConversationRequest::of(&request, &mut RandomIds).map_err(|_| {
                RefusedOperation::new(ErrorKind::InvalidParams, "The message cannot be read.")
            })?;
            let accepted =
                format!("[{},{},{}]", request.to_body(), asked.to_body(), so_far.to_json());
            let mut kept = call.stored("");
            kept.headers.clear();
            kept.run_id = Some(run.clone());
            kept.accepted = Some(accepted);
            kept.conversation = call.conversation(&context, None);
            kept.context_id = Some(context);
            kept.reply = Some(reply.to_value());
            let input = kept.to_json();
            if input.len() > MAX_STORED_REQUEST_BYTES {
                let message = "The task and its message have more than 8388608 bytes.";
                let refused = RefusedOperation::new(ErrorKind::UnsupportedOperation, message);
                return Err(refused.into());
            }
            let new = NewThreadRun {
                owner: user.to_owned(),
                input,
                hash: hash_of(&[call.path(), "\n", body].concat()),
                ..NewThreadRun::default()
            };
            self.create(&thread, new).await.map_err(|refusal| match is_active(&refusal) {
                true => TaskRefusal::from(still_running(&id)),
                false => refusal.into(),
            })?;
        }
        if streaming {
            return match is_resumable {
                true => Ok(self.frames(call, &name, Some(&run), None).await?),
                false => self.follow_task(task, &name, Some(&run), 0).await,
            };
        }
        let is_immediate = how.as_ref().is_some_and(|how| how.return_immediately == Some(true));
        let until = if is_immediate { Until::First } else { Until::End };
        let begun = self.load(user, &name, Some(&run), until).await?;
        let length = how.and_then(|how| how.history_length);
        let shown = tasks::shown(begun.task, length, true);
        Ok(reply.result([("task", shown)].into()).into_response())
    }

    /// Stops the agent, or ends a task that waits; returns the task after its end.
    async fn cancel_task(&self, task: &TaskCall<'_>, name: &str) -> Result<Value, TaskRefusal> {
        let call = task.call;
        let user = &*call.user;
        let stored = self.load(user, name, None, Until::First).await?;
        let canceled = tasks::canceled(stored.task.clone(), system_clock)?;
        let thread = self.threads.get(name);
        if stored.is_running {
            thread.cancel(user, None).await?;
            return Ok(self.load(user, name, None, Until::End).await?.task);
        }
        if tasks::state(&canceled) == tasks::state(&stored.task) {
            return Ok(stored.task);
        }
        let run = hash_of(&Uuid::new_v4().simple().to_string());
        let mut kept = call.stored("");
        kept.headers.clear();
        kept.run_id = Some(run.clone());
        kept.context_id = canceled.text("contextId").map(ToOwned::to_owned);
        kept.frames = Some(vec![frame([("task", canceled)])]);
        let new = NewThreadRun {
            owner: user.to_owned(),
            input: kept.to_json(),
            hash: run.clone(),
            ..NewThreadRun::default()
        };
        self.create(&thread, new).await?;
        Ok(self.load(user, name, Some(&run), Until::End).await?.task)
    }

    /// Returns the current task, and the events after it.
    async fn subscribe(
        &self,
        task: &TaskCall<'_>,
        name: &str,
        stored: PresentTask,
    ) -> Result<Response, TaskRefusal> {
        let first = task.reply.event([("task", stored.task)].into()).into_sse();
        if !stored.is_running {
            return Ok(stream(first.into(), None));
        }
        let followed = self.followed(task, name, None, stored.last);
        let body = self.threads.get(name).follow(followed).await.map_err(missing)?;
        Ok(match body {
            Some(body) => stream(Body::from_stream(super::run::Preceded::new(first, body)), None),
            None => stream(first.into(), None),
        })
    }

    async fn follow_task(
        &self,
        task: &TaskCall<'_>,
        name: &str,
        run: Option<&str>,
        after: u64,
    ) -> Result<Response, TaskRefusal> {
        let followed = self.followed(task, name, run, after);
        let body = self.threads.get(name).follow(followed).await.map_err(missing)?;
        Ok(match body {
            Some(body) => followed_response(Some(body), None),
            None => stream(Body::empty(), None),
        })
    }

    fn followed(&self, task: &TaskCall<'_>, _: &str, run: Option<&str>, after: u64) -> FollowedRun {
        FollowedRun {
            owner: Some(task.call.user.clone()),
            run_id: run.map(ToOwned::to_owned),
            after: Some(after),
            idle_limit: IDLE,
            reply: Some(task.reply.to_value().to_json()),
            ..FollowedRun::default()
        }
    }

    /// Reads a task, as of a run: the latest by default.
    async fn load(
        &self,
        user: &str,
        name: &str,
        run: Option<&str>,
        until: Until,
    ) -> Result<PresentTask, Refusal> {
        let thread = self.threads.get(name);
        let mut read = thread.entries(Some(user), run, until).await?;
        if until != Until::End {
            // The first entry is waited for, and the later ones are read with it.
            read = thread.entries(Some(user), run, Until::Now).await?;
        }
        let entries = read.entries.iter().map(|entry| &*entry.data);
        let snapshot = snapshot_of(ProtocolKind::A2a, frames_in(entries));
        let task = snapshot.get("task").filter(|task| !task.is_null()).cloned();
        let last = read.entries.last().map_or(0, |entry| entry.number);
        match task {
            Some(task) => Ok(PresentTask { task, is_running: !read.has_ended, last }),
            None => Err(no_answer()),
        }
    }
}

/// The ids of a new task: its own, and others.
struct NewTask {
    id: Option<String>,
}

impl crate::core::id::IdSource for NewTask {
    fn next_id(&mut self, prefix: &str) -> String {
        self.id.take().unwrap_or_else(|| RandomIds.next_id(prefix))
    }
}

/// Returns the reply that a stored request has asked for.
pub(super) fn reply_of(asked: Option<&str>, stored: &StoredRequest) -> Option<Reply> {
    let asked = asked.map(|asked| Reply::of_value(&parsed(asked)));
    asked.or_else(|| stored.reply.as_ref().map(Reply::of_value))
}

impl AgentService {
    /// Runs the agent for a message that was taken into its task, which is an answer in A2A 1.0 in
    /// JSON-RPC.
    pub(super) fn stored_task(
        &self,
        accepted: Accepted,
        url: &str,
        extensions: Extensions,
    ) -> Result<Running, AnyError> {
        let Accepted { task_id, context_id, request, task } = accepted;
        let mut http = http::Request::builder().uri(url).body(())?;
        *http.extensions_mut() = extensions;
        let (context, _) = AgentContext::of(ProtocolKind::A2a, http);
        let request = AgentRequest::from_value(request)?;
        let request = ConversationRequest::new(request).with_user(context.user.clone());
        let echo = Value::from([("task", task), ("timestamps", true.into())]);
        let running = self.emit(ProtocolKind::A2a, Asked { request, context }, |write| {
            write.session_id(context_id).response_id(task_id).echo(echo)
        });
        Ok(running?)
    }
}
