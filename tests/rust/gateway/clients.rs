//! Clients with keys of the gateway, and what each of them may do.

use agentwire::ProtocolKind;
use serde_json::Value;

use crate::fake::{Answer, Fake};
use crate::program::{CLIENTS, Folder, Gateway, KEY, until};
use crate::{AG_UI, corpus, endless, recorded};

const ANN: &str = "ann-0123456789abcdef";
const BOB: &str = "bob-0123456789abcdef";

/// Sends a request with headers. Returns the status, the headers and the body of the response.
async fn send(
    url: &str,
    (_, path, body): (ProtocolKind, &str, &str),
    headers: &[(&str, &str)],
) -> (u16, reqwest::header::HeaderMap, String) {
    let request = reqwest::Client::new().post(format!("{url}{path}"));
    let request = request.header("content-type", "application/json");
    let request =
        headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    let response = request.body(body.replace("TEXT", "text")).send().await.unwrap();
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    (status, headers, response.text().await.unwrap())
}

fn bearer(key: &str) -> String {
    format!("Bearer {key}")
}

/// Returns the status of a request of a client.
async fn asked(gateway: &Gateway, key: &str) -> u16 {
    send(&gateway.url, AG_UI, &[("authorization", &bearer(key))]).await.0
}

#[tokio::test]
async fn requests_need_a_key_in_one_of_its_headers() {
    let fake = recorded("chat").await;
    let folder = Folder::new(
        "keys_in_headers",
        &[("keys", &format!("# staff\n\nann {ANN}\n bob\t{BOB} \n"))],
    );
    let keys = folder.path("keys");
    let arguments = ["--upstream", &fake.url, "--model", "small", "--client-keys", &keys];
    let gateway = Gateway::run(&arguments, &[]).await;
    for (at, (name, value)) in [
        ("authorization", bearer(ANN)),
        ("authorization", format!("bearer  {ANN}")),
        ("x-api-key", ANN.into()),
        ("api-key", ANN.into()),
        ("x-goog-api-key", ANN.into()),
    ]
    .iter()
    .enumerate()
    {
        assert_eq!(send(&gateway.url, AG_UI, &[(name, value)]).await.0, 200, "{name}");
        assert_eq!(gateway.logged(at).await["user"], "ann", "{name}");
    }
    // Clients that have two keys send both.
    let both = [("authorization", "Bearer none"), ("x-api-key", BOB)];
    assert_eq!(send(&gateway.url, AG_UI, &both).await.0, 200);
    for asked in fake.asked() {
        assert_eq!(asked.headers["authorization"], bearer(KEY));
        let sent = format!("{:?}", asked.headers);
        assert!(!sent.contains(ANN) && !sent.contains(BOB), "{sent}");
    }
    let answered = fake.asked().len();
    for client in CLIENTS {
        for headers in [
            &[][..],
            &[("authorization", "Bearer ann")],
            &[("authorization", ANN)],
            &[("authorization", "Basic YW5uOmFubg==")],
            &[("x-api-key", "")],
            &[("x-api-key", &ANN[1..])],
        ] {
            let (status, sent, body) = send(&gateway.url, client, headers).await;
            assert_eq!(status, 401, "{client:?} {headers:?}");
            assert!(sent["www-authenticate"].to_str().unwrap().starts_with("Bearer"), "{sent:?}");
            let error: Value = serde_json::from_str(&body).unwrap();
            match client.0 {
                ProtocolKind::Responses => assert_eq!(error["error"]["code"], "invalid_api_key"),
                ProtocolKind::A2a => assert!(error["error"]["message"].is_string()),
                _ => assert_eq!(error["code"], "invalid_api_key"),
            }
        }
    }
    for path in ["/v1/models", "/v1/models/small", "/", "/metrics", "/a2a/tasks"] {
        let response = reqwest::get(format!("{}{path}", gateway.url)).await.unwrap();
        assert_eq!(response.status(), 401, "{path}");
    }
    for path in ["/healthz", "/.well-known/agent-card.json"] {
        let response = reqwest::get(format!("{}{path}", gateway.url)).await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
    }
    let card = card(&gateway).await;
    let scheme = &card["securitySchemes"]["bearer"];
    assert_eq!(scheme["httpAuthSecurityScheme"]["scheme"], "Bearer", "version 1.0: {card}");
    assert_eq!((&scheme["type"], &scheme["scheme"]), (&"http".into(), &"bearer".into()), "{card}");
    let required = serde_json::json!([{ "schemes": { "bearer": { "list": [] } } }]);
    assert_eq!(card["securityRequirements"], required, "version 1.0");
    assert_eq!(card["security"], serde_json::json!([{ "bearer": [] }]), "version 0.3");
    assert_eq!(fake.asked().len(), answered);
    let log = gateway.log().concat();
    assert!(!log.contains(ANN) && !log.contains(BOB), "{log}");
}

