//! Requests: the body of `POST /v1beta/models/{model}:streamGenerateContent?alt=sse`, parsed
//! leniently and written strictly.
//!
//! ```
//! use agentwire::gemini::request::GenerateContentRequest;
//!
//! let request = GenerateContentRequest::user("hi");
//! assert_eq!(request.to_json(), r#"{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}"#);
//! ```

use alloc::{string::String, vec, vec::Vec};

use crate::core::requests;
use crate::json::Value;

requests! {
    objects {
        /// The request of a client: the body of `streamGenerateContent` and `generateContent`.
        /// Which of the two it is, and the model, are in the URL.
        ///
        /// Absent and null are equivalent. Unknown properties are kept.
        GenerateContentRequest as "GenerateContentRequest" {
            /// The name of the model, which the server reads from the URL: `models/…`.
            model: Option<String>,
            /// The whole conversation.
            contents: Vec<RequestContent>,
            /// The system instructions: a content of texts.
            system_instruction as "systemInstruction": Option<RequestContent>,
            /// The tools that the model can call.
            tools: Vec<Tool> [NullIsAbsent, OmitWhenEmpty],
            /// The tool choice: an object with `functionCallingConfig`.
            tool_config as "toolConfig": Option<Value> [Object],
            /// The thresholds of the safety filters.
            safety_settings as "safetySettings": Option<Value>,
            /// The settings of the model: `temperature`, `maxOutputTokens`, `thinkingConfig`, …
            generation_config as "generationConfig": Option<Value> [Object],
            /// The name of cached content.
            cached_content as "cachedContent": Option<String>,
            .. extra
        }
        /// A message of the conversation.
        RequestContent as "GeminiRequestContent" {
            /// The role: `user` or `model`. Absent means `user`.
            role: Option<String>,
            /// The parts, in order.
            parts: Vec<RequestPart> [NullIsAbsent],
        }
        /// A part of a message. Other kinds of parts have further properties.
        RequestPart as "GeminiRequestPart" {
            /// A text.
            text: Option<String>,
            /// Whether the part belongs to the reasoning of the model.
            thought: Option<bool>,
            /// The signature of a part of the model.
            thought_signature as "thoughtSignature": Option<String>,
            /// Media: `mimeType` and base64 `data`.
            inline_data as "inlineData": Option<Value> [Object],
            /// A file: `mimeType` and `fileUri`.
            file_data as "fileData": Option<Value> [Object],
            /// A function call of the model: `id`, `name` and `args`.
            function_call as "functionCall": Option<Value> [Object],
            /// The result of a function: `id`, `name` and `response`.
            function_response as "functionResponse": Option<Value> [Object],
            .. extra
        }
        /// Functions, or another tool, by its property.
        Tool as "GeminiTool" {
            /// The functions.
            function_declarations as "functionDeclarations": Option<Vec<FunctionDeclaration>>,
            .. extra
        }
        /// A function that the model can call.
        FunctionDeclaration as "GeminiFunctionDeclaration" {
            /// The name.
            name: String,
            /// The purpose of the function, for the model.
            description: Option<String>,
            /// The arguments, in Gemini's own form of a schema.
            parameters: Option<Value>,
            /// The JSON Schema of the arguments.
            parameters_json_schema as "parametersJsonSchema": Option<Value>,
            .. extra
        }
    }
    bodies { GenerateContentRequest }
    types { GenerateContentRequest RequestContent RequestPart Tool FunctionDeclaration }
}

impl GenerateContentRequest {
    /// Creates a request with these messages.
    pub fn new(contents: Vec<RequestContent>) -> Self {
        GenerateContentRequest { contents, ..Self::empty() }
    }

    /// Creates a request with the text of the user.
    pub fn user(text: impl Into<String>) -> Self {
        Self::new(vec![RequestContent::new("user", vec![RequestPart::text(text)])])
    }

    /// Returns the request as JSON.
    pub fn to_json(&self) -> String {
        self.normalized_json()
    }
}

impl RequestContent {
    /// Creates a message of a role.
    pub fn new(role: impl Into<String>, parts: Vec<RequestPart>) -> Self {
        RequestContent { role: Some(role.into()), parts }
    }
}

impl RequestPart {
    /// Creates a text.
    pub fn text(text: impl Into<String>) -> Self {
        RequestPart { text: Some(text.into()), ..Self::empty() }
    }
}

impl FunctionDeclaration {
    /// Creates a function with its name, purpose and the JSON Schema of its arguments.
    pub fn new(
        name: impl Into<String>,
        description: impl Into<String>,
        json_schema: Value,
    ) -> Self {
        let (description, parameters_json_schema) = (Some(description.into()), Some(json_schema));
        FunctionDeclaration {
            name: name.into(),
            description,
            parameters_json_schema,
            ..Self::empty()
        }
    }
}
