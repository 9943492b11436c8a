//! The way to make a stream that cannot be illegal: a task, then its updates, or one message. (A1 to A7.)
//!
//! Every method that stands for an event returns it as a [`WireEvent`], in the dialect and binding of the [`Reply`]; a call that
//! would make an illegal stream returns a [`Misuse`] that says what to call instead, and changes nothing. Events have to be sent
//! in the order in which they were made; [`sse::comment`](crate::sse::comment) between any two keeps a connection alive.
//!
//! Text streams as parts that are appended. Stores keep each of them as a part (A5), so [`complete`](StreamBuilder::complete) sends
//! an artifact once more as a whole, which replaces them; [`resend`](StreamBuilder::resend) switches that off, and with it the
//! doubled bytes.
//!
//! ```
//! use agentwire::a2a::TaskState;
//! use agentwire::a2a::builder::StreamBuilder;
//! use agentwire::a2a::request::Reply;
//!
//! # fn main() -> Result<(), agentwire::Misuse> {
//! let mut out = StreamBuilder::new("t", "c", Reply::default());
//! assert_eq!(out.text("a", 0, "Hi", None).unwrap_err().code, "task-missing");
//! let stream = [
//!     out.task(None)?,
//!     out.text("a", 0, "It is ", None)?,
//!     out.text("a", 0, "sunny.", None)?,
//!     out.complete("a", None)?,
//!     out.status(TaskState::Completed, None, None)?,
//! ];
//! assert_eq!(
//!     stream[2].json(),
//!     r#"{"jsonrpc":"2.0","id":1,"result":{"artifactUpdate":{"taskId":"t","contextId":"c","artifact":{"artifactId":"a","parts":[{"text":"sunny.","metadata":{"index":0}}]},"append":true}}}"#,
//! );
//! assert_eq!(out.text("a", 0, "!", None).unwrap_err().code, "stream-ended");
//! # Ok(())
//! # }
//! ```

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::model::TaskState;
use super::request::dialect::{is_interrupted, is_terminal, object};
use super::request::{ErrorKind, Message, Part, Reply};
use crate::bytes::string_map::StringMap;
use crate::core::error::Misuse;
use crate::core::free_json::FreeJsonCheck;
use crate::core::limits::Limits;
use crate::json::{Member, Value, put, write_escaped};

pub use crate::core::wire::WireEvent;

/// Builds the stream of one task, or of one message.
#[derive(Debug)]
pub struct StreamBuilder {
    reply: Reply,
    task_id: String,
    context_id: String,
    resend: bool,
    state: State,
    artifacts: StringMap<Artifact>,
    /// The artifacts that are not complete, in the order in which they began.
    open: Vec<String>,
    template: Option<Template>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Nothing,
    Task,
    Ended,
}

#[derive(Debug)]
struct Artifact {
    members: Vec<Member>,
    parts: Vec<Part>,
    /// Whether what a store holds differs from `parts`: a text came in several pieces.
    in_pieces: bool,
    complete: bool,
}

/// What the events of a text's further pieces have in common.
#[derive(Debug)]
struct Template {
    artifact: String,
    metadata: Value,
    before: String,
    after: String,
}

/// What an artifact is, besides its parts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ArtifactInfo {
    /// What people call it.
    pub name: Option<String>,
    /// Free: an object.
    pub metadata: Vec<Member>,
}

impl StreamBuilder {
    /// A stream that has not said anything yet, of a task of that id in that conversation.
    pub fn new(task_id: impl Into<String>, context_id: impl Into<String>, reply: Reply) -> Self {
        StreamBuilder {
            reply,
            task_id: task_id.into(),
            context_id: context_id.into(),
            resend: true,
            state: State::Nothing,
            artifacts: StringMap::default(),
            open: Vec::new(),
            template: None,
        }
    }

    /// Whether [`complete`](Self::complete) sends an artifact whose text came in pieces once more as a whole; on unless switched
    /// off. Without it stores keep a part for each piece (A5).
    pub fn resend(mut self, resend: bool) -> Self {
        self.resend = resend;
        self
    }

    /// The first event: the task, submitted. `so_far` is what it has already where it goes on: its `history`, `artifacts` and
    /// `metadata`, in the form of 1.0.
    pub fn task(&mut self, so_far: Option<&Value>) -> Result<WireEvent, Misuse> {
        const CALL: &str = "task()";
        if self.state != State::Nothing {
            return Err(self.refuse(CALL, "task-repeated", "say it once, as the first event"));
        }
        let status = [("state", TaskState::Submitted.as_str().into())].into();
        let mut task = Value::from([
            ("id", self.task_id.as_str().into()),
            ("contextId", self.context_id.as_str().into()),
            ("status", status),
        ]);
        for key in ["artifacts", "history", "metadata"] {
            if let Some(value) = so_far.and_then(|so_far| so_far.get(key)).filter(|value| !value.is_null()) {
                free(value, CALL)?;
                task.insert(key, value.clone());
            }
        }
        self.state = State::Task;
        Ok(self.reply.event([("task", task)].into()))
    }

