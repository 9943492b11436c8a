//! The HTTP client for upstreams: the memory of a connection is limited, so that a client that reads
//! slowly does not cost more than its buffers.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use agentwire::model::{HttpClient, Model, NetworkError};
use axum::body::Bytes;
use axum::http::{self, Uri};
use http_body::{Body, Frame, SizeHint};
use hyper::body::Incoming;
use hyper::rt::{Read, ReadBuf, ReadBufCursor, Write};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::{Connected, Connection, HttpConnector};
use hyper_util::client::proxy::matcher::Matcher;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use tokio::time::{Sleep, sleep, timeout};
use tower_service::Service;

use crate::serve::routes::UpstreamConfig;

/// The length of the head of a response.
const HEAD: usize = 64 << 10;

/// The most bytes that are read at once. The read buffer of hyper has 8 KiB, and grows only if a
/// read fills it.
const READ: usize = 4 << 10;

/// How long a connection without a request stays open.
const UNUSED: Duration = Duration::from_secs(90);

/// Sets the client of a model. Behind a proxy that the environment names (`HTTPS_PROXY` and others)
/// it is reqwest's, whose buffers have no limit.
pub fn with_client(model: Model, config: &UpstreamConfig) -> io::Result<Model> {
    let url = config.url.trim().parse::<Uri>();
    if url.is_ok_and(|url| Matcher::from_env().intercept(&url).is_some()) {
        let client = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(Duration::from_secs(config.connect_timeout_seconds))
            .read_timeout(Duration::from_secs(config.timeout_seconds))
            .build();
        return Ok(model.client(client.map_err(io::Error::other)?));
    }
    Ok(model.client(BoundedClient::new(config)?))
}

/// Sends requests. Does not follow redirects.
struct BoundedClient {
    client: Client<TimedConnector, reqwest::Body>,
    first_byte: Duration,
    idle: Duration,
}

impl BoundedClient {
    fn new(config: &UpstreamConfig) -> io::Result<Self> {
        let mut http = HttpConnector::new();
        http.enforce_http(false);
        http.set_nodelay(true);
        let provider = rustls::crypto::aws_lc_rs::default_provider();
        let tls = HttpsConnectorBuilder::new().with_provider_and_platform_verifier(provider)?;
        let connector = TimedConnector {
            connector: tls.https_or_http().enable_http1().wrap_connector(http),
            most: Duration::from_secs(config.connect_timeout_seconds),
        };
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(UNUSED)
            .http1_max_buf_size(HEAD)
            .build(connector);
        let idle = Duration::from_secs(config.timeout_seconds);
        let first_byte = config.first_byte_timeout_seconds.map_or(idle, Duration::from_secs);
        Ok(BoundedClient { client, first_byte, idle })
    }
}

impl HttpClient for BoundedClient {
    fn send(
        &self,
        request: reqwest::Request,
    ) -> Pin<Box<dyn Future<Output = Result<reqwest::Response, NetworkError>> + Send + '_>> {
        Box::pin(async move {
            let request = request.try_into().map_err(NetworkError::from)?;
            let response = timeout(self.first_byte, self.client.request(request)).await;
            let response = response.map_err(|_| NetworkError::new(too_late()))?;
            let (head, body) = response.map_err(NetworkError::new)?.into_parts();
            let body = TimedBody { body, idle: self.idle, timer: None };
            Ok(http::Response::from_parts(head, reqwest::Body::wrap(body)).into())
        })
    }
}

fn too_late() -> io::Error {
    io::ErrorKind::TimedOut.into()
}

/// A connector with a time limit for the name, the connection and TLS.
#[derive(Clone)]
struct TimedConnector {
    connector: HttpsConnector<HttpConnector>,
    most: Duration,
}

impl Service<Uri> for TimedConnector {
    type Response = SmallReads<<HttpsConnector<HttpConnector> as Service<Uri>>::Response>;
    type Error = Box<dyn std::error::Error + Send + Sync>;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.connector.poll_ready(context)
    }

    fn call(&mut self, target: Uri) -> Self::Future {
        let connecting = timeout(self.most, self.connector.call(target));
        Box::pin(async move { Ok(SmallReads(connecting.await.map_err(|_| too_late())??)) })
    }
}

/// A connection that is read in small pieces.
struct SmallReads<T>(T);

impl<T: Read + Unpin> Read for SmallReads<T> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        mut buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let mut bytes = [0; READ];
        let most = buffer.remaining().min(READ);
        let mut piece = ReadBuf::new(&mut bytes[..most]);
        ready!(Pin::new(&mut self.get_mut().0).poll_read(context, piece.unfilled()))?;
        buffer.put_slice(piece.filled());
        Poll::Ready(Ok(()))
    }
}

impl<T: Write + Unpin> Write for SmallReads<T> {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().0).poll_write(context, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().0).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().0).poll_shutdown(context)
    }

    fn is_write_vectored(&self) -> bool {
        self.0.is_write_vectored()
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().0).poll_write_vectored(context, pieces)
    }
}

impl<T: Connection> Connection for SmallReads<T> {
    fn connected(&self) -> Connected {
        self.0.connected()
    }
}

/// A body that fails if nothing arrives for too long while it is read.
struct TimedBody {
    body: Incoming,
    idle: Duration,
    /// Set while the body waits.
    timer: Option<Pin<Box<Sleep>>>,
}

impl Body for TimedBody {
    type Data = Bytes;
    type Error = Box<dyn std::error::Error + Send + Sync>;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        // A frame that has arrived is passed on, also if it was not read in time.
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(context) {
            self.timer = None;
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        let idle = self.idle;
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep(idle)));
        ready!(timer.as_mut().poll(context));
        Poll::Ready(Some(Err(too_late().into())))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
