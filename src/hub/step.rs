//! What passes through the hub: one step of a run at a time. `docs/reference/hub.md` says which event of which protocol is which step.

mod usual;

use super::end::{MessageEnd, RunEnd};
use super::kind::{MediaKind, MessageKind, Role};
use super::note::Note;
use super::payload::Payload;
use crate::json::{Member, Value};

/// One step of a run.
///
/// A run consists of messages, a message of parts. Both are named by numbers of the source's choice: `message` is unique
/// in the run, `part` is unique in its message. A source need not be careful: what it leaves out (opening a
/// message, ending a part, the end) is put in on the way, and what cannot be (a second result of a call) is left out and
/// noted. So a target gets every run in one order:
///
/// ```text
/// Start  ( Open  ( Text… | Reasoning… | Refusal… | Media… | Call Arguments…   EndPart
///                | Result | Interrupt | Answer | Whole )*
///          Close | Note )*                                                    End
/// ```
///
/// Messages and parts may overlap; every message and part that begins also ends, and `End` is the last step, unless the
/// run is reopened and the target can have that.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Step<'a> {
    /// The run begins. Ids that the source does not have are `None`, and the target makes them.
    Start {
        /// The run's.
        id: Option<&'a str>,
        /// The conversation's.
        session_id: Option<&'a str>,
        /// The run that began this one.
        parent_id: Option<&'a str>,
        /// The model that answers.
        model: Option<&'a str>,
        /// When it began, in seconds since 1970.
        created_at: Option<i64>,
    },
    /// A message begins. Without it, a message is what its first part makes of it, from the assistant.
    Open {
        /// Its number.
        message: u32,
        /// What it is.
        kind: MessageKind<'a>,
        /// Who it is from.
        role: Role<'a>,
        /// Its id, if the source has one.
        id: Option<&'a str>,
        /// The name of who it is from.
        name: Option<&'a str>,
        /// The id of the message that it belongs to.
        parent: Option<&'a str>,
        /// Which of several alternative answers it belongs to. 0 is the answer.
        alternative: u32,
    },
    /// A piece of the answer.
    Text {
        /// The message.
        message: u32,
        /// The part.
        part: u32,
        /// Characters; the part's text is all pieces joined.
        piece: &'a str,
    },
    /// A piece of what the model thought.
    Reasoning {
        /// The message.
        message: u32,
        /// The part.
        part: u32,
        /// Characters.
        piece: &'a str,
        /// It is a summary of what the model thought.
        summary: bool,
    },
    /// A piece of why the agent will not answer.
    Refusal {
        /// The message.
        message: u32,
        /// The part.
        part: u32,
        /// Characters.
        piece: &'a str,
    },
    /// A tool call begins.
    Call {
        /// The message.
        message: u32,
        /// The part.
        part: u32,
        /// The call's id; unique in the run when a target gets it.
        id: &'a str,
        /// The tool.
        name: &'a str,
        /// What its arguments are.
        input: Input,
        /// What else is said about it.
        more: &'a [Member],
    },
    /// A piece of a call's arguments, which are JSON text.
    Arguments {
        /// The message.
        message: u32,
        /// The part.
        part: u32,
        /// Characters.
        piece: &'a str,
    },
    /// What a tool came to, whole. When a target gets it, its call has begun, and it is the only result of that call.
    Result {
        /// The message.
        message: u32,
        /// The part.
        part: u32,
        /// The call's id.
        id: &'a str,
        /// The tool, if it is said here.
        name: Option<&'a str>,
        /// Text, often JSON text.
        output: &'a str,
        /// The same as a list of parts, where the source has more than a text.
        content: Option<&'a Value>,
        /// A better one follows.
        preview: bool,
        /// What else is said about it.
        more: &'a [Member],
    },
    /// The agent asks something, and the run waits for the answer in another request.
    Interrupt {
        /// The message.
        message: u32,
        /// The part.
        part: u32,
        /// What the answer has to name.
        id: &'a str,
        /// Why.
        reason: Option<&'a str>,
        /// What is asked: any JSON.
        payload: &'a Value,
        /// The call that it is about.
        call: Option<&'a str>,
        /// The same for people.
        text: Option<&'a str>,
        /// When it can no longer be answered, as the source wrote it.
        expires_at: Option<&'a str>,
        /// The JSON schema of the answer.
        response_schema: Option<&'a Value>,
    },
    /// A part that comes whole: media, a file, data.
    Whole {
        /// The message.
        message: u32,
        /// The part.
        part: u32,
        /// What it holds.
        payload: Payload<'a>,
        /// A better one follows in the same part.
        preview: bool,
    },
    /// The next piece of streamed audio, video, or a file.
    Media {
        /// The message.
        message: u32,
        /// The part.
        part: u32,
        /// What it is.
        kind: MediaKind,
        /// Base64; the pieces joined are the media.
        piece: &'a str,
        /// Its media type or format.
        media_type: Option<&'a str>,
    },
    /// A question was answered within the run. When a target gets it, the question was asked.
    Answer {
        /// The message.
        message: u32,
        /// The part.
        part: u32,
        /// What it answers: the id of an interrupt.
        id: &'a str,
        /// What the answer is, where it is yes or no.
        approved: Option<bool>,
        /// Why.
        reason: Option<&'a str>,
        /// The answer as the source has it: any JSON.
        payload: &'a Value,
    },
    /// A text, reasoning, refusal, media or call ends.
    EndPart {
        /// The message.
        message: u32,
        /// The part.
        part: u32,
        /// It is all there; false when it was cut off.
        whole: bool,
    },
    /// A message ends.
    Close {
        /// The message.
        message: u32,
        /// How.
        end: &'a MessageEnd,
    },
    /// What is not a part of a message.
    Note(Note<'a>),
    /// The run is alive, and has nothing to say.
    Heartbeat,
    /// The run ends.
    End(&'a RunEnd),
}

impl Step<'_> {
    /// Whether it is a piece of a text, of which more may come.
    pub(super) fn is_piece(&self) -> bool {
        use Step::{Arguments, Reasoning, Refusal, Text};
        matches!(self, Text { .. } | Reasoning { .. } | Refusal { .. } | Arguments { .. })
    }

    /// The same in another place.
    pub(super) fn at(&self, to: u32, number: u32) -> Self {
        let mut step = *self;
        if let Step::Call { message, part, .. }
        | Step::Result { message, part, .. }
        | Step::Interrupt { message, part, .. }
        | Step::Answer { message, part, .. }
        | Step::Whole { message, part, .. }
        | Step::Media { message, part, .. } = &mut step
        {
            (*message, *part) = (to, number);
        }
        step
    }
}

/// What the arguments of a call are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Input {
    /// JSON text.
    #[default]
    Json,
    /// Plain text, as a custom tool or a code interpreter takes it.
    Text,
}
