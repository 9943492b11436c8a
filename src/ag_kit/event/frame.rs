//! The bytes of one event, each member where it belongs and not decoded yet.

use alloc::borrow::{Cow, ToOwned};

use crate::error::DecodeError;
use crate::json::{self, ErrorKind, Raw, Reader, Str};

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
    pub fn decode(data: &'a str, max_depth: u32) -> Result<Self, DecodeError> {
        let mut members = Members { data, values: [None; NAMES.len()], repeated: None };
        let mut reader = Reader::new(data, max_depth);
        let mut key_now = Str::plain("");
        let read = reader.object(|key, value| {
            key_now = key;
            let raw = value.value()?;
            if let Some(at) = key.as_plain().and_then(|key| NAMES.iter().position(|name| *name == key))
                && members.values[at].replace(raw).is_some()
            {
                members.repeated = Some(NAMES[at]);
            }
            Ok(())
        });
        read.and_then(|()| {
            key_now = Str::plain("");
            reader.end()
        })
        .map_err(|error| DecodeError::new(error, key_now.to_str()))?;
        let body = members.body()?;
        let optional: &[usize] = match body {
            Body::Interrupt { .. } => &[REASON],
            Body::Error { .. } => &[DETAILS],
            _ => &[],
        };
        let null = optional.iter().find(|&&at| members.values[at].is_some_and(Raw::is_null));
        Ok(Frame { body, repeated: members.repeated, null: null.map(|&at| NAMES[at]) })
    }
}

struct Members<'a> {
    data: &'a str,
    values: [Option<Raw<'a>>; NAMES.len()],
    repeated: Option<&'static str>,
}

impl<'a> Members<'a> {
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
                Body::ToolCallStart { id: self.string(TOOL_CALL_ID)?, name: self.string(TOOL_CALL_NAME)? }
            }
            "tool-call-args" => {
                Body::ToolCallArgs { id: self.string(TOOL_CALL_ID)?, delta: self.string(DELTA)? }
            }
            "tool-call-end" => Body::ToolCallEnd { id: self.string(TOOL_CALL_ID)? },
            "tool-result" => {
                Body::ToolResult { id: self.string(TOOL_CALL_ID)?, result: self.string(RESULT)? }
            }
            "interrupt" => Body::Interrupt {
                id: self.string(ID)?,
                reason: self.optional_string(REASON)?,
                payload: self.values[PAYLOAD].filter(|payload| !payload.is_null()),
            },
            "error" => {
                let (message, details) = self.error().ok_or_else(|| self.fault(ERROR, "a message"))?;
                Body::Error { message, details, typed: true }
            }
            _ => Body::Other { name: Some(name) },
        })
    }

    fn string(&self, at: usize) -> Result<Str<'a>, DecodeError> {
        self.values[at].and_then(string).ok_or_else(|| self.fault(at, "string"))
    }

    fn optional_string(&self, at: usize) -> Result<Option<Str<'a>>, DecodeError> {
        match self.values[at].filter(|value| !value.is_null()) {
            Some(_) => self.string(at).map(Some),
            None => Ok(None),
        }
    }

    /// K8, K9: the message, whatever shape it has, and the details.
    fn error(&self) -> Option<(Cow<'a, str>, Option<Cow<'a, str>>)> {
        let words = |raw: Raw<'a>| string(raw).map_or(Cow::Borrowed(raw.as_str()), Str::to_str);
        let value = |at: usize| self.values[at].filter(|value| !value.is_null());
        let error = value(ERROR)?;
        let mut message = None;
        if error.reader().peek() == Some(b'{') {
            // The error bodies of the HTTP replies have the message one level further in (A.7).
            let _ = error.reader().object(|key, member| {
                let raw = member.value()?;
                if key == "message" {
                    message = string(raw).map(Str::to_str);
                }
                Ok(())
            });
        }
        Some((message.unwrap_or_else(|| words(error)), value(DETAILS).map(words)))
    }

    /// A member that is missing or of a wrong type.
    fn fault(&self, at: usize, expected: &'static str) -> DecodeError {
        let kind = ErrorKind::WrongType { expected };
        let from =
            self.values[at].map_or(0, |raw| raw.as_str().as_ptr() as usize - self.data.as_ptr() as usize);
        let mut error = DecodeError::new(json::Error { kind, at: from }, NAMES[at].to_owned());
        if self.values[at].is_none() {
            error.code = "missing-member";
        }
        error
    }
}

fn string(raw: Raw<'_>) -> Option<Str<'_>> {
    raw.reader().string().ok()
}
