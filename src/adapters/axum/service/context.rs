//! The context of a request, for agents.

use std::fmt;
use std::string::String;
use std::sync::Arc;

use axum_core::extract::Request;
use http::request::Parts;

use crate::core::id::{IdSource as _, RandomIds};
use crate::emit::ConversationRequest;
use crate::hub::EndError;
use crate::json::Value;
use crate::protocols::ProtocolKind;
#[cfg(feature = "store")]
use crate::threads::StopRequest;

/// The context of a request: its id, its user, and the head of the HTTP request.
#[derive(Clone)]
#[non_exhaustive]
pub struct AgentContext {
    /// The id of the request. The client receives it in the header `x-request-id`.
    pub id: String,
    /// The protocol of the client.
    pub protocol: ProtocolKind,
    /// The user that the function of [`AgentService::authenticate`](super::AgentService::authenticate),
    /// or of [`AgentService::user`](super::AgentService::user), has returned.
    pub user: Option<String>,
    /// The head of the HTTP request: its URI, its headers, and the extensions of middleware.
    pub http: Parts,
}

impl AgentContext {
    /// Creates the context of a request. Returns it with the request.
    pub(in super::super) fn of<B>(
        protocol: ProtocolKind,
        request: http::Request<B>,
    ) -> (Self, http::Request<B>) {
        let (http, body) = request.into_parts();
        let user = http.extensions.get::<RequestUser>().and_then(|RequestUser(user)| user.clone());
        let request = http::Request::from_parts(http.clone(), body);
        let id = http.extensions.get::<RequestId>().map(|RequestId(id)| id.clone());
        let id = id.unwrap_or_else(|| RandomIds.next_id(""));
        (AgentContext { id, protocol, user, http }, request)
    }

    /// Waits until the answer, which the [store](super::AgentService::store) keeps, was canceled or
    /// takes too long. The agent then has 5 seconds to end it. For other answers, it waits forever.
    ///
    /// An agent that has called neither this nor [`is_stopping`](Self::is_stopping) is dropped at
    /// the point where it waits, as all are whose client disconnects from an answer that is not
    /// stored.
    #[cfg(feature = "store")]
    pub async fn stopped(&self) {
        match self.stop() {
            Some(stop) => stop.received().await,
            None => std::future::pending().await,
        }
    }

    /// Returns whether the answer, which the store keeps, was canceled or takes too long.
    #[cfg(feature = "store")]
    pub fn is_stopping(&self) -> bool {
        self.stop().is_some_and(StopRequest::is_received)
    }

    #[cfg(feature = "store")]
    fn stop(&self) -> Option<&StopRequest> {
        self.http.extensions.get::<RunAddition>()?.stop.as_deref()
    }
}

/// The user of a request, as an extension of it.
#[derive(Clone, Debug)]
pub(in super::super) struct RequestUser(pub Option<String>);

type Begin = dyn Fn(&mut ConversationRequest) + Send + Sync;
type Record = dyn Fn(Value) + Send + Sync;

/// The additions of a store, or of the protocol, to the answer to a request: an extension of the
/// request.
#[derive(Clone, Default)]
pub(in super::super) struct RunAddition {
    /// The failure of the agent for the client, if the service has no other: that of the runs
    /// endpoints.
    pub failure: Option<EndError>,
    /// The id of the stored response of OpenAI Responses, or of the reply of AgentScope that the
    /// answer continues.
    pub response_id: Option<String>,
    /// Puts the earlier messages of a conversation before those of the request.
    pub begin: Option<Arc<Begin>>,
    /// Receives the answer.
    pub record: Option<Arc<Record>>,
    /// The request to the agent to end.
    #[cfg(feature = "store")]
    pub stop: Option<Arc<StopRequest>>,
}

/// The id of a request, as an extension of it.
#[derive(Clone, Debug)]
pub(in super::super) struct RequestId(pub String);

impl RequestId {
    /// The header of the response that has the id.
    pub const HEADER: &str = "x-request-id";

    /// Gives a request a new id.
    pub fn give(request: &mut Request) -> Self {
        let id = RequestId(RandomIds.next_id(""));
        request.extensions_mut().insert(id.clone());
        id
    }
}

/// Without the headers, which can have keys.
impl fmt::Debug for AgentContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AgentContext")
            .field("id", &self.id)
            .field("protocol", &self.protocol)
            .field("user", &self.user)
            .finish_non_exhaustive()
    }
}
