//! Conversations whose clients send only their new messages: each is a thread, and each answer is
//! one of its runs.

use std::borrow::ToOwned as _;
use std::convert::Infallible;
use std::pin::Pin;
use std::string::String;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::vec::Vec;

use axum_core::body::Body;
use axum_core::response::Response;
use bytes::Bytes;
use futures_core::Stream;
use tokio::runtime::Handle;
use tokio::sync::watch;

use super::answers::{
    AnswerCall, Begun, IDLE, MAX_STORED_REQUEST_BYTES, followed_response, missing, response_of,
    stream,
};
use super::frames::{AnswerOutcome, losses_in};
use super::{Stored, WhileRunning};
use crate::protocols::ProtocolKind;
use crate::protocols::runs::problem::Code;
use crate::threads::{
    FollowedRun, FollowerBody, NewThreadRun, Refusal, Until, hash_of, parsed, reject,
};

/// Returns the name of the conversation of a request whose client sends only its new messages.
pub(super) fn conversation_in(call: &AnswerCall, body: &str) -> Option<String> {
    let body = parsed(body);
    let text = |member| body.text(member).filter(|text| !text.is_empty());
    match call.protocol? {
        ProtocolKind::AgentApi => call.conversation(text("session_id")?, text("user_id")),
        ProtocolKind::AgentScope => call.conversation(text("session_id")?, None),
        ProtocolKind::AgKit => call.conversation(text("conversationId")?, None),
        _ => None,
    }
}

/// How the answer to a message is started.
#[derive(Default)]
pub(super) struct StartOptions {
    /// What happens while another answer is being written.
    pub while_running: WhileRunning,
    /// The frames of an answer without an agent.
    pub frames: Option<Vec<String>>,
}

impl Stored {
    /// Answers a message in its conversation.
    pub(super) async fn converse(
        self: &Arc<Self>,
        call: &AnswerCall,
        body: &str,
        name: &str,
    ) -> Result<Response, Refusal> {
        let run = call.answer_id()?;
        let how = StartOptions { while_running: self.while_running, frames: None };
        let losses = match self.start_turn(call, body, name, &run, how).await? {
            Begun::Response(response) => return Ok(response),
            Begun::Frames { losses } => losses,
        };
        let losses = losses.as_deref();
        if call.prefers_resumable() {
            return self.frames(call, name, Some(&run), losses).await;
        }
        let followed = FollowedRun {
            owner: Some(call.user.clone()),
            run_id: Some(run.clone()),
            after: Some(0),
            idle_limit: IDLE,
            ..FollowedRun::default()
        };
        let body = self.threads.get(name).follow(followed).await.map_err(missing)?;
        let Some(body) = body else { return Ok(followed_response(None, losses)) };
        let watched = Watched {
            body,
            is_over: false,
            leave: Some(Leave {
                stored: self.clone(),
                name: name.to_owned(),
                run,
                user: call.user.clone(),
            }),
        };
        Ok(stream(Body::from_stream(watched), losses))
    }

    /// Starts the answer to a message, or stores one with these frames, and waits for its first
    /// event.
    pub(super) async fn start_turn(
        &self,
        call: &AnswerCall,
        body: &str,
        name: &str,
        run: &str,
        StartOptions { while_running, frames }: StartOptions,
    ) -> Result<Begun, Refusal> {
        let mut stored = call.stored(body);
        stored.run_id = Some(run.to_owned());
        stored.conversation = Some(name.to_owned());
        stored.frames = frames;
        let input = stored.to_json();
        if input.len() > MAX_STORED_REQUEST_BYTES {
            let detail = "a message to a conversation has 8388608 bytes at most";
            return reject(Code::BodyTooLarge, detail);
        }
        // The client has left: its next message is not refused because of that.
        let stopping = self.stopping().get(name).cloned();
        if let Some(mut stopping) = stopping {
            drop(stopping.changed().await);
        }
        let thread = self.threads.get(name);
        let new = NewThreadRun {
            owner: call.user.clone(),
            input,
            hash: hash_of(&[call.path(), "\n", body].concat()),
            ..NewThreadRun::default()
        };
        thread.create_in_turn(new, while_running).await?;
        let user = Some(&*call.user);
        let first = thread.entries(user, Some(run), Until::First).await.map_err(missing)?;
        let data = first.entries.first().map(|entry| &*entry.data).unwrap_or_default();
        match AnswerOutcome::of_entry(data) {
            Some(outcome) => Ok(Begun::Response(response_of(call, outcome)?)),
            None => Ok(Begun::Frames { losses: losses_in(data).map(ToOwned::to_owned) }),
        }
    }
}

/// The events of an answer. Its agent is stopped when its client leaves.
struct Watched {
    body: FollowerBody,
    is_over: bool,
    leave: Option<Leave>,
}

/// What is stopped when a client leaves.
struct Leave {
    stored: Arc<Stored>,
    name: String,
    run: String,
    user: String,
}

impl Stream for Watched {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let polled = Pin::new(&mut self.body).poll_next(context);
        self.is_over |= matches!(polled, Poll::Ready(None));
        polled
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let Some(Leave { stored, name, run, user }) = self.leave.take().filter(|_| !self.is_over)
        else {
            return;
        };
        // Without a runtime, the process is about to end, and its agents with it.
        if Handle::try_current().is_err() {
            return;
        }
        let (end, ended) = watch::channel(());
        stored.stopping().insert(name.clone(), ended);
        let threads = stored.threads.clone();
        threads.spawn(async move {
            let thread = stored.threads.get(&name);
            if thread.cancel(&user, Some(&run)).await.is_ok() {
                drop(thread.entries(Some(&user), Some(&run), Until::End).await);
            }
            stored.stopping().remove(&name);
            drop(end);
        });
    }
}
