//! Requests as conversations, both ways.
//!
//! A message of the assistant is one turn; the results of its calls, which are in the next message
//! of the user, are inside of them. A tool that the provider ran is a call with its result, too. Both
//! are written back as the blocks that they were.

mod blocks;
mod carried;
mod read;
mod requirements;
#[cfg(test)]
mod tests;
mod tools;
mod write;

use crate::hub::conversation::RequestCodec;

pub(super) static REQUESTS: RequestCodec = RequestCodec {
    requirements: requirements::requirements,
    read: read::read,
    append: read::append,
    continues: |answer| answer.text("stop_reason") == Some("pause_turn"),
    messages: "messages",
    write: write::write,
};
