//! The store in Redis, for several processes. The entries of a log are a stream.

use std::borrow::ToOwned;
use std::boxed::Box;
use std::fmt;
use std::format;
use std::future::poll_fn;
use std::pin::Pin;
use std::string::{String, ToString};
use std::sync::Arc;
use std::time::Duration;
use std::vec;
use std::vec::Vec;

use futures_core::Stream;
use redis::aio::{MultiplexedConnection, PubSubSink};
use redis::{Client, Value, cmd};
use tokio::sync::{Mutex, Notify};
use tokio::time::sleep;
use uuid::Uuid;

use super::{
    Changes, ListedLog, LogEntry, LogHead, LogList, LogPage, LogQuery, LogStore, Reports,
    StoreError, StoreFuture, is_old, watched_name,
};

/// The keys: `log:<name>` (hash) has the head and the last position of a log, `entries:<name>`
/// (stream) its entries by position, `label:<label>` (sorted set) the logs of a list by place, `due`
/// (sorted set) those with work to do. A script is atomic. It receives the name of the log, and the
/// channel and the process of the report.
const COMMON: &str = "
local call, log, channel, process = redis.call, ARGV[1], ARGV[2], ARGV[3]
local head, entries = 'agentwire:log:' .. log, 'agentwire:entries:' .. log
local function unlist()
  local label = call('HGET', head, 'label')
  if label then call('ZREM', 'agentwire:label:' .. label, log) end
  call('ZREM', 'agentwire:due', log)
end";
/// The last position, label, place, place of work or nothing, data, position and text of each entry.
const APPEND: &str = "
if (call('HGET', head, 'last') or '0') ~= ARGV[4] then return 0 end
for at = 9, #ARGV, 2 do call('XADD', entries, ARGV[at] .. '-0', 't', ARGV[at + 1]) end
local last = #ARGV > 8 and ARGV[#ARGV - 1] or ARGV[4]
if call('HGET', head, 'lists') ~= ARGV[5] .. ' ' .. ARGV[6] .. ' ' .. ARGV[7] then
  unlist()
  call('DEL', head)
  call('HSET', head, 'at', ARGV[6], 'lists', ARGV[5] .. ' ' .. ARGV[6] .. ' ' .. ARGV[7])
  if ARGV[5] ~= '' then
    call('HSET', head, 'label', ARGV[5])
    call('ZADD', 'agentwire:label:' .. ARGV[5], ARGV[6], log)
  end
  if ARGV[7] ~= '' then
    call('HSET', head, 'due', ARGV[7])
    call('ZADD', 'agentwire:due', ARGV[7], log)
  end
end
call('HSET', head, 'last', last, 'data', ARGV[8])
call('PUBLISH', channel, process)
return 1";
/// The position, the number of entries.
const READ: &str = "
local found = call('HMGET', head, 'last', 'label', 'at', 'due', 'data')
if found[1] and ARGV[5] ~= '0' then
  found[6] = call('XRANGE', entries, '(' .. ARGV[4] .. '-0', '+', 'COUNT', ARGV[5])
end
return found";
/// The last position, or nothing.
const DELETE: &str = "
if ARGV[4] ~= '' and call('HGET', head, 'last') ~= ARGV[4] then return end
unlist()
call('DEL', head, entries)
call('PUBLISH', channel, process)";
/// The heads of logs.
const HEADS: &str = "
local found = {}
for at, log in ipairs(ARGV) do found[at] = redis.call('HMGET', 'agentwire:log:' .. log, 'last', 'label', 'at', 'due', 'data') end
return found";

/// The time before a lost connection is opened again.
const RECONNECT: Duration = Duration::from_millis(500);
/// The maximum number of entries that Redis reads at once.
const MOST: usize = 1 << 53;

/// A store in Redis, which several processes use. It connects when it is first needed; its keys
/// begin with `agentwire:`. Set `appendonly yes` and `appendfsync always` in the server, so that
/// what was stored survives it.
pub struct RedisStore {
    shared: Arc<Shared>,
    lease: Duration,
}