async fn card(gateway: &Gateway) -> Value {
    let url = format!("{}/.well-known/agent-card.json", gateway.url);
    serde_json::from_str(&reqwest::get(url).await.unwrap().text().await.unwrap()).unwrap()
}

#[tokio::test]
async fn the_card_of_a_gateway_without_keys_needs_none() {
    let gateway = Gateway::start("http://127.0.0.1:1/v1", &["--model", "small"]).await;
    let card = card(&gateway).await;
    for member in ["securitySchemes", "securityRequirements", "security"] {
        assert_eq!(card.get(member), None, "{card}");
    }
}

/// Keys of the command line and of a variable, and a key of which only the digest is stored.
#[tokio::test]
async fn keys_have_several_places() {
    let fake = recorded("chat").await;
    // printf %s digested-key | sha256sum
    let digest = "sha256:070dba558f5f4bd4d25f236d1299d5e5f3f0c47ed0ec5af5fca0509edd7b7782";
    let folder = Folder::new("keys_in_places", &[("keys", &format!("carl {digest}\n"))]);
    let keys = folder.path("keys");
    let arguments =
        ["--upstream", &fake.url, "--model", "small", "--client-key", ANN, "--client-keys", &keys];
    let gateway =
        Gateway::run(&arguments, &[("AGENTWIRE_CLIENT_KEYS", &format!("{BOB} third"))]).await;
    for (at, (key, user)) in
        [(ANN, "client-1"), (BOB, "client-2"), ("third", "client-3"), ("digested-key", "carl")]
            .iter()
            .enumerate()
    {
        assert_eq!(asked(&gateway, key).await, 200, "{key}");
        assert_eq!(gateway.logged(at).await["user"], *user);
    }
    assert_eq!(asked(&gateway, digest).await, 401);
}

#[tokio::test]
async fn the_file_of_keys_is_read_again_after_a_signal() {
    let fake = recorded("chat").await;
    let folder = Folder::new("keys_again", &[("keys", &format!("ann {ANN}\n"))]);
    let keys = folder.path("keys");
    let arguments = ["--upstream", &fake.url, "--model", "small", "--client-keys", &keys];
    let gateway = Gateway::run(&arguments, &[]).await;
    assert_eq!((asked(&gateway, ANN).await, asked(&gateway, BOB).await), (200, 401));
    folder.write("keys", &format!("ann {ANN} extra {BOB}\n"));
    gateway.signal("-HUP");
    let problem = gateway.printed("agentwire: the client keys stay as they are: ").await;
    assert!(problem.contains("keys:1: ") && !problem.contains(ANN), "{problem}");
    assert_eq!((asked(&gateway, ANN).await, asked(&gateway, BOB).await), (200, 401));
    // Both keys of a client count, while the old one is replaced.
    folder.write("keys", &format!("bob {BOB}\nbob {BOB}-2\n"));
    gateway.signal("-HUP");
    gateway.printed("agentwire: the gateway has 2 client keys").await;
    assert_eq!((asked(&gateway, ANN).await, asked(&gateway, BOB).await), (401, 200));
    assert_eq!(asked(&gateway, &format!("{BOB}-2")).await, 200);
}

