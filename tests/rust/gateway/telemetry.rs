//! The reports of the gateway about requests: the log, metrics and traces.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agentwire::ProtocolKind;
use axum::body::Bytes;
use axum::http::HeaderMap;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value};
use opentelemetry_proto::tonic::trace::v1::{Span, span, status};
use prost::Message as _;

use crate::fake::{Answer, Fake};
use crate::program::{CLIENTS, Folder, Gateway, request, until};
use crate::{corpus, text_of};

const RESPONSES: (ProtocolKind, &str, &str) = CLIENTS[3];

/// An upstream that answers with the case that the user names, or with a status.
async fn upstream() -> Fake {
    Fake::start(|asked| match text_of(asked).parse() {
        Ok(status) => Answer::Status(status, r#"{"error":{"message":"no"}}"#.into()),
        Err(_) => Answer::Stream(corpus("chat", &text_of(asked))),
    })
    .await
}

/// Two upstreams of a model, of which the first one always refuses.
async fn gateway(
    name: &str,
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> (Gateway, Fake, Folder) {
    let (fake, busy) = (upstream().await, Fake::start(|_| Answer::Status(429, "{}".into())).await);
    let config = format!(
        r#"
[[upstreams]]
name = "busy"
url = "{}"
protocol = "chat"

[[upstreams]]
name = "idle"
url = "{}"
protocol = "chat"

[[models]]
name = "small"
upstreams = ["idle"]
price = {{ input = 1000, cached_input = 100, output = 10000 }}

[[models]]
name = "large-*"
upstreams = ["busy", {{ upstream = "idle", model = "huge" }}]
"#,
        busy.url, fake.url
    );
    let folder = Folder::new(name, &[("gateway.toml", &config)]);
    let config = folder.path("gateway.toml");
    let gateway = Gateway::run(&[&["--config", &config], arguments].concat(), variables).await;
    (gateway, fake, folder)
}

fn asks(model: &str) -> String {
    format!(r#"{{"model":"{model}","input":"TEXT","stream":true}}"#)
}

async fn ask(gateway: &Gateway, model: &str, text: &str) -> u16 {
    let body = asks(model);
    let response = request(&gateway.url, (RESPONSES.0, RESPONSES.1, &body), text).await;
    let status = response.status().as_u16();
    response.bytes().await.unwrap();
    status
}

#[tokio::test]
async fn the_log_has_tokens_cost_and_attempts() {
    let (gateway, ..) = gateway("log_of_requests", &[], &[]).await;
    assert_eq!(ask(&gateway, "small", "text_usage").await, 200);
    assert_eq!(ask(&gateway, "large-1", "text_usage").await, 200);
    assert_eq!(ask(&gateway, "unknown", "text").await, 404);
    let line = gateway.logged(0).await;
    let tokens = serde_json::json!({"input": 9, "cached_input": 0, "output": 4, "reasoning": 0});
    assert_eq!(line["tokens"], tokens, "{line}");
    assert_eq!(line["cost"], serde_json::json!(0.049), "{line}");
    assert_eq!((&line["model"], &line["requested_model"]), (&"small".into(), &"small".into()));
    assert_eq!((&line["user"], &line["trace"]), (&None::<&str>.into(), &None::<&str>.into()));
    assert!(line["first_byte_ms"].as_u64().unwrap() <= line["duration_ms"].as_u64().unwrap());
    let line = gateway.logged(1).await;
    let attempts: Vec<_> = line["attempts"].as_array().unwrap().iter().collect();
    let [first, second] = attempts[..] else { panic!("{line}") };
    assert_eq!(
        (&first["upstream"], &first["model"], &first["status"], &first["error"]),
        (&"busy".into(), &"large-1".into(), &429.into(), &"upstream_429".into())
    );
    assert_eq!(
        (&second["upstream"], &second["model"], &second["status"], &second["error"]),
        (&"idle".into(), &"huge".into(), &200.into(), &None::<&str>.into())
    );
    assert_eq!((&line["model"], &line["cost"]), (&"huge".into(), &None::<&str>.into()));
    let line = gateway.logged(2).await;
    assert_eq!(
        (&line["error"], &line["attempts"]),
        (&"model_not_found".into(), &serde_json::json!([]))
    );
}

/// Metrics, by their names and labels, as a strict reader of the text format has them.
struct Scraped(BTreeMap<(String, BTreeMap<String, String>), f64>);

impl Scraped {
    async fn at(url: &str, accept: &str) -> Self {
        let response =
            reqwest::Client::new().get(url).header("accept", accept).send().await.unwrap();
        let kind = response.headers()["content-type"].to_str().unwrap().to_owned();
        assert_eq!(response.status(), 200);
        let text = response.text().await.unwrap();
        let is_open = accept.contains("openmetrics");
        assert_eq!(
            kind.starts_with("application/openmetrics-text; version=1.0.0"),
            is_open,
            "{kind}"
        );
        assert_eq!(text.ends_with("\n# EOF\n"), is_open, "{text}");
        let mut values = BTreeMap::new();
        let mut types = BTreeMap::new();
        for line in text.lines().filter(|line| *line != "# EOF") {
            if let Some(comment) = line.strip_prefix("# ") {
                let words: Vec<_> = comment.splitn(3, ' ').collect();
                if words[0] == "TYPE" {
                    assert!(
                        types.insert(words[1].to_owned(), words[2].to_owned()).is_none(),
                        "{line}"
                    );
                }
                continue;
            }
            let (series, value) = line.rsplit_once(' ').unwrap();
            let (name, labels) = series.split_once('{').unwrap_or((series, "}"));
            assert!(
                name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'),
                "{line}"
            );
            let family = |name: &str| types.contains_key(name);
            let ends = ["", "_total", "_bucket", "_sum", "_count", "_info"];
            assert!(ends.iter().any(|end| name.strip_suffix(end).is_some_and(family)), "{line}");
            let labels = read_labels(labels);
            assert!(
                values.insert((name.to_owned(), labels), value.parse().unwrap()).is_none(),
                "{line}"
            );
        }
        Scraped(values)
    }

    /// Returns the sum of the series with these labels.
    fn sum(&self, name: &str, labels: &[(&str, &str)]) -> f64 {
        let has = |all: &BTreeMap<String, String>| {
            labels.iter().all(|(key, value)| all.get(*key).map_or("", String::as_str) == *value)
        };
        let series = self.0.iter().filter(|((known, all), _)| known == name && has(all));
        series.map(|(_, value)| value).sum()
    }
}

fn read_labels(text: &str) -> BTreeMap<String, String> {
    let (mut labels, mut rest) = (BTreeMap::new(), text);
    while let Some((name, after)) = rest.split_once("=\"") {
        let mut value = String::new();
        let mut chars = after.char_indices();
        let end = loop {
            match chars.next().unwrap() {
                (at, '"') => break at,
                (_, '\\') => value.push(chars.next().unwrap().1),
                (_, other) => value.push(other),
            }
        };
        labels.insert(name.trim_start_matches(',').to_owned(), value);
        rest = &after[end + 1..];
    }
    assert_eq!(rest, "}", "{text}");
    labels
}

#[tokio::test]
async fn metrics_count_requests_tokens_and_cost() {
    let (gateway, ..) = gateway("metrics_of_requests", &[], &[]).await;
    for text in ["text_usage", "text_usage", "500"] {
        ask(&gateway, "small", text).await;
    }
    ask(&gateway, "large-1", "text_usage").await;
    // Names that clients invent make no series.
    for at in 0..20 {
        ask(&gateway, &format!("large-{at}"), "text").await;
        ask(&gateway, &format!("invented-{at}"), "text").await;
        reqwest::get(format!("{}/invented/{at}", gateway.url)).await.unwrap();
    }
    gateway.logged(63).await;
    let url = format!("{}/metrics", gateway.url);
    for accept in ["*/*", "application/openmetrics-text; version=1.0.0,text/plain;q=0.5"] {
        let scraped = Scraped::at(&url, accept).await;
        let small = [("model", "small"), ("upstream", "idle"), ("protocol", "responses")];
        let of = |more: &[(&'static str, &'static str)]| [&small[..], more].concat();
        let requests = |labels: &[(&str, &str)]| scraped.sum("agentwire_requests_total", labels);
        assert_eq!(requests(&of(&[("status", "200"), ("error", "")])), 2.0);
        assert_eq!(requests(&of(&[("status", "500"), ("error", "upstream_500")])), 1.0);
        assert_eq!(requests(&[("model", "large-*"), ("status", "200")]), 21.0);
        assert_eq!(requests(&[("error", "model_not_found"), ("status", "404")]), 20.0);
        assert_eq!(requests(&[]), 64.0);
        let tokens =
            |r#type| scraped.sum("agentwire_tokens_total", &[("model", "small"), ("type", r#type)]);
        assert_eq!((tokens("input"), tokens("output"), tokens("reasoning")), (18.0, 8.0, 0.0));
        assert!((scraped.sum("agentwire_cost_total", &[]) - 0.098).abs() < 1e-9);
        assert_eq!(scraped.sum("agentwire_fallbacks_total", &[("upstream", "idle")]), 21.0);
        let attempts = |labels| scraped.sum("agentwire_upstream_requests_total", labels);
        assert_eq!(attempts(&[("upstream", "busy"), ("status", "429")]), 21.0);
        let operation = [("gen_ai_operation_name", "chat"), ("gen_ai_request_model", "small")];
        for name in
            ["gen_ai_server_request_duration_seconds", "gen_ai_server_time_to_first_token_seconds"]
        {
            let succeeded =
                [&operation[..], &[("error_type", ""), ("gen_ai_provider_name", "openai")]]
                    .concat();
            assert_eq!(scraped.sum(&format!("{name}_count"), &succeeded), 2.0, "{name}");
            let infinite = [&succeeded[..], &[("le", "+Inf")]].concat();
            assert_eq!(scraped.sum(&format!("{name}_bucket"), &infinite), 2.0, "{name}");
            assert!(scraped.sum(&format!("{name}_sum"), &succeeded) > 0.0);
        }
        assert_eq!(scraped.sum("agentwire_open_requests", &[]), 0.0);
        assert!(scraped.sum("agentwire_open_connections", &[]) >= 1.0);
        assert!(scraped.0.len() < 200, "{}", scraped.0.len());
    }
    let is_probe = |line: &String| line.contains("/metrics") || line.contains("/healthz");
    assert!(!gateway.log().iter().any(is_probe));
}

#[tokio::test]
async fn metrics_have_an_address_of_their_own() {
    let (gateway, ..) = gateway("metrics_address", &["--metrics-listen", "127.0.0.1:0"], &[]).await;
    let url = gateway.printed("agentwire: metrics on ").await;
    Scraped::at(&url, "*/*").await;
    let others = [format!("{}/metrics", gateway.url), url.replace("/metrics", "/v1/models")];
    let statuses = [reqwest::get(&others[0]).await, reqwest::get(&others[1]).await];
    assert_eq!(statuses.map(|response| response.unwrap().status().as_u16()), [403, 404]);
}

/// A collector of spans on the loopback interface.
#[derive(Clone, Default)]
struct Collector {
    received: Arc<Mutex<Vec<(HeaderMap, ExportTraceServiceRequest)>>>,
}

impl Collector {
    async fn start(&self) -> String {
        let (listener, received) =
            (tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap(), self.received.clone());
        let url = format!("http://{}", listener.local_addr().unwrap());
        let app = axum::Router::new().route(
            "/v1/traces",
            axum::routing::post(async move |headers: HeaderMap, body: Bytes| {
                let request = ExportTraceServiceRequest::decode(body).unwrap();
                received.lock().unwrap().push((headers, request));
            }),
        );
        tokio::spawn(async { axum::serve(listener, app).await });
        url
    }

    fn spans(&self) -> Vec<Span> {
        let received = self.received.lock().unwrap();
        let resources = received.iter().flat_map(|(_, request)| &request.resource_spans);
        resources.flat_map(|it| &it.scope_spans).flat_map(|it| it.spans.clone()).collect()
    }
}

fn attributes(all: &[KeyValue]) -> BTreeMap<&str, String> {
    let text = |it: &KeyValue| match it.value.as_ref().unwrap().value.as_ref().unwrap() {
        any_value::Value::StringValue(text) => text.clone(),
        any_value::Value::IntValue(number) => number.to_string(),
        any_value::Value::BoolValue(value) => value.to_string(),
        any_value::Value::DoubleValue(number) => number.to_string(),
        other => format!("{other:?}"),
    };
    all.iter().map(|it| (it.key.as_str(), text(it))).collect()
}

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "b7ad6b7169203331";

/// Sends a request that belongs to a trace.
async fn traced(gateway: &Gateway, model: &str, text: &str) -> u16 {
    let request = reqwest::Client::new().post(format!("{}/v1/responses", gateway.url));
    let request = request
        .header("content-type", "application/json")
        .header("traceparent", format!("00-{TRACE}-{PARENT}-01"))
        .header("tracestate", "vendor=1");
    let response = request.body(asks(model).replace("TEXT", text)).send().await.unwrap();
    let status = response.status().as_u16();
    response.bytes().await.unwrap();
    status
}

#[tokio::test]
async fn traces_continue_from_the_client_to_the_upstream() {
    let collector = Collector::default();
    let url = collector.start().await;
    let variables = [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", &*url),
        ("OTEL_EXPORTER_OTLP_HEADERS", "x-tenant=t1"),
        ("OTEL_SERVICE_NAME", "models"),
        // The spans are exported at the end of the program.
        ("OTEL_BSP_SCHEDULE_DELAY", "600000"),
    ];
    let (mut gateway, fake, _folder) = gateway("traces", &[], &variables).await;
    assert_eq!(traced(&gateway, "large-1", "text_usage").await, 200);
    assert_eq!(traced(&gateway, "small", "500").await, 500);
    assert_eq!(gateway.logged(0).await["trace"], TRACE);
    gateway.terminate();
    assert!(gateway.ended().await.success());

    let spans = collector.spans();
    let (headers, first) = collector.received.lock().unwrap()[0].clone();
    assert_eq!(headers["x-tenant"], "t1");
    let resource =
        attributes(&first.resource_spans[0].resource.as_ref().unwrap().attributes).clone();
    assert_eq!(resource["service.name"], "models");
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let of_trace: Vec<_> = spans.iter().filter(|span| hex(&span.trace_id) == TRACE).collect();
    let servers: Vec<_> =
        of_trace.iter().filter(|span| span.kind == span::SpanKind::Server as i32).collect();
    let [server, failed] = servers[..] else { panic!("{spans:?}") };
    assert_eq!((&*server.name, &*hex(&server.parent_span_id)), ("POST /v1/responses", PARENT));
    let shown = attributes(&server.attributes);
    assert_eq!(
        (&*shown["http.response.status_code"], &*shown["http.route"]),
        ("200", "/v1/responses")
    );
    let failure = failed.status.as_ref().unwrap();
    assert_eq!(failure.code, status::StatusCode::Error as i32);
    let clients: Vec<_> = of_trace
        .iter()
        .filter(|span| span.kind == span::SpanKind::Client as i32)
        .filter(|span| span.parent_span_id == server.span_id)
        .collect();
    let [busy, idle] = clients[..] else { panic!("{spans:?}") };
    assert_eq!((&*busy.name, &*idle.name), ("chat large-1", "chat huge"));
    assert!(busy.end_time_unix_nano <= idle.end_time_unix_nano);
    let (busy, answered) = (attributes(&busy.attributes), attributes(&idle.attributes));
    assert_eq!(
        (&*busy["error.type"], &*busy["http.response.status_code"]),
        ("upstream_429", "429")
    );
    for (name, value) in [
        ("gen_ai.operation.name", "chat"),
        ("gen_ai.provider.name", "openai"),
        ("gen_ai.request.model", "huge"),
        ("gen_ai.response.model", "fixture-model-1"),
        ("gen_ai.usage.input_tokens", "9"),
        ("gen_ai.usage.output_tokens", "4"),
        ("http.response.status_code", "200"),
        ("server.address", "127.0.0.1"),
    ] {
        assert_eq!(answered[name], value, "{name}");
    }
    // The upstream continues the span of its request.
    let asked = &fake.asked()[0];
    assert_eq!(asked.headers["traceparent"], format!("00-{TRACE}-{}-01", hex(&idle.span_id)));
    assert_eq!(asked.headers["tracestate"], "vendor=1");
    // No content.
    assert!(!format!("{spans:?}").contains("text_usage"), "{spans:?}");
}

#[tokio::test]
async fn a_collector_that_fails_delays_no_request_and_no_end() {
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    let variables = [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", &*url),
        ("OTEL_BSP_SCHEDULE_DELAY", "10"),
        ("OTEL_EXPORTER_OTLP_TIMEOUT", "500"),
    ];
    let (mut gateway, ..) = gateway("traces_lost", &[], &variables).await;
    for _ in 0..20 {
        assert_eq!(ask(&gateway, "small", "text").await, 200);
    }
    gateway.printed("agentwire: traces are not exported: ").await;
    gateway.terminate();
    let ended = tokio::time::timeout(Duration::from_secs(8), gateway.ended()).await;
    assert!(ended.unwrap().success());
    drop(silent);
}

/// Without a collector, the trace of the client still continues in the upstream.
#[tokio::test]
async fn traces_pass_a_gateway_without_a_collector() {
    let (gateway, fake, _folder) = gateway("traces_passed", &[], &[]).await;
    assert_eq!(traced(&gateway, "small", "text").await, 200);
    assert_eq!(fake.asked()[0].headers["traceparent"], format!("00-{TRACE}-{PARENT}-01"));
    assert_eq!(gateway.logged(0).await["trace"], TRACE);
    let url = format!("{}/v1/responses", gateway.url);
    let request = reqwest::Client::new().post(url).header("traceparent", "00-broken-01");
    let request = request.header("content-type", "application/json");
    request
        .body(asks("small").replace("TEXT", "text"))
        .send()
        .await
        .unwrap()
        .bytes()
        .await
        .unwrap();
    until(async || (fake.asked().len() == 2).then_some(())).await;
    assert!(gateway.logged(1).await["trace"].is_null());
}
