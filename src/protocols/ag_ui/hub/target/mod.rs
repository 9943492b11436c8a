//! Conversion from the hub to AG-UI.
//!
//! Messages begin with their first piece, because a message of the hub may contain parts that are
//! not messages in AG-UI: media and data become activities, and questions are written at the end of
//! the run.

mod message;
mod notes;
mod opaque;
mod run;
mod writer;

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use self::notes::{CallStart, ListedTexts};
use self::opaque::Values;
use self::writer::{IdUse, TAKEN, Writer, text};
use super::PAYLOAD;
use crate::bytes::string_map::{Numbers, StringMap, pair};
use crate::hub::approval::OpenQuestions;
use crate::hub::metadata::Metadata;
use crate::hub::{
    CallIds, Context, FromHub, Input, LossChecker, MediaBuffer, MessageEnd, MessageKind, Out,
    PendingMetadata, Role, Step, ToolKind, UnsupportedSteps, WriteOptions, given, message_id,
};
use crate::json::{Member, Value};
use crate::protocols::ag_ui::builder::WireEvent;
use crate::protocols::ag_ui::events::{Event, event};

/// The steps that AG-UI cannot represent.
const UNSUPPORTED: UnsupportedSteps = &[
    ("approval", "in AG-UI an answer is a member of a request"),
    ("part-dropped", ONLY_GROWS),
    ("status", "AG-UI's runs do not wait before they start"),
];

const ONLY_GROWS: &str = "texts of AG-UI can only be appended to";

/// Writes AG-UI: the target of a conversion. Heartbeats are not events of the protocol: they are
/// left out here, and a
/// [`Converter`](crate::convert::Converter) writes them as comments.
#[derive(Debug)]
pub struct ToAgUi {
    write: Writer,
    losses: LossChecker,
    /// The messages that have not ended.
    items: Numbers<Item>,
    /// The numbers of these messages, by the ids of texts.
    texts: StringMap<u32>,
    /// The ids of texts whose own id another message had got, by their own ids.
    renamed: StringMap<String>,
    pending: PendingMetadata,
    /// The ids of all messages that have been written, by their numbers.
    ids: Numbers<String>,
    /// The ids of the texts and calls that have not ended, and of parts with a preview, by message
    /// and part.
    parts: Numbers<String>,
    previews: Numbers<String>,
    media: MediaBuffer,
    call_ids: CallIds,
    /// The lanes and the metadata of the calls that have not ended.
    calls: StringMap<Option<(Option<String>, Metadata)>>,
    /// The calls that the last list of messages had before they came, as long as they equal the
    /// list.
    repeated: Numbers<CallStart>,
    /// The spans of reasoning that are open, by lane.
    spans: StringMap<OpenSpans>,
    run: Run,
    listed: ListedTexts,
    /// The messages that were cut off, perhaps by the end of the run.
    cut_off: Vec<(u32, MessageEnd)>,
    /// The opaque members that wait.
    values: Values,
    /// The message of the current turn that the next call belongs to, and its lane.
    turn: Option<(String, Option<String>)>,
    /// Whether a list of messages was written.
    has_list: bool,
}

/// The spans of reasoning that are open in a lane, in order.
#[derive(Debug, Default)]
struct OpenSpans {
    /// The ids, without those at the end that have ended; `None` for any other that has.
    ids: Vec<Option<String>>,
    places: StringMap<Vec<usize>>,
}

impl OpenSpans {
    fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    fn push(&mut self, id: String) {
        self.places.get_or_insert_default(&id).push(self.ids.len());
        self.ids.push(Some(id));
    }

    /// Removes and returns the last span with an id, or the last one of all if none has it.
    fn take(&mut self, id: Option<&str>) -> Option<String> {
        let named = id.filter(|id| self.places.get(id).is_some_and(|places| !places.is_empty()));
        let id = named.map(ToOwned::to_owned).or_else(|| self.ids.last()?.clone())?;
        let at = self.places.get_mut(&id)?.pop()?;
        let span = self.ids.get_mut(at)?.take();
        while let Some(None) = self.ids.last() {
            self.ids.pop();
        }
        span
    }
}

