//! Requests.

mod input;

pub use input::Interrupt;
