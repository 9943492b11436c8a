//! The writer of an agent's output as the events of a protocol.

#[cfg(feature = "axum")]
use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::string::{String, ToString};
use core::fmt;

#[cfg(any(feature = "futures", feature = "wasm"))]
use crate::convert::add_thoughts;
use crate::convert::{ConversionSide, Target, TargetOutput, write};
use crate::core::error::UsageError;
use crate::hub::{
    EndStatus, GrowingMessage, Hub, Losses, MessageEnd, MessageKind, Note, Payload, Role, RunEnd,
    Step, Then, ToHub, ToolKind,
};
use crate::json::Value;
use crate::protocols::ProtocolKind;
use crate::protocols::agent_api::builder::BuilderOptions;
#[cfg(feature = "wasm")]
use crate::protocols::agent_api::{builder::ResponseBuilder, hub::ToAgentApi};

/// Writes one answer in one protocol. The output is legal for any order of calls, and always ends:
/// open messages are completed when the next one begins, and when the run ends.
///
/// The writer does not send its output. [`take`](Self::take) returns the output since its last
/// call: whole server-sent events.
pub struct Writer {
    then: Then<CallerSteps, Target>,
    text: String,
    /// The message of the next piece of the same kind.
    growing: GrowingMessage<TextPieceKind>,
    taken: UsedNames,
    usage: Option<Value>,
    /// The number of changes so far.
    states: u64,
    /// An event has been written, other than the start of the answer.
    has_output: bool,
    /// Writes the answer a second time, as a response of the Agent API.
    #[cfg(feature = "axum")]
    recorder: Option<Box<super::recorder::Recorder>>,
}

/// The names that the run has used.
#[derive(Debug, Default)]
pub(crate) struct UsedNames {
    /// The number of messages so far.
    messages: u32,
    /// The number of call ids that the writer has created.
    calls: u32,
    /// The ids of the calls.
    ids: BTreeSet<String>,
}

impl UsedNames {
    /// Creates the names of a run that has other messages, with the numbers up to this one.
    #[cfg(feature = "wasm")]
    pub fn after(messages: u32) -> Self {
        UsedNames { messages, ..Self::default() }
    }

    /// Returns a number that no message has yet.
    pub fn next_message(&mut self) -> u32 {
        self.messages += 1;
        self.messages
    }

    /// Returns the id of another call: this one if no call has it, or one that begins with it.
    pub fn call(&mut self, id: &str) -> String {
        let mut taken: String = id.into();
        while taken.is_empty() || !self.ids.insert(taken.clone()) {
            self.calls += 1;
            let base = if id.is_empty() { "call" } else { id };
            taken = [base, "_", &self.calls.to_string()].concat();
        }
        taken
    }
}

/// A tool call that has begun: its id, and its message.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CallId {
    id: String,
    message: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextPieceKind {
    Text,
    Reasoning,
    Refusal,
}

impl Writer {
    /// Creates a writer at the start of an answer. `write` has the source of ids, the clock, and
    /// the ids of the run and the conversation. Fails for protocols that this build cannot write.
    pub fn new(protocol: ProtocolKind, write: BuilderOptions) -> Result<Self, UsageError> {
        if !protocol.is_writable() {
            return Err(UsageError::new(
                "protocol-not-written",
                ["Writer::new() was given the protocol `", protocol.as_str(), "`"].concat(),
                "use a protocol that this version converts",
            ));
        }
        Ok(Self::on(Target::new(ConversionSide::Protocol(protocol), write)))
    }

    /// Creates a writer of further output of a response of the Agent API, which its builder has
    /// begun and will end.
    #[cfg(feature = "wasm")]
    pub(crate) fn continuing(response: ResponseBuilder) -> Self {
        Self::on(Target::AgentApi(ToAgentApi::continuing(response)))
    }

    fn on(target: Target) -> Self {
        let mut writer = Writer {
            then: CallerSteps.then(target),
            text: String::new(),
            growing: GrowingMessage::default(),
            taken: UsedNames::default(),
            usage: None,
            states: 0,
            has_output: false,
            #[cfg(feature = "axum")]
            recorder: None,
        };
        writer.step(&Step::start(None, None));
        writer.has_output = false;
        writer
    }

    /// Records the answer from here on, before anything is written.
    #[cfg(feature = "axum")]
    pub(super) fn record(&mut self) {
        self.recorder = Some(Box::default());
    }

    /// Returns the answer that was recorded.
    #[cfg(feature = "axum")]
    pub(super) fn recorded(&mut self) -> Option<Value> {
        self.recorder.take().map(|recorder| recorder.finish())
    }

