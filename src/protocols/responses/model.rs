//! The growing answer: the Response object with its official member names. (O2, O19.)

use alloc::{borrow::ToOwned, format, string::String, vec::Vec};

use crate::core::changes::{AgentText, AgentTexts, TextKind};
use crate::core::declare::model::member::Absent;
use crate::core::json_patch::Tree;
use crate::core::model;
use crate::core::sink::Field;
use crate::json::Value;

model! {
    words {}
    open words {
        /// The status of a response or an item.
        Status as "ResponsesStatus" {
            /// It is being made.
            InProgress = "in_progress",
            /// It is complete.
            Completed = "completed",
            /// It ended before it was whole.
            Incomplete = "incomplete",
            /// It failed.
            Failed = "failed",
            /// It was canceled.
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
        /// The current Response object. It is plain data; unchanged parts keep their identity
        /// between updates.
        Snapshot as "ResponsesResponse" {
            /// The response's id. Empty until the stream contains it.
            id: String,
            /// The type of the object: `response`.
            object: Absent<Option<String>>,
            /// The creation time, in seconds since 1970.
            created_at: Absent<Value>,
            /// The status. A truncated stream does not change it.
            status: Status,
            /// The completion time, in seconds since 1970.
            completed_at: Absent<Value>,
            /// The error of a failed response: `code` and `message`.
            error: Absent<Value>,
            /// The details of an incomplete response: `reason`.
            incomplete_details: Absent<Value>,
            /// The model that produced the response.
            model: Absent<Option<String>>,
            /// The items of the output, in order.
            output: Vec<Item>,
            /// The token usage.
            usage: Absent<Value>,
            /// The instructions of the request.
            instructions: Absent<Value>,
            /// Arbitrary data.
            metadata: Absent<Value>,
            /// Whether several tools may be called at once.
            parallel_tool_calls: Absent<Value>,
            /// The request's temperature.
            temperature: Absent<Value>,
            /// The request's `top_p`.
            top_p: Absent<Value>,
            /// The `tool_choice` of the request.
            tool_choice: Absent<Value>,
            /// The tools.
            tools: Absent<Value>,
            /// The id of the previous response of the conversation.
            previous_response_id: Absent<Option<String>>,
            /// The conversation: `id`.
            conversation: Absent<Value>,
            /// The `reasoning` settings of the request.
            reasoning: Absent<Value>,
            /// The `text` settings of the request.
            text: Absent<Value>,
            /// The `truncation` of the request.
            truncation: Absent<Value>,
            /// The `max_output_tokens` of the request.
            max_output_tokens: Absent<Value>,
        }
    }
    objects {}
    tagged {
        /// A part of a message, of reasoning or of a summary, by its `type`. Servers may send other
        /// types: handle them in the `default` branch.
        Part as "ResponsesPart" by r#type {
            /// The annotations of a text, as the server sends them.
            annotations: Absent<Tree> => r#type = tag,
            /// The log probabilities of the tokens of a text.
            logprobs: Absent<Tree>,
        }
        /// The members of a part, by its `type`.
        PartPayload {
            /// `output_text`
            OutputText as ResponsesOutputText = "output_text" {
                /// The text so far.
                text: String,
            }
            /// `refusal`
            Refusal as ResponsesRefusal = "refusal" {
                /// The refusal of the model.
                refusal: String,
            }
            /// `reasoning_text`
            ReasoningText as ResponsesReasoningText = "reasoning_text" {
                /// The reasoning text.
                text: String,
            }
            /// `summary_text`
            SummaryText as ResponsesSummaryText = "summary_text" {
                /// The summary text.
                text: String,
            }
        }
        /// The type of a part.
        PartType as "ResponsesPartType"

        /// An item of the output, by its `type`. Servers may send other types: handle them in the
        /// `default` branch.
        Item as "ResponsesItem" by r#type {
            /// The item's id, unique in its response. Optional for calls of functions and custom
            /// tools.
            id: Absent<Option<String>> => r#type = tag,
            /// The status.
            status: Absent<Option<Status>>,
            /// The parts of a message, or of reasoning.
            content: Absent<Vec<Part>>,
            /// The parts of the summary of reasoning.
            summary: Absent<Vec<Part>>,
            /// The id of the call: of the item itself, or of the call that it answers.
            call_id: Absent<Option<String>>,
        }
        /// The members of an item, by its `type`.
        ItemPayload {
            /// `message`
            Message as ResponsesMessage = "message" {
                /// The role: `assistant`.
                role: Absent<Option<String>>,
            }
            /// `reasoning`
            Reasoning as ResponsesReasoning = "reasoning" {
                /// Encrypted content for the next request. Only the server can read it.
                encrypted_content: Absent<Option<String>>,
            }
            /// `function_call`
            FunctionCall as ResponsesFunctionCall = "function_call" {
                /// The name of the tool.
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
                /// The name of the tool.
                name: String,
                /// The input so far: plain text.
                input: String,
            }
            /// `custom_tool_call_output`
            CustomToolCallOutput as ResponsesCustomToolCallOutput = "custom_tool_call_output" {
                /// A text, or a list of parts.
                output: Absent<Value>,
            }
            /// `mcp_list_tools`
            McpListTools as ResponsesMcpListTools = "mcp_list_tools" {
                /// The label of the MCP server.
                server_label: Absent<Option<String>>,
                /// The tools.
                tools: Absent<Value>,
                /// The error, if the tools could not be listed.
                error: Absent<Value>,
            }
            /// `mcp_call`
            McpCall as ResponsesMcpCall = "mcp_call" {
                /// The name of the tool.
                name: String,
                /// The arguments' JSON text so far.
                arguments: String,
                /// The label of the MCP server.
                server_label: Absent<Option<String>>,
                /// The result of the tool.
                output: Absent<Value>,
                /// The error.
                error: Absent<Value>,
                /// The id of the question that the user approved before the call.
                approval_request_id: Absent<Option<String>>,
            }
            /// `mcp_approval_request`
            McpApprovalRequest as ResponsesMcpApprovalRequest = "mcp_approval_request" {
                /// The name of the tool.
                name: String,
                /// The arguments' JSON text.
                arguments: String,
                /// The label of the MCP server.
                server_label: Absent<Option<String>>,
            }
            /// `mcp_approval_response`
            McpApprovalResponse as ResponsesMcpApprovalResponse = "mcp_approval_response" {
                /// The id of the question.
                approval_request_id: Absent<Option<String>>,
                /// Whether the tool may run.
                approve: Absent<Value>,
                /// The reason.
                reason: Absent<Option<String>>,
            }
            /// `web_search_call`
            WebSearchCall as ResponsesWebSearchCall = "web_search_call" {
                /// The query.
                action: Absent<Value>,
            }
            /// `file_search_call`
            FileSearchCall as ResponsesFileSearchCall = "file_search_call" {
                /// The queries.
                queries: Absent<Value>,
                /// The results.
                results: Absent<Value>,
            }
            /// `code_interpreter_call`
            CodeInterpreterCall as ResponsesCodeInterpreterCall = "code_interpreter_call" {
                /// The code so far.
                code: Absent<Option<String>>,
                /// The id of the container.
                container_id: Absent<Option<String>>,
                /// The outputs of the code.
                outputs: Absent<Value>,
            }
            /// `image_generation_call`
            ImageGenerationCall as ResponsesImageGenerationCall = "image_generation_call" {
                /// The image in base64.
                result: Absent<Option<String>>,
                /// The intermediate image in base64. Removed when the item is complete.
                partial_image_b64: Absent<String>,
            }
            /// `computer_call`
            ComputerCall as ResponsesComputerCall = "computer_call" {
                /// The action.
                action: Absent<Value>,
            }
            /// `computer_call_output`
            ComputerCallOutput as ResponsesComputerCallOutput = "computer_call_output" {
                /// The output.
                output: Absent<Value>,
            }
            /// `tool_search_call`
            ToolSearchCall as ResponsesToolSearchCall = "tool_search_call" {
                /// The query: any JSON.
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
                /// The outputs of the commands.
                output: Absent<Tree>,
            }
            /// `local_shell_call`
            LocalShellCall as ResponsesLocalShellCall = "local_shell_call" {
                /// The command.
                action: Absent<Value>,
            }
            /// `local_shell_call_output`
            LocalShellCallOutput as ResponsesLocalShellCallOutput = "local_shell_call_output" {
                /// The output of the command.
                output: Absent<Value>,
            }
            /// `apply_patch_call`
            ApplyPatchCall as ResponsesApplyPatchCall = "apply_patch_call" {
                /// The change.
                operation: Absent<Value>,
            }
            /// `apply_patch_call_output`
            ApplyPatchCallOutput as ResponsesApplyPatchCallOutput = "apply_patch_call_output" {
                /// The output.
                output: Absent<Value>,
            }
            /// `program`
            Program as ResponsesProgram = "program" {
                /// The program.
                code: Absent<Option<String>>,
            }
            /// `program_output`
            ProgramOutput as ResponsesProgramOutput = "program_output" {
                /// The result of the program.
                result: Absent<Option<String>>,
            }
            /// `additional_tools`
            AdditionalTools as ResponsesAdditionalTools = "additional_tools" {
                /// The tools.
                tools: Absent<Value>,
            }
            /// `configuration_update`
            ConfigurationUpdate as ResponsesConfigurationUpdate = "configuration_update" {
                /// The reasoning settings from here on: `effort`.
                reasoning: Absent<Value>,
                /// The `text` settings from here on: `format`.
                text: Absent<Value>,
            }
            /// `compaction`
            Compaction as ResponsesCompaction = "compaction" {
                /// Encrypted content. Only the server can read it.
                encrypted_content: Absent<Option<String>>,
            }
        }
        /// The type of an item.
        ItemType as "ResponsesItemType"
    }
}

