//! What the sources of this crate share: each is a fold whose decisions are passed on.

mod sink;

use self::sink::Telling;
use super::again::{Again, Write};
use super::context::Context;
use super::end::RunEnd;
use super::kind::EndStatus;
use super::loss::Losses;
use super::named::Named;
use super::note::Note;
use super::step::Step;
use super::transducer::{Hub, ToHub};
use crate::core::declare::model::member::Member as _;
use crate::core::declare::model::shape::Model;
use crate::core::fold::{Fold, Key, Kind, Node, Protocol, Registered, Semantics as _, SinkValue};
use crate::core::options::ReadOptions;
use crate::core::replay::DeltaBatch;
use crate::core::report::{EndReason, Report};
use crate::json::{Raw, Str, Value};
use crate::sse;

/// A source that reads server-sent events with a fold.
pub(crate) trait Source: for<'e> ToHub<Event<'e> = &'e sse::SseEvent<'e>> + core::fmt::Debug {
    type Fold: Fold;

    /// [`HubSink::REPEATS`]
    const REPEATS: bool;

    fn fold(&self) -> &Self::Fold;

    fn fold_mut(&mut self) -> &mut Self::Fold;

    /// The stream breaks off before its end. For protocols whose streams have no other end than their last byte.
    fn cut_off(&mut self);

    /// [`Fold::repeat`], passed on.
    fn repeat(&mut self, number: Option<i64>, text: Str<'_>, offset: u64, hub: &mut Hub<'_>);

    /// The same where the replay before said one piece, and nothing has happened since: `say` is told what this one says.
    fn repeat_piece(&mut self, number: Option<i64>, text: Str<'_>, offset: u64, say: &mut Write<'_>);

    /// The same for a run of them, none of which is empty.
    fn repeat_pieces(&mut self, run: DeltaBatch<'_>, say: &mut Write<'_>);
}

/// What a protocol's fold tells, said in the words of the hub: a [`Sink`] that has the hub at hand.
#[expect(unused_variables, reason = "what is not overridden does nothing")]
pub trait HubSink: core::fmt::Debug + Default {
    /// The protocol.
    type Protocol: Protocol + Named;

    /// At the start of a stream that is read like this.
    fn new(protocol: &mut Self::Protocol, options: &ReadOptions) -> Self {
        Self::default()
    }

    /// Before each event that the fold gets.
    fn before(&mut self, event: &sse::SseEvent<'_>, hub: &mut Hub<'_>) {}

    /// After each event: what could not be said before all of it was there. A piece that is like the one before comes
    /// without its event.
    fn settle(
        &mut self,
        event: Option<&sse::SseEvent<'_>>,
        fold: &mut <Self::Protocol as Protocol>::Fold,
        hub: &mut Hub<'_>,
    ) {
        self.after(hub);
    }

