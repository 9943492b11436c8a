//! The options for reading any protocol.

use alloc::string::String;
use alloc::vec::Vec;

use crate::core::limits::Limits;
use crate::json::JsonText;
use crate::sse::{Framing, TrailingEvent};

/// An option of a reader, for callers that refer to it by name and pass its value as a number.
#[derive(Clone, Copy, Debug)]
pub struct OptionShape {
    /// Its name in JavaScript.
    pub name: &'static str,
    /// The description, line by line.
    #[cfg(feature = "std")]
    pub doc: &'static [&'static str],
    /// The possible values.
    pub values: OptionValues,
}

/// The possible values of an option.
#[derive(Clone, Copy, Debug)]
pub enum OptionValues {
    /// One of these words. The number of a word is its position.
    Words(&'static [&'static str]),
    /// Yes (1) or no (0).
    Flag,
    /// A list of strings.
    Names,
    /// Any JSON.
    Json,
}

impl OptionShape {
    /// Whether one of these options accepts any JSON.
    #[cfg(feature = "wasm-reader")]
    pub(crate) const fn any_json(options: &[OptionShape]) -> bool {
        let mut at = 0;
        while at < options.len() {
            if matches!(options[at].values, OptionValues::Json) {
                return true;
            }
            at += 1;
        }
        false
    }
}

/// The value of an option.
#[derive(Debug)]
pub enum OptionValue {
    /// The position of a word, or 0 or 1.
    Number(u32),
    /// A list of strings.
    Names(Vec<String>),
    /// Any JSON.
    Json(JsonText),
}

/// A table of options: their names, documentation and values.
macro_rules! options {
    ($($(#[doc = $doc:literal])* $name:literal: $values:expr;)*) => {
        &[$($crate::core::options::OptionShape {
            name: $name,
            #[cfg(feature = "std")]
            doc: &[$($doc),*],
            values: $values,
        },)*]
    };
}
pub(crate) use options;

/// Options for reading a stream, the same for all protocols.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReadOptions {
    /// Whether and how the stream is judged.
    pub mode: Mode,
    /// How the stream is cut into events.
    pub framing: Framing,
    /// The treatment of a last event without its blank line.
    pub ending: TrailingEvent,
    /// Bounds.
    pub limits: Limits,
    /// Secret of the text fingerprints: any number that the server does not know. A server that
    /// knows it can make two texts that look the same to the reader.
    ///
    /// The default is another one each time. It comes from the standard library's random keys for
    /// hash tables, and needs the feature `std`. Without it the default is a constant, and the
    /// caller has to give a number.
    pub seed: u64,
    /// The scope of what the answer has for the next request
    /// ([`scope`](crate::hub::conversation::scope)), for conversions and for forwarding: the server
    /// and the family of the model. Without one it is sent back to any server of the protocol.
    #[cfg(feature = "hub")]
    pub scope: Option<String>,
}

/// How violations are handled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mode {
    /// Stop at the first violation of severity error. The answer is the one of a stream that ended
    /// there.
    Strict,
    /// Recover and report.
    #[default]
    Lenient,
    /// Recover without a report.
    Raw,
}

impl ReadOptions {
    /// The options that are known by name. The numbers of the words are their positions.
    pub const ALL: &'static [OptionShape] = options! {
        /// The reaction to protocol violations. `lenient` (the default) recovers and reports them;
        /// `strict` stops at the first violation of severity error, as if the stream had been
        /// truncated there; `raw` recovers and reports nothing.
        "mode": OptionValues::Words(&["strict", "lenient", "raw"]);
        /// The treatment of a last event without the blank line after it. `lenient` (the default)
        /// accepts the event if it is complete; `strict` drops it, as browsers do.
        "ending": OptionValues::Words(&["strict", "lenient"]);
        /// The framing of the events: `sse` (the default) for server-sent events, `ndjson` for
        /// newline-delimited JSON, `length-prefixed` for frames with a length prefix (AG-UI's
        /// binary form). A reader of `sse` that finds JSON lines reports the violation `ndjson`. A
        /// protocol of your own declares its framing itself.
        "framing": OptionValues::Words(&["sse", "ndjson", "length-prefixed"]);
    };

    /// Sets the option at a position in [`ALL`](Self::ALL); positions after them are those of the
    /// limits.
    #[cfg(feature = "wasm-reader")]
    pub(crate) fn set(&mut self, place: usize, number: u32) {
        match (place, number) {
            (0, 0) => self.mode = Mode::Strict,
            (0, 2) => self.mode = Mode::Raw,
            (0, _) => self.mode = Mode::Lenient,
            (1, _) => {
                self.ending =
                    if number == 0 { TrailingEvent::Strict } else { TrailingEvent::Lenient }
            }
            (2, 0) => self.framing = Framing::Sse,
            #[cfg(feature = "binary")]
            (2, 2) => self.framing = Framing::LengthPrefixed,
            (2, _) => self.framing = Framing::Ndjson,
            _ => self.limits.set(place - Self::ALL.len(), number),
        }
    }
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions {
            mode: Mode::Lenient,
            framing: Framing::Sse,
            ending: TrailingEvent::Lenient,
            limits: Limits::default(),
            seed: seed(),
            #[cfg(feature = "hub")]
            scope: None,
        }
    }
}

/// The only place under `src/` that uses a random number without a source from the caller.
/// `RandomState` is not a random number generator that this crate reads: the standard library keeps
/// such keys for each thread and changes them with every use, so only the first use costs a system
/// call.
#[cfg(feature = "std")]
fn seed() -> u64 {
    use core::hash::{BuildHasher, Hasher};
    std::hash::RandomState::new().build_hasher().finish()
}

/// Without the standard library, the seed is constant. The host passes a seed to the wasm modules
/// of the package.
#[cfg(not(feature = "std"))]
fn seed() -> u64 {
    0x9e37_79b9_7f4a_7c15
}
