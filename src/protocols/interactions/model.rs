//! The growing answer: the Interaction with its official member names.

use alloc::{format, string::String, vec::Vec};

use crate::core::changes::{AgentText, AgentTexts, TextKind};
use crate::core::declare::model::member::Absent;
use crate::core::model;
use crate::core::sink::Field;
use crate::json::Value;

model! {
    words {}
    open words {
        /// The status of an interaction.
        Status as "InteractionsStatus" {
            /// Events are coming.
            InProgress = "in_progress",
            /// The results of functions are expected.
            RequiresAction = "requires_action",
            /// It is complete.
            Completed = "completed",
            /// It failed, or its stream contained an error.
            Failed = "failed",
            /// It was canceled.
            Cancelled = "cancelled",
            /// It reached a limit of the model.
            Incomplete = "incomplete",
            /// It reached the limit of tokens of an agent.
            BudgetExceeded = "budget_exceeded",
            /// It waits for its turn.
            Queued = "queued",
            /// It reached the limit of one request: another one continues it.
            RequiresContinuation = "requires_continuation",
        }
    }
    open root {
        /// The interaction so far. It is plain data; unchanged parts keep their identity between
        /// updates.
        Snapshot as "InteractionsInteraction" {
            /// The interaction's id. Empty until the stream contains it, and if the server does
            /// not store the interaction.
            id: String,
            /// The status. A truncated stream does not change it.
            status: Status,
            /// The model.
            model: Absent<String>,
            /// The agent.
            agent: Absent<String>,
            /// The steps, in the order of their starts.
            steps: Vec<Step>,
            /// The token usage.
            usage: Absent<Value>,
            /// The type of the object: `interaction`.
            object: Absent<String>,
            /// The creation time, an RFC 3339 timestamp.
            created: Absent<String>,
            /// The time of the last change, an RFC 3339 timestamp.
            updated: Absent<String>,
            /// The service tier.
            service_tier: Absent<String>,
            /// The faults of the interaction: a list of objects with `code` and `message`.
            errors: Absent<Value>,
            /// The token with which another request continues the interaction.
            continuation_token: Absent<String>,
            /// The error that ended the stream. It is not part of the resource.
            error: Absent<Value>,
            /// The id of the last event, from which the stream can be resumed. It is not part of
            /// the resource.
            last_event_id: Absent<String>,
        }
    }
    objects {}
    tagged {
        /// A content of a step, by its `type`. Contents of other types are not declared: handle
        /// them in the `default` branch.
        Content as "InteractionsContent" by r#type {
            /// The annotations of a text, as the server sends them.
            annotations: Absent<Value> => r#type = tag,
            /// The media type.
            mime_type: Absent<String>,
            /// Media in base64.
            data: Absent<String>,
            /// The address of media.
            uri: Absent<String>,
        }
        /// What a content holds, by its `type`.
        ContentPayload {
            /// `text`
            Text as InteractionsText = "text" {
                /// The text so far.
                text: String,
            }
            /// `image`
            Image as InteractionsImage = "image" {
                /// The resolution: `low`, `medium`, `high`, `ultra_high`.
                resolution: Absent<Value>,
            }
            /// `audio`
            Audio as InteractionsAudio = "audio" {
                /// The number of channels.
                channels: Absent<Value>,
                /// The number of samples in a second.
                sample_rate: Absent<Value>,
            }
            /// `video`
            Video as InteractionsVideo = "video" {
                /// The resolution.
                resolution: Absent<Value>,
            }
            /// `document`
            Document as InteractionsDocument = "document" {
                /// The file name.
                name: Absent<Value>,
            }
        }
        /// The type of a content.
        ContentType as "InteractionsContentType"

        /// A step, by its `type`. Servers may send other types: handle them in the `default`
        /// branch.
        Step as "InteractionsStep" by r#type {
            /// The token usage of the step. It is not part of the resource.
            step_usage: Absent<Value> => r#type = tag,
            /// The contents of a text of the model or of the user.
            content: Absent<Vec<Content>>,
            /// The summary of a thought: texts and images.
            summary: Absent<Vec<Content>>,
            /// The signature, which the next request has to contain.
            signature: Absent<String>,
            /// The JSON text of the arguments of a call so far. It is not part of the resource.
            partial_arguments: Absent<String>,
        }
        /// What a step holds, by its `type`.
        StepPayload {
            /// `user_input`
            UserInput as InteractionsUserInput = "user_input" {
                /// The role, if the server sends one.
                role: Absent<Value>,
            }
            /// `model_output`
            ModelOutput as InteractionsModelOutput = "model_output" {
                /// The error that ended the output: `code` and `message`.
                error: Absent<Value>,
            }
            /// `thought`
            Thought as InteractionsThought = "thought" {
                /// The error that ended the thought.
                error: Absent<Value>,
            }
            /// `function_call`
            FunctionCall as InteractionsFunctionCall = "function_call" {
                /// The call's id.
                id: String,
                /// The name of the function.
                name: String,
                /// The arguments. Until the step has ended, those of its start.
                arguments: Value,
            }
            /// `function_result`
            FunctionResult as InteractionsFunctionResult = "function_result" {
                /// The id of the call.
                call_id: String,
                /// The name of the function.
                name: Absent<String>,
                /// The result: a text, a list of contents, or an object.
                result: Absent<Value>,
                /// Whether the function failed.
                is_error: Absent<Value>,
            }
            /// `code_execution_call`
            CodeExecutionCall as InteractionsCodeExecutionCall = "code_execution_call" {
                /// The call's id.
                id: String,
                /// The arguments: `code` and `language`.
                arguments: Absent<Value>,
            }
            /// `code_execution_result`
            CodeExecutionResult as InteractionsCodeExecutionResult = "code_execution_result" {
                /// The id of the call.
                call_id: String,
                /// The output of the code.
                result: Absent<Value>,
                /// Whether the code failed.
                is_error: Absent<Value>,
            }
            /// `google_search_call`
            GoogleSearchCall as InteractionsGoogleSearchCall = "google_search_call" {
                /// The call's id.
                id: String,
                /// The arguments: `queries`.
                arguments: Absent<Value>,
                /// The kind of search: `web_search`, `image_search`, `enterprise_web_search`.
                search_type: Absent<Value>,
            }
            /// `google_search_result`
            GoogleSearchResult as InteractionsGoogleSearchResult = "google_search_result" {
                /// The id of the call.
                call_id: String,
                /// The results.
                result: Absent<Value>,
                /// Whether the search failed.
                is_error: Absent<Value>,
            }
            /// `url_context_call`
            UrlContextCall as InteractionsUrlContextCall = "url_context_call" {
                /// The call's id.
                id: String,
                /// The arguments: `urls`.
                arguments: Absent<Value>,
            }
            /// `url_context_result`
            UrlContextResult as InteractionsUrlContextResult = "url_context_result" {
                /// The id of the call.
                call_id: String,
                /// The results, one for each address.
                result: Absent<Value>,
                /// Whether the tool failed.
                is_error: Absent<Value>,
            }
            /// `file_search_call`
            FileSearchCall as InteractionsFileSearchCall = "file_search_call" {
                /// The call's id.
                id: String,
            }
            /// `file_search_result`
            FileSearchResult as InteractionsFileSearchResult = "file_search_result" {
                /// The id of the call.
                call_id: String,
                /// The results.
                result: Absent<Value>,
            }
            /// `google_maps_call`
            GoogleMapsCall as InteractionsGoogleMapsCall = "google_maps_call" {
                /// The call's id.
                id: String,
                /// The arguments: `queries`.
                arguments: Absent<Value>,
            }
            /// `google_maps_result`
            GoogleMapsResult as InteractionsGoogleMapsResult = "google_maps_result" {
                /// The id of the call.
                call_id: String,
                /// The results.
                result: Absent<Value>,
            }
            /// `retrieval_call`
            RetrievalCall as InteractionsRetrievalCall = "retrieval_call" {
                /// The call's id.
                id: String,
                /// The arguments: `queries`.
                arguments: Absent<Value>,
                /// The kind of retrieval.
                retrieval_type: Absent<Value>,
            }
            /// `retrieval_result`
            RetrievalResult as InteractionsRetrievalResult = "retrieval_result" {
                /// The id of the call.
                call_id: String,
                /// Whether the retrieval failed.
                is_error: Absent<Value>,
            }
            /// `processing_call`
            ProcessingCall as InteractionsProcessingCall = "processing_call" {
                /// The call's id.
                id: String,
            }
            /// `processing_result`
            ProcessingResult as InteractionsProcessingResult = "processing_result" {
                /// The id of the call.
                call_id: String,
            }
            /// `mcp_server_tool_call`
            McpServerToolCall as InteractionsMcpServerToolCall = "mcp_server_tool_call" {
                /// The call's id.
                id: String,
                /// The name of the tool.
                name: String,
                /// The name of the MCP server.
                server_name: Absent<String>,
                /// The arguments. Until the step has ended, those of its start.
                arguments: Absent<Value>,
            }
            /// `mcp_server_tool_result`
            McpServerToolResult as InteractionsMcpServerToolResult = "mcp_server_tool_result" {
                /// The id of the call.
                call_id: String,
                /// The name of the tool.
                name: Absent<String>,
                /// The name of the MCP server.
                server_name: Absent<String>,
                /// The result: a text, a list of contents, or an object.
                result: Absent<Value>,
            }
        }
        /// The type of a step.
        StepType as "InteractionsStepType"
    }
}

