//! The store in Postgres, for several processes. Changes are reported by LISTEN and NOTIFY.

use std::borrow::ToOwned;
use std::boxed::Box;
use std::fmt;
use std::format;
use std::future::poll_fn;
use std::string::{String, ToString};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use std::vec::Vec;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{Notify, Semaphore, mpsc};
use tokio::time::sleep;
#[cfg(feature = "store-tls")]
use tokio_postgres::config::SslMode;
use tokio_postgres::types::{IsNull, ToSql, Type, private::BytesMut, to_sql_checked};
use tokio_postgres::{AsyncMessage, Client, Config, Connection, NoTls, Notification, Row, Socket};
use uuid::Uuid;

use super::sql::{Dialect, SqlStatement, SqlValue, number};
use super::{
    Changes, ListedLog, LogEntry, LogHead, LogPage, LogQuery, LogStore, Reports, StoreError,
    StoreFuture, is_old, watched_name,
};

/// The maximum number of connections, without the one that receives reports.
const CONNECTIONS: usize = 10;
/// The advisory lock under which one process creates the tables.
const CREATING: i64 = 0x6177_7275;
/// The time before a lost connection is opened again.
const RECONNECT: Duration = Duration::from_millis(500);

/// A store in Postgres, which several processes use. It connects when it is first needed, without
/// TLS, and creates its tables `agentwire_logs` and `agentwire_entries`.
pub struct PostgresStore {
    shared: Arc<Shared>,
    lease: Duration,
}

struct Shared {
    config: Config,
    /// The name of this process in reports.
    process: String,
    /// The connections that are not in use.
    idle: Mutex<Vec<Client>>,
    places: Semaphore,
    is_created: tokio::sync::OnceCell<()>,
    reports: Reports,
    /// The channels of changes that are not sent yet.
    changed: Mutex<Vec<String>>,
    has_changed: Arc<Notify>,
    is_listening: tokio::sync::Mutex<Option<Arc<Client>>>,
}

impl PostgresStore {
    /// Returns the store of a database, such as `postgres://user@host/database`. The store connects
    /// when it is first used, in a runtime of tokio.
    ///
    /// # Errors
    ///
    /// The address is not valid.
    pub fn open(address: &str) -> Result<Self, StoreError> {
        let shared = Arc::new(Shared {
            config: address.parse()?,
            process: Uuid::new_v4().to_string(),
            idle: Mutex::default(),
            places: Semaphore::new(CONNECTIONS),
            is_created: tokio::sync::OnceCell::new(),
            reports: Reports::default(),
            changed: Mutex::default(),
            has_changed: Arc::default(),
            is_listening: tokio::sync::Mutex::default(),
        });
        Ok(PostgresStore { shared, lease: Duration::from_secs(10) })
    }

    /// Sets the time after which another process takes over the threads of a process that does not
    /// respond: 10 seconds by default.
    #[must_use]
    pub fn with_lease(mut self, lease: Duration) -> Self {
        self.lease = lease;
        self
    }
}

impl fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresStore").field("lease", &self.lease).finish_non_exhaustive()
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // The task that sends reports ends.
        self.has_changed.notify_one();
    }
}

impl LogStore for PostgresStore {
    fn append<'a>(
        &'a self,
        log: &'a str,
        after: u64,
        entries: &'a [LogEntry],
        head: &'a LogHead,
    ) -> StoreFuture<'a, bool> {
        Box::pin(async move {
            let statements = Dialect::Postgres.append(log, after, entries, head);
            let is_changed = !self.shared.execute(&statements).await?.is_empty();
            if is_changed {
                self.shared.report(log);
            }
            Ok(is_changed)
        })
    }

    fn read<'a>(&'a self, log: &'a str, after: u64, limit: usize) -> StoreFuture<'a, LogPage> {
        Box::pin(async move {
            let rows = self.shared.execute(&[Dialect::Postgres.read(log, after, limit)]).await?;
            let Some(first) = rows.first() else { return Ok(LogPage::default()) };
            let mut page = LogPage {
                head: Some(head_in(first)?),
                last: number(first.try_get("last")?),
                entries: Vec::new(),
            };
            if limit > 0 {
                for row in &rows {
                    if let Some(text) = row.try_get("text")? {
                        let position = number(row.try_get("position")?);
                        page.entries.push(LogEntry { position, text });
                    }
                }
            }
            Ok(page)
        })
    }

    fn list<'a>(&'a self, query: &'a LogQuery) -> StoreFuture<'a, Vec<ListedLog>> {
        Box::pin(async move {
            let rows = self.shared.execute(&[Dialect::Postgres.list(query)]).await?;
            rows.iter()
                .map(|row| Ok(ListedLog { log: row.try_get("log")?, head: head_in(row)? }))
                .collect()
        })
    }

    fn delete<'a>(&'a self, log: &'a str, last: Option<u64>) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            self.shared.execute(&Dialect::Postgres.delete(log, last)).await?;
            self.shared.report(log);
            Ok(())
        })
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn watch<'a>(&'a self, name: &'a str) -> StoreFuture<'a, Changes> {
        Box::pin(async move {
            let channel = channel_of(name);
            let (changes, _) = self.shared.reports.watch(&channel);
            self.shared.listen(&channel).await?;
            Ok(changes)
        })
    }

    fn lease(&self) -> Duration {
        self.lease
    }
}

