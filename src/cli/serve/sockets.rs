//! Responses over WebSocket: each message is a request to the whole gateway, with the checks, the
//! limits and the record of any other request.

use agentwire::ProtocolKind;
use agentwire::adapters::axum::{AgentService, SocketLimits, Sockets};
use axum::body::Body;
use axum::extract::Request;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::Response;

use super::limits::Limits;

/// Creates the sockets of a gateway: a message may be as long as the body of a request.
pub fn new(limits: &Limits) -> Sockets {
    let mut of_socket = SocketLimits::default();
    of_socket.max_message_bytes = limits.max_body_bytes;
    of_socket.write_timeout = limits.write_timeout;
    Sockets::new(of_socket)
}

/// A request for a socket before it is handled, with its key, and the gateway that answers the
/// messages.
#[derive(Clone)]
struct Handshake {
    head: Parts,
    gateway: Next,
}

/// Keeps a request for a socket as it is.
pub async fn kept(request: Request, next: Next) -> Response {
    if !Sockets::are_asked(&request) {
        return next.run(request).await;
    }
    let (mut head, body) = request.into_parts();
    let handshake = Handshake { head: head.clone(), gateway: next.clone() };
    head.extensions.insert(handshake);
    next.run(Request::from_parts(head, body)).await
}

/// Opens a socket, if a request asks for one at the path of Responses.
pub fn opened(sockets: &Sockets, request: &Request) -> Option<Response> {
    let Handshake { head, gateway } = request.extensions().get::<Handshake>()?.clone();
    let protocol = AgentService::protocol_of(request.uri().path());
    (protocol == Some(ProtocolKind::Responses))
        .then(|| sockets.respond(Request::from_parts(head, Body::empty()), gateway))
}
