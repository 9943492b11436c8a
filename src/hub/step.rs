//! The steps of the hub. `docs/reference/hub.md` lists the steps of every event of every protocol.

#[cfg(any(feature = "futures", feature = "wasm"))]
use alloc::{collections::BTreeMap, string::String};

use super::kind::{MediaKind, MessageEnd, MessageKind, Role, RunEnd};
use super::note::Note;
use super::payload::Payload;
use crate::json::{Member, Value};

/// One step of a run.
///
/// A run consists of messages, a message of parts. The source chooses the numbers of both:
/// `message` is unique in the run, `part` is unique in its message. A source may omit steps: the
/// hub adds missing ones (the start of a message, the end of a part or of the run), and drops and
/// notes those that are not allowed (a second result of a call). So a target receives every run in
/// one order:
///
/// ```text
/// Start  ( Open  ( Text… | Reasoning… | Refusal… | Media… | Call Arguments…   EndPart
///                | Result | Interrupt | Answer | Whole )*
///          Close | Note )*                                                    End
/// ```
///
/// Messages and parts may overlap; every message and part that begins also ends, and `End` is the
/// last step, unless the run is reopened and the target supports that.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Step<'a> {
    /// The run begins. Ids that the source does not have are `None`, and the target creates them.
    Start {
        /// The run's id.
        id: Option<&'a str>,
        /// The conversation's id.
        session_id: Option<&'a str>,
        /// The id of the run that began this one.
        parent_id: Option<&'a str>,
        /// The name of the model.
        model: Option<&'a str>,
        /// The start of the run, in seconds since 1970.
        created_at: Option<i64>,
    },
    /// A message begins. Without this step, the first part determines the kind of the message, and
    /// it is from the assistant.
    Open {
        /// Its number.
        message: u32,
        /// The kind of the message.
        kind: MessageKind<'a>,
        /// The author.
        role: Role<'a>,
        /// Its id, if the source has one.
        id: Option<&'a str>,
        /// The name of the author.
        name: Option<&'a str>,
        /// The id of the message that it belongs to.
        parent: Option<&'a str>,
        /// The number of the alternative answer that it belongs to. 0 is the main answer.
        alternative: u32,
    },
    /// A piece of the answer.
    Text {
        /// The message.
        message: u32,
        /// The part.
        part: u32,
        /// The piece of text; the part's text is all pieces joined.
        piece: &'a str,
    },
    /// A piece of the model's reasoning.
    Reasoning {
        /// The message.
        message: u32,
        /// The part.
        part: u32,
        /// The piece of text.
        piece: &'a str,
        /// It is a summary of the reasoning.
        summary: bool,
    },
    /// A piece of the agent's refusal to answer.
    Refusal {
        /// The message.
        message: u32,
        /// The part.
        part: u32,
        /// The piece of text.
        piece: &'a str,
    },
    /// A tool call begins.
    Call {
        /// The message.
        message: u32,
        /// The part.
        part: u32,
        /// The call's id; unique in the run when a target receives it.
        id: &'a str,
        /// The name of the tool.
        name: &'a str,
        /// The format of the arguments.
        input: InputFormat,
        /// Further members: the `namespace` of the tool, and the `item_type` of the calls of a tool
        /// that the client runs in a form of its protocol.
        more: &'a [Member],
    },
    /// A piece of a call's arguments, which are JSON text.
    Arguments {
        /// The message.
        message: u32,
        /// The part.
        part: u32,
        /// The piece of text.
        piece: &'a str,
    },
    /// The whole result of a tool. Its call has begun before a target receives this, and has no
    /// other result.
    Result {
        /// The message.
        message: u32,
        /// The part.
        part: u32,
        /// The call's id.
        id: &'a str,
        /// The name of the tool, if the source gives it here.
        name: Option<&'a str>,
        /// Text, often JSON text.
        output: &'a str,
        /// The result as a list of parts, if the source has more than a text.
        content: Option<&'a Value>,
        /// A later result replaces this one.
        preview: bool,
        /// Further members.
        more: &'a [Member],
    },
    /// The agent asks something, and the run waits for the answer in another request.
    Interrupt {
        /// The message.
        message: u32,
        /// The part.
        part: u32,
        /// The id that the answer has to contain.
        id: &'a str,
        /// The reason for the question.
        reason: Option<&'a str>,
        /// The question: any JSON.
        payload: &'a Value,
        /// The call that the question is about.
        call: Option<&'a str>,
        /// The question as text for people.
        text: Option<&'a str>,
        /// The time at which the question expires, as the source wrote it.
        expires_at: Option<&'a str>,
        /// The JSON schema of the answer.
        response_schema: Option<&'a Value>,
    },
    /// A part that is sent whole: media, a file, data.
    Whole {
        /// The message.
        message: u32,
        /// The part.
        part: u32,
        /// The content.
        payload: Payload<'a>,
        /// A later payload of the same part replaces this one.
        preview: bool,
    },
    /// The next piece of streamed audio, video, or a file.
    Media {
        /// The message.
        message: u32,
        /// The part.
        part: u32,
        /// The kind of media.
        kind: MediaKind,
        /// Base64; the pieces joined are the media.
        piece: &'a str,
        /// Its media type or format.
        media_type: Option<&'a str>,
    },
    /// A question was answered within the run. The question was asked before a target receives
    /// this.
    Answer {
        /// The message.
        message: u32,
        /// The part.
        part: u32,
        /// The id of the interrupt that is answered.
        id: &'a str,
        /// The decision, if the answer is yes or no.
        approved: Option<bool>,
        /// The reason for the decision.
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
        /// The part is complete; false if it was cut off.
        whole: bool,
    },
    /// A message ends.
    Close {
        /// The message.
        message: u32,
        /// The status and final fields of the message.
        end: &'a MessageEnd,
    },
    /// A step that does not belong to a part of a message.
    Note(Note<'a>),
    /// The run is alive, without a change.
    Heartbeat,
    /// The run ends.
    End(&'a RunEnd),
}

/// The member of a call with the namespace of its tool.
pub(crate) const NAMESPACE: &str = "namespace";

/// The member of a call with the type of the item that it is in the protocol of the client.
pub(crate) const ITEM_TYPE: &str = "item_type";

impl Step<'_> {
    /// Whether it is a piece of a text that can be followed by more pieces.
    pub(super) fn is_piece(&self) -> bool {
        use Step::{Arguments, Reasoning, Refusal, Text};
        matches!(self, Text { .. } | Reasoning { .. } | Refusal { .. } | Arguments { .. })
    }

    /// Returns the step with another message and part number.
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

impl<'a> Step<'a> {
    /// Returns the step with other numbers of messages.
    #[cfg(any(feature = "futures", feature = "wasm"))]
    pub(crate) fn renumbered(mut self, number: &mut dyn FnMut(u32) -> u32) -> Self {
        match &mut self {
            Step::Start { .. } | Step::Heartbeat | Step::End(_) => {}
            Step::Open { message, .. }
            | Step::Text { message, .. }
            | Step::Reasoning { message, .. }
            | Step::Refusal { message, .. }
            | Step::Call { message, .. }
            | Step::Arguments { message, .. }
            | Step::Result { message, .. }
            | Step::Interrupt { message, .. }
            | Step::Whole { message, .. }
            | Step::Media { message, .. }
            | Step::Answer { message, .. }
            | Step::EndPart { message, .. }
            | Step::Close { message, .. }
            | Step::Note(
                Note::Retract { message, .. }
                | Note::Replace { message, .. }
                | Note::Annotation { message, .. },
            ) => *message = number(*message),
            Step::Note(
                Note::Usage { message, .. }
                | Note::Metadata { message, .. }
                | Note::Opaque { message, .. },
            ) => *message = message.map(number),
            Step::Note(_) => {}
        }
        self
    }

    /// Returns the step with other ids of calls.
    #[cfg(any(feature = "futures", feature = "wasm"))]
    pub(crate) fn renamed<'b>(self, ids: &'b BTreeMap<String, String>) -> Step<'b>
    where
        'a: 'b,
    {
        let other = |id: &'b str| ids.get(id).map_or(id, String::as_str);
        let mut step: Step<'b> = self;
        match &mut step {
            Step::Call { id, .. }
            | Step::Result { id, .. }
            | Step::Note(
                Note::Progress { id, .. } | Note::Output { id, .. } | Note::ToolError { id, .. },
            ) => {
                *id = other(id);
            }
            Step::Interrupt { call, .. }
            | Step::Note(
                Note::Metadata { call, .. }
                | Note::Replace { call, .. }
                | Note::Opaque { call, .. }
                | Note::LaneStart { parent_call: call, .. },
            ) => *call = call.map(other),
            _ => {}
        }
        step
    }

    /// Creates the start of a run.
    pub fn start(id: Option<&'a str>, session_id: Option<&'a str>) -> Self {
        Step::Start { id, session_id, parent_id: None, model: None, created_at: None }
    }

    /// Creates the start of a message.
    pub fn open(message: u32, kind: MessageKind<'a>, role: Role<'a>, id: Option<&'a str>) -> Self {
        Step::Open { message, kind, role, id, name: None, parent: None, alternative: 0 }
    }

    /// Creates a piece of the model's reasoning.
    pub fn reasoning(message: u32, part: u32, piece: &'a str) -> Self {
        Step::Reasoning { message, part, piece, summary: false }
    }

    /// Creates the start of a tool call whose arguments are JSON text.
    pub fn call(message: u32, part: u32, id: &'a str, name: &'a str, more: &'a [Member]) -> Self {
        Step::Call { message, part, id, name, input: InputFormat::Json, more }
    }

    /// Creates the result of a tool.
    pub fn result(message: u32, part: u32, id: &'a str, output: &'a str) -> Self {
        Step::Result {
            message,
            part,
            id,
            name: None,
            output,
            content: None,
            preview: false,
            more: &[],
        }
    }

    /// Creates a question.
    pub fn interrupt(
        message: u32,
        part: u32,
        id: &'a str,
        reason: Option<&'a str>,
        payload: &'a Value,
    ) -> Self {
        let (call, text, expires_at, response_schema) = (None, None, None, None);
        Step::Interrupt {
            message,
            part,
            id,
            reason,
            payload,
            call,
            text,
            expires_at,
            response_schema,
        }
    }

    /// Sets the text of a question.
    pub(crate) fn with_text(mut self, said: Option<&'a str>) -> Self {
        if let Step::Interrupt { text, .. } = &mut self {
            *text = said;
        }
        self
    }

    /// Creates a question from an object whose members have the same names as in lines of steps.
    pub(crate) fn question(
        message: u32,
        part: u32,
        question: &'a Value,
        payload: &'a Value,
    ) -> Self {
        Step::Interrupt {
            message,
            part,
            id: question.text("id").unwrap_or_default(),
            reason: question.text("reason"),
            payload,
            call: question.text("call"),
            text: question.text("text"),
            expires_at: question.text("expiresAt"),
            response_schema: question.get("responseSchema"),
        }
    }

    /// Creates a part that is sent whole.
    pub fn whole(message: u32, part: u32, payload: Payload<'a>) -> Self {
        Step::Whole { message, part, payload, preview: false }
    }
}

