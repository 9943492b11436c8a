//! The bounds on the memory that an input can make this crate use, in one table.

use crate::json;
use crate::sse::FramingLimits;

/// Declares the limits: the fields, their defaults, and a table for callers that refer to them by
/// name.
macro_rules! limits {
    (
        $(#[$meta:meta])*
        pub struct Limits {
            $($(#[doc = $doc:literal])* $field:ident $name:literal: $Type:ident = $default:literal $(<< $shift:literal)? $(at most $most:literal)?;)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Limits {
            $($(#[doc = $doc])* pub $field: $Type,)*
        }

        impl Limits {
            /// All limits, in the order of their declaration.
            pub const ALL: &'static [Limit] = &[$(Limit {
                name: $name,
                #[cfg(feature = "std")]
                doc: &[$($doc),*],
                default: $default $(<< $shift)?,
                most: [$($most,)? u32::MAX][0],
            },)*];

            /// Returns the name of a field in the language of the caller.
            #[cfg(feature = "ag-ui")]
            pub(crate) fn public_name(field: &'static str) -> &'static str {
                match field {
                    $(stringify!($field) if cfg!(target_family = "wasm") => $name,)*
                    _ => field,
                }
            }

            /// Sets the limit at a position in [`ALL`](Self::ALL).
            #[cfg(feature = "wasm-reader")]
            pub(crate) fn set(&mut self, place: usize, number: u32) {
                let mut at = 0;
                $(
                    if at == place {
                        self.$field = number as $Type;
                    }
                    at += 1;
                )*
                let _ = at;
            }
        }

        impl Default for Limits {
            fn default() -> Self {
                Limits { $($field: $default $(<< $shift)?,)* }
            }
        }
    };
}

/// A row of the table of limits.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// Its name in JavaScript.
    pub name: &'static str,
    /// The description, line by line.
    #[cfg(feature = "std")]
    pub doc: &'static [&'static str],
    /// The default value.
    pub default: u32,
    /// The maximum value.
    pub most: u32,
}

limits! {
    /// The bounds on the memory that a stream can make the reader use.
    ///
    /// Streams of real servers do not reach these bounds. Each bound is checked before memory
    /// grows. Exceeding a bound is reported and is never fatal: the item concerned is dropped and
    /// reading continues.
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
    /// | `growth` | 64 | bytes that are allocated and written for each byte of the stream so far, beside 64 KiB: padding, copies, changes of patches. Pieces of AG-UI's texts pay for themselves only |
    /// | `data_nodes` | 100 000 | keys and elements of one data content that deltas are merged into |
    /// | `number_digits` | 4 300 | digits of a number that another one is added to (Python reads no longer ones) |
    /// | `undeclared_members` | 1 000 | members of one object that the protocol does not declare |
    /// | `violations` | 1 000 | violations kept in full; the rest are only counted |
    /// | `unknown` | 100 | names of unknown events and types that are kept; the rest are only counted |
    pub struct Limits {
        /// The maximum number of bytes in one line.
        line_bytes "lineBytes": usize = 64 << 20;
        /// The maximum number of bytes in one event.
        event_bytes "eventBytes": usize = 64 << 20;
        /// The maximum depth of nested arrays and objects in one event.
        json_depth "jsonDepth": u32 = 128 at most 512;
        /// The maximum number of bytes in one id: of a message, a tool call, a response or a
        /// session.
        id_bytes "idBytes": usize = 64 << 10;
        /// The maximum number of messages in one response, or of parts in one turn.
        messages "messages": usize = 100_000;
        /// The maximum number of contents in one message, including those that were removed.
        contents "contents": usize = 1_000;
        /// The maximum number of tool calls that are kept in addition to the messages.
        tool_calls "toolCalls": usize = 100_000;
        /// The maximum number of bytes in one text, in the data of one content, or in another
        /// property of any length.
        content_bytes "contentBytes": u64 = 256 << 20;
        /// The maximum number of bytes in the whole snapshot. Each message, content, part and tool
        /// call counts as 256 bytes.
        answer_bytes "answerBytes": u64 = 512 << 20;
        /// The maximum number of bytes that the reader allocates and writes per byte that it
        /// receives.
        growth "growth": u64 = 64;
        /// The maximum number of keys and elements in one data content that arrives in deltas.
        data_nodes "dataNodes": usize = 100_000;
        /// The maximum number of digits of a number to which another number is added.
        number_digits "numberDigits": usize = 4_300 at most 4_300;
        /// The maximum number of undeclared properties in one object.
        undeclared_members "undeclaredMembers": usize = 1_000;
        /// The maximum number of violations that are kept in full. The others are only counted.
        violations "violations": usize = 1_000;
        /// The maximum number of names of unknown events and types that are kept. The others are
        /// only counted.
        unknown "unknown": usize = 100;
    }
}

impl Limits {
    /// The maximum depth that can be configured.
    pub const DEEPEST: u32 = json::DEEPEST;
}

const _: () = assert!(Limits::ALL[2].most == Limits::DEEPEST);

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

/// The number of bytes that may still be allocated and written. Input refills it.
///
/// A limit on stored bytes does not bound temporary ones: padding, copies, a log of changes. Each
/// of these is paid for before its memory is allocated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    left: u64,
    growth: u64,
    /// The bytes of the events that have refilled the budget.
    received: u64,
}

impl Budget {
    /// The bytes that are available before any input.
    const START: u64 = 64 << 10;

    /// Bytes of an event's frame that are not part of its data.
    const FRAME: u64 = 8;

    pub fn new(limits: &Limits) -> Self {
        Budget { left: Self::START, growth: limits.growth, received: 0 }
    }

    /// Adds the budget for an event of so many bytes.
    #[inline]
    pub fn refill(&mut self, bytes: usize) {
        let allowance = self.growth.saturating_mul(bytes as u64 + Self::FRAME);
        self.left = self.left.saturating_add(allowance);
        self.received += bytes as u64 + Self::FRAME;
    }

    /// Takes back what an event has refilled since `before` and has not spent.
    #[inline]
    pub fn take_back(&mut self, before: Budget) {
        self.left = self.left.min(before.left);
        self.received = before.received;
    }

    /// Returns the bytes of the events that have refilled the budget.
    #[cfg(feature = "ag-ui")]
    pub fn received(&self) -> u64 {
        self.received
    }

    #[inline]
    pub fn has(&self, bytes: u64) -> bool {
        bytes <= self.left
    }

    /// Pays for so many bytes. Returns false and pays nothing if the budget is too small.
    #[inline]
    #[must_use]
    pub fn pay(&mut self, bytes: u64) -> bool {
        let has = self.has(bytes);
        if has {
            self.left -= bytes;
        }
        has
    }
}

/// The budget for the default limits.
impl Default for Budget {
    fn default() -> Self {
        Self::new(&Limits::default())
    }
}
