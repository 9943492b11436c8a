//! The output of an asynchronous agent.

use std::future::poll_fn;
use std::string::String;

use super::emission::SharedWriter;
use super::writer::{CallId, Writer};
use crate::hub::{Losses, Note, Payload, RunEnd, Step};
use crate::json::Value;

/// Writes the answer of one run; handles are cheap to clone and may be used from several tasks.
///
/// The asynchronous methods wait while the client is slow, until it has received the earlier
/// output. When the client goes, the future of the agent is dropped at the point where it waits;
/// handles in other tasks then ignore what is written, and wait no more.
#[derive(Clone, Debug)]
pub struct Out(SharedWriter);

/// A tool call that is being written.
#[derive(Clone, Debug)]
pub struct OutCall {
    call: CallId,
    out: Out,
}

impl Out {
    pub(super) fn new(room: SharedWriter) -> Self {
        Out(room)
    }

    pub(super) fn room(&self) -> &SharedWriter {
        &self.0
    }

    async fn write<T>(&self, work: impl FnOnce(&mut Writer) -> T) -> T {
        let result = self.0.write(work);
        poll_fn(|context| self.0.poll_room(context)).await;
        result
    }

    /// Writes the next piece of the answer's text.
    pub async fn text(&self, piece: &str) {
        self.write(|out| out.text(piece)).await;
    }

    /// Writes the next piece of the model's reasoning.
    pub async fn reasoning(&self, piece: &str) {
        self.write(|out| out.reasoning(piece)).await;
    }

    /// Writes the next piece of the agent's refusal.
    pub async fn refusal(&self, piece: &str) {
        self.write(|out| out.refusal(piece)).await;
    }

    /// Completes the current message: the next piece begins another one.
    pub async fn end_message(&self) {
        self.write(Writer::end_message).await;
    }

    /// Begins a call of the tool of this name. It stays open, next to later output, until it is
    /// completed or answered.
    pub async fn call(&self, name: &str) -> OutCall {
        let call = self.write(|out| out.call(name)).await;
        OutCall { call, out: self.clone() }
    }

    /// Begins a call with an id that the model has given it. No two calls of a run have the same
    /// id.
    pub async fn call_with_id(&self, name: &str, id: impl Into<String>) -> OutCall {
        let call = self.write(|out| out.call_with_id(name, id)).await;
        OutCall { call, out: self.clone() }
    }

    /// Writes the result of a call that has been [forwarded](Self::forward): text, often JSON text.
    pub async fn result(&self, call: &str, output: &str) {
        self.write(|out| out.result_of(call, output)).await;
    }

    /// Interrupts the run with a question. The answer comes in another request, which has to refer
    /// to this id.
    pub async fn interrupt(&self, id: &str, reason: Option<&str>, payload: &Value) {
        self.write(|out| out.interrupt(id, reason, payload)).await;
    }

    /// Writes a whole part, in a message of its own: media, a file, or data.
    pub async fn part(&self, payload: Payload<'_>) {
        self.write(|out| out.part(payload)).await;
    }

    /// Writes a note about the run, which is not part of a message.
    pub async fn note(&self, note: Note<'_>) {
        self.write(|out| out.note(note)).await;
    }

    /// Writes any [step](Step), as [`Writer::step`] does.
    pub async fn step(&self, step: &Step<'_>) {
        self.write(|out| out.step(step)).await;
    }

    /// Sets the tokens used by the run: an object, which is written at the end of the run.
    pub fn usage(&self, usage: Value) {
        self.0.write(|out| out.usage(usage));
    }

    /// Writes a comment, which shows that the connection is alive and is not an event.
    pub fn heartbeat(&self) {
        self.0.write(Writer::heartbeat);
    }

    /// Ends the run as failed. The client receives exactly this code and message.
    pub fn fail(&self, code: &str, message: &str) {
        self.0.write(|out| out.fail(code, message));
    }

    /// Ends the run; only the first end counts. For a successful end, the agent only has to return.
    pub fn end(&self, end: RunEnd) {
        self.0.write(|out| out.end(end));
    }

    /// Removes the losses so far: those of a request that is not passed on.
    pub(super) fn forget_losses(&self) {
        self.0.forget_losses();
    }

    /// Adds losses of the request or the answer. Those that are added before the first output are
    /// in the header
    /// [`agentwire-losses`](Losses::HEADER) of the response. [`forward`](Self::forward) adds its own.
    pub fn add_losses(&self, losses: &Losses) {
        self.0.add_losses(losses);
    }

    /// Returns the losses so far.
    pub fn losses(&self) -> Losses {
        self.0.losses()
    }

    /// Reports the error of a tool to the server, without an end of the run. Returns the text for
    /// the client and the model.
    #[cfg(feature = "model")]
    pub(crate) fn report_tool_error(
        &self,
        tool: &str,
        error: &(dyn std::error::Error + 'static),
    ) -> String {
        match self.0.failures.report(error, Some(tool)) {
            (_, Some(shown)) => shown.message,
            (id, None) => ["the tool failed, its id is ", &id].concat(),
        }
    }

    /// Reports whether the answer has an event other than its start.
    pub fn has_output(&self) -> bool {
        self.0.write(|out| out.has_output())
    }

    /// Reports whether the run has ended, or its client has gone: later output is ignored.
    pub fn has_ended(&self) -> bool {
        self.0.write(|out| out.has_ended())
    }
}

impl OutCall {
    /// Returns the id of the call.
    pub fn id(&self) -> &str {
        self.call.as_str()
    }

    /// Writes the next piece of the arguments, which are JSON text.
    pub async fn arguments(&self, piece: &str) {
        self.out.write(|out| out.arguments(&self.call, piece)).await;
    }

    /// Completes the call without a result: another party provides it.
    pub async fn complete(self) {
        self.out.write(|out| out.end_call(&self.call)).await;
    }

    /// Completes the call with its result: text, often JSON text.
    pub async fn result(self, output: &str) {
        self.out.write(|out| out.result(&self.call, output)).await;
    }
}
