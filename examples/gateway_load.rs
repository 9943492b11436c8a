//! Measures the gateway: memory and lost events with many concurrent streams, and its throughput;
//! or, with `stopped`, its memory with clients that have stopped reading answers without an end.
//! With `passed`, the answers are passed through; otherwise they are converted.
//!
//! ```text
//! cargo build --release --features gateway
//! cargo run --release --example gateway_load --features gateway -- target/release/agentwire 1000 [stopped] [passed]
//! ```

#![allow(clippy::print_stdout, reason = "a program that prints what it has measured")]

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes};
use futures_util::{StreamExt as _, stream};

/// Each stream has so many events, with a pause between them.
const EVENTS: usize = 100;
const PAUSE: Duration = Duration::from_millis(50);

/// The request of a client of AG-UI, and of Chat Completions; `TEXT` stands for the message.
const BODY: &str = r#"{"threadId":"t","runId":"r","messages":[{"id":"m","role":"user","content":"TEXT"}],
    "state":{},"tools":[],"context":[],"forwardedProps":{}}"#;
const PASSED: &str = r#"{"model":"m","stream":true,"messages":[{"role":"user","content":"TEXT"}]}"#;
const PASSED_PATH: &str = "/v1/chat/completions";
/// The messages for an answer that ends, and for one that does not.
const ENDING: &str = "Hi";
const ENDLESS: &str = "Go on and on";

#[tokio::main]
async fn main() -> ExitCode {
    let modes = ["stopped", "passed"];
    let [stopped, passed] = modes.map(|mode| std::env::args().any(|argument| argument == mode));
    let mut arguments = std::env::args().skip(1);
    let program = arguments.next().unwrap_or_else(|| "target/release/agentwire".to_owned());
    let streams = arguments.next().and_then(|number| number.parse().ok()).unwrap_or(1000);
    match measure(&program, streams, stopped, passed).await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn measure(
    program: &str,
    streams: usize,
    stopped: bool,
    passed: bool,
) -> Result<bool, Box<dyn std::error::Error>> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let upstream = format!("http://{}", listener.local_addr()?);
    tokio::spawn(async { axum::serve(listener, Router::new().fallback(answer)).await });
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--model", "m", "--upstream", &upstream];
    let mut gateway = Command::new(program).args(arguments).stderr(Stdio::piped()).spawn()?;
    let mut lines = BufReader::new(gateway.stderr.take().ok_or("no standard error")?).lines();
    let first = lines.next().ok_or("the gateway did not start")??;
    let url = first.rsplit(' ').next().unwrap_or_default().to_owned();
    let url = url + if passed { PASSED_PATH } else { "/ag-ui" };
    std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
    let result = if stopped {
        stop(&gateway, &url, streams).await
    } else {
        run(&gateway, &url, streams).await
    };
    gateway.kill()?;
    gateway.wait()?;
    result
}