/// The format of the arguments of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum InputFormat {
    /// JSON text.
    #[default]
    Json,
    /// Plain text, as a custom tool or a code interpreter takes it.
    Text,
}

/// The fields that every step can have in addition to its own.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct StepMeta<'a> {
    /// The subagent run that the step belongs to; `None` for the main agent.
    pub lane: Option<&'a str>,
    /// The number of the source's event, from 0. At the end of the stream, the number of events.
    pub event: u64,
    /// Free metadata.
    pub metadata: &'a [Member],
    /// The step was emitted from a list of all messages. Targets that have such lists receive the
    /// list instead.
    pub(crate) is_listed: bool,
}

impl<'a> StepMeta<'a> {
    /// Creates the context of a step of the main agent, without metadata.
    pub fn of(event: u64) -> Self {
        StepMeta { event, ..Self::default() }
    }

    /// Whether it has neither lane nor metadata.
    pub(super) fn is_plain(self) -> bool {
        self.lane.is_none() && self.metadata.is_empty()
    }

    /// Returns the context with a lane.
    #[must_use]
    pub fn in_lane(self, lane: Option<&'a str>) -> Self {
        StepMeta { lane, ..self }
    }

    /// Returns the context of a step that comes from a list of all messages.
    #[must_use]
    pub(crate) fn listed(self) -> Self {
        StepMeta { is_listed: true, ..self }
    }

    /// Returns the context with metadata.
    #[must_use]
    pub fn with_metadata(self, metadata: &'a [Member]) -> Self {
        StepMeta { metadata, ..self }
    }
}
