//! The runs endpoints of an [`AgentService`](crate::adapters::axum::AgentService) with a store: the
//! [endpoints](crate::runs), an agent that runs in tasks of tokio, and recovery after a restart.
//!
//! A run continues without a client, and clients resume its events. Events are stored before they
//! are sent. A new process ends the runs that the last one left in progress (`RUN_ERROR`, code
//! `AGENT_RUN_INTERRUPTED`); runs without events are started again.
//!
//! ```
//! use agentwire::adapters::axum::AgentService;
//! use agentwire::adapters::axum::runs::RunsEndpoints;
//! use agentwire::stores::MemoryStore;
//! use axum::Router;
//!
//! let service = AgentService::new(async |out, request, _| {
//!     out.text(&format!("You have sent {} messages.", request.messages().len())).await;
//!     Ok(())
//! })
//! .authenticate(async |head| {
//!     Ok(head.headers.get("x-user").and_then(|user| user.to_str().ok()).map(str::to_owned))
//! })
//! .store(MemoryStore::default())
//! .runs(RunsEndpoints::default());
//! let app: Router = Router::new().fallback_service(service);
//! ```
//!
//! The store is one of [`stores`](crate::stores). Several processes may serve the same Postgres or
//! Redis: one continues the work of another that has ended. Attachments are in a [`BlobStore`].

mod attachments;
mod blobs;
mod conversation;
mod messages;
mod options;
mod query;
mod rejection;
mod retention;
mod service;
mod signing;
mod uploads;

pub use blobs::{BlobStore, FolderBlobs, MemoryBlobs};
pub(crate) use conversation::Conversation;
pub(crate) use options::Options;
pub use options::{Action, EndpointLimits, Recording, RunsEndpoints};
pub(crate) use service::Service;
