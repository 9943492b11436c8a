//! The sources of conversions: an engine, and an adapter that converts the changes of the answer to steps.

mod pieces;
mod sink;

use alloc::boxed::Box;

use self::pieces::PieceSink;
pub(crate) use self::pieces::Write;
use self::sink::StepSink;
use super::context::Context;
use super::end::RunEnd;
use super::kind::EndStatus;
use super::loss::Losses;
use super::note::Note;
use super::spoke::Spoke;
use super::step::Step;
use super::transducer::{Hub, ToHub};
use crate::core::declare::model::member::Member as _;
use crate::core::declare::model::shape::Model;
use crate::core::options::ReadOptions;
use crate::core::replay::DeltaBatch;
use crate::core::report::EndReason;
use crate::engine::{Engine, Fold as _, Key, Kind, Node, SinkValue};
use crate::json::{Raw, Str, Value};
use crate::sse;

/// Converts the changes of an answer to steps: the [`Sink`](crate::engine::Sink) methods, with the hub at hand.
#[expect(unused_variables, reason = "methods that are not overridden do nothing")]
pub trait HubSink: Send + Sync {
    /// Called before each event that the engine receives.
    fn before(&mut self, event: &sse::SseEvent<'_>, hub: &mut Hub<'_>) {}

    /// Called after each event, for steps that need the whole event. A repeated piece has no event.
    fn settle(&mut self, event: Option<&sse::SseEvent<'_>>, engine: &mut Engine, hub: &mut Hub<'_>) {
        self.after(hub);
    }

