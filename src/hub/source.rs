//! The sources of conversions: an engine, and a state that converts the changes of the answer to
//! steps.

use alloc::boxed::Box;

use super::conversion::Conversion;
use super::kind::RunEnd;
use super::loss::Losses;
use super::note::Note;
use super::step::{Step, StepMeta};
use super::transducer::{Hub, ToHub, UNDECLARED};
use crate::core::declare::model::member::DeclaredMember as _;
use crate::core::declare::model::shape::ModelShape;
use crate::core::options::ReadOptions;
use crate::core::replay::DeltaBatch;
use crate::core::report::EndReason;
use crate::engine::{Engine, EventReceiver as _, Field, FieldValue, JsonChange, ObjectId, Sink};
use crate::json::{Str, Value};
use crate::sse;

/// The state of a protocol's source. It receives the changes of the answer as a [`Sink`]
/// ([`StepSink`]), with the hub at hand.
#[expect(unused_variables, reason = "methods that are not overridden do nothing")]
pub trait StepSource: Send + Sync {
    /// Called before each event that the engine receives.
    fn before(&mut self, event: &sse::SseEvent<'_>, hub: &mut Hub<'_>) {}

    /// Called after each event, for steps that need the whole event. A repeated piece has no event.
    fn settle(
        &mut self,
        event: Option<&sse::SseEvent<'_>>,
        engine: &mut Engine,
        hub: &mut Hub<'_>,
    ) {
        self.after(hub);
    }

