//! PLACEHOLDER
pub mod lifecycle;
mod model;
pub mod rules;
mod vocab;
mod write;

pub use model::{Content, ErrorInfo, Message, Payload, Response};
pub use vocab::{ContentType, MessageType, Role, RunStatus, ToolFamily, ToolSide};
pub use write::Style;
