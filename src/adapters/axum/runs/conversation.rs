//! A thread with a conversation: its runs have AG-UI events, and its messages are stored.

use std::borrow::ToOwned;
use std::boxed::Box;
use std::future::ready;
use std::string::String;
use std::sync::Arc;
use std::time::Duration;
use std::vec;
use std::vec::Vec;

use super::attachments::Attachments;
use super::messages::{first_text, history_of, messages_in, messages_of};
use super::options::Options;
use super::retention::retain;
use crate::core::limits::Limits;
use crate::core::request;
use crate::emit::AnyError;
use crate::json::Value;
use crate::protocols::ag_ui::request::RunAgentInput;
use crate::protocols::runs::cursor::Cursor;
use crate::protocols::runs::log::{LogWriter, Subscription, SubscriptionEnd, run_error};
use crate::protocols::runs::request::RunInput;
use crate::threads::{
    FollowedRun, NewEvent, RunFailure, RunForm, RunScript, Started, StopRequest, StoredMessage,
    StoredRun, ThreadKind, ThreadLog, ThreadState, ThreadWork, Users, now, object, parsed,
};

/// The kind of the threads of a service.
pub(crate) struct Conversation {
    pub id: String,
    pub options: Arc<Options>,
}

impl ThreadKind for Conversation {
    fn run_id_in(&self, body: &str) -> String {
        parsed(body).text("runId").unwrap_or_default().to_owned()
    }

    fn messages_in<'a>(
        &'a self,
        log: &'a ThreadLog,
        body: &'a str,
        at: u64,
    ) -> ThreadWork<'a, Vec<StoredMessage>> {
        Box::pin(async move { messages_in(log, &RunInput::parse(body)?, at).await })
    }

    fn messages_of<'a>(
        &'a self,
        log: &'a ThreadLog,
        run_id: &'a str,
        latest: &'a [NewEvent],
    ) -> ThreadWork<'a, Vec<StoredMessage>> {
        Box::pin(messages_of(log, run_id, latest, now()))
    }

    fn script<'a>(
        &'a self,
        _: &'a ThreadLog,
        run: &'a StoredRun,
        has_begun: bool,
    ) -> ThreadWork<'a, Box<dyn RunScript>> {
        let run_id = &*run.run_id;
        let writer = if has_begun { LogWriter::running(run_id) } else { LogWriter::new(run_id) };
        let script: Box<dyn RunScript> = Box::new(EventScript { thread: self.id.clone(), writer });
        Box::pin(ready(Ok(script)))
    }

    fn start<'a>(
        &'a self,
        log: &'a ThreadLog,
        run: &'a StoredRun,
        state: &'a ThreadState,
    ) -> ThreadWork<'a, Result<Started, AnyError>> {
        Box::pin(async move {
            let body = log.input(&run.run_id).await?;
            let input = match self.input_of(log, state, &body).await? {
                Ok(input) => input,
                Err(error) => return Ok(Err(error)),
            };
            let stop = Arc::new(StopRequest::default());
            let url = [&*state.base, "/runs"].concat();
            let started = self.options.service.run(input, &url, &state.owner, stop.clone());
            Ok(started.map(|chunks| Started { chunks: Box::pin(chunks), stop }))
        })
    }

    fn form<'a>(
        &'a self,
        _: &'a ThreadLog,
        _: &'a StoredRun,
        generation: &'a str,
        _: &'a FollowedRun,
    ) -> ThreadWork<'a, RunForm> {
        let name = generation.to_owned();
        let generation = name.clone();
        let write = move |run_id: &str, after: u64, entries: &[_]| {
            let place = Cursor { generation: generation.clone(), number: after };
            let mut subscription = Subscription::new(run_id, place, 1);
            let mut out = String::new();
            entries.iter().for_each(|entry| subscription.read(entry, &mut out));
            subscription.flush(&mut out);
            (out, subscription.end() == Some(SubscriptionEnd::Terminal))
        };
        Box::pin(ready(Ok(RunForm { name, write: Arc::new(write) })))
    }

    fn report<'a>(
        &'a self,
        log: &'a ThreadLog,
        users: &'a Users,
        owner: &'a str,
    ) -> ThreadWork<'a, ()> {
        Box::pin(async move {
            let Some(run) = log.active().await else { return Ok(()) };
            if run.created {
                let body = log.input(&run.run_id).await?;
                users.add_thread(owner, &self.id, &first_text(&body)).await?;
            }
            users.use_thread(owner, &self.id, run.at).await
        })
    }

    fn withdraw<'a>(
        &'a self,
        _: &'a ThreadLog,
        users: &'a Users,
        owner: &'a str,
    ) -> ThreadWork<'a, ()> {
        Box::pin(users.remove_thread(owner, &self.id))
    }

    fn retain<'a>(&'a self, log: &'a ThreadLog, now: u64) -> ThreadWork<'a, Option<Duration>> {
        Box::pin(retain(log, &self.options, now))
    }
}

impl Conversation {
    /// Returns the request as the agent receives it: its messages are the history.
    async fn input_of(
        &self,
        log: &ThreadLog,
        state: &ThreadState,
        body: &str,
    ) -> Result<Result<RunAgentInput, AnyError>, AnyError> {
        let (mut value, input) = match (Value::parse(body, Limits::DEEPEST), RunInput::parse(body))
        {
            (Ok(value), Ok(input)) => (value, input),
            _ => return Ok(Err("the stored request is not valid".into())),
        };
        let mut history = history_of(log, &input).await?;
        let attachments = Attachments(&self.options);
        let renew = attachments.renewing(&state.owner, &state.base);
        history.iter_mut().for_each(|message| renew.message(message));
        value.insert("messages", Value::Array(history));
        let read = request::read::<RunAgentInput>(value, None);
        Ok(read.map_err(|problems| request::InvalidRequest::new(problems).into()))
    }
}

/// A run whose log has AG-UI events, from `RUN_STARTED` to the terminal event.
struct EventScript {
    thread: String,
    writer: LogWriter,
}

impl RunScript for EventScript {
    fn split(&mut self, chunk: String) -> Vec<String> {
        chunk
            .lines()
            .filter_map(|line| line.strip_prefix("data: "))
            .map(ToOwned::to_owned)
            .collect()
    }

    fn append(&mut self, data: &str) -> Result<String, AnyError> {
        Ok(self.writer.append(data)?)
    }

    fn is_over(&self) -> bool {
        self.writer.is_over()
    }

    fn ending(&mut self, failure: Option<RunFailure>, _: bool) -> Vec<String> {
        let RunFailure { code, message } = failure.unwrap_or(RunFailure::TRUNCATED);
        let error = run_error(code, message);
        if self.writer.has_begun() {
            return vec![error];
        }
        let start = object(|event| {
            event.string("type", Some("RUN_STARTED"));
            event.string("threadId", Some(&self.thread));
            event.string("runId", Some(self.writer.run_id()));
        });
        vec![start, error]
    }
}
