//! The two directions of a conversion, and their connection.

use super::conversation::{Opaque, Sealed, TextHash};
use super::kind::{EndStatus, MessageEnd, MessageKind, RunEnd};
use super::loss::Losses;
use super::note::Note;
use super::sequencer::{OpenMessage, OpenMessages, Sequencer};
use super::step::{Step, StepMeta};
use crate::json::{Member, Value};
use alloc::borrow::ToOwned as _;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// Converts a protocol's events to steps. Implement it for a protocol to read from it.
///
/// The source receives events one by one, in the order of the stream, and [emits](Hub::emit) their
/// steps. It cannot fail: an event that it cannot read is left out and, if relevant,
/// [noted](Hub::lose).
pub trait ToHub {
    /// The unit of the protocol's streams (`&'e str` for lines of text).
    type Event<'e>;

    /// Reads one event.
    fn feed(&mut self, event: Self::Event<'_>, hub: &mut Hub<'_>);

    /// Ends the stream; `aborted` if its reader has stopped it. The source need not emit an end: a
    /// run that has not ended becomes canceled or incomplete.
    fn finish(&mut self, aborted: bool, hub: &mut Hub<'_>);

    /// Converts to the protocol that `target` writes.
    fn then<F: FromHub>(self, target: F) -> Then<Self, F>
    where
        Self: Sized,
    {
        Then::new(self, target)
    }
}

/// Converts steps to a protocol's events. Implement it for a protocol to write it.
///
/// Steps arrive in the order of [`Step`], for any source. The last one is always `End`.
pub trait FromHub {
    /// The unit of the protocol's streams.
    type Event;

    /// Receives one step.
    fn feed(&mut self, event: &Step<'_>, out: &mut EventOutput<'_, Self::Event>);

    /// Whether a stream of the protocol can have another run after the end of one. If not,
    /// [`Step::End`] is the last step; otherwise [`Note::Reopened`](super::Note::Reopened) and the steps of another run can follow.
    fn can_reopen(&self) -> bool {
        false
    }

    /// Whether a stream of the protocol can have a list of all messages
    /// ([`Note::Messages`](super::Note::Messages)), which can begin a text. If not, a
    /// [`Note::Replace`](super::Note::Replace) before the first piece of a text is passed on as that piece.
    fn has_lists(&self) -> bool {
        false
    }

    /// Whether a target with lists also receives the steps that repeat a list. Their context marks
    /// them.
    fn takes_listed(&self) -> bool {
        false
    }
}

/// Receives the steps that a source emits, with their context.
type Emit<'o> = dyn FnMut(&Step<'_>, StepMeta<'_>, &mut Losses) + 'o;

/// Receives the steps of a source.
pub struct Hub<'o> {
    emit: &'o mut Emit<'o>,
    losses: &'o mut Losses,
    event: u64,
    /// The format and the scope of the opaque members of the source.
    format: &'o str,
    scope: Option<&'o str>,
}

/// What opaque members belong to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OpaquePlace<'a> {
    pub message: Option<u32>,
    pub part: Option<u32>,
    pub call: Option<&'a str>,
    /// They belong to the result of the call.
    pub result: bool,
    /// They are a whole block.
    pub block: bool,
    pub lane: Option<&'a str>,
}

impl<'a> OpaquePlace<'a> {
    /// Returns a part of a message.
    pub fn part(message: u32, part: u32) -> Self {
        OpaquePlace { message: Some(message), part: Some(part), ..Self::default() }
    }

    /// Returns a call in a message.
    pub fn call(message: u32, call: &'a str) -> Self {
        OpaquePlace { message: Some(message), call: Some(call), ..Self::default() }
    }

    /// Returns the result of a call, in a message if it has one.
    pub fn result(message: Option<u32>, call: &'a str) -> Self {
        OpaquePlace { message, call: Some(call), result: true, ..Self::default() }
    }

    /// Returns the place in a lane.
    pub fn in_lane(self, lane: Option<&'a str>) -> Self {
        OpaquePlace { lane, ..self }
    }

    /// Returns the place of a whole block.
    pub fn of_block(self) -> Self {
        OpaquePlace { block: true, ..self }
    }
}

