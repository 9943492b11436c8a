//! What any answer can be asked.

use alloc::string::String;

/// A native answer, whatever its protocol.
pub trait Answer {
    /// The answer as JSON: an object with at least one member.
    fn answer_json(&self) -> String;

    /// The tool calls as JSON, where they are not part of the answer.
    fn calls_json(&self) -> Option<String> {
        None
    }
}
