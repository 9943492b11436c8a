//! A service of runs behind axum: the [endpoints](crate::runs) with a store, an agent that runs in
//! tasks of tokio, and recovery after a restart.
//!
//! A run continues without a client, and clients resume its events. Events are stored before they
//! are sent. A new process ends the runs that the last one left in progress (`RUN_ERROR`, code
//! `AGENT_RUN_INTERRUPTED`); runs without events are started again.
//!
//! ```
//! use agentwire::runs_server::Runs;
//! use agentwire::stores::MemoryStore;
//! use axum::Router;
//!
//! # async fn start() {
//! let runs = Runs::builder(
//!     MemoryStore::default(),
//!     async |request| Ok(request.headers.get("x-user").and_then(|user| user.to_str().ok()).map(str::to_owned)),
//!     async |input, _context, out| {
//!         for word in ["You have sent ", &input.messages.len().to_string(), " messages."] {
//!             out.text(word).await;
//!         }
//!         Ok(())
//!     },
//! )
//! .start();
//! let app: Router = Router::new().fallback_service(runs);
//! # }
//! ```
//!
//! The store is one of [`stores`](crate::stores). Several processes may serve the same Postgres or
//! Redis: one continues the work of another that has ended. Attachments are in a [`BlobStore`].

mod attachments;
mod blobs;
mod conversation;
mod messages;
mod options;
mod rejection;
mod retention;
mod service;
mod signing;
mod uploads;

pub use blobs::{BlobStore, FolderBlobs, MemoryBlobs};
pub use options::{Action, Recording, Retention, RunContext, RunsBuilder, RunsLimits};
pub use service::Runs;
