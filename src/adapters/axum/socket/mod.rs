//! OpenAI Responses over WebSocket: each message `response.create` is a request, and the events of
//! its response are messages. Only the framing differs from HTTP.

mod answer;
mod lane;
mod previous;
mod served;

use std::boxed::Box;
use std::convert::Infallible;
use std::fmt;
use std::string::ToString as _;
use std::sync::Arc;
use std::time::Duration;

use axum_core::body::Body;
use axum_core::extract::Request;
use axum_core::response::Response;
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use tokio::sync::watch;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::server::create_response_with_body;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tower_service::Service;

use self::served::Served;
use super::HttpRefusal;
use crate::protocols::ProtocolKind;

/// The limits of a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SocketLimits {
    /// The size of a message of the client in bytes: 1 MiB by default. A larger one closes the
    /// socket with 1009. The body of a request has its own limit, too.
    pub max_message_bytes: usize,
    /// The number of responses at once, each with a `stream_id` of its own: 8 by default.
    pub max_responses: usize,
    /// How long events wait for a client that does not read: a minute by default. The socket is then
    /// closed with 1013.
    pub write_timeout: Duration,
}

impl Default for SocketLimits {
    fn default() -> Self {
        SocketLimits {
            max_message_bytes: 1 << 20,
            max_responses: 8,
            write_timeout: Duration::from_secs(60),
        }
    }
}

/// The sockets of a server, on which clients use Responses over WebSocket. A clone has the same
/// sockets.
///
/// [`AgentService`](super::AgentService) has sockets by default. A program with its own limits, or
/// one that closes the sockets before it ends, gives the service its own:
///
/// ```no_run
/// use agentwire::adapters::axum::{AgentService, Sockets};
/// use axum::Router;
///
/// # async fn serve() -> std::io::Result<()> {
/// let sockets = Sockets::default();
/// let service = AgentService::new(async |_, _, _| Ok("Hello")).sockets(sockets.clone());
/// let listener = tokio::net::TcpListener::bind("127.0.0.1:8000").await?;
/// let app = Router::new().fallback_service(service);
/// let stops = async { drop(tokio::signal::ctrl_c().await) };
/// axum::serve(listener, app).with_graceful_shutdown(stops).await?;
/// sockets.close().await;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Sockets(Arc<State>);

struct State {
    limits: SocketLimits,
    /// Becomes true when the sockets have to close. Each socket has a receiver.
    closes: watch::Sender<bool>,
}

impl Sockets {
    /// Creates the sockets of a server.
    pub fn new(limits: SocketLimits) -> Self {
        Sockets(Arc::new(State { limits, closes: watch::channel(false).0 }))
    }

    /// Returns whether a request asks for a WebSocket.
    pub fn are_asked(request: &Request) -> bool {
        let upgrade = request.headers().get(header::UPGRADE);
        request.method() == Method::GET
            && upgrade.is_some_and(|name| name.as_bytes().eq_ignore_ascii_case(b"websocket"))
    }

    /// Responds to a request for a WebSocket, and serves the socket in a task of tokio. `service`
    /// answers the messages: each is a `POST` request with the path, the headers and the extensions
    /// of this request.
    ///
    /// Refused are the pages of other origins (403), because a page sends its cookies to every
    /// origin and reads what it receives; a handshake that is not valid (400); a connection that
    /// cannot be upgraded (426); and all requests after [`close`](Self::close) (503).
    pub fn respond<S>(&self, request: Request, service: S) -> Response
    where
        S: Service<Request, Response = Response, Error = Infallible> + Clone + Send + 'static,
        S::Future: Send,
    {
        let (mut parts, _) = request.into_parts();
        let (response, upgrade) = match self.upgrade(&mut parts) {
            Ok(upgraded) => upgraded,
            Err(refused) => return *refused,
        };
        let (limits, closes) = (self.0.limits, self.0.closes.subscribe());
        let config = WebSocketConfig::default()
            .max_message_size(Some(limits.max_message_bytes))
            .max_frame_size(Some(limits.max_message_bytes))
            .read_buffer_size(BUFFER)
            .write_buffer_size(BUFFER);
        tokio::spawn(async move {
            // The client may leave before the socket is open.
            let Ok(connection) = upgrade.await else { return };
            let connection = TokioIo::new(connection);
            let socket = WebSocketStream::from_raw_socket(connection, Role::Server, Some(config));
            Served::new(socket.await, Head::of(parts), limits, closes).serve(service).await;
        });
        response
    }

