//! The engine: events become a growing answer. It counts events, enforces limits, notes violations
//! and replays deltas; the meaning of events is each protocol's.

mod context;
mod digest;
mod meter;
pub(crate) mod protocol;
mod repeated;
mod state;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::bytes::string_map::StringMap;
#[cfg(feature = "binary")]
use crate::core::binary::{self, Decoded};
pub(crate) use crate::core::declare::events::table::EventTable;
pub(crate) use crate::core::declare::rules::CommonRules;
pub use crate::core::detect::Recognizer;
use crate::core::detect::{self, Opening};
use crate::core::error::UsageError;
use crate::core::failure::{ErrorMessage, StrayText};
use crate::core::limits::{Budget, Limits};
use crate::core::options::ReadOptions;
use crate::core::replay::DeltaBatch;
pub use crate::core::replay::Repeat;
use crate::core::report::{EndReason, Report};
pub use crate::core::sink::{Discard, Field, FieldValue, JsonChange, ObjectId, ObjectKind, Sink};
use crate::core::violation::{
    FOREIGN_ERROR, LazyLocation, Observed, Rule, UNKNOWN_PROTOCOL, WHOLE_ANSWER,
};
use crate::json::{Document, Element, ObjectWriter, Skip, Str, Tape, put, write_string};
use crate::sse;

pub use context::Context;
pub(crate) use digest::{Digest, DigestKey};
pub use meter::{ObjectLimit, RefusedChange};
pub use protocol::{AnswerLayout, CopyFold, Declaration, Fold, Protocol};
pub(crate) use protocol::{Declared, Registered, Translated, protocol};
pub(crate) use repeated::Repeated;
pub use state::{Subject, TextSlot};

use meter::Meter;
use state::{EngineState, PieceTarget};

/// Whether the name of an event is that of an error.
#[inline]
fn is_error_name(name: &str) -> bool {
    name != "message" && ["error", "exception"].iter().any(|error| name.eq_ignore_ascii_case(error))
}

/// Returns the JSON of an object in which a member of that name, an object or a list, is a text
/// with its JSON: a member of the object, or of an object in it.
fn texted(json: Element<'_, '_>, member: &str, depth: u32) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    let (mut changed, mut out) = (false, String::new());
    let mut object = ObjectWriter::open(&mut out, false);
    for (name, value) in json.object().ok()? {
        let into = object.member(&name.to_str());
        if name == member && (value.object().is_ok() || value.array().is_ok()) {
            write_string(value.raw().as_str(), into);
            changed = true;
        } else if let Some(text) = texted(value, member, depth) {
            put(into, &text);
            changed = true;
        } else {
            put(into, value.raw().as_str());
        }
    }
    object.close();
    changed.then_some(out)
}

/// The receiver of decoded events: an engine, or a conversion around one.
pub trait EventReceiver: core::fmt::Debug {
    /// Sets the function that recognizes events of other protocols. They are not read: the first of
    /// them is reported.
    fn recognize(&mut self, others: Recognizer);

