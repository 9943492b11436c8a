//! What an agent says, put into a protocol's events.

use alloc::string::{String, ToString};
use core::fmt;

use crate::convert::{Endpoint, Sent, Target, write};
use crate::core::error::UsageError;
use crate::hub::{
    EndStatus, Hub, Losses, MessageEnd, MessageKind, Note, Payload, Role, RunEnd, Step, Then, ToHub, ToolKind,
};
use crate::json::Value;
use crate::protocols::ProtocolKind;
use crate::protocols::agent_api::builder::BuilderOptions;

/// Writes one answer in one protocol. What it writes is legal whatever is called, and always ends: what is open is completed
/// when the next thing begins, and when the run ends.
///
/// Nothing is sent by itself. [`take`](Self::take) gives what has been written since it was asked last: whole server-sent
/// events.
pub struct Writer {
    then: Then<Steps, Target>,
    text: String,
    /// The message and part that the next piece of the same kind goes to.
    open: Option<(Piece, u32)>,
    /// How many messages there have been.
    messages: u32,
    /// How many calls were given an id here.
    calls: u32,
    usage: Option<Value>,
}

/// A tool call that was begun: its id, and the message that it stands in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CallId {
    id: String,
    message: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    Text,
    Reasoning,
    Refusal,
}

impl Writer {
    /// A writer at the start of an answer. `write` has the source of ids, the clock, and the ids of the run and the
    /// conversation. Refused for protocols that this build cannot write.
    pub fn new(protocol: ProtocolKind, write: BuilderOptions) -> Result<Self, UsageError> {
        if !protocol.is_readable() {
            return Err(UsageError::new(
                "protocol-not-written",
                ["Writer::new() was given the protocol `", protocol.as_str(), "`"].concat(),
                "use a protocol that this version converts",
            ));
        }
        let then = Steps.then(Target::new(Endpoint::Protocol(protocol), write));
        let mut writer = Writer { then, text: String::new(), open: None, messages: 0, calls: 0, usage: None };
        writer.step(&Step::start(None, None));
        Ok(writer)
    }

    /// What has been written since this was asked last: whole events.
    pub fn take(&mut self) -> String {
        core::mem::take(&mut self.text)
    }

    /// How many bytes there are to [take](Self::take).
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// Whether there is nothing to [take](Self::take).
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Whether the run has ended: nothing is written any more.
    pub fn has_ended(&self) -> bool {
        self.then.has_ended()
    }

    /// What the protocol has no room for, and so was not written.
    pub fn losses(&self) -> &Losses {
        self.then.losses()
    }

    /// Says any [step](Step): for what there is no word for here. Its messages are numbered by the caller, from
    /// [`next_message`](Self::next_message) on.
    pub fn step(&mut self, step: &Step<'_>) {
        let Writer { then, text, .. } = self;
        then.with(&mut |sent: Sent| write(text, sent), |_, hub| hub.emit(step));
    }

    /// A number that no message has yet.
    pub fn next_message(&mut self) -> u32 {
        self.messages += 1;
        self.messages
    }

    /// A further piece of the answer's text.
    pub fn text(&mut self, piece: &str) {
        let message = self.piece(Piece::Text);
        self.step(&Step::Text { message, part: 0, piece });
    }

    /// A further piece of what the model thinks.
    pub fn reasoning(&mut self, piece: &str) {
        let message = self.piece(Piece::Reasoning);
        self.step(&Step::reasoning(message, 0, piece));
    }

    /// A further piece of why the agent will not answer.
    pub fn refusal(&mut self, piece: &str) {
        let message = self.piece(Piece::Refusal);
        self.step(&Step::Refusal { message, part: 0, piece });
    }

    /// Completes the message that is being written: the next piece begins another one.
    pub fn end_message(&mut self) {
        if let Some((_, message)) = self.open.take() {
            self.close(message);
        }
    }

    /// A call of a tool of this name begins. It stays open beside what comes next, until it is completed or answered.
    pub fn call(&mut self, name: &str) -> CallId {
        self.calls += 1;
        let id = ["call_", &self.calls.to_string()].concat();
        self.call_with_id(name, id)
    }

    /// The same, where the model has given the call an id. No two calls of a run have the same.
    pub fn call_with_id(&mut self, name: &str, id: impl Into<String>) -> CallId {
        self.end_message();
        let call = CallId { id: id.into(), message: self.next_message() };
        let kind = MessageKind::Call(ToolKind::Function);
        self.step(&Step::open(call.message, kind, Role::Assistant, None));
        self.step(&Step::call(call.message, 0, &call.id, name, &[]));
        call
    }