    /// Closes the sockets with 1001, each after the responses that are in progress, and waits until
    /// they are closed. New requests are refused with status 503.
    pub async fn close(&self) {
        self.0.closes.send_replace(true);
        self.0.closes.closed().await;
    }

    /// Returns the response that opens a socket, and the connection that follows it.
    fn upgrade(&self, parts: &mut Parts) -> Result<(Response, OnUpgrade), Box<Response>> {
        if *self.0.closes.borrow() {
            return Err(refused(503, "server_stopping", "the server stops", None));
        }
        if !is_of_own_page(parts) {
            return Err(refused(403, "forbidden", "pages of this origin have no sockets", None));
        }
        let Some(upgrade) = parts.extensions.remove::<OnUpgrade>() else {
            let message = "this connection cannot become a WebSocket: use POST";
            let header = (header::UPGRADE, HeaderValue::from_static("websocket"));
            return Err(refused(426, "upgrade_required", message, Some(header)));
        };
        let handshake = Request::from_parts(parts.clone(), Body::empty());
        match create_response_with_body(&handshake, Body::empty) {
            Ok(response) => Ok((response, upgrade)),
            Err(error) => {
                let header = (header::SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13"));
                Err(refused(400, "handshake_invalid", &error.to_string(), Some(header)))
            }
        }
    }
}

fn refused(
    status: u16,
    code: &str,
    message: &str,
    header: Option<(HeaderName, HeaderValue)>,
) -> Box<Response> {
    let mut response = HttpRefusal::new(status, code, message).response(ProtocolKind::Responses);
    response.headers_mut().extend(header);
    Box::new(response)
}

/// The bytes that are read, and written, at once.
const BUFFER: usize = 16 << 10;

impl Default for Sockets {
    fn default() -> Self {
        Self::new(SocketLimits::default())
    }
}

impl fmt::Debug for Sockets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sockets").field("limits", &self.0.limits).finish_non_exhaustive()
    }
}

/// Whether a request is of no page, or of a page of this server.
fn is_of_own_page(parts: &Parts) -> bool {
    let Some(origin) = parts.headers.get(header::ORIGIN) else { return true };
    let origin = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
    let host = parts.headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let host = host.or_else(|| parts.uri.authority().map(|authority| authority.as_str()));
    let (Some((scheme, origin)), Some(host)) = (origin, host) else { return false };
    let usual = if scheme == "https" { ":443" } else { ":80" };
    host.strip_suffix(usual).unwrap_or(host).eq_ignore_ascii_case(origin)
}

/// The head of the requests of a socket.
#[derive(Clone)]
struct Head(Parts);

impl Head {
    fn of(mut parts: Parts) -> Self {
        let headers = std::mem::take(&mut parts.headers);
        let of_request = |name: &HeaderName| {
            let name = name.as_str();
            let is_of_handshake = matches!(name, "connection" | "upgrade" | "transfer-encoding");
            !is_of_handshake && !name.starts_with("content-") && !name.starts_with("sec-websocket-")
        };
        let mut kept = HeaderMap::with_capacity(headers.len());
        for (name, value) in headers.iter().filter(|(name, _)| of_request(name)) {
            kept.append(name, value.clone());
        }
        kept.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        kept.insert(header::ACCEPT, HeaderValue::from_static("text/event-stream"));
        parts.headers = kept;
        parts.method = Method::POST;
        Head(parts)
    }

    fn request(&self, body: String) -> Request {
        Request::from_parts(self.0.clone(), Body::from(body))
    }
}
