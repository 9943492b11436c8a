//! Where ids and the time come from: outside.

use alloc::string::String;

use crate::json::decimal;

/// Makes the ids of what a builder creates.
///
/// A builder asks for every id through this, so that tests are repeatable and an edge worker can use its own numbering.
pub trait IdSource: Send {
    /// A new id that starts with `prefix` (`"msg_"`, `"response_"`).
    fn next_id(&mut self, prefix: &str) -> String;
}

/// Numbered ids (`msg_1`, `msg_2`, …): deterministic, unique within one run only.
#[derive(Clone, Debug, Default)]
pub struct Counter(u64);

impl IdSource for Counter {
    fn next_id(&mut self, prefix: &str) -> String {
        self.0 += 1;
        [prefix, &decimal(self.0 as i64)].concat()
    }
}

/// Random version 4 UUIDs, the ids of the real servers.
#[cfg(feature = "uuid")]
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomIds;

#[cfg(feature = "uuid")]
impl IdSource for RandomIds {
    fn next_id(&mut self, prefix: &str) -> String {
        alloc::format!("{prefix}{}", uuid::Uuid::new_v4())
    }
}

/// Seconds since 1970, asked for at each response that a builder starts or ends.
pub type Clock = fn() -> i64;
