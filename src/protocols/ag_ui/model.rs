//! The growing answer: the data of the official client, under its own names, and the status of the
//! runs. (B.2, B.7.)

use alloc::{string::String, vec::Vec};

use crate::core::changes::{AgentText, AgentTexts, TextKind};
use crate::core::declare::model::member::Absent;
use crate::core::json_patch::Tree;
use crate::core::model;
use crate::core::sink::Field;
use crate::json::{self, Partial, Value};

model! {
    words {
        /// The status of a run.
        Status as "AgUiStatus" {
            /// No run has begun.
            Idle = "idle",
            /// The run is in progress.
            Running = "running",
            /// `RUN_FINISHED`: the run succeeded. Calls in `pendingToolCallIds` are the client's to
            /// answer.
            Finished = "finished",
            /// `RUN_FINISHED`: the agent asks and waits, see `pendingInterrupts`.
            Interrupted = "interrupted",
            /// `RUN_FINISHED`: the run was cancelled.
            Cancelled = "cancelled",
            /// `RUN_ERROR`
            Failed = "failed",
            /// The stream ended before the run did.
            Incomplete = "incomplete",
        }
        /// The role of the sender of a message.
        Role as "AgUiRole" {
            /// The agent; may have tool calls.
            Assistant = "assistant",
            /// The user.
            User = "user",
            /// The result of a tool call.
            Tool = "tool",
            /// Who wrote the agent.
            Developer = "developer",
            /// The system.
            System = "system",
            /// Structured content that the agent shows in addition to its text, and updates by
            /// patches.
            Activity = "activity",
            /// Reasoning of the agent.
            Reasoning = "reasoning",
        }
        /// The kind of a tool call.
        CallType as "AgUiToolCallType" {
            /// The only one.
            Function = "function",
        }
    }
    root {
        /// The snapshot of an AG-UI stream. It has the fields of the official client, and the data
        /// that this client passes only to its subscribers. It is plain data; unchanged parts keep
        /// their identity between updates.
        Snapshot as "AgUiSnapshot" {
            /// The status of the last run.
            status: Status,
            /// The id of the thread of the last run.
            thread_id as "threadId": Option<String>,
            /// The id of the last run.
            run_id as "runId": Option<String>,
            /// The messages of the thread, in order.
            messages: Vec<Message>,
            /// The shared state after all snapshots and patches: any JSON.
            state: Tree,
            /// The pending interrupts. The next request must answer all of them.
            pending_interrupts as "pendingInterrupts": Value,
            /// The ids of the calls that the client must answer after the run has finished.
            pending_tool_call_ids as "pendingToolCallIds": Vec<String>,
            /// The outcome of the run: `success`, `interrupt` or `cancelled`. Null before the end,
            /// and after an error.
            outcome: Option<String>,
            /// The result of the run. Null if it has none.
            result: Option<Value>,
            /// The error of the run.
            error: Option<RunError>,
            /// The token usage of all runs of the stream, summed per provider and model.
            usage: Value,
            /// The steps of the run, in order.
            steps: Vec<Step>,
            /// The subagents of the run, in order.
            subagents: Vec<Subagent>,
            /// The reasoning spans of the run, in order. Messages with the role `reasoning` contain
            /// the text.
            reasoning_spans as "reasoningSpans": Vec<ReasoningSpan>,
            /// The runs of the stream, in order.
            runs: Vec<Run>,
        }
    }
    objects {
        /// A message. Its properties depend on its role; the others are absent.
        Message as "AgUiMessage" {
            /// The id.
            id: String,
            /// The role of the sender.
            role: Role,
            /// The content: a string; for users and tools also a list of parts; for activities an
            /// object. Absent if an assistant only calls tools.
            content: Absent<Tree>,
            /// The name of the sender.
            name: Absent<String>,
            /// The tool calls of an assistant, in order.
            tool_calls as "toolCalls": Absent<Vec<ToolCall>>,
            /// The id of the call that a tool message answers.
            tool_call_id as "toolCallId": Absent<String>,
            /// The error of a tool message.
            error: Absent<String>,
            /// The type of an activity.
            activity_type as "activityType": Absent<String>,
            /// An encrypted value. Only the provider can read it.
            encrypted_value as "encryptedValue": Absent<String>,
            /// The id of the subagent. Absent for the agent itself.
            subagent_run_id as "subagentRunId": Absent<String>,
            /// Further data, merged from the events property by property.
            metadata: Absent<Tree>,
        }
        /// A tool call of an assistant.
        ToolCall as "AgUiToolCall" {
            /// The id.
            id: String,
            /// Always `function`.
            call_type as "type": CallType,
            /// The function that is called.
            function: FunctionCall,
            /// An encrypted value. Only the provider can read it.
            encrypted_value as "encryptedValue": Absent<String>,
            /// Further data.
            metadata: Absent<Tree>,
        }
        /// A function and its arguments.
        FunctionCall as "AgUiFunctionCall" {
            /// The name of the tool.
            name: String,
            /// The arguments' JSON text so far.
            arguments: String,
        }
        /// The error of a run or of a subagent.
        RunError as "AgUiRunError" {
            /// The error message.
            message: String,
            /// A code for programs.
            code: Absent<String>,
        }
        /// A step of a run.
        Step as "AgUiStep" {
            /// The name.
            step_name as "stepName": String,
            /// The id of the subagent.
            subagent_run_id as "subagentRunId": Absent<String>,
            /// `running`, then `finished`.
            status: Status,
        }
        /// A subagent.
        Subagent as "AgUiSubagent" {
            /// The subagent's id.
            subagent_run_id as "subagentRunId": String,
            /// The name.
            name: String,
            /// The purpose.
            description: Absent<String>,
            /// The id of the subagent that started it.
            parent_subagent_run_id as "parentSubagentRunId": Absent<String>,
            /// The id of the call that started it.
            parent_tool_call_id as "parentToolCallId": Absent<String>,
            /// The id of the message that started it.
            parent_message_id as "parentMessageId": Absent<String>,
            /// `running`, then `finished`, `interrupted` (it is suspended) or `failed`.
            status: Status,
            /// The result.
            result: Absent<Value>,
            /// The outcome.
            outcome: Absent<Value>,
            /// The error.
            error: Absent<RunError>,
        }
        /// A span of reasoning.
        ReasoningSpan as "AgUiReasoningSpan" {
            /// The span's id.
            message_id as "messageId": String,
            /// The id of the subagent.
            subagent_run_id as "subagentRunId": Absent<String>,
            /// `running`, then `finished`.
            status: Status,
        }
        /// A run.
        Run as "AgUiRun" {
            /// The id of the thread.
            thread_id as "threadId": String,
            /// The run's id.
            run_id as "runId": String,
            /// The id of the run that it continues.
            parent_run_id as "parentRunId": Absent<String>,
            /// The protocol version that the agent uses.
            protocol_version as "protocolVersion": Absent<String>,
            /// The status.
            status: Status,
        }
    }
}