impl ToAgUi {
    /// Creates a target at the start of a stream. Ids that the options do not have are taken from
    /// the source, if it has them.
    pub fn new(options: WriteOptions) -> Self {
        ToAgUi {
            write: Writer::new(options),
            losses: LossChecker::default(),
            items: Numbers::default(),
            texts: StringMap::default(),
            renamed: StringMap::default(),
            pending: PendingMetadata::default(),
            ids: Numbers::default(),
            parts: Numbers::default(),
            previews: Numbers::default(),
            media: MediaBuffer::default(),
            call_ids: CallIds::default(),
            calls: StringMap::default(),
            repeated: Numbers::default(),
            spans: StringMap::default(),
            run: Run::default(),
            listed: ListedTexts::default(),
            cut_off: Vec::new(),
            values: Values::default(),
            turn: None,
            has_list: false,
        }
    }

    fn open(&mut self, step: &Step<'_>, out: &mut Out<'_, WireEvent>) {
        let Step::Open { message, kind, role, id, name, parent, alternative } = *step else {
            return;
        };
        let lane = message_id(out.context().lane, out);
        let role = match (kind, role) {
            (MessageKind::Reasoning, _) => role,
            (_, Role::Assistant | Role::User | Role::System | Role::Other("developer")) => role,
            _ if kind.is_tool() => role,
            _ => {
                out.lose(
                    "role",
                    role.as_str(),
                    "AG-UI has no text of it: it became the assistant's",
                );
                Role::Assistant
            }
        };
        if let (MessageKind::Call(tool), true) =
            (kind, kind != MessageKind::Call(ToolKind::Function))
        {
            self.pending.set(message, "kind", MessageKind::Call(tool).as_str().into());
        }
        if alternative > 0 {
            self.pending.set(message, "alternative", i64::from(alternative).into());
        }
        self.pending.merge(message, out.context().metadata);
        let owned = |text: Option<&str>| text.map(ToOwned::to_owned);
        let id = owned(message_id(id, out));
        let is_new = id.as_deref().is_some_and(|id| !self.write.has(id));
        let listed = id.as_deref().filter(|_| is_new).and_then(|id| self.listed.text(id));
        let item = Item {
            listed: listed.map(|text| (text.to_owned(), 0)),
            id,
            role: role.as_str().to_owned(),
            name: owned(name),
            parent: owned(message_id(parent, out)),
            lane: owned(lane),
            has_written: false,
            ended: None,
            is_span: false,
        };
        if let (false, Some(id)) = (kind.is_tool(), &item.id) {
            self.texts.insert(id, message);
        }
        self.items.insert(message.into(), item);
    }

    fn call(&mut self, step: &Step<'_>, out: &mut Out<'_, WireEvent>) {
        let Step::Call { message, part, id, name, input, more } = *step else { return };
        let id = self.call_ids.of(id, out).to_owned();
        let is_listed = self.calls.get(&id).is_none() && self.listed.arguments(&id).is_some();
        let (at, name, more) = ((message, part), name.to_owned(), more.to_vec());
        let call = CallStart { at, id, name, input, more, repeated: 0 };
        if is_listed {
            // Clients have the call from the last list of messages. Writing it would duplicate it.
            self.items.get_mut(message.into()).into_iter().for_each(|item| item.has_written = true);
            self.repeated.insert(pair(message, part), call);
        } else {
            self.begin_call(call, out);
        }
    }

