//! The extensions of the requests that wait for their answer to begin: those of the caller's
//! middleware, which the agent receives in its context. They are not stored: an agent that starts in
//! another process, or after its client has left, has none.

use std::borrow::ToOwned as _;
use std::collections::HashMap;
use std::string::String;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use http::Extensions;

/// The extensions of requests, by the ids of the requests.
#[derive(Clone, Default)]
pub(super) struct RequestExtensions(Arc<Mutex<HashMap<String, Extensions>>>);

/// Keeps the extensions of a request until it is dropped.
pub(super) struct KeptExtensions {
    all: RequestExtensions,
    id: String,
}

impl RequestExtensions {
    fn all(&self) -> MutexGuard<'_, HashMap<String, Extensions>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn keep(&self, id: &str, extensions: &Extensions) -> KeptExtensions {
        self.all().insert(id.to_owned(), extensions.clone());
        KeptExtensions { all: self.clone(), id: id.to_owned() }
    }

    pub fn of(&self, id: &str) -> Extensions {
        self.all().get(id).cloned().unwrap_or_default()
    }
}

impl Drop for KeptExtensions {
    fn drop(&mut self) {
        let removed = self.all.all().remove(&self.id);
        // Its values are not dropped while the others are locked.
        drop(removed);
    }
}
