//! The fold: what the events of a stream change in the answer. Reading continues where the official
//! client throws; the input that it refuses is a violation.

mod items;
mod object_state;
mod parts;
mod response;
mod tools;

use alloc::{boxed::Box, string::String, vec::Vec};

use self::items::FoldedItem;
use self::object_state::ObjectState;
use self::parts::{PartList, kind_of};
use self::response::MOST_SUCCESSORS;
use super::events::{EVENTS, EventKind};
use super::model::Snapshot;
use super::{ItemType, MODEL, PartType, Status, rules};
use crate::bytes::string_map::{Numbers, StringMap};
use crate::core::declare::events::form::{Form, Message, Nullable};
use crate::core::failure::ErrorMessage;
use crate::core::{EndReason, EventReading, Observed, Opening, ReadOptions, Rule, detect};
use crate::engine::{
    AnswerLayout, CommonRules, Context, Declared, DigestKey, EventTable, FieldValue, Fold,
    ObjectId, Translated, protocol,
};
use crate::json::{Element, ObjectWriter, Str, put};
use crate::sse;

protocol! {
    /// The OpenAI Responses protocol.
    Responses "OpenAI Responses": ResponsesFold => Snapshot {}
    begins |_, options| ResponsesFold::new(options);
    impl {
        const LAYOUT: AnswerLayout = AnswerLayout::calls_among("output", "function_call");
    }
}

/// The object of the answer.
const ROOT: ObjectId = 0;

/// The progress of the stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// The response has not begun.
    #[default]
    Before,
    /// The response is in progress.
    Open,
    /// The response was stopped by input that steers it. Another one may follow. (O23)
    Steered,
    /// The response has ended.
    Ended,
    /// An error was received.
    Failed,
}

/// The fold of the events of OpenAI Responses.
#[derive(Clone, Debug)]
pub struct ResponsesFold {
    keys: DigestKey,
    phase: Phase,
    /// `[DONE]` was received.
    over: bool,
    /// An event without a number was reported.
    unnumbered: bool,
    /// The name of the current SSE event is `error`.
    is_error: bool,
    root: ObjectState,
    id: Option<Box<str>>,
    /// A whole response was received.
    has_snapshot: bool,
    items: Vec<FoldedItem>,
    /// The items of the output, in order.
    order: Vec<usize>,
    /// The number of items, at its beginning, that are those of steered responses.
    earlier: usize,
    /// The number of responses after the first. (O23)
    successors: u32,
    /// The items by their `output_index`, id, and type and call.
    wires: Numbers<usize>,
    ids: StringMap<usize>,
    calls: StringMap<usize>,
    /// The number of lists of items that were received.
    lists: u64,
}

impl Declared for ResponsesFold {
    const EVENTS: &'static EventTable = &EVENTS;
    const RULES: CommonRules = rules::COMMON;
    const NAMES_EVENTS: bool = true;

    /// The types of the events begin with `response.`. A keepalive event may come first, or an
    /// error with a message.
    fn opens(opening: &Opening<'_, '_>) -> bool {
        opening.word("type").is_some_and(|name| {
            let is_error = name == "error" && opening.has("message");
            is_error || name == "keepalive" || name.to_str().starts_with("response.")
        }) || is_response(|name| opening.member(name))
    }

    /// An event with a member `error` is one of any type. (O14)
    fn is_own(reading: &EventReading<'_, '_>) -> bool {
        let json = reading.json;
        if EventKind::of(reading) == Some(EventKind::SteerFailed) {
            return true;
        }
        let is_error = reading.name.is_some_and(|name| name == "error");
        let has_message = || json.member("message").is_some_and(|message| message.string().is_ok());
        match json.member("error").filter(|error| is_truthy(*error)) {
            Some(_) => ErrorMessage::is_in_form(json, &ErrorMessage::TEXTS),
            None => reading.row.is_some() && (!is_error || has_message()),
        }
    }

