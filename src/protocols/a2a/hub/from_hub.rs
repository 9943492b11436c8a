//! From the hub to A2A.
//!
//! A message is an artifact, which begins with the first thing that it says. Calls, results and media are parts that come whole.
//! Questions are kept until the end of the run: the state that asks them closes the stream. (2.4.)

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::parts::{call_part, data_part, media_part, result_part};
use crate::bytes::string_map::{Numbers, StringMap, pair};
use crate::core::error::Misuse;
use crate::hub::WriteOptions;
use crate::hub::end::MessageEnd;
use crate::hub::ids::{CallIds, message_id};
use crate::hub::kind::{EndStatus, MessageKind};
use crate::hub::media::Gathering;
use crate::hub::room::{Lacks, Room};
use crate::hub::step::{Input, Step};
use crate::hub::steps::members;
use crate::hub::told::Told;
use crate::hub::transducer::{FromHub, Out};
use crate::json::{Member, Value};
use crate::protocols::a2a::builder::{ArtifactInfo, StreamBuilder, WireEvent};
use crate::protocols::a2a::model::TaskState;
use crate::protocols::a2a::request::{Part, Reply};

/// What A2A has no room for.
const LACKS: Lacks = &[
    ("after-end", "a task that has ended takes nothing any more"),
    ("messages", "in A2A the history of a task is the server's"),
];

/// Writes A2A: the target of a conversion. Heartbeats are not events of the protocol: they are left out here, and a
/// [`Converter`](crate::convert::Converter) writes them as comments.
#[derive(Debug)]
pub struct ToA2a {
    pub(super) options: WriteOptions,
    pub(super) builder: StreamBuilder,
    room: Room,
    /// The messages that have not ended.
    items: Numbers<Item>,
    told: Told,
    media: Gathering,
    pub(super) call_ids: CallIds,
    /// The messages of the calls that have begun.
    calls: StringMap<u32>,
    /// The calls whose arguments are coming, by message and part.
    arguments: Numbers<Call>,
    /// The questions that wait: id, text for people, and all that is said of it.
    pub(super) asked: Vec<(String, Option<String>, Value)>,
    /// Metadata of the task that its next status has.
    pub(super) metadata: Value,
    /// Ids that the task has from runs before.
    taken: StringMap<()>,
    /// The task works, which was said.
    pub(super) works: bool,
}

#[derive(Debug)]
struct Item {
    artifact: String,
    info: ArtifactInfo,
    /// The parts that the artifact has, each with its number.
    parts: Vec<(u32, Part)>,
    /// How many parts it has had.
    indexes: i64,
    /// The role is that of a tool message.
    is_tool: bool,
    begun: bool,
}

#[derive(Debug)]
struct Call {
    id: String,
    name: String,
    text: String,
    more: Vec<Member>,
}

impl Item {
    /// The part with that number, if it has come.
    fn part(&mut self, number: u32) -> Option<&mut Part> {
        self.parts.iter_mut().rev().find(|(known, _)| *known == number).map(|(_, part)| part)
    }

    /// The metadata of a new part: what readers tell two texts in a row apart by.
    fn next_index(&mut self) -> Value {
        self.indexes += 1;
        [("index", Value::from(self.indexes - 1))].into()
    }

    fn whole(&self) -> Vec<Part> {
        self.parts.iter().map(|(_, part)| part.clone()).collect()
    }
}

impl ToA2a {
    /// A target at the start of a stream. Of the options, `echo` is the [`Reply`] as an object, and with it the `task` that the
    /// stream goes on with (`history`, `artifacts`, `metadata`) and whether artifacts are sent once more when they are complete
    /// (`resend`). Ids that the options do not have are taken from the source, if it has them.
    pub fn new(options: WriteOptions) -> Self {
        ToA2a {
            options,
            builder: StreamBuilder::new("", "", Reply::default()),
            room: Room::new(LACKS),
            items: Numbers::default(),
            told: Told::default(),
            media: Gathering::default(),
            call_ids: CallIds::default(),
            calls: StringMap::default(),
            arguments: Numbers::default(),
            asked: Vec::new(),
            metadata: Value::Null,
            taken: StringMap::default(),
            works: false,
        }
    }

