//! The program as its users run it, and its clients.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agentwire::agent_api::AgentApi;
use agentwire::convert::{ConvertOptions, ConvertedOutcome, ConvertingReader};
use agentwire::{AnyReader, ProtocolKind, agent_api};
use serde_json::Value;

/// The key of the upstream in all tests.
pub const KEY: &str = "sk-secret-0123456789";

/// A gateway that is running. It ends with the test.
pub struct Gateway {
    pub url: String,
    child: Child,
    log: Arc<Mutex<Vec<String>>>,
}

impl Gateway {
    /// Starts a gateway in front of one upstream.
    pub async fn start(upstream: &str, arguments: &[&str]) -> Self {
        Self::run(&[&["--upstream", upstream], arguments].concat(), &[]).await
    }

    /// Starts a gateway with these environment variables beside that of the key of the upstream.
    pub async fn run(arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_agentwire"))
            .arg("serve")
            .args(if arguments.contains(&"--listen") {
                &[][..]
            } else {
                &["--listen", "127.0.0.1:0"]
            })
            .args(arguments)
            .env("AGENTWIRE_UPSTREAM_KEY", KEY)
            .envs(variables.iter().copied())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        let log = Arc::new(Mutex::new(Vec::new()));
        let lines = log.clone();
        std::thread::spawn(move || {
            stderr.lines().map_while(Result::ok).for_each(|line| lines.lock().unwrap().push(line));
        });
        let mut gateway = Gateway { url: String::new(), child, log };
        gateway.url = gateway.printed("agentwire: listening on ").await;
        gateway
    }

    /// Waits for a line that begins with this text, and returns the rest of it.
    pub async fn printed(&self, begin: &str) -> String {
        let rest = |line: &String| line.strip_prefix(begin).map(str::to_owned);
        until(async || self.log().iter().find_map(rest)).await
    }

    /// Returns the lines of standard error so far.
    pub fn log(&self) -> Vec<String> {
        self.log.lock().unwrap().clone()
    }

    /// Waits for the line about the request of this number, from 0.
    pub async fn logged(&self, at: usize) -> Value {
        let is_json = |line: &String| line.starts_with('{');
        let line = until(async || self.log().into_iter().filter(is_json).nth(at)).await;
        serde_json::from_str(&line).unwrap()
    }

