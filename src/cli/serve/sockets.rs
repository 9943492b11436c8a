//! Responses over WebSocket: each message is a request to the whole gateway, with the checks, the
//! limits and the record of any other request.

use agentwire::ProtocolKind;
use agentwire::adapters::axum::{AgentService, SocketLimits, Sockets};
use axum::extract::Request;
use axum::http::HeaderMap;
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

/// The gateway, which answers the messages of a socket, and the headers of the handshake: the key is
/// removed from the request before it is handled.
#[derive(Clone)]
struct Whole {
    gateway: Next,
    headers: HeaderMap,
}

/// Adds the gateway to a request for a socket.
pub async fn with_gateway(mut request: Request, next: Next) -> Response {
    if Sockets::are_asked(&request) {
        let whole = Whole { gateway: next.clone(), headers: request.headers().clone() };
        request.extensions_mut().insert(whole);
    }
    next.run(request).await
}

/// Takes the gateway from a request for a socket at the path of Responses, whose headers are those
/// of the handshake again.
pub fn take_gateway(request: &mut Request) -> Option<Next> {
    let Whole { gateway, headers } = request.extensions_mut().remove()?;
    if AgentService::protocol_of(request.uri().path()) != Some(ProtocolKind::Responses) {
        return None;
    }
    *request.headers_mut() = headers;
    Some(gateway)
}
