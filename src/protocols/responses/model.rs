//! The growing answer: the Response object, under its official names. (O2, O19.)

use alloc::{string::String, vec::Vec};

use crate::core::declare::model::absent::Absent;
use crate::core::json_patch::Tree;
use crate::core::model;
use crate::json::Value;

model! {
    words {}
    open words {
        /// The status of a response or an item.
        Status as "ResponsesStatus" {
            /// It is being made.
            InProgress = "in_progress",
            /// It is whole.
            Completed = "completed",
            /// It ended before it was whole.
            Incomplete = "incomplete",
            /// It has failed.
            Failed = "failed",
            /// It was cancelled.
            Cancelled = "cancelled",
            /// It waits for its turn.
            Queued = "queued",
            /// A search is at work.
            Searching = "searching",
            /// The code interpreter is at work.
            Interpreting = "interpreting",
            /// An image is being made.
            Generating = "generating",
            /// An MCP server is being called.
            Calling = "calling",
        }
    }
    open root {
        /// The Response object, as far as it has come. Plain data; what did not change keeps its identity from one update to the
        /// next.
        Snapshot as "ResponsesResponse" {
            /// Its id; empty before the stream has named it.
            id: String,
            /// `response`
            object: Absent<Option<String>>,
            /// Seconds since 1970.
            created_at: Absent<Value>,
            /// How far it has come. A stream that stops without an end leaves it as it was.
            status: Status,
            /// Seconds since 1970.
            completed_at: Absent<Value>,
            /// Why it failed: `code` and `message`.
            error: Absent<Value>,
            /// Why it is incomplete: `reason`.
            incomplete_details: Absent<Value>,
            /// The model that answers.
            model: Absent<Option<String>>,
            /// What the answer consists of, in order.
            output: Vec<Item>,
            /// Tokens used.
            usage: Absent<Value>,
            /// What the model was told.
            instructions: Absent<Value>,
            /// Free.
            metadata: Absent<Value>,
            /// Whether several tools may be called at once.
            parallel_tool_calls: Absent<Value>,
            /// The request's temperature.
            temperature: Absent<Value>,
            /// The request's `top_p`.
            top_p: Absent<Value>,
            /// Which tools had to be called.
            tool_choice: Absent<Value>,
            /// The tools.
            tools: Absent<Value>,
            /// The response that this one goes on from.
            previous_response_id: Absent<Option<String>>,
            /// The conversation it belongs to: `id`.
            conversation: Absent<Value>,
            /// How much was to be thought.
            reasoning: Absent<Value>,
            /// Which text was asked for.
            text: Absent<Value>,
            /// What became of an input that was too long.
            truncation: Absent<Value>,
            /// The most tokens it could have.
            max_output_tokens: Absent<Value>,
        }
    }
    objects {}
    tagged {
        /// One part of a message, of reasoning or of its summary; its `type` tells what it holds. Servers may send types that are
        /// not listed here: leave a `default`.
        Part as "ResponsesPart" by r#type {
            /// The sources of a text, as the server has them.
            annotations: Absent<Tree> => r#type = tag,
            /// How probable the tokens of a text were.
            logprobs: Absent<Tree>,
        }
        /// What a part holds, by its `type`.
        PartPayload {
            /// `output_text`
            OutputText as ResponsesOutputText = "output_text" {
                /// The text so far.
                text: String,
            }
            /// `refusal`
            Refusal as ResponsesRefusal = "refusal" {
                /// Why the model will not answer.
                refusal: String,
            }
            /// `reasoning_text`
            ReasoningText as ResponsesReasoningText = "reasoning_text" {
                /// What the model thought.
                text: String,
            }
            /// `summary_text`
            SummaryText as ResponsesSummaryText = "summary_text" {
                /// What it thought, in short.
                text: String,
            }
        }
        /// The type of a part.
        PartType as "ResponsesPartType"

        /// One item of the output; its `type` tells what it is. Servers may send types that are not listed here: leave a
        /// `default`.
        Item as "ResponsesItem" by r#type {
            /// Unique in its response. Calls of functions and custom tools need not have one.
            id: Absent<Option<String>> => r#type = tag,
            /// How far it has come.
            status: Absent<Option<Status>>,
            /// The parts of a message, or of reasoning.
            content: Absent<Vec<Part>>,
            /// The parts of the summary of reasoning.
            summary: Absent<Vec<Part>>,
            /// The call that it is, or that it answers.
            call_id: Absent<Option<String>>,
        }
        /// What an item holds, by its `type`.
        ItemPayload {
            /// `message`
            Message as ResponsesMessage = "message" {
                /// `assistant`
                role: Absent<Option<String>>,
            }
            /// `reasoning`
            Reasoning as ResponsesReasoning = "reasoning" {
                /// What only the server can read, for the next request.
                encrypted_content: Absent<Option<String>>,
            }
            /// `function_call`
            FunctionCall as ResponsesFunctionCall = "function_call" {
                /// The tool.
                name: String,
                /// The arguments' JSON text so far.
                arguments: String,
            }
            /// `function_call_output`
            FunctionCallOutput as ResponsesFunctionCallOutput = "function_call_output" {
                /// A text, or a list of parts.
                output: Absent<Value>,
            }
            /// `custom_tool_call`
            CustomToolCall as ResponsesCustomToolCall = "custom_tool_call" {
                /// The tool.
                name: String,
                /// The plain text that it is given, so far.
                input: String,
            }
            /// `custom_tool_call_output`
            CustomToolCallOutput as ResponsesCustomToolCallOutput = "custom_tool_call_output" {
                /// A text, or a list of parts.
                output: Absent<Value>,
            }
            /// `mcp_list_tools`
            McpListTools as ResponsesMcpListTools = "mcp_list_tools" {
                /// The server.
                server_label: Absent<Option<String>>,
                /// Its tools.
                tools: Absent<Value>,
                /// Why they could not be listed.
                error: Absent<Value>,
            }
            /// `mcp_call`
            McpCall as ResponsesMcpCall = "mcp_call" {
                /// The tool.
                name: String,
                /// The arguments' JSON text so far.
                arguments: String,
                /// The server.
                server_label: Absent<Option<String>>,
                /// What the tool came to.
                output: Absent<Value>,
                /// Why it failed.
                error: Absent<Value>,
                /// The question that was answered before it ran.
                approval_request_id: Absent<Option<String>>,
            }
            /// `mcp_approval_request`
            McpApprovalRequest as ResponsesMcpApprovalRequest = "mcp_approval_request" {
                /// The tool.
                name: String,
                /// The arguments' JSON text.
                arguments: String,
                /// The server.
                server_label: Absent<Option<String>>,
            }
            /// `mcp_approval_response`
            McpApprovalResponse as ResponsesMcpApprovalResponse = "mcp_approval_response" {
                /// The question.
                approval_request_id: Absent<Option<String>>,
                /// Whether the tool may run.
                approve: Absent<Value>,
                /// Why.
                reason: Absent<Option<String>>,
            }
            /// `web_search_call`
            WebSearchCall as ResponsesWebSearchCall = "web_search_call" {
                /// What is looked for.
                action: Absent<Value>,
            }
            /// `file_search_call`
            FileSearchCall as ResponsesFileSearchCall = "file_search_call" {
                /// What is looked for.
                queries: Absent<Value>,
                /// What was found.
                results: Absent<Value>,
            }
            /// `code_interpreter_call`
            CodeInterpreterCall as ResponsesCodeInterpreterCall = "code_interpreter_call" {
                /// The code so far.
                code: Absent<Option<String>>,
                /// Where it runs.
                container_id: Absent<Option<String>>,
                /// What it said.
                outputs: Absent<Value>,
            }
            /// `image_generation_call`
            ImageGenerationCall as ResponsesImageGenerationCall = "image_generation_call" {
                /// The image, base64.
                result: Absent<Option<String>>,
                /// The image so far, base64; gone when the item is whole.
                partial_image_b64: Absent<String>,
            }
            /// `computer_call`
            ComputerCall as ResponsesComputerCall = "computer_call" {
                /// What to do.
                action: Absent<Value>,
            }
            /// `computer_call_output`
            ComputerCallOutput as ResponsesComputerCallOutput = "computer_call_output" {
                /// What came of it.
                output: Absent<Value>,
            }
            /// `tool_search_call`
            ToolSearchCall as ResponsesToolSearchCall = "tool_search_call" {
                /// What is looked for: any JSON.
                arguments: Absent<Value>,
            }
            /// `tool_search_output`
            ToolSearchOutput as ResponsesToolSearchOutput = "tool_search_output" {
                /// The tools that were found.
                tools: Absent<Value>,
            }
            /// `shell_call`
            ShellCall as ResponsesShellCall = "shell_call" {
                /// The commands.
                action: Absent<Tree>,
            }
            /// `shell_call_output`
            ShellCallOutput as ResponsesShellCallOutput = "shell_call_output" {
                /// What each command said.
                output: Absent<Tree>,
            }
            /// `local_shell_call`
            LocalShellCall as ResponsesLocalShellCall = "local_shell_call" {
                /// The command.
                action: Absent<Value>,
            }
            /// `local_shell_call_output`
            LocalShellCallOutput as ResponsesLocalShellCallOutput = "local_shell_call_output" {
                /// What it said.
                output: Absent<Value>,
            }
            /// `apply_patch_call`
            ApplyPatchCall as ResponsesApplyPatchCall = "apply_patch_call" {
                /// What to change.
                operation: Absent<Value>,
            }
            /// `apply_patch_call_output`
            ApplyPatchCallOutput as ResponsesApplyPatchCallOutput = "apply_patch_call_output" {
                /// What came of it.
                output: Absent<Value>,
            }
            /// `program`
            Program as ResponsesProgram = "program" {
                /// The program.
                code: Absent<Option<String>>,
            }
            /// `program_output`
            ProgramOutput as ResponsesProgramOutput = "program_output" {
                /// What it came to.
                result: Absent<Option<String>>,
            }
            /// `additional_tools`
            AdditionalTools as ResponsesAdditionalTools = "additional_tools" {
                /// The tools.
                tools: Absent<Value>,
            }
            /// `compaction`
            Compaction as ResponsesCompaction = "compaction" {
                /// What only the server can read.
                encrypted_content: Absent<Option<String>>,
            }
        }
        /// The type of an item.
        ItemType as "ResponsesItemType"
    }
}

impl Snapshot {
    /// The text of all messages, one after the other: what the official clients call `output_text`.
    pub fn output_text(&self) -> String {
        let parts = self.output.iter().flat_map(|item| item.content.iter().flatten());
        parts
            .filter_map(|part| match &part.payload {
                PartPayload::OutputText { text } => Some(text.as_str()),
                _ => None,
            })
            .collect()
    }
}
