//! What the answer of any protocol can be asked: `model!` says it of every root.

use alloc::string::String;

use super::member::{Object, Writing};

/// A native answer, whatever its protocol.
pub trait Answer: Object {
    /// The answer as JSON: an object with at least one member.
    fn answer_json(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, Writing::default());
        out
    }

    /// The tool calls as JSON, where they are not part of the answer.
    fn calls_json(&self) -> Option<String> {
        None
    }
}
