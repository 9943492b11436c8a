//! What holds for reading any protocol.

use crate::core::limits::Limits;
use crate::sse::{Ending, Framing};

/// How a stream is read, whatever its protocol.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReadOptions {
    /// Whether and how the stream is judged.
    pub mode: Mode,
    /// How the stream is cut into events.
    pub framing: Framing,
    /// What becomes of a last event without its blank line.
    pub ending: Ending,
    /// Bounds.
    pub limits: Limits,
    /// Secret of the text fingerprints: any number that the server does not know. A server that knows it can make two
    /// texts that look the same to the reader.
    ///
    /// The default is another one each time. It comes from the standard library's random keys for hash tables, and needs
    /// the feature `std`. Without it the default is a constant, and the caller has to give a number.
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

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions {
            mode: Mode::Lenient,
            framing: Framing::Sse,
            ending: Ending::Lenient,
            limits: Limits::default(),
            seed: seed(),
        }
    }
}

/// The one place under `src/` that asks for a random number without being handed its source. `RandomState` is not a
/// random number generator that this crate reads: the standard library keeps such keys for each thread and changes them
/// with every use, so asking costs no system call after the first.
#[cfg(feature = "std")]
fn seed() -> u64 {
    use core::hash::{BuildHasher, Hasher};
    std::hash::RandomState::new().build_hasher().finish()
}

/// There is no randomness without the standard library. The wasm modules of the package are given a seed by their host.
#[cfg(not(feature = "std"))]
fn seed() -> u64 {
    0x9e37_79b9_7f4a_7c15
}
