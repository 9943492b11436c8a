//! The processes that use a store. Each has a log, whose head changes while the process responds. No
//! clock is compared with that of another machine: a process is replaced when its head has not
//! changed for some time by the clock of the process that looks at it.

use std::collections::HashMap;
use std::string::{String, ToString};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::time::sleep;
use uuid::Uuid;

use super::time::now;
use crate::stores::{LogHead, LogList, LogQuery, LogStore, StoreError};

/// The list of all processes, and the age at which the log of one that was killed is deleted.
const LABEL: &str = "processes";
const KEPT: u64 = 24 * 3600 * 1000;

/// This process among those that use a store.
pub(crate) struct Processes {
    pub id: String,
    store: Arc<dyn LogStore>,
    lease: Duration,
    /// The heads of other processes, and the times at which they were seen first.
    seen: Mutex<HashMap<String, (String, Instant)>>,
    beats: AtomicU64,
    /// The time of the last beat that was stored.
    latest: tokio::sync::Mutex<Option<Instant>>,
    is_beating: AtomicBool,
    is_closed: AtomicBool,
}

impl Processes {
    pub fn new(store: Arc<dyn LogStore>) -> Arc<Self> {
        Arc::new(Processes {
            id: Uuid::new_v4().to_string(),
            lease: store.lease(),
            store,
            seen: Mutex::default(),
            beats: AtomicU64::new(0),
            latest: tokio::sync::Mutex::default(),
            is_beating: AtomicBool::new(false),
            is_closed: AtomicBool::new(false),
        })
    }

    pub fn lease(&self) -> Duration {
        self.lease
    }

    /// Returns when the others know that this process responds; from then on they know it.
    pub async fn taken(self: &Arc<Self>) -> Result<(), StoreError> {
        if !self.is_beating.swap(true, Ordering::Relaxed) {
            let processes = Arc::downgrade(self);
            tokio::spawn(async move {
                loop {
                    let Some(wait) = processes.upgrade().map(|one| one.lease / 3) else { return };
                    sleep(wait).await;
                    let Some(processes) = processes.upgrade() else { return };
                    if processes.is_closed.load(Ordering::Relaxed) {
                        return;
                    }
                    // It is repeated by the next one, and by the next write.
                    drop(processes.beat(&mut *processes.latest.lock().await).await);
                }
            });
        }
        let mut latest = self.latest.lock().await;
        match *latest {
            Some(at) if at.elapsed() < self.lease / 2 => Ok(()),
            _ => self.beat(&mut latest).await,
        }
    }

    async fn beat(&self, latest: &mut Option<Instant>) -> Result<(), StoreError> {
        let data = (self.beats.fetch_add(1, Ordering::Relaxed) + 1).to_string();
        let head = LogHead { label: Some(LABEL.into()), at: now(), due: None, data };
        let begun = Instant::now();
        *latest = None;
        if !self.is_closed.load(Ordering::Relaxed) {
            self.store.append(&name_of(&self.id), 0, &[], &head).await?;
        }
        *latest = Some(begun);
        Ok(())
    }

    /// Returns whether a process is this one, or responds as far as this one knows.
    pub async fn is_alive(&self, process: &str) -> Result<bool, StoreError> {
        if process == self.id {
            return Ok(true);
        }
        let page = self.store.read(&name_of(process), 0, 0).await?;
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(head) = page.head else {
            seen.remove(process);
            return Ok(false);
        };
        if let Some((data, since)) = seen.get(process)
            && *data == head.data
        {
            return Ok(since.elapsed() <= self.lease);
        }
        seen.insert(process.into(), (head.data, Instant::now()));
        Ok(true)
    }

    /// Deletes the logs of processes that were killed long ago.
    pub async fn clean(&self) -> Result<(), StoreError> {
        let list = LogList::Label(LABEL.into());
        let query = LogQuery { list, after: None, limit: 1000 };
        for listed in self.store.list(&query).await? {
            if listed.head.at.saturating_add(KEPT) < now() {
                self.store.delete(&listed.log, None).await?;
            }
        }
        Ok(())
    }

    /// Lets other processes continue the work of this one at once.
    pub async fn close(&self) -> Result<(), StoreError> {
        self.is_closed.store(true, Ordering::Relaxed);
        let latest = self.latest.lock().await;
        if latest.is_some() {
            self.store.delete(&name_of(&self.id), None).await?;
        }
        Ok(())
    }
}

fn name_of(process: &str) -> String {
    ["process/", process].concat()
}