struct Shared {
    client: Client,
    /// The name of this process in reports.
    process: String,
    connection: Mutex<Option<MultiplexedConnection>>,
    reports: Reports,
    /// The side of the connection for reports that subscribes.
    subscribing: Mutex<Option<PubSubSink>>,
    /// Notified when the store is dropped.
    closed: Arc<Notify>,
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.closed.notify_one();
    }
}

impl RedisStore {
    /// Returns the store of a database, such as `redis://host/0`; with the feature `store-tls`, also
    /// `rediss://host/0`. The store connects when it is
    /// first used, in a runtime of tokio.
    ///
    /// # Errors
    ///
    /// The address is not valid.
    pub fn open(address: &str) -> Result<Self, StoreError> {
        #[cfg(feature = "store-tls")]
        super::tls::choose_cryptography();
        let shared = Arc::new(Shared {
            client: Client::open(address)?,
            process: Uuid::new_v4().to_string(),
            connection: Mutex::default(),
            reports: Reports::default(),
            subscribing: Mutex::default(),
            closed: Arc::default(),
        });
        Ok(RedisStore { shared, lease: Duration::from_secs(10) })
    }

    /// Sets the time after which another process takes over the threads of a process that does not
    /// respond: 10 seconds by default.
    #[must_use]
    pub fn with_lease(mut self, lease: Duration) -> Self {
        self.lease = lease;
        self
    }

    /// Runs a script for a log.
    async fn run(&self, script: &str, log: &str, values: Vec<String>) -> Result<Value, StoreError> {
        let channel = channel_of(watched_name(log));
        let script = [COMMON, script].concat();
        let mut arguments =
            vec![script, "0".into(), log.into(), channel, self.shared.process.clone()];
        arguments.extend(values);
        self.shared.command("EVAL", &arguments).await
    }
}

impl fmt::Debug for RedisStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisStore").field("lease", &self.lease).finish_non_exhaustive()
    }
}

impl LogStore for RedisStore {
    fn append<'a>(
        &'a self,
        log: &'a str,
        after: u64,
        entries: &'a [LogEntry],
        head: &'a LogHead,
    ) -> StoreFuture<'a, bool> {
        Box::pin(async move {
            let mut values = vec![
                after.to_string(),
                head.label.clone().unwrap_or_default(),
                head.at.to_string(),
                head.due.map_or_else(String::new, |due| due.to_string()),
                head.data.clone(),
            ];
            for LogEntry { position, text } in entries {
                values.extend([position.to_string(), text.clone()]);
            }
            Ok(self.run(APPEND, log, values).await? == Value::Int(1))
        })
    }

    fn read<'a>(&'a self, log: &'a str, after: u64, limit: usize) -> StoreFuture<'a, LogPage> {
        Box::pin(async move {
            let values = vec![after.to_string(), limit.min(MOST).to_string()];
            let found = parts(self.run(READ, log, values).await?);
            let Some(head) = head_in(&found) else { return Ok(LogPage::default()) };
            let last = number_in(found.first());
            let entries = found.into_iter().nth(5).map(parts).unwrap_or_default();
            let entries = entries.into_iter().map(parts).map(|entry| {
                let id = text_in(entry.first()).unwrap_or_default();
                let fields = entry.into_iter().nth(1).map(parts).unwrap_or_default();
                LogEntry {
                    position: id.split('-').next().and_then(|one| one.parse().ok()).unwrap_or(0),
                    text: text_in(fields.get(1)).unwrap_or_default(),
                }
            });
            Ok(LogPage { head: Some(head), last, entries: entries.collect() })
        })
    }

    fn list<'a>(&'a self, query: &'a LogQuery) -> StoreFuture<'a, Vec<ListedLog>> {
        Box::pin(async move { self.shared.list(query).await })
    }

    fn delete<'a>(&'a self, log: &'a str, last: Option<u64>) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            let last = last.map_or_else(String::new, |last| last.to_string());
            self.run(DELETE, log, vec![last]).await.map(drop)
        })
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn watch<'a>(&'a self, name: &'a str) -> StoreFuture<'a, Changes> {
        Box::pin(async move {
            let channel = channel_of(name);
            let (changes, _) = self.shared.reports.watch(&channel);
            self.shared.subscribe(&channel).await?;
            Ok(changes)
        })
    }

    fn lease(&self) -> Duration {
        self.lease
    }
}

