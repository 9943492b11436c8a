//! Every bound on what an input can make this crate hold, in one table.

use crate::json;
use crate::sse::FramingLimits;

/// How much a stream may make the reader keep.
///
/// Nothing here is reached by the streams of real servers. Each bound is checked before memory grows, and passing one is
/// reported, never fatal: the item concerned is dropped and reading goes on.
///
/// | field | default | bounds |
/// |---|---|---|
/// | `line_bytes` | 64 MiB | one line of the event stream |
/// | `event_bytes` | 64 MiB | the collected lines of one event |
/// | `json_depth` | 128 | how deep arrays and objects of one event nest; [`DEEPEST`](Limits::DEEPEST) at most |
/// | `id_bytes` | 64 KiB | one id: of a message, a tool call, a response or a session |
/// | `messages` | 100 000 | messages of one response, parts of one AG-Kit turn |
/// | `contents` | 1 000 | contents of one message, those that were taken away again included |
/// | `tool_calls` | 100 000 | tool calls that are kept beside the messages |
/// | `content_bytes` | 256 MiB | one member of any length: the text or data of a content or part, a URL, metadata; all undeclared members of one object |
/// | `answer_bytes` | 512 MiB | the whole answer: all such members, and 256 bytes for each message, content, part and tool call |
/// | `data_nodes` | 100 000 | keys and elements of one data content that deltas are merged into |
/// | `number_digits` | 4 300 | digits of a number that another one is added to (Python reads no longer ones) |
/// | `undeclared_members` | 1 000 | members of one object that the protocol does not declare |
/// | `violations` | 1 000 | violations kept in full; the rest are only counted |
/// | `unknown` | 100 | names of unknown events and types that are kept; the rest are only counted |
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Longest line, in bytes.
    pub line_bytes: usize,
    /// Largest event, in bytes.
    pub event_bytes: usize,
    /// Deepest nesting of one event. More than [`DEEPEST`](Limits::DEEPEST) counts as that.
    pub json_depth: u32,
    /// Longest id, in bytes of its JSON.
    pub id_bytes: usize,
    /// Most messages of one response, or parts of one AG-Kit turn.
    pub messages: usize,
    /// Most contents of one message.
    pub contents: usize,
    /// Most tool calls of one response.
    pub tool_calls: usize,
    /// Most bytes of one text, of the data of one content, or of another member of any length.
    pub content_bytes: u64,
    /// Most bytes of the whole answer.
    pub answer_bytes: u64,
    /// Most keys and elements in the data of one content.
    pub data_nodes: usize,
    /// Most digits of a number that another one is added to.
    pub number_digits: usize,
    /// Most members of one object that the protocol does not declare.
    pub undeclared_members: usize,
    /// Most violations kept in full.
    pub violations: usize,
    /// Most names of unknown events kept.
    pub unknown: usize,
}

impl Limits {
    /// The deepest nesting that is ever read.
    pub const DEEPEST: u32 = json::DEEPEST;
}

impl From<&Limits> for FramingLimits {
    fn from(limits: &Limits) -> Self {
        FramingLimits::new(limits.line_bytes, limits.event_bytes)
    }
}

impl From<Limits> for FramingLimits {
    fn from(limits: Limits) -> Self {
        Self::from(&limits)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            line_bytes: 64 << 20,
            event_bytes: 64 << 20,
            json_depth: 128,
            id_bytes: 64 << 10,
            messages: 100_000,
            contents: 1_000,
            tool_calls: 100_000,
            content_bytes: 256 << 20,
            answer_bytes: 512 << 20,
            data_nodes: 100_000,
            number_digits: 4_300,
            undeclared_members: 1_000,
            violations: 1_000,
            unknown: 100,
        }
    }
}