    /// The only event of a stream that is no task: a message of the agent, whole.
    pub fn message(&mut self, message_id: &str, parts: &[Part]) -> Result<WireEvent, Misuse> {
        const CALL: &str = "message()";
        if self.state != State::Nothing {
            return Err(self.refuse(
                CALL,
                "message-after-task",
                "a stream is one message or a task: use artifacts",
            ));
        }
        check(parts, CALL)?;
        self.state = State::Ended;
        let message = self.agent_message(message_id, parts, false);
        Ok(self.reply.event([("message", message)].into()))
    }

    /// A state of the task, what the agent says with it (a message's id and parts), and metadata, which is merged into the
    /// task's (A8). A terminal state ends the stream, and so does one that waits for the client.
    pub fn status(
        &mut self,
        state: TaskState,
        message: Option<(&str, &[Part])>,
        metadata: Option<Value>,
    ) -> Result<WireEvent, Misuse> {
        const CALL: &str = "status()";
        self.is_open(CALL)?;
        if matches!(state, TaskState::Unspecified | TaskState::Unrecognized) {
            let instead = "give a state that clients know: others are invisible to them";
            return Err(Misuse::new(
                "state-unknown",
                [CALL, " was given `", state.as_str(), "`"].concat(),
                instead,
            ));
        }
        let said = match message {
            Some((id, parts)) => {
                check(parts, CALL)?;
                Some(self.agent_message(id, parts, true))
            }
            None => None,
        };
        if let Some(metadata) = &metadata {
            free(metadata, CALL)?;
        }
        let name = state.as_str();
        if is_terminal(name) || is_interrupted(name) {
            self.state = State::Ended;
        }
        let status = object([("state", Some(name.into())), ("message", said)]);
        Ok(self.update("statusUpdate", [("status", Some(status)), ("metadata", metadata)]))
    }

    /// The next piece of the text with that number in an artifact. The first piece of an artifact begins it; `info` counts only
    /// then.
    pub fn text(
        &mut self,
        artifact: &str,
        index: u32,
        piece: &str,
        info: Option<&ArtifactInfo>,
    ) -> Result<WireEvent, Misuse> {
        self.piece(artifact, [("index", i64::from(index).into())].into(), piece, info)
    }

    /// The same, with all of the part's metadata.
    pub(super) fn piece(
        &mut self,
        id: &str,
        metadata: Value,
        piece: &str,
        info: Option<&ArtifactInfo>,
    ) -> Result<WireEvent, Misuse> {
        const CALL: &str = "text()";
        self.is_open(CALL)?;
        let known = self.artifacts.get_mut(id);
        let part = |text: &str| Part { metadata: Some(metadata.clone()), ..Part::text(text) };
        let Some(artifact) = known.filter(|artifact| !artifact.complete) else {
            return self.put(CALL, id, vec![part(piece)], info);
        };
        let known = artifact.parts.iter_mut().rev().find(|part| part.metadata.as_ref() == Some(&metadata));
        match known.and_then(|part| part.text.as_mut()) {
            Some(text) => {
                artifact.in_pieces = true;
                text.push_str(piece);
            }
            None => artifact.parts.push(part(piece)),
        }
        if let Some(template) = &self.template
            && template.artifact == id
            && template.metadata == metadata
        {
            return Ok(template.event(piece));
        }
        let template = self.template(id, metadata);
        let event = template.event(piece);
        self.template = Some(template);
        Ok(event)
    }

    fn template(&self, id: &str, metadata: Value) -> Template {
        const EMPTY: &str = "\"text\":\"\"";
        let part = Part { metadata: Some(metadata.clone()), ..Part::text("") };
        let event = self.artifact_update(id, &[], &[part], Some(true), None);
        let json = event.json();
        // Inside of a JSON string a quote has a backslash, so only the member itself looks like this.
        let at = json.find(EMPTY).map_or(0, |at| at + EMPTY.len() - 1);
        let (before, after) = json.split_at(at);
        Template { artifact: id.to_owned(), metadata, before: before.to_owned(), after: after.to_owned() }
    }

