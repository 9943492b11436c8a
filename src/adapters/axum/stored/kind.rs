//! A thread with an answer: its log has the frames of a protocol. It has one run, or one for each
//! message of an A2A task, or of a conversation.

use std::borrow::ToOwned as _;
use std::boxed::Box;
use std::format;
use std::future::ready;
use std::string::String;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::Duration;
use std::vec;
use std::vec::Vec;

use super::super::AgentService;
use super::super::service::{RequestId, RequestUser, RunAddition};
use super::answers::ANSWER;
use super::ending::snapshot_as;
use super::extensions::RequestExtensions;
use super::frames::{AnswerOutcome, END, FRAME, FrameScript, end_in, frame_in, frames_in};
use super::lists::{answers_in, chat_entry, list_of_chat, list_of_task, task_entry};
use super::request::StoredRequest;
use super::run::{AnswerChunks, KnownChunks};
use super::task_frames::{Accepted, in_form, state_in};
use super::tasks::reply_of;
use super::turn::{ConversationTurn, HISTORY, messages_of_turn};
use crate::core::id::RandomIds;
use crate::emit::{AnyError, ConversationRequest};
use crate::json::Value;
use crate::protocols::ProtocolKind;
use crate::protocols::runs::log::StoredEvent;
use crate::protocols::runs::problem::Code;
use crate::threads::{
    FollowedRun, LatestMessages, NewEvent, NewThreadRun, Refusal, RunForm, RunScript, Started,
    StopRequest, StoredMessage, StoredRun, ThreadKind, ThreadLog, ThreadState, ThreadWork, Threads,
    Until, Users, is_active, now,
};

/// The number of entries at the end of a run that are searched for the status of its task.
const SEARCHED_ENTRIES: u64 = 16;

/// What the answers of a service share.
pub(super) struct AnswerHome {
    /// The service without its store.
    pub service: AgentService,
    pub threads: OnceLock<Weak<Threads>>,
    pub extensions: RequestExtensions,
    /// How long an answer is kept after its end.
    pub answer_time: Duration,
    /// The same for a task, and for a conversation without a user.
    pub task_time: Duration,
}

type SharedTurn = Arc<Mutex<ConversationTurn>>;

/// A thread with an answer, or with a conversation of answers.
pub(super) struct AnswerKind {
    pub id: String,
    pub home: Arc<AnswerHome>,
    /// The turn that is being written, or was written last, and its run.
    pub turn: Mutex<Option<(String, SharedTurn)>>,
}

impl AnswerHome {
    fn threads(&self) -> Result<Arc<Threads>, AnyError> {
        let threads = self.threads.get().and_then(Weak::upgrade);
        threads.ok_or_else(|| "the service has ended".into())
    }
}

fn error_of(refusal: Refusal) -> AnyError {
    match refusal {
        Refusal::Client(refused) => refused.into(),
        Refusal::Store(error) | Refusal::Internal(error) => error,
    }
}

/// Returns the protocol of a stored request.
fn protocol_of(request: &StoredRequest) -> ProtocolKind {
    let path = request.url.split('?').next().unwrap_or_default();
    AgentService::protocol_of(path).unwrap_or(ProtocolKind::AgentApi)
}

async fn request_of(log: &ThreadLog, run: &str) -> Result<StoredRequest, AnyError> {
    Ok(StoredRequest::parse(&log.input(run).await?))
}

async fn entries_of(log: &ThreadLog, run: &str) -> Result<Vec<StoredEvent>, AnyError> {
    log.read(run, 0, u64::MAX, usize::MAX).await
}

impl AnswerKind {
    /// Returns the rows of the earlier turns of a conversation.
    async fn earlier(
        &self,
        log: &ThreadLog,
        name: &str,
        owner: &str,
    ) -> Result<LatestMessages, AnyError> {
        let rows = if name == self.id {
            log.latest_messages(HISTORY).await?
        } else {
            match self.home.threads()?.get(name).messages(owner, HISTORY).await {
                Ok(rows) => rows,
                Err(Refusal::Client(refused)) if refused.code == Code::ThreadNotFound => {
                    LatestMessages::default()
                }
                Err(refusal) => return Err(error_of(refusal)),
            }
        };
        Ok(rows)
    }

