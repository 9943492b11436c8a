//! Conversion: any supported protocol to any other, with a list of what was lost.

pub mod ag_kit;
pub mod agent_api;
mod converter;
mod event;
mod gate;
pub mod lines;
mod loss;
mod pipe;
mod source;
mod transducer;

pub use converter::{Converter, Options, Side};
pub use event::{Event, MessageEnd, RunEnd, RunError};
pub use loss::{Loss, Losses};
pub use transducer::{FromHub, Hub, Out, Then, ToHub};
