//! From the hub to A2A.
//!
//! A message is an artifact, which begins with its first content. Calls, results and media are
//! parts that are sent whole. Questions are kept until the end of the run, because the state for
//! questions closes the stream. (2.4.)

mod artifact;
mod notes;
mod writer;

use alloc::{borrow::ToOwned, collections::BTreeSet, string::String, vec, vec::Vec};

use self::artifact::{WrittenCall, WrittenItem};
use self::writer::{ArtifactInfo, TaskWriter, is_readable};
use crate::bytes::string_map::{Numbers, StringMap, pair};
use crate::core::WireEvent;
use crate::hub::approval::OpenQuestions;
use crate::hub::metadata::Metadata;
use crate::hub::payload::of_data_url;
use crate::hub::steps::members;
use crate::hub::{
    CallIds, FromHub, InputFormat, LossChecker, MediaBuffer, MessageKind, Payload, PendingMetadata,
    Step, UnsupportedSteps, WriteOptions, message_id, present_members,
};
use crate::json::{Member, Value};
use crate::protocols::a2a::TaskState;
use crate::protocols::a2a::request::dialect::object;
use crate::protocols::a2a::request::{Part, Reply};

type WireOutput<'o> = crate::hub::EventOutput<'o, WireEvent>;

/// The losses of steps that A2A cannot represent.
const UNSUPPORTED: UnsupportedSteps = &[
    ("after-end", "a task that has ended takes nothing any more"),
    ("messages", "in A2A the history of a task is the server's"),
];

/// Writes A2A: the target of a conversion. Heartbeats are not events of the protocol: they are left
/// out here, and a
/// [`Converter`](crate::convert::Converter) writes them as comments.
#[derive(Debug)]
pub struct ToA2a {
    options: WriteOptions,
    writer: TaskWriter,
    losses: LossChecker,
    /// The messages that have not ended.
    items: Numbers<WrittenItem>,
    pending: PendingMetadata,
    media: MediaBuffer,
    call_ids: CallIds,
    /// The message and the part of each call that has begun.
    calls: StringMap<(u32, u32)>,
    /// The sealed members of results whose message has not begun, by the id of the call.
    early_results: StringMap<Vec<String>>,
    /// The calls whose arguments are coming, by message and part.
    arguments: Numbers<WrittenCall>,
    /// The numbers of those calls, in the order in which they began.
    open_calls: BTreeSet<u32>,
    begun: u32,
    /// The open questions: the id, the text for people, and all members.
    questions: OpenQuestions<(String, Option<String>, Value)>,
    /// The message of the call, result or answer whose event waits for the end of the message,
    /// which can be the next step.
    unsent: Option<u32>,
    /// Metadata of the task for its next status.
    metadata: Metadata,
    /// The ids of the artifacts of the task, including those from previous runs.
    taken: StringMap<()>,
    /// The task is reported as working.
    works: bool,
}

impl ToA2a {
    /// Creates a target at the start of a stream. The option `echo` is the [`Reply`] as an object,
    /// with three more members: `task` has the `history`, `artifacts` and `metadata` of a task that
    /// the stream continues; `resend` sets whether artifacts are sent once more when they are
    /// complete; `timestamps` sets whether each status has its time. Ids that the options do not
    /// have are taken from the source, if it has them.
    pub fn new(options: WriteOptions) -> Self {
        ToA2a {
            options,
            writer: TaskWriter::new(Default::default(), Reply::default(), true, None),
            losses: LossChecker::default(),
            items: Numbers::default(),
            pending: PendingMetadata::default(),
            media: MediaBuffer::default(),
            call_ids: CallIds::default(),
            calls: StringMap::default(),
            early_results: StringMap::default(),
            arguments: Numbers::default(),
            open_calls: BTreeSet::new(),
            begun: 0,
            questions: OpenQuestions::default(),
            unsent: None,
            metadata: Metadata::default(),
            taken: StringMap::default(),
            works: false,
        }
    }

