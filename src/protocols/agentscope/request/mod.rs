//! Requests: what a client sends to `POST /chat/`, read leniently and written strictly. (M10.)
//!
//! ```
//! use agentwire::agentscope::request::ChatRequest;
//!
//! let request = ChatRequest::user("agent", "session", "hi");
//! assert_eq!(
//!     request.to_json()?,
//!     r#"{"agent_id":"agent","session_id":"session","input":{"name":"user","role":"user","content":[{"type":"text","text":"hi"}]}}"#,
//! );
//! # Ok::<(), agentwire::UsageError>(())
//! ```

mod input;

pub use input::ChatRequest;

use crate::core::requests;

requests! {
    types { ChatRequest }
}