    /// A further piece of the JSON text that the arguments of a call are.
    pub fn arguments(&mut self, call: &CallId, piece: &str) {
        self.step(&Step::Arguments { message: call.message, part: 0, piece });
    }

    /// Completes a call whose result somebody else brings: the client, or a later run.
    pub fn end_call(&mut self, call: &CallId) {
        self.step(&Step::EndPart { message: call.message, part: 0, whole: true });
        self.close(call.message);
    }

    /// Completes a call, and says what it came to: text, often JSON text.
    pub fn result(&mut self, call: &CallId, output: &str) {
        self.end_call(call);
        let message = self.whole(MessageKind::Result(ToolKind::Function), Role::Tool);
        self.step(&Step::result(message, 0, &call.id, output));
        self.close(message);
    }

    /// The agent asks something, and the run waits for the answer in another request, which has to name this id.
    pub fn interrupt(&mut self, id: &str, reason: Option<&str>, payload: &Value) {
        let message = self.whole(MessageKind::Interrupt, Role::Assistant);
        self.step(&Step::interrupt(message, 0, id, reason, payload));
        self.close(message);
    }

    /// A part that comes whole, in a message of its own: media, a file, or data.
    pub fn part(&mut self, payload: Payload<'_>) {
        let message = self.whole(MessageKind::Message, Role::Assistant);
        self.step(&Step::whole(message, 0, payload));
        self.close(message);
    }

    /// What is said about the run and is no part of a message: state, activities, errors that do not end it.
    pub fn note(&mut self, note: Note<'_>) {
        self.step(&Step::Note(note));
    }

    /// Tokens used by the run: an object, which stands in its end.
    pub fn usage(&mut self, usage: Value) {
        self.usage = Some(usage);
    }

    /// The connection is alive: a comment, which is no event.
    pub fn heartbeat(&mut self) {
        let Writer { then, text, .. } = self;
        then.heartbeat(|sent| write(text, sent));
    }

    /// Ends the run: the answer is whole.
    pub fn complete(&mut self) {
        self.end(RunEnd::new(EndStatus::Completed));
    }

    /// Ends the run: it failed. `code` is for programs, `message` for the people at the client.
    pub fn fail(&mut self, code: &str, message: &str) {
        self.end(RunEnd::failed(Some(code), message));
    }

    /// Ends the run: somebody stopped it.
    pub fn cancel(&mut self) {
        self.end(RunEnd::new(EndStatus::Canceled));
    }

    /// Ends the run: the answer is not whole, for example because a limit was reached.
    pub fn incomplete(&mut self, reason: &str) {
        self.end(RunEnd::incomplete(reason));
    }

    /// Ends the run in any way; only the first end counts.
    pub fn end(&mut self, mut end: RunEnd) {
        if self.has_ended() {
            return;
        }
        if end.status == EndStatus::Completed {
            self.end_message();
        }
        end.usage = end.usage.or(self.usage.take());
        self.step(&Step::End(&end));
        let Writer { then, text, .. } = self;
        then.finish(false, |sent| write(text, sent));
    }

    /// The message that a piece goes to.
    fn piece(&mut self, piece: Piece) -> u32 {
        if let Some((open, message)) = self.open
            && open == piece
        {
            return message;
        }
        let kind = match piece {
            Piece::Text | Piece::Refusal => MessageKind::Message,
            Piece::Reasoning => MessageKind::Reasoning,
        };
        let message = self.whole(kind, Role::Assistant);
        self.open = Some((piece, message));
        message
    }

    /// A new message after what was open.
    fn whole(&mut self, kind: MessageKind<'_>, role: Role<'_>) -> u32 {
        self.end_message();
        let message = self.next_message();
        self.step(&Step::open(message, kind, role, None));
        message
    }

    fn close(&mut self, message: u32) {
        self.step(&Step::Close { message, end: &MessageEnd::new(EndStatus::Completed) });
    }
}

impl CallId {
    /// The id.
    pub fn as_str(&self) -> &str {
        &self.id
    }
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").field("then", &self.then).field("len", &self.len()).finish_non_exhaustive()
    }
}

/// The source that has nothing of its own to say: steps come from the caller.
#[derive(Debug)]
struct Steps;

impl ToHub for Steps {
    type Event<'e> = ();

    fn feed(&mut self, (): (), _: &mut Hub<'_>) {}

    fn finish(&mut self, _: bool, _: &mut Hub<'_>) {}
}