    fn begin_call(&mut self, call: CallStart, out: &mut Out<'_, WireEvent>) {
        let CallStart { at: (message, part), id, name, input, more, .. } = call;
        self.begin_parent(message, out);
        let Some(item) = self.items.get_mut(message.into()) else { return };
        item.has_written = true;
        if input == Input::Text {
            self.pending.set(message, "input", "text".into());
        }
        self.pending.merge(message, &more);
        let metadata = object(self.pending.take(message));
        let (lane, parent) = (item.lane.clone(), item.parent.as_deref());
        let lane = lane.as_deref();
        let renamed = parent.and_then(|parent| self.renamed.get(parent));
        // Calls of one turn are in one message: a model takes them back only together.
        let of_turn =
            self.turn.as_ref().filter(|(_, of)| of.as_deref() == lane).map(|(id, _)| id.clone());
        // A call with the id of a message is in a message of its own; a list of messages can have
        // another one of an id.
        let of_turn =
            of_turn.filter(|turn| !self.has_list && *turn != id && self.write.is_message(turn));
        let parent = renamed.map(String::as_str).or(parent);
        let is_given = parent.is_some();
        let parent = parent.map(ToOwned::to_owned).or(of_turn);
        let start = |parent, metadata| {
            event!(ToolCallStart in lane, metadata; {
                tool_call_id: text(&id), tool_call_name: text(&name), parent_message_id: parent,
            })
        };
        let mut begun = None;
        if let Some(parent) = &parent {
            let can_be = self.write.can_be_parent(parent);
            let begins =
                can_be && self.write.try_send(&start(Some(text(parent)), metadata.clone()), out);
            begun = begins.then(|| parent.clone());
            if !begins && is_given {
                // A message of another lane or kind, or of the user, cannot have calls.
                out.lose(
                    "message-members",
                    &id,
                    "AG-UI's message of that id cannot have this call",
                );
            }
        }
        if begun.is_some() || self.write.send(&id, &start(None, metadata), out) {
            // Clients name the message of a call without one after the call.
            let of_turn = begun.or_else(|| self.write.owns(&id, IdUse::Call).then(|| id.clone()));
            let lane = lane.map(ToOwned::to_owned);
            self.turn = of_turn.map(|turn| (turn, lane.clone()));
            self.calls.insert(&id, Some((lane.clone(), Metadata::default())));
            self.call_begun(&id, lane.as_deref(), out);
            self.parts.insert(pair(message, part), id);
        }
    }

    fn result(
        &mut self,
        message: Option<u32>,
        (call, output, parts): (&str, &str, Option<&Value>),
        more: &[Member],
        out: &mut Out<'_, WireEvent>,
    ) {
        let call = self.call_ids.of(call, out).to_owned();
        let (mut id, mut lane, mut metadata) = (None, None, Vec::new());
        let known = message.and_then(|message| self.items.get(message.into())?.listed.as_ref());
        if known.is_some_and(|(text, _)| text == output) {
            return;
        }
        if let Some(message) = message {
            self.pending.merge(message, more);
            metadata = self.pending.take(message);
            let item = self.items.get_mut(message.into());
            if let Some(item) = item {
                (id, lane) =
                    (Some(item.take_id(IdUse::Result, &mut self.write, out)), item.lane.clone());
            }
        } else {
            metadata.extend_from_slice(more);
        }
        let id = id.unwrap_or_else(|| self.write.new_id("msg_"));
        let (metadata, lane) = (object(metadata), lane.as_deref());
        let result = |content: Value, metadata| {
            event!(ToolCallResult in lane, metadata; {
                message_id: text(&id), tool_call_id: Some(text(&call)), content: Some(content), role: Some(text("tool")),
            })
        };
        // What follows is another turn.
        self.turn = None;
        let mut is_written = false;
        if let Some(parts) = parts {
            is_written = self.write.try_send(&result(parts.clone(), metadata.clone()), out);
            if !is_written {
                out.lose("result-parts", &call, "results of AG-UI have no parts: the text stays");
            }
        }
        if !is_written {
            self.write.send(&call, &result(output.into(), metadata), out);
        }
        self.result_written(&call, (&id, lane), out);
    }
}

impl FromHub for ToAgUi {
    type Event = WireEvent;