    /// The response is that of its last event.
    fn whole_answer(json: Element<'_, '_>) -> Option<Vec<Translated>> {
        if !is_response(|name| json.member(name)) {
            return None;
        }
        let status = json.member("status").map(Element::words).unwrap_or_default();
        let last = match &*status {
            "failed" | "incomplete" | "queued" | "in_progress" => &*status,
            "cancelled" => "incomplete",
            _ => "completed",
        };
        let mut first = String::new();
        let mut object = ObjectWriter::open(&mut first, false);
        for (name, value) in json.members() {
            let out = object.member(&name.to_str());
            match &*name.to_str() {
                "output" => put(out, "[]"),
                "status" => put(out, "\"in_progress\""),
                _ => put(out, value.raw().as_str()),
            }
        }
        object.close();
        let event = |number, name, response: &str| {
            let start = ["{\"type\":\"response.", name, "\",\"sequence_number\":", number].concat();
            Translated::new([&start, ",\"response\":", response, "}"].concat())
        };
        Some([event("0", "created", &first), event("1", last, json.raw().as_str())].into())
    }

    fn json_text(event: &str, member: &str) -> Option<&'static Rule> {
        (member == "arguments"
            || member == "input"
            || (member == "delta" && event.contains("_call_")))
        .then_some(&rules::TOOL_ARGUMENTS)
    }

    fn error_event(failure: &ErrorMessage) -> Translated {
        let (code, message) = (failure.code.as_deref(), Some(&*failure.message));
        Translated::new(ErrorMessage::event_of(&[
            ("type", Some("error")),
            ("sequence_number", Some("0")),
            ("code", code),
            ("message", message),
        ]))
    }
}

impl Fold for ResponsesFold {
    fn before(&mut self, event: &sse::SseEvent<'_>, cx: &mut Context<'_>) -> bool {
        if self.over {
            cx.record(&rules::AFTER_DONE, Observed::Text(event.data));
            return false;
        }
        self.is_error = event.name == "error";
        self.over = detect::is_done(event.data);
        !self.over
    }

    fn event(&mut self, event: &EventReading<'_, '_>, cx: &mut Context<'_>) {
        let unknown = || event.json.member("sequence_number").filter(|_| event.row.is_none());
        match event.get(0).or_else(unknown) {
            number @ Some(_) => cx.number(number),
            None if event.row.is_some() && !core::mem::replace(&mut self.unnumbered, true) => {
                cx.record(&rules::SEQUENCE_NUMBER, Observed::Words("no number"));
            }
            None => {}
        }
        let kind = EventKind::of(event);
        let is_steer = kind.is_some_and(is_steer);
        match self.phase {
            Phase::Failed => return cx.record(&rules::AFTER_ERROR, Observed::Words("an event")),
            _ if is_steer => return,
            Phase::Steered
                if kind == Some(EventKind::Created) && self.successors < MOST_SUCCESSORS =>
            {
                self.succeed();
            }
            Phase::Ended | Phase::Steered => {
                cx.record(&rules::AFTER_END, Observed::Words("an event"));
            }
            Phase::Before
                if !matches!(kind, None | Some(EventKind::Created | EventKind::Error)) =>
            {
                self.phase = Phase::Open;
                let name = event.name.map(Str::to_str).unwrap_or_default();
                cx.record(&rules::NOT_CREATED, Observed::Name(&name));
            }
            _ => {}
        }
        let error = event.row.is_none() || event.has_undeclared();
        let error = event.json.member("error").filter(|value| error && is_truthy(*value));
        match kind {
            Some(EventKind::Error) => {
                let text = ["code", "message", "param"]
                    .map(|name| <Nullable<Message>>::take(event.named(name)));
                self.error(event.named("error"), text, cx);
            }
            // An event with a member `error` is an error, even if it has another type. (O14)
            _ if error.is_some() || self.is_error && event.row.is_none() => {
                if event.name.is_none() {
                    cx.record(&rules::UNTYPED_ERROR, Observed::Text(event.json.raw().as_str()));
                }
                let text = |name| event.json.member(name).map(Element::words);
                self.error(error, [text("code"), text("message"), text("param")], cx);
            }
            None => {
                let name = event.name.map(Str::to_str).unwrap_or_default();
                cx.unknown(&name);
                cx.record(&rules::UNKNOWN_TYPE, Observed::Name(&name));
            }
            Some(kind) => {
                if self.phase == Phase::Before {
                    self.phase = Phase::Open;
                }
                self.dispatch(
                    kind,
                    event,
                    event.name.map(Str::to_str).unwrap_or_default().as_ref(),
                    cx,
                );
            }
        }
    }