    fn start(&mut self, step: &Step<'_>, out: &mut WireOutput<'_>) {
        let Step::Start { id, session_id, parent_id, model, created_at } = *step else { return };
        let mut known = |given: Option<String>,
                         fields: Option<&str>,
                         prefix: &str,
                         out: &mut WireOutput<'_>| {
            let fields = given.or_else(|| message_id(fields, out).map(ToOwned::to_owned));
            fields.unwrap_or_else(|| self.options.ids.next_id(prefix))
        };
        let own = (self.options.run_id.take(), self.options.session_id.take());
        let task = known(own.0, id, "task_", out);
        let context = known(own.1, session_id, "context_", out);
        let echo = core::mem::take(&mut self.options.echo);
        let resend = echo.get("resend").and_then(Value::as_bool).unwrap_or(true);
        let has_times = echo.get("timestamps").and_then(Value::as_bool) == Some(true);
        let clock = has_times.then_some(self.options.clock);
        self.writer = TaskWriter::new((task, context), Reply::of_value(&echo), resend, clock);
        let mut task = echo.get("task").cloned().unwrap_or_default();
        let artifacts = task.get("artifacts").map(Value::items).unwrap_or_default();
        let ids = artifacts.iter().filter_map(|artifact| artifact.text("artifactId"));
        ids.for_each(|id| self.taken.insert(id, ()));
        let mut metadata = task.get("metadata").cloned().unwrap_or_default();
        let fields = present_members([
            ("model", model.map(Value::from)),
            ("parentId", parent_id.map(Value::from)),
            ("createdAt", created_at.map(Value::from)),
        ]);
        fields.into_iter().for_each(|member| metadata.insert(&member.key, member.value));
        task.insert("metadata", metadata);
        let takes = |task: &Value| task.members().iter().all(|member| is_readable(&member.value));
        let task = allowed(task, takes, "", out);
        send(self.writer.task(Some(&task)), "", out);
    }

    fn open(&mut self, step: &Step<'_>, out: &mut WireOutput<'_>) {
        let Step::Open { message, kind, role, id, name, .. } = *step else { return };
        if !core::mem::replace(&mut self.works, true) {
            self.status(TaskState::Working, Vec::new(), out);
        }
        self.pending.open(step, out.meta());
        self.pending.set(message, "type", kind.as_str().into());
        if role != kind.default_role() {
            self.pending.set(message, "role", role.as_str().into());
        }
        let artifact = self.artifact_id(id, out);
        let info = ArtifactInfo {
            name: Some(name.unwrap_or(kind.as_str()).to_owned()),
            metadata: Vec::new(),
        };
        self.items.insert(message.into(), WrittenItem { artifact, info, ..WrittenItem::default() });
    }

    /// Returns an id that no other artifact has: sources and generators of ids can repeat ids.
    fn artifact_id(&mut self, id: Option<&str>, out: &mut WireOutput<'_>) -> String {
        let mut id = message_id(id, out).map(ToOwned::to_owned);
        if let Some(id) = id.take_if(|id| self.taken.get(id).is_some()) {
            out.lose("message-id", &id, "another artifact had got it: this one got another");
        }
        let mut id = id.unwrap_or_else(|| self.options.ids.next_id("msg_"));
        while self.taken.get(&id).is_some() {
            id = self.options.ids.next_id("msg_");
        }
        self.taken.insert(&id, ());
        id
    }

    /// Adds arbitrary metadata to a message. Returns false if the message has ended.
    fn keep_metadata(&mut self, message: u32, key: &str, value: Value) -> bool {
        let is_open = self.items.get(message.into()).is_some();
        if is_open {
            self.pending.set(message, key, value);
        }
        is_open
    }

    /// Removes and returns the sealed members of a result that came before it.
    fn early_result(&mut self, call: &str) -> Vec<String> {
        self.early_results.get_mut(call).map(core::mem::take).unwrap_or_default()
    }

    /// Returns the message of a call that has begun.
    fn message_of(&self, call: &str) -> Option<u32> {
        self.calls.get(call).map(|(message, _)| *message)
    }

    /// Sends a message that begins and ends at once, with further metadata.
    fn send_message(
        &mut self,
        kind: &str,
        parts: Vec<Part>,
        more: Option<Member>,
        out: &mut WireOutput<'_>,
    ) {
        let artifact = self.artifact_id(None, out);
        let metadata = [Member::new("type", kind)].into_iter().chain(more).collect();
        let info = ArtifactInfo { name: Some(kind.to_owned()), metadata };
        send(self.writer.whole(&artifact, parts, Some(&info)), &artifact, out);
    }
}