    /// Parts of an artifact, each whole: at its end, or, where there is none of that id, as a new one that `info` tells of.
    pub fn append(
        &mut self,
        id: &str,
        parts: Vec<Part>,
        info: Option<&ArtifactInfo>,
    ) -> Result<WireEvent, Misuse> {
        const CALL: &str = "append()";
        self.is_open(CALL)?;
        check(&parts, CALL)?;
        match self.artifacts.get_mut(id).filter(|artifact| !artifact.complete) {
            None => self.put(CALL, id, parts, info),
            Some(artifact) => {
                let from = artifact.parts.len();
                artifact.parts.extend(parts);
                let added = artifact.parts.get(from..).unwrap_or_default().to_vec();
                Ok(self.artifact_update(id, &[], &added, Some(true), None))
            }
        }
    }

    /// All parts of an artifact, in place of those that it had.
    pub fn replace(
        &mut self,
        id: &str,
        parts: Vec<Part>,
        info: Option<&ArtifactInfo>,
    ) -> Result<WireEvent, Misuse> {
        const CALL: &str = "replace()";
        self.is_open(CALL)?;
        check(&parts, CALL)?;
        match self.artifacts.get_mut(id).filter(|artifact| !artifact.complete) {
            None => self.put(CALL, id, parts, info),
            Some(artifact) => {
                artifact.parts = parts;
                artifact.in_pieces = false;
                let (members, parts) = (artifact.members.clone(), artifact.parts.clone());
                Ok(self.artifact_update(id, &members, &parts, None, None))
            }
        }
    }

    /// An artifact is whole. Where its text came in pieces it is sent once more, which leaves one part of each text in the stores
    /// (see [`resend`](Self::resend)). `metadata` is merged into that of the artifact.
    pub fn complete(&mut self, id: &str, metadata: Option<&[Member]>) -> Result<WireEvent, Misuse> {
        const CALL: &str = "complete()";
        self.is_open(CALL)?;
        let Some(artifact) = self.artifacts.get_mut(id).filter(|artifact| !artifact.complete) else {
            return Err(Misuse::new(
                "artifact-unknown",
                [CALL, " was given `", id, "`, which is no artifact that is not complete"].concat(),
                "call `text()` or `append()` with that id first, and this once",
            ));
        };
        if let Some(metadata) = metadata {
            FreeJsonCheck { deepest: DEEPEST, call: CALL }.members(metadata, DEEPEST)?;
        }
        artifact.complete = true;
        self.open.retain(|open| open != id);
        self.template = None;
        let more: Vec<Member> = metadata.unwrap_or_default().to_vec();
        let whole = core::mem::take(&mut artifact.in_pieces) && self.resend;
        let parts = core::mem::take(&mut artifact.parts);
        let mut members = core::mem::take(&mut artifact.members);
        Ok(match whole {
            true => {
                merge(&mut members, more);
                self.artifact_update(id, &members, &parts, None, Some(true))
            }
            false => {
                let more = (!more.is_empty())
                    .then(|| Member { key: METADATA.to_owned(), value: Value::Object(more) });
                self.artifact_update(id, more.as_slice(), &[], Some(true), Some(true))
            }
        })
    }

    /// Ends the stream from wherever it is: the artifacts that are open are completed, and the task fails with that error, or is
    /// completed where there is none. For aborts, errors and drops; it cannot fail, and after an end it does nothing.
    #[must_use = "events that are not sent are missing from the stream"]
    pub fn finish_with(&mut self, error: Option<&str>) -> Vec<WireEvent> {
        let mut events = Vec::new();
        if self.state == State::Nothing {
            events.extend(self.task(None));
        }
        for id in core::mem::take(&mut self.open) {
            events.extend(self.complete(&id, None));
        }
        let parts = error.map(|error| [Part::text(error)]);
        let id = [&self.task_id, "_error"].concat();
        let state = if error.is_some() { TaskState::Failed } else { TaskState::Completed };
        events.extend(self.status(state, parts.as_ref().map(|parts| (id.as_str(), &parts[..])), None));
        events
    }

    /// A JSON-RPC error in place of what would come: clients throw it. (A9.)
    pub fn error(&mut self, kind: ErrorKind, message: &str) -> Result<WireEvent, Misuse> {
        const CALL: &str = "error()";
        if self.state == State::Ended {
            self.is_open(CALL)?;
        }
        self.state = State::Ended;
        Ok(self.reply.error_event(kind, message))
    }

    /// A result as another server has sent it, which clients may know or not.
    pub(super) fn passed(&self, result: &Value) -> Result<WireEvent, Misuse> {
        self.is_open("passed()")?;
        Ok(self.reply.passed(result))
    }

    /// Whether the last event was made.
    pub fn is_ended(&self) -> bool {
        self.state == State::Ended
    }

    /// Whether there is an artifact of that id, complete or not.
    pub(super) fn has(&self, id: &str) -> bool {
        self.artifacts.get(id).is_some()
    }

