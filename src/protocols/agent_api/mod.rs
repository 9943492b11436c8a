//! The Agent API of AgentScope Runtime: requests, streams, and the growing answer.
//!
//! A run is one **response**; it consists of **messages** (text, reasoning, tool calls and their
//! outputs, approvals), and a message of **contents** (text, data, image, audio, file, video,
//! refusal). Every object goes through statuses:
//!
//! | | created, queued | in_progress | completed, failed, canceled, rejected, incomplete |
//! |---|---|---|---|
//! | response | first event | second event | last event, with all messages again |
//! | message | | first event, no contents | last event, with all contents again |
//! | content | | pieces (`delta` true) or whole values | the final value |
//!
//! The allowed order of statuses is defined only in [`lifecycle`]. [`AgentApi`] is the protocol to
//! pass to a
//! [`Reader`](crate::Reader); [`builder`] writes streams; [`request`] contains the requests of clients.

mod answer;
pub mod builder;
#[cfg(feature = "hub")]
mod conversation;
pub mod events;
mod fold;
#[cfg(feature = "hub")]
pub mod hub;
pub mod lifecycle;
mod merge;
mod model;
pub mod request;
pub mod rules;

pub use answer::{CallArguments, Style};
pub use fold::AgentApi;
pub use merge::{DataMerge, merge};
pub use model::{
    Content, ContentType, ErrorInfo, Message, MessageType, Payload, Response, Role, RunStatus,
    Snapshot, ToolCall, ToolFamily, ToolSide, ToolState,
};
#[doc(hidden)]
pub use model::{MODEL, patch_schema};
