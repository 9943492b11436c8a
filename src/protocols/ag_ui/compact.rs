//! Compaction: fewer events with the same messages, in the same order, and the same state. (B.9,
//! U20.)
//!
//! Pieces of one text become one piece, in the position of the first. Patches after a snapshot of
//! the state become part of that snapshot. All other events keep their positions, so a legal stream
//! stays legal, and the events of a run stay before its end. Two pieces stay separate if their
//! meaning might depend on the events between them.
//!
//! Some limits of a reader grow with the bytes that it has received, except for those of pieces of
//! texts. A reader of a merged state might refuse a patch that a reader of all events takes, so
//! events that reach a limit, or violate other rules than their compacted form, are not compacted.
//! A stream that continues after a merged state may reach the limit `growth` earlier or later.

use alloc::{
    borrow::{Cow, ToOwned},
    string::String,
    vec::Vec,
};
use core::ops::Range;

use super::fold::{AgUi, check_event};
use super::schema::PATCH;
use crate::bytes::string_map::StringMap;
use crate::core::declare::events::filter::Filtered;
use crate::core::json_patch::Tree;
use crate::core::limits::Budget;
use crate::core::{LIMIT_EXCEEDED, Limits, ReadOptions};
use crate::engine::{Discard, EventReceiver as _, Protocol as _};
use crate::json::{Document, Element, Raw, Str};
use crate::sse::SseEvent;

/// Compacts a list of events.
///
/// ```
/// use agentwire::ag_ui::Compactor;
///
/// let mut compactor = Compactor::default();
/// for event in [
///     r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hel"}"#,
///     r#"{"type":"CUSTOM","name":"progress","value":1}"#,
///     r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"lo"}"#,
/// ] {
///     compactor.push(event);
/// }
/// assert_eq!(compactor.finish(), [
///     r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hello"}"#,
///     r#"{"type":"CUSTOM","name":"progress","value":1}"#,
/// ]);
/// ```
#[derive(Debug, Default)]
pub struct Compactor {
    /// The events as received.
    events: Vec<String>,
    out: Vec<GrowingEvent>,
    /// The texts that may continue: the number of the event that has the last piece of each.
    texts: StringMap<Option<usize>>,
    /// The number of events that were added to `texts`. At zero, no text may continue.
    waiting: usize,
    /// Whether the last event is a chunk that may continue.
    chunk: bool,
    is_running: bool,
    state: Tree,
    /// The event that has the state, its lane, and whether its value is up to date.
    state_event: Option<(usize, Option<String>, bool)>,
    limits: Limits,
    budget: Budget,
}

/// An event whose text or state may still change.
#[derive(Debug)]
struct GrowingEvent {
    head: String,
    value: String,
    tail: String,
    /// The members that the next piece of its text must have in common with it.
    rest: String,
}

/// The parts of an event that compaction uses.
struct CompactEvent<'d, 'a> {
    name: Cow<'a, str>,
    id: Option<Cow<'a, str>>,
    lane: Option<Cow<'a, str>>,
    /// The text, the state or the patch.
    payload: Option<Element<'d, 'a>>,
    /// All members but the text and the time, as received.
    rest: String,
    /// Whether the next piece may be added to the event.
    is_plain: bool,
}

impl Compactor {
    /// Adds the next event: one JSON object, as in the data of a server-sent event.
    pub fn push(&mut self, event: &str) {
        self.events.push(event.to_owned());
        self.budget.refill(event.len());
        let document = Document::read(event, self.limits.json_depth);
        let checked = document
            .as_ref()
            .ok()
            .filter(|document| check_event(document).is_ok())
            .map(CompactEvent::of);
        let Some(checked) = checked.filter(|checked| !checked.name.is_empty()) else {
            // An invalid event changes nothing, and keeps its position.
            self.chunk = false;
            return self.add(event, 0..0, String::new());
        };
        match &*checked.name {
            "TEXT_MESSAGE_CONTENT" | "REASONING_MESSAGE_CONTENT" => self.text('m', &checked, event),
            "TOOL_CALL_ARGS" => self.text('c', &checked, event),
            "TEXT_MESSAGE_CHUNK" | "REASONING_MESSAGE_CHUNK" | "TOOL_CALL_CHUNK" => {
                self.chunk(&checked, event)
            }
            name => {
                self.chunk = false;
                match name {
                    "STATE_SNAPSHOT" if self.is_running => return self.snapshot(&checked, event),
                    "STATE_DELTA" if self.is_running => return self.delta(&checked, event),
                    "TEXT_MESSAGE_START"
                    | "TEXT_MESSAGE_END"
                    | "REASONING_MESSAGE_START"
                    | "REASONING_MESSAGE_END" => self.close('m', &checked),
                    "TOOL_CALL_END" => self.close('c', &checked),
                    "STATE_SNAPSHOT"
                    | "STATE_DELTA"
                    | "STEP_STARTED"
                    | "STEP_FINISHED"
                    | "REASONING_START"
                    | "REASONING_END"
                    | "REASONING_ENCRYPTED_VALUE"
                    | "RAW"
                    | "CUSTOM" => {}
                    _ => self.close_texts(),
                }
                if name.starts_with("RUN_") {
                    self.write_state();
                    self.is_running = name == "RUN_STARTED";
                }
                self.add(event, 0..0, String::new());
            }
        }
    }

