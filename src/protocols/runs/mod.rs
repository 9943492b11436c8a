//! Runs that outlive their connection: the endpoints of the Agent API Endpoints app, without their
//! IO. (C.)
//!
//! A client starts a run by one request and reads its events by others. The events are those of
//! AG-UI, in a **log** of the thread, each under a **cursor**. A client that reconnects sends the
//! last cursor that it has received, and gets the events after it.
//!
//! - [`request`]: the requests and answers of each endpoint. [`problem`]: the refusal of a request.
//! - [`log`]: the service's side. A [`LogWriter`](log::LogWriter) checks the events that are appended, a
//!   [`Subscription`](log::Subscription) selects the events that a client receives. The caller stores the entries.
//! - [`follow`]: the client's side. A [`Follower`](follow::Follower) decides when to connect,
//!   with which header, and
//!   how long to wait. It makes one stream of the bytes of all connections, without repeated events and events of other
//!   runs.
//!
//! The module does not read a clock, a socket or random numbers: the caller passes these values.
//!
//! ```
//! use agentwire::runs::follow::{Follower, FollowSettings, FollowStep};
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
//! let mut follower = Follower::new("r", None, FollowSettings::default());
//! let mut stream = Vec::new();
//! while let FollowStep::Connect { last_event_id, .. } = follower.next() {
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
//! # Ok::<(), agentwire::runs::problem::RefusedRequest>(())
//! ```

pub mod cursor;
mod event;
pub mod follow;
pub mod log;
pub mod problem;
pub mod request;