    fn keeps_undeclared(&self, _: &EventReading<'_, '_>, name: &str) -> bool {
        // A padding, and an error, which the fold reads.
        matches!(name, "obfuscation" | "error")
    }

    fn finish(&mut self, aborted: bool, cx: &mut Context<'_>) {
        for item in &self.items {
            let parts = item.parts.iter().flatten().map(|part| &part.object);
            let cells = parts.chain([&item.object]).filter_map(|object| object.cell());
            cells.for_each(|cell| drop(cx.end_text(cell)));
        }
        if self.phase == Phase::Steered {
            return cx.end(EndReason::Terminal);
        }
        if !matches!(self.phase, Phase::Before | Phase::Open)
            || cx.report().end_reason != EndReason::Open
        {
            return;
        }
        for item in self.current().filter(|item| !item.done) {
            let id = cx.id(item.owner).into();
            cx.unfinished(id);
        }
        cx.end(if aborted { EndReason::Aborted } else { EndReason::Eof });
        if !aborted {
            let rule =
                if self.phase == Phase::Before { &rules::NO_RESPONSE } else { &rules::TRUNCATED };
            cx.record(rule, Observed::Words("the end of the stream"));
        }
    }

    fn has_ended(&self) -> bool {
        let has_end = matches!(self.phase, Phase::Ended | Phase::Steered);
        self.over && !has_end || self.phase == Phase::Failed
    }
}

impl ResponsesFold {
    fn new(options: &ReadOptions) -> Self {
        ResponsesFold {
            keys: DigestKey::new(options.seed),
            phase: Phase::Before,
            over: false,
            unnumbered: false,
            is_error: false,
            root: ObjectState::new(ROOT, Snapshot::KIND.0, None),
            id: None,
            has_snapshot: false,
            items: Vec::new(),
            order: Vec::new(),
            earlier: 0,
            successors: 0,
            wires: Numbers::default(),
            ids: StringMap::default(),
            calls: StringMap::default(),
            lists: 0,
        }
    }
}

/// Whether an event is about input that steers a response. It changes nothing in the answer.
fn is_steer(kind: EventKind) -> bool {
    matches!(kind, EventKind::SteerAccepted | EventKind::SteerPending | EventKind::SteerFailed)
}

/// Whether an object is a whole response: that of another protocol has no model.
fn is_response<'d, 'a: 'd>(member: impl Fn(&str) -> Option<Element<'d, 'a>>) -> bool {
    let has = |name: &str, value: &str| {
        member(name)
            .and_then(|member| member.string().ok())
            .is_some_and(|text| value.is_empty() || text == value)
    };
    has("object", "response")
        && has("model", "")
        && member("sequence_number").is_none()
        && member("output").is_some_and(|output| output.array().is_ok())
}

/// Returns whether the value is truthy in JavaScript.
fn is_truthy(value: Element<'_, '_>) -> bool {
    !matches!(value.raw().as_str(), "null" | "false" | "0" | "\"\"")
}

