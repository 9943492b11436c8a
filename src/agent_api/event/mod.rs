//! Events as they stand on the wire: borrowed, everything optional, unknown members kept.
//!
//! ```
//! use agentwire::agent_api::event::Event;
//!
//! let json = r#"{"object":"content","type":"text","index":0,"delta":true,"msg_id":"msg_1","text":"你"}"#;
//! let Event::Content(content) = Event::decode(json, 128)? else { panic!("a content event") };
//! assert_eq!(content.text().map(|t| t.to_str().into_owned()).as_deref(), Some("你"));
//! # Ok::<(), agentwire::DecodeError>(())
//! ```

mod content;
mod head;
mod message;
mod response;

pub use content::{ContentEvent, Field, MsgId};
pub use head::{ErrorValue, Head};
pub use message::{MessageEvent, Parts};
pub use response::{Messages, ResponseEvent};

use crate::error::DecodeError;
use crate::json::{Raw, Reader, Str, between, scan};

/// One event of a stream.
#[allow(clippy::large_enum_variant, reason = "an event lives on the stack for as long as it is taken")]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// `object` is response.
    Response(ResponseEvent<'a>),
    /// `object` is message.
    Message(MessageEvent<'a>),
    /// `object` is content.
    Content(ContentEvent<'a>),
    /// No `object`, but an `error`: what the runtime sends when it cannot send a response (spec 3.3).
    Error(ErrorValue<'a>),
    /// Any other JSON object; verbatim.
    Other {
        /// Its `object` or `type` member, the first that is a string.
        name: Option<Str<'a>>,
        /// The whole event.
        json: &'a str,
    },
}

impl<'a> Event<'a> {
    /// Reads the JSON of one event; `max_depth` bounds its nesting.
    ///
    /// Fails when it is not one JSON object or when a declared member has a wrong type. Members the protocol does not
    /// declare, types and statuses it does not know, and missing members are no failures.
    pub fn decode(json: &'a str, max_depth: u32) -> Result<Event<'a>, DecodeError> {
        match Self::object_name(json, max_depth)? {
            Name::Object(name) => match name.as_plain() {
                Some("content") => ContentEvent::decode(json, max_depth).map(Event::Content),
                Some("message") => MessageEvent::decode(json, max_depth).map(Event::Message),
                Some("response") => ResponseEvent::decode(json, max_depth).map(Event::Response),
                _ => Ok(Event::Other { name: Some(name), json }),
            },
            Name::Error(error) => Ok(Event::Error(ErrorValue::read(error, json))),
            Name::None(name) => Ok(Event::Other { name, json }),
        }
    }

    /// Reads up to the member that tells the kind of event. On the wire that is the second, so little is read twice.
    fn object_name(json: &'a str, max_depth: u32) -> Result<Name<'a>, DecodeError> {
        // The order of the runtime's own serializer, recognised without walking the members.
        if let Some(behind) = scan::behind(json, "{\"sequence_number\":") {
            let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
            if let Some(rest) = scan::behind(between(behind, digits, behind.len()), ",\"object\":\"")
                && let Some(end) = rest.bytes().position(|byte| matches!(byte, b'"' | b'\\'))
                && rest.as_bytes().get(end) == Some(&b'"')
            {
                return Ok(Name::Object(Str::plain(between(rest, 0, end))));
            }
        }
        let mut reader = Reader::new(json, max_depth);
        let (mut object, mut kind, mut error) = (None, None, None);
        let mut key_now = Str::plain("");
        let read = reader.object(|key, value| {
            key_now = key;
            match key.as_plain() {
                Some("object") if value.peek() == Some(b'"') => object = Some(value.string()?),
                Some("type") if value.peek() == Some(b'"') => kind = Some(value.string()?),
                Some("error") => error = value.value_or_null()?,
                _ => drop(value.value()?),
            }
            Ok(())
        });
        read.and_then(|()| {
            key_now = Str::plain("");
            reader.end()
        })
        .map_err(|e| DecodeError::new(e, key_now.to_str()))?;
        Ok(match (object, error) {
            (Some(name), _) => Name::Object(name),
            (None, Some(error)) => Name::Error(error),
            (None, None) => Name::None(kind),
        })
    }
}

enum Name<'a> {
    Object(Str<'a>),
    Error(Raw<'a>),
    None(Option<Str<'a>>),
}
