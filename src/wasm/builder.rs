//! Building streams. Each method that stands for an event returns it as it goes on the wire: framed, ready to be sent.

mod content;
pub(super) mod convert;
mod message;
mod response;

pub(super) use convert::options;