impl<'o> Hub<'o> {
    /// Creates a hub that passes every step unchanged to `emit`, for tests of a source.
    pub fn new(emit: &'o mut Emit<'o>, losses: &'o mut Losses) -> Self {
        Hub { emit, losses, event: 0, format: "", scope: None }
    }

    /// Returns the hub of a source whose opaque members have this format and scope.
    pub(crate) fn of<'s>(&'s mut self, format: &'s str, scope: Option<&'s str>) -> Hub<'s> {
        Hub { emit: &mut *self.emit, losses: &mut *self.losses, event: self.event, format, scope }
    }

    /// Passes the steps of `work` on, and to another hub.
    #[cfg(feature = "axum")]
    pub(crate) fn both(&mut self, other: &mut Hub<'_>, work: impl FnOnce(&mut Hub<'_>)) {
        let Hub { emit, losses, event, format, scope } = self;
        let Hub { emit: other, losses: lost, .. } = other;
        let mut send = |step: &Step<'_>, context: StepMeta<'_>, losses: &mut Losses| {
            emit(step, context, losses);
            other(step, context, lost);
        };
        work(&mut Hub { emit: &mut send, losses, event: *event, format, scope: *scope });
    }

    /// Emits opaque members of the source. Does nothing for an empty object.
    pub(crate) fn opaque(&mut self, members: &Value, place: OpaquePlace<'_>) {
        // A block that has nothing but its type carries nothing.
        let is_filled = |member: &Member| {
            !matches!(&*member.key, "type" | "status" | "index")
                && !matches!(&member.value, Value::Null)
                && member.value.as_str() != Some("")
        };
        let is_named = members.text("type") != Some("");
        let carries = |block: bool| !block || is_named && members.members().iter().any(is_filled);
        if !members.members().is_empty() && carries(place.block) {
            let OpaquePlace { message, part, call, result, block, lane } = place;
            let (format, scope) = (self.format, self.scope);
            let note = Note::Opaque { format, scope, members, block, message, part, call, result };
            self.emit_in(self.meta().in_lane(lane), &Step::Note(note));
        }
    }

    /// Emits the opaque members in a carrier of the source: those of another server if they were
    /// sealed, otherwise `own`.
    pub(crate) fn carried(&mut self, value: &str, own: &Value, place: OpaquePlace<'_>) {
        let Some(sealed) = Sealed::open(value) else { return self.opaque(own, place) };
        if sealed.is_damaged() {
            return self.lose("opaque", place.call.unwrap_or(""), "the string was damaged");
        }
        let Opaque { format, scope, members } = sealed.opaque;
        let note = Note::Opaque {
            format: &format,
            scope: scope.as_deref(),
            members: &Value::Object(members),
            block: sealed.block,
            message: place.message,
            part: place.part,
            call: sealed.call.as_deref().or(place.call),
            result: sealed.result || place.result,
        };
        self.emit_in(self.meta().in_lane(place.lane), &Step::Note(note));
    }

    /// Sets the number of the source's event.
    #[cfg(any(feature = "futures", feature = "wasm"))]
    pub(crate) fn at(self, event: u64) -> Self {
        self.losses.at(event);
        Hub { event, ..self }
    }

    /// Emits a step of the main agent.
    pub fn emit(&mut self, event: &Step<'_>) {
        (self.emit)(event, StepMeta::of(self.event), self.losses);
    }

    /// Emits a step that does not belong to a part of a message.
    pub(crate) fn note(&mut self, note: Note<'_>) {
        self.emit(&Step::Note(note));
    }

    /// Emits metadata of the run or of a message. Does nothing for an empty list.
    pub(crate) fn metadata(&mut self, members: Vec<Member>, message: Option<u32>) {
        if !members.is_empty() {
            self.note(Note::Metadata { value: &Value::Object(members), message, call: None });
        }
    }

    /// Emits the end of a message that completed.
    pub(crate) fn close(&mut self, message: u32) {
        self.close_as(message, EndStatus::Completed);
    }

    /// Emits the end of a message with a status.
    pub(crate) fn close_as(&mut self, message: u32, status: EndStatus) {
        self.emit(&Step::Close { message, end: &MessageEnd::new(status) });
    }

    /// Emits the end of a message and of its only part, both complete.
    pub(crate) fn close_whole(&mut self, context: StepMeta<'_>, message: u32) {
        self.emit_in(context, &Step::EndPart { message, part: 0, whole: true });
        self.emit_in(
            context,
            &Step::Close { message, end: &MessageEnd::new(EndStatus::Completed) },
        );
    }

    /// Emits a step with its context: a lane, metadata, or the number of another event than the
    /// current one.
    pub fn emit_in(&mut self, context: StepMeta<'_>, event: &Step<'_>) {
        self.losses.at(context.event);
        (self.emit)(event, context, self.losses);
        self.losses.at(self.event);
    }

    /// Returns the context of the current event: of the main agent, without metadata.
    pub fn meta(&self) -> StepMeta<'static> {
        StepMeta::of(self.event)
    }

    /// Notes a loss of information that the hub cannot represent: its name (kebab-case), location
    /// and reason.
    pub fn lose(&mut self, what: &'static str, place: &str, reason: &'static str) {
        self.losses.note(what, place, reason);
    }

    /// Notes the members of an error that the end of a run does not have: all but these.
    pub(crate) fn lose_error(&mut self, error: &Value, known: &[&str]) {
        let is_lost = |member: &&Member| {
            member.key != "message" && !known.contains(&&*member.key) && !member.value.is_null()
        };
        for member in error.members().iter().filter(is_lost) {
            self.lose(UNDECLARED, &member.key, "an error of a run has a code and a message");
        }
    }
}

