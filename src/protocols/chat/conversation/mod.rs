//! Requests as conversations, both ways.
//!
//! A message of the assistant is one turn, with its reasoning first, and the results of its calls
//! are inside of them. What only the message has, `reasoning_details` or `annotations`, is at its
//! reasoning, at its first text, or a part of its own. State of other servers comes back in sealed
//! strings.

mod carried;
pub(super) mod carrier;
mod content;
mod read;
mod requirements;
#[cfg(test)]
mod tests;
mod write;

use crate::hub::conversation::RequestCodec;

pub(super) static REQUESTS: RequestCodec = RequestCodec {
    requirements: requirements::requirements,
    read: read::read,
    append: read::append,
    continues: |_| false,
    messages: "messages",
    write: write::write,
};
