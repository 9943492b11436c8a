//! Builds a stream that both major versions of the official client accept, item by item.
//!
//! Every method for events returns them as [`WireEvent`]s, to be sent in this order. A call that
//! would make an invalid stream returns a [`UsageError`] that names the call to make instead, and
//! changes nothing. Items are identified by their index in the output, parts by their index in the
//! item. [`sse::comment`](crate::sse::comment) between any two events keeps a connection alive: the
//! protocol has no event for this that all clients accept.
//!
//! ```
//! use agentwire::json::Value;
//! use agentwire::responses::builder::{PartKind, StreamBuilder};
//!
//! # fn main() -> Result<(), agentwire::UsageError> {
//! let mut out = StreamBuilder::new("resp_1", "my-model", 1_700_000_000);
//! let mut stream = out.start()?;
//! let (message, added) = out.item("message", None, Value::Null)?;
//! let (text, begun) = out.part(message, PartKind::Text)?;
//! stream.extend([added, begun, out.delta(message, PartKind::Text, text, "It is ")?]);
//! stream.push(out.delta(message, PartKind::Text, text, "sunny.")?);
//! assert_eq!(out.complete().unwrap_err().code, "unfinished");
//! stream.extend(out.end_item(message, "completed", Value::Null)?);
//!
//! let call = Value::from([("call_id", "c1".into()), ("name", "get_weather".into())]);
//! let (call, added) = out.item("function_call", None, call)?;
//! stream.extend([added, out.arguments(call, "{\"city\":")?]);
//!
//! // Whatever happens now (an abort, an error, a drop), one call ends the stream legally.
//! stream.extend(out.finish_with(Some(("server_error", "The model is gone."))));
//! assert!(stream.iter().enumerate().all(|(at, event)| event.sequence_number() == Some(at as i64)));
//! assert!(stream.last().unwrap().as_sse().starts_with("event: response.failed\ndata: {"));
//! # Ok(())
//! # }
//! ```

mod item;
mod items;

use alloc::{borrow::ToOwned, boxed::Box, string::String, vec, vec::Vec};

use self::item::Item;
pub use self::item::PartKind;
use super::rules;
use crate::bytes::string_map::StringMap;
use crate::core::id::Counter;
pub(crate) use crate::core::wire::WireEvent;
use crate::core::{FreeJsonCheck, IdSource, Limits, PieceTemplate, Rule, UsageError};
use crate::json::{Member, Object, Raw, Value, write_list};

/// Builds the stream of one response.
#[derive(Debug)]
pub struct StreamBuilder {
    id: String,
    model: String,
    created_at: i64,
    /// Further members of the Response object.
    members: Vec<Member>,
    usage: Option<Value>,
    ids: Box<dyn IdSource>,
    stage: Stage,
    next: i64,
    items: Vec<Item>,
    /// The ids of the items, and the types and ids of the calls.
    taken: StringMap<()>,
    /// The number of items that have not ended.
    open: usize,
    /// The template of the delta events of the latest text, and whether the last event was such an
    /// event.
    template: Option<(PieceOf, PieceTemplate)>,
    is_piece: bool,
}

/// The text of a piece: an item, and its part or `None` for the item's own text.
type PieceOf = (u32, Option<(PartKind, u32)>);

/// The progress of the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    New,
    Created,
    InProgress,
    Ended,
}

impl StreamBuilder {
    /// Creates a builder for a response with that id, from that model. `created_at` is in seconds
    /// since 1970. Ids of items are numbered: see [`ids`](Self::ids).
    pub fn new(id: impl Into<String>, model: impl Into<String>, created_at: i64) -> Self {
        StreamBuilder {
            id: id.into(),
            model: model.into(),
            created_at,
            members: Vec::new(),
            usage: None,
            ids: Box::new(Counter::default()),
            stage: Stage::New,
            next: 0,
            items: Vec::new(),
            taken: StringMap::default(),
            open: 0,
            template: None,
            is_piece: false,
        }
    }

