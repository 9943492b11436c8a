//! The runs endpoints and the protocols as a process, for the acceptance tests of all stores:
//! `runs_acceptance <port> <address of the store> <folder> <options as JSON>`.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use agentwire::emit::AnyError;
use agentwire::json::Value;
use agentwire::stores::{LogStore, PostgresStore, RedisStore, open};
use axum::serve::ListenerExt;

mod agent;
mod history;
mod protocols;
mod sessions;

#[tokio::main]
async fn main() -> Result<(), AnyError> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [port, address, folder, options] = &arguments[..] else {
        return Err("a port, a store, a folder and options".into());
    };
    let options = Value::parse(options, 8).map_err(|error| format!("{error:?}"))?;
    let store = store(address)?;
    let (service, app) = protocols::service(&options);
    let service = service.on_error(|_| None);
    let service = agent::with_runs(service, store, Some(Path::new(folder)), &options);
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{port}")).await?;
    let listener = listener.tap_io(|connection| drop(connection.set_nodelay(true)));
    let app = app.fallback_service(service);
    axum::serve(listener, app).await?;
    Ok(())
}

/// Returns a store, in which a process that does not respond is replaced soon.
fn store(address: &str) -> Result<Arc<dyn LogStore>, AnyError> {
    const LEASE: Duration = Duration::from_secs(1);
    Ok(match address.split(':').next() {
        Some("postgres") => Arc::new(PostgresStore::open(address)?.with_lease(LEASE)),
        Some("redis") => Arc::new(RedisStore::open(address)?.with_lease(LEASE)),
        _ => open(address)?,
    })
}