impl Snapshot {
    /// Returns the joined texts of all outputs of the model.
    pub fn text(&self) -> String {
        let outputs = self
            .steps
            .iter()
            .filter(|step| matches!(step.payload, StepPayload::ModelOutput { .. }));
        let contents = outputs.flat_map(|step| step.content.iter().flatten());
        contents.filter_map(Content::as_text).collect()
    }
}

impl Content {
    /// Returns the text, if this is one.
    pub fn as_text(&self) -> Option<&str> {
        match &self.payload {
            ContentPayload::Text { text } => Some(text),
            _ => None,
        }
    }
}

/// The texts of the agent.
impl AgentTexts for Snapshot {
    const TEXTS: &'static [Field] = &[InteractionsText::text];
    const HOLDERS: &'static [Field] = &[Snapshot::steps, Step::content, Step::summary];

    fn text_at(&self, way: &[(Field, usize)], key: Field) -> Option<AgentText<'_>> {
        let &[(Snapshot::steps, at), (list, place)] = way else { return None };
        let step = self.steps.get(at)?;
        let (kind, contents) = match (&step.payload, list) {
            (StepPayload::ModelOutput { .. }, Step::content) => (TextKind::Answer, &step.content),
            (StepPayload::Thought { .. }, Step::summary) => (TextKind::Reasoning, &step.summary),
            _ => return None,
        };
        let content = contents.as_ref()?.get(place).filter(|_| key == InteractionsText::text)?;
        Some(AgentText::new(format!("{at}.{place}"), kind, content.as_text()?))
    }
}