/// The loss of a member that the protocol does not declare, or that runs do not have.
pub(crate) const UNDECLARED: &str = "undeclared-member";

/// Receives the events of a target.
pub struct EventOutput<'o, E> {
    emit: &'o mut dyn FnMut(E),
    losses: &'o mut Losses,
    context: StepMeta<'o>,
    /// The messages of the run, as the sequencer keeps them.
    messages: Option<&'o OpenMessages>,
    /// How many bytes the target may still repeat.
    spare: u64,
}

impl<'o, E> EventOutput<'o, E> {
    /// Creates an output that passes events to `emit`, for tests of a target.
    pub fn new(emit: &'o mut dyn FnMut(E), losses: &'o mut Losses) -> Self {
        EventOutput { emit, losses, context: StepMeta::default(), messages: None, spare: u64::MAX }
    }

    /// Returns the lane of the step, the number of the source's event, and the metadata.
    pub fn meta(&self) -> StepMeta<'o> {
        self.context
    }

    /// Returns a message of the run: open, or ended by this step or an earlier one.
    pub(crate) fn message(&self, number: u32) -> Option<&'o OpenMessage> {
        self.messages?.get(number.into())
    }

    /// Returns the kind of a message, without the source's name for it.
    pub(crate) fn kind(&self, message: u32) -> MessageKind<'static> {
        self.message(message).map_or(MessageKind::Message, |message| message.kind)
    }

    /// Returns the location of a loss in an open message: its id, or its kind if it has no id.
    pub(crate) fn place(&self, message: u32) -> &'o str {
        self.message(message).filter(|message| message.open).map_or("", |message| &message.place)
    }

    /// Returns the members of a [`Note::Opaque`] as one string for its place in the target. An
    /// empty string for another note.
    pub(crate) fn sealed(&self, note: &Note<'_>, place: SealedPlace<'_>) -> String {
        let Note::Opaque { format, scope, members, block, message, part, call, result } = *note
        else {
            return String::new();
        };
        let message = message.filter(|_| call.is_none());
        let is_reasoning =
            message.is_some_and(|message| self.kind(message) == MessageKind::Reasoning);
        let state = message.and_then(|message| self.message(message));
        let ordinal = state.zip(part).map_or(0, |(state, part)| state.ordinal(part));
        let opaque = Opaque {
            format: format.to_owned().into(),
            scope: scope.map(str::to_owned),
            members: members.members().to_vec(),
        };
        let (call, part) = match place {
            SealedPlace::Call(id) => (Some(id.to_owned()), None),
            SealedPlace::After if message.is_some() => (None, Some(ordinal)),
            // A block follows its text, and would otherwise be a message of its own.
            SealedPlace::Message if ordinal > 0 || block && message.is_some() && !is_reasoning => {
                (None, Some(ordinal))
            }
            _ => (None, None),
        };
        let result = result && call.is_some();
        let next = matches!(place, SealedPlace::Before);
        let hash = state.filter(|_| is_reasoning && !block).and_then(OpenMessage::thoughts_hash);
        Sealed { call, result, part, next, block, hash, ..Sealed::new(opaque) }.seal()
    }

    /// Emits an event.
    pub fn emit(&mut self, event: E) {
        (self.emit)(event);
    }

    /// Runs a target whose events are converted by `wrap`.
    pub fn map<T>(&mut self, wrap: impl Fn(T) -> E, work: impl FnOnce(&mut EventOutput<'_, T>)) {
        let EventOutput { emit, losses, context, messages, spare } = self;
        let emit = &mut |event| emit(wrap(event));
        let mut out =
            EventOutput { emit, losses, context: *context, messages: *messages, spare: *spare };
        work(&mut out);
        *spare = out.spare;
    }

    /// Runs another target, whose events go to `emit`.
    pub(crate) fn with<T>(
        &mut self,
        emit: &mut dyn FnMut(T),
        work: impl FnOnce(&mut EventOutput<'_, T>),
    ) {
        let EventOutput { losses, context, messages, spare, .. } = self;
        let mut out =
            EventOutput { emit, losses, context: *context, messages: *messages, spare: *spare };
        work(&mut out);
        *spare = out.spare;
    }

    /// Returns whether the target may repeat so many bytes, and counts them. New content of a
    /// stream is always written. Content that a change repeats is written only in proportion to the
    /// bytes read.
    pub(crate) fn may_repeat(&mut self, bytes: u64) -> bool {
        let spare = self.spare.checked_sub(bytes);
        self.spare = spare.unwrap_or(self.spare);
        spare.is_some()
    }

    /// Notes a loss of information that the protocol cannot represent: its name (kebab-case),
    /// location and reason.
    pub fn lose(&mut self, what: &'static str, place: &str, reason: &'static str) {
        self.losses.note(what, place, reason);
    }
}

/// Where a target writes opaque members.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SealedPlace<'a> {
    /// At the part, the call or the result that they belong to.
    Here,
    /// At the message that they, or the call or the result, are in.
    Message,
    /// After this message.
    After,
    /// Before the text that they belong to.
    Before,
    /// Elsewhere: the id of their call in the target.
    Call(&'a str),
}

/// How many bytes a target may repeat for each byte that is read, and in addition to that.
const REPEATED: u64 = 16;
const REPEATED_ANYWAY: u64 = 1 << 16;

/// A conversion from one protocol's events to another's through the hub.
#[derive(Debug)]
pub struct Then<S, T> {
    source: S,
    sequencer: Sequencer,
    target: T,
    losses: Losses,
    /// The number of the current event, or of the next one.
    event: u64,
    /// How many steps the target has received since this was reset, and whether the last one was a
    /// piece of a text.
    steps: (u32, bool),
    /// How many bytes the target may still repeat.
    spare: u64,
    finished: bool,
}

impl<S: ToHub, T: FromHub> Then<S, T> {
    pub(crate) fn new(source: S, target: T) -> Self {
        let sequencer = Sequencer::new(target.can_reopen(), target.has_lists());
        Then {
            source,
            sequencer,
            target,
            losses: Losses::default(),
            event: 0,
            steps: (0, false),
            spare: u64::MAX,
            finished: false,
        }
    }

    /// Reads one event, and passes the resulting events to `emit`.
    pub fn feed(&mut self, event: S::Event<'_>, mut emit: impl FnMut(T::Event)) {
        self.with(&mut emit, |source, hub| source.feed(event, hub));
        self.event += 1;
    }

    /// Ends the stream, or stops it (`aborted`), and passes the remaining events to `emit`, at
    /// least the end. Further calls do nothing.
    pub fn finish(&mut self, aborted: bool, mut emit: impl FnMut(T::Event)) {
        if core::mem::replace(&mut self.finished, true) {
            return;
        }
        self.with(&mut emit, |source, hub| source.finish(aborted, hub));
        if !self.has_ended() {
            self.with(&mut emit, |_, hub| hub.emit(&Step::End(&RunEnd::stopped(aborted))));
        }
    }

    /// Sets the number of the next event, for sources that count other items as well.
    pub(crate) fn at(&mut self, event: u64) {
        self.event = event;
    }

    /// Adds the bytes read to the budget of the bytes that the target may repeat.
    pub(crate) fn add_input_bytes(&mut self, bytes: u64) {
        self.spare = self.spare.saturating_add(bytes.saturating_mul(REPEATED));
    }

    /// Limits the bytes that the target may repeat, at the start of a stream.
    pub(crate) fn bounded(mut self) -> Self {
        self.spare = REPEATED_ANYWAY;
        self
    }

    /// Limits the bytes that the target may repeat from here on, or removes the limit.
    #[cfg(any(feature = "futures", feature = "wasm"))]
    pub(crate) fn limit_repeats(&mut self, is_limited: bool) {
        self.spare = if is_limited { REPEATED_ANYWAY } else { u64::MAX };
    }

    /// Whether the source has ended the run.
    pub(crate) fn has_ended(&self) -> bool {
        self.sequencer.has_ended()
    }

    /// Passes on a heartbeat of the source, unless the run has ended.
    pub(crate) fn heartbeat(&mut self, mut emit: impl FnMut(T::Event)) {
        let Then { target, losses, sequencer, event, .. } = self;
        if sequencer.has_ended() {
            return;
        }
        let (context, messages) = (StepMeta::of(*event), Some(sequencer.messages()));
        target.feed(
            &Step::Heartbeat,
            &mut EventOutput { emit: &mut emit, losses, context, messages, spare: 0 },
        );
    }

    /// Returns the losses so far.
    pub fn losses(&self) -> &Losses {
        &self.losses
    }

    /// Returns the source.
    pub fn source(&self) -> &S {
        &self.source
    }

    /// Returns the target.
    pub fn target(&self) -> &T {
        &self.target
    }

    /// Returns the source, the target and the losses, when the conversion has ended.
    pub fn into_parts(self) -> (S, T, Losses) {
        (self.source, self.target, self.losses)
    }

    pub(crate) fn source_mut(&mut self) -> &mut S {
        &mut self.source
    }

    /// Like `with`, and returns whether the target received exactly one piece of a text.
    pub(crate) fn piece(
        &mut self,
        emit: &mut dyn FnMut(T::Event),
        work: impl FnOnce(&mut S, &mut Hub<'_>),
    ) -> bool {
        self.steps = (0, false);
        self.with(emit, work);
        self.steps == (1, true)
    }

    /// Returns the source and the target, for pieces that bypass the steps, and the hash of the
    /// reasoning that they belong to, if they do.
    pub(crate) fn sides(&mut self) -> (&mut S, &mut T, Option<&mut TextHash>) {
        (&mut self.source, &mut self.target, self.sequencer.latest_thoughts())
    }

    /// Runs the source and passes its steps to the target.
    pub(crate) fn with(
        &mut self,
        emit: &mut dyn FnMut(T::Event),
        work: impl FnOnce(&mut S, &mut Hub<'_>),
    ) {
        let Then { source, sequencer, target, losses, event, steps, spare, .. } = self;
        let mut send = |step: &Step<'_>, context: StepMeta<'_>, losses: &mut Losses| {
            if context.is_listed && sequencer.has_lists() && !target.takes_listed() {
                return;
            }
            sequencer.feed(step, losses, &mut |step, losses, messages| {
                *steps = (steps.0.saturating_add(1), step.is_piece() && context.is_plain());
                let mut out =
                    EventOutput { emit, losses, context, messages: Some(messages), spare: *spare };
                target.feed(step, &mut out);
                *spare = out.spare;
            });
        };
        losses.at(*event);
        work(source, &mut Hub { event: *event, ..Hub::new(&mut send, losses) });
    }
}

impl fmt::Debug for Hub<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hub").finish_non_exhaustive()
    }
}

impl<E> fmt::Debug for EventOutput<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Out").finish_non_exhaustive()
    }
}
