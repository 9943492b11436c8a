//! PLACEHOLDER
pub mod event;
mod fold;
pub mod lifecycle;
mod merge;
mod model;
pub mod rules;
pub(crate) mod schema;
mod snapshot;
#[cfg(feature = "wasm")]
mod typescript;
mod vocab;
mod write;

pub use fold::{AgentApi, AgentApiFold};
pub use merge::DataMerge;
pub use model::{Content, ErrorInfo, Message, Payload, Response};
pub use snapshot::{Arguments, Snapshot, ToolCall, ToolState};
pub use vocab::{ContentType, MessageType, Role, RunStatus, ToolFamily, ToolSide};
pub use write::Style;