    /// Returns the rows of a turn, also of one that was cut off or that another process has begun;
    /// no rows for a request that was refused.
    async fn rows_of(
        &self,
        log: &ThreadLog,
        run: &str,
        request: &StoredRequest,
        name: &str,
        latest: &[NewEvent],
    ) -> Result<Vec<String>, AnyError> {
        let stored = entries_of(log, run).await?;
        let all = stored.iter().map(|entry| &*entry.data);
        let frames = frames_in(all.chain(latest.iter().map(|event| &*event.data)));
        if frames.is_empty() {
            return Ok(Vec::new());
        }
        let known = {
            let turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
            turn.as_ref().filter(|(known, _)| known == run).map(|(_, turn)| turn.clone())
        };
        if let Some(turn) = known {
            let turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
            if turn.has_ended() || !turn.has_begun() {
                return Ok(turn.rows());
            }
        }
        let owner = log.state().await?.map(|state| state.owner).unwrap_or_default();
        let earlier = self.earlier(log, name, &owner).await?;
        let mut turn = ConversationTurn::new(run, earlier);
        let Some(input) = input_of(request) else { return Ok(Vec::new()) };
        turn.begin(input);
        let to = ProtocolKind::AgentApi;
        turn.end(snapshot_as(protocol_of(request), frames, to, |write| write));
        Ok(turn.rows())
    }

    async fn messages(
        &self,
        log: &ThreadLog,
        run: &str,
        latest: &[NewEvent],
    ) -> Result<Vec<StoredMessage>, AnyError> {
        let request = request_of(log, run).await?;
        let Some(name) = request.conversation.clone() else { return Ok(Vec::new()) };
        let rows = match &request.turn {
            Some(rows) => rows.clone(),
            None => self.rows_of(log, run, &request, &name, latest).await?,
        };
        if name == self.id {
            return Ok(messages_of_turn(&rows, now()));
        }
        let owner = log.state().await?.map(|state| state.owner);
        if let Some(owner) = owner.filter(|_| !rows.is_empty()) {
            self.record(&owner, &name, run, rows).await?;
        }
        Ok(Vec::new())
    }

    /// Stores a turn that was written in this thread in its conversation. It waits for the answer
    /// in progress there.
    async fn record(
        &self,
        owner: &str,
        name: &str,
        run: &str,
        rows: Vec<String>,
    ) -> Result<(), AnyError> {
        let stored = StoredRequest {
            run_id: Some(run.to_owned()),
            conversation: Some(name.to_owned()),
            turn: Some(rows),
            ..StoredRequest::default()
        };
        let new = NewThreadRun {
            owner: owner.to_owned(),
            input: stored.to_json(),
            hash: run.to_owned(),
            ..NewThreadRun::default()
        };
        let thread = self.home.threads()?.get(name);
        loop {
            match thread.create(new.clone()).await {
                Err(refusal) if is_active(&refusal) => {
                    let ended = thread.entries(Some(owner), None, Until::End).await;
                    ended.map_err(error_of)?;
                }
                created => return created.map(drop).map_err(error_of),
            }
        }
    }

    async fn started(
        &self,
        log: &ThreadLog,
        run: &StoredRun,
        state: &ThreadState,
    ) -> Result<Result<Started, AnyError>, AnyError> {
        let request = request_of(log, &run.run_id).await?;
        // The agent is stopped so that it writes the end of its protocol.
        let stop = Arc::new(StopRequest::with_end());
        if request.turn.is_some() {
            let outcome =
                AnswerOutcome::Response { status: 204, headers: Vec::new(), body: String::new() };
            let chunks = Box::pin(KnownChunks::new(vec![outcome.to_entry()]));
            return Ok(Ok(Started { chunks, stop }));
        }
        if let Some(frames) = request.frames {
            return Ok(Ok(Started { chunks: Box::pin(KnownChunks::new(frames)), stop }));
        }
        let mut addition = RunAddition {
            response_id: request.response_id.clone(),
            stop: Some(stop.clone()),
            ..RunAddition::default()
        };
        if let Some(name) = &request.conversation {
            let earlier = self.earlier(log, name, &state.owner).await?;
            let turn = Arc::new(Mutex::new(ConversationTurn::new(&run.run_id, earlier)));
            *self.turn.lock().unwrap_or_else(PoisonError::into_inner) =
                Some((run.run_id.clone(), turn.clone()));
            let begun = turn.clone();
            addition.begin = Some(Arc::new(move |request: &mut ConversationRequest| {
                let mut turn = begun.lock().unwrap_or_else(PoisonError::into_inner);
                request.continue_with(|input| (turn.begin(input), turn.is_cut()));
            }));
            addition.record = Some(Arc::new(move |answer: Value| {
                turn.lock().unwrap_or_else(PoisonError::into_inner).end(answer);
            }));
        }
        let service = self.home.service.clone();
        let id = request.request_id.clone().unwrap_or_default();
        let mut extensions = self.home.extensions.of(&id);
        extensions.insert(addition);
        extensions.insert(RequestUser(Some(state.owner.clone()).filter(|user| !user.is_empty())));
        extensions.insert(RequestId(id));
        Ok(match &request.accepted {
            Some(accepted) => {
                let accepted = Accepted::parse(accepted);
                service
                    .stored_task(accepted, &request.url, extensions)
                    .map(|running| Started { chunks: Box::pin(running), stop })
            }
            None => AnswerChunks::new(service, &request, extensions)
                .map(|chunks| Started { chunks: Box::pin(chunks), stop })
                .map_err(Into::into),
        })
    }

