//! Requests of a client to an A2A server, in JSON-RPC and REST, in 0.3 and 1.0, and the answers in
//! the same form. (2.1, 2.2.)
//!
//! [`OperationCall::of_json_rpc`] and [`OperationCall::of_rest`] read a request. A request that cannot be served becomes the answer that
//! refuses it. All parts of a call have the form of 1.0; its [`Reply`] answers in the dialect and
//! binding of the request.
//!
//! ```
//! use agentwire::a2a::request::{OperationCall, Method};
//!
//! let asked = r#"{"jsonrpc":"2.0","id":"q","method":"message/send","params":{"message":
//!     {"kind":"message","messageId":"m","role":"user","parts":[{"kind":"text","text":"hi"}]}}}"#;
//! let call = OperationCall::of_json_rpc(asked, "").unwrap();
//! let Method::SendMessage { request, streaming: false } = &call.method else { panic!("a message") };
//! assert_eq!(request.message.parts[0].text.as_deref(), Some("hi"));
//!
//! let task = [("task", [("id", "t".into()), ("status", [("state", "TASK_STATE_WORKING".into())].into())].into())].into();
//! assert_eq!(
//!     call.reply.result(task).body,
//!     r#"{"jsonrpc":"2.0","id":"q","result":{"kind":"task","id":"t","status":{"state":"working"}}}"#,
//! );
//!
//! let refused = OperationCall::of_rest("GET", "/tasks/t/pushNotificationConfigs", "", "", "1.0").unwrap_err();
//! assert_eq!(refused.status, 400);
//! assert!(refused.body.contains("PUSH_NOTIFICATION_NOT_SUPPORTED"));
//! ```

mod call;
pub(crate) mod dialect;
mod message;
mod reply;
mod rest;

use crate::core::requests;
pub use call::RefusedOperation;
pub use call::{ListTasks, Method, OperationCall};
pub use message::{Message, Part, SendMessageConfiguration, SendMessageRequest};
pub use reply::{Binding, ErrorKind, HttpAnswer, Reply};

/// The member with the id of the question that a part of data answers.
#[cfg(feature = "hub")]
pub(crate) const ANSWERS: &str = "approval_request_id";

requests! {
    types { SendMessageRequest SendMessageConfiguration Message Part }
}