    fn start(&mut self, step: &Step<'_>, out: &mut Out<'_, WireEvent>) {
        let Step::Start { id, session_id, parent_id, model, created_at } = *step else { return };
        let mut known =
            |given: Option<String>, said: Option<&str>, prefix: &str, out: &mut Out<'_, WireEvent>| {
                let said = given.or_else(|| message_id(said, out).map(ToOwned::to_owned));
                said.unwrap_or_else(|| self.options.ids.next_id(prefix))
            };
        let given = (self.options.run_id.take(), self.options.session_id.take());
        let task = known(given.0, id, "task_", out);
        let context = known(given.1, session_id, "context_", out);
        let echo = core::mem::take(&mut self.options.echo);
        let resend = echo.get("resend").and_then(Value::as_bool).unwrap_or(true);
        self.builder = StreamBuilder::new(task, context, Reply::of_value(&echo)).resend(resend);
        let mut task = echo.get("task").cloned().unwrap_or_default();
        if let Some(Value::Array(artifacts)) = task.get("artifacts") {
            let ids =
                artifacts.iter().filter_map(|artifact| artifact.get("artifactId").and_then(Value::as_str));
            ids.for_each(|id| self.taken.insert(id, ()));
        }
        let mut metadata = task.get("metadata").cloned().unwrap_or_default();
        for (key, text) in [("model", model), ("parentId", parent_id)] {
            text.into_iter().for_each(|text| metadata.insert(key, text.into()));
        }
        created_at.into_iter().for_each(|at| metadata.insert("createdAt", at.into()));
        task.insert("metadata", metadata);
        send(self.builder.task(Some(&task)), "", out);
    }

    fn open(&mut self, step: &Step<'_>, out: &mut Out<'_, WireEvent>) {
        let Step::Open { message, kind, role, id, name, .. } = *step else { return };
        if !core::mem::replace(&mut self.works, true) {
            self.status(TaskState::Working, Vec::new(), out);
        }
        self.told.open(step, out.context());
        self.told.tell(message, "type", kind.as_str().into());
        if role != kind.default_role() {
            self.told.tell(message, "role", role.as_str().into());
        }
        let artifact = self.artifact_id(id, out);
        let info =
            ArtifactInfo { name: Some(name.unwrap_or(kind.as_str()).to_owned()), metadata: Vec::new() };
        let is_tool = kind.is_tool();
        self.items.insert(
            message.into(),
            Item { artifact, info, parts: Vec::new(), indexes: 0, is_tool, begun: false },
        );
    }

    /// The id of an artifact that no other has: sources, and what makes ids, may repeat theirs.
    fn artifact_id(&mut self, id: Option<&str>, out: &mut Out<'_, WireEvent>) -> String {
        let id = message_id(id, out);
        if let Some(id) = id.filter(|id| self.taken.get(id).is_none()) {
            self.taken.insert(id, ());
            return id.to_owned();
        }
        if let Some(id) = id {
            out.lose("message-id", id, "another artifact had got it: this one got another");
        }
        loop {
            let id = self.options.ids.next_id("msg_");
            if self.taken.get(&id).is_none() {
                self.taken.insert(&id, ());
                return id;
            }
        }
    }

    /// What an artifact says of itself when it begins.
    fn begin(told: &mut Told, message: u32, item: &mut Item) -> Option<ArtifactInfo> {
        if core::mem::replace(&mut item.begun, true) {
            return None;
        }
        item.info.metadata = told.take(message);
        Some(core::mem::take(&mut item.info))
    }

    fn piece(
        &mut self,
        message: u32,
        part: u32,
        piece: &str,
        kind: Option<&str>,
        out: &mut Out<'_, WireEvent>,
    ) {
        let Some(item) = self.items.get_mut(message.into()) else { return };
        let metadata = match item.part(part) {
            Some(Part { text: Some(text), metadata: Some(metadata), .. }) => {
                text.push_str(piece);
                metadata.clone()
            }
            _ => {
                let mut metadata = item.next_index();
                kind.into_iter().for_each(|kind| metadata.insert("kind", kind.into()));
                item.parts.push((part, Part { metadata: Some(metadata.clone()), ..Part::text(piece) }));
                metadata
            }
        };
        let info = Self::begin(&mut self.told, message, item);
        send(self.builder.piece(&item.artifact, metadata, piece, info.as_ref()), &item.artifact, out);
    }

    /// A part that is whole; where the message has one of that number, it comes in its place.
    pub(super) fn part(&mut self, message: u32, number: u32, mut part: Part, out: &mut Out<'_, WireEvent>) {
        let Some(item) = self.items.get_mut(message.into()) else { return };
        let info = Self::begin(&mut self.told, message, item);
        let event = if let Some(known) = item.part(number) {
            part.metadata = known.metadata.take();
            *known = part;
            self.builder.replace(&item.artifact, item.whole(), info.as_ref())
        } else {
            part.metadata = Some(item.next_index());
            item.parts.push((number, part.clone()));
            self.builder.append(&item.artifact, vec![part], info.as_ref())
        };
        send(event, &item.artifact, out);
    }

    /// What is left of a message when parts of it are changed or taken back.
    fn change(
        &mut self,
        message: u32,
        out: &mut Out<'_, WireEvent>,
        change: impl FnOnce(&mut Vec<(u32, Part)>),
    ) {
        let Some(item) = self.items.get_mut(message.into()) else {
            return out.lose("message-ended", "", "its artifact is complete already");
        };
        change(&mut item.parts);
        let info = Self::begin(&mut self.told, message, item);
        send(self.builder.replace(&item.artifact, item.whole(), info.as_ref()), &item.artifact, out);
    }

    pub(super) fn retract(&mut self, message: u32, part: Option<u32>, out: &mut Out<'_, WireEvent>) {
        self.change(message, out, |parts| {
            parts.retain(|(number, _)| part.is_some_and(|part| *number != part))
        });
    }

    pub(super) fn rewrite(&mut self, (message, part): (u32, u32), text: &str, out: &mut Out<'_, WireEvent>) {
        if let Some(call) = self.arguments.get_mut(pair(message, part)) {
            call.text = text.to_owned();
            return;
        }
        self.change(message, out, |parts| match parts.iter_mut().find(|(number, _)| *number == part) {
            Some((_, known)) => known.text = Some(text.to_owned()),
            None => parts.push((part, Part::text(text))),
        });
    }

    /// Free metadata of a message; false where it has ended.
    pub(super) fn tell(&mut self, message: u32, key: &str, value: Value) -> bool {
        let is_open = self.items.get(message.into()).is_some();
        if is_open {
            match key {
                "annotations" => self.told.add(message, key, value),
                _ => self.told.tell(message, key, value),
            }
        }
        is_open
    }

    /// The message of a call that has begun.
    pub(super) fn message_of(&self, call: &str) -> Option<u32> {
        self.calls.get(call).copied()
    }

    /// A message that begins and ends at once.
    pub(super) fn said(&mut self, kind: &str, parts: Vec<Part>, out: &mut Out<'_, WireEvent>) {
        let artifact = self.artifact_id(None, out);
        let r#type = Member { key: "type".to_owned(), value: kind.into() };
        let info = ArtifactInfo { name: Some(kind.to_owned()), metadata: vec![r#type] };
        send(self.builder.append(&artifact, parts, Some(&info)), &artifact, out);
        send(self.builder.complete(&artifact, None), &artifact, out);
    }

    fn end_part(&mut self, message: u32, part: u32, whole: bool, out: &mut Out<'_, WireEvent>) {
        let at = pair(message, part);
        if let Some(media) = self.media.take(at) {
            return self.whole(message, part, media_part(media.payload()), out);
        }
        if let Some(Call { id, name, text, mut more }) = self.arguments.remove(at) {
            if !whole {
                more.push(Member { key: "incomplete".to_owned(), value: true.into() });
            }
            self.part(message, part, call_part(&id, &name, text, &more), out);
        }
    }

    fn whole(&mut self, message: u32, part: u32, made: Option<Part>, out: &mut Out<'_, WireEvent>) {
        match made {
            Some(made) => self.part(message, part, made, out),
            None => {
                out.lose("file", self.room.place(message), "A2A's files are bytes or an address, not an id")
            }
        }
    }

    fn close(&mut self, message: u32, end: &MessageEnd, out: &mut Out<'_, WireEvent>) {
        let Some(mut item) = self.items.remove(message.into()) else { return };
        // Questions are said by the state at the end of the run.
        let is_question = item.is_tool && item.parts.is_empty() && !item.begun;
        if is_question {
            self.told.take(message);
            return;
        }
        if end.status != EndStatus::Completed {
            self.told.tell(message, "status", end.status.as_str().into());
        }
        let error = end.error.as_ref();
        let text = |text: &Option<String>| text.as_deref().map(Value::from);
        let said = [
            ("error", error.map(|error| super::parts::error(error.code.as_deref(), &error.message))),
            ("code", text(&end.code)),
            ("message", text(&end.message)),
            ("usage", end.usage.clone()),
        ];
        for (key, value) in said {
            value.into_iter().for_each(|value| self.told.tell(message, key, value));
        }
        if let Some(Value::Object(members)) = &end.metadata {
            self.told.merge(message, members);
        }
        // A message that has said nothing is there all the same.
        if let Some(info) = Self::begin(&mut self.told, message, &mut item) {
            send(self.builder.append(&item.artifact, Vec::new(), Some(&info)), &item.artifact, out);
        }
        let metadata = self.told.take(message);
        send(self.builder.complete(&item.artifact, Some(&metadata)), &item.artifact, out);
    }
}

impl FromHub for ToA2a {
    type Event = WireEvent;

    fn feed(&mut self, step: &Step<'_>, out: &mut Out<'_, WireEvent>) {
        self.room.check(step, out);
        match *step {
            Step::Text { message, part, piece } => self.piece(message, part, piece, None, out),
            Step::Refusal { message, part, piece } => self.piece(message, part, piece, Some("refusal"), out),
            Step::Reasoning { message, part, piece, summary } => {
                self.piece(message, part, piece, summary.then_some("summary"), out);
            }
            Step::Start { .. } => self.start(step, out),
            Step::Open { .. } => self.open(step, out),
            Step::Call { message, part, id, name, input, more } => {
                let id = self.call_ids.of(id, out).to_owned();
                self.calls.insert(&id, message);
                let mut more = more.to_vec();
                if input == Input::Text {
                    more.push(Member { key: "input".to_owned(), value: "text".into() });
                }
                let call = Call { id, name: name.to_owned(), text: String::new(), more };
                self.arguments.insert(pair(message, part), call);
            }
            Step::Arguments { message, part, piece } => {
                if let Some(call) = self.arguments.get_mut(pair(message, part)) {
                    call.text.push_str(piece);
                }
            }
            Step::Result { message, part, id, name, output, content, preview, more } => {
                let id = self.call_ids.of(id, out).to_owned();
                self.part(message, part, result_part((&id, name), output, content, preview, more), out);
            }
            Step::Interrupt { message, id, text, .. } => {
                let mut said = said(step, out);
                said.insert("metadata", Value::Object(self.told.take(message)));
                self.asked.push((id.to_owned(), text.map(ToOwned::to_owned), said));
            }
            Step::Answer { message, part, id, .. } => {
                // A question that was answered in the run is not the client's any more.
                if let Some(at) = self.asked.iter().position(|(asked, ..)| asked == id) {
                    let (_, _, question) = self.asked.remove(at);
                    self.said(MessageKind::Interrupt.as_str(), vec![data_part(question)], out);
                }
                self.part(message, part, data_part(said(step, out)), out);
            }
            Step::Whole { message, part, payload, .. } => self.whole(message, part, media_part(payload), out),
            Step::Media { message, part, kind, piece, media_type } => {
                self.media.add(pair(message, part), kind, piece, media_type);
            }
            Step::EndPart { message, part, whole } => self.end_part(message, part, whole, out),
            Step::Close { message, end } => self.close(message, end, out),
            Step::Note(ref note) => self.note(note, step, out),
            Step::Heartbeat => {}
            Step::End(end) => self.end(end, out),
        }
    }
}

/// What a step says, without the numbers of its place.
pub(super) fn said<E>(step: &Step<'_>, out: &Out<'_, E>) -> Value {
    let mut said = members(step, out.context());
    if let Value::Object(members) = &mut said {
        members.retain(|member| !matches!(member.key.as_str(), "message" | "part" | "event"));
    }
    said
}

/// The order of the hub is such that the builder refuses nothing but JSON that nests too deep.
pub(super) fn send(event: Result<WireEvent, Misuse>, place: &str, out: &mut Out<'_, WireEvent>) {
    match event {
        Ok(event) => out.emit(event),
        Err(_) => out.lose("refused", place, "A2A's readers could not have read it"),
    }
}
