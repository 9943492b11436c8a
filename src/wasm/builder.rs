//! Building streams. Each method that creates an event returns its text on the wire: framed, ready to be sent.

mod content;
pub(super) mod convert;
mod message;
mod response;

pub(super) use convert::options;
