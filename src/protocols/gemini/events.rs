//! Events as they stand on the wire: chunks, borrowed and read leniently. (G1.)
//!
//! ```
//! use agentwire::gemini::events::Event;
//!
//! let chunk = r#"{"candidates":[{"content":{"parts":[{"text":"Hi"}]}}],"responseId":"r"}"#;
//! let Event::Chunk { response_id, candidates, .. } = Event::decode(chunk, 128)? else { panic!("a chunk") };
//! assert_eq!((response_id.as_deref(), candidates.is_some()), (Some("r"), true));
//! # Ok::<(), agentwire::DecodeError>(())
//! ```

use crate::core::declare::lazy_objects;
use crate::core::events;

events! {
    /// One event of a stream.
    Event by "";

    /// A chunk of the response, or an error.
    Chunk {
        /// The next parts of the candidates.
        candidates: Nullable<List> of CandidateChunk,
        /// Why the prompt was blocked, and its safety ratings. (G4.)
        prompt_feedback as "promptFeedback": Json,
        /// The token usage so far. (G8.)
        usage_metadata as "usageMetadata": Json,
        /// The model.
        model_version as "modelVersion": Nullable<Text>,
        /// The response's id.
        response_id as "responseId": Nullable<Id>,
        /// The time of the request, an RFC 3339 timestamp.
        create_time as "createTime": Nullable<Text>,
        /// The error that ends the stream: `code`, `message` and `status`. (G5.)
        error: Json,
    }
}

lazy_objects! {
    /// The next parts of a candidate, and its properties so far.
    CandidateChunk as "GeminiCandidateChunk" {
        /// The candidate's index. Absent means 0. (G2.)
        index: Number,
        /// The next parts.
        content: Nullable<Object> of ContentChunk,
        /// Why the candidate ended. Absent before. (G3.)
        finish_reason as "finishReason": Nullable<Text>,
        /// The reason as a text for people.
        finish_message as "finishMessage": Nullable<Text>,
        /// The safety ratings.
        safety_ratings as "safetyRatings": Json,
        /// The citations of recited text.
        citation_metadata as "citationMetadata": Json,
        /// The sources of the answer.
        grounding_metadata as "groundingMetadata": Json,
        /// The results of the tool `urlContext`.
        url_context_metadata as "urlContextMetadata": Json,
        /// The log probabilities of the tokens of the chunk.
        logprobs_result as "logprobsResult": Json,
    }
    /// The next parts of a content.
    ContentChunk as "GeminiContentChunk" {
        /// The role: `model`.
        role: Nullable<Text>,
        /// The parts.
        parts: Nullable<List> of PartChunk,
    }
    /// A part, or the next piece of a text. Its other properties depend on its kind.
    PartChunk as "GeminiPartChunk" {
        /// The next piece of a text.
        text: Nullable<Text>,
        /// Whether the part belongs to the reasoning of the model.
        thought: Json,
        /// The signature, which the next request has to contain. (G6.)
        thought_signature as "thoughtSignature": Nullable<Text>,
        /// A function call, or the next arguments of one. (G7.)
        function_call as "functionCall": Nullable<Object> of FunctionCallChunk,
        /// The result of a function.
        function_response as "functionResponse": Json,
        /// Code that the server executes: `language` and `code`.
        executable_code as "executableCode": Json,
        /// The result of that code: `outcome` and `output`.
        code_execution_result as "codeExecutionResult": Json,
        /// Media: `mimeType` and base64 `data`.
        inline_data as "inlineData": Json,
        /// A file: `mimeType` and `fileUri`.
        file_data as "fileData": Json,
        /// The call of another tool of the server.
        tool_call as "toolCall": Json,
        /// The result of that tool.
        tool_response as "toolResponse": Json,
    }
    /// A function call, or the next arguments of one.
    FunctionCallChunk as "GeminiFunctionCallChunk" {
        /// The call's id. Absent in the Gemini Developer API.
        id: Nullable<Id>,
        /// The name. Absent in further pieces of a call.
        name: Nullable<Text>,
        /// The arguments: an object.
        args: Json,
        /// The next arguments of a call in pieces.
        partial_args as "partialArgs": Nullable<List> of PartialArg,
        /// Whether another piece of the call follows.
        will_continue as "willContinue": Json,
    }
    /// A value in the arguments of a call, or the next piece of a text in them.
    PartialArg as "GeminiPartialArg" {
        /// The place in the arguments: a JSONPath such as `$.a.b[0]`.
        json_path as "jsonPath": Nullable<Text>,
        /// The next piece of a text.
        string_value as "stringValue": Nullable<Text>,
        /// A number.
        number_value as "numberValue": Json,
        /// A boolean.
        bool_value as "boolValue": Json,
        /// `NULL_VALUE`, which is null.
        null_value as "nullValue": Nullable<Text>,
    }
}