async fn run(
    gateway: &Child,
    url: &str,
    streams: usize,
) -> Result<bool, Box<dyn std::error::Error>> {
    let client = reqwest::Client::new();
    ask(&client, url).await?; // what is allocated once
    let before = resident(gateway)?;
    let (started, cpu) = (Instant::now(), ticks(gateway)?);
    let asked = (0..streams).map(|_| {
        tokio::spawn({
            let (client, url) = (client.clone(), url.to_owned());
            async move { ask(&client, &url).await.map_err(|error| error.to_string()) }
        })
    });
    let asked: Vec<_> = asked.collect();
    let mut most = before;
    while !asked.iter().all(tokio::task::JoinHandle::is_finished) {
        most = most.max(resident(gateway)?);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let mut complete = 0;
    for stream in asked {
        complete += usize::from(stream.await? == Ok(EVENTS));
    }
    let (seconds, cpu) = (started.elapsed().as_secs_f64(), (ticks(gateway)? - cpu) as f64 / 100.0);
    let each = (most - before) / streams;
    println!("{complete} of {streams} streams complete, {EVENTS} pieces each, in {seconds:.1} s");
    println!("memory: {before} KB before, {most} KB at most, {each} KB for each stream");
    println!("CPU: {cpu:.2} s, {:.0} pieces per second of CPU", (streams * EVENTS) as f64 / cpu);
    Ok(complete == streams && each <= 64)
}

/// Reads the beginning of endless answers, and then nothing.
async fn stop(
    gateway: &Child,
    url: &str,
    streams: usize,
) -> Result<bool, Box<dyn std::error::Error>> {
    let client = reqwest::Client::new();
    ask(&client, url).await?; // what is allocated once
    let before = resident(gateway)?;
    let mut open = Vec::new();
    for _ in 0..streams {
        let mut response = send(&client, url, ENDLESS).await?;
        response.chunk().await?;
        open.push(response);
    }
    let mut held = before;
    loop {
        tokio::time::sleep(Duration::from_secs(2)).await;
        let now = resident(gateway)?;
        if now <= held {
            break;
        }
        held = now;
    }
    let each = (held - before) / streams;
    println!(
        "{streams} clients that do not read: {before} KB before, {held} KB, {each} KB for each"
    );
    Ok(each <= 64)
}

async fn send(
    client: &reqwest::Client,
    url: &str,
    text: &str,
) -> reqwest::Result<reqwest::Response> {
    let request = client.post(url).header("content-type", "application/json");
    let body = if url.ends_with(PASSED_PATH) { PASSED } else { BODY };
    request.body(body.replace("TEXT", text)).send().await
}

/// Asks, and returns the number of pieces of the answer.
async fn ask(client: &reqwest::Client, url: &str) -> reqwest::Result<usize> {
    let answer = send(client, url, ENDING).await?.text().await?;
    let piece = if url.ends_with(PASSED_PATH) { "some words" } else { "TEXT_MESSAGE_CONTENT" };
    let has_ended = answer.contains("RUN_FINISHED") || answer.contains("[DONE]");
    Ok(if has_ended { answer.matches(piece).count() } else { 0 })
}

/// The answer of the upstream.
async fn answer(body: String) -> ([(&'static str, &'static str); 1], Body) {
    let chunk = |delta: &str, finish: &str| {
        let choice = format!(r#"{{"index":0,"delta":{delta},"finish_reason":{finish}}}"#);
        format!(
            "data: {{\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"choices\":[{choice}]}}\n\n"
        )
    };
    let piece = Bytes::from(chunk(r#"{"content":"some words "}"#, "null"));
    let last = Bytes::from(chunk("{}", r#""stop""#) + "data: [DONE]\n\n");
    let events = [("content-type", "text/event-stream")];
    if body.contains(ENDLESS) {
        return (
            events,
            Body::from_stream(stream::repeat(Ok::<_, std::convert::Infallible>(piece))),
        );
    }
    let pieces = stream::iter(0..EVENTS).then(move |_| {
        let piece = piece.clone();
        async move {
            tokio::time::sleep(PAUSE).await;
            piece
        }
    });
    let all = pieces.chain(stream::iter([last])).map(Ok::<_, std::convert::Infallible>);
    (events, Body::from_stream(all))
}

/// Returns the resident memory of a process, in KB.
fn resident(process: &Child) -> Result<usize, Box<dyn std::error::Error>> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.id()))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no VmRSS")?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}

/// Returns the CPU time of a process, in hundredths of a second.
fn ticks(process: &Child) -> Result<u64, Box<dyn std::error::Error>> {
    let status = std::fs::read_to_string(format!("/proc/{}/stat", process.id()))?;
    let numbers: Vec<&str> = status.rsplit(") ").next().unwrap_or_default().split(' ').collect();
    Ok(numbers[11].parse::<u64>()? + numbers[12].parse::<u64>()?)
}
