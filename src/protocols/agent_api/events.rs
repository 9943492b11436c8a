//! Events as on the wire: borrowed, with all members optional and unknown members kept.
//!
//! ```
//! use agentwire::{agent_api::events::Event, json::Document};
//!
//! let json = r#"{"object":"content","type":"text","index":0,"delta":true,"msg_id":"msg_1","text":"你"}"#;
//! let document = Document::read(json, 128)?; // containers nest 128 deep at most
//! let Event::Content(content) = Event::decode(&document)? else { panic!("a content event") };
//! assert_eq!(content.text().map(|t| t.to_str().into_owned()).as_deref(), Some("你"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use alloc::borrow::Cow;

use super::MODEL;
use super::model::{DataContent, TextContent};
pub use crate::core::declare::events::form::{NestedJson, Presence};
use crate::core::declare::events::table::EventTable;
use crate::core::declare::lazy_objects;
use crate::core::{DecodeError, EventReading};
use crate::engine::Field;
use crate::json::{self, Document, Element, Raw, Str};
use crate::protocols::agent_api::model::ContentType;
#[cfg(feature = "std")]
use crate::protocols::agent_api::model::{Content, MessageType, Role, RunStatus};

lazy_objects! {
    /// A response event. (Spec 1.2, `AgentResponse`.)
    ResponseEvent as "WireResponse" = "response" {
        /// The event's number in the stream.
        sequence_number: Number,
        /// The kind of the event.
        object: Json,
        /// The status of the response.
        status: Nullable<Text> in RunStatus,
        /// The error: a string or an object.
        error: Json,
        /// The response's id.
        own_id as "id": Nullable<Id>,
        /// The response's id, as servers of version 0.x write it.
        response_id: Nullable<Id>,
        /// The creation time, in seconds since 1970.
        created_at: Number,
        /// The completion time, in seconds since 1970.
        completed_at: Number,
        /// The messages of the response.
        output: Nullable<List> of MessageEvent,
        /// The token usage.
        usage: Json,
        /// The session's id.
        session_id: Nullable<Id>,
    }

    /// A message event, or a message inside a response. (Spec 1.2, `Message`.)
    MessageEvent as "WireMessage" = "message" {
        /// The event's number in the stream.
        sequence_number: Number,
        /// The kind of the event.
        object: Json,
        /// The status of the message.
        status: Nullable<Text> in RunStatus,
        /// The error: a string or an object.
        error: Json,
        /// The message's id.
        id: Nullable<Id>,
        /// The type of the message.
        kind as "type": Nullable<Text> in MessageType,
        /// The role of the sender.
        role: Nullable<Text> in Role,
        /// The contents of the message.
        content: Nullable<List> of ContentEvent,
        /// The error code.
        code: Nullable<Text>,
        /// The error message.
        message: Nullable<Text>,
        /// The token usage.
        usage: Json,
        /// The metadata: any JSON.
        metadata: Json,
    }

    /// A content event, or a content of a message. (Spec 1.2, `Content`.)
    ContentEvent as "WirePart" = "content" if check_types with Content {
        /// The event's number in the stream.
        sequence_number: Number,
        /// The kind of the event.
        object: Json,
        /// The status of the content.
        status: Nullable<Text> in RunStatus,
        /// The error: a string or an object.
        error: Json,
        /// The type of the content; [`content_type`](Self::content_type) derives it if this is
        /// missing.
        kind as "type": Nullable<Text> in ContentType,
        /// The content's index in the message.
        index: Nullable<Integer>,
        /// Whether the content is a delta. Absent means false.
        delta: Maybe<Bool>,
        /// The id of the message. Absent and null differ: the documented examples omit the
        /// property, servers of version 1.0 write null in events that only repeat earlier content.
        msg_id: Maybe<Id>,
        /// The value of a text. This and the following are the members of the answer's contents, by
        /// their types.
        text_value as "text": Json,
        /// The value of a refusal.
        refusal: Json,
        /// The value of an image.
        image_url: Json,
        /// The value of a video.
        video_url: Json,
        /// The object of data; the text of an audio.
        data_value as "data": Json,
        /// The format of an audio.
        format: Json,
        /// The URL of a file.
        file_url: Json,
        /// The id of a file.
        file_id: Json,
        /// The name of a file.
        filename: Json,
        /// The data of a file.
        file_data: Json,
    }

    /// The error that the runtime sends when it cannot send a response. (Spec 3.3.)
    ErrorFrame as "WireErrorFrame" {
        /// The error: a string or an object.
        error: Json,
        /// The error message.
        message: Json,
        /// Details of the error.
        details: Json,
    }
}

