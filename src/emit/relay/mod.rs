//! Passing the answer of a model, or of another agent, on to the client of a run: one
//! implementation for Rust's
//! [`Out`](super::Out) and for JavaScript.
//!
//! The answer is read by its engine, which emits the steps of the hub. The steps go to the target
//! of the run with other numbers of messages, and with ids of calls that the run has not used. Its
//! start and its end are kept back: other output can precede and follow it.

mod fold;
#[cfg(feature = "wasm")]
mod forwarding;
mod passed;
mod text_input;
mod tools;

pub(crate) use fold::Relay;
#[cfg(feature = "wasm")]
pub(crate) use forwarding::{ForwardOptions, Forwarding, write_result};
#[cfg(feature = "futures")]
pub use passed::ForwardedCall;
#[cfg(feature = "futures")]
pub(crate) use passed::PassedCall;
pub(crate) use passed::{AnswerOrigin, PassedEnd};

pub(crate) use super::writer::UsedNames;
use crate::hub::Hub;
use crate::hub::source::Write;

/// The output of a run, to which the steps of an answer are passed on.
pub(crate) trait RelayOutput {
    /// Passes steps on. `bytes` is the number of bytes that they were read from. `work` receives
    /// the hub, and the names that the run has used. If the target received exactly one piece of a
    /// text, returns a state in which it writes further
    /// [pieces](Self::pieces) of that text.
    fn relay(&self, bytes: u64, work: &mut RelayWork<'_>) -> Option<u64>;

    /// Calls `work` with the function that writes further pieces of a text. Returns false if
    /// another step has been written since that state.
    fn pieces(&self, state: u64, work: &mut dyn FnMut(&mut Write<'_>)) -> bool;

    /// Limits the content that the target repeats to a multiple of the bytes that were read, or
    /// removes the limit.
    fn limit_repeats(&self, is_limited: bool);
}

/// Emits steps.
pub(crate) type RelayWork<'w> = dyn FnMut(&mut Hub<'_>, &mut UsedNames) + 'w;
