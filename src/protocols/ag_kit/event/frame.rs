//! The bytes of one event, each member where it belongs and not decoded yet.

use alloc::borrow::{Cow, ToOwned};

use crate::core::error::DecodeError;
use crate::json::{self, Document, Element, ErrorKind, Raw, Str};

/// One event that is a JSON object. Strings stay as they stood, so that a character whose halves are in two pieces can
/// still be joined.
#[derive(Clone, Debug)]
pub(crate) struct Frame<'a> {
    pub body: Body<'a>,
    /// A declared member that stood twice; the last value counts.
    pub repeated: Option<&'static str>,
    /// A member that may be left out was null instead.
    pub null: Option<&'static str>,
}

#[derive(Clone, Debug)]
pub(crate) enum Body<'a> {
    Text { content: Str<'a> },
    ToolCallStart { id: Str<'a>, name: Str<'a> },
    ToolCallArgs { id: Str<'a>, delta: Str<'a> },
    ToolCallEnd { id: Str<'a> },
    ToolResult { id: Str<'a>, result: Str<'a> },
    Interrupt { id: Str<'a>, reason: Option<Str<'a>>, payload: Option<Raw<'a>> },
    Error { message: Cow<'a, str>, details: Option<Cow<'a, str>>, typed: bool },
    Other { name: Option<Str<'a>> },
}

/// Every member that an event of the protocol has, and where [`Members`] keeps it.
const NAMES: [&str; 11] = [
    "type",
    "content",
    "toolCallId",
    "toolCallName",
    "delta",
    "result",
    "id",
    "reason",
    "payload",
    "error",
    "details",
];
const TYPE: usize = 0;
const CONTENT: usize = 1;
const TOOL_CALL_ID: usize = 2;
const TOOL_CALL_NAME: usize = 3;
const DELTA: usize = 4;
const RESULT: usize = 5;
const ID: usize = 6;
const REASON: usize = 7;
const PAYLOAD: usize = 8;
const ERROR: usize = 9;
const DETAILS: usize = 10;

impl<'a> Frame<'a> {
    pub fn decode(document: &Document<'a>) -> Result<Self, DecodeError> {
        let mut members = Members { values: [None; NAMES.len()], repeated: None };
        for (key, value) in document.root().object().map_err(|error| DecodeError::new(error, ""))? {
            if let Some(at) = key.as_plain().and_then(|key| NAMES.iter().position(|name| *name == key))
                && members.values[at].replace(value).is_some()
            {
                members.repeated = Some(NAMES[at]);
            }
        }
        let body = members.body()?;
        let optional: &[usize] = match body {
            Body::Interrupt { .. } => &[REASON],
            Body::Error { .. } => &[DETAILS],
            _ => &[],
        };
        let null = optional.iter().find(|&&at| members.values[at].is_some_and(Element::is_null));
        Ok(Frame { body, repeated: members.repeated, null: null.map(|&at| NAMES[at]) })
    }
}

struct Members<'d, 'a> {
    values: [Option<Element<'d, 'a>>; NAMES.len()],
    repeated: Option<&'static str>,
}

impl<'a> Members<'_, 'a> {
    fn body(&self) -> Result<Body<'a>, DecodeError> {
        let Some(name) = self.optional_string(TYPE)? else {
            return match self.error() {
                Some((message, details)) => Ok(Body::Error { message, details, typed: false }),
                None => Ok(Body::Other { name: None }),
            };
        };
        Ok(match name.as_plain().unwrap_or_default() {
            "text" => Body::Text { content: self.string(CONTENT)? },
            "tool-call-start" => {
                Body::ToolCallStart { id: self.id(TOOL_CALL_ID)?, name: self.string(TOOL_CALL_NAME)? }
            }
            "tool-call-args" => Body::ToolCallArgs { id: self.id(TOOL_CALL_ID)?, delta: self.string(DELTA)? },
            "tool-call-end" => Body::ToolCallEnd { id: self.id(TOOL_CALL_ID)? },
            "tool-result" => Body::ToolResult { id: self.id(TOOL_CALL_ID)?, result: self.string(RESULT)? },
            "interrupt" => Body::Interrupt {
                id: self.id(ID)?,
                reason: self.optional_string(REASON)?,
                payload: self.values[PAYLOAD].and_then(Element::or_null).map(Element::raw),
            },
            "error" => {
                let (message, details) = self.error().ok_or_else(|| self.fault(ERROR, "a message"))?;
                Body::Error { message, details, typed: true }
            }
            _ => Body::Other { name: Some(name) },
        })
    }

    fn string(&self, at: usize) -> Result<Str<'a>, DecodeError> {
        self.values[at].and_then(|value| value.string().ok()).ok_or_else(|| self.fault(at, "string"))
    }

    fn id(&self, at: usize) -> Result<Str<'a>, DecodeError> {
        let id = self.string(at)?;
        let checked = self.values[at].map_or(Ok(id), Element::id);
        checked.map_err(|error| DecodeError::new(error, NAMES[at].to_owned()))
    }

    fn optional_string(&self, at: usize) -> Result<Option<Str<'a>>, DecodeError> {
        match self.values[at].and_then(Element::or_null) {
            Some(_) => self.string(at).map(Some),
            None => Ok(None),
        }
    }

    /// K8, K9: the message, whatever shape it has, and the details.
    fn error(&self) -> Option<(Cow<'a, str>, Option<Cow<'a, str>>)> {
        let value = |at: usize| self.values[at].and_then(Element::or_null);
        let error = value(ERROR)?;
        // The error bodies of the HTTP replies have the message one level further in (A.7).
        let inside = error.object().into_iter().flatten().filter(|(key, _)| *key == "message");
        let message = inside.filter_map(|(_, value)| value.string().ok()).last().map(Str::to_str);
        Some((message.unwrap_or_else(|| error.words()), value(DETAILS).map(Element::words)))
    }

    /// A member that is missing or of a wrong type.
    fn fault(&self, at: usize, expected: &'static str) -> DecodeError {
        let found = match self.values[at] {
            Some(value) => value.mismatch(expected),
            None => json::Error { kind: ErrorKind::WrongType { expected }, at: 0 },
        };
        let mut error = DecodeError::new(found, NAMES[at].to_owned());
        if self.values[at].is_none() {
            error.code = "missing-member";
        }
        error
    }
}