    /// Applies an event. Never fails: violations are added to the report.
    fn event(&mut self, event: &sse::SseEvent<'_>, sink: &mut dyn Sink);

    /// Returns the event in a frame of a binary stream, for [`EventReceiver::event`]. Reports a
    /// frame that is not an event.
    #[cfg(feature = "binary")]
    fn frame(&mut self, frame: &sse::Frame<'_>) -> Option<Decoded>;

    /// Returns where the text and the number of the last event are in its data, if its only effect
    /// was to append that text: a further event that differs in nothing else, except that its id
    /// may be another, can then be given to
    /// [`EventReceiver::repeat`].
    fn repeatable(&self) -> Option<&Repeat>;

    /// Applies the last event with another number and text.
    fn repeat(&mut self, number: Option<i64>, text: Str<'_>, offset: u64, sink: &mut dyn Sink);

    /// Applies a run of such events, whose texts have no `\u` escapes.
    fn repeat_run(&mut self, run: DeltaBatch<'_>, sink: &mut dyn Sink);

    /// Returns the events that the last event, or the end of the stream, was translated to: the
    /// next ones. An engine applies them itself, so only a conversion around one has some.
    fn take_translated(&mut self) -> Vec<Translated>;

    /// Receives text outside of events.
    fn stray_text(&mut self, text: &str);

    /// Is called at the end of the stream, before [`finish`](Self::finish): the text outside of
    /// events of a stream without its end is translated.
    fn translate_stray_text(&mut self);

    /// Handles the end of the stream, or (`aborted`) that the reader stopped it.
    fn finish(&mut self, aborted: bool, sink: &mut dyn Sink);

    /// Notes a violation of the framing, below the events.
    fn framing(&mut self, rule: &'static Rule, offset: u64, got: Observed<'_>);

    /// Returns whether nothing can change the answer any more.
    fn has_ended(&self) -> bool;

    /// Returns the report so far.
    fn report(&self) -> &Report;

    /// Returns the report, to add to it.
    fn report_mut(&mut self) -> &mut Report;
}

/// Applies the events of one stream to a sink.
#[derive(Debug)]
#[cfg_attr(feature = "hub", derive(Clone))]
pub struct Engine {
    declaration: &'static Declaration,
    fold: Box<dyn Fold>,
    state: EngineState,
    meter: Meter,
    tape: Tape,
    skips: Vec<Skip>,
    /// Recognizes other protocols, until an event is one of this protocol.
    others: Option<Recognizer>,
    /// An event of the protocol was received.
    has_events: bool,
    /// The name of the current event is that of an error.
    is_error: bool,
    stray: StrayText,
    translated: Vec<Translated>,
    /// The number of the next events that are translated ones.
    next_translated: usize,
    finished: bool,
    /// The members of events that neither their declaration nor the fold has, for conversions.
    lost: Option<Box<LostMembers>>,
}

/// The undeclared members that were lost. Each is noted once, so that it does not matter which
/// events are replayed.
#[derive(Clone, Debug, Default)]
struct LostMembers {
    known: StringMap<()>,
    /// Those of the last event.
    new: Vec<String>,
}

impl LostMembers {
    #[cold]
    fn note(&mut self, name: &str, limits: &Limits) {
        let name = if self.known.len() < limits.unknown { name } else { "…" };
        if self.known.get(name).is_none() {
            self.known.insert(name, ());
            self.new.push(name.into());
        }
    }
}

impl Engine {
    /// Creates an engine at the start of a stream, and opens the objects that are in the answer
    /// before the first event.
    pub fn new(
        declaration: &'static Declaration,
        fold: Box<dyn Fold>,
        options: &ReadOptions,
        sink: &mut dyn Sink,
    ) -> Self {
        let mut engine = Engine {
            declaration,
            fold,
            state: EngineState::new(options, &declaration.rules),
            meter: Meter::new(&options.limits),
            tape: Tape::default(),
            skips: Vec::new(),
            others: None,
            has_events: false,
            is_error: false,
            stray: StrayText::default(),
            translated: Vec::new(),
            next_translated: 0,
            finished: false,
            lost: None,
        };
        let Engine { fold, state, meter, .. } = &mut engine;
        fold.start(&mut Context { state, meter, sink });
        engine.settle();
        if engine.state.refusal.is_some() {
            engine.state.report.end(EndReason::Refused);
        }
        engine
    }

    /// Returns the parts of the protocol that are the same for every stream.
    pub(crate) fn declaration(&self) -> &'static Declaration {
        self.declaration
    }

    /// Returns the reason why the protocol's options are not taken as a whole: nothing is read
    /// then.
    pub fn refusal(&self) -> Option<&UsageError> {
        self.state.refusal.as_ref()
    }

    /// Reports what limits have refused.
    #[inline]
    fn settle(&mut self) {
        if self.meter.has_refusals() {
            self.report_refusals();
        }
    }

    /// Ends an event, before which `budget` was left.
    #[inline]
    fn end_event(&mut self, budget: Budget) {
        if self.state.is_piece {
            self.meter.budget.take_back(budget);
        }
        self.settle();
    }

    #[cold]
    fn report_refusals(&mut self) {
        for refusal in self.meter.take_refusals() {
            let index = self.fold.refused(&refusal);
            self.state.record_refusal(refusal, index);
        }
    }

    #[inline(never)]
    fn read(&mut self, data: &str, is_translated: bool, sink: &mut dyn Sink) {
        self.skips.clear();
        self.fold.find_known(data, &mut self.skips);
        if !self.read_once(data, is_translated, sink) {
            self.skips.clear();
            self.read_once(data, is_translated, sink);
        }
    }

    /// Translates JSON that is not an event of the protocol. Returns false if it is neither a whole
    /// answer nor an error.
    #[cold]
    fn translate(
        (declaration, is_error): (&Declaration, bool),
        json: Element<'_, '_>,
        (state, translated): (&mut EngineState, &mut Vec<Translated>),
    ) -> bool {
        let got = Observed::Text(json.raw().as_str());
        if let Some(events) = (declaration.whole_answer)(json) {
            state.record(&WHOLE_ANSWER, Subject::NONE, got);
            *translated = events;
            return true;
        }
        let Some(write) = declaration.error_event else { return false };
        let Some(failure) = ErrorMessage::find(json, is_error) else { return false };
        state.record(&FOREIGN_ERROR, Subject::NONE, got);
        translated.push(write(&failure));
        true
    }

    /// Returns an event whose member at that path is JSON in place of a text with it, with the
    /// text, and the rule.
    #[cold]
    fn with_text(
        declaration: &Declaration,
        json: Element<'_, '_>,
        path: &str,
    ) -> Option<(&'static Rule, Translated)> {
        let name = json.member("type").map(Element::words).unwrap_or_default();
        let member = path.rsplit('.').next().unwrap_or_default();
        let rule = (declaration.json_text)(&name, member)?;
        Some((rule, Translated::new(texted(json, member, 2)?)))
    }

    /// Handles data that are not JSON.
    #[cold]
    fn no_json(&mut self, data: &str) {
        if self.is_error {
            self.fail(&ErrorMessage::of_text(data), data);
        } else {
            self.stray.add_data(data);
        }
    }

    /// Translates an error without a form.
    fn fail(&mut self, failure: &ErrorMessage, got: &str) {
        if let Some(write) = self.declaration.error_event {
            self.state.record(&FOREIGN_ERROR, Subject::NONE, Observed::Text(got));
            self.translated.push(write(failure));
        }
    }

    /// Returns whether the event was applied: it was not if something in it was skipped that
    /// belongs elsewhere.
    fn read_once(&mut self, data: &str, is_translated: bool, sink: &mut dyn Sink) -> bool {
        let Engine { declaration, fold, state, meter, tape, skips, others, is_error, lost, .. } =
            self;
        let mut document =
            match Document::read_skipping(tape, data, state.options.limits.json_depth, skips) {
                Ok(document) => document,
                Err(error) => {
                    state.malformed(&error.into(), data, Subject::NONE, None);
                    self.no_json(data);
                    return true;
                }
            };
        document.id_bytes = state.options.limits.id_bytes;
        if let Some(Recognizer(recognize)) = *others
            && let Some(opening) = Opening::of(data, Some(&document))
        {
            if (declaration.judges)(&opening) {
                *others = None;
            } else if let Some(other) = recognize(&opening).filter(|_| !opening.is_error()) {
                if state.report.count(UNKNOWN_PROTOCOL.id) == 0 {
                    fold.framing(&UNKNOWN_PROTOCOL);
                    state.record(&UNKNOWN_PROTOCOL, Subject::NONE, other);
                }
                document.give_back(tape);
                return true;
            }
        }
        let reading = (declaration.read)(document.root());
        let mut cx = Context { state, meter, sink };
        if document.has_skipped()
            && !reading.as_ref().is_ok_and(|reading| fold.is_known(reading, &cx))
        {
            document.give_back(tape);
            return false;
        }
        if reading.as_ref().is_ok_and(declaration.is_own) {
            self.has_events = true;
        } else if !is_translated {
            let root = document.root();
            if let Err(error) = &reading
                && let Some((rule, event)) = Self::with_text(declaration, root, &error.path)
            {
                cx.state.record(rule, Subject::NONE, Observed::Text(data));
                self.translated.push(event);
                document.give_back(tape);
                return true;
            }
            if Self::translate((declaration, *is_error), root, (cx.state, &mut self.translated)) {
                document.give_back(tape);
                return true;
            }
            if let Ok(text) = root.string() {
                self.stray.add_data(&text.to_str());
            } else if root.object().is_ok()
                && reading.as_ref().is_ok_and(|reading| reading.name.is_none())
            {
                self.stray.add_object(data);
            }
        }
        cx.sink.begin(document.root());
        match reading {
            Ok(reading) => {
                if reading.row.is_some() {
                    cx.state.check_members(&reading, declaration.judges_null);
                }
                reading.unread().for_each(|value| cx.state.not_read(value.raw()));
                fold.event(&reading, &mut cx);
                if reading.has_undeclared()
                    && reading.row.is_some()
                    && let Some(lost) = lost
                {
                    let limits = &cx.state.options.limits;
                    let others = reading.undeclared().filter(|(_, value)| value.as_str() != "null");
                    let is_lost = |name: &str| !fold.keeps_undeclared(&reading, name);
                    let others = others.filter(|(name, _)| is_lost(name));
                    others.for_each(|(name, _)| lost.note(&name, limits));
                }
            }
            Err(error) => cx.state.malformed(&error, data, Subject::NONE, None),
        }
        document.give_back(tape);
        true
    }

    /// Applies one event, without those that it is translated to.
    #[inline]
    pub(crate) fn apply(&mut self, event: &sse::SseEvent<'_>, sink: &mut dyn Sink) {
        let budget = self.meter.budget;
        self.meter.budget.refill(event.data.len());
        if !self.state.is_reading() {
            return;
        }
        let is_translated = self.next_translated > 0;
        self.state.is_translated = is_translated;
        if is_translated {
            self.next_translated -= 1;
        } else {
            self.state.count(event.offset);
        }
        self.state.begin(event.data);
        self.is_error = is_error_name(event.name);
        let Engine { fold, state, meter, .. } = self;
        if fold.before(event, &mut Context { state, meter, sink }) {
            self.read(event.data, is_translated, sink);
        } else if !self.fold.has_ended()
            && !detect::is_done(event.data)
            && !event.data.contains('{')
        {
            self.no_json(event.data);
        }
        self.state.learn();
        self.end_event(budget);
    }

    /// Applies the events that the last one, or the end, was translated to.
    #[cold]
    fn apply_translated(&mut self, sink: &mut dyn Sink) {
        let offset = self.state.at.1;
        self.take_translated().iter().for_each(|event| self.apply(&event.at(offset), sink));
        // What a translated event has appended cannot be replayed.
        self.state.begin("");
    }

    /// Appends a text where the last event did; before it `budget` was left.
    #[inline]
    fn append_again(&mut self, text: Str<'_>, budget: Budget, sink: &mut dyn Sink) {
        let Engine { fold, state, meter, .. } = self;
        let mut cx = Context { state, meter, sink };
        match cx.state.target() {
            Some(PieceTarget::Cell(cell)) => _ = cx.append_to(cell, text),
            Some(PieceTarget::Member(..)) => fold.append_again(text, &mut cx),
            None => {}
        }
        self.end_event(budget);
    }

    fn is_waiting(&mut self) -> bool {
        match self.state.target() {
            Some(PieceTarget::Cell(cell)) => self.state.is_waiting(cell),
            Some(PieceTarget::Member(..)) => self.fold.is_waiting(),
            None => false,
        }
    }

    /// Returns whether the texts of a run are appended as one.
    pub(crate) fn takes_as_one(&mut self, run: DeltaBatch<'_>) -> bool {
        let into = if self.is_waiting() { None } else { self.state.replays_into() };
        into.is_some_and(|into| self.meter.accepts(into, run.len() as u64))
    }

    #[cfg(feature = "hub")]
    pub(crate) fn cut_off(&mut self) {
        self.fold.cut_off();
    }

    /// Returns, once, whether the last event has [left no trace](Context::leaves_no_trace) in the
    /// answer.
    #[cfg(feature = "hub")]
    pub(crate) fn take_traceless(&mut self) -> bool {
        core::mem::take(&mut self.state.traceless)
    }

    /// Notes the members of events that are lost from now on.
    #[cfg(feature = "hub")]
    pub(crate) fn note_lost(&mut self) {
        self.lost = Some(Box::default());
    }

    /// Returns and clears the members that the last event has lost for the first time.
    #[cfg(feature = "hub")]
    pub(crate) fn take_lost(&mut self) -> Vec<String> {
        self.lost.as_mut().map(|lost| core::mem::take(&mut lost.new)).unwrap_or_default()
    }

    #[cfg(test)]
    pub(crate) fn fold_mut<F: Fold>(&mut self) -> &mut F {
        let fold: &mut dyn core::any::Any = &mut *self.fold;
        fold.downcast_mut().expect("the protocol of the engine")
    }
}

impl EventReceiver for Engine {
    fn recognize(&mut self, others: Recognizer) {
        self.others = Some(others);
    }

    #[inline(never)]
    fn event(&mut self, event: &sse::SseEvent<'_>, sink: &mut dyn Sink) {
        self.apply(event, sink);
        if !self.translated.is_empty() {
            self.apply_translated(sink);
        }
    }

    #[cfg(feature = "binary")]
    #[cold]
    fn frame(&mut self, frame: &sse::Frame<'_>) -> Option<Decoded> {
        if !self.state.is_reading() {
            return None;
        }
        let message = Some(frame.message).filter(|_| !frame.is_cut);
        let decoded = binary::read(self.declaration.binary, message, &self.state.options.limits);
        if let Err(error) = &decoded {
            self.state.count(frame.offset);
            self.state.begin("");
            self.state.malformed(error, "", Subject::NONE, None);
        }
        decoded.ok()
    }

    fn repeatable(&self) -> Option<&Repeat> {
        self.state.learned()
    }

    #[inline]
    fn repeat(&mut self, number: Option<i64>, text: Str<'_>, offset: u64, sink: &mut dyn Sink) {
        let budget = self.meter.budget;
        self.meter.budget.refill(text.raw().len());
        if self.state.count_replay(number, offset) {
            self.append_again(text, budget, sink);
        }
    }

    fn repeat_run(&mut self, run: DeltaBatch<'_>, sink: &mut dyn Sink) {
        if !self.takes_as_one(run) {
            return run
                .each()
                .for_each(|(piece, text)| self.repeat(piece.number, text, piece.offset, sink));
        }
        let budget = self.meter.budget;
        self.meter.budget.refill(run.len());
        let mut end = 0;
        for piece in run.pieces() {
            if self.state.count_replay(piece.number, piece.offset) {
                end = piece.end;
            }
        }
        self.append_again(run.text(end), budget, sink);
    }

    fn take_translated(&mut self) -> Vec<Translated> {
        self.next_translated = self.translated.len();
        core::mem::take(&mut self.translated)
    }

    #[cold]
    fn stray_text(&mut self, text: &str) {
        self.stray.add_line(text);
    }

    fn translate_stray_text(&mut self) {
        let is_over = self.fold.has_ended() || self.fold.is_whole();
        if is_over || self.finished || self.state.report.end_reason != EndReason::Open {
            return;
        }
        if let Some(failure) = self.stray.take(self.has_events) {
            self.fail(&failure, &failure.message);
        }
    }

    fn finish(&mut self, aborted: bool, sink: &mut dyn Sink) {
        if !aborted {
            self.translate_stray_text();
        }
        if !self.translated.is_empty() {
            self.apply_translated(sink);
        }
        if core::mem::replace(&mut self.finished, true) {
            return;
        }
        self.state.at.0 = self.state.report.events.saturating_sub(1);
        let Engine { fold, state, meter, .. } = self;
        fold.finish(aborted, &mut Context { state, meter, sink });
        self.settle();
        let ended = &mut self.state.report.end_reason;
        if *ended == EndReason::Open {
            *ended = match (self.fold.has_ended(), aborted) {
                (true, _) => EndReason::Terminal,
                (false, true) => EndReason::Aborted,
                (false, false) => EndReason::Eof,
            };
        }
    }

    fn framing(&mut self, rule: &'static Rule, offset: u64, got: Observed<'_>) {
        if !self.state.is_reading() {
            return;
        }
        self.fold.framing(rule);
        let place =
            LazyLocation { event: self.state.report.events, offset, ..LazyLocation::default() };
        self.state.record_at(rule, place, got);
    }

    fn has_ended(&self) -> bool {
        self.fold.has_ended() || !self.state.is_reading()
    }

    fn report(&self) -> &Report {
        &self.state.report
    }

    fn report_mut(&mut self) -> &mut Report {
        &mut self.state.report
    }
}
