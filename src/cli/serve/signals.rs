//! The signals of the program.

use std::io;

#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals that stop the program.
pub struct StopSignals {
    #[cfg(unix)]
    terminate: Signal,
}

impl StopSignals {
    /// Listens for the signals.
    pub fn new() -> io::Result<Self> {
        Ok(StopSignals {
            #[cfg(unix)]
            terminate: signal(SignalKind::terminate())?,
        })
    }

    /// Waits for one.
    pub async fn received(&mut self) {
        #[cfg(unix)]
        let terminated = self.terminate.recv();
        #[cfg(not(unix))]
        let terminated = std::future::pending::<()>();
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminated => {}
        }
    }
}

/// Does something after each SIGHUP, where there is one.
pub fn on_hangup(action: impl Fn() + Send + 'static) -> io::Result<()> {
    #[cfg(unix)]
    {
        let mut hangup = signal(SignalKind::hangup())?;
        tokio::spawn(async move {
            while hangup.recv().await.is_some() {
                action();
            }
        });
    }
    #[cfg(not(unix))]
    drop(action);
    Ok(())
}