    /// The same for what needs neither the event nor the fold.
    fn after(&mut self, hub: &mut Hub<'_>) {}

    /// Whether it has said the end of the run itself: for protocols that can have another one after it.
    fn has_said_end(&self) -> bool {
        false
    }

    /// The stream has ended: says what is left to say, and returns how the run ended. `None` when it has not: then it is
    /// canceled or incomplete. It does not count where the reader has refused the stream.
    fn end(&mut self, ended: EndReason, hub: &mut Hub<'_>) -> Option<RunEnd>;

    /// [`Sink::open`]
    fn open(&mut self, kind: Kind, parent: Node, list: Key, hub: &mut Hub<'_>) {}
    /// Remembers what [`append`](Self::append) and [`append_in`](Self::append_in) remember of a piece where all that they say
    /// is that piece. False if such a piece is not said.
    fn appended(&mut self, node: Node, key: Key, path: &[&str], text: &str) -> bool {
        true
    }

    /// Whether `appended` is all that such a piece needs.
    const REPEATS: bool = false;

    /// [`Sink::set`]
    fn set(&mut self, node: Node, key: Key, value: SinkValue<'_>, hub: &mut Hub<'_>);
    /// [`Sink::append`]
    fn append(&mut self, node: Node, key: Key, text: &str, hub: &mut Hub<'_>);
    /// [`Sink::end`]
    fn ends(&mut self, node: Node, key: Key) {}
    /// Free JSON is patched: `insert_in`, `remove_in` and `move_in` of [`Sink`].
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

/// Reads a protocol: the source of a conversion.
pub struct FoldSource<T: HubSink> {
    fold: <T::Protocol as Protocol>::Fold,
    says: T,
    ended: bool,
}

impl<T: HubSink> FoldSource<T> {
    /// A source at the start of a stream.
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub fn new(mut protocol: T::Protocol, options: &ReadOptions) -> Self {
        let (mut says, mut losses) = (T::new(&mut protocol, options), Losses::default());
        // Of what a fold opens at once there is nothing to say yet.
        let mut nobody = |_: &Step<'_>, _: Context<'_>, _: &mut Losses| ();
        let hub = &mut Hub::new(&mut nobody, &mut losses);
        let fold = protocol.fold(options, &mut Telling { says: &mut says, hub });
        FoldSource { fold, says, ended: false }
    }

    fn end(&mut self, hub: &mut Hub<'_>) {
        self.ended = true;
        let ended = self.fold.report().end_reason;
        let end = match (self.says.end(ended, hub), ended) {
            (_, EndReason::Refused) => RunEnd::refused(self.fold.report()),
            (Some(end), _) => end,
            (None, EndReason::Aborted) => RunEnd::new(EndStatus::Canceled),
            (None, _) => RunEnd::incomplete(RunEnd::CUT_OFF),
        };
        hub.emit(&Step::End(&end));
    }
}

impl<T: HubSink> ToHub for FoldSource<T> {
    type Event<'e> = &'e sse::SseEvent<'e>;

    fn feed(&mut self, event: &sse::SseEvent<'_>, hub: &mut Hub<'_>) {
        let FoldSource { fold, says, .. } = self;
        says.before(event, hub);
        fold.event(event, &mut Telling { says, hub });
        pass_unknown(T::Protocol::NAME, event.data, fold.report_mut(), hub);
        says.settle(Some(event), fold, hub);
        if !self.ended && self.fold.has_ended() && self.fold.report().end_reason != EndReason::Refused {
            self.end(hub);
        }
    }

    fn finish(&mut self, aborted: bool, hub: &mut Hub<'_>) {
        self.fold.finish(aborted, &mut Telling { says: &mut self.says, hub });
        if !self.ended && !self.says.has_said_end() {
            self.end(hub);
        }
    }
}

impl<T: HubSink<Protocol: Registered>> Source for FoldSource<T> {
    type Fold = <T::Protocol as Protocol>::Fold;

    const REPEATS: bool = T::REPEATS;

    fn fold(&self) -> &Self::Fold {
        &self.fold
    }

    fn fold_mut(&mut self) -> &mut Self::Fold {
        &mut self.fold
    }

    fn cut_off(&mut self) {
        self.fold.machine_mut().semantics.cut_off();
    }

    fn repeat(&mut self, number: Option<i64>, text: Str<'_>, offset: u64, hub: &mut Hub<'_>) {
        let FoldSource { fold, says, .. } = self;
        fold.repeat(number, text, offset, &mut Telling { says, hub });
        says.settle(None, fold, hub);
    }

    #[inline]
    fn repeat_piece(&mut self, number: Option<i64>, text: Str<'_>, offset: u64, say: &mut Write<'_>) {
        let FoldSource { fold, says, .. } = self;
        let appended = |node, key, path: &[&str], text: &str| says.appended(node, key, path, text);
        fold.repeat(number, text, offset, &mut Again { appended, say, lengths: &[] });
    }

    fn repeat_pieces(&mut self, run: DeltaBatch<'_>, say: &mut Write<'_>) {
        if !self.fold.takes_as_one(run) {
            return run
                .each()
                .for_each(|(piece, text)| self.repeat_piece(piece.number, text, piece.offset, say));
        }
        let mut lengths = [0; DeltaBatch::PIECES];
        let pieces = run.each().map(|(_, text)| text.decoded_length());
        let count = lengths.iter_mut().zip(pieces).map(|(length, piece)| *length = piece).count();
        let FoldSource { fold, says, .. } = self;
        let appended = |node, key, path: &[&str], text: &str| says.appended(node, key, path, text);
        fold.repeat_run(run, &mut Again { appended, say, lengths: &lengths[..count] });
    }
}

impl<T: HubSink> core::fmt::Debug for FoldSource<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("FoldSource").field("says", &self.says).finish_non_exhaustive()
    }
}

/// What a member of the answer is set to, as free JSON; `model` names its words.
pub(crate) fn json_of(value: SinkValue<'_>, model: &Model) -> Value {
    if let SinkValue::Word(_) = value {
        return model.text(value).into();
    }
    let mut json = Value::Null;
    json.set(value);
    json
}

/// An event that the source's protocol does not have goes on as it is.
fn pass_unknown(protocol: &str, data: &str, report: &mut Report, hub: &mut Hub<'_>) {
    if let Some(name) = report.take_unknown() {
        hub.emit(&Step::Note(Note::Passthrough { protocol, name, data }));
    }
}
