//! The hub's steps as lines of JSON, for protocols that are implemented in another language.
//!
//! Each line is an object, and `type` is the name of the step ([`Step`](crate::hub::Step)). Numbers and texts have the
//! same meaning as in the step.
//!
//! `docs/reference/hub.md` lists the steps with their members. The content of `whole` is a content of the Agent API
//! without its envelope: `{"type":"image","image_url":…}`. Every line can also have `lane`, `event` and `metadata`.

/// The names of the steps of messages and runs; [`Note::NAMES`](super::Note::NAMES) has the names of the notes.
pub const NAMES: [&str; 16] = [
    "start",
    "open",
    "text",
    "reasoning",
    "refusal",
    "media",
    "whole",
    "call",
    "arguments",
    "result",
    "interrupt",
    "answer",
    "end-part",
    "close",
    "heartbeat",
    "end",
];

/// The member of a line whose step repeats a list of messages.
const LISTED: &str = "listed";

mod read;
mod write;

pub use read::FromSteps;
pub(crate) use read::{emit_note, message_end};
pub use write::ToSteps;
pub(crate) use write::members;