impl Shared {
    async fn command(&self, name: &str, arguments: &[String]) -> Result<Value, StoreError> {
        let mut connection = self.connection().await?;
        let mut command = cmd(name);
        command.arg(arguments);
        match command.query_async(&mut connection).await {
            Ok(value) => Ok(value),
            Err(error) => {
                if error.is_unrecoverable_error() || error.is_io_error() {
                    // The next command connects again.
                    *self.connection.lock().await = None;
                }
                Err(described(&error))
            }
        }
    }

    async fn connection(&self) -> Result<MultiplexedConnection, StoreError> {
        let mut known = self.connection.lock().await;
        if let Some(connection) = &*known {
            return Ok(connection.clone());
        }
        let connected = self.client.get_multiplexed_async_connection().await;
        let mut connection = connected.map_err(|error| described(&error))?;
        let mut exists = cmd("EXISTS");
        let old: Result<bool, _> =
            exists.arg("agentwire:latest").query_async(&mut connection).await;
        if old.map_err(|error| described(&error))? {
            return Err(is_old());
        }
        *known = Some(connection.clone());
        Ok(connection)
    }

    async fn list(
        &self,
        LogQuery { list, after, limit }: &LogQuery,
    ) -> Result<Vec<ListedLog>, StoreError> {
        let (key, order) = match list {
            LogList::Label(label) => (["agentwire:label:", label].concat(), &["REV"][..]),
            LogList::Due(_) => ("agentwire:due".to_owned(), &[][..]),
        };
        let is_label = !order.is_empty();
        let place = after.as_ref().map(|after| match list {
            LogList::Label(_) => after.head.at,
            LogList::Due(_) => after.head.due.unwrap_or(0),
        });
        let from = place.map_or(if is_label { "+inf" } else { "-inf" }.into(), |at| at.to_string());
        let to = match list {
            LogList::Label(_) => "-inf".into(),
            LogList::Due(due) => due.to_string(),
        };
        let mut names: Vec<String> = Vec::new();
        let mut offset = 0;
        // Logs with the same place are in the order of their names.
        while names.len() < *limit {
            let mut range: Vec<String> =
                vec![key.clone(), from.clone(), to.clone(), "BYSCORE".into()];
            range.extend(order.iter().map(ToString::to_string));
            range.extend(["LIMIT".into(), offset.to_string(), limit.to_string()]);
            range.push("WITHSCORES".into());
            let page = pairs_in(self.command("ZRANGE", &range).await?);
            let is_last = page.len() < *limit;
            let is_later = |(name, score): &(String, u64)| {
                after.as_ref().is_none_or(|after| {
                    Some(*score) != place
                        || if is_label { *name < after.log } else { *name > after.log }
                })
            };
            names.extend(page.into_iter().filter(is_later).map(|(name, _)| name));
            if is_last {
                break;
            }
            offset += limit;
        }
        names.truncate(*limit);
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let mut arguments = vec![HEADS.to_owned(), "0".into()];
        arguments.extend(names.iter().cloned());
        let heads = parts(self.command("EVAL", &arguments).await?);
        let listed = names.into_iter().zip(heads).filter_map(|(log, found)| {
            // It may have been deleted meanwhile.
            head_in(&parts(found)).map(|head| ListedLog { log, head })
        });
        Ok(listed.collect())
    }

    /// Returns when the channel is subscribed to.
    async fn subscribe(self: &Arc<Self>, channel: &str) -> Result<(), StoreError> {
        let mut subscribing = self.subscribing.lock().await;
        let sink = match &mut *subscribing {
            Some(sink) => sink,
            none => none.insert(self.connect_subscriber().await?),
        };
        let subscribed = sink.subscribe(channel).await;
        if subscribed.is_err() {
            *subscribing = None;
        }
        subscribed.map_err(|error| described(&error))
    }