impl FromHub for ToA2a {
    type Event = WireEvent;

    fn feed(&mut self, step: &Step<'_>, out: &mut WireOutput<'_>) {
        self.losses.check(UNSUPPORTED, step, out);
        self.release_before(step, out);
        match *step {
            Step::Text { message, part, piece } => self.piece(message, part, piece, None, out),
            Step::Refusal { message, part, piece } => {
                self.piece(message, part, piece, Some("refusal"), out)
            }
            Step::Reasoning { message, part, piece, summary } => {
                self.piece(message, part, piece, summary.then_some("summary"), out);
            }
            Step::Start { .. } => self.start(step, out),
            Step::Open { .. } => self.open(step, out),
            Step::Call { message, part, id, name, input, more } => {
                let id = self.call_ids.of(id, out).to_owned();
                self.calls.insert(&id, (message, part));
                let mut more = more.to_vec();
                if input == InputFormat::Text {
                    more.push(Member::new("input", "text"));
                }
                self.begun = self.begun.wrapping_add(1);
                self.open_calls.insert(self.begun);
                let call = WrittenCall {
                    id,
                    name: name.to_owned(),
                    text: String::new(),
                    more,
                    number: self.begun,
                };
                self.arguments.insert(pair(message, part), call);
            }
            Step::Arguments { message, part, piece } => {
                if let Some(call) = self.arguments.get_mut(pair(message, part)) {
                    call.text.push_str(piece);
                } else {
                    out.lose(
                        "arguments-without-call",
                        out.place(message),
                        "the call had its result already",
                    );
                }
            }
            Step::Result { message, part, id, name, output, content, preview, more } => {
                let id = self.call_ids.of(id, out).to_owned();
                self.cut_off(&id, out);
                for sealed in self.early_result(&id) {
                    self.pending.seal(message, sealed);
                }
                self.part(
                    message,
                    part,
                    result_part((&id, name), output, content, preview, more),
                    out,
                );
            }
            Step::Interrupt { message, id, text, .. } => {
                let mut fields = step_members(step, out);
                fields.insert("metadata", Value::Object(self.pending.take(message)));
                self.questions.push(id, (id.to_owned(), text.map(ToOwned::to_owned), fields));
            }
            Step::Answer { message, part, id, .. } => {
                // A question that was answered during the run is not for the client any more.
                for (_, _, question) in self.questions.take(id) {
                    self.send_message(
                        MessageKind::Interrupt.as_str(),
                        vec![data_part(question)],
                        None,
                        out,
                    );
                }
                self.part(message, part, data_part(step_members(step, out)), out);
            }
            Step::Whole { message, part, payload, .. } => {
                if let Payload::File { id: Some(id), url, data, .. } = payload
                    && url.or(data).is_some()
                {
                    out.lose(
                        "file-id",
                        id,
                        "A2A's files are bytes or an address: this one has no id",
                    );
                }
                self.whole(message, part, media_part(payload), out);
            }
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

/// Returns the members of a step without the numbers of its message and part.
fn step_members(step: &Step<'_>, out: &WireOutput<'_>) -> Value {
    let mut fields = members(step, out.meta());
    if let Value::Object(members) = &mut fields {
        members.retain(|member| !matches!(member.key.as_str(), "message" | "part" | "event"));
    }
    fields
}

const UNREADABLE: &str = "A2A's readers could not have read it: left out";

/// Returns the members of an object that readers take. The others are losses.
fn allowed(
    object: Value,
    takes: impl Fn(&Value) -> bool,
    place: &str,
    out: &mut WireOutput<'_>,
) -> Value {
    if takes(&object) {
        return object;
    }
    let Value::Object(mut members) = object else {
        out.lose("refused", place, UNREADABLE);
        return Value::Null;
    };
    members.retain(|member| {
        let is_taken = takes(&Value::Object(vec![member.clone()]));
        if !is_taken {
            out.lose("refused", &member.key, UNREADABLE);
        }
        is_taken
    });
    Value::Object(members)
}

fn send(event: Option<WireEvent>, place: &str, out: &mut WireOutput<'_>) {
    match event {
        Some(event) => out.emit(event),
        None => out.lose("refused", place, UNREADABLE),
    }
}

/// Returns a part with JSON. It has the media type of JSON for clients that display parts by their
/// media type.
pub(super) fn data_part(data: Value) -> Part {
    Part { media_type: Some("application/json".to_owned()), ..Part::data(data) }
}

/// Returns the part of a tool call with all of its arguments.
fn call_part(id: &str, name: &str, arguments: String, more: &[Member]) -> Part {
    let mut data = Value::from([
        ("call_id", id.into()),
        ("name", name.into()),
        ("arguments", arguments.into()),
    ]);
    add(&mut data, more);
    data_part(data)
}

/// Returns the part of a tool result.
pub(super) fn result_part(
    (id, name): (&str, Option<&str>),
    output: &str,
    content: Option<&Value>,
    preview: bool,
    more: &[Member],
) -> Part {
    let mut data = object([
        ("call_id", Some(id.into())),
        ("name", name.map(Value::from)),
        ("output", Some(output.into())),
        ("content", content.cloned()),
        ("preview", preview.then(|| true.into())),
    ]);
    add(&mut data, more);
    data_part(data)
}

fn add(data: &mut Value, more: &[Member]) {
    for Member { key, value } in more {
        if data.get(key).is_none() {
            data.insert(key, value.clone());
        }
    }
}

/// Returns an error in the form that is used in metadata and data.
fn error(code: Option<&str>, message: &str) -> Value {
    object([("code", code.map(Value::from)), ("message", Some(message.into()))])
}

/// Returns the part of media, a file or data, or `None` for content without bytes or an address.
pub(super) fn media_part(payload: Payload<'_>) -> Option<Part> {
    let (content, media_type, filename) = match payload {
        Payload::Data(data) => return Some(data_part(data.clone())),
        Payload::Image { url } => (url?, Some("image/*".to_owned()), None),
        Payload::Video { url } => (url?, Some("video/*".to_owned()), None),
        Payload::Audio { data, format } => {
            let r#type = match format {
                Some(format) if format.contains('/') => format.to_owned(),
                Some(format) => ["audio/", format].concat(),
                None => "audio/*".to_owned(),
            };
            (data?, Some(r#type), None)
        }
        Payload::File { url, data, name, .. } => (data.or(url)?, None, name.map(ToOwned::to_owned)),
    };
    let is_raw = matches!(payload, Payload::File { data: Some(_), .. })
        || matches!(payload, Payload::Audio { .. }) && !content.contains(':');
    let part = match of_data_url(content) {
        Some((r#type, bytes)) => {
            let r#type = if r#type.is_empty() { media_type } else { Some(r#type.to_owned()) };
            Part::file(Some(bytes.to_owned()), None, r#type)
        }
        None if is_raw => Part::file(Some(content.to_owned()), None, media_type),
        None => Part::file(None, Some(content.to_owned()), media_type),
    };
    Some(Part { filename, ..part })
}