/// The events of the protocol.
pub(crate) static EVENTS: EventTable = EventTable {
    tag: "object",
    rows: &[ContentEvent::ROW, MessageEvent::ROW, ResponseEvent::ROW, ErrorFrame::ROW],
};

/// One event of a stream.
#[allow(
    clippy::large_enum_variant,
    reason = "an event lives on the stack for as long as it is taken"
)]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// `object` is response.
    Response(ResponseEvent<'a>),
    /// `object` is message.
    Message(MessageEvent<'a>),
    /// `object` is content.
    Content(ContentEvent<'a>),
    /// No `object`, but an `error`.
    Error(ErrorValue<'a>),
    /// Any other JSON object; verbatim.
    Other {
        /// Its `object` or `type` member, the first that is a string.
        name: Option<Str<'a>>,
        /// The whole event.
        json: Element<'a, 'a>,
    },
}

impl<'a> Event<'a> {
    /// Reads one event.
    ///
    /// Fails if it is not an object or if a declared member has a wrong type. Undeclared members,
    /// unknown types and statuses, and missing members are not errors.
    pub fn decode(document: &'a Document<'a>) -> Result<Event<'a>, DecodeError> {
        read(document.root()).map(Event::of)
    }

    /// Creates an event from a checked reading.
    pub(crate) fn of(reading: EventReading<'a, 'a>) -> Event<'a> {
        match reading.row {
            Some(0) => Event::Content(ContentEvent(reading)),
            Some(1) => Event::Message(MessageEvent(reading)),
            Some(2) => Event::Response(ResponseEvent(reading)),
            Some(_) => Event::Error(ErrorValue::of_frame(ErrorFrame(reading))),
            None => Event::Other {
                name: reading.name.or_else(|| first_string(reading.json, "type")),
                json: reading.json,
            },
        }
    }
}

/// Reads one event. Its first `object` member that is a string determines its type.
pub(crate) fn read<'d, 'a>(json: Element<'d, 'a>) -> Result<EventReading<'d, 'a>, DecodeError> {
    json.object().map_err(|error| DecodeError::new(error, ""))?;
    let mut reading = EventReading::new(json, EVENTS.tag);
    reading.name = first_string(json, EVENTS.tag);
    EVENTS.read_as(&mut reading)?;
    Ok(reading)
}

fn first_string<'a>(json: Element<'_, 'a>, name: &str) -> Option<Str<'a>> {
    let mut members = json.object().ok()?;
    while let Some(value) = members.next_value() {
        if value.is_of(name) && value.first() == b'"' {
            return value.string().ok();
        }
    }
    None
}

impl<'a> ResponseEvent<'a> {
    /// Returns the response's id, in either spelling.
    ///
    /// ```
    /// use agentwire::{agent_api::events::Event, json::Document};
    ///
    /// let document = Document::read(r#"{"object":"response","response_id":"r","output":[{"id":"m1"},5]}"#, 128)?;
    /// let Event::Response(response) = Event::decode(&document)? else { panic!("a response event") };
    /// assert_eq!(response.id().and_then(|id| id.as_plain()), Some("r"));
    /// let messages = response.output().expect("a list").each();
    /// let ids: Vec<_> = messages.map(|message| message.ok()?.id()?.as_plain()).collect();
    /// assert_eq!(ids, [Some("m1"), None]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn id(&self) -> Option<Str<'a>> {
        self.own_id().or_else(|| self.response_id())
    }
}

/// The code and the message of an `error` member of any shape.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ErrorValue<'a> {
    /// The `code`, if present.
    pub code: Option<Cow<'a, str>>,
    /// The message; JSON text if the error is neither a string nor an object with a message.
    pub message: Cow<'a, str>,
}

impl<'a> ErrorValue<'a> {
    /// Reads an event's error, which is an object or a string.
    pub(crate) fn read(error: Element<'a, 'a>) -> Self {
        if let Ok(text) = error.string() {
            return ErrorValue { code: None, message: text.to_str() };
        }
        let member = |name: &str| {
            let members = error.object().ok()?;
            let (_, value) =
                members.filter(|(key, value)| *key == name && !value.is_null()).last()?;
            Some(value.words())
        };
        let message = member("message").unwrap_or(Cow::Borrowed(error.raw().as_str()));
        ErrorValue { code: member("code"), message }
    }

