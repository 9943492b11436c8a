//! The members in which clients carry the state of a server to the next request: the details of the
//! reasoning, and the signature of a call, in which sealed strings are one below the other.

use alloc::borrow::ToOwned;
use alloc::string::String;

use crate::hub::conversation::members::{take, take_string};
use crate::hub::conversation::{Opaque, Sealed, is_sealed};
use crate::json::Value;

/// The member of messages that has details of the reasoning.
pub(in crate::protocols::chat) const DETAILS: &str = "reasoning_details";

/// The member of messages and calls in which compatible servers of Gemini have a signature.
pub(in crate::protocols::chat) const EXTRA_CONTENT: &str = "extra_content";

/// Returns the detail that carries a sealed string.
pub(in crate::protocols::chat) fn detail(sealed: &str, index: usize) -> Value {
    Value::from([
        ("type", "reasoning.encrypted".into()),
        ("data", sealed.into()),
        ("index", (index as i64).into()),
    ])
}

/// Returns the sealed string of a detail.
pub(in crate::protocols::chat) fn sealed_in_detail(detail: &Value) -> Option<&str> {
    detail.get("data").filter(|data| is_sealed(data))?.as_str()
}

/// Returns the `extra_content` that carries sealed strings.
pub(in crate::protocols::chat) fn extra_content(strings: &[String]) -> Value {
    let signature = strings.join("\n");
    [("google", [("thought_signature", signature.into())].into())].into()
}

/// Returns the sealed strings in an `extra_content`, one below the other.
pub(in crate::protocols::chat) fn sealed_in(extra_content: &Value) -> Option<&str> {
    let signature = extra_content.get("google")?.get("thought_signature")?;
    Some(signature).filter(|signature| is_sealed(signature))?.as_str()
}

/// A call that the agent has run. Clients would run it once more, so it is carried as state.
#[derive(Debug)]
pub(in crate::protocols::chat) struct ExecutedCall {
    /// The call, as a message has it.
    pub call: Value,
    pub output: String,
    /// The output is the error of the call.
    pub is_error: bool,
    /// The lengths, in bytes, of the reasoning and of the text of the message before it.
    pub before: [usize; 2],
}

/// The format of sealed calls.
const EXECUTED: &str = "executed-call";

impl ExecutedCall {
    /// Returns the call as a sealed string.
    pub fn seal(self) -> String {
        let ExecutedCall { call, output, is_error, before: [reasoning, text] } = self;
        let members = Value::from([
            ("call", call),
            ("output", output.into()),
            ("error", is_error.into()),
            ("reasoning", (reasoning as i64).into()),
            ("text", (text as i64).into()),
        ]);
        let members = members.members().to_vec();
        Sealed::new(Opaque { format: EXECUTED.into(), scope: None, members }).seal()
    }

    /// Returns the call in sealed state; `None` if it is another state.
    pub fn open(sealed: &Sealed) -> Option<Self> {
        if sealed.opaque.format != EXECUTED {
            return None;
        }
        let mut members = Value::Object(sealed.opaque.members.clone());
        let length = |name: &str| members.get(name).and_then(Value::integer).unwrap_or_default();
        Some(ExecutedCall {
            before: ["reasoning", "text"].map(length),
            is_error: members.get("error").and_then(Value::as_bool) == Some(true),
            output: take_string(&mut members, "output"),
            call: take(&mut members, "call").unwrap_or_default(),
        })
    }

    /// Returns its id, its name and its input.
    pub fn parts(&self) -> [String; 3] {
        let inner = |name: &str| {
            ["function", "custom"].iter().find_map(|kind| self.call.get(kind)?.text(name))
        };
        [self.call.text("id"), inner("name"), inner("arguments").or_else(|| inner("input"))]
            .map(|text| text.unwrap_or_default().to_owned())
    }
}
