//! The members in which clients carry the state of a server to the next request: the details of the
//! reasoning, and the signature of a call, in which sealed strings are one below the other.

use alloc::string::String;

use crate::hub::conversation::is_sealed;
use crate::json::Value;

/// The member of messages that has details of the reasoning.
pub(super) const DETAILS: &str = "reasoning_details";

/// The member of messages and calls in which compatible servers of Gemini have a signature.
pub(super) const EXTRA_CONTENT: &str = "extra_content";

/// Returns the detail that carries a sealed string.
pub(super) fn detail(sealed: &str, index: usize) -> Value {
    Value::from([
        ("type", "reasoning.encrypted".into()),
        ("data", sealed.into()),
        ("index", (index as i64).into()),
    ])
}

/// Returns the sealed string of a detail.
pub(super) fn sealed_in_detail(detail: &Value) -> Option<&str> {
    detail.get("data").filter(|data| is_sealed(data))?.as_str()
}

/// Returns the `extra_content` that carries sealed strings.
pub(super) fn extra_content(strings: &[String]) -> Value {
    let signature = strings.join("\n");
    [("google", [("thought_signature", signature.into())].into())].into()
}

/// Returns the sealed strings in an `extra_content`, one below the other.
pub(super) fn sealed_in(extra_content: &Value) -> Option<&str> {
    let signature = extra_content.get("google")?.get("thought_signature")?;
    Some(signature).filter(|signature| is_sealed(signature))?.as_str()
}