    /// Opens the connection that receives reports, with all channels that are watched.
    fn connect_subscriber<'a>(self: &'a Arc<Self>) -> StoreFuture<'a, PubSubSink> {
        Box::pin(async move {
            let connected = self.client.get_async_pubsub().await;
            let (mut sink, mut reports) = connected.map_err(|error| described(&error))?.split();
            for channel in self.reports.watched() {
                sink.subscribe(&channel).await.map_err(|error| described(&error))?;
            }
            // Changes before now may not have been reported.
            self.reports.report_all();
            let (shared, closed) = (Arc::downgrade(self), self.closed.clone());
            tokio::spawn(async move {
                loop {
                    let next = poll_fn(|context| Pin::new(&mut reports).poll_next(context));
                    let report = tokio::select! {
                        report = next => report,
                        () = closed.notified() => return,
                    };
                    let Some(report) = report else { break };
                    let Some(shared) = shared.upgrade() else { return };
                    let channel = report.get_channel_name();
                    let is_own = report.get_payload_bytes() == shared.process.as_bytes();
                    if !is_own && !shared.reports.report(channel) {
                        // Nothing watches it any more.
                        if let Some(sink) = &mut *shared.subscribing.lock().await {
                            drop(sink.unsubscribe(channel).await);
                        }
                        if shared.reports.watched().iter().any(|watched| watched == channel) {
                            // It has been watched again meanwhile.
                            drop(shared.subscribe(channel).await);
                            shared.reports.report(channel);
                        }
                    }
                }
                // The connection is lost. It is opened again while something is watched.
                if let Some(shared) = shared.upgrade() {
                    *shared.subscribing.lock().await = None;
                }
                loop {
                    sleep(RECONNECT).await;
                    let Some(shared) = shared.upgrade() else { return };
                    let mut subscribing = shared.subscribing.lock().await;
                    if subscribing.is_some() || shared.reports.watched().is_empty() {
                        return;
                    }
                    if let Ok(sink) = shared.connect_subscriber().await {
                        *subscribing = Some(sink);
                        return;
                    }
                }
            });
            Ok(sink)
        })
    }
}

fn described(error: &redis::RedisError) -> StoreError {
    format!("Redis has failed: {error}").into()
}

/// Returns the values of a list.
fn parts(value: Value) -> Vec<Value> {
    if let Value::Array(values) = value { values } else { Vec::new() }
}

fn text_in(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::BulkString(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
        Value::SimpleString(text) => Some(text.clone()),
        Value::Int(number) => Some(number.to_string()),
        Value::Double(number) => Some(format!("{number:.0}")),
        _ => None,
    }
}

fn number_in(value: Option<&Value>) -> u64 {
    text_in(value).map_or(0, |text| {
        text.parse().unwrap_or_else(|_| text.parse().map_or(0, |number: f64| number as u64))
    })
}

/// Returns the head in the answer of a script: the last position, label, place, place of work and
/// data.
fn head_in(found: &[Value]) -> Option<LogHead> {
    text_in(found.first())?;
    Some(LogHead {
        label: text_in(found.get(1)),
        at: number_in(found.get(2)),
        due: text_in(found.get(3)).map(|_| number_in(found.get(3))),
        data: text_in(found.get(4))?,
    })
}

/// Returns the members and scores of an answer: a flat list, or in version 3 of the protocol pairs.
fn pairs_in(page: Value) -> Vec<(String, u64)> {
    let mut values = parts(page).into_iter().flat_map(|value| match value {
        Value::Array(pair) => pair,
        other => vec![other],
    });
    let mut pairs = Vec::new();
    while let (Some(name), Some(score)) = (values.next(), values.next()) {
        pairs.push((text_in(Some(&name)).unwrap_or_default(), number_in(Some(&score))));
    }
    pairs
}

fn channel_of(name: &str) -> String {
    ["agentwire:changed:", name].concat()
}
