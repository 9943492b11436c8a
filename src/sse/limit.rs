//! Bounds on lines and events, checked while framing.

use core::fmt;

/// The maximum size of the parts of a stream that are collected before they are emitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FramingLimits {
    /// Longest line, in bytes.
    pub line_bytes: usize,
    /// Largest event, in bytes.
    pub event_bytes: usize,
}

/// The error of a line or event that exceeds one of the [`Limits`](crate::Limits).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LimitExceeded {
    /// The field of [`Limits`](crate::Limits).
    pub limit: &'static str,
    /// Its value.
    pub allowed: u64,
    /// Stream offset of the event concerned.
    pub offset: u64,
}

impl FramingLimits {
    /// Creates limits, in bytes.
    pub const fn new(line_bytes: usize, event_bytes: usize) -> Self {
        FramingLimits { line_bytes, event_bytes }
    }
}

impl fmt::Display for LimitExceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "more than `{}` = {} at byte {}", self.limit, self.allowed, self.offset)
    }
}

impl core::error::Error for LimitExceeded {}
