//! A service over HTTP, and its client.

use std::io::Write;
use std::net::TcpStream;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use agentwire::adapters::axum::AgentService;
use agentwire::ag_ui::{AgUi, Snapshot};
use agentwire::builder::{IdSource, RandomIds};
use agentwire::json::Value;
use agentwire::runs::follow::{FollowSettings, FollowStep, Follower};
use agentwire::stores::open;
use agentwire::{Reader, Report};
use axum::Router;
use axum::serve::ListenerExt;
use reqwest::{Client, Method, Response};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::agent::{agent, user, with_runs};

/// A service on a store of its own.
pub struct Site {
    base: String,
    client: Client,
    runs: AgentService,
    server: JoinHandle<()>,
    /// The folder of a durable store.
    folder: Option<PathBuf>,
    options: Value,
}

/// A run of the user `ann`.
pub struct Run {
    pub thread: String,
    pub id: String,
    body: String,
}

/// The result of following a run.
pub struct Followed {
    pub snapshot: Snapshot,
    pub report: Report,
}

impl Followed {
    pub fn text(&self) -> String {
        self.snapshot.messages.iter().filter_map(|message| message.text()).collect()
    }

    pub fn code(&self) -> Option<String> {
        self.snapshot.error.as_ref().and_then(|error| error.code.as_ref().cloned())
    }
}

fn id() -> String {
    RandomIds.next_id("")
}

/// Returns a new folder, which the site removes.
pub fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("agentwire-runs-{}", id()));
    std::fs::create_dir(&folder).unwrap();
    folder
}

/// Returns a run in a new thread; `text` is a command of the agent.
pub fn run(text: &str) -> Run {
    Run::new(id(), id(), text)
}