    /// Returns the compacted events. They are the events as received if a reader with the default
    /// limits refuses a part of these or of those, or if only one of the two violates a rule.
    #[must_use]
    pub fn finish(mut self) -> Vec<String> {
        self.write_state();
        let compacted: Vec<String> =
            self.out.into_iter().map(|piece| piece.head + &piece.value + &piece.tail).collect();
        if compacted.len() == self.events.len() {
            return compacted;
        }
        match (violated(&self.events), violated(&compacted)) {
            (Some(before), Some(after))
                if before.len() == after.len()
                    && after.iter().all(|rule| before.contains(rule)) =>
            {
                compacted
            }
            _ => self.events,
        }
    }

    /// Adds a new event. `value` is the range of its text or state.
    fn add(&mut self, event: &str, value: Range<usize>, rest: String) {
        let part = |part: Range<usize>| event.get(part).unwrap_or_default().to_owned();
        let (head, tail) = (part(0..value.start), part(value.end..event.len()));
        self.out.push(GrowingEvent { head, value: part(value), tail, rest });
    }

    /// Adds a piece of a text, which is identified by kind and id.
    fn text(&mut self, kind: char, event: &CompactEvent<'_, '_>, json: &str) {
        self.chunk = false;
        let Some((text, place)) = event.text() else { return self.add(json, 0..0, String::new()) };
        let key = key(kind, event);
        let known = self.texts.get(&key).copied().flatten().and_then(|at| self.out.get_mut(at));
        match known {
            Some(piece) if event.is_plain && piece.rest == event.rest => {
                piece.value.push_str(text.raw())
            }
            _ => {
                let next = event.is_plain.then_some(self.out.len());
                self.waiting += usize::from(next.is_some());
                self.texts.insert(&key, next);
                self.add(json, place, event.rest.clone());
            }
        }
    }

    /// Adds a chunk, or appends it to the chunk right before it if only their texts differ. A chunk
    /// ends the text of another chunk, as other events do, so later events are not moved to before
    /// it.
    fn chunk(&mut self, event: &CompactEvent<'_, '_>, json: &str) {
        self.close_texts();
        self.write_state();
        let goes_on =
            core::mem::replace(&mut self.chunk, event.is_plain && event.payload.is_some());
        match (self.out.last_mut(), event.text()) {
            (Some(piece), Some((text, _))) if goes_on && self.chunk && piece.rest == event.rest => {
                piece.value.push_str(text.raw());
            }
            (_, text) => self.add(json, text.map_or(0..0, |(_, place)| place), event.rest.clone()),
        }
    }

    fn close(&mut self, kind: char, event: &CompactEvent<'_, '_>) {
        let key = key(kind, event);
        if self.texts.get(&key).is_some() {
            self.texts.insert(&key, None);
        }
    }

    fn close_texts(&mut self) {
        if self.waiting > 0 {
            (self.texts, self.waiting) = Default::default();
        }
    }

    fn snapshot(&mut self, event: &CompactEvent<'_, '_>, json: &str) {
        let value = event.payload.map_or_else(|| Tree::from_raw(Raw("null")), Tree::of);
        self.state = value;
        if event.is_plain && self.is_state_of(event) {
            if let Some((_, _, is_current)) = &mut self.state_event {
                *is_current = false;
            }
            return;
        }
        self.write_state();
        let place =
            event.payload.map(|value| value.offset()..value.offset() + value.raw().as_str().len());
        if event.is_plain && place.is_some() {
            self.state_event =
                Some((self.out.len(), event.lane.as_deref().map(ToOwned::to_owned), true));
        }
        self.add(json, place.unwrap_or(0..0), String::new());
    }

