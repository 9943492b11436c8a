//! The growing answer to one request: plain data, whole and in order at any moment. (A.6.)

use alloc::{format, string::String, vec::Vec};

use crate::core::changes::{AgentText, AgentTexts, TextKind};
use crate::core::model;
use crate::core::sink::Field;
use crate::json::{self, Partial};

model! {
    words {
        /// The status of a turn.
        Status as "AgKitStatus" {
            /// Events are coming. It stays so when reading was refused: an AG-UI stream (K13), or a
            /// strict reader met an error.
            Streaming = "streaming",
            /// `[DONE]`, and nothing is left to do.
            Completed = "completed",
            /// `[DONE]`, and the client has tools to run: see `tool_answers` of its request.
            AwaitingToolResults = "awaiting-tool-results",
            /// The agent asks and waits: see `resuming` of its request.
            Interrupted = "interrupted",
            /// The stream reported that the run failed.
            Failed = "failed",
            /// The stream stopped inside a tool call (K7), the reader stopped it, or it was
            /// refused.
            Truncated = "truncated",
        }
        /// The state of a tool call, as in the AG-Kit clients. (A.6.)
        ToolState as "AgKitToolState" {
            /// Its arguments are coming.
            InputStreaming = "input-streaming",
            /// Its arguments are final.
            InputAvailable = "input-available",
            /// Its result is there.
            OutputAvailable = "output-available",
        }
    }
    root {
        /// The snapshot of one AG-Kit turn. It is plain data; unchanged parts keep their identity
        /// between updates.
        Snapshot as "AgKitTurn" {
            /// `streaming` until the stream has ended; then what is left to do. `truncated`: it
            /// stopped inside a tool call, its reader has stopped it, or it could not be read at
            /// all.
            status: Status,
            /// The parts, in the order of their appearance.
            parts: Vec<Part>,
            /// The error of the run, which is also one of the parts.
            error: Option<ErrorInfo>,
            /// The ids of the calls that the client must answer: their arguments are final, and
            /// they have no result at the end of the stream. Empty until then. `status` shows
            /// whether to answer them. (K4.)
            pending_tool_call_ids as "pendingToolCallIds": Vec<String>,
        }
    }
    objects {
        /// A text: all consecutive text deltas. (K1.)
        TextPart as "AgKitTextPart" {
            /// The text so far.
            text: String,
        }
        /// A tool call, with its result if the server called the tool.
        ToolCall as "AgKitToolCallPart" {
            /// The call's id.
            tool_call_id as "toolCallId": String,
            /// The name of the tool.
            tool_call_name as "toolCallName": String,
            /// `input-streaming`: arguments are coming. `input-available`: they are final.
            /// `output-available`: the result is there.
            state: ToolState,
            /// The JSON text of the arguments so far. Use incomplete arguments only for display.
            /// (K2.)
            arguments: String,
            /// The parsed arguments, once they are final and if they are JSON. Null if the text is
            /// empty. (K3.)
            parsed_arguments as "parsedArguments": Option<json::Value>,
            /// The error if the final arguments are not JSON. (K3.)
            arguments_error as "argumentsError": Option<String>,
            /// The result of the tool, if the server called it. (K4.)
            result: Option<String>,
        }
        /// A question of the agent. The run continues when the client resumes it. (K5.)
        Interrupt as "AgKitInterruptPart" {
            /// The id of the interrupt, which the client sends to resume the run.
            id: String,
            /// The reason.
            reason: Option<String>,
            /// The question: any JSON.
            payload: json::Value,
        }
        /// The error of a run. (K8, K9.)
        ErrorInfo as "AgKitError" {
            /// The error message.
            message: String,
            /// Details of the error.
            details: Option<String>,
        }
        /// The end of a run that failed (K8, K9).
        ErrorPart as "AgKitErrorPart" {
            /// The error message.
            message: String,
            /// Details of the error.
            details: Option<String>,
        }
    }
    unions {
        /// A part of a turn, by its `type`.
        Part as "AgKitPart" by "type" {
            /// Text.
            Text(TextPart) = "text",
            /// A tool call.
            ToolCall(ToolCall) = "tool-call",
            /// A question.
            Interrupt(Interrupt) = "interrupt",
            /// The end of a run that failed.
            Error(ErrorPart) = "error",
        }
    }
}

impl ToolCall {
    /// Parses the arguments so far. For display only: half a path or command is the wrong one.
    pub fn partial(&self) -> Partial {
        json::partial(&self.arguments, 128)
    }
}

impl Snapshot {
    /// Returns the whole text of the turn.
    pub fn text(&self) -> String {
        let texts = self.parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(text.text.as_str()),
            _ => None,
        });
        texts.collect()
    }

    /// Returns the tool calls, in order of appearance.
    pub fn tool_calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.parts.iter().filter_map(|part| match part {
            Part::ToolCall(call) => Some(call),
            _ => None,
        })
    }

    /// Returns the calls that the client must answer, once the stream has ended.
    pub fn pending(&self) -> impl Iterator<Item = &ToolCall> {
        // The ids are in the order of the calls.
        let mut ids = self.pending_tool_call_ids.iter().peekable();
        self.tool_calls().filter(move |call| ids.next_if(|id| **id == call.tool_call_id).is_some())
    }

    /// Returns the questions of the agent, in order of appearance.
    pub fn interrupts(&self) -> impl Iterator<Item = &Interrupt> {
        self.parts.iter().filter_map(|part| match part {
            Part::Interrupt(interrupt) => Some(interrupt),
            _ => None,
        })
    }
}

/// The texts of the agent.
impl AgentTexts for Snapshot {
    const TEXTS: &'static [Field] = &[TextPart::text];
    const HOLDERS: &'static [Field] = &[Snapshot::parts];

    fn text_at(&self, way: &[(Field, usize)], key: Field) -> Option<AgentText<'_>> {
        let (&[(Snapshot::parts, at)], TextPart::text) = (way, key) else { return None };
        let Part::Text(part) = self.parts.get(at)? else { return None };
        Some(AgentText::new(format!("{at}"), TextKind::Answer, &part.text))
    }
}
