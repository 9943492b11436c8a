//! The tools of a fold: changes of the answer, within the limits, and violations.

use alloc::string::String;
#[cfg(feature = "ag-ui")]
use alloc::vec::Vec;
use core::fmt;

#[cfg(feature = "ag-ui")]
use super::RefusedChange;
use super::meter::{Meter, ObjectLimit};
use super::state::{EngineState, PieceTarget, Subject, TextSlot, TextSlotState};
use crate::core::error::DecodeError;
#[cfg(feature = "ag-ui")]
use crate::core::error::UsageError;
use crate::core::id::Id;
#[cfg(feature = "ag-ui")]
use crate::core::json_patch::{DocumentChange, DocumentChangeKind, PatchFailure, Tree};
#[cfg(feature = "ag-ui")]
use crate::core::limits::Limits;
use crate::core::options::ReadOptions;
use crate::core::report::{EndReason, Report};
use crate::core::sink::{Field, FieldValue, JsonChange, ObjectId, ObjectKind, Sink};
use crate::core::violation::{LIMIT_EXCEEDED, LazyLocation, Observed, Rule};
#[cfg(feature = "ag-ui")]
use crate::json::{Document, JsonText};
use crate::json::{Element, Raw, Str, SurrogateHalf, joined};
use crate::sse;

/// Changes the answer and reports violations, for [`Fold`](super::Fold).
///
/// Methods that return `bool` return whether the change was made: a limit may have refused it.
pub struct Context<'c> {
    pub(super) state: &'c mut EngineState,
    pub(super) meter: &'c mut Meter,
    pub(super) sink: &'c mut dyn Sink,
}

impl fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("state", &self.state).finish_non_exhaustive()
    }
}

