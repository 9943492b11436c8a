//! The two directions, and how they are joined.

use super::context::Context;
use super::end::MessageEnd;
use super::kind::EndStatus;
use super::loss::Losses;
use super::note::Note;
use super::sequencer::Sequencer;
use super::step::Step;
use crate::core::error::UsageError;
#[cfg(any(feature = "responses", feature = "a2a"))]
use crate::json::Value;
#[cfg(any(feature = "responses", feature = "a2a"))]
use alloc::vec;
use core::fmt;

/// A protocol's events to the hub: implement it for a protocol to read from it.
///
/// Events go in one by one, in the order in which they came; what they mean is [emitted](Hub::emit). Nothing fails: what
/// cannot be understood is left out, and [noted](Hub::lose) where it matters.
pub trait ToHub {
    /// What the protocol's streams consist of (`&'e str` for lines of text).
    type Event<'e>;

    /// Takes one event.
    fn feed(&mut self, event: Self::Event<'_>, hub: &mut Hub<'_>);

    /// No more events come: the stream is over, or (`aborted`) its reader has stopped it. To say nothing here is fine: a
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

/// The hub to a protocol's events: implement it for a protocol to write it.
///
/// Steps come in the order that [`Step`] draws, whatever the source does. `End` is always the last one, so there is no
/// other call at the end.
pub trait FromHub {
    /// What the protocol's streams consist of.
    type Event;

    /// Takes one step.
    fn feed(&mut self, event: &Step<'_>, out: &mut Out<'_, Self::Event>);

    /// Whether a stream of the protocol can have another run after the end of one. If not, nothing comes after
    /// [`Step::End`]; otherwise [`Note::Reopened`](super::Note::Reopened) can, and then everything again.
    fn can_reopen(&self) -> bool {
        false
    }

    /// Whether a stream of the protocol can have a list of all messages ([`Note::Messages`](super::Note::Messages)), by which a text
    /// may begin. If not, a [`Note::Replace`](super::Note::Replace) before the first piece of a text comes as that piece.
    fn has_lists(&self) -> bool {
        false
    }

    /// Whether a target with lists also takes the steps that repeat a list. Their context marks them.
    fn takes_listed(&self) -> bool {
        false
    }
}

/// Takes the steps that a source says, and in what context.
type Say<'o> = dyn FnMut(&Step<'_>, Context<'_>, &mut Losses) + 'o;

/// Where a source says what its events mean.
pub struct Hub<'o> {
    say: &'o mut Say<'o>,
    losses: &'o mut Losses,
    event: u64,
}

impl<'o> Hub<'o> {
    /// A hub that gives every step to `say`, as it is: for trying a source alone.
    pub fn new(say: &'o mut Say<'o>, losses: &'o mut Losses) -> Self {
        Hub { say, losses, event: 0 }
    }

    /// Says a step of the run, of the main agent.
    pub fn emit(&mut self, event: &Step<'_>) {
        (self.say)(event, Context::of(self.event), self.losses);
    }

    /// Says something that is not a part of a message.
    pub(crate) fn note(&mut self, note: Note<'_>) {
        self.emit(&Step::Note(note));
    }

    /// Says that a message ends well.
    pub(crate) fn close(&mut self, message: u32) {
        self.emit(&Step::Close { message, end: &MessageEnd::new(EndStatus::Completed) });
    }

    /// Says a step of the run in a lane, with metadata, or of another event than the one that is being read.
    pub fn emit_in(&mut self, context: Context<'_>, event: &Step<'_>) {
        self.losses.at(context.event);
        (self.say)(event, context, self.losses);
        self.losses.at(self.event);
    }

    /// The event that is being read: of the main agent, without metadata.
    pub fn context(&self) -> Context<'static> {
        Context::of(self.event)
    }

    /// Notes what has no place in the hub: what it is (kebab-case), where it stood, why it is lost.
    pub fn lose(&mut self, what: &'static str, place: &str, why: &'static str) {
        self.losses.note(what, place, why);
    }
}

/// Where a target puts its events.
pub struct Out<'o, E> {
    emit: &'o mut dyn FnMut(E),
    losses: &'o mut Losses,
    context: Context<'o>,
    /// How many bytes may be repeated.
    spare: u64,
}

