//! The growing answer: what the official client holds, under its own names, and how the runs went. (B.2, B.7.)

use alloc::{string::String, vec::Vec};

use crate::core::declare::model::absent::Absent;
use crate::core::json_patch::Tree;
use crate::core::model;
use crate::json::{self, Partial, Value};

model! {
    words {
        /// How far a run has come.
        Status as "AgUiStatus" {
            /// No run has begun.
            Idle = "idle",
            /// Events are coming.
            Running = "running",
            /// `RUN_FINISHED`: the run succeeded. Calls in `pendingToolCallIds` are the client's to answer.
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
        /// Who speaks in a message.
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
            /// Something the agent shows besides what it says: structured, and patched.
            Activity = "activity",
            /// What the agent thinks.
            Reasoning = "reasoning",
        }
        /// The kind of a tool call.
        CallType as "AgUiToolCallType" {
            /// The only one.
            Function = "function",
        }
    }
    root {
        /// What an AG-UI stream comes to: the official client's fields, and what only its subscribers are told. Plain data; what did
        /// not change keeps its identity from one update to the next.
        Snapshot as "AgUiSnapshot" {
            /// How far the last run has come.
            status: Status,
            /// The thread of the last run.
            thread_id as "threadId": Option<String>,
            /// The last run.
            run_id as "runId": Option<String>,
            /// The messages of the thread, in order.
            messages: Vec<Message>,
            /// The shared state: any JSON, as snapshots and patches have left it.
            state: Tree,
            /// What the agent asks; the next request has to answer all of it.
            pending_interrupts as "pendingInterrupts": Value,
            /// The calls that are the client's to answer when the run has finished.
            pending_tool_call_ids as "pendingToolCallIds": Vec<String>,
            /// How the run ended: `success`, `interrupt` or `cancelled`; null before, and after an error.
            outcome: Option<String>,
            /// What the run returned; null if nothing.
            result: Option<Value>,
            /// Why the run failed.
            error: Option<RunError>,
            /// Tokens used by all runs of the stream, summed for each provider and model.
            usage: Value,
            /// The steps of the run, in order.
            steps: Vec<Step>,
            /// The subagents of the run, in order.
            subagents: Vec<Subagent>,
            /// The spans of reasoning of the run, in order. Messages of role `reasoning` say what was thought.
            reasoning_spans as "reasoningSpans": Vec<ReasoningSpan>,
            /// The runs of the stream, in order.
            runs: Vec<Run>,
        }
    }
    objects {
        /// A message. Which members it has depends on its role; those that it does not have are absent.
        Message as "AgUiMessage" {
            /// Its id.
            id: String,
            /// Who speaks.
            role: Role,
            /// Text; of a user or a tool also a list of parts; of an activity an object. An assistant that only calls tools has none.
            content: Absent<Tree>,
            /// The name of who speaks.
            name: Absent<String>,
            /// The calls of an assistant, in order.
            tool_calls as "toolCalls": Absent<Vec<ToolCall>>,
            /// Of a tool: the call that it answers.
            tool_call_id as "toolCallId": Absent<String>,
            /// Of a tool: what went wrong.
            error: Absent<String>,
            /// Of an activity: its kind.
            activity_type as "activityType": Absent<String>,
            /// What only the provider can read.
            encrypted_value as "encryptedValue": Absent<String>,
            /// The lane that it belongs to; the agent itself has none.
            subagent_run_id as "subagentRunId": Absent<String>,
            /// Anything more, member by member as events said it.
            metadata: Absent<Tree>,
        }
        /// A tool call of an assistant.
        ToolCall as "AgUiToolCall" {
            /// Its id.
            id: String,
            /// Always `function`.
            call_type as "type": CallType,
            /// What is called.
            function: FunctionCall,
            /// What only the provider can read.
            encrypted_value as "encryptedValue": Absent<String>,
            /// Anything more.
            metadata: Absent<Tree>,
        }
        /// A function and its arguments.
        FunctionCall as "AgUiFunctionCall" {
            /// The tool.
            name: String,
            /// The arguments' JSON text so far.
            arguments: String,
        }
        /// Why a run, or the part of it that a subagent did, failed.
        RunError as "AgUiRunError" {
            /// What went wrong.
            message: String,
            /// A code for programs.
            code: Absent<String>,
        }
        /// A step of a run.
        Step as "AgUiStep" {
            /// Its name.
            step_name as "stepName": String,
            /// The lane that it belongs to.
            subagent_run_id as "subagentRunId": Absent<String>,
            /// `running`, then `finished`.
            status: Status,
        }
        /// A subagent: a lane of its own.
        Subagent as "AgUiSubagent" {
            /// Its id.
            subagent_run_id as "subagentRunId": String,
            /// Its name.
            name: String,
            /// What it is for.
            description: Absent<String>,
            /// The subagent that has started it.
            parent_subagent_run_id as "parentSubagentRunId": Absent<String>,
            /// The call that has started it.
            parent_tool_call_id as "parentToolCallId": Absent<String>,
            /// The message that has started it.
            parent_message_id as "parentMessageId": Absent<String>,
            /// `running`, then `finished`, `interrupted` (it is suspended) or `failed`.
            status: Status,
            /// What it returned.
            result: Absent<Value>,
            /// How it ended.
            outcome: Absent<Value>,
            /// Why it failed.
            error: Absent<RunError>,
        }
        /// A span of reasoning.
        ReasoningSpan as "AgUiReasoningSpan" {
            /// Its id.
            message_id as "messageId": String,
            /// The lane that it belongs to.
            subagent_run_id as "subagentRunId": Absent<String>,
            /// `running`, then `finished`.
            status: Status,
        }
        /// A run.
        Run as "AgUiRun" {
            /// Its thread.
            thread_id as "threadId": String,
            /// Its id.
            run_id as "runId": String,
            /// The run that it goes on from.
            parent_run_id as "parentRunId": Absent<String>,
            /// The version that the agent speaks.
            protocol_version as "protocolVersion": Absent<String>,
            /// How far it has come.
            status: Status,
        }
    }
}

impl FunctionCall {
    /// What the arguments say so far. For display only: half a path or command is the wrong one.
    pub fn partial(&self) -> Partial {
        json::partial(&self.arguments, 128)
    }

    /// The arguments, if they are JSON. Only to be asked when the call has ended.
    pub fn value(&self) -> Option<Value> {
        Value::parse(&self.arguments, 128).ok()
    }
}

impl Message {
    /// Its text, if it has one.
    pub fn text(&self) -> Option<&str> {
        self.content.as_ref().and_then(Tree::as_str)
    }
}

impl Snapshot {
    /// All tool calls, in order.
    pub fn tool_calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.messages.iter().flat_map(|message| message.tool_calls.iter().flatten())
    }

    /// The calls that are the client's to answer, once a run has finished.
    pub fn pending(&self) -> impl Iterator<Item = &ToolCall> {
        self.tool_calls().filter(|call| self.pending_tool_call_ids.contains(&call.id))
    }
}
