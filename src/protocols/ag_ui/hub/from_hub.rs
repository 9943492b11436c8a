//! Conversion from the hub to AG-UI.
//!
//! Messages begin with their first piece, because a message of the hub may contain parts that are not messages in
//! AG-UI: media and data become activities, and questions are written at the end of the run.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use super::held::{Item, Run, object};
use super::listed::{Listed, Repeated};
use super::writer::{Use, Writer, event, text};
use crate::bytes::string_map::{Numbers, StringMap, pair};
use crate::hub::told::Metadata;
use crate::hub::{
    CallIds, FromHub, Input, LossChecker, MediaBuffer, MessageEnd, MessageKind, Out, Role, Step, Told,
    ToolKind, UnsupportedSteps, WriteOptions, given, message_id,
};
use crate::json::{Member, Value};
use crate::protocols::ag_ui::builder::WireEvent;
use crate::protocols::ag_ui::events::Event;

/// The steps that AG-UI cannot represent.
const UNSUPPORTED: UnsupportedSteps = &[
    ("approval", "in AG-UI an answer is a member of a request"),
    ("part-dropped", ONLY_GROWS),
    ("status", "AG-UI's runs do not wait before they start"),
];

pub(super) const ONLY_GROWS: &str = "what AG-UI has said only grows";

/// Writes AG-UI: the target of a conversion. Heartbeats are not events of the protocol: they are left out here, and a
/// [`Converter`](crate::convert::Converter) writes them as comments.
#[derive(Debug)]
pub struct ToAgUi {
    pub(super) write: Writer,
    pub(super) losses: LossChecker,
    /// The messages that have not ended.
    pub(super) items: Numbers<Item>,
    /// The numbers of these messages, by the ids of texts.
    pub(super) texts: StringMap<u32>,
    pub(super) told: Told,
    /// The ids of all messages that have been written, by their numbers.
    pub(super) ids: Numbers<String>,
    /// The ids of the texts and calls that have not ended, and of parts with a preview, by message and part.
    pub(super) parts: Numbers<String>,
    pub(super) previews: Numbers<String>,
    media: MediaBuffer,
    pub(super) call_ids: CallIds,
    /// The lanes and the metadata of the calls that have not ended.
    pub(super) calls: StringMap<Option<(Option<String>, Metadata)>>,
    /// The calls that the last list of messages had before they came, as long as they equal the list.
    pub(super) repeated: Numbers<Repeated>,
    /// The spans of reasoning that are open, in order, by lane.
    pub(super) spans: StringMap<Vec<String>>,
    pub(super) run: Run,
    pub(super) listed: Listed,
    /// The messages that were cut off, perhaps by the end of the run.
    pub(super) cut_off: Vec<(u32, MessageEnd)>,
}

impl ToAgUi {
    /// Creates a target at the start of a stream. Ids that the options do not have are taken from the source, if it has
    /// them.
    pub fn new(options: WriteOptions) -> Self {
        ToAgUi {
            write: Writer::new(options),
            losses: LossChecker::default(),
            items: Numbers::default(),
            texts: StringMap::default(),
            told: Told::default(),
            ids: Numbers::default(),
            parts: Numbers::default(),
            previews: Numbers::default(),
            media: MediaBuffer::default(),
            call_ids: CallIds::default(),
            calls: StringMap::default(),
            repeated: Numbers::default(),
            spans: StringMap::default(),
            run: Run::default(),
            listed: Listed::default(),
            cut_off: Vec::new(),
        }
    }

    fn open(&mut self, step: &Step<'_>, out: &mut Out<'_, WireEvent>) {
        let Step::Open { message, kind, role, id, name, parent, alternative } = *step else { return };
        let lane = message_id(out.context().lane, out);
        let role = match (kind, role) {
            (MessageKind::Reasoning, _) => role,
            (_, Role::Assistant | Role::User | Role::System | Role::Other("developer")) => role,
            _ if kind.is_tool() => role,
            _ => {
                out.lose("role", role.as_str(), "AG-UI has no text of it: it became the assistant's");
                Role::Assistant
            }
        };
        if let (MessageKind::Call(tool), true) = (kind, kind != MessageKind::Call(ToolKind::Function)) {
            self.told.tell(message, "kind", MessageKind::Call(tool).as_str().into());
        }
        if alternative > 0 {
            self.told.tell(message, "alternative", i64::from(alternative).into());
        }
        self.told.merge(message, out.context().metadata);
        let owned = |text: Option<&str>| text.map(ToOwned::to_owned);
        let id = owned(message_id(id, out));
        let is_new = id.as_deref().is_some_and(|id| !self.write.has(id));
        let listed = id.as_deref().filter(|_| is_new).and_then(|id| self.listed.text(id));
        let item = Item {
            listed: listed.map(|text| (text.to_owned(), 0)),
            id,
            is_reasoning: kind == MessageKind::Reasoning,
            is_tool: kind.is_tool(),
            role: role.as_str().to_owned(),
            name: owned(name),
            parent: owned(message_id(parent, out)),
            lane: owned(lane),
            has_said: false,
            ended: None,
            is_span: false,
        };
        if let (false, Some(id)) = (item.is_tool, &item.id) {
            self.texts.insert(id, message);
        }
        self.items.insert(message.into(), item);
    }

