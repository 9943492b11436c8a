//! The connections of clients: their number, and their time limits.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio_io_timeout::TimeoutStream;
use tower_service::Service as _;

use super::limits::Limits;
use super::turns_true;
use crate::input::Unreadable;

/// The usual number of connections.
const USUAL: usize = 1000;

/// The descriptors for anything other than connections: the listener, the runtime, connections that
/// are refused.
const OTHERS: usize = 64;

/// The pause after an error of the listener, such as the limit on descriptors of the system.
const PAUSE: Duration = Duration::from_millis(100);

/// The bytes beyond the limit of a head that are read.
const ROOM: usize = 64 << 10;

/// The smallest read buffer that hyper accepts.
const LEAST: usize = 8 << 10;

/// The response to a connection that exceeds the limit, whose request is not read.
const BUSY: &str = "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\n\
    retry-after: 1\r\nconnection: close\r\n\r\n\
    {\"detail\":\"too many connections are open\",\"code\":\"too_many_clients\"}";

/// Returns how many connections may be open. Each has a connection to the upstream.
pub fn most(requested: Option<usize>) -> Result<usize, Unreadable> {
    #[cfg(unix)]
    let descriptors = rlimit::Resource::NOFILE.get_soft().ok();
    #[cfg(not(unix))]
    let descriptors: Option<u64> = None;
    let possible = descriptors.map_or(usize::MAX, |descriptors| {
        (usize::try_from(descriptors).unwrap_or(usize::MAX).saturating_sub(OTHERS) / 2).max(1)
    });
    match requested {
        Some(0) => Err(Unreadable("--max-connections is at least 1".into())),
        Some(requested) if requested > possible => Err(Unreadable(format!(
            "--max-connections {requested} needs {} descriptors; the limit of the process (`ulimit -n`) allows {possible} connections",
            requested.saturating_mul(2).saturating_add(OTHERS),
        ))),
        Some(requested) => Ok(requested),
        None => Ok(USUAL.min(possible)),
    }
}

/// The numbers of connections.
#[derive(Clone, Debug, Default)]
pub struct ConnectionCounts {
    /// Those that are open.
    pub open: Gauge,
    /// Those that exceeded the limit.
    pub refused: Counter,
}

/// A connection that is counted until it is dropped.
struct Counted(Gauge);

impl Counted {
    fn new(open: &Gauge) -> Self {
        open.inc();
        Counted(open.clone())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// The place of a connection, which each request has as an extension: a socket keeps it after the
/// connection has ended for HTTP.
#[derive(Clone)]
struct Place(#[expect(dead_code, reason = "it is kept")] Arc<(OwnedSemaphorePermit, Counted)>);

/// Serves connections until `stops` is ready, and then the requests that are open.
pub async fn serve(
    listener: TcpListener,
    app: Router,
    limits: Limits,
    counts: ConnectionCounts,
    stops: impl Future<Output = ()>,
) {
    let places = limits.max_connections.min(Semaphore::MAX_PERMITS);
    let places = Arc::new(Semaphore::new(places));
    let (closing, closes) = watch::channel(false);
    let mut server = http1::Builder::new();
    // Also the limit for an idle connection: the time begins when the last response has been sent.
    server.timer(TokioTimer::new()).header_read_timeout(limits.head_timeout);
    // A head that is somewhat too long receives an error of its protocol.
    server.max_buf_size(limits.max_head_bytes.saturating_add(ROOM).max(LEAST));
    server.max_headers(limits.max_headers.saturating_mul(2));
    let mut stops = pin!(stops);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stops => break,
        };
        let Ok((connection, _)) = accepted else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let Ok(place) = places.clone().try_acquire_owned() else {
            counts.refused.inc();
            refuse(&connection);
            continue;
        };
        // Events are small, and each has to leave at once.
        drop(connection.set_nodelay(true));
        let mut connection = TimeoutStream::new(connection);
        connection.set_write_timeout(Some(limits.write_timeout));
        let place = Place(Arc::new((place, Counted::new(&counts.open))));
        let app = app.clone();
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(place.clone());
            app.clone().call(request)
        });
        let connection = server.serve_connection(TokioIo::new(Box::pin(connection)), service);
        let closes = closes.clone();
        tokio::spawn(async move {
            let mut connection = pin!(connection.with_upgrades());
            tokio::select! {
                // The client of a connection that has failed cannot receive the reason.
                _ = connection.as_mut() => return,
                () = turns_true(closes.clone()) => connection.as_mut().graceful_shutdown(),
            }
            drop(connection.await);
            drop(closes);
        });
    }
    drop((listener, closes));
    closing.send_replace(true);
    // Each connection has a receiver.
    closing.closed().await;
}

/// Responds to a connection that exceeds the limit, if it accepts the bytes at once.
fn refuse(connection: &TcpStream) {
    drop(connection.try_write(BUSY.as_bytes()));
}
