//! The context of a request, for agents.

use std::boxed::Box;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::string::String;
use std::sync::Arc;

use axum_core::extract::Request;
use http::request::Parts;

use crate::core::id::{IdSource as _, RandomIds};
use crate::emit::ConversationRequest;
use crate::json::Value;
use crate::protocols::ProtocolKind;

/// The context of a request: its id, its user, and the head of the HTTP request.
#[derive(Clone)]
#[non_exhaustive]
pub struct AgentContext {
    /// The id of the request. The client receives it in the header `x-request-id`.
    pub id: String,
    /// The protocol of the client.
    pub protocol: ProtocolKind,
    /// The user, whom the function of [`AgentService::user`](super::AgentService::user) has
    /// returned.
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
}

/// The user of a request, as an extension of it.
#[derive(Clone, Debug)]
pub(in super::super) struct RequestUser(pub Option<String>);

type Begin = dyn Fn(&mut ConversationRequest) + Send + Sync;
type Record = dyn Fn(Value) + Send + Sync;
type Stopped = dyn Fn() -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync;

/// What a store, or the protocol, adds to the answer to a request, as an extension of it.
#[derive(Clone, Default)]
pub(in super::super) struct RunAddition {
    /// The id of the stored response of OpenAI Responses, or of the reply of AgentScope that the
    /// answer continues.
    pub response_id: Option<String>,
    /// Puts the earlier messages of a conversation before those of the request.
    pub begin: Option<Arc<Begin>>,
    /// Receives the answer.
    pub record: Option<Arc<Record>>,
    /// Returns a future that is ready when the agent has to end.
    pub stop: Option<Arc<Stopped>>,
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
