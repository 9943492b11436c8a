//! The program as its users run it.

use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// The protocols, with the paths of their servers.
pub const SERVERS: &[(&str, &str)] = &[
    ("responses", "/v1"),
    ("chat", "/v1"),
    ("anthropic", ""),
    ("ag-ui", "/ag-ui"),
    ("a2a", "/a2a"),
    ("ai-sdk", "/api/chat"),
    ("agent-api", "/process"),
    ("ag-kit", "/send-message"),
];

/// Runs `agentwire probe`.
pub async fn probe(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agentwire"));
    command.arg("probe").args(arguments).stdin(Stdio::null()).env_remove("AGENTWIRE_PROBE_KEY");
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

/// Runs `agentwire probe` and returns what it prints as JSON, and its exit status.
pub async fn probed(arguments: &[&str]) -> (Value, i32) {
    let output = probe(&[arguments, &["--format", "json"]].concat()).await;
    let printed = String::from_utf8(output.stdout).unwrap();
    let value = serde_json::from_str(&printed)
        .unwrap_or_else(|_| panic!("{printed}{}", String::from_utf8_lossy(&output.stderr)));
    (value, output.status.code().unwrap())
}

/// Returns the results of the checks of a report, with their details.
pub fn results(report: &Value) -> Vec<(&str, &str, String)> {
    let checks = report["checks"].as_array().unwrap().iter();
    let result = |check: &'_ Value| check["details"].to_string();
    checks
        .map(|check| {
            (check["id"].as_str().unwrap(), check["result"].as_str().unwrap(), result(check))
        })
        .collect()
}

/// Returns the names of the checks of a protocol.
pub async fn checks(protocol: &str) -> Vec<String> {
    let (list, _) = probed(&["--protocol", protocol, "--list"]).await;
    list.as_array().unwrap().iter().map(|check| check["id"].as_str().unwrap().into()).collect()
}
