//! Every bound on what an input can make this crate hold, in one table.

/// How much a stream may make the reader keep.
///
/// Nothing here is reached by the streams of real servers. Each bound is checked before memory grows, and passing one is
/// reported, never fatal: the item concerned is dropped and reading goes on.
///
/// | field | default | bounds |
/// |---|---|---|
/// | `line_bytes` | 64 MiB | one line of the event stream |
/// | `event_bytes` | 64 MiB | the collected lines of one event |
/// | `json_depth` | 128 | how deep arrays and objects of one event nest |
/// | `messages` | 100 000 | messages of one response, parts of one AG-Kit turn |
/// | `contents` | 1 000 | contents of one message |
/// | `content_bytes` | 256 MiB | decoded text of one content or part |
/// | `data_nodes` | 100 000 | keys and elements of one data content that deltas are merged into |
/// | `violations` | 1 000 | violations kept in full; the rest are only counted |
/// | `unknown` | 100 | names of unknown events and types that are kept; the rest are only counted |
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Longest line, in bytes.
    pub line_bytes: usize,
    /// Largest event, in bytes.
    pub event_bytes: usize,
    /// Deepest nesting of one event.
    pub json_depth: u32,
    /// Most messages of one response, or parts of one AG-Kit turn.
    pub messages: usize,
    /// Most contents of one message.
    pub contents: usize,
    /// Most bytes of decoded text of one content or part.
    pub content_bytes: u64,
    /// Most keys and elements in the data of one content.
    pub data_nodes: usize,
    /// Most violations kept in full.
    pub violations: usize,
    /// Most names of unknown events kept.
    pub unknown: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            line_bytes: 64 << 20,
            event_bytes: 64 << 20,
            json_depth: 128,
            messages: 100_000,
            contents: 1_000,
            content_bytes: 256 << 20,
            data_nodes: 100_000,
            violations: 1_000,
            unknown: 100,
        }
    }
}
