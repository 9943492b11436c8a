//! The HTTP client of the exporter.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use tokio::runtime::Handle;

/// How long a request may take, unless a variable of OpenTelemetry has another time.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The length of a response that is read.
const MOST: usize = 64 << 10;

/// Sends spans from the thread of their queue, by the runtime of the gateway.
#[derive(Debug)]
pub struct ExportClient {
    client: reqwest::Client,
    runtime: Handle,
    /// Whether the last request has failed, which is reported once.
    is_failing: AtomicBool,
}

impl ExportClient {
    /// Creates a client inside a runtime.
    pub fn new() -> reqwest::Result<Self> {
        let named = ["OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "OTEL_EXPORTER_OTLP_TIMEOUT"];
        let set = named.into_iter().find_map(|name| super::variable(name).parse().ok());
        let client = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .timeout(set.map_or(TIMEOUT, Duration::from_millis))
            .build()?;
        Ok(ExportClient { client, runtime: Handle::current(), is_failing: AtomicBool::new(false) })
    }

    /// Reports the first failure after a success, and the first success after a failure.
    fn report(&self, failure: Option<&str>) {
        let was_failing = self.is_failing.swap(failure.is_some(), Relaxed);
        match failure {
            Some(failure) if !was_failing => {
                eprintln!("agentwire: traces are not exported: {failure}");
            }
            None if was_failing => eprintln!("agentwire: traces are exported again"),
            _ => {}
        }
    }
}

impl HttpClient for ExportClient {
    fn send_bytes<'client, 'sent>(
        &'client self,
        request: Request<Bytes>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, HttpError>> + Send + 'sent>>
    where
        'client: 'sent,
        Self: 'sent,
    {
        Box::pin(async move {
            let sent = self.runtime.spawn(send(self.client.clone(), request));
            let response = sent.await.unwrap_or_else(|error| Err(error.into()));
            match &response {
                Ok(response) if response.status().is_success() => self.report(None),
                Ok(response) => {
                    self.report(Some(&format!("the collector answered {}", response.status())))
                }
                Err(error) => self.report(Some(&error.to_string())),
            }
            response
        })
    }
}

async fn send(
    client: reqwest::Client,
    request: Request<Bytes>,
) -> Result<Response<Bytes>, HttpError> {
    let mut response =
        client.execute(request.try_into()?).await.map_err(reqwest::Error::without_url)?;
    let mut answer = Response::new(Bytes::new());
    *answer.status_mut() = response.status();
    *answer.headers_mut() = response.headers().clone();
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        body.extend_from_slice(&chunk);
        if body.len() > MOST {
            return Err("the response of the collector is too long".into());
        }
    }
    *answer.body_mut() = body.into();
    Ok(answer)
}
