//! Requests: the body of `POST /v1beta/interactions`, parsed leniently and written strictly.
//!
//! ```
//! use agentwire::interactions::request::CreateInteraction;
//!
//! let request = CreateInteraction::user("gemini-3-flash-preview", "hi");
//! assert_eq!(
//!     request.to_json(),
//!     r#"{"model":"gemini-3-flash-preview","input":[{"type":"user_input","content":[{"type":"text","text":"hi"}]}],"stream":true}"#,
//! );
//! ```

use alloc::{string::String, vec, vec::Vec};

use crate::core::requests;
use crate::json::Value;

requests! {
    objects {
        /// The request of a client: the body of `POST /v1beta/interactions`.
        ///
        /// Absent and null are equivalent. Unknown properties are kept.
        CreateInteraction as "CreateInteraction" {
            /// The name of the model.
            model: Option<String>,
            /// The name of the agent, in place of a model.
            agent: Option<String>,
            /// The input: a text, a content, or a list of steps or of contents.
            input: Option<Input>,
            /// The instructions.
            system_instruction: Option<String>,
            /// The tools that the model can call.
            tools: Vec<Value> [NullIsAbsent, OmitWhenEmpty],
            /// The settings of the model: `temperature`, `max_output_tokens`, `thinking_level`,
            /// `tool_choice`, …
            generation_config: Option<Value> [Object],
            /// The formats of the answer: an object, or a list of them.
            response_format: Option<Value>,
            /// The interaction that this one continues: only new steps are sent.
            previous_interaction_id: Option<String>,
            /// The token with which the last request has stopped.
            continuation_token: Option<String>,
            /// Whether the server stores the interaction. Absent means true.
            store: Option<bool>,
            /// Whether the answer is a stream.
            stream: Option<bool>,
            /// Whether the interaction goes on without a connection.
            background: Option<bool>,
            .. extra
        }
        /// A step of the conversation, or a content of the user. Other kinds of steps have further
        /// properties.
        RequestStep as "InteractionsRequestStep" {
            /// The type: `user_input`, `model_output`, `thought`, `function_call`,
            /// `function_result`, …; of a content `text`, `image`, …
            r#type as "type": Option<String>,
            /// The contents of an input or an output: a list.
            content: Option<Value>,
            .. extra
        }
    }
    alternatives {
        /// The input of a request.
        Input as "InteractionsInput" {
            /// The text of the user.
            Text(String) = "str",
            /// Steps, or contents of the user.
            Steps(Vec<RequestStep>) = "list[RequestStep]",
            /// One content of the user.
            Content(RequestStep) = "RequestStep",
        }
    }
    bodies { CreateInteraction }
    types { CreateInteraction Input RequestStep }
}

impl CreateInteraction {
    /// Creates a request to a model with these steps, whose answer is a stream.
    pub fn new(model: impl Into<String>, steps: Vec<RequestStep>) -> Self {
        CreateInteraction {
            model: Some(model.into()),
            input: Some(Input::Steps(steps)),
            stream: Some(true),
            ..Self::empty()
        }
    }

    /// Creates a request to a model with the text of the user.
    pub fn user(model: impl Into<String>, text: impl Into<String>) -> Self {
        Self::new(model, vec![RequestStep::user(text)])
    }

    /// Returns the request as JSON.
    pub fn to_json(&self) -> String {
        self.normalized_json()
    }
}

impl RequestStep {
    /// Creates a step with a text of the user.
    pub fn user(text: impl Into<String>) -> Self {
        let text = Value::from([("type", "text".into()), ("text", text.into().into())]);
        RequestStep {
            r#type: Some("user_input".into()),
            content: Some(Value::Array([text].into())),
            ..Self::empty()
        }
    }
}