    fn feed(&mut self, step: &Step<'_>, out: &mut Out<'_, WireEvent>) {
        if !self.cut_off.is_empty() {
            self.close_cut_off(step, out);
        }
        self.losses.check(UNSUPPORTED, step, out);
        match *step {
            Step::Text { message, part, piece } => self.piece(message, part, piece, None, out),
            Step::Refusal { message, part, piece } => {
                self.piece(message, part, piece, Some("refusal"), out)
            }
            Step::Reasoning { message, part, piece, summary } => {
                self.piece(message, part, piece, summary.then_some("summary"), out);
            }
            Step::Arguments { message, part, piece } => {
                self.arguments(pair(message, part), piece, out)
            }
            Step::Start { id, session_id, parent_id, model, created_at } => {
                let more = given([
                    ("model", model.map(Value::from)),
                    ("createdAt", created_at.map(Value::from)),
                ]);
                self.start([id, session_id, parent_id], more, out);
            }
            Step::Open { .. } => self.open(step, out),
            Step::Call { .. } => self.call(step, out),
            Step::Result { id, output, preview: true, .. } => {
                let value = Value::from([("id", id.into()), ("output", output.into())]);
                self.custom("result", &value, out);
            }
            Step::Result { message, id, output, content, more, .. } => {
                self.result(Some(message), (id, output, content), more, out);
            }
            Step::Interrupt { message, .. } => {
                // The context has the metadata of the question. Discards the copy for a message
                // that was made only for the question.
                self.pending.take(message);
                self.run.ask(step, out.context());
            }
            // The client does not have to answer a question that was answered in the run.
            Step::Answer { id, .. } => _ = self.run.interrupts.take(id),
            Step::Whole { message, part, payload, preview } => {
                self.whole(message, part, payload, preview, out)
            }
            Step::Media { message, part, kind, piece, media_type } => {
                self.media.add(pair(message, part), kind, piece, media_type);
            }
            Step::EndPart { message, part, whole } => {
                let at = pair(message, part);
                if self.repeated.remove(at).is_some() {
                    return;
                }
                if let Some(media) = self.media.take(at) {
                    return self.whole(message, part, media.payload(), false, out);
                }
                if out.kind(message).is_tool() {
                    if whole {
                        self.end_call(at, false, out);
                    }
                    return;
                }
                // The part ends with its message, which may add metadata, or before the next part.
                self.end_part(message, None, out);
                if let Some(item) = self.items.get_mut(message.into()) {
                    item.ended = Some(part);
                }
            }
            Step::Close { message, end } => self.close(message, end, out),
            Step::Note(ref note) => self.note(note, out),
            Step::Heartbeat => {}
            Step::End(end) => self.end(end, out),
        }
    }

    fn can_reopen(&self) -> bool {
        true
    }

    fn has_lists(&self) -> bool {
        true
    }
}

/// A message of the hub that has not ended.
#[derive(Debug)]
struct Item {
    /// The message's id, until an event of AG-UI uses it.
    pub id: Option<String>,
    pub role: String,
    pub name: Option<String>,
    pub parent: Option<String>,
    pub lane: Option<String>,
    /// Whether an event of the message has been written.
    pub has_written: bool,
    /// The text of the message in the last list of messages, if the list contained it first, and
    /// the number of its bytes that have come again.
    pub listed: Option<(String, usize)>,
    /// The part that has ended, but whose end is not written yet.
    pub ended: Option<u32>,
    /// Whether the message is a span of reasoning of its own, because none was open when it began.
    pub is_span: bool,
}

impl Item {
    /// Returns the id for an event: the message's own id, which only one event can have, or a new
    /// one.
    pub fn take_id(
        &mut self,
        r#use: IdUse,
        write: &mut Writer,
        out: &mut Out<'_, WireEvent>,
    ) -> String {
        self.has_written = true;
        if let Some(id) = self.id.take() {
            if write.owns(&id, r#use) {
                return id;
            }
            out.lose("message-id", &id, TAKEN);
        }
        write.new_id("msg_")
    }
}

/// The data of a run that are written at its end.
#[derive(Debug, Default)]
struct Run {
    pub thread_id: String,
    /// Empty before the start of the run and after its end.
    pub run_id: String,
    pub usage: Option<Value>,
    pub metadata: Metadata,
    /// The questions that do not have an answer.
    pub interrupts: OpenQuestions<Value>,
}

impl Run {
    /// Adds a question.
    pub fn ask(&mut self, step: &Step<'_>, context: Context<'_>) {
        let Step::Interrupt {
            id, reason, payload, call, text, expires_at, response_schema, ..
        } = *step
        else {
            return;
        };
        let mut metadata = Metadata::of(context.metadata);
        if !payload.is_null() {
            metadata.set(PAYLOAD, payload.clone());
        }
        let schema = response_schema.filter(|schema| matches!(schema, Value::Object(_)));
        let interrupt = Value::Object(given([
            ("id", Some(id.into())),
            ("reason", Some(reason.unwrap_or("interrupt").into())),
            ("message", text.map(Value::from)),
            ("toolCallId", call.map(Value::from)),
            ("expiresAt", expires_at.map(Value::from)),
            ("subagentRunId", context.lane.map(Value::from)),
            ("responseSchema", schema.cloned()),
            ("metadata", metadata.object()),
        ]));
        self.interrupts.push(id, interrupt);
    }
}

/// Returns metadata as an object, or `None` if they are empty.
fn object(members: Vec<Member>) -> Option<Value> {
    (!members.is_empty()).then_some(Value::Object(members))
}
