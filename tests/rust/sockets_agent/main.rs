//! `sockets_agent`: a server of Responses over WebSocket, which the official client asks in
//! `tests/js/gateway/sockets.test.mjs`. A signal closes its sockets.

mod agent;

use tokio::signal::unix::{SignalKind, signal};

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let (app, sockets) = agent::app();
    let mut stops = signal(SignalKind::terminate())?;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    eprintln!("sockets_agent: listening on http://{}", listener.local_addr()?);
    let stopped = async move {
        stops.recv().await;
    };
    axum::serve(listener, app).with_graceful_shutdown(stopped).await?;
    sockets.close().await;
    Ok(())
}