impl Snapshot {
    /// Returns the concatenated texts of all messages: `output_text` in the official clients.
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

/// The texts of the agent.
impl AgentTexts for Snapshot {
    const TEXTS: &'static [Field] = &[
        ResponsesOutputText::text,
        ResponsesRefusal::refusal,
        ResponsesReasoningText::text,
        ResponsesSummaryText::text,
    ];
    const HOLDERS: &'static [Field] = &[Snapshot::output, Item::content, Item::summary];

    fn text_at(&self, way: &[(Field, usize)], key: Field) -> Option<AgentText<'_>> {
        let &[(Snapshot::output, at), (list, part)] = way else { return None };
        let item = self.output.get(at)?;
        let parts = match list {
            Item::content => &item.content,
            Item::summary => &item.summary,
            _ => return None,
        };
        let (kind, text) = match (&parts.as_ref()?.get(part)?.payload, key) {
            (PartPayload::OutputText { text }, ResponsesOutputText::text) => {
                (TextKind::Answer, text)
            }
            (PartPayload::Refusal { refusal }, ResponsesRefusal::refusal) => {
                (TextKind::Answer, refusal)
            }
            (PartPayload::ReasoningText { text }, ResponsesReasoningText::text) => {
                (TextKind::Reasoning, text)
            }
            (PartPayload::SummaryText { text }, ResponsesSummaryText::text) => {
                (TextKind::Reasoning, text)
            }
            _ => return None,
        };
        // The summary of reasoning is a separate text.
        let id = item
            .id
            .as_ref()
            .and_then(|id| id.as_deref())
            .map_or_else(|| format!("{at}"), ToOwned::to_owned);
        let block = if list == Item::summary { id + " summary" } else { id };
        Some(AgentText::new(block, kind, text))
    }
}