/// A gateway with two clients.
async fn limited(
    name: &str,
    upstream: &str,
    clients: &str,
    arguments: &[&str],
) -> (Gateway, Folder) {
    let config = format!(
        r#"client_keys = "keys"
default_model = "small"

{clients}

[[upstreams]]
name = "fake"
url = "{upstream}"
protocol = "chat"

[[models]]
name = "small"
upstreams = ["fake"]

[[models]]
name = "large-*"
upstreams = ["fake"]
"#
    );
    let keys = format!("ann {ANN}\nbob {BOB}\n");
    let folder = Folder::new(name, &[("keys", &keys), ("gateway.toml", &config)]);
    let config = folder.path("gateway.toml");
    (Gateway::run(&[&["--config", &config], arguments].concat(), &[]).await, folder)
}

#[tokio::test]
async fn a_client_may_use_its_models_only() {
    let fake = recorded("chat").await;
    let clients = "[clients.ann]\nmodels = [\"large-*\"]";
    let (gateway, _folder) = limited("models_of_clients", &fake.url, clients, &[]).await;
    for (key, model, status) in [
        (ANN, "large-1", 200),
        (ANN, "small", 403),
        // It gets the default model, which is another one.
        (ANN, "unknown", 403),
        (BOB, "large-1", 200),
        (BOB, "small", 200),
    ] {
        for stream in [false, true] {
            let body = format!(r#"{{"model":"{model}","input":"TEXT","stream":{stream}}}"#);
            let client = (ProtocolKind::Responses, "/v1/responses", &*body);
            let (answered, _, body) = send(&gateway.url, client, &[("x-api-key", key)]).await;
            assert_eq!(answered, status, "{model} {body}");
            assert_eq!(body.contains("model_not_allowed"), status == 403, "{body}");
        }
    }
    assert_eq!(fake.asked().len(), 6);
}

#[tokio::test]
async fn the_list_of_models_has_those_of_the_client() {
    let clients =
        "[clients.ann]\nmodels = [\"large-*\", \"medium\"]\n[clients.bob]\nmodels = [\"small\"]";
    let (gateway, _folder) =
        limited("listed_for_clients", "http://127.0.0.1:1/v1", clients, &[]).await;
    let get = async |path: &str, key: &str| {
        let asked = reqwest::Client::new().get(format!("{}/v1/models{path}", gateway.url));
        let response = asked.bearer_auth(key).send().await.unwrap();
        let status = response.status().as_u16();
        (status, serde_json::from_str::<Value>(&response.text().await.unwrap()).unwrap())
    };
    for (key, listed) in [(ANN, &[][..]), (BOB, &["small"])] {
        for form in ["", "?limit=10", "?client_version=1"] {
            let (status, list) = get(form, key).await;
            let list = list.get("data").or(list.get("models")).unwrap().as_array().unwrap();
            let ids = list.iter().map(|model| model["id"].as_str().or(model["slug"].as_str()));
            assert_eq!(
                (status, ids.collect::<Vec<_>>()),
                (200, listed.iter().map(|id| Some(*id)).collect()),
                "{form}"
            );
        }
    }
    for (key, model, status) in
        [(ANN, "large-1", 200), (ANN, "small", 404), (BOB, "small", 200), (BOB, "large-1", 404)]
    {
        assert_eq!(get(&format!("/{model}"), key).await.0, status, "{model}");
    }
}

#[tokio::test]
async fn requests_in_a_minute_are_limited() {
    let fake = recorded("chat").await;
    let clients = "[clients.ann]\nrequests_per_minute = 2";
    let (gateway, _folder) = limited("requests_in_a_minute", &fake.url, clients, &[]).await;
    assert_eq!((asked(&gateway, ANN).await, asked(&gateway, ANN).await), (200, 200));
    for client in CLIENTS {
        let (status, headers, body) = send(&gateway.url, client, &[("x-api-key", ANN)]).await;
        assert_eq!(status, 429, "{body}");
        let seconds: u64 = headers["retry-after"].to_str().unwrap().parse().unwrap();
        assert!((1..=30).contains(&seconds), "{seconds}");
    }
    assert_eq!(asked(&gateway, BOB).await, 200);
    let line = gateway.logged(2).await;
    assert_eq!((&line["user"], &line["error"]), (&"ann".into(), &"rate_limit_exceeded".into()));
}

#[tokio::test]
async fn requests_at_once_are_limited() {
    let fake = endless(20).await;
    let clients = "[clients.bob]\nmax_requests = 2";
    let arguments = ["--max-requests-per-client", "1"];
    let (gateway, _folder) = limited("requests_at_once", &fake.url, clients, &arguments).await;
    let open = async |key: &str| {
        let request = reqwest::Client::new().post(format!("{}/ag-ui", gateway.url));
        let request = request.header("content-type", "application/json").header("x-api-key", key);
        request.body(AG_UI.2.to_owned()).send().await.unwrap()
    };
    let first = open(ANN).await;
    assert_eq!(first.status(), 200);
    let refused = open(ANN).await;
    assert_eq!(
        (refused.status().as_u16(), &refused.headers()["retry-after"]),
        (429, &"1".parse().unwrap())
    );
    assert!(refused.text().await.unwrap().contains("too_many_requests"));
    let both = [open(BOB).await, open(BOB).await];
    assert!(both.iter().all(|response| response.status() == 200));
    assert_eq!(open(BOB).await.status(), 429);
    // An answer that has ended has made place.
    drop(first);
    until(async || (open(ANN).await.status() == 200).then_some(())).await;
}

#[tokio::test]
async fn tasks_belong_to_their_caller() {
    let fake = Fake::start(|_| Answer::Stream(corpus("chat", "text"))).await;
    let (gateway, _folder) = limited("tasks_of_callers", &fake.url, "", &[]).await;
    let whole = CLIENTS[4].2.replace("SendStreamingMessage", "SendMessage");
    let client = (ProtocolKind::A2a, "/a2a", &*whole);
    let (_, _, answer) = send(&gateway.url, client, &[("x-api-key", ANN)]).await;
    let answer: Value = serde_json::from_str(&answer).unwrap();
    let task = answer["result"]["task"]["id"].as_str().unwrap().to_owned();
    let get = async |key: &str, path: &str| {
        let request = reqwest::Client::new().get(format!("{}/a2a/tasks{path}", gateway.url));
        let response = request.header("x-api-key", key).send().await.unwrap();
        (response.status().as_u16(), response.text().await.unwrap())
    };
    let one = format!("/{task}");
    assert_eq!(get(ANN, &one).await.0, 200);
    assert_eq!(get(BOB, &one).await.0, 404);
    let (status, list) = get(ANN, "").await;
    assert!(status == 200 && list.contains(&task), "{list}");
    let (status, list) = get(BOB, "").await;
    assert!(status == 200 && !list.contains(&task), "{list}");
}

#[tokio::test]
async fn a_message_that_continues_a_task_is_refused() {
    let fake = Fake::start(|_| Answer::Stream(corpus("chat", "text"))).await;
    let (gateway, _folder) = limited("continued_task", &fake.url, "", &[]).await;
    let whole = CLIENTS[4].2.replace("SendStreamingMessage", "SendMessage");
    let ask = async |body: &str| {
        let client = (ProtocolKind::A2a, "/a2a", body);
        let (_, _, answer) = send(&gateway.url, client, &[("x-api-key", ANN)]).await;
        serde_json::from_str::<Value>(&answer).unwrap()["result"]["task"].take()
    };
    let first = ask(&whole).await;
    assert_eq!(first["status"]["state"], "TASK_STATE_COMPLETED", "{first}");
    let context = format!(r#""message":{{"contextId":{},"#, first["contextId"]);
    let second = ask(&whole.replacen(r#""message":{"#, &context, 1)).await;
    assert_eq!(second["status"]["state"], "TASK_STATE_FAILED", "{second}");
    let text = second["status"]["message"]["parts"][0]["text"].as_str().unwrap();
    assert!(text.contains("does not store its earlier messages"), "{second}");
}
