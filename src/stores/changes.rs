//! Reports of changes by other processes.

use std::borrow::ToOwned;
use std::collections::HashMap;
use std::future::pending;
use std::string::String;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::vec::Vec;

use tokio::sync::watch::{Receiver, Sender};

/// The changes by other processes to the logs of one name, until it is dropped.
#[derive(Clone, Debug)]
pub struct Changes(Option<Receiver<()>>);

impl Changes {
    /// Changes that are never reported.
    pub fn none() -> Self {
        Changes(None)
    }

    /// Waits for the next report. Reports before the call, which were not waited for, are one.
    pub async fn changed(&mut self) {
        if let Some(receiver) = &mut self.0
            && receiver.changed().await.is_ok()
        {
            return;
        }
        pending().await
    }
}

/// The names that a process watches, for authors of stores.
#[derive(Debug, Default)]
pub struct Reports(Mutex<HashMap<String, Sender<()>>>);

impl Reports {
    /// Begins to watch a name. Returns its changes, and whether it is the first to watch it.
    pub fn watch(&self, name: &str) -> (Changes, bool) {
        let mut names = self.names();
        let is_new = !names.contains_key(name);
        let sender = names.entry(name.to_owned()).or_default();
        (Changes(Some(sender.subscribe())), is_new)
    }

    /// Reports a change of a name. Returns false if nothing watches it any more.
    pub fn report(&self, name: &str) -> bool {
        let mut names = self.names();
        let is_watched = names.get(name).is_some_and(|sender| sender.send(()).is_ok());
        if !is_watched {
            names.remove(name);
        }
        is_watched
    }

    /// Reports a change of every name, because reports may have been lost.
    pub fn report_all(&self) {
        self.names().retain(|_, sender| sender.send(()).is_ok());
    }

    /// Returns the names that are watched.
    pub fn watched(&self) -> Vec<String> {
        self.names().keys().cloned().collect()
    }

    fn names(&self) -> MutexGuard<'_, HashMap<String, Sender<()>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