impl Context<'_> {
    /// Returns the options of the reader.
    pub fn options(&self) -> &ReadOptions {
        &self.state.options
    }

    /// Returns the report so far.
    pub fn report(&self) -> &Report {
        &self.state.report
    }

    /// Reports the end of the stream, unless the reader has refused it.
    pub fn end(&mut self, ended: EndReason) {
        self.state.report.end(ended);
    }

    /// Reports the id of something that never ended.
    pub fn unfinished(&mut self, id: String) {
        self.state.report.unfinished.push(id);
    }

    /// Applies the JSON of an option, before the first event. It counts as received: the limits
    /// that grow with the input accept it as they accept an event of that size. The engine refuses
    /// the stream if the option is not taken as a whole.
    #[cfg(feature = "ag-ui")]
    pub(crate) fn option(
        &mut self,
        name: &'static str,
        JsonText(json): &JsonText,
        apply: impl FnOnce(Element<'_, '_>, &mut Self),
    ) {
        self.meter.budget.refill(json.len());
        match Document::read(json, Limits::DEEPEST) {
            Ok(document) => apply(document.root(), self),
            Err(_) => self.refuse_option(
                "too-deep",
                name,
                " nests too deeply",
                "give JSON with less nesting",
            ),
        }
        if let Some(RefusedChange { limit, allowed, .. }) = self.meter.first_refusal() {
            let allowed = crate::json::decimal(*allowed as i64);
            let exceeds =
                [" exceeds the limit `", Limits::public_name(limit), "` = ", &allowed].concat();
            self.refuse_option(
                "limit-exceeded",
                name,
                &exceeds,
                "give less, or raise the limit in `limits`",
            );
        }
    }

    /// Refuses an option: the engine reads nothing.
    #[cfg(feature = "ag-ui")]
    pub(crate) fn refuse_option(
        &mut self,
        code: &'static str,
        name: &str,
        why: &str,
        instead: &'static str,
    ) {
        let problem = ["the option `", name, "`", why].concat();
        self.state.refusal.get_or_insert_with(|| UsageError::new(code, problem, instead));
    }

    /// Returns whether an option was refused.
    #[cfg(feature = "ag-ui")]
    pub(crate) fn has_refused(&self) -> bool {
        self.state.refusal.is_some()
    }

    /// Returns the bytes of the events so far, without [pieces of texts](Self::piece), and with
    /// the options.
    #[cfg(feature = "ag-ui")]
    pub(crate) fn received(&self) -> u64 {
        self.meter.budget.received()
    }

    /// Declares that the current event is a piece of a text. Pieces may be joined to fewer and
    /// longer ones before they are read, so limits that grow with the input must not depend on
    /// their number: a piece pays for itself only.
    #[cfg(feature = "ag-ui")]
    pub(crate) fn piece(&mut self) {
        self.state.is_piece = true;
    }

    /// Returns number and byte offset of the current event.
    pub fn at(&self) -> (u64, u64) {
        self.state.at
    }

    /// Reports an event of a type that the protocol does not have.
    pub fn unknown(&mut self, name: &str) {
        let EngineState { report, options, .. } = &mut *self.state;
        report.unknown(&options.limits, name);
    }

    /// Adds an id that violations can name.
    pub fn own(&mut self, id: &str) -> Subject {
        self.state.effects += 1;
        self.state.owners.push(Id::from(id));
        Subject(self.state.owners.len() as u32 - 1)
    }

    /// Returns the result of the next [`own`](Self::own), for an object that has to be opened
    /// before.
    pub fn next_owner(&self) -> Subject {
        Subject(self.state.owners.len() as u32)
    }

    /// Replaces an id.
    pub fn rename(&mut self, owner: Subject, id: &str) {
        if let Some(known) = self.state.owners.get_mut(owner.0 as usize) {
            *known = Id::from(id);
        }
    }

    /// Returns an id.
    pub fn id(&self, owner: Subject) -> &str {
        self.state.owners.get(owner.0 as usize).map_or("", |id| id)
    }

    /// Checks the number of the current event.
    pub fn number(&mut self, value: Option<Element<'_, '_>>) {
        self.state.number(value);
    }

    /// Ignores an integer of the event: the next event may have another one.
    #[cfg(feature = "ag-ui")]
    pub fn passed_by(&mut self, value: Raw<'_>) {
        self.state.passed_by(value);
    }

    /// Checks a number that is parsed already.
    pub fn sequence(&mut self, number: Option<i64>) {
        self.state.sequence(number);
    }

    /// Reports lines beside the data of an event, for protocols that have only data.
    pub fn check_framing(&mut self, event: &sse::SseEvent<'_>, rule: &'static Rule) {
        self.state.check_framing(event, rule);
    }

    /// Returns whether anything more is to be read: a strict reader stops at the first error.
    pub fn is_reading(&self) -> bool {
        self.state.is_reading()
    }

    /// Marks the event: the answer does not hold its values. Conversions pass it on.
    #[cfg(feature = "ag-ui")]
    pub(crate) fn leaves_no_trace(&mut self) {
        self.state.traceless = true;
    }

    /// Counts one more object below a parent. Returns false if there are too many.
    pub fn count(&mut self, parent: ObjectId, counted: ObjectLimit) -> bool {
        self.state.effects += 1;
        self.meter.count(parent, counted)
    }

    /// Opens an object and returns its number; `None` if there are too many.
    pub fn open(
        &mut self,
        kind: ObjectKind,
        parent: ObjectId,
        list: Field,
        counted: ObjectLimit,
        owner: Subject,
    ) -> Option<ObjectId> {
        if !self.count(parent, counted) {
            return None;
        }
        self.sink.open(kind, parent, list);
        Some(self.meter.open(owner.0))
    }

    /// Sets a property. Returns false if a limit refuses the value.
    pub fn set(&mut self, node: ObjectId, key: Field, value: FieldValue<'_>) -> bool {
        self.state.effects += 1;
        let is_short = matches!(
            value,
            FieldValue::Null | FieldValue::Bool(_) | FieldValue::Int(_) | FieldValue::Word(_)
        );
        let taken = is_short || self.meter.replace(node, key, bytes(value), cost(value));
        if taken {
            self.sink.set(node, key, value);
        }
        taken
    }

    /// Sets a property to a text.
    pub fn set_text(&mut self, node: ObjectId, key: Field, text: &str) -> bool {
        self.set(node, key, FieldValue::Str(text))
    }

    /// Sets a property to JSON.
    pub fn set_json(&mut self, node: ObjectId, key: Field, json: &str) -> bool {
        self.set(node, key, FieldValue::Json(Raw(json)))
    }

    /// Sets a property to a text whose length has another bound: an id, a name that was checked
    /// like one, a sentence of this crate.
    pub fn set_short(&mut self, node: ObjectId, key: Field, text: &str) {
        self.state.effects += 1;
        self.meter.add(text.len() as u64);
        self.sink.set(node, key, FieldValue::Str(text));
    }

    /// Removes a property.
    pub fn unset(&mut self, node: ObjectId, key: Field) {
        self.state.effects += 1;
        self.sink.unset(node, key);
    }

    /// Sets a property to the value of a property of another object.
    pub fn share(&mut self, node: ObjectId, key: Field, from: ObjectId, from_key: Field) {
        self.state.effects += 1;
        self.sink.share(node, key, from, from_key);
    }

    /// Appends to a property. Returns false if a limit refuses the text.
    pub fn append_text(&mut self, node: ObjectId, key: Field, text: &str) -> bool {
        let length = text.len() as u64;
        self.grow(node, key, length, length, |sink| sink.append(node, key, text))
    }

    /// Returns whether a piece of a property was refused, so that no further piece is taken.
    pub fn is_full(&self, node: ObjectId, key: Field) -> bool {
        self.meter.is_full(node, key)
    }

    /// Starts a property that arrives in pieces.
    pub fn text(&mut self, node: ObjectId, key: Field, owner: Subject) -> TextSlot {
        self.state.effects += 1;
        self.state.cells.push(TextSlotState {
            node,
            key,
            owner,
            half: SurrogateHalf::NONE,
            kept: None,
        });
        TextSlot(self.state.cells.len() as u32 - 1)
    }

    /// The same, and the text is kept until it is [taken](Self::end_text).
    pub fn kept_text(&mut self, node: ObjectId, key: Field, owner: Subject) -> TextSlot {
        let cell = self.text(node, key, owner);
        if let Some(cell) = self.state.cells.last_mut() {
            cell.kept = Some(String::new());
        }
        cell
    }

    /// Announces that the next effect appends this piece of the event to a property of which the
    /// protocol keeps more than a text cell does.
    pub fn appends(&mut self, node: ObjectId, key: Field, piece: Str<'_>) {
        self.state.appends(PieceTarget::Member(node, key), piece);
    }

    /// Appends the next piece of a text. Returns false if a limit refuses it.
    pub fn append(&mut self, cell: TextSlot, piece: Str<'_>) -> bool {
        self.state.appends(PieceTarget::Cell(cell), piece);
        self.append_to(cell, piece)
    }

    /// Appends JSON, as text. Returns false if a limit refuses it.
    #[cfg(any(feature = "chat", feature = "interactions"))]
    pub fn append_json(&mut self, cell: TextSlot, json: &str) -> bool {
        self.append_to(cell, Str::plain(json))
    }

    /// The same for a piece that may be of a replayed event.
    pub(super) fn append_to(&mut self, cell: TextSlot, piece: Str<'_>) -> bool {
        let EngineState { cells, scratch, effects, .. } = &mut *self.state;
        *effects += 1;
        let Some(TextSlotState { node, key, owner, half, kept }) = cells.get_mut(cell.0 as usize)
        else {
            return false;
        };
        let (characters, lone) = joined(piece, half, scratch);
        let length = characters.len() as u64;
        if !self.meter.grow(*node, *key, length, length) {
            return false;
        }
        self.sink.append(*node, *key, characters);
        if let Some(kept) = kept {
            kept.push_str(characters);
        }
        if lone > 0 {
            let owner = *owner;
            self.state.record(self.state.rules.lone_surrogate, owner, Observed::Count(lone.into()));
        }
        true
    }

    /// Returns the text so far, if it is kept.
    pub fn kept(&self, cell: TextSlot) -> &str {
        self.state
            .cells
            .get(cell.0 as usize)
            .and_then(|cell| cell.kept.as_deref())
            .unwrap_or_default()
    }

    /// Returns whether half a character waits in a text for its other half.
    pub fn is_waiting(&self, cell: TextSlot) -> bool {
        self.state.is_waiting(cell)
    }

    /// Replaces a text. Half a character that waits is dropped. Returns false if a limit refuses
    /// the text.
    pub fn replace_text(&mut self, cell: TextSlot, text: &str) -> bool {
        let Some(TextSlotState { node, key, half, .. }) = self.state.cells.get_mut(cell.0 as usize)
        else {
            return false;
        };
        *half = SurrogateHalf::NONE;
        let (node, key) = (*node, *key);
        let taken = self.set_text(node, key, text);
        let kept = self.state.cells.get_mut(cell.0 as usize).and_then(|cell| cell.kept.as_mut());
        if let (true, Some(kept)) = (taken, kept) {
            kept.clear();
            kept.push_str(text);
        }
        taken
    }

    /// Ends a text and returns it if it was kept.
    pub fn end_text(&mut self, cell: TextSlot) -> String {
        self.state.effects += 1;
        let Some(TextSlotState { node, key, owner, half, kept }) =
            self.state.cells.get_mut(cell.0 as usize)
        else {
            return String::new();
        };
        let mut kept = kept.take();
        if core::mem::take(half).is_waiting() {
            let (node, key, owner) = (*node, *key, *owner);
            if self.append_text(node, key, "\u{fffd}")
                && let Some(kept) = &mut kept
            {
                kept.push('\u{fffd}');
            }
            self.state.record(
                self.state.rules.lone_surrogate,
                owner,
                Observed::Words("a half at the end"),
            );
        }
        kept.unwrap_or_default()
    }

    /// Notes for conversions that the sender has ended a text.
    pub fn note_text_end(&mut self, node: ObjectId, key: Field) {
        self.state.effects += 1;
        self.sink.end(node, key);
    }

    /// Sets a property that the protocol does not declare. Returns false if a limit refuses it.
    pub fn set_extra(&mut self, node: ObjectId, name: &str, value: Raw<'_>) -> bool {
        self.state.effects += 1;
        let length = (name.len() + value.as_str().len()) as u64;
        let taken = self.meter.undeclared(node, name, length, JSON * length);
        if taken {
            self.sink.set_extra(node, name, value);
        }
        taken
    }

    /// Removes a property that the protocol does not declare.
    pub fn unset_extra(&mut self, node: ObjectId, name: &str) {
        self.state.effects += 1;
        self.sink.unset_extra(node, name);
    }

    /// Counts keys and elements that are added to the data of a property. Returns false if there
    /// are too many.
    pub fn data_nodes(&mut self, node: ObjectId, key: Field, more: usize) -> bool {
        self.state.effects += 1;
        self.meter.add_data_nodes(node, key, more)
    }

    /// Counts the keys and elements of the data of an object from 0: the data are replaced.
    pub fn forget_data_nodes(&mut self, node: ObjectId) {
        self.state.effects += 1;
        self.meter.forget_data_nodes(node);
    }

    /// Returns whether a number of so many digits may be added to one inside the data of a
    /// property.
    pub fn adds_digits(&mut self, node: ObjectId, key: Field, digits: usize) -> bool {
        self.state.effects += 1;
        self.meter.adds_digits(node, key, digits)
    }

    /// Grows a property by bytes at a cost, and then writes the change. Returns false if a limit
    /// refuses it.
    fn grow(
        &mut self,
        node: ObjectId,
        key: Field,
        bytes: u64,
        cost: u64,
        write: impl FnOnce(&mut dyn Sink),
    ) -> bool {
        self.state.effects += 1;
        let taken = self.meter.grow(node, key, bytes, cost);
        if taken {
            write(self.sink);
        }
        taken
    }

    /// Sets a value inside free JSON. Returns false if a limit refuses it.
    pub fn set_in(
        &mut self,
        node: ObjectId,
        key: Field,
        path: &[&str],
        value: FieldValue<'_>,
    ) -> bool {
        let name = path.last().map_or(0, |name| name.len()) as u64;
        self.grow(node, key, name + bytes(value), JSON * name + cost(value), |sink| {
            sink.change_in(node, key, path, JsonChange::Set(value));
        })
    }

    /// Inserts an element into an array inside free JSON. Returns false if a limit refuses it.
    #[cfg(any(feature = "responses", feature = "gemini"))]
    pub(crate) fn add_element(
        &mut self,
        node: ObjectId,
        key: Field,
        path: &[&str],
        value: FieldValue<'_>,
    ) -> bool {
        let change = JsonChange::Insert(value);
        self.grow(node, key, bytes(value), cost(value), |sink| {
            sink.change_in(node, key, path, change)
        })
    }

    /// Appends to a text inside free JSON. Returns false if a limit refuses it.
    pub fn append_in(&mut self, node: ObjectId, key: Field, path: &[&str], text: &str) -> bool {
        let length = text.len() as u64;
        self.grow(node, key, length, length, |sink| {
            sink.change_in(node, key, path, JsonChange::Append(text))
        })
    }

    /// Appends elements to an array inside free JSON. Returns false if a limit refuses them.
    pub fn extend_in(&mut self, node: ObjectId, key: Field, path: &[&str], items: Raw<'_>) -> bool {
        let length = items.as_str().len() as u64;
        self.grow(node, key, length, JSON * length, |sink| {
            sink.change_in(node, key, path, JsonChange::Extend(items))
        })
    }

    /// Adds to a number inside free JSON. Returns false if a limit refuses it.
    pub fn add_in(
        &mut self,
        node: ObjectId,
        key: Field,
        path: &[&str],
        summand: Raw<'_>,
        float: bool,
    ) -> bool {
        let length = summand.as_str().len() as u64;
        self.grow(node, key, length, length, |sink| {
            sink.change_in(node, key, path, JsonChange::Add(summand, float))
        })
    }

    /// Moves the last object of a list to a place in it.
    pub fn move_last(&mut self, parent: ObjectId, list: Field, node: ObjectId, at: usize) {
        self.state.effects += 1;
        self.sink.move_last(parent, list, node, at);
    }

    /// Removes an object from its list.
    pub fn remove(&mut self, parent: ObjectId, list: Field, node: ObjectId) {
        self.release(node);
        self.sink.remove(parent, list, node);
    }

    /// Sets the objects of a list and their order.
    pub fn arrange(&mut self, parent: ObjectId, list: Field, nodes: &[ObjectId]) {
        self.state.effects += 1;
        self.sink.arrange(parent, list, nodes);
    }

    /// Frees the bytes of an object that was removed.
    pub fn release(&mut self, node: ObjectId) {
        self.state.effects += 1;
        self.meter.release(node);
    }

    /// Reports that the reader would have to hold too much.
    pub fn too_many(&mut self, limit: &'static str, most: u64) {
        self.record(&LIMIT_EXCEEDED, Observed::Over(limit, most));
    }

    /// Whether a value is a text that is too long for an id. Reports it.
    pub fn refuses_id(&mut self, value: Element<'_, '_>, owner: Subject) -> bool {
        let is_long = value.string().is_ok() && value.id().is_err();
        if is_long {
            let got = Observed::Over("id_bytes", self.options().limits.id_bytes as u64);
            self.record_in(&LIMIT_EXCEEDED, owner, None, got);
        }
        is_long
    }

    /// Reports a violation at the current event.
    pub fn record(&mut self, rule: &'static Rule, got: Observed<'_>) {
        self.state.record(rule, Subject::NONE, got);
    }

    /// Reports a violation that concerns something with an id.
    pub fn record_of(&mut self, rule: &'static Rule, id: &str, got: Observed<'_>) {
        let (event, offset) = self.state.at;
        self.state.record_at(
            rule,
            LazyLocation { event, offset, message_id: Some(id), index: None },
            got,
        );
    }

    /// Reports a violation that concerns the owner of an id, or its content with that index.
    #[cold]
    pub fn record_in(
        &mut self,
        rule: &'static Rule,
        owner: Subject,
        index: Option<u32>,
        got: Observed<'_>,
    ) {
        self.state.record_in(rule, owner, index, got);
    }

    /// Reports a part of the event that cannot be read.
    #[cold]
    pub fn malformed(
        &mut self,
        error: &DecodeError,
        what: &str,
        owner: Subject,
        index: Option<u32>,
    ) {
        self.state.malformed(error, what, owner, index);
    }

    /// Returns the number of violations so far.
    pub fn violations(&self) -> u64 {
        self.state.violations
    }

    /// Reports a violation that concerns an earlier event.
    pub fn record_at(
        &mut self,
        rule: &'static Rule,
        (event, offset): (u64, u64),
        owner: Subject,
        got: Observed<'_>,
    ) {
        let id = self.state.owners.get(owner.0 as usize).cloned();
        self.state.record_at(
            rule,
            LazyLocation { event, offset, message_id: id.as_deref(), index: None },
            got,
        );
    }
}

