//! The growing answer to one request: plain data, whole and in order at any moment. (A.6.)

use alloc::{string::String, vec::Vec};

use crate::core::model;
use crate::json::{self, Partial};

model! {
    words {
        /// How far a turn has come.
        Status as "AgKitStatus" {
            /// Events are coming. It stays so when reading was refused: an AG-UI stream (K13), or a strict reader met an error.
            Streaming = "streaming",
            /// `[DONE]`, and nothing is left to do.
            Completed = "completed",
            /// `[DONE]`, and the client has tools to run: see `tool_answers` of its request.
            AwaitingToolResults = "awaiting-tool-results",
            /// The agent asks and waits: see `resuming` of its request.
            Interrupted = "interrupted",
            /// The stream said that the run failed.
            Failed = "failed",
            /// The stream stopped inside a tool call (K7), the reader stopped it, or it was refused.
            Truncated = "truncated",
        }
        /// How far a tool call has come. The words are those of the AG-Kit clients (A.6).
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
        /// The growing answer to one AG-Kit request. Plain data; what did not change keeps its identity from one update to the next.
        Snapshot as "AgKitTurn" {
            /// `streaming` until the stream has ended; then what is left to do. `truncated`: it stopped inside a tool call, its
            /// reader has stopped it, or it could not be read at all.
            status: Status,
            /// In order of appearance.
            parts: Vec<Part>,
            /// Why the run failed; the same stands among the parts.
            error: Option<ErrorInfo>,
            /// Calls whose arguments are final and that nothing has answered when the stream ends: the client's to answer (K4).
            /// Empty while the stream lasts. Whether to act on them is what `status` says.
            pending_tool_call_ids as "pendingToolCallIds": Vec<String>,
        }
    }
    objects {
        /// Text: all pieces that came with no other part between them (K1).
        TextPart as "AgKitTextPart" {
            /// The text so far.
            text: String,
        }
        /// A tool call, with its result if the server has called the tool.
        ToolCall as "AgKitToolCallPart" {
            /// The call's id.
            tool_call_id as "toolCallId": String,
            /// The tool.
            tool_call_name as "toolCallName": String,
            /// `input-streaming`: arguments are coming. `input-available`: they are final. `output-available`: the result is there.
            state: ToolState,
            /// The arguments' JSON text so far (K2). Half of it is for display only.
            arguments: String,
            /// The arguments, once they are final and if they are JSON (K3). Parsed once; none at all are no arguments.
            parsed_arguments as "parsedArguments": Option<json::Value>,
            /// Why final arguments are no JSON (K3).
            arguments_error as "argumentsError": Option<String>,
            /// What the tool came to, if the server has called it itself (K4).
            result: Option<String>,
        }
        /// A question of the agent: the run goes on when the client resumes it (K5).
        Interrupt as "AgKitInterruptPart" {
            /// What to name when resuming.
            id: String,
            /// Why.
            reason: Option<String>,
            /// What the client is asked; any JSON.
            payload: json::Value,
        }
        /// Why a run failed (K8, K9).
        ErrorInfo as "AgKitError" {
            /// What went wrong.
            message: String,
            /// More about it.
            details: Option<String>,
        }
        /// The end of a run that failed (K8, K9).
        ErrorPart as "AgKitErrorPart" {
            /// What went wrong.
            message: String,
            /// More about it.
            details: Option<String>,
        }
    }
    unions {
        /// One part of a turn; its `type` tells which.
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
    /// What the arguments say so far. For display only: half a path or command is the wrong one.
    pub fn partial(&self) -> Partial {
        json::partial(&self.arguments, 128)
    }
}

impl Snapshot {
    /// The turn's whole text.
    pub fn text(&self) -> String {
        let texts = self.parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(text.text.as_str()),
            _ => None,
        });
        texts.collect()
    }

    /// The tool calls, in order of appearance.
    pub fn tool_calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.parts.iter().filter_map(|part| match part {
            Part::ToolCall(call) => Some(call),
            _ => None,
        })
    }

    /// The calls that are the client's to answer, once the stream has ended.
    pub fn pending(&self) -> impl Iterator<Item = &ToolCall> {
        // The ids are in the order of the calls.
        let mut ids = self.pending_tool_call_ids.iter().peekable();
        self.tool_calls().filter(move |call| ids.next_if(|id| **id == call.tool_call_id).is_some())
    }

    /// What the agent asks, in order of appearance.
    pub fn interrupts(&self) -> impl Iterator<Item = &Interrupt> {
        self.parts.iter().filter_map(|part| match part {
            Part::Interrupt(interrupt) => Some(interrupt),
            _ => None,
        })
    }
}