    /// Writes a task, or a running answer of a chat, to the list of its user.
    async fn listed(&self, log: &ThreadLog, users: &Users, owner: &str) -> Result<(), AnyError> {
        let Some(run) = latest_of(log).await else { return Ok(()) };
        let request = request_of(log, &run.run_id).await?;
        if let Some(context) = &request.context_id {
            let (state, at) = match run.terminal {
                None => ("TASK_STATE_WORKING".to_owned(), run.at),
                Some(terminal) => {
                    let from = terminal.saturating_sub(SEARCHED_ENTRIES);
                    let last = log.read(&run.run_id, from, terminal, usize::MAX).await?;
                    let frames = frames_in(last.iter().map(|entry| &*entry.data));
                    (state_in(frames.into_iter()), end_in(&last))
                }
            };
            let list = list_of_task(owner, context);
            let entry = task_entry(context, &state, at);
            users.set_task(&list, &self.id, Some(&entry)).await?;
        } else if let Some(chat) = &request.chat {
            // The list has only the latest answer of a chat, and only while it is running.
            let list = list_of_chat(owner, chat);
            let mut others = match run.terminal {
                None => answers_in(users.tasks(&list).await?, chat),
                Some(_) => Vec::new(),
            };
            others.retain(|other| other.thread != self.id);
            let is_latest = run.terminal.is_none() && others.iter().all(|other| other.at <= run.at);
            let entry = is_latest.then(|| chat_entry(chat, run.at));
            users.set_task(&list, &self.id, entry.as_deref()).await?;
            for other in others.iter().filter(|other| other.at < run.at) {
                users.set_task(&list, &other.thread, None).await?;
            }
        }
        Ok(())
    }

    async fn unlisted(&self, log: &ThreadLog, users: &Users, owner: &str) -> Result<(), AnyError> {
        let Some(run) = latest_of(log).await else { return Ok(()) };
        let request = request_of(log, &run.run_id).await?;
        let list = match (&request.context_id, &request.chat) {
            (Some(context), _) => list_of_task(owner, context),
            (None, Some(chat)) => list_of_chat(owner, chat),
            (None, None) => return Ok(()),
        };
        users.set_task(&list, &self.id, None).await?;
        Ok(())
    }

    /// Deletes the answer at the end of its life.
    async fn kept(&self, log: &ThreadLog, now: u64) -> Result<Option<Duration>, AnyError> {
        let Some(run) = latest_of(log).await else { return Ok(None) };
        let Some(terminal) = run.terminal else { return Ok(None) };
        let owner = log.state().await?.map(|state| state.owner).unwrap_or_default();
        let request = request_of(log, &run.run_id).await?;
        if request.conversation.as_deref() == Some(&*self.id) {
            return self.kept_turns(log, now, &owner).await;
        }
        let ended = log.read(&run.run_id, terminal.saturating_sub(1), terminal, 1).await?;
        let is_task = request.context_id.is_some();
        let time = if is_task { self.home.task_time } else { self.home.answer_time };
        if let Some(left) = left_of(end_in(&ended), time, now) {
            return Ok(Some(left));
        }
        self.unlisted(log, &self.home.threads()?.users, &owner).await?;
        log.delete().await?;
        Ok(None)
    }

    /// Deletes the logs of a conversation at the end of their life. Its messages stay, if it has a
    /// user.
    async fn kept_turns(
        &self,
        log: &ThreadLog,
        now: u64,
        owner: &str,
    ) -> Result<Option<Duration>, AnyError> {
        let ended = log.ended().await;
        for (at, run) in ended.iter().enumerate() {
            let is_whole = owner.is_empty() && at + 1 == ended.len();
            let time = if is_whole { self.home.task_time } else { self.home.answer_time };
            if let Some(left) = left_of(run.at, time, now) {
                return Ok(Some(left));
            }
            match is_whole {
                true => log.delete().await?,
                false => log.expire(&run.run_id).await?,
            }
        }
        Ok(None)
    }
}

/// Returns the time until the end of a life; `None` after it.
fn left_of(begin: u64, life: Duration, now: u64) -> Option<Duration> {
    let end = Duration::from_millis(begin).saturating_add(life);
    end.checked_sub(Duration::from_millis(now)).filter(|left| !left.is_zero())
}