    /// A new artifact.
    fn put(
        &mut self,
        call: &str,
        id: &str,
        parts: Vec<Part>,
        info: Option<&ArtifactInfo>,
    ) -> Result<WireEvent, Misuse> {
        if id.is_empty() || self.has(id) {
            return Err(Misuse::new(
                "artifact-id",
                [call, " was given the artifact `", id, "`, which is complete or has no id"].concat(),
                "give every artifact an id of its own",
            ));
        }
        let info = info.cloned().unwrap_or_default();
        FreeJsonCheck { deepest: DEEPEST, call }.members(&info.metadata, DEEPEST)?;
        let name = info.name.map(|name| Member { key: "name".to_owned(), value: name.into() });
        let metadata = Some(info.metadata).filter(|metadata| !metadata.is_empty());
        let metadata =
            metadata.map(|members| Member { key: METADATA.to_owned(), value: Value::Object(members) });
        let members: Vec<Member> = name.into_iter().chain(metadata).collect();
        let event = self.artifact_update(id, &members, &parts, None, None);
        self.artifacts.insert(id, Artifact { members, parts, in_pieces: false, complete: false });
        self.open.push(id.to_owned());
        Ok(event)
    }

    fn artifact_update(
        &self,
        id: &str,
        members: &[Member],
        parts: &[Part],
        append: Option<bool>,
        last: Option<bool>,
    ) -> WireEvent {
        let mut artifact = Value::from([("artifactId", id.into())]);
        members.iter().for_each(|member| artifact.insert(&member.key, member.value.clone()));
        artifact.insert("parts", Value::Array(parts.iter().map(Part::to_value).collect()));
        let of = |flag: Option<bool>| flag.map(Value::from);
        self.update(
            "artifactUpdate",
            [("artifact", Some(artifact)), ("append", of(append)), ("lastChunk", of(last))],
        )
    }

    fn update<const N: usize>(&self, name: &str, members: [(&str, Option<Value>); N]) -> WireEvent {
        let mut update = Value::from([
            ("taskId", self.task_id.as_str().into()),
            ("contextId", self.context_id.as_str().into()),
        ]);
        for (key, value) in members {
            if let Some(value) = value {
                update.insert(key, value);
            }
        }
        self.reply.event([(name, update)].into())
    }

    fn agent_message(&self, id: &str, parts: &[Part], of_task: bool) -> Value {
        let mut message = Message::user(id, parts.to_vec());
        message.role = "ROLE_AGENT".into();
        message.context_id = Some(self.context_id.clone());
        message.task_id = of_task.then(|| self.task_id.clone());
        message.to_value()
    }

    fn is_open(&self, call: &str) -> Result<(), Misuse> {
        match self.state {
            State::Task => Ok(()),
            State::Nothing => Err(self.refuse(call, "task-missing", "call `task()` first")),
            State::Ended => Err(self.refuse(
                call,
                "stream-ended",
                "the task goes on with another message: make a new builder",
            )),
        }
    }

    fn refuse(&self, call: &str, code: &'static str, instead: &'static str) -> Misuse {
        Misuse::new(
            code,
            [call, " breaks A1: a stream is a task, its updates, and an end, or one message"].concat(),
            instead,
        )
    }
}

impl Template {
    fn event(&self, piece: &str) -> WireEvent {
        const ROOM: usize = 16;
        WireEvent::written(self.before.len() + piece.len() + self.after.len() + ROOM, None, |frame| {
            put(frame, &self.before);
            write_escaped(piece, frame);
            put(frame, &self.after);
        })
    }
}

const METADATA: &str = "metadata";

/// How deep free JSON may nest: around it there are the event, the artifact and the part.
const DEEPEST: u32 = 96;

fn merge(members: &mut Vec<Member>, more: Vec<Member>) {
    if more.is_empty() {
        return;
    }
    match members.iter_mut().find(|member| member.key == METADATA) {
        Some(metadata) => {
            more.into_iter().for_each(|member| metadata.value.insert(&member.key, member.value))
        }
        None => members.push(Member { key: METADATA.to_owned(), value: Value::Object(more) }),
    }
}

fn free(value: &Value, call: &str) -> Result<(), Misuse> {
    let deepest = DEEPEST.min(Limits::default().json_depth);
    FreeJsonCheck { deepest, call }.value(value, deepest)
}

fn check(parts: &[Part], call: &str) -> Result<(), Misuse> {
    parts.iter().try_for_each(|part| {
        part.check_content(call)?;
        [&part.data, &part.metadata].into_iter().flatten().try_for_each(|value| free(value, call))
    })
}