    /// Sets the source of the ids of items that are added without an id.
    pub fn ids(self, ids: impl IdSource + 'static) -> Self {
        self.ids_of(Box::new(ids))
    }

    pub(in crate::protocols::responses) fn ids_of(mut self, ids: Box<dyn IdSource>) -> Self {
        self.ids = ids;
        self
    }

    /// Sets a further member of the Response object (`conversation`, `metadata`, `tools`). It
    /// replaces the default value of that member, and is in every later event that contains the
    /// whole response.
    pub fn member(&mut self, key: &str, value: Value) -> Result<(), UsageError> {
        const CALL: &str = "member()";
        if OWN.contains(&key) {
            let problem =
                [CALL, " was given `", key, "`, which the builder writes itself"].concat();
            return Err(UsageError::new("member-taken", problem, "call what the member comes of"));
        }
        self.check_free(CALL, &value)?;
        match self.members.iter_mut().find(|member| member.key == key) {
            Some(member) => member.value = value,
            None => self.members.push(Member { key: key.to_owned(), value }),
        }
        Ok(())
    }

    /// Sets the token usage: an object, which is in the terminal event.
    pub fn usage(&mut self, usage: Value) -> Result<(), UsageError> {
        self.check_free("usage()", &usage)?;
        self.usage = Some(usage);
        Ok(())
    }

    /// Starts the response: it is created, and in progress. (O1.)
    pub fn start(&mut self) -> Result<Vec<WireEvent>, UsageError> {
        Ok(vec![self.created()?, self.in_progress()?])
    }

    /// Creates the response. (O1: the first event.)
    pub fn created(&mut self) -> Result<WireEvent, UsageError> {
        if self.stage != Stage::New {
            return Err(misuse(
                "created-twice",
                "created()",
                "leave it out: the response has begun",
            ));
        }
        self.stage = Stage::Created;
        Ok(self.lifecycle("response.created", "in_progress", None))
    }

    /// Marks the response as queued.
    pub fn queued(&mut self) -> Result<WireEvent, UsageError> {
        self.is_created("queued()")?;
        if self.stage != Stage::Created {
            return Err(misuse("queued-late", "queued()", "call it before `in_progress()`"));
        }
        Ok(self.lifecycle("response.queued", "queued", None))
    }

    /// Marks the response as in progress. Allowed once, before the first item: the older client
    /// forgets the items that it has (O2).
    pub fn in_progress(&mut self) -> Result<WireEvent, UsageError> {
        self.is_created("in_progress()")?;
        if self.stage != Stage::Created {
            return Err(misuse(
                "in-progress-twice",
                "in_progress()",
                "leave it out: the response is already in progress",
            ));
        }
        self.stage = Stage::InProgress;
        Ok(self.lifecycle("response.in_progress", "in_progress", None))
    }

    /// Appends a piece to the audio of the answer, in base64. Audio does not belong to an item.
    pub fn audio(&mut self, base64: &str) -> Result<WireEvent, UsageError> {
        self.is_in_progress("audio()")?;
        Ok(self.event("response.audio.delta", |object| object.string("delta", Some(base64))))
    }

    /// Ends the audio.
    pub fn end_audio(&mut self) -> Result<WireEvent, UsageError> {
        self.is_in_progress("end_audio()")?;
        Ok(self.event("response.audio.done", |_| {}))
    }

    /// Returns the id of an item.
    pub fn item_id(&self, item: u32) -> Option<&str> {
        self.items.get(item as usize).map(|item| &*item.id)
    }

    /// Returns whether the terminal event was made.
    pub fn is_ended(&self) -> bool {
        self.stage == Stage::Ended
    }
}

/// Returns the error for a call that would violate one of the rules of readers.
fn refuse(rule: &'static Rule, call: &str, instead: &'static str) -> UsageError {
    UsageError::of_rule(rule, call, &[(rule.id, instead)])
}