async fn latest_of(log: &ThreadLog) -> Option<Arc<StoredRun>> {
    match log.active().await {
        Some(active) => Some(active),
        None => log.ended().await.pop(),
    }
}

/// Returns the messages of a stored request; `None` if it is not valid.
fn input_of(request: &StoredRequest) -> Option<Vec<Value>> {
    let asked = match &request.accepted {
        Some(accepted) => Accepted::parse(accepted).request,
        None => {
            let received = crate::convert::RawRequest {
                protocol: protocol_of(request),
                body: request.body.clone(),
            };
            let asked = ConversationRequest::of(&received, &mut RandomIds).ok()?;
            Value::parse(&crate::convert::ProtocolRequest::to_body(&asked), u32::MAX).ok()?
        }
    };
    Some(asked.get("input")?.items().to_vec())
}

impl ThreadKind for AnswerKind {
    fn unsent(&self) -> u64 {
        1
    }

    fn run_id_in(&self, body: &str) -> String {
        StoredRequest::parse(body).run_id.unwrap_or_else(|| ANSWER.to_owned())
    }

    fn is_limited(&self, body: &str) -> bool {
        StoredRequest::parse(body).turn.is_none()
    }

    fn messages_in<'a>(
        &'a self,
        _: &'a ThreadLog,
        _: &'a str,
        _: u64,
    ) -> ThreadWork<'a, Vec<StoredMessage>> {
        Box::pin(ready(Ok(Vec::new())))
    }

    fn messages_of<'a>(
        &'a self,
        log: &'a ThreadLog,
        run_id: &'a str,
        latest: &'a [NewEvent],
    ) -> ThreadWork<'a, Vec<StoredMessage>> {
        Box::pin(self.messages(log, run_id, latest))
    }

    fn script<'a>(
        &'a self,
        log: &'a ThreadLog,
        run: &'a StoredRun,
        has_begun: bool,
    ) -> ThreadWork<'a, Box<dyn RunScript>> {
        Box::pin(async move {
            let request = request_of(log, &run.run_id).await?;
            let stored = match has_begun {
                true => entries_of(log, &run.run_id).await?,
                false => Vec::new(),
            };
            let protocol = protocol_of(&request);
            let script: Box<dyn RunScript> =
                Box::new(FrameScript::new(protocol, &stored, request.accepted));
            Ok(script)
        })
    }

    fn start<'a>(
        &'a self,
        log: &'a ThreadLog,
        run: &'a StoredRun,
        state: &'a ThreadState,
    ) -> ThreadWork<'a, Result<Started, AnyError>> {
        Box::pin(self.started(log, run, state))
    }

    fn form<'a>(
        &'a self,
        log: &'a ThreadLog,
        run: &'a StoredRun,
        generation: &'a str,
        followed: &'a FollowedRun,
    ) -> ThreadWork<'a, RunForm> {
        Box::pin(async move {
            let request = request_of(log, &run.run_id).await?;
            let reply = reply_of(followed.reply.as_deref(), &request);
            let cursors = followed.after.is_none().then(|| generation.to_owned());
            let named = reply.as_ref().map(|reply| reply.to_value().to_json()).unwrap_or_default();
            let name = format!("frames {} {named}", cursors.as_deref().unwrap_or_default());
            let write = move |_: &str, _: u64, entries: &[StoredEvent]| {
                let mut text = String::new();
                for StoredEvent { number, data, .. } in
                    entries.iter().filter(|entry| entry.kind == FRAME)
                {
                    if let Some(generation) = &cursors {
                        text += &format!("id: {generation}-{number}\n");
                    }
                    match &reply {
                        Some(reply) => text += &in_form(reply, frame_in(data)),
                        None => text += frame_in(data),
                    }
                }
                (text, entries.iter().any(|entry| entry.kind == END))
            };
            Ok(RunForm { name, write: Arc::new(write) })
        })
    }

    fn report<'a>(
        &'a self,
        log: &'a ThreadLog,
        users: &'a Users,
        owner: &'a str,
    ) -> ThreadWork<'a, ()> {
        Box::pin(self.listed(log, users, owner))
    }

    fn withdraw<'a>(
        &'a self,
        log: &'a ThreadLog,
        users: &'a Users,
        owner: &'a str,
    ) -> ThreadWork<'a, ()> {
        Box::pin(self.unlisted(log, users, owner))
    }

    fn retain<'a>(&'a self, log: &'a ThreadLog, now: u64) -> ThreadWork<'a, Option<Duration>> {
        Box::pin(self.kept(log, now))
    }
}
