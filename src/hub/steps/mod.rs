//! The hub's steps as lines of JSON: how protocols that are written in another language take part.
//!
//! One object per line, `type` names the step ([`Step`](crate::hub::Step)); numbers and texts as there.
//!
//! `docs/reference/hub.md` lists them with their members. A content, of `whole`, is one of the Agent API without its envelope:
//! `{"type":"image","image_url":…}`. Every line can have `lane`, `event` and `metadata` besides.

/// The names of the steps that make up messages and runs; [`Note::NAMES`](super::Note::NAMES) are the others.
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

/// The member of a line that repeats a part of a list of messages.
const LISTED: &str = "listed";

mod read;
mod read_end;
mod write;

pub use read::FromSteps;
pub(crate) use read::say_note;
pub(crate) use read_end::message_end;
pub use write::ToSteps;
pub(crate) use write::members;