impl ResponsesFold {
    /// Applies an event. Members are read by their names, because events of many kinds change the
    /// same place of the answer.
    fn dispatch(
        &mut self,
        kind: EventKind,
        event: &EventReading<'_, '_>,
        name: &str,
        cx: &mut Context<'_>,
    ) {
        match kind {
            EventKind::Created | EventKind::InProgress => {
                self.snapshot(&Status::InProgress, event, cx)
            }
            EventKind::Queued => self.snapshot(&Status::Queued, event, cx),
            EventKind::Completed => self.snapshot(&Status::Completed, event, cx),
            EventKind::Failed => self.snapshot(&Status::Failed, event, cx),
            EventKind::Incomplete => self.snapshot(&Status::Incomplete, event, cx),
            EventKind::Cancelled => {
                cx.record(&rules::CANCELLED_EVENT, Observed::Name(name));
                self.snapshot(&Status::Cancelled, event, cx);
            }
            EventKind::OutputItemAdded | EventKind::OutputItemDone => {
                let Some(item) = object(event.named("item"), cx) else { return };
                let index = event.integer("output_index");
                match kind {
                    EventKind::OutputItemAdded => self.add_item(index, item, cx),
                    _ => self.done_item(index, item, cx),
                }
            }
            EventKind::ContentPartAdded | EventKind::ContentPartDone => {
                let Some(part) = object(event.named("part"), cx) else { return };
                let is_reasoning = kind_of(part) == PartType::ReasoningText;
                let of = if is_reasoning { ItemType::Reasoning } else { ItemType::Message };
                let Some(at) = self.item(event, &of, cx) else { return };
                let (list, index) = ((at, PartList::Content), part_index(event));
                match kind {
                    EventKind::ContentPartAdded => self.add_part(list, index, part, cx),
                    _ => self.done_part(list, index, part, cx),
                }
            }
            EventKind::ReasoningSummaryPartAdded | EventKind::ReasoningSummaryPartDone => {
                let Some(at) = self.item(event, &ItemType::Reasoning, cx) else { return };
                let Some(part) = object(event.named("part"), cx) else { return };
                let (list, index) = ((at, PartList::Summary), part_index(event));
                match kind {
                    EventKind::ReasoningSummaryPartAdded => self.add_part(list, index, part, cx),
                    _ => self.done_part(list, index, part, cx),
                }
            }
            EventKind::OutputTextAnnotationAdded => {
                if let Some(at) = self.item(event, &ItemType::Message, cx) {
                    self.annotate(at, event, cx);
                }
            }
            _ => match text_event(kind) {
                Some(of) => self.text(event, of, cx),
                None => self.tool_event(kind, event, name, cx),
            },
        }
    }

    /// Applies an event with the text of an item or of a part: its next piece, or all of it. (O8,
    /// O9)
    fn text(
        &mut self,
        event: &EventReading<'_, '_>,
        (item, part, member): TextOf,
        cx: &mut Context<'_>,
    ) {
        let Some(at) = self.item(event, &item, cx) else { return };
        let (is_piece, text) = (member == "delta", text(event, member));
        let apply = if is_piece { ObjectState::append } else { ObjectState::done };
        let Some(kind) = part else { return apply(&mut self.items[at].object, text, cx) };
        let list =
            if kind == PartType::SummaryText { PartList::Summary } else { PartList::Content };
        if let Some(part) = self.part((at, list), part_index(event), &kind, cx) {
            apply(&mut part.object, text, cx);
        }
        match (kind, is_piece) {
            (PartType::OutputText, true) => self.add_logprobs(at, event, cx),
            (PartType::OutputText, false) => self.set_logprobs(at, event, cx),
            _ => {}
        }
    }
}

