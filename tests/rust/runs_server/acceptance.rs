//! A runs service as a process, for the acceptance tests of all stores:
//! `runs_acceptance <port> <folder or -> <options as JSON>`.

use std::path::Path;

use agentwire::emit::AnyError;
use agentwire::json::Value;
use axum::Router;
use axum::serve::ListenerExt;

mod agent;

#[tokio::main]
async fn main() -> Result<(), AnyError> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [port, folder, options] = &arguments[..] else {
        return Err("a port, a folder and options".into());
    };
    let folder = (folder != "-").then(|| Path::new(folder));
    let options = Value::parse(options, 8).map_err(|error| format!("{error:?}"))?;
    let runs = agent::service(folder, &options)?.start();
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{port}")).await?;
    let listener = listener.tap_io(|connection| drop(connection.set_nodelay(true)));
    axum::serve(listener, Router::new().fallback_service(runs)).await?;
    Ok(())
}
