//! Runs that outlive their connection: the endpoints of the Agent API Endpoints app, without their IO. (C.)
//!
//! A client starts a run by one request and reads its events by others. The events are AG-UI's, and stand in a **log** of the
//! thread, each under a **cursor**; whoever comes back says the last cursor that it has seen and gets what came after.
//!
//! - [`request`]: what is asked and answered at each endpoint, [`problem`]: how a request is refused.
//! - [`log`]: the service's side. A [`Writer`](log::Writer) tells what may be appended, a [`Subscription`](log::Subscription)
//!   what a reader is sent; where entries are stored is the caller's affair.
//! - [`follow`]: the client's side. A [`Follower`](follow::Follower) says when to connect, with which header, and for how long
//!   to wait, and makes one stream of what all connections brought: nothing twice, nothing of another run.
//!
//! Nothing here reads a clock, a socket or a random number: the caller brings what there is to know.
//!
//! ```
//! use agentwire::runs::follow::{Follower, Settings, Step};
//! use agentwire::runs::log::{EventLog, Subscription};
//!
//! let mut log = EventLog::new("g1");
//! for event in [
//!     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
//!     r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"Hi"}"#,
//!     r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#,
//! ] {
//!     log.append(event).expect("in the order of a run");
//! }
//!
//! let mut follower = Follower::new("r", None, Settings::default());
//! let mut stream = Vec::new();
//! while let Step::Connect { last_event_id, .. } = follower.next() {
//!     let mut reader = Subscription::new("r", log.position(last_event_id)?, 300);
//!     let mut body = String::new();
//!     log.read(&mut reader, &mut body);
//!     follower.answered(200, "", 0);
//!     // The connection breaks off after 120 bytes, again and again.
//!     follower.push(&body.as_bytes()[..body.len().min(120)], &mut stream);
//!     follower.closed();
//!     follower.waited();
//! }
//! assert_eq!(String::from_utf8_lossy(&stream).matches("data: ").count(), 3);
//! # Ok::<(), agentwire::runs::problem::Refusal>(())
//! ```

pub mod cursor;
mod event;
pub mod follow;
pub mod log;
pub mod problem;
pub mod request;