    fn call(&mut self, step: &Step<'_>, out: &mut Out<'_, WireEvent>) {
        let Step::Call { message, part, id, name, input, more } = *step else { return };
        let id = self.call_ids.of(id, out).to_owned();
        if self.calls.get(&id).is_none() && self.listed.arguments(&id).is_some() {
            // Clients have the call from the last list of messages. Writing it would duplicate it.
            self.items.get_mut(message.into()).into_iter().for_each(|item| item.has_said = true);
            let call = Repeated {
                at: (message, part),
                id,
                name: name.to_owned(),
                input,
                more: more.to_vec(),
                said: 0,
            };
            self.repeated.insert(pair(message, part), call);
            return;
        }
        self.begin_call((message, part), id, name, input, more, out);
    }

    pub(super) fn begin_call(
        &mut self,
        (message, part): (u32, u32),
        id: String,
        name: &str,
        input: Input,
        more: &[Member],
        out: &mut Out<'_, WireEvent>,
    ) {
        self.begin_parent(message, out);
        let Some(item) = self.items.get_mut(message.into()) else { return };
        item.has_said = true;
        if input == Input::Text {
            self.told.tell(message, "input", "text".into());
        }
        self.told.merge(message, more);
        let metadata = object(self.told.take(message));
        let (lane, parent) = (item.lane.as_deref(), item.parent.as_deref());
        let start = |parent, metadata| {
            event!(ToolCallStart in lane, metadata; {
                tool_call_id: text(&id), tool_call_name: text(name), parent_message_id: parent,
            })
        };
        let begun = match self.write.try_send(&start(parent.map(text), metadata.clone()), out) {
            // A message of another lane, or of the user, cannot have calls.
            Err(_) if parent.is_some() => {
                out.lose("message-members", &id, "AG-UI's message of that id cannot have this call");
                self.write.send(&id, &start(None, metadata), out)
            }
            Err(refused) => {
                out.lose("refused", &id, super::writer::why(&refused));
                false
            }
            Ok(()) => true,
        };
        if begun {
            if parent.is_none() {
                self.write.owns(&id, Use::Call);
            }
            self.calls.insert(&id, Some((item.lane.clone(), Metadata::default())));
            self.parts.insert(pair(message, part), id);
        }
    }

    pub(super) fn result(
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
            self.told.merge(message, more);
            metadata = self.told.take(message);
            let item = self.items.get_mut(message.into());
            if let Some(item) = item {
                (id, lane) = (Some(item.take_id(Use::Result, &mut self.write, out)), item.lane.clone());
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
        if let Some(parts) = parts {
            if self.write.try_send(&result(parts.clone(), metadata.clone()), out).is_ok() {
                return;
            }
            out.lose("result-parts", &call, "they are no parts of AG-UI: the result is its text");
        }
        self.write.send(&call, &result(output.into(), metadata), out);
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
            Step::Refusal { message, part, piece } => self.piece(message, part, piece, Some("refusal"), out),
            Step::Reasoning { message, part, piece, summary } => {
                self.piece(message, part, piece, summary.then_some("summary"), out);
            }
            Step::Arguments { message, part, piece } => self.arguments(pair(message, part), piece, out),
            Step::Start { id, session_id, parent_id, model, created_at } => {
                let more =
                    given([("model", model.map(Value::from)), ("createdAt", created_at.map(Value::from))]);
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
                // The context has the metadata of the question. Discards the copy for a message that was made only for
                // the question.
                self.told.take(message);
                self.run.ask(step, out.context());
            }
            // The client does not have to answer a question that was answered in the run.
            Step::Answer { id, .. } => self.run.forget(id),
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
                if self.items.get(message.into()).is_some_and(|item| item.is_tool) {
                    if whole {
                        self.end_call(at, out);
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
