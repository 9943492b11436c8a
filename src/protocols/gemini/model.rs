//! The growing response: the GenerateContentResponse object with its official member names.

use alloc::{format, string::String, vec::Vec};

use crate::core::changes::{AgentText, AgentTexts, TextKind};
use crate::core::declare::model::member::Absent;
use crate::core::json_patch::Tree;
use crate::core::model;
use crate::core::sink::Field;
use crate::json::Value;

model! {
    words {
        /// The status of a response. It is not part of the protocol.
        Status as "GeminiStatus" {
            /// Chunks are coming. It stays so if reading was refused.
            InProgress = "in_progress",
            /// Every candidate has a finish reason, and the first one ended by itself (`STOP`).
            Completed = "completed",
            /// The prompt was blocked, or the first candidate reached a limit, was blocked, or did
            /// not end.
            Incomplete = "incomplete",
            /// The stream contained an error.
            Failed = "failed",
        }
    }
    open root {
        /// The response so far. It is plain data; unchanged parts keep their identity between
        /// updates.
        Snapshot as "GeminiResponse" {
            /// The status, which is not part of the protocol.
            status: Status,
            /// The candidates, in the order of their indexes.
            candidates: Vec<Candidate>,
            /// Why the prompt was blocked, and its safety ratings.
            prompt_feedback as "promptFeedback": Absent<Value>,
            /// The token usage.
            usage_metadata as "usageMetadata": Absent<Value>,
            /// The model.
            model_version as "modelVersion": Absent<String>,
            /// The response's id.
            response_id as "responseId": Absent<String>,
            /// The time of the request, an RFC 3339 timestamp.
            create_time as "createTime": Absent<String>,
            /// The error that ended the stream.
            error: Absent<Value>,
        }
    }
    objects {}
    open objects {
        /// One of the alternative answers.
        Candidate as "GeminiCandidate" {
            /// The candidate's index.
            index: i64,
            /// The content.
            content: Content,
            /// Why the candidate ended: `STOP`, `MAX_TOKENS`, `SAFETY`, `RECITATION`,
            /// `MALFORMED_FUNCTION_CALL`, or another name.
            finish_reason as "finishReason": Absent<String>,
            /// The reason as a text for people.
            finish_message as "finishMessage": Absent<String>,
            /// The safety ratings.
            safety_ratings as "safetyRatings": Absent<Value>,
            /// The citations of recited text.
            citation_metadata as "citationMetadata": Absent<Value>,
            /// The sources of the answer.
            grounding_metadata as "groundingMetadata": Absent<Value>,
            /// The results of the tool `urlContext`.
            url_context_metadata as "urlContextMetadata": Absent<Value>,
            /// The log probabilities of the tokens.
            logprobs_result as "logprobsResult": Absent<Value>,
        }
        /// The content of a candidate.
        Content as "GeminiContent" {
            /// The role: `model`. Empty if the stream does not contain one.
            role: String,
            /// The parts, in the order of their starts.
            parts: Vec<Part>,
        }
        /// A part. It has one of the properties from `text` to `toolResponse`; only a text grows.
        Part as "GeminiPart" {
            /// The text so far.
            text: Absent<String>,
            /// True if the part belongs to the reasoning of the model.
            thought: Absent<Value>,
            /// The signature, which the next request has to contain in this part.
            thought_signature as "thoughtSignature": Absent<String>,
            /// A function call.
            function_call as "functionCall": Absent<FunctionCall>,
            /// The result of a function.
            function_response as "functionResponse": Absent<Value>,
            /// Code that the server executes: `language` and `code`.
            executable_code as "executableCode": Absent<Value>,
            /// The result of that code: `outcome` and `output`.
            code_execution_result as "codeExecutionResult": Absent<Value>,
            /// Media: `mimeType` and base64 `data`.
            inline_data as "inlineData": Absent<Value>,
            /// A file: `mimeType` and `fileUri`.
            file_data as "fileData": Absent<Value>,
            /// The call of another tool of the server.
            tool_call as "toolCall": Absent<Value>,
            /// The result of that tool.
            tool_response as "toolResponse": Absent<Value>,
        }
        /// A function call.
        FunctionCall as "GeminiFunctionCall" {
            /// The call's id. Absent in the Gemini Developer API.
            id: Absent<String>,
            /// The name of the function.
            name: String,
            /// The arguments so far: an object.
            args: Absent<Tree>,
            /// True while further pieces of the call are expected.
            will_continue as "willContinue": Absent<Value>,
        }
    }
}

impl Snapshot {
    /// Returns the joined texts of the first candidate, without its thoughts.
    pub fn text(&self) -> String {
        let parts = self.candidates.iter().take(1).flat_map(|candidate| &candidate.content.parts);
        parts.filter(|part| !part.is_thought()).filter_map(|part| part.text.as_deref()).collect()
    }
}

impl Part {
    /// Returns whether the part belongs to the reasoning of the model.
    pub fn is_thought(&self) -> bool {
        *self.thought == Some(Value::Bool(true))
    }
}

/// The texts of the agent.
impl AgentTexts for Snapshot {
    const TEXTS: &'static [Field] = &[Part::text];
    const HOLDERS: &'static [Field] = &[Snapshot::candidates, Candidate::content, Content::parts];

    fn text_at(&self, way: &[(Field, usize)], key: Field) -> Option<AgentText<'_>> {
        let &[(Snapshot::candidates, at), (Candidate::content, _), (Content::parts, place)] = way
        else {
            return None;
        };
        let part =
            self.candidates.get(at)?.content.parts.get(place).filter(|_| key == Part::text)?;
        let kind = if part.is_thought() { TextKind::Reasoning } else { TextKind::Answer };
        Some(AgentText::new(format!("{at}.{place}"), kind, part.text.as_deref()?))
    }
}
