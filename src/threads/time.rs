//! Times in milliseconds.

use std::format;
use std::string::String;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::core::id::iso8601;

/// Returns the time in milliseconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, millis)
}

/// Returns a duration in milliseconds.
pub(crate) fn millis(time: Duration) -> u64 {
    time.as_millis().try_into().unwrap_or(u64::MAX)
}

/// Returns a time in ISO 8601 with milliseconds, such as `2026-03-19T10:00:00.123Z`.
pub(crate) fn iso8601_of(at: u64) -> String {
    [&iso8601((at / 1000) as i64)[..19], &format!(".{:03}Z", at % 1000)].concat()
}