/// Bytes that a byte of JSON costs: it becomes a tree.
const JSON: u64 = 20;

/// Bytes that writing a value costs.
#[must_use]
fn cost(value: FieldValue<'_>) -> u64 {
    match value {
        FieldValue::Json(_) | FieldValue::Free(_) => JSON * bytes(value),
        _ => bytes(value),
    }
}

#[must_use]
fn bytes(value: FieldValue<'_>) -> u64 {
    match value {
        FieldValue::Null | FieldValue::Bool(_) | FieldValue::Int(_) | FieldValue::Word(_) => 0,
        FieldValue::Str(text) => text.len() as u64,
        FieldValue::Json(raw) => raw.as_str().len() as u64,
        FieldValue::Free(value) => value.raw().as_str().len() as u64,
    }
}

// Patches of free JSON.

#[cfg(feature = "ag-ui")]
impl Context<'_> {
    /// Applies a patch to the document in a property, as a whole or not at all. Returns false if
    /// that violates `rule`, or if a limit refuses it.
    pub(crate) fn patch(
        &mut self,
        (node, key): (ObjectId, Field),
        document: &mut Tree,
        patch: Element<'_, '_>,
        rule: &'static Rule,
        owner: Subject,
    ) -> bool {
        let (limits, meter) = (&self.state.options.limits, &mut *self.meter);
        let mut budget = meter.budget;
        let applied = document.apply(patch, limits, &mut budget, |tree| {
            meter.replace(node, key, tree.size().bytes, 0)
        });
        meter.budget = budget;
        match applied {
            Ok(changes) => {
                self.state.effects += 1;
                changes.iter().for_each(|change| write(change, node, key, self.sink));
                true
            }
            // The meter has noted it.
            Err(PatchFailure::Over("content_bytes", _)) => false,
            Err(PatchFailure::Over(limit, most)) => {
                self.state.record(&LIMIT_EXCEEDED, owner, Observed::Over(limit, most));
                false
            }
            Err(PatchFailure::Impossible(at, reason)) => {
                let at = crate::json::decimal(at as i64);
                let reason = ["operation ", &at, ": ", reason].concat();
                self.state.record(rule, owner, Observed::ClientMessage(&reason));
                false
            }
        }
    }
}

/// Writes a change of a property whose size is counted already.
#[cfg(feature = "ag-ui")]
fn write(change: &DocumentChange<'_>, node: ObjectId, key: Field, sink: &mut dyn Sink) {
    let path: Vec<&str> = change.path.iter().map(String::as_str).collect();
    let target: Vec<&str>;
    let change = match &change.what {
        DocumentChangeKind::Set(json) if path.is_empty() => {
            return sink.set(node, key, FieldValue::Json(Raw(json)));
        }
        DocumentChangeKind::Append(piece) if path.is_empty() => {
            return sink.append(node, key, piece);
        }
        DocumentChangeKind::Set(json) => JsonChange::Set(FieldValue::Json(Raw(json))),
        DocumentChangeKind::Insert(json) => JsonChange::Insert(FieldValue::Json(Raw(json))),
        DocumentChangeKind::Remove => JsonChange::Remove,
        DocumentChangeKind::Append(piece) => JsonChange::Append(piece),
        DocumentChangeKind::Move(to) => {
            target = to.iter().map(String::as_str).collect();
            JsonChange::Move(&target)
        }
    };
    sink.change_in(node, key, &path, change);
}