impl<'o, E> Out<'o, E> {
    /// An outlet to `emit`: for trying a target alone.
    pub fn new(emit: &'o mut dyn FnMut(E), losses: &'o mut Losses) -> Self {
        Out { emit, losses, context: Context::default(), spare: u64::MAX }
    }

    /// The lane of the step, the source's event that said it, and its metadata.
    pub fn context(&self) -> Context<'o> {
        self.context
    }

    /// Sends an event.
    pub fn emit(&mut self, event: E) {
        (self.emit)(event);
    }

    /// Lets a target work whose events are wrapped by `wrap`.
    pub fn map<T>(&mut self, wrap: impl Fn(T) -> E, work: impl FnOnce(&mut Out<'_, T>)) {
        let Out { emit, losses, context, spare } = self;
        let emit = &mut |event| emit(wrap(event));
        let mut out = Out { emit, losses, context: *context, spare: *spare };
        work(&mut out);
        *spare = out.spare;
    }

    /// Lets another target work, whose events go to `emit`.
    pub(crate) fn with<T>(&mut self, emit: &mut dyn FnMut(T), work: impl FnOnce(&mut Out<'_, T>)) {
        let mut out = Out { emit, losses: self.losses, context: self.context, spare: self.spare };
        work(&mut out);
        self.spare = out.spare;
    }

    /// Whether so many bytes may be repeated, which counts them. What a stream says is written in any case; what a change of it
    /// repeats is written as long as that stays in proportion to what is read.
    pub(crate) fn may_repeat(&mut self, bytes: u64) -> bool {
        let spare = self.spare.checked_sub(bytes);
        self.spare = spare.unwrap_or(self.spare);
        spare.is_some()
    }

    /// What a builder made, where it did not refuse. The order of the hub and the targets' own are such that builders refuse
    /// nothing but JSON that nests too deep, and members of another type than readers take.
    pub(crate) fn made<T>(
        &mut self,
        made: Result<T, UsageError>,
        place: &str,
        why: &'static str,
    ) -> Option<T> {
        if made.is_err() {
            self.lose("refused", place, why);
        }
        made.ok()
    }

    /// The members of an object without those that a builder refuses, which are lost.
    #[cfg(any(feature = "responses", feature = "a2a"))]
    pub(crate) fn allowed(
        &mut self,
        object: Value,
        takes: impl Fn(&Value) -> bool,
        place: &str,
        why: &'static str,
    ) -> Value {
        if takes(&object) {
            return object;
        }
        let Value::Object(mut members) = object else {
            self.lose("refused", place, why);
            return Value::Null;
        };
        members.retain(|member| {
            let is_taken = takes(&Value::Object(vec![member.clone()]));
            if !is_taken {
                self.lose("refused", &member.key, why);
            }
            is_taken
        });
        Value::Object(members)
    }

    /// Sends the event that a builder made.
    pub(crate) fn send(&mut self, made: Result<E, UsageError>, place: &str, why: &'static str) {
        if let Some(event) = self.made(made, place, why) {
            self.emit(event);
        }
    }

    /// Notes what has no place in the protocol: what it is (kebab-case), where it stood, why it is lost.
    pub fn lose(&mut self, what: &'static str, place: &str, why: &'static str) {
        self.losses.note(what, place, why);
    }
}

/// How many bytes a target may repeat for each byte that is read, and in any case.
const REPEATED: u64 = 16;
const REPEATED_ANYWAY: u64 = 1 << 16;

/// A conversion from one protocol's events to another's, by way of the hub.
#[derive(Debug)]
pub struct Then<S, T> {
    source: S,
    sequencer: Sequencer,
    target: T,
    losses: Losses,
    /// The number of the event at work, or of the next one.
    event: u64,
    /// How many steps the target has got since this was cleared, and whether the last was a piece of a text.
    steps: (u32, bool),
    /// How many bytes the target may repeat.
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

    /// Takes one event, and gives what it becomes to `emit`.
    pub fn feed(&mut self, event: S::Event<'_>, mut emit: impl FnMut(T::Event)) {
        self.with(&mut emit, |source, hub| source.feed(event, hub));
        self.event += 1;
    }

    /// The stream is over, or (`aborted`) its reader has stopped it: gives what is left to say to `emit`, the end at
    /// least. Only the first call does anything.
    pub fn finish(&mut self, aborted: bool, mut emit: impl FnMut(T::Event)) {
        if core::mem::replace(&mut self.finished, true) {
            return;
        }
        self.with(&mut emit, |source, hub| source.finish(aborted, hub));
        let Then { sequencer, target, losses, event, spare, .. } = self;
        let context = Context::of(*event);
        losses.at(*event);
        sequencer.finish(aborted, losses, &mut |step, losses| {
            let mut out = Out { emit: &mut emit, losses, context, spare: *spare };
            target.feed(step, &mut out);
            *spare = out.spare;
        });
    }

    /// The number of the event that comes next, where the source counts others as well.
    pub(crate) fn at(&mut self, event: u64) {
        self.event = event;
    }

    /// So many bytes were read, from which follows how many the target may repeat.
    pub(crate) fn was_read(&mut self, bytes: u64) {
        self.spare = self.spare.saturating_add(bytes.saturating_mul(REPEATED));
    }

    /// Bounds what the target may repeat, at the start of a stream.
    pub(crate) fn bounded(mut self) -> Self {
        self.spare = REPEATED_ANYWAY;
        self
    }

    /// Whether the source has said the end.
    pub(crate) fn has_ended(&self) -> bool {
        self.sequencer.has_ended()
    }

    /// Passes on that the source is alive. After its end that is nobody's concern.
    pub(crate) fn heartbeat(&mut self, mut emit: impl FnMut(T::Event)) {
        let Then { target, losses, sequencer, event, .. } = self;
        if sequencer.has_ended() {
            return;
        }
        let context = Context::of(*event);
        target.feed(&Step::Heartbeat, &mut Out { emit: &mut emit, losses, context, spare: 0 });
    }

    /// What could not be carried so far.
    pub fn losses(&self) -> &Losses {
        &self.losses
    }

    /// The source's side.
    pub fn source(&self) -> &S {
        &self.source
    }

    /// The target's side.
    pub fn target(&self) -> &T {
        &self.target
    }

    /// Both sides, when the conversion is over, and what was lost.
    pub fn into_parts(self) -> (S, T, Losses) {
        (self.source, self.target, self.losses)
    }

    pub(crate) fn source_mut(&mut self) -> &mut S {
        &mut self.source
    }

    /// The same, and returns whether all that the target got was one piece of a text.
    pub(crate) fn piece(
        &mut self,
        emit: &mut dyn FnMut(T::Event),
        work: impl FnOnce(&mut S, &mut Hub<'_>),
    ) -> bool {
        self.steps = (0, false);
        self.with(emit, work);
        self.steps == (1, true)
    }

    /// Both sides, for what goes from the one to the other without a step.
    pub(crate) fn sides(&mut self) -> (&mut S, &mut T) {
        (&mut self.source, &mut self.target)
    }

    /// Lets the source work with the way to the target open.
    pub(crate) fn with(&mut self, emit: &mut dyn FnMut(T::Event), work: impl FnOnce(&mut S, &mut Hub<'_>)) {
        let Then { source, sequencer, target, losses, event, steps, spare, .. } = self;
        let mut say = |step: &Step<'_>, context: Context<'_>, losses: &mut Losses| {
            if context.is_listed && sequencer.has_lists() && !target.takes_listed() {
                return;
            }
            sequencer.feed(step, losses, &mut |step, losses| {
                *steps = (steps.0.saturating_add(1), step.is_piece() && context.is_plain());
                let mut out = Out { emit, losses, context, spare: *spare };
                target.feed(step, &mut out);
                *spare = out.spare;
            });
        };
        losses.at(*event);
        work(source, &mut Hub { say: &mut say, losses, event: *event });
    }
}

impl fmt::Debug for Hub<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hub").finish_non_exhaustive()
    }
}

impl<E> fmt::Debug for Out<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Out").finish_non_exhaustive()
    }
}
