//! Bounds on lines and events, checked while framing.

use core::fmt;

/// How much of a stream is collected before it is handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FramingLimits {
    /// Longest line, in bytes.
    pub line_bytes: usize,
    /// Largest event, in bytes.
    pub event_bytes: usize,
}

/// Something was larger than a bound of [`Limits`](crate::Limits) allows.
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
    /// These bounds, in bytes.
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
