//! The answer as any protocol's is asked for.

use alloc::string::String;

use super::{Snapshot, Style};
use crate::core::answer::Answer;

impl Answer for Snapshot {
    fn answer_json(&self) -> String {
        self.response.to_json(Style::Wire)
    }

    fn calls_json(&self) -> Option<String> {
        Some(self.tool_calls_json())
    }
}
