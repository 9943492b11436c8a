//! Requests: parses, checks and writes the body of `POST /responses`.
//!
//! [`CreateResponse::parse`] accepts the requests of the official clients: a text or items of every kind as the input,
//! tools, a conversation. Members that the protocol does not declare and items of unknown types are
//! kept unchanged. A request that an OpenAI server would refuse is refused in OpenAI's error
//! format: [`RequestError`](crate::request::openai::RequestError).
//!
//! ```
//! use agentwire::responses::request::{CreateResponse, Input};
//!
//! let asked = CreateResponse::parse(r#"{"model":"m","input":"hi","stream":true,"seed":7}"#)?;
//! assert_eq!(asked.input, Some(Input::Text("hi".into())));
//! assert_eq!(asked.to_json(), r#"{"model":"m","input":"hi","stream":true,"seed":7}"#);
//!
//! let refused = CreateResponse::parse(r#"{"input":[{"type":"function_call_output","output":"21"}]}"#).unwrap_err();
//! assert_eq!(refused.status(), 400);
//! assert_eq!(
//!     refused.body(),
//!     concat!(
//!         r#"{"error":{"message":"Invalid value for 'input[0].call_id': Field required","#,
//!         r#""type":"invalid_request_error","param":"input[0].call_id","code":"missing"}}"#,
//!     ),
//! );
//! # Ok::<(), agentwire::request::openai::RequestError>(())
//! ```

mod create;
#[cfg(feature = "hub")]
mod echo;

use self::create::LABELS;
use crate::core::requests;
pub use create::{
    Content, ContentPart, Conversation, ConversationObject, CreateResponse, Input, InputItem, Tool,
};

requests! {
    openai_bodies { CreateResponse: LABELS }
    types { CreateResponse ConversationObject Conversation Tool Input InputItem Content ContentPart }
}