/// Returns the error for a call that repeats an earlier one or is not possible here.
fn misuse(code: &'static str, call: &str, instead: &'static str) -> UsageError {
    UsageError::new(code, [call, " is not possible here"].concat(), instead)
}

/// The members of the response that the builder writes itself.
const OWN: &[&str] = &[
    "id",
    "object",
    "created_at",
    "status",
    "error",
    "incomplete_details",
    "model",
    "output",
    "usage",
];

impl StreamBuilder {
    fn is_created(&self, call: &str) -> Result<(), UsageError> {
        match self.stage {
            Stage::New => Err(refuse(&rules::NOT_CREATED, call, "call `start()` first (O1)")),
            Stage::Ended => Err(refuse(
                &rules::AFTER_END,
                call,
                "the response has ended: make a new builder (O16)",
            )),
            Stage::Created | Stage::InProgress => Ok(()),
        }
    }

    fn is_in_progress(&self, call: &str) -> Result<(), UsageError> {
        self.is_created(call)?;
        match self.stage {
            Stage::Created => Err(misuse("not-in-progress", call, "call `in_progress()` first")),
            _ => Ok(()),
        }
    }

    fn check_free(&self, call: &'static str, value: &Value) -> Result<(), UsageError> {
        // An item of a response in an event is three levels deep.
        let deepest = Limits::default().json_depth - 4;
        FreeJsonCheck { deepest, call }.value(value, deepest)
    }

