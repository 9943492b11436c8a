//! The AI SDK UI message stream.

mod converting;
mod reading;
mod request;
