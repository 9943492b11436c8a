//! What holds for reading any protocol.

use crate::limits::Limits;
use crate::sse::Ending;

/// How a stream is read, whatever its protocol.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// Whether and how the stream is judged.
    pub mode: Mode,
    /// What becomes of a last event without its blank line.
    pub ending: Ending,
    /// Bounds.
    pub limits: Limits,
    /// Secret of the text fingerprints: any number that the server does not know.
    pub seed: u64,
}

/// Whether and how a stream is judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mode {
    /// Stop at the first violation of severity error. The answer is then as one whose stream stopped there.
    Strict,
    /// Recover and report.
    #[default]
    Lenient,
    /// Recover and say nothing.
    Raw,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            mode: Mode::Lenient,
            ending: Ending::Lenient,
            limits: Limits::default(),
            seed: 0x9e37_79b9_7f4a_7c15,
        }
    }
}
