//! Calling the APIs of models, and agents, over HTTP.
//!
//! [`call_model`] converts a request of any protocol and returns the answer as it arrives. An agent
//! passes the answer on to the client, in the protocol that the client uses, by returning it, or with
//! [`Out::forward`](crate::emit::Out::forward):
//!
//! ```
//! use agentwire::ProtocolKind;
//! use agentwire::emit::{AnyError, ConversationRequest, Out};
//! use agentwire::model::{Model, call_model};
//!
//! # fn main() -> Result<(), agentwire::UsageError> {
//! let key = std::env::var("OPENAI_API_KEY").unwrap_or_default();
//! let model = Model::new(ProtocolKind::Chat, "https://api.openai.com/v1")?.name("gpt-5-mini").key(&key)?;
//!
//! let agent = async move |_: Out, request: ConversationRequest| -> Result<_, AnyError> {
//!     Ok(call_model(&model, &request).await?)
//! };
//! # let _ = agent;
//! # Ok(())
//! # }
//! ```
//!
//! [`run_tools`] also runs the tools that the model calls, and calls it again with their results. Without an agent,
//! [`AnswerStream::read`](crate::emit::AnswerStream::read) reads the answer into a snapshot.
//!
//! The URL of a model is its base URL, as the official clients take it; the URL of an agent is its
//! endpoint. A query of the URL is kept: the path below is before it.
//!
//! | protocol | URL | request | key |
//! |---|---|---|---|
//! | `chat` | `https://api.openai.com/v1` | `POST {url}/chat/completions` | `authorization: Bearer` |
//! | `responses` | `https://api.openai.com/v1` | `POST {url}/responses` | `authorization: Bearer` |
//! | `anthropic` | `https://api.anthropic.com` | `POST {url}/v1/messages` | `x-api-key` |
//! | `gemini` | `https://generativelanguage.googleapis.com/v1beta` | `POST {url}/models/{model}:streamGenerateContent?alt=sse` | `x-goog-api-key` |
//! | `interactions` | `https://generativelanguage.googleapis.com/v1beta` | `POST {url}/interactions` | `x-goog-api-key` |
//! | `ag-ui`, `ag-kit`, `agent-api`, `agentscope`, `a2a`, `ai-sdk` | of the endpoint | `POST {url}` | `authorization: Bearer` |

mod call;
mod client;
mod endpoint;
mod pass;
mod resume;
mod tools;
mod unary;

pub use call::{CallError, Model, ModelBytes, call_model};
pub use client::{HttpClient, NetworkError};
pub use pass::{PassedRequest, pass_request};
pub use tools::{ToolError, ToolLimits, Tools, run_tools};
