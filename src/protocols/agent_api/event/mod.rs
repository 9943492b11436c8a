//! Events as they stand on the wire: borrowed, everything optional, unknown members kept.
//!
//! ```
//! use agentwire::{agent_api::event::Event, json::Document};
//!
//! let json = r#"{"object":"content","type":"text","index":0,"delta":true,"msg_id":"msg_1","text":"你"}"#;
//! let document = Document::read(json, 128)?; // containers nest 128 deep at most
//! let Event::Content(content) = Event::decode(&document)? else { panic!("a content event") };
//! assert_eq!(content.text().map(|t| t.to_str().into_owned()).as_deref(), Some("你"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod content;
mod head;
mod message;
mod response;

pub use content::{ContentEvent, Field, MsgId};
pub use head::{ErrorValue, Head};
pub use message::MessageEvent;
pub use response::ResponseEvent;

use crate::core::error::DecodeError;
use crate::json::{Document, Element, Str};

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
        json: Element<'a, 'a>,
    },
}

impl<'a> Event<'a> {
    /// Reads one event.
    ///
    /// Fails when it is no object or when a declared member has a wrong type. Members the protocol does not declare,
    /// types and statuses it does not know, and missing members are no failures.
    pub fn decode(document: &'a Document<'a>) -> Result<Event<'a>, DecodeError> {
        let json = document.root();
        let (mut kind, mut error) = (None, None);
        for (key, value) in json.object().map_err(|error| DecodeError::new(error, ""))? {
            match key.as_plain() {
                // On the wire that is the second.
                Some("object") if value.first() == b'"' => return Self::of(value.string().ok(), json),
                Some("type") if value.first() == b'"' => kind = value.string().ok(),
                Some("error") => error = value.or_null(),
                _ => {}
            }
        }
        Ok(match error {
            Some(error) => Event::Error(ErrorValue::read(error, Some(json))),
            None => Event::Other { name: kind, json },
        })
    }

    fn of(name: Option<Str<'a>>, json: Element<'a, 'a>) -> Result<Event<'a>, DecodeError> {
        match name.and_then(Str::as_plain) {
            Some("content") => ContentEvent::decode(json).map(Event::Content),
            Some("message") => MessageEvent::decode(json).map(Event::Message),
            Some("response") => ResponseEvent::decode(json).map(Event::Response),
            _ => Ok(Event::Other { name, json }),
        }
    }
}

/// Whether this is an event, and the messages and contents in it are some: [`Event::decode`] leaves those to whoever takes them.
pub(crate) fn check_event(document: &Document<'_>) -> Result<(), DecodeError> {
    let whole = |message: MessageEvent<'_>| message.parts().try_for_each(|part| part.map(drop));
    match Event::decode(document)? {
        Event::Response(response) => response.messages().try_for_each(|message| whole(message?)),
        Event::Message(message) => whole(message),
        Event::Content(_) | Event::Error(_) | Event::Other { .. } => Ok(()),
    }
}
