//! The answer as any protocol's is asked for.

use alloc::string::String;

use super::Snapshot;
use crate::core::answer::Answer;

impl Answer for Snapshot {
    fn answer_json(&self) -> String {
        self.to_json()
    }
}
