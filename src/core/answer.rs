//! The common interface of the answers of all protocols: `model!` implements it for every root.

use alloc::string::String;

use super::declare::model::member::{Object, Writing};

/// A native answer of any protocol.
pub trait Answer: Object {
    /// Returns the answer as JSON: an object with at least one member.
    fn answer_json(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, Writing::default());
        out
    }

    /// Returns the tool calls as JSON if they are not part of the answer.
    fn calls_json(&self) -> Option<String> {
        None
    }
}