impl Shared {
    /// Runs statements, in one transaction if there are several. Returns the rows of the last one.
    async fn execute(
        self: &Arc<Self>,
        statements: &[SqlStatement],
    ) -> Result<Vec<Row>, StoreError> {
        self.is_created.get_or_try_init(|| self.create()).await?;
        let _place = self.places.acquire().await?;
        let mut client = self.client().await?;
        // After an error the connection is closed, which rolls back.
        let rows = match statements {
            [statement] => query(&client, statement).await?,
            _ => {
                let transaction = client.transaction().await.map_err(described)?;
                let mut rows = Vec::new();
                for statement in statements {
                    rows = query(&transaction, statement).await?;
                }
                transaction.commit().await.map_err(described)?;
                rows
            }
        };
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(client);
        Ok(rows)
    }

    async fn client(self: &Arc<Self>) -> Result<Client, StoreError> {
        loop {
            let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            match idle {
                Some(client) if !client.is_closed() => return Ok(client),
                Some(_) => {}
                None => break,
            }
        }
        self.connect(None).await
    }

    /// Opens a connection, with TLS if the address requires it. Sends what the server reports.
    async fn connect(
        &self,
        reports: Option<UnboundedSender<Notification>>,
    ) -> Result<Client, StoreError> {
        #[cfg(feature = "store-tls")]
        if self.config.get_ssl_mode() == SslMode::Require {
            let tls = super::tls::postgres()?;
            let (client, connection) = self.config.connect(tls).await.map_err(described)?;
            tokio::spawn(served(connection, reports));
            return Ok(client);
        }
        let (client, connection) = self.config.connect(NoTls).await.map_err(described)?;
        tokio::spawn(served(connection, reports));
        Ok(client)
    }

    /// Creates the tables, and starts to send reports.
    async fn create(self: &Arc<Self>) -> Result<(), StoreError> {
        let mut client = self.client().await?;
        let transaction = client.transaction().await.map_err(described)?;
        let lock = "SELECT pg_advisory_xact_lock($1)";
        transaction.query(lock, &[&CREATING]).await.map_err(described)?;
        let tables = "SELECT to_regclass('agentwire_threads') IS NOT NULL AND to_regclass('agentwire_logs') IS NULL AS is_old";
        let row = transaction.query_one(tables, &[]).await.map_err(described)?;
        if row.try_get("is_old")? {
            return Err(is_old());
        }
        transaction
            .batch_execute(&Dialect::Postgres.tables().join("; "))
            .await
            .map_err(described)?;
        transaction.commit().await.map_err(described)?;
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(client);
        let (shared, has_changed) = (Arc::downgrade(self), self.has_changed.clone());
        tokio::spawn(async move {
            loop {
                has_changed.notified().await;
                let Some(shared) = shared.upgrade() else { return };
                let changed = || shared.changed.lock().unwrap_or_else(PoisonError::into_inner);
                let channels = std::mem::take(&mut *changed());
                if !channels.is_empty() && shared.notify(&channels).await.is_err() {
                    // They are sent when the database answers again.
                    channels.iter().for_each(|channel| shared.add(channel));
                    shared.has_changed.notify_one();
                    drop(shared);
                    sleep(RECONNECT).await;
                }
            }
        });
        Ok(())
    }

    /// Reports a change to the other processes, without waiting for it. Reports are sent apart from
    /// the transactions that they report: transactions with NOTIFY commit one after the other, in
    /// the whole server.
    fn report(&self, log: &str) {
        self.add(&channel_of(watched_name(log)));
        self.has_changed.notify_one();
    }

    fn add(&self, channel: &str) {
        let mut changed = self.changed.lock().unwrap_or_else(PoisonError::into_inner);
        if !changed.iter().any(|known| known == channel) {
            changed.push(channel.to_owned());
        }
    }

    async fn notify(self: &Arc<Self>, channels: &[String]) -> Result<(), StoreError> {
        let _place = self.places.acquire().await?;
        let client = self.client().await?;
        let send = "SELECT pg_notify(channel, $2) FROM unnest($1::text[]) AS channel";
        client.query(send, &[&channels, &self.process]).await.map_err(described)?;
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(client);
        Ok(())
    }