    /// Writes the next event.
    fn event(&mut self, name: &str, write: impl FnOnce(&mut Object<'_>)) -> WireEvent {
        /// The capacity, in bytes, for the members of most events.
        const USUAL: usize = 192;
        self.is_piece = false;
        let number = self.next;
        self.next += 1;
        WireEvent::named(name, USUAL, Some(number), |frame| {
            let mut object = Object::open(frame, false);
            object.string("type", Some(name));
            object.integer("sequence_number", Some(number));
            write(&mut object);
            object.close();
        })
    }

    /// Writes the next event of an item. Its name is `events`, a dot and `word`.
    fn of_item(
        &mut self,
        item: u32,
        events: &str,
        word: &str,
        write: impl FnOnce(&mut Object<'_>),
    ) -> WireEvent {
        let id = self.items[item as usize].id.clone();
        self.event(&[events, ".", word].concat(), |object| {
            object.string("item_id", Some(&id));
            object.integer("output_index", Some(item.into()));
            write(object);
        })
    }
}

/// The end of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End<'a> {
    Completed,
    /// The code and the message of the error.
    Failed(&'a str, &'a str),
    /// The reason, if it is known.
    Incomplete(Option<&'a str>),
    Cancelled,
}

impl StreamBuilder {
    /// Completes the response. Returns an error while an item is open. (O12.)
    pub fn complete(&mut self) -> Result<Vec<WireEvent>, UsageError> {
        const CALL: &str = "complete()";
        self.is_in_progress(CALL)?;
        match self.open {
            0 => Ok(self.end(End::Completed)),
            _ => Err(refuse(
                &rules::UNFINISHED,
                CALL,
                "call `end_item()` for each open item, or `finish_with()` (O12)",
            )),
        }
    }

    /// Ends the response as failed. Open items end as incomplete. (O13.)
    pub fn fail(&mut self, code: &str, message: &str) -> Result<Vec<WireEvent>, UsageError> {
        self.is_created("fail()")?;
        Ok(self.end(End::Failed(code, message)))
    }

    /// Ends the response before it is complete, with the reason `max_output_tokens`,
    /// `content_filter` or any other. Open items end as incomplete. (O13.)
    pub fn incomplete(&mut self, reason: Option<&str>) -> Result<Vec<WireEvent>, UsageError> {
        self.is_created("incomplete()")?;
        Ok(self.end(End::Incomplete(reason)))
    }

    /// Ends the response as canceled. The protocol has no event for this: it is the status of an
    /// incomplete response. Open items end as incomplete. (O20.)
    pub fn cancel(&mut self) -> Result<Vec<WireEvent>, UsageError> {
        self.is_created("cancel()")?;
        Ok(self.end(End::Cancelled))
    }

    /// Ends the stream at any stage: as failed if there is an error (code and message), as
    /// incomplete if an item is open, and otherwise as completed. It cannot fail, and after an end
    /// it does nothing.
    #[must_use = "events that are not sent are missing from the stream"]
    pub fn finish_with(&mut self, error: Option<(&str, &str)>) -> Vec<WireEvent> {
        let mut events = Vec::new();
        if self.stage == Stage::Ended {
            return events;
        }
        // These return errors if the events were made before.
        events.extend(self.created());
        events.extend(self.in_progress());
        events.extend(self.end(match error {
            Some((code, message)) => End::Failed(code, message),
            None if self.open > 0 => End::Incomplete(None),
            None => End::Completed,
        }));
        events
    }

    fn end(&mut self, end: End<'_>) -> Vec<WireEvent> {
        let mut events = self.end_items();
        let (event, status) = match end {
            End::Completed => ("response.completed", "completed"),
            End::Failed(..) => ("response.failed", "failed"),
            End::Incomplete(_) => ("response.incomplete", "incomplete"),
            End::Cancelled => ("response.incomplete", "cancelled"),
        };
        events.push(self.lifecycle(event, status, Some(end)));
        self.stage = Stage::Ended;
        self.items = Vec::new();
        events
    }

    /// Ends the open items as incomplete.
    pub(in crate::protocols::responses) fn end_items(&mut self) -> Vec<WireEvent> {
        let mut events = Vec::new();
        for item in 0..self.items.len() as u32 {
            if self.items[item as usize].done.is_none() {
                events.extend(self.end_item(item, "incomplete", Value::Null).unwrap_or_default());
            }
        }
        events
    }

    /// Writes an event with the whole response.
    fn lifecycle(&mut self, name: &str, status: &str, end: Option<End<'_>>) -> WireEvent {
        let mut response = String::new();
        self.response(&mut response, status, end);
        self.event(name, |object| object.raw("response", Some(Raw(&response))))
    }

    /// Writes the Response object: the members that the types of the official clients have, and
    /// those that were set.
    fn response(&self, out: &mut String, status: &str, end: Option<End<'_>>) {
        let mut object = Object::open(out, false);
        object.string("id", Some(&self.id));
        object.string("object", Some("response"));
        object.integer("created_at", Some(self.created_at));
        object.string("status", Some(status));
        match end {
            Some(End::Failed(code, message)) => {
                let mut error = Object::open(object.member("error"), false);
                error.string("code", Some(code));
                error.string("message", Some(message));
                error.close();
            }
            _ => object.value("error", None),
        }
        match end {
            Some(End::Incomplete(Some(reason))) => {
                let mut details = Object::open(object.member("incomplete_details"), false);
                details.string("reason", Some(reason));
                details.close();
            }
            _ => object.value("incomplete_details", None),
        }
        object.string("model", Some(&self.model));
        // Only the last response contains items (O2): before that, events transfer them.
        let there = self.items.iter().filter(|item| end.is_some() && !item.is_dropped);
        write_list(there, object.member("output"), |item, out| item.write_done(out));
        object.value("usage", self.usage.as_ref().filter(|_| end.is_some()));
        for (key, json) in USUAL {
            if !self.members.iter().any(|member| member.key == *key) {
                object.raw(key, Some(Raw(json)));
            }
        }
        for member in &self.members {
            object.value(&member.key, Some(&member.value));
        }
        object.close();
    }
}

/// The members that typed clients require in every response, with their default values.
const USUAL: &[(&str, &str)] = &[
    ("instructions", "null"),
    ("metadata", "{}"),
    ("parallel_tool_calls", "true"),
    ("temperature", "null"),
    ("tool_choice", "\"auto\""),
    ("tools", "[]"),
    ("top_p", "null"),
];
