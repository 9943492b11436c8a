//! What an asynchronous agent writes to.

use std::future::poll_fn;
use std::string::String;

use super::room::Room;
use super::writer::{CallId, Writer};
use crate::hub::{Note, Payload, RunEnd, Step};
use crate::json::Value;

/// Writes the answer of one run; handles are cheap to clone and may be used from several tasks.
///
/// What waits, waits while the client is slow: until what was written before has been taken. When the client goes, the
/// future that the agent is gets dropped, at the place where it waits.
#[derive(Clone, Debug)]
pub struct Out(Room);

/// A tool call that is being written.
#[derive(Clone, Debug)]
pub struct OutCall {
    call: CallId,
    out: Out,
}

impl Out {
    pub(super) fn new(room: Room) -> Self {
        Out(room)
    }

    async fn say<T>(&self, work: impl FnOnce(&mut Writer) -> T) -> T {
        let said = self.0.write(work);
        poll_fn(|context| self.0.poll_room(context)).await;
        said
    }

    /// A further piece of the answer's text.
    pub async fn text(&self, piece: &str) {
        self.say(|out| out.text(piece)).await;
    }

    /// A further piece of what the model thinks.
    pub async fn reasoning(&self, piece: &str) {
        self.say(|out| out.reasoning(piece)).await;
    }

    /// A further piece of why the agent will not answer.
    pub async fn refusal(&self, piece: &str) {
        self.say(|out| out.refusal(piece)).await;
    }

    /// Completes the message that is being written: the next piece begins another one.
    pub async fn end_message(&self) {
        self.say(Writer::end_message).await;
    }

    /// A call of a tool of this name begins. It stays open beside what comes next, until it is completed or answered.
    pub async fn call(&self, name: &str) -> OutCall {
        let call = self.say(|out| out.call(name)).await;
        OutCall { call, out: self.clone() }
    }

    /// The same, where the model has given the call an id. No two calls of a run have the same.
    pub async fn call_with_id(&self, name: &str, id: impl Into<String>) -> OutCall {
        let call = self.say(|out| out.call_with_id(name, id)).await;
        OutCall { call, out: self.clone() }
    }

    /// The agent asks something, and the run waits for the answer in another request, which has to name this id.
    pub async fn interrupt(&self, id: &str, reason: Option<&str>, payload: &Value) {
        self.say(|out| out.interrupt(id, reason, payload)).await;
    }

    /// A part that comes whole, in a message of its own: media, a file, or data.
    pub async fn part(&self, payload: Payload<'_>) {
        self.say(|out| out.part(payload)).await;
    }

    /// What is said about the run and is no part of a message.
    pub async fn note(&self, note: Note<'_>) {
        self.say(|out| out.note(note)).await;
    }

    /// Any [step](Step), as [`Writer::step`] takes it.
    pub async fn step(&self, step: &Step<'_>) {
        self.say(|out| out.step(step)).await;
    }

    /// Tokens used by the run: an object, which stands in its end.
    pub fn usage(&self, usage: Value) {
        self.0.write(|out| out.usage(usage));
    }

    /// Tells the client that the connection is alive: a comment, which is no event.
    pub fn heartbeat(&self) {
        self.0.write(Writer::heartbeat);
    }

    /// Ends the run: it failed. The client is told exactly this.
    pub fn fail(&self, code: &str, message: &str) {
        self.0.write(|out| out.fail(code, message));
    }

    /// Ends the run in any way; only the first end counts. To end it well, the agent only has to return.
    pub fn end(&self, end: RunEnd) {
        self.0.write(|out| out.end(end));
    }

    /// Whether the run has ended: nothing is written any more.
    pub fn has_ended(&self) -> bool {
        self.0.write(|out| out.has_ended())
    }
}

impl OutCall {
    /// The call's id.
    pub fn id(&self) -> &str {
        self.call.as_str()
    }

    /// A further piece of the JSON text that the arguments are.
    pub async fn arguments(&self, piece: &str) {
        self.out.say(|out| out.arguments(&self.call, piece)).await;
    }

    /// Completes the call: somebody else brings its result.
    pub async fn complete(self) {
        self.out.say(|out| out.end_call(&self.call)).await;
    }

    /// Completes the call, and says what it came to: text, often JSON text.
    pub async fn result(self, output: &str) {
        self.out.say(|out| out.result(&self.call, output)).await;
    }
}