    fn delta(&mut self, event: &CompactEvent<'_, '_>, json: &str) {
        let is_applied = event.is_plain && self.is_state_of(event) && self.is_applied(event);
        match &mut self.state_event {
            Some((_, _, is_current)) if is_applied => *is_current = false,
            // A patch that cannot be applied is passed on to the reader unchanged.
            _ => {
                self.write_state();
                self.add(json, 0..0, String::new());
            }
        }
    }

    fn is_applied(&mut self, event: &CompactEvent<'_, '_>) -> bool {
        let Some(patch) = event.payload else { return false };
        let is_known = |filtered: &Filtered| filtered.dropped.is_empty();
        Filtered::of("delta", patch, PATCH).as_ref().is_ok_and(is_known)
            && self.state.apply(patch, &self.limits, &mut self.budget, |_| true).is_ok()
    }

    fn is_state_of(&self, event: &CompactEvent<'_, '_>) -> bool {
        self.state_event
            .as_ref()
            .is_some_and(|(_, lane, _)| lane.as_deref() == event.lane.as_deref())
    }

    /// Writes the current state into the event that has it. Later changes of the state get an event
    /// of their own.
    fn write_state(&mut self) {
        if let Some((at, _, false)) = self.state_event.take()
            && let Some(piece) = self.out.get_mut(at)
        {
            piece.value = self.state.to_json();
        }
    }
}

/// Returns the rules that the events violate; `None` if a reader with the default limits refuses a
/// part of them.
fn violated(events: &[String]) -> Option<Vec<&'static str>> {
    /// The bytes before the data of an event in its line.
    const FIELD: usize = "data: ".len();
    let options = ReadOptions::default();
    let Limits { line_bytes, event_bytes, .. } = options.limits;
    let most = event_bytes.min(line_bytes) - FIELD;
    if events.iter().any(|data| data.len() > most) {
        return None;
    }
    let mut engine = AgUi::default().engine(&options, &mut Discard);
    for data in events {
        engine.event(&event(data), &mut Discard);
    }
    engine.finish(false, &mut Discard);
    let rules: Vec<_> = engine.report().counts.iter().map(|(rule, _)| *rule).collect();
    (!rules.contains(&LIMIT_EXCEEDED.id)).then_some(rules)
}

/// Returns an event of a stream, without the parts that do not change its meaning.
fn event(data: &str) -> SseEvent<'_> {
    SseEvent {
        name: "message",
        data,
        last_event_id: "",
        has_id: false,
        offset: 0,
        replaced: false,
        frame: None,
        unterminated: false,
    }
}

fn key(kind: char, event: &CompactEvent<'_, '_>) -> String {
    let mut key = String::from(kind);
    key.push_str(event.id.as_deref().unwrap_or_default());
    key
}

impl<'d, 'a> CompactEvent<'d, 'a> {
    fn of(document: &'d Document<'a>) -> Self {
        let mut event = CompactEvent {
            name: Cow::Borrowed(""),
            id: None,
            lane: None,
            payload: None,
            rest: String::new(),
            is_plain: true,
        };
        for (name, value) in document.root().members() {
            let name = name.to_str();
            let text = value.string().ok().map(Str::to_str);
            match (&*name, text) {
                ("type", Some(text)) => event.name = text,
                ("messageId" | "toolCallId", Some(text)) => event.id = Some(text),
                ("subagentRunId", Some(text)) => event.lane = Some(text),
                ("delta" | "snapshot", _) => {
                    event.is_plain &= event.payload.replace(value).is_none();
                    continue;
                }
                ("timestamp", None) => continue,
                ("role" | "name" | "toolCallName" | "parentMessageId", Some(_)) => {}
                _ => event.is_plain = false,
            }
            event.rest.push_str(&name);
            event.rest.push_str(value.raw().as_str());
        }
        event
    }

    /// Returns the text and its range in the event.
    fn text(&self) -> Option<(Str<'a>, Range<usize>)> {
        let value = self.payload?;
        let text = value.string().ok()?;
        let start = value.offset() + 1;
        Some((text, start..start + text.raw().len()))
    }
}