    /// Returns the resident memory in bytes.
    #[cfg(target_os = "linux")]
    pub fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
    }

    pub fn terminate(&self) {
        self.signal("-TERM");
    }

    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([name, &self.child.id().to_string()]).status();
        assert!(sent.unwrap().success());
    }

    pub async fn ended(&mut self) -> ExitStatus {
        until(async || self.child.try_wait().unwrap()).await
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits until there is a value, for at most 20 seconds.
pub async fn until<T>(mut value: impl AsyncFnMut() -> Option<T>) -> T {
    for _ in 0..2000 {
        if let Some(value) = value().await {
            return value;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("nothing happened for 20 seconds");
}

/// The protocols of clients, with the paths and bodies of a request. The body contains `TEXT`.
pub const CLIENTS: [(ProtocolKind, &str, &str); 5] = [
    (
        ProtocolKind::AgUi,
        "/ag-ui",
        r#"{"threadId":"t","runId":"r","messages":[{"id":"m","role":"user","content":"TEXT"}],
            "state":{},"tools":[],"context":[],"forwardedProps":{}}"#,
    ),
    (
        ProtocolKind::AgentApi,
        "/process",
        r#"{"session_id":"s","user_id":"u","input":[{"role":"user","content":[{"type":"text","text":"TEXT"}]}]}"#,
    ),
    (
        ProtocolKind::AgKit,
        "/send-message",
        r#"{"conversationId":"c","messages":[{"role":"user","content":"TEXT"}]}"#,
    ),
    (ProtocolKind::Responses, "/v1/responses", r#"{"model":"other","input":"TEXT","stream":true}"#),
    (
        ProtocolKind::A2a,
        "/a2a",
        r#"{"jsonrpc":"2.0","id":1,"method":"SendStreamingMessage",
            "params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"TEXT"}]}}}"#,
    ),
];

/// Sends a request, whose text is `text`.
pub async fn request(
    url: &str,
    client: (ProtocolKind, &str, &str),
    text: &str,
) -> reqwest::Response {
    let (_, path, body) = client;
    let request = reqwest::Client::new()
        .post(format!("{url}{path}"))
        .header("content-type", "application/json");
    request.body(body.replace("TEXT", text)).send().await.unwrap()
}

/// Sends a request that succeeds.
pub async fn send(url: &str, client: (ProtocolKind, &str, &str), text: &str) -> reqwest::Response {
    let response = request(url, client, text).await;
    assert_eq!(response.status(), 200);
    response
}

/// Sends a request that is refused. Returns the status, the code and the message of the error, and
/// `Retry-After`.
pub async fn refused(
    url: &str,
    client: (ProtocolKind, &str, &str),
    text: &str,
) -> (u16, String, String, Option<String>) {
    let response = request(url, client, text).await;
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let body = response.text().await.unwrap();
    assert_eq!(headers["content-type"], "application/json", "{body}");
    let body: Value = serde_json::from_str(&body).unwrap();
    let error = if client.0 == ProtocolKind::Responses { &body["error"] } else { &body };
    let message =
        if client.0 == ProtocolKind::Responses { &error["message"] } else { &error["detail"] };
    let [code, message] = [&error["code"], message].map(|text| text.as_str().unwrap().to_owned());
    let after = headers.get("retry-after").map(|value| value.to_str().unwrap().to_owned());
    (status, code, message, after)
}

/// Sends a request and returns the body of its answer.
pub async fn ask(url: &str, client: (ProtocolKind, &str, &str), text: &str) -> String {
    send(url, client, text).await.text().await.unwrap()
}

/// Asserts that a stream is legal.
pub fn assert_legal(protocol: ProtocolKind, stream: &str) {
    let mut reader = AnyReader::with_options(protocol, Default::default());
    reader.push(stream.as_bytes());
    let report = reader.finish().report;
    assert_eq!(
        (report.end_reason.as_str(), &report.violations[..]),
        ("terminal", &[][..]),
        "{stream}"
    );
}

/// Reads a stream in the shape of the Agent API.
pub fn shown(protocol: ProtocolKind, stream: &[u8]) -> ConvertedOutcome<agent_api::Snapshot> {
    let mut reader =
        ConvertingReader::<AgentApi>::new(protocol, ConvertOptions::default()).unwrap();
    reader.push(stream);
    reader.finish()
}

/// The content of an answer: its status, the texts by the types of their messages, and its calls.
#[derive(Debug, PartialEq)]
pub struct Content {
    status: String,
    texts: Vec<(String, String)>,
    calls: Vec<(String, String)>,
}

impl Content {
    pub fn of(protocol: ProtocolKind, stream: &[u8]) -> Self {
        let snapshot = shown(protocol, stream).snapshot;
        let text =
            |message: &agent_api::Message| (message.r#type.as_str().to_owned(), message.text());
        let texts = snapshot
            .response
            .output
            .iter()
            .map(text)
            .filter(|(_, text)| !text.is_empty())
            .collect();
        let call = |call: &agent_api::ToolCall| {
            let arguments = snapshot.arguments(call).map(|arguments| arguments.raw.to_owned());
            (call.name.as_deref().unwrap_or_default().to_owned(), arguments.unwrap_or_default())
        };
        let calls = snapshot.tool_calls.iter().map(call).collect();
        Content { status: snapshot.response.status.as_str().to_owned(), texts, calls }
    }
}

/// A folder with files, which is removed at the end of a test.
pub struct Folder(PathBuf);

impl Folder {
    /// Creates a folder of this name, which no other test has, with files.
    pub fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        drop(std::fs::remove_dir_all(&path));
        std::fs::create_dir_all(&path).unwrap();
        let folder = Folder(path);
        files.iter().for_each(|(name, text)| folder.write(name, text));
        folder
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).unwrap();
    }

    pub fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}
