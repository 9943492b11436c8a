//! The gateway from its start to its end: addresses, signals, the shutdown.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::watch;

use super::clients::Clients;
use super::connections::{self, ConnectionCounts};
use super::gateway::Gateway;
use super::hosts::Hosts;
use super::limits::Limits;
use super::metrics::{self, MetricsAccess};
use super::settings::Settings;
use super::signals::{self, StopSignals};
use super::telemetry::Telemetry;
use super::traces::Traces;
use super::{Parts, app, sockets};
use crate::input::Unreadable;

/// How long answers that the gateway has ended take to arrive.
const LAST: Duration = Duration::from_secs(2);

/// How many programs read the metrics at once.
const SCRAPERS: usize = 16;

/// Serves until a signal.
pub async fn serve(settings: &Settings) -> Result<(), Unreadable> {
    let (ending, ends) = watch::channel(false);
    let store = settings.store.open()?;
    let has_store = store.is_some();
    let gateway = Arc::new(Gateway::new(&settings.routes, has_store, ends.clone())?);
    let clients = Arc::new(Clients::new(settings.keys.clone())?);
    let telemetry = Arc::new(Telemetry {
        metrics: Arc::default(),
        traces: Traces::from_environment()?,
        has_probes: settings.logs_probes,
    });
    if let Some(store) = &store {
        // An address that is wrong is an error of the start, not of the first request.
        let read = store.read("gateway", 0, 0).await;
        read.map_err(|error| Unreadable(format!("the store cannot be used: {error}")))?;
    }
    let (listener, address) = listening(settings.listen).await?;
    let metrics = match settings.metrics_listen {
        Some(address) => Some(listening(address).await?),
        None => None,
    };
    let unusable = |error| Unreadable(format!("cannot wait for signals: {error}"));
    let mut signals = StopSignals::new().map_err(unusable)?;
    let reloaded = clients.clone();
    signals::on_hangup(move || reload(&reloaded)).map_err(unusable)?;

    eprintln!("agentwire: listening on http://{address}");
    if let Some((_, address)) = &metrics {
        eprintln!("agentwire: metrics on http://{address}/metrics");
    }
    for warning in settings.warnings(address.ip(), &clients) {
        eprintln!("agentwire: warning: {warning}");
    }

    let (stopping, stops) = watch::channel(false);
    let sockets = sockets::new(&settings.limits);
    let parts = Parts {
        metrics: match &metrics {
            Some(_) => MetricsAccess::None,
            None => MetricsAccess::at(address.ip(), clients.are_checked()),
        },
        gateway,
        clients,
        telemetry: telemetry.clone(),
        hosts: Hosts::new(address.ip(), settings.hosts.clone()),
        limits: Arc::new(settings.limits.clone()),
        sockets: sockets.clone(),
        store: store.map(|store| (store, settings.store.clone())),
    };
    let (app, service) = app(parts, stops.clone());
    service.start();
    if let Some((listener, address)) = metrics {
        let hosts = Hosts::new(address.ip(), settings.hosts.clone());
        let app = metrics::app(telemetry.clone(), hosts);
        let limits = Limits { max_connections: SCRAPERS, ..settings.limits.clone() };
        let (counts, stops) = (ConnectionCounts::default(), super::turns_true(ends));
        tokio::spawn(connections::serve(listener, app, limits, counts, stops));
    }
    let (limits, counts) = (settings.limits.clone(), telemetry.metrics.connections.clone());
    let closing = super::turns_true(stops.clone());
    let serving = connections::serve(listener, app, limits, counts, super::turns_true(stops));
    let mut serving = tokio::spawn(async move {
        tokio::join!(serving, async {
            closing.await;
            sockets.close().await;
        })
    });
    signals.received().await;
    stopping.send_replace(true);
    let has_ended = tokio::select! {
        _ = &mut serving => true,
        () = signals.received() => false,
        () = tokio::time::sleep(settings.grace) => false,
    };
    ending.send_replace(true);
    if !has_ended {
        drop(tokio::time::timeout(LAST, serving).await);
    }
    // Other processes continue with what is stored.
    service.close().await;
    // The exporter waits for its last request.
    drop(tokio::task::spawn_blocking(move || telemetry.flush()).await);
    Ok(())
}

async fn listening(at: SocketAddr) -> Result<(TcpListener, SocketAddr), Unreadable> {
    let unusable = |error: std::io::Error| Unreadable(format!("cannot listen at {at}: {error}"));
    let listener = TcpListener::bind(at).await.map_err(unusable)?;
    let address = listener.local_addr().map_err(unusable)?;
    Ok((listener, address))
}

fn reload(clients: &Clients) {
    match clients.reload() {
        Ok(number) => eprintln!("agentwire: the gateway has {number} client keys"),
        Err(error) => eprintln!("agentwire: the client keys stay as they are: {}", error.0),
    }
}