impl Run {
    fn new(thread: String, id: String, text: &str) -> Self {
        Run::with_messages(thread, id, &format!(r#"{{"id":"m","role":"user","content":"{text}"}}"#))
    }

    fn with_messages(thread: String, id: String, messages: &str) -> Self {
        let body = format!(
            r#"{{"threadId":"{thread}","runId":"{id}","messages":[{messages}],"forwardedProps":{{"runtime_mode":"chat"}}}}"#
        );
        Run { thread, id, body }
    }

    /// Returns another run of the thread, with these messages.
    pub fn continued(&self, messages: &str) -> Self {
        Run::with_messages(self.thread.clone(), id(), messages)
    }

    /// Returns another run of the thread.
    pub fn another(&self, text: &str) -> Self {
        Run::new(self.thread.clone(), id(), text)
    }

    /// Returns the same run with another text.
    pub fn with_text(&self, text: &str) -> Self {
        Run::new(self.thread.clone(), self.id.clone(), text)
    }

    /// Returns the path of its events.
    pub fn events(&self) -> String {
        format!("/runs/{}/events?runId={}", self.thread, self.id)
    }
}

/// Returns the answer to `count`.
pub fn counted(count: usize) -> String {
    (1..=count).map(|at| format!("{at} ")).collect()
}

/// Returns the piece of a text in a line of a stream.
pub fn delta(line: &str) -> Option<String> {
    let event = Value::parse(line.strip_prefix("data: ")?, 16).unwrap();
    event.get("delta").and_then(Value::as_str).map(str::to_owned)
}

/// Returns the status and the code of a refusal.
pub async fn refused(response: Response) -> (u16, String) {
    let status = response.status().as_u16();
    let body = Value::parse(&response.text().await.unwrap(), 16).unwrap();
    (status, body.get("code").and_then(Value::as_str).unwrap_or_default().to_owned())
}

impl Site {
    pub async fn open(is_durable: bool, options: &str) -> Self {
        Self::start(is_durable.then(folder), Value::parse(options, 8).unwrap()).await
    }

    async fn start(folder: Option<PathBuf>, options: Value) -> Self {
        let begun = Instant::now();
        let runs = loop {
            let address = match &folder {
                Some(folder) => format!("sqlite:{}/runs.sqlite", folder.display()),
                None => "memory".into(),
            };
            match open(&address) {
                Ok(store) => {
                    break with_runs(
                        AgentService::new(agent).authenticate(user).on_error(|_| None),
                        store,
                        folder.as_deref(),
                        &options,
                    );
                }
                // Connections of the last service keep its file open until they have ended.
                Err(error) => assert!(begun.elapsed() < Duration::from_secs(5), "{error}"),
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        };
        Self::of(runs, folder, options).await
    }

    /// Serves a service.
    pub async fn of(runs: AgentService, folder: Option<PathBuf>, options: Value) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}/api/v1/agent", listener.local_addr().unwrap());
        let listener = listener.tap_io(|connection| drop(connection.set_nodelay(true)));
        let app = Router::new().fallback_service(runs.clone());
        let server = tokio::spawn(async { axum::serve(listener, app).await.unwrap() });
        Site { base, client: Client::new(), runs, server, folder, options }
    }

    /// Stops the service and starts another one on the same store.
    pub async fn restart(mut self) -> Self {
        let (folder, options) = (self.folder.take(), std::mem::take(&mut self.options));
        self.runs.close().await;
        self.server.abort();
        drop(self);
        Self::start(folder, options).await
    }

    pub async fn request(
        &self,
        method: &str,
        path: &str,
        user: Option<&str>,
        cursor: Option<&str>,
    ) -> Response {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let mut request = self.client.request(method, format!("{}{path}", self.base));
        for (name, value) in [
            ("authorization", user.map(|user| format!("Bearer {user}"))),
            ("last-event-id", cursor.map(str::to_owned)),
        ] {
            if let Some(value) = value {
                request = request.header(name, value);
            }
        }
        request.send().await.unwrap()
    }

    /// Requests a run. Returns the status, and the id of the task or the code of the refusal.
    pub async fn create(&self, run: &Run) -> (u16, String) {
        let request =
            self.client.post(format!("{}/runs", self.base)).header("authorization", "Bearer ann");
        let request = request.header("content-type", "application/json");
        let response = request.body(run.body.clone()).send().await.unwrap();
        let status = response.status().as_u16();
        let body = Value::parse(&response.text().await.unwrap(), 16).unwrap();
        let told = body.get("taskId").or_else(|| body.get("code")).and_then(Value::as_str);
        (status, told.unwrap().to_owned())
    }

    /// Requests a run, and leaves after so long without reading the answer.
    pub async fn leave(&self, run: &Run, time: Duration) {
        let host = self.base.trim_start_matches("http://").split('/').next().unwrap();
        let mut connection = TcpStream::connect(host).unwrap();
        let head = format!(
            "POST /api/v1/agent/runs HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer ann\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            run.body.len()
        );
        connection.write_all((head + &run.body).as_bytes()).unwrap();
        tokio::time::sleep(time).await;
    }

    /// Sends a form with a WAV file, which has so many seconds of silence. Returns the answer.
    pub async fn transcribe(&self, seconds: u32) -> String {
        let data = vec![0; 16_000 * seconds as usize];
        let mut form = b"--x\r\ncontent-disposition: form-data; name=\"audio\"; filename=\"a.wav\"\r\ncontent-type: audio/wav\r\n\r\n".to_vec();
        form.extend(b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0");
        form.extend([8000_u32, 16_000].into_iter().flat_map(u32::to_le_bytes));
        form.extend(b"\x02\0\x10\0data");
        form.extend((data.len() as u32).to_le_bytes());
        form.extend(&data);
        form.extend(b"\r\n--x--\r\n");
        let request = self
            .client
            .post(format!("{}/transcribe", self.base))
            .header("authorization", "Bearer ann");
        let request = request.header("content-type", "multipart/form-data; boundary=x").body(form);
        request.send().await.unwrap().text().await.unwrap()
    }

    pub async fn cancel(&self, run: &Run) -> u16 {
        let path = format!("/runs/{}/cancel?runId={}", run.thread, run.id);
        self.request("POST", &path, Some("ann"), None).await.status().as_u16()
    }

    pub async fn history(&self, run: &Run) -> Value {
        let path = format!("/history?threadId={}", run.thread);
        Value::parse(&self.request("GET", &path, Some("ann"), None).await.text().await.unwrap(), 16)
            .unwrap()
    }

    /// Returns the status, the value of `Retry-After`, and the events after a cursor.
    pub async fn events(&self, run: &Run, cursor: Option<&str>) -> (u16, String, String) {
        let response = self.request("GET", &run.events(), Some("ann"), cursor).await;
        let after =
            response.headers().get("retry-after").map(|value| value.to_str().unwrap().to_owned());
        (response.status().as_u16(), after.unwrap_or_default(), response.text().await.unwrap())
    }

    /// Returns the text of at least so many bytes of the events of a run, and leaves the
    /// connection.
    pub async fn begin(&self, run: &Run, bytes: usize) -> String {
        let mut response = self.request("GET", &run.events(), Some("ann"), None).await;
        let mut begun = Vec::new();
        while begun.len() < bytes {
            begun.extend(response.chunk().await.unwrap().unwrap());
        }
        String::from_utf8(begun).unwrap().lines().filter_map(delta).collect()
    }

    /// Follows a run to its end.
    pub async fn followed(&self, run: &Run) -> Followed {
        self.followed_with(run, None).await
    }

    /// Follows a run to its end; the first connection is cut after so many bytes.
    pub async fn followed_with(&self, run: &Run, mut cut: Option<usize>) -> Followed {
        let mut settings = FollowSettings::default();
        (settings.base_delay, settings.max_delay) = (1, 5);
        let mut follower = Follower::new(&run.id, None, settings);
        let (mut reader, mut stream) = (Reader::new(AgUi::default()), Vec::new());
        loop {
            match follower.next() {
                FollowStep::Connect { last_event_id, .. } => {
                    let cursor = last_event_id.map(str::to_owned);
                    let request = self.client.get(format!("{}{}", self.base, run.events()));
                    let request = request.header("authorization", "Bearer ann");
                    let request = cursor
                        .iter()
                        .fold(request, |request, id| request.header("last-event-id", id));
                    let mut left = cut.take().unwrap_or(usize::MAX);
                    if let Ok(mut response) = request.send().await {
                        follower.answered(response.status().as_u16(), "", 0);
                        while let Ok(Some(bytes)) = response.chunk().await {
                            let taken = &bytes[..left.min(bytes.len())];
                            follower.push(taken, &mut stream);
                            left -= taken.len();
                            if left == 0 {
                                break;
                            }
                        }
                    }
                    follower.closed();
                }
                FollowStep::Wait { .. } => {
                    tokio::time::sleep(Duration::from_millis(1)).await;
                    follower.waited();
                }
                _ => break,
            }
            reader.push(&std::mem::take(&mut stream));
        }
        reader.push(&stream);
        let outcome = reader.finish();
        Followed { snapshot: outcome.snapshot, report: outcome.report }
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.server.abort();
        if let Some(folder) = &self.folder {
            drop(std::fs::remove_dir_all(folder));
        }
    }
}
