//! Postgres and Redis: the checks with two processes, and the loss of a database. The servers are
//! those that are installed on this machine.

use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use agentwire::stores::testing::check_store;
use agentwire::stores::{LogStore, PostgresStore, RedisStore};
use tokio::time::{sleep, timeout};

use crate::files::Folder;
use crate::{entry, head};

/// A server in a folder of its own.
struct Server {
    folder: Folder,
    port: u16,
    program: PathBuf,
    arguments: Vec<String>,
    /// Another user, because Postgres refuses to run as root.
    user: Option<(u32, u32)>,
    child: Option<Child>,
}

impl Server {
    fn start(&mut self) {
        let begun = Instant::now();
        loop {
            let mut command = Command::new(&self.program);
            command.args(&self.arguments).current_dir(&self.folder.0);
            as_user(&mut command, self.user);
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            // Processes of a killed server may still have its memory; then the next one ends.
            while child.try_wait().unwrap().is_none() {
                if TcpStream::connect(("127.0.0.1", self.port)).is_ok() {
                    self.child = Some(child);
                    return;
                }
                std::thread::sleep(Duration::from_millis(20));
            }
            assert!(begun.elapsed() < Duration::from_secs(30), "the server does not start");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            drop(child.kill());
            drop(child.wait());
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

fn as_user(command: &mut Command, user: Option<(u32, u32)>) {
    if let Some((uid, gid)) = user {
        command.uid(uid).gid(gid);
    }
}

fn id(option: &str, user: &[&str]) -> u32 {
    let id = Command::new("id").arg(option).args(user).output().unwrap();
    String::from_utf8(id.stdout).unwrap().trim().parse().unwrap()
}

/// Returns the path of a program, also of Debian's Postgres, whose folder is not in the search path.
fn path_of(program: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let debian = (15..25).rev().map(|version| format!("/usr/lib/postgresql/{version}/bin").into());
    std::env::split_paths(&folders)
        .chain(debian)
        .map(|folder: PathBuf| folder.join(program))
        .find(|path| path.exists())
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

fn postgres() -> Option<Server> {
    let (Some(initdb), Some(program)) = (path_of("initdb"), path_of("postgres")) else {
        eprintln!("skipped: Postgres is not installed");
        return None;
    };
    let folder = Folder::new();
    let user = (id("-u", &[]) == 0).then(|| (id("-u", &["nobody"]), id("-g", &["nobody"])));
    if let Some((uid, gid)) = user {
        chown(&folder.0, Some(uid), Some(gid)).unwrap();
    }
    let data = folder.0.join("data").display().to_string();
    let mut command = Command::new(initdb);
    command.args(["-D", &data, "-U", "agentwire", "--auth=trust", "--no-sync"]);
    command.args(["--encoding=UTF8", "--locale=C"]).current_dir(&folder.0);
    as_user(&mut command, user);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let port = free_port();
    let settings = ["listen_addresses=127.0.0.1", "unix_socket_directories="];
    let settings = settings.into_iter().flat_map(|setting| ["-c".to_owned(), setting.to_owned()]);
    let arguments = ["-D".to_owned(), data, "-p".into(), port.to_string()]
        .into_iter()
        .chain(settings)
        .collect();
    let mut server = Server { folder, port, program, arguments, user, child: None };
    server.start();
    Some(server)
}

fn redis() -> Option<Server> {
    let Some(program) = path_of("redis-server") else {
        eprintln!("skipped: Redis is not installed");
        return None;
    };
    let (folder, port) = (Folder::new(), free_port());
    let options =
        ["--bind", "127.0.0.1", "--save", "", "--appendonly", "yes", "--appendfsync", "always"];
    let port_option = ["--port".to_owned(), port.to_string()];
    let arguments = options.into_iter().map(String::from).chain(port_option).collect();
    let mut server = Server { folder, port, program, arguments, user: None, child: None };
    server.start();
    Some(server)
}

/// Waits until a call of a store succeeds, because its database has to start.
async fn until<T>(call: impl AsyncFn() -> Result<T, agentwire::stores::StoreError>) -> T {
    let begun = Instant::now();
    loop {
        match call().await {
            Ok(value) => return value,
            Err(error) => assert!(begun.elapsed() < Duration::from_secs(30), "{error}"),
        }
        sleep(Duration::from_millis(50)).await;
    }
}

async fn passes_the_checks(store: Arc<dyn LogStore>, other: Arc<dyn LogStore>) {
    until(async || store.read("a", 0, 0).await).await;
    check_store(store, other).await.unwrap();
}

/// A database that is killed and started again: calls fail meanwhile, what was stored stays, and
/// changes are reported again.
async fn survives_a_kill(mut server: Server, store: &dyn LogStore, other: &dyn LogStore) {
    let mut changes = until(async || store.watch("a").await).await;
    let one = entry(1, "one");
    assert!(
        until(async || other.append("a", 0, std::slice::from_ref(&one), &head("x")).await).await
    );
    timeout(Duration::from_secs(10), changes.changed()).await.expect("a report");
    server.kill();
    let failed = timeout(Duration::from_secs(10), store.read("a", 0, 9)).await;
    assert!(failed.expect("an answer without the database").is_err());
    server.start();
    let page = until(async || store.read("a", 0, 9).await).await;
    assert_eq!(page.entries, [one]);
    // The connection for reports is opened again, which reports every name.
    timeout(Duration::from_secs(20), changes.changed()).await.expect("a report after the loss");
    let two = entry(2, "two");
    assert!(
        until(async || other.append("a", 1, std::slice::from_ref(&two), &head("x")).await).await
    );
    timeout(Duration::from_secs(20), changes.changed()).await.expect("a report of a change");
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres_passes_the_checks_and_survives_a_kill() {
    let Some(server) = postgres() else { return };
    let address = format!("postgres://agentwire@127.0.0.1:{}/postgres", server.port);
    let open = || Arc::new(PostgresStore::open(&address).unwrap());
    let (store, other) = (open(), open());
    passes_the_checks(store.clone(), other.clone()).await;
    survives_a_kill(server, &*store, &*other).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn redis_passes_the_checks_and_survives_a_kill() {
    let Some(server) = redis() else { return };
    let address = format!("redis://127.0.0.1:{}", server.port);
    let open = || Arc::new(RedisStore::open(&address).unwrap());
    let (store, other) = (open(), open());
    passes_the_checks(store.clone(), other.clone()).await;
    survives_a_kill(server, &*store, &*other).await;
}
