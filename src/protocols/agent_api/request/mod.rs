//! Requests: what a client sends to an agent, read as leniently as the runtime reads it and checked
//! as strictly as it should be sent. (Spec 1.2, 3.1, 3.3, R38 to R41.)
//!
//! [`AgentRequest::parse`] accepts the same bodies as the runtime, with the same coercions (`"12"` for 12, `"yes"` for
//! true), and reports **everything** that the runtime would report, with the same text:
//! [`RequestError`] contains the HTTP status, the body of a 422 reply and the bare error frame. [`AgentRequest::validate`] reports the problems to
//! fix before sending.
//!
//! Members that the runtime does not declare are kept verbatim (`extra`), numbers of any size
//! included. This module is independent of HTTP and of the agent's processing of a request.
//!
//! ```
//! use agentwire::agent_api::request::AgentRequest;
//!
//! let request = AgentRequest::parse(
//!     r#"{"input": [{"role": "user", "content": [{"type": "text", "text": "hi"}]}], "max_tokens": "12"}"#,
//! )?;
//! assert_eq!(request.max_tokens, Some(12));
//!
//! let refused = AgentRequest::parse(r#"{"input": [{"role": "critic"}, 5], "n": 9}"#).unwrap_err();
//! let places: Vec<_> = refused.problems().iter().map(|p| (p.path(), p.code())).collect();
//! assert_eq!(
//!     places,
//!     [
//!         ("input.0.role".into(), "literal_error"),
//!         ("input.1".into(), "model_type"),
//!         ("n".into(), "less_than_equal"),
//!     ]
//! );
//! assert!(refused.to_sse().starts_with(r#"data: {"error": "3 validation errors for AgentRequest\ninput.0.role"#));
//! # Ok::<(), agentwire::agent_api::request::RequestError>(())
//! ```

mod agent;
mod error;
mod message;
mod payload;

use crate::core::requests;
pub use agent::{AgentRequest, RequestAnswer, Stop};
pub use error::{RequestError, bare_error_frame};
pub use message::{FunctionParameters, FunctionTool, Tool, ToolEntry, ToolParameters};
pub use message::{InputContent, InputMessage};
pub use payload::{
    FunctionCall, FunctionCallOutput, McpApprovalRequest, McpApprovalResponse, McpCall,
    McpCallOutput, McpListTools, McpListToolsTool, ToolCall, ToolCallOutput,
};

requests! {
    types {
        AgentRequest Stop InputMessage InputContent ToolEntry Tool FunctionTool ToolParameters
        FunctionParameters FunctionCall FunctionCallOutput McpCall McpCallOutput McpListToolsTool
        McpListTools McpApprovalRequest McpApprovalResponse ToolCall ToolCallOutput
    }
}