impl FunctionCall {
    /// Parses the arguments received so far. For display only: an incomplete path or command is a
    /// wrong one.
    pub fn partial(&self) -> Partial {
        json::partial(&self.arguments, 128)
    }

    /// Returns the arguments, if they are JSON. Use it only after the call has ended.
    pub fn value(&self) -> Option<Value> {
        Value::parse(&self.arguments, 128).ok()
    }
}

impl Message {
    /// Returns the text of the message, if it has one.
    pub fn text(&self) -> Option<&str> {
        self.content.as_ref().and_then(Tree::as_str)
    }
}

impl Snapshot {
    /// Returns all tool calls, in order.
    pub fn tool_calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.messages.iter().flat_map(|message| message.tool_calls.iter().flatten())
    }

    /// Returns the calls that the client has to answer after a run has finished.
    pub fn pending(&self) -> impl Iterator<Item = &ToolCall> {
        self.tool_calls().filter(|call| self.pending_tool_call_ids.contains(&call.id))
    }
}

/// The texts of the agent.
impl AgentTexts for Snapshot {
    const TEXTS: &'static [Field] = &[Message::content];
    const HOLDERS: &'static [Field] = &[Snapshot::messages];

    fn text_at(&self, way: &[(Field, usize)], key: Field) -> Option<AgentText<'_>> {
        let (&[(Snapshot::messages, at)], Message::content) = (way, key) else { return None };
        let message = self.messages.get(at)?;
        let kind = match message.role {
            Role::Assistant => TextKind::Answer,
            Role::Reasoning => TextKind::Reasoning,
            _ => return None,
        };
        Some(AgentText::new(&*message.id, kind, message.text()?))
    }
}