    /// Called after each event, for steps that need neither the event nor the engine.
    fn after(&mut self, hub: &mut Hub<'_>) {}

    /// Whether the adapter has emitted the end of the run itself: for protocols that can have another run after it.
    fn has_said_end(&self) -> bool {
        false
    }

    /// Called at the end of the stream: emits the remaining steps and returns how the run ended. `None` if it has not
    /// ended: it becomes canceled or incomplete. The result is ignored if the reader has refused the stream.
    fn end(&mut self, ended: EndReason, hub: &mut Hub<'_>) -> Option<RunEnd>;

    /// [`Sink::open`]
    fn open(&mut self, kind: Kind, parent: Node, list: Key, hub: &mut Hub<'_>) {}
    /// Updates the state as [`append`](Self::append) and [`append_in`](Self::append_in) do for a piece that is their
    /// only step. Returns false if such a piece is not emitted.
    fn appended(&mut self, node: Node, key: Key, path: &[&str], text: &str) -> bool {
        true
    }

    /// Returns whether `appended` is sufficient for such a piece.
    fn repeats(&self) -> bool {
        false
    }

    /// [`Sink::set`]
    fn set(&mut self, node: Node, key: Key, value: SinkValue<'_>, hub: &mut Hub<'_>);
    /// [`Sink::append`]
    fn append(&mut self, node: Node, key: Key, text: &str, hub: &mut Hub<'_>);
    /// [`Sink::end`]
    fn ends(&mut self, node: Node, key: Key) {}
    /// Called for patches of free JSON: `insert_in`, `remove_in` and `move_in` of [`Sink`].
    fn patched(&mut self, node: Node, key: Key) {}
    /// [`Sink::set_extra`]
    fn set_extra(&mut self, node: Node, name: &str, value: Raw<'_>, hub: &mut Hub<'_>) {}
    /// [`Sink::unset_extra`]
    fn unset_extra(&mut self, node: Node, name: &str) {}
    /// [`Sink::set_in`]
    fn set_in(&mut self, node: Node, key: Key, path: &[&str], value: SinkValue<'_>) {}
    /// [`Sink::append_in`]
    fn append_in(&mut self, node: Node, key: Key, path: &[&str], text: &str, hub: &mut Hub<'_>) {}
    /// [`Sink::extend_in`]
    fn extend_in(&mut self, node: Node, key: Key, path: &[&str], items: Raw<'_>) {}
    /// [`Sink::add_in`]
    fn add_in(&mut self, node: Node, key: Key, path: &[&str], summand: Raw<'_>, float: bool) {}
    /// [`Sink::share`]
    fn share(&mut self, node: Node, key: Key, from: Node, from_key: Key) {}
    /// [`Sink::move_last`]
    fn move_last(&mut self, parent: Node, list: Key, node: Node, at: usize) {}
    /// [`Sink::remove`]
    fn remove(&mut self, parent: Node, list: Key, node: Node, hub: &mut Hub<'_>) {}
    /// [`Sink::arrange`]
    fn arrange(&mut self, parent: Node, list: Key, nodes: &[Node], hub: &mut Hub<'_>) {}
}

/// The source of a conversion: reads a protocol and emits steps.
pub struct FoldSource {
    protocol: &'static str,
    engine: Engine,
    adapter: Box<dyn HubSink>,
    ended: bool,
}

#[expect(private_bounds, reason = "protocols are of this crate")]
impl FoldSource {
    /// Creates a source at the start of a stream.
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub fn new<P: Spoke>(mut protocol: P, options: &ReadOptions) -> Self {
        let mut adapter = P::source(&mut protocol, options);
        let mut losses = Losses::default();
        // Objects that are open from the start emit no step yet.
        let mut nothing = |_: &Step<'_>, _: Context<'_>, _: &mut Losses| ();
        let hub = &mut Hub::new(&mut nothing, &mut losses);
        let engine = protocol.engine(options, &mut StepSink { adapter: &mut adapter, hub });
        FoldSource { protocol: P::NAME, engine, adapter: Box::new(adapter), ended: false }
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    pub(crate) fn engine_mut(&mut self) -> &mut Engine {
        &mut self.engine
    }

    pub(crate) fn repeats(&self) -> bool {
        self.adapter.repeats()
    }

    /// Applies the last event with another number and text, and emits its steps.
    pub(crate) fn repeat(&mut self, number: Option<i64>, text: Str<'_>, offset: u64, hub: &mut Hub<'_>) {
        let FoldSource { engine, adapter, .. } = self;
        engine.repeat(number, text, offset, &mut StepSink { adapter: &mut **adapter, hub });
        adapter.settle(None, engine, hub);
    }

    /// Like `repeat`, if the last event emitted one piece and nothing has happened since: `write` receives the piece.
    #[inline]
    pub(crate) fn repeat_piece(
        &mut self,
        number: Option<i64>,
        text: Str<'_>,
        offset: u64,
        write: &mut Write<'_>,
    ) {
        let FoldSource { engine, adapter, .. } = self;
        engine.repeat(number, text, offset, &mut PieceSink { adapter: &mut **adapter, write, lengths: &[] });
    }

    /// Like `repeat_piece` for a batch of such events, none of which is empty.
    pub(crate) fn repeat_pieces(&mut self, run: DeltaBatch<'_>, write: &mut Write<'_>) {
        if !self.engine.takes_as_one(run) {
            return run
                .each()
                .for_each(|(piece, text)| self.repeat_piece(piece.number, text, piece.offset, write));
        }
        let mut lengths = [0; DeltaBatch::PIECES];
        let pieces = run.each().map(|(_, text)| text.decoded_length());
        let count = lengths.iter_mut().zip(pieces).map(|(length, piece)| *length = piece).count();
        let FoldSource { engine, adapter, .. } = self;
        let lengths = &lengths[..count];
        engine.repeat_run(run, &mut PieceSink { adapter: &mut **adapter, write, lengths });
    }

    fn end(&mut self, hub: &mut Hub<'_>) {
        self.ended = true;
        let ended = self.engine.report().end_reason;
        let end = match (self.adapter.end(ended, hub), ended) {
            (_, EndReason::Refused) => RunEnd::refused(self.engine.report()),
            (Some(end), _) => end,
            (None, EndReason::Aborted) => RunEnd::new(EndStatus::Canceled),
            (None, _) => RunEnd::incomplete(RunEnd::CUT_OFF),
        };
        hub.emit(&Step::End(&end));
    }
}

impl ToHub for FoldSource {
    type Event<'e> = &'e sse::SseEvent<'e>;

    fn feed(&mut self, event: &sse::SseEvent<'_>, hub: &mut Hub<'_>) {
        let FoldSource { protocol, engine, adapter, .. } = self;
        adapter.before(event, hub);
        engine.event(event, &mut StepSink { adapter: &mut **adapter, hub });
        // An unknown event of the protocol is passed on unchanged.
        if let Some(name) = engine.report_mut().take_unknown() {
            hub.emit(&Step::Note(Note::Passthrough { protocol, name, data: event.data }));
        }
        adapter.settle(Some(event), engine, hub);
        if !self.ended && self.engine.has_ended() && self.engine.report().end_reason != EndReason::Refused {
            self.end(hub);
        }
    }

    fn finish(&mut self, aborted: bool, hub: &mut Hub<'_>) {
        self.engine.finish(aborted, &mut StepSink { adapter: &mut *self.adapter, hub });
        if !self.ended && !self.adapter.has_said_end() {
            self.end(hub);
        }
    }
}

impl core::fmt::Debug for FoldSource {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("FoldSource").field("protocol", &self.protocol).finish_non_exhaustive()
    }
}

/// Returns the new value of a member of the answer as free JSON; `model` has the names of words.
pub(crate) fn json_of(value: SinkValue<'_>, model: &Model) -> Value {
    if let SinkValue::Word(_) = value {
        return model.text(value).into();
    }
    let mut json = Value::Null;
    json.set(value);
    json
}