    /// Reads a bare frame, in which other members may complement an error string.
    fn of_frame(frame: ErrorFrame<'a>) -> Self {
        let Some(error) = frame.error() else {
            return ErrorValue { code: None, message: Cow::Borrowed("") };
        };
        let mut value = Self::read(error);
        if let (Ok(_), Some(detail)) = (error.string(), frame.message().or_else(|| frame.details()))
        {
            let detail = detail.words();
            if !detail.is_empty() && detail != value.message {
                let text = value.message.to_mut();
                json::put(text, ": ");
                json::put(text, &detail);
            }
        }
        value
    }
}

/// The number of members that contents of every type have. The members of single types follow them.
const EVERY_TYPE: usize = 8;

/// The positions of the members of single types in an event, by their numbers in the answer.
static PLACES: [u8; 256] = {
    let mut places = [0; 256];
    let mut at = EVERY_TYPE;
    while at < ContentEvent::MEMBERS.len() {
        places[MODEL.key_of(ContentEvent::MEMBERS[at]).0 as usize] = at as u8;
        at += 1;
    }
    places
};

impl<'a> ContentEvent<'a> {
    /// Returns the undeclared members; for a content of an unknown type, all members that not every
    /// type has.
    pub fn extra(
        &self,
        kind: &ContentType,
    ) -> impl Iterator<Item = (Cow<'a, str>, Raw<'a>)> + use<'a> {
        let is_known = !matches!(kind, ContentType::Other(_));
        let any = (!is_known || self.0.has_undeclared())
            .then(|| self.0.other_than(if is_known { Self::MEMBERS.len() } else { EVERY_TYPE }));
        any.into_iter().flatten()
    }

    /// Returns the type. Without a `type`, the first member that belongs to a single type
    /// determines it; the default is text.
    pub fn content_type(&self) -> ContentType {
        let Some(name) = self.kind() else {
            let kind = self.0.first_from(EVERY_TYPE).and_then(|at| self.type_with(at));
            return kind.unwrap_or(ContentType::Text);
        };
        name.as_plain()
            .and_then(ContentType::known)
            .unwrap_or_else(|| ContentType::from(&*name.to_str()))
    }

    /// Returns the first type with the member at this position of the event. A `data` that is not
    /// an object belongs to an audio.
    fn type_with(&self, at: usize) -> Option<ContentType> {
        let has_member =
            |kind: &ContentType| kind.members().iter().any(|key| usize::from(place(*key)) == at);
        let kind =
            ContentType::NAMES.iter().map(|name| ContentType::from(*name)).find(has_member)?;
        Some(if kind == ContentType::Data && self.data().is_none() {
            ContentType::Audio
        } else {
            kind
        })
    }

    /// Returns the string in a member; `None` if the member is absent, null or another type.
    pub(crate) fn string(&self, member: Field) -> Option<Str<'a>> {
        self.value(member)?.string().ok()
    }

    /// Returns the text of a text content.
    pub fn text(&self) -> Option<Str<'a>> {
        self.string(TextContent::text)
    }

    /// Returns the object of a data content.
    pub fn data(&self) -> Option<Element<'a, 'a>> {
        self.value(DataContent::data).filter(|data| data.first() != b'"')
    }

    /// Returns the value of a member, unless it is null.
    fn value(&self, member: Field) -> Option<Element<'a, 'a>> {
        self.0.get(place(member).into())
    }

    /// Checks that the members of the content's own type have the declared JSON type.
    fn check_types(&self) -> Result<(), DecodeError> {
        let kind = self.content_type();
        for &member in kind.members() {
            let (first, expected) = match kind {
                ContentType::Data => (b'{', "object or null"),
                _ => (b'"', "string or null"),
            };
            if let Some(wrong) = self.value(member).filter(|value| value.first() != first) {
                return Err(DecodeError::new(
                    wrong.mismatch(expected),
                    MODEL.key(member).unwrap_or_default(),
                ));
            }
        }
        Ok(())
    }
}

fn place(member: Field) -> u8 {
    PLACES[usize::from(member.0)]
}