    /// Called after each event, for steps that need neither the event nor the engine.
    fn after(&mut self, hub: &mut Hub<'_>) {}

    /// Whether the source has emitted the end of the run itself: for protocols that can have
    /// another run after it.
    fn has_emitted_end(&self) -> bool {
        false
    }

    /// Called at the end of the stream: emits the remaining steps and returns how the run ended.
    /// `None` if it has not ended: it becomes canceled or incomplete. The result is ignored if the
    /// reader has refused the stream.
    fn end(&mut self, ended: EndReason, hub: &mut Hub<'_>) -> Option<RunEnd>;

    /// Updates the state as the sink does for a piece that is its only step. Returns false if such
    /// a piece is not emitted.
    fn appended(&mut self, node: ObjectId, key: Field, path: &[&str], text: &str) -> bool {
        true
    }

    /// Returns whether `appended` is sufficient for such a piece.
    fn repeats(&self) -> bool {
        false
    }
}

/// The sink of an engine whose changes become steps. Each protocol implements [`Sink`] for it.
pub(crate) struct StepSink<'s, 'o, S> {
    pub state: &'s mut S,
    pub hub: &'s mut Hub<'o>,
}

/// A source with its sink.
pub(crate) trait SourceWithSink: StepSource {
    /// Calls `work` with the sink of the changes.
    fn with_sink(&mut self, hub: &mut Hub<'_>, work: &mut dyn FnMut(&mut dyn Sink));
}

impl<S: StepSource + 'static> SourceWithSink for S
where
    for<'s, 'o> StepSink<'s, 'o, S>: Sink,
{
    fn with_sink(&mut self, hub: &mut Hub<'_>, work: &mut dyn FnMut(&mut dyn Sink)) {
        work(&mut StepSink { state: self, hub });
    }
}

/// The source of a conversion: reads a protocol and emits steps.
pub struct FoldSource {
    protocol: &'static str,
    engine: Engine,
    state: Box<dyn SourceWithSink>,
    ended: bool,
    /// The scope of its opaque members.
    scope: Option<Box<str>>,
}

#[expect(private_bounds, reason = "protocols are of this crate")]
impl FoldSource {
    /// Creates a source at the start of a stream.
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub fn new<P: Conversion>(mut protocol: P, options: &ReadOptions) -> Self {
        let mut state = P::source(&mut protocol, options);
        let mut losses = Losses::default();
        // Objects that are open from the start emit no step yet.
        let mut nothing = |_: &Step<'_>, _: StepMeta<'_>, _: &mut Losses| ();
        let hub = &mut Hub::new(&mut nothing, &mut losses);
        let mut engine = None;
        let mut protocol = Some(protocol);
        state.with_sink(hub, &mut |sink| {
            engine = protocol.take().map(|protocol| protocol.engine(options, sink))
        });
        let mut engine: Engine = engine.expect("the sink was passed on");
        engine.note_lost();
        let scope = options.scope.as_deref().map(Into::into);
        FoldSource { protocol: P::NAME, engine, state: Box::new(state), ended: false, scope }
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    pub(crate) fn engine_mut(&mut self) -> &mut Engine {
        &mut self.engine
    }

    pub(crate) fn repeats(&self) -> bool {
        self.state.repeats()
    }

    /// Applies the last event with another number and text, and emits its steps.
    pub(crate) fn repeat(
        &mut self,
        number: Option<i64>,
        text: Str<'_>,
        offset: u64,
        hub: &mut Hub<'_>,
    ) {
        let FoldSource { protocol, engine, state, scope, .. } = self;
        let hub = &mut hub.of(protocol, scope.as_deref());
        state.with_sink(hub, &mut |sink| engine.repeat(number, text, offset, sink));
        state.settle(None, engine, hub);
    }

    /// Like `repeat`, if the last event emitted one piece and nothing has happened since: `write`
    /// receives the piece.
    #[inline]
    pub(crate) fn repeat_piece(
        &mut self,
        number: Option<i64>,
        text: Str<'_>,
        offset: u64,
        write: &mut Write<'_>,
    ) {
        let FoldSource { engine, state, .. } = self;
        engine.repeat(
            number,
            text,
            offset,
            &mut PieceSink { state: &mut **state, write, lengths: &[] },
        );
    }

    /// Like `repeat_piece` for a batch of such events, none of which is empty.
    pub(crate) fn repeat_pieces(&mut self, run: DeltaBatch<'_>, write: &mut Write<'_>) {
        if !self.engine.takes_as_one(run) {
            return run.each().for_each(|(piece, text)| {
                self.repeat_piece(piece.number, text, piece.offset, write)
            });
        }
        let mut lengths = [0; DeltaBatch::PIECES];
        let pieces = run.each().map(|(_, text)| text.decoded_length());
        let count = lengths.iter_mut().zip(pieces).map(|(length, piece)| *length = piece).count();
        let FoldSource { engine, state, .. } = self;
        let lengths = &lengths[..count];
        engine.repeat_run(run, &mut PieceSink { state: &mut **state, write, lengths });
    }

    fn end(&mut self, hub: &mut Hub<'_>) {
        self.ended = true;
        let ended = self.engine.report().end_reason;
        let hub = &mut hub.of(self.protocol, self.scope.as_deref());
        let end = match (self.state.end(ended, hub), ended) {
            (_, EndReason::Refused) => RunEnd::unreadable(self.engine.report()),
            (Some(end), _) => end,
            (None, _) => RunEnd::stopped(ended == EndReason::Aborted),
        };
        hub.emit(&Step::End(&end));
    }
}

impl ToHub for FoldSource {
    type Event<'e> = &'e sse::SseEvent<'e>;

    fn feed(&mut self, event: &sse::SseEvent<'_>, hub: &mut Hub<'_>) {
        let FoldSource { protocol, engine, state, scope, .. } = self;
        let own = &mut hub.of(protocol, scope.as_deref());
        state.before(event, own);
        state.with_sink(own, &mut |sink| engine.apply(event, sink));
        // An unknown event of the protocol is passed on unchanged.
        if let Some(name) = engine.report_mut().take_unknown() {
            own.emit(&Step::Note(Note::Passthrough { protocol, name, data: event.data }));
        }
        for name in engine.take_lost() {
            own.lose(UNDECLARED, &name, "the protocol does not declare it");
        }
        state.settle(Some(event), engine, own);
        if !self.ended
            && self.engine.has_ended()
            && self.engine.report().end_reason != EndReason::Refused
        {
            self.end(hub);
        }
    }

    fn finish(&mut self, aborted: bool, hub: &mut Hub<'_>) {
        let FoldSource { protocol, engine, state, scope, .. } = self;
        state.with_sink(&mut hub.of(protocol, scope.as_deref()), &mut |sink| {
            engine.finish(aborted, sink)
        });
        if !self.ended && !self.state.has_emitted_end() {
            self.end(hub);
        }
    }
}

impl core::fmt::Debug for FoldSource {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("FoldSource").field("protocol", &self.protocol).finish_non_exhaustive()
    }
}

/// Writes pieces of a text: all of them as one, and the end of each.
pub(crate) type Write<'w> = dyn FnMut(&str, &[usize]) + 'w;

/// Receives the only effect of a replay: it appends one piece, or several as one.
struct PieceSink<'t, 'w> {
    state: &'t mut dyn SourceWithSink,
    write: &'t mut Write<'w>,
    /// The lengths of the pieces of a run, of which the first ones are appended as one; empty for a
    /// single piece.
    lengths: &'t [usize],
}

impl Sink for PieceSink<'_, '_> {
    fn append(&mut self, node: ObjectId, key: Field, text: &str) {
        self.change_in(node, key, &[], JsonChange::Append(text));
    }

    fn change_in(&mut self, node: ObjectId, key: Field, path: &[&str], change: JsonChange<'_>) {
        let JsonChange::Append(text) = change else { return };
        if !self.state.appended(node, key, path, text) {
            return;
        }
        let mut ends = [0; DeltaBatch::PIECES];
        let (mut count, mut end) = (0, 0);
        while let Some(length) = self.lengths.get(count).filter(|_| end < text.len()) {
            end += length;
            ends[count] = end;
            count += 1;
        }
        if count == 0 {
            (count, ends[0]) = (1, text.len());
        }
        (self.write)(text, &ends[..count]);
    }
}

/// Returns the new value of a member of the answer as free JSON; `model` has the names of words.
pub(crate) fn json_of(value: FieldValue<'_>, model: &ModelShape) -> Value {
    if let FieldValue::Word(_) = value {
        return model.text(value).into();
    }
    let mut json = Value::Null;
    json.set(value);
    json
}