/// The item and the part whose text an event has, and the member of the event: a piece in `delta`,
/// or all of the text.
type TextOf = (ItemType, Option<PartType>, &'static str);

/// Returns the text that an event has, or `None` if it has no text of an item or part.
fn text_event(kind: EventKind) -> Option<TextOf> {
    use ItemType::{
        CodeInterpreterCall, CustomToolCall, FunctionCall, McpCall, Message, Reasoning,
    };
    use PartType::{OutputText, ReasoningText, Refusal, SummaryText};
    Some(match kind {
        EventKind::OutputTextDelta => (Message, Some(OutputText), "delta"),
        EventKind::OutputTextDone => (Message, Some(OutputText), "text"),
        EventKind::RefusalDelta => (Message, Some(Refusal), "delta"),
        EventKind::RefusalDone => (Message, Some(Refusal), "refusal"),
        EventKind::ReasoningTextDelta => (Reasoning, Some(ReasoningText), "delta"),
        EventKind::ReasoningTextDone => (Reasoning, Some(ReasoningText), "text"),
        EventKind::ReasoningSummaryTextDelta => (Reasoning, Some(SummaryText), "delta"),
        EventKind::ReasoningSummaryTextDone => (Reasoning, Some(SummaryText), "text"),
        EventKind::FunctionCallArgumentsDelta => (FunctionCall, None, "delta"),
        EventKind::FunctionCallArgumentsDone => (FunctionCall, None, "arguments"),
        EventKind::CustomToolCallInputDelta => (CustomToolCall, None, "delta"),
        EventKind::CustomToolCallInputDone => (CustomToolCall, None, "input"),
        EventKind::McpCallArgumentsDelta => (McpCall, None, "delta"),
        EventKind::McpCallArgumentsDone => (McpCall, None, "arguments"),
        EventKind::CodeInterpreterCallCodeDelta => (CodeInterpreterCall, None, "delta"),
        EventKind::CodeInterpreterCallCodeDone => (CodeInterpreterCall, None, "code"),
        _ => return None,
    })
}

/// Returns the text of a member. Empty if the member is not a text.
fn text<'a>(event: &EventReading<'_, 'a>, member: &str) -> Str<'a> {
    event.text(member).unwrap_or(Str::new("", false))
}

/// Returns a text that is probably one of the protocol's words.
fn word(text: &str) -> FieldValue<'_> {
    MODEL.word(text).map_or(FieldValue::Str(text), FieldValue::Word)
}

/// Returns a value if it is an object. Otherwise reports a violation.
fn object<'d, 'a>(json: Option<Element<'d, 'a>>, cx: &mut Context<'_>) -> Option<Element<'d, 'a>> {
    let found = json.filter(|json| json.object().is_ok());
    if found.is_none() {
        cx.record(&rules::MALFORMED_EVENT, Observed::Words("no object where one belongs"));
    }
    found
}

/// Returns the index of an event's part in the item or its summary.
fn part_index(event: &EventReading<'_, '_>) -> Option<i64> {
    number(event, PART_INDEX)
}

fn number(event: &EventReading<'_, '_>, at: usize) -> Option<i64> {
    event.get(at)?.integer().ok()
}

/// The positions, in the rows of events, of the members that the groups share.
const ITEM_ID: usize = 1;
const OUTPUT_INDEX: usize = 2;
const PART_INDEX: usize = 3;

/// The names of an item.
struct ItemNames {
    pub kind: ItemType,
    pub id: Option<String>,
    pub call: Option<String>,
}

impl ItemNames {
    pub fn of(json: Element<'_, '_>) -> Self {
        let text = |name| Some(json.member(name)?.id().ok()?.to_str().into_owned());
        ItemNames {
            kind: ItemType::from(&*text("type").unwrap_or_default()),
            id: text("id").filter(|id| !id.is_empty()),
            call: text("call_id"),
        }
    }

    /// Returns whether the item is identified by its call instead of its id. (O5)
    pub fn is_call(&self) -> bool {
        use ItemType::*;
        matches!(self.kind, FunctionCall | CustomToolCall | ShellCall | ShellCallOutput)
    }

    pub fn id(&self) -> &str {
        self.id.as_deref().unwrap_or_default()
    }

    pub fn call_key(&self) -> Option<String> {
        let call = self.call.as_deref().filter(|_| self.is_call())?;
        Some([self.kind.as_str(), "\n", call].concat())
    }
}
