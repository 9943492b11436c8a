//! Counts in this process.

use std::collections::HashMap;
use std::string::String;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Counts by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct CountsByName(Arc<Mutex<HashMap<String, usize>>>);

/// A counted upload or connection, until it is dropped.
#[derive(Debug)]
pub(crate) struct CountGuard {
    counts: CountsByName,
    name: String,
}

impl CountsByName {
    /// Counts one more, if there are less than `most`.
    pub fn enter(&self, name: &str, most: usize) -> Option<CountGuard> {
        let mut counts = self.lock();
        if counts.get(name).copied().unwrap_or(0) >= most {
            return None;
        }
        *counts.entry(name.into()).or_default() += 1;
        Some(CountGuard { counts: self.clone(), name: name.into() })
    }

    pub fn of(&self, name: &str) -> usize {
        self.lock().get(name).copied().unwrap_or(0)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for CountGuard {
    fn drop(&mut self) {
        let mut counts = self.counts.lock();
        if let Some(count) = counts.get_mut(&self.name) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.name);
            }
        }
    }
}
