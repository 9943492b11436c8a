//! Events as they stand on the wire: JSON-RPC responses, of either dialect. (A2A 2.1, 2.2.)
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
    /// One event of a stream: a JSON-RPC response. In the REST binding an event is what stands in `result`, and is an
    /// [`Event::Other`] here.
    Event by "jsonrpc";

    /// A response, with a result or an error.
    Response = "2.0" {
        /// The id of the request, as it was: any JSON.
        id: Json,
        /// What happened.
        result: Nullable<Object> of StreamResponse,
        /// Why the request failed.
        error: Nullable<Object> of RpcFailure,
    }
}

lazy_objects! {
    /// What happened: one of the first four members (1.0), or the object itself with its `kind` (0.3).
    StreamResponse as "A2aStreamResponse" {
        /// The task as it stands.
        task: Nullable<Json>,
        /// A message in the place of a task.
        message: Nullable<Json>,
        /// The task is in another state.
        status_update as "statusUpdate": Nullable<Json>,
        /// An artifact, or a piece of one.
        artifact_update as "artifactUpdate": Nullable<Json>,
        /// 0.3: `task`, `message`, `status-update` or `artifact-update`.
        kind: Nullable<Json>,
    }
    /// A JSON-RPC error.
    RpcFailure as "A2aRpcFailure" {
        /// Which error it is: `-32001`.
        code: Nullable<Json>,
        /// What went wrong.
        message: Nullable<Json>,
        /// More about it.
        data: Nullable<Json>,
    }
}