    /// Returns the output since the last call of this method: whole events.
    pub fn take(&mut self) -> String {
        core::mem::take(&mut self.text)
    }

    /// Returns the number of bytes to [take](Self::take).
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// Reports whether [`take`](Self::take) would return an empty string.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Reports whether the run has ended: later output is ignored.
    pub fn has_ended(&self) -> bool {
        self.then.has_ended()
    }

    /// Reports whether the answer has an event other than its start.
    pub fn has_output(&self) -> bool {
        self.has_output
    }

    /// Returns the losses: the output that the protocol cannot carry.
    pub fn losses(&self) -> &Losses {
        self.then.losses()
    }

    /// Writes any [step](Step), for output that has no method of its own. The caller numbers its
    /// messages, with
    /// [`next_message`](Self::next_message).
    pub fn step(&mut self, step: &Step<'_>) {
        self.relay(|hub, _| hub.emit(step));
    }

    /// Passes steps on. `work` receives the hub, and the names that the run has used. If the target
    /// received exactly one piece of a text, returns a state in which it writes further
    /// [pieces](Self::pieces) of that text.
    pub(crate) fn relay(&mut self, work: impl FnOnce(&mut Hub<'_>, &mut UsedNames)) -> Option<u64> {
        let Writer { then, text, taken, states, has_output, .. } = self;
        *states += 1;
        let mut events = 0;
        let mut emit = |sent: TargetOutput| {
            events += 1;
            write(text, sent);
        };
        #[cfg(feature = "axum")]
        if let Some(recorder) = &mut self.recorder {
            then.with(&mut emit, |_, hub| recorder.also(hub, |hub| work(hub, taken)));
            *has_output |= events > 0;
            return None;
        }
        let is_piece = then.piece(&mut emit, |_, hub| work(hub, taken));
        *has_output |= events > 0;
        (is_piece && events == 1 && then.sides().1.can_write_pieces()).then_some(*states)
    }

    /// Returns the function that writes further pieces of a text, unless another step has been
    /// written since that state.
    #[cfg(any(feature = "futures", feature = "wasm"))]
    pub(crate) fn pieces(&mut self, state: u64) -> Option<impl FnMut(&str, &[usize])> {
        let Writer { then, text, states, .. } = self;
        let (_, target, mut thoughts) = then.sides();
        (*states == state).then_some(move |pieces: &str, ends: &[usize]| {
            add_thoughts(&mut thoughts, pieces);
            target.write_pieces(pieces, ends, text);
        })
    }

    /// Limits the content that the target repeats to a multiple of the bytes that [were
    /// read](Self::was_read), for steps of a source that is not trusted.
    #[cfg(any(feature = "futures", feature = "wasm"))]
    pub(crate) fn limit_repeats(&mut self, is_limited: bool) {
        #[cfg(feature = "axum")]
        if let Some(recorder) = &mut self.recorder {
            recorder.limit_repeats(is_limited);
        }
        self.then.limit_repeats(is_limited);
    }

    #[cfg(any(feature = "futures", feature = "wasm"))]
    pub(crate) fn add_input_bytes(&mut self, bytes: u64) {
        #[cfg(feature = "axum")]
        if let Some(recorder) = &mut self.recorder {
            recorder.add_input_bytes(bytes);
        }
        self.then.add_input_bytes(bytes);
    }

    /// Returns a number that no message has yet.
    pub fn next_message(&mut self) -> u32 {
        self.taken.next_message()
    }

    /// Writes the next piece of the answer's text.
    pub fn text(&mut self, piece: &str) {
        let message = self.piece(TextPieceKind::Text);
        self.step(&Step::Text { message, part: 0, piece });
    }

    /// Writes the next piece of the model's reasoning.
    pub fn reasoning(&mut self, piece: &str) {
        let message = self.piece(TextPieceKind::Reasoning);
        self.step(&Step::reasoning(message, 0, piece));
    }

    /// Writes the next piece of the agent's refusal.
    pub fn refusal(&mut self, piece: &str) {
        let message = self.piece(TextPieceKind::Refusal);
        self.step(&Step::Refusal { message, part: 0, piece });
    }

    /// Completes the current message: the next piece begins another one.
    pub fn end_message(&mut self) {
        if let Some(growing) = self.growing.end() {
            self.close(growing.message);
        }
    }

    /// Begins a call of the tool of this name. It stays open, next to later output, until it is
    /// completed or answered.
    pub fn call(&mut self, name: &str) -> CallId {
        self.taken.calls += 1;
        let id = self.taken.call(&["call_", &self.taken.calls.to_string()].concat());
        self.begin_call(name, id)
    }

    /// Begins a call with an id that the model has given it. No two calls of a run have the same
    /// id.
    pub fn call_with_id(&mut self, name: &str, id: impl Into<String>) -> CallId {
        let id = id.into();
        self.taken.ids.insert(id.clone());
        self.begin_call(name, id)
    }

    fn begin_call(&mut self, name: &str, id: String) -> CallId {
        self.end_message();
        let call = CallId { id, message: self.next_message() };
        let kind = MessageKind::Call(ToolKind::Function);
        self.step(&Step::open(call.message, kind, Role::Assistant, None));
        self.step(&Step::call(call.message, 0, &call.id, name, &[]));
        call
    }

    /// Writes the next piece of the arguments of a call, which are JSON text.
    pub fn arguments(&mut self, call: &CallId, piece: &str) {
        self.step(&Step::Arguments { message: call.message, part: 0, piece });
    }

    /// Completes a call without a result: the client or a later run provides it.
    pub fn end_call(&mut self, call: &CallId) {
        self.step(&Step::EndPart { message: call.message, part: 0, whole: true });
        self.close(call.message);
    }

    /// Completes a call with its result: text, often JSON text.
    pub fn result(&mut self, call: &CallId, output: &str) {
        self.end_call(call);
        self.result_of(&call.id, output);
    }

    /// Writes the result of a completed call: text, often JSON text.
    pub fn result_of(&mut self, call: &str, output: &str) {
        let message = self.whole(MessageKind::Result(ToolKind::Function), Role::Tool);
        self.step(&Step::result(message, 0, call, output));
        self.close(message);
    }

    /// Interrupts the run with a question. The answer comes in another request, which has to refer
    /// to this id.
    pub fn interrupt(&mut self, id: &str, reason: Option<&str>, payload: &Value) {
        let message = self.whole(MessageKind::Interrupt, Role::Assistant);
        self.step(&Step::interrupt(message, 0, id, reason, payload));
        self.close(message);
    }

    /// Writes a whole part, in a message of its own: media, a file, or data.
    pub fn part(&mut self, payload: Payload<'_>) {
        let message = self.whole(MessageKind::Message, Role::Assistant);
        self.step(&Step::whole(message, 0, payload));
        self.close(message);
    }

    /// Writes a note about the run, which is not part of a message: state, activities, errors that
    /// do not end the run.
    pub fn note(&mut self, note: Note<'_>) {
        self.step(&Step::Note(note));
    }

    /// Sets the tokens used by the run: an object, which is written at the end of the run.
    pub fn usage(&mut self, usage: Value) {
        self.usage = Some(usage);
    }

    /// Writes a comment, which shows that the connection is alive and is not an event.
    pub fn heartbeat(&mut self) {
        let Writer { then, text, .. } = self;
        then.heartbeat(|sent| write(text, sent));
    }

    /// Ends the run as completed.
    pub fn complete(&mut self) {
        self.end(RunEnd::new(EndStatus::Completed));
    }

    /// Ends the run as failed. `code` is for programs, `message` for people at the client.
    pub fn fail(&mut self, code: &str, message: &str) {
        self.end(RunEnd::failed(Some(code), message));
    }

    /// Ends the run as canceled.
    pub fn cancel(&mut self) {
        self.end(RunEnd::new(EndStatus::Canceled));
    }

    /// Ends the run as incomplete, for example because a limit was reached.
    pub fn incomplete(&mut self, reason: &str) {
        self.end(RunEnd::incomplete(reason));
    }

    /// Ends the run; only the first end counts.
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

    /// Returns the message of a piece; begins one if the kind of piece changes.
    fn piece(&mut self, piece: TextPieceKind) -> u32 {
        if let Some(message) = self.growing.number_for(piece) {
            return message;
        }
        let kind = match piece {
            TextPieceKind::Text | TextPieceKind::Refusal => MessageKind::Message,
            TextPieceKind::Reasoning => MessageKind::Reasoning,
        };
        let message = self.whole(kind, Role::Assistant);
        self.growing.begin(message, piece)
    }

    /// Completes the open message and begins a new one.
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
    /// Returns the id.
    pub fn as_str(&self) -> &str {
        &self.id
    }
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer")
            .field("then", &self.then)
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}

/// The source of the writer. It emits no steps of its own: the caller passes them.
#[derive(Debug)]
pub(super) struct CallerSteps;

impl ToHub for CallerSteps {
    type Event<'e> = ();

    fn feed(&mut self, (): (), _: &mut Hub<'_>) {}

    fn finish(&mut self, _: bool, _: &mut Hub<'_>) {}
}