    /// Returns when the channel is listened to.
    async fn listen(self: &Arc<Self>, channel: &str) -> Result<(), StoreError> {
        let listener = {
            let mut listening = self.is_listening.lock().await;
            match &*listening {
                Some(client) if !client.is_closed() => client.clone(),
                _ => {
                    let client = self.connect_listener().await?;
                    *listening = Some(client.clone());
                    client
                }
            }
        };
        listener.batch_execute(&format!("LISTEN \"{channel}\"")).await.map_err(described)
    }

    /// Opens the connection that receives reports, which listens to all channels that are watched.
    fn connect_listener<'a>(self: &'a Arc<Self>) -> StoreFuture<'a, Arc<Client>> {
        Box::pin(async move {
            let (reports, mut received) = mpsc::unbounded_channel();
            let client = Arc::new(self.connect(Some(reports)).await?);
            let mut listen = String::from("SELECT 1");
            for channel in self.reports.watched() {
                listen += &format!("; LISTEN \"{channel}\"");
            }
            client.batch_execute(&listen).await.map_err(described)?;
            // Changes before now may not have been reported.
            self.reports.report_all();
            let (shared, listener) = (Arc::downgrade(self), Arc::downgrade(&client));
            tokio::spawn(async move {
                while let Some(report) = received.recv().await {
                    let Some(shared) = shared.upgrade() else { return };
                    if report.payload() != shared.process
                        && !shared.reports.report(report.channel())
                    {
                        // Nothing watches it any more.
                        if let Some(client) = listener.upgrade() {
                            let unlisten = format!("UNLISTEN \"{}\"", report.channel());
                            drop(client.batch_execute(&unlisten).await);
                        }
                    }
                }
                // The connection is lost. It is opened again while something is watched.
                loop {
                    sleep(RECONNECT).await;
                    let Some(shared) = shared.upgrade() else { return };
                    let mut listening = shared.is_listening.lock().await;
                    let is_replaced = listening.as_ref().is_some_and(|client| !client.is_closed());
                    if is_replaced || shared.reports.watched().is_empty() {
                        return;
                    }
                    if let Ok(client) = shared.connect_listener().await {
                        *listening = Some(client);
                        return;
                    }
                }
            });
            Ok(client)
        })
    }
}

/// Runs one statement. Statements are prepared by the connection each time: those of an append
/// depend on the number of its entries.
async fn query(
    client: &impl tokio_postgres::GenericClient,
    SqlStatement { sql, values }: &SqlStatement,
) -> Result<Vec<Row>, StoreError> {
    let values: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| value as _).collect();
    client.query(&**sql, &values).await.map_err(described)
}

/// Returns an error with the message of the server, which the library's own text omits.
fn described(error: tokio_postgres::Error) -> StoreError {
    match error.as_db_error() {
        Some(one) => format!("Postgres has failed: {}", one.message()).into(),
        // The reason of a connection that fails is in its source.
        None => match std::error::Error::source(&error) {
            Some(source) => format!("Postgres has failed: {error}: {source}").into(),
            None => format!("Postgres has failed: {error}").into(),
        },
    }
}

impl ToSql for SqlValue {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            SqlValue::Null => Ok(IsNull::Yes),
            SqlValue::Integer(number) => number.to_sql(kind, out),
            SqlValue::Text(text) => text.to_sql(kind, out),
        }
    }

    fn accepts(kind: &Type) -> bool {
        <i64 as ToSql>::accepts(kind) || <String as ToSql>::accepts(kind)
    }

    to_sql_checked!();
}

/// Serves a connection until its end, whose error is that of the statements that wait for it, and
/// sends what the server reports.
async fn served<S: AsyncRead + AsyncWrite + Unpin>(
    mut connection: Connection<Socket, S>,
    reports: Option<UnboundedSender<Notification>>,
) {
    while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
        if let (AsyncMessage::Notification(report), Some(reports)) = (message, &reports)
            && reports.send(report).is_err()
        {
            return;
        }
    }
}

fn head_in(row: &Row) -> Result<LogHead, StoreError> {
    Ok(LogHead {
        label: row.try_get("label")?,
        at: number(row.try_get("at")?),
        due: row.try_get::<_, Option<i64>>("due")?.map(number),
        data: row.try_get("data")?,
    })
}

/// Returns the channel of a name. A channel has 63 bytes at most; two names may share one: then one
/// is read although it has not changed.
fn channel_of(name: &str) -> String {
    let part =
        |one: char| if one.is_ascii_alphanumeric() || matches!(one, '_' | '-') { one } else { '_' };
    ["agentwire_", &*name.chars().take(50).map(part).collect::<String>()].concat()
}
