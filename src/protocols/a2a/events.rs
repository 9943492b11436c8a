//! Events on the wire: JSON-RPC responses of both dialects. (A2A 2.1, 2.2.)
//!
//! ```
//! use agentwire::a2a::events::Event;
//!
//! let event = Event::decode(r#"{"jsonrpc": "2.0", "id": 1, "result": {"message": {"messageId": "m"}}}"#, 128)?;
//! assert_eq!(event.to_data(), r#"{"jsonrpc":"2.0","id":1,"result":{"message":{"messageId":"m"}}}"#);
//! # Ok::<(), agentwire::DecodeError>(())
//! ```

use crate::core::declare::lazy_objects;
use crate::core::events;

events! {
    /// One event of a stream: a JSON-RPC response. In the REST binding an event is what stands in
    /// `result`, and is an
    /// [`Event::Other`] here.
    Event by "jsonrpc";

    /// A response, with a result or an error.
    Response = "2.0" {
        /// The id of the request: any JSON.
        id: Json,
        /// The result of the request.
        result: Nullable<Object> of StreamResponse,
        /// The error of the request.
        error: Nullable<Object> of RpcFailure,
    }
}

lazy_objects! {
    /// The result of a request. Version 1.0 sets one of the first four properties; version 0.3
    /// sends the object itself, with `kind`.
    StreamResponse as "A2aStreamResponse" {
        /// The current task.
        task: Nullable<Json>,
        /// A message instead of a task.
        message: Nullable<Json>,
        /// A change of the task's status.
        status_update as "statusUpdate": Nullable<Json>,
        /// An artifact, or a delta of one.
        artifact_update as "artifactUpdate": Nullable<Json>,
        /// The kind of the object in version 0.3: `task`, `message`, `status-update` or
        /// `artifact-update`.
        kind: Nullable<Json>,
    }
    /// A JSON-RPC error.
    RpcFailure as "A2aRpcFailure" {
        /// The error code, for example `-32001`.
        code: Nullable<Json>,
        /// The error message.
        message: Nullable<Json>,
        /// Details of the error.
        data: Nullable<Json>,
    }
}
