//! The data of users in a store: their threads, lists of tasks, and counts. Each entry of a list is
//! a log without entries.

use std::borrow::ToOwned;
use std::collections::HashMap;
use std::format;
use std::string::{String, ToString};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::vec::Vec;

use sha2::{Digest, Sha256};

use super::processes::Processes;
use super::texts::{original, storable, stringified};
use super::time::now;
use crate::stores::{ListedLog, LogHead, LogList, LogQuery, LogStore, StoreError};

/// The number of logs that are listed at once.
const PAGE: usize = 256;

/// Returns the name of the list with the threads of a user.
pub(crate) fn threads_label(user: &str) -> String {
    label_of("threads", user)
}

/// Returns the name of a list of a user, of any name.
pub(crate) fn label_of(list: &str, user: &str) -> String {
    format!("{list}/{}", hash_of(&stringified(user)))
}

/// Returns the SHA-256 hash of a text, in hexadecimal digits.
pub(crate) fn hash_of(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns whether the id of a thread is such a hash, as that of an answer is. The threads of the runs
/// endpoints have UUIDs.
pub(crate) fn is_answer_id(id: &str) -> bool {
    id.len() == 64 && id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Returns all logs of a list.
pub(super) async fn listed(
    store: &dyn LogStore,
    list: LogList,
) -> Result<Vec<ListedLog>, StoreError> {
    let mut all: Vec<ListedLog> = Vec::new();
    let mut query = LogQuery { list, after: None, limit: PAGE };
    loop {
        let page = store.list(&query).await?;
        let is_end = page.len() < PAGE;
        query.after = page.last().cloned();
        all.extend(page);
        if is_end {
            return Ok(all);
        }
    }
}

/// The users of a store.
pub(crate) struct Users {
    store: Arc<dyn LogStore>,
}

impl Users {
    pub fn new(store: Arc<dyn LogStore>) -> Self {
        Users { store }
    }

    /// Returns the thread of the user's latest run.
    pub async fn latest_thread(&self, user: &str) -> Result<Option<String>, StoreError> {
        let list = LogList::Label(threads_label(user));
        let page = self.store.list(&LogQuery { list, after: None, limit: 1 }).await?;
        Ok(page.first().map(|listed| last_part(&listed.log)))
    }

    /// Sets an entry of the user's list of A2A tasks, running answers of chats and threads, a text;
    /// `None` removes it.
    pub async fn set_task(
        &self,
        user: &str,
        key: &str,
        task: Option<&str>,
    ) -> Result<(), StoreError> {
        let label = label_of("tasks", user);
        let log = format!("{label}/{key}");
        match task {
            None => self.store.delete(&log, None).await,
            Some(task) => {
                let (label, data) = (Some(label), storable(task).into_owned());
                let head = LogHead { label, at: now(), due: None, data };
                self.store.append(&log, 0, &[], &head).await.map(drop)
            }
        }
    }

    /// Returns the entries of the user's list, the one that was set last first.
    pub async fn tasks(&self, user: &str) -> Result<Vec<(String, String)>, StoreError> {
        let list = listed(&*self.store, LogList::Label(label_of("tasks", user))).await?;
        let entry = |one: ListedLog| (last_part(&one.log), original(&one.head.data).into_owned());
        Ok(list.into_iter().map(entry).collect())
    }
}

/// Returns the last part of the name of a log.
fn last_part(log: &str) -> String {
    log.rsplit('/').next().unwrap_or_default().to_owned()
}

/// The kinds of counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CountKind {
    Runs,
    Connections,
}

impl CountKind {
    fn name(self) -> &'static str {
        match self {
            CountKind::Runs => "runs",
            CountKind::Connections => "connections",
        }
    }
}

/// The counts of runs and connections of users: in memory, and in a store that several processes
/// use as a log for each user and process, which is valid while the process lives.
pub(crate) struct UserCounts {
    store: Arc<dyn LogStore>,
    processes: Option<Arc<Processes>>,
    own: Mutex<HashMap<(CountKind, String), usize>>,
    /// The counts that are stored. It is locked while one is being stored, so that the last one
    /// stays, and those that wait meanwhile are stored once.
    stored: tokio::sync::Mutex<HashMap<(CountKind, String), usize>>,
}

/// A counted run or connection, until it is dropped.
pub(crate) struct UserCount {
    counts: Arc<UserCounts>,
    kind: CountKind,
    user: String,
}

impl UserCounts {
    pub fn new(store: Arc<dyn LogStore>, processes: Option<Arc<Processes>>) -> Arc<Self> {
        Arc::new(UserCounts {
            store,
            processes,
            own: Mutex::default(),
            stored: tokio::sync::Mutex::default(),
        })
    }

    /// Counts one more, if there are less than `most` in all processes.
    pub async fn enter(
        self: &Arc<Self>,
        kind: CountKind,
        user: &str,
        most: usize,
    ) -> Result<Option<UserCount>, StoreError> {
        let count = {
            let mut own = self.own();
            let count = own.entry((kind, user.to_owned())).or_default();
            *count += 1;
            *count
        };
        let counted = UserCount { counts: self.clone(), kind, user: user.to_owned() };
        if count > most {
            return Ok(None);
        }
        let Some(processes) = &self.processes else { return Ok(Some(counted)) };
        processes.taken().await?;
        self.store(kind, user).await?;
        let mut sum = 0;
        let mut living: HashMap<String, bool> = HashMap::new();
        for one in listed(&*self.store, LogList::Label(label_of(kind.name(), user))).await? {
            let process = one.log.split('/').nth(2).unwrap_or_default();
            let is_alive = match living.get(process) {
                Some(is_alive) => *is_alive,
                None => processes.is_alive(process).await?,
            };
            living.insert(process.to_owned(), is_alive);
            if is_alive {
                sum += one.head.data.parse().unwrap_or(0);
            } else {
                self.store.delete(&one.log, None).await?;
            }
        }
        Ok((sum <= most).then_some(counted))
    }

    /// Stores the count of this process.
    async fn store(&self, kind: CountKind, user: &str) -> Result<(), StoreError> {
        let Some(processes) = &self.processes else { return Ok(()) };
        let label = label_of(kind.name(), user);
        let log = format!("{label}/{}/all", processes.id);
        let key = (kind, user.to_owned());
        let mut stored = self.stored.lock().await;
        let count = self.own().get(&key).copied().unwrap_or(0);
        // It is not known what is stored after a failure.
        let before = stored.remove(&key);
        if count == 0 {
            return self.store.delete(&log, None).await;
        }
        if before != Some(count) {
            let data = count.to_string();
            let head = LogHead { label: Some(label), at: now(), due: None, data };
            self.store.append(&log, 0, &[], &head).await?;
        }
        stored.insert(key, count);
        Ok(())
    }

    fn own(&self) -> MutexGuard<'_, HashMap<(CountKind, String), usize>> {
        self.own.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for UserCount {
    fn drop(&mut self) {
        let key = (self.kind, core::mem::take(&mut self.user));
        {
            let mut own = self.counts.own();
            if let Some(count) = own.get_mut(&key) {
                *count -= 1;
                if *count == 0 {
                    own.remove(&key);
                }
            }
        }
        // Without a runtime, the process is about to end, and its counts with it.
        if self.counts.processes.is_some()
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            let counts = self.counts.clone();
            runtime.spawn(async move { drop(counts.store(key.0, &key.1).await) });
        }
    }
}
