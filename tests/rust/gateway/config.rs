//! The configuration file, and `--check`.

use std::process::{Command, Output};

use crate::fake::{Answer, Fake};
use crate::program::{Folder, Gateway, KEY, ask};
use crate::{AG_UI, corpus};

/// Runs `agentwire serve --check` with a file, in another folder than that of the file.
fn check(folder: &Folder, arguments: &[&str], variables: &[(&str, &str)]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agentwire"));
    let config = folder.path("gateway.toml");
    command.args(["serve", "--check", "--config", &config]).args(arguments);
    for name in
        ["AGENTWIRE_UPSTREAM_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "AGENTWIRE_CLIENT_KEYS"]
    {
        command.env_remove(name);
    }
    let Output { status, stdout, stderr } =
        command.envs(variables.iter().copied()).output().unwrap();
    let [out, err] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (status.code().unwrap(), out, err)
}

const UPSTREAM: &str = "[[upstreams]]\nname = \"a\"\nurl = \"http://h/v1\"\nprotocol = \"chat\"\n";
const MODEL: &str = "[[models]]\nname = \"m\"\nupstreams = [\"a\"]\n";

/// Returns the schema of the file.
fn schema() -> serde_json::Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agentwire"));
    let Output { status, stdout, .. } =
        command.args(["serve", "--config-schema"]).output().unwrap();
    assert!(status.success());
    serde_json::from_slice(&stdout).unwrap()
}

#[test]
fn the_schema_of_the_file_is_printed() {
    let schema = schema();
    let text = schema.to_string();
    assert!(!text.contains("null"), "TOML has no null: {text}");
    assert_eq!(schema["additionalProperties"], false);
    assert_eq!(schema["properties"]["listen"]["type"], "string");
    let at = |name: &str| &schema["$defs"][name];
    let upstream = at("UpstreamConfig");
    assert_eq!(upstream["required"], serde_json::json!(["name", "url", "protocol"]));
    let names = upstream["properties"]["protocol"]["enum"].as_array().unwrap();
    assert!(names.contains(&"anthropic".into()), "{names:?}");
    assert_eq!(upstream["properties"]["timeout_seconds"]["minimum"], 1);
    assert!(upstream["properties"].get("has_usual_key").is_none());
    let target = &at("TargetConfig")["anyOf"];
    assert_eq!(target[0]["type"], "string");
    assert_eq!(at("TargetMembers")["required"], serde_json::json!(["upstream"]));
    for (name, described) in schema["properties"].as_object().unwrap() {
        assert!(described["description"].is_string(), "{name}");
    }
}

#[test]
fn a_wrong_file_is_refused_with_the_place_and_what_is_allowed() {
    let folder = Folder::new(
        "wrong_files",
        &[("empty.keys", "ann\n"), ("same.keys", "ann same\nbob same\n")],
    );
    let file = |text: &str| format!("{text}\n{UPSTREAM}{MODEL}");
    for (text, problems) in [
        (file("listen = \"nowhere\""), &["gateway.toml:1:10: listen: ", "socket address"][..]),
        (file("listen = "), &["gateway.toml:1:"]),
        (file("\nlisten_at = 1"), &["gateway.toml:2:1: listen_at: unknown field", "`listen`"]),
        (
            file("[limits]\nmax_bodybytes = 1"),
            &["gateway.toml:2:1: limits.max_bodybytes: ", "`max_body_bytes`"],
        ),
        (
            file("[limits]\nmax_body_bytes = 0"),
            &["gateway.toml:2:18: limits.max_body_bytes: ", "nonzero"],
        ),
        (file("[limits]\nhead_timeout_seconds = -1"), &["2:24: limits.head_timeout_seconds: "]),
        (
            file("[limits]\nhead_timeout_seconds = \"ten\""),
            &["2:24: limits.head_timeout_seconds: ", "expected"],
        ),
        (file("allow_hosts = [\"http://h\"]"), &["allow_hosts[0]: expected a name without scheme"]),
        (file("[clients.ann]\nrate = 1"), &["2:1: clients.ann.rate: ", "`requests_per_minute`"]),
        (file("[clients.\"ann smith\"]\nkey_variable = \"X\""), &["ann smith", "1 to 64"]),
        (
            file("[clients.ann]\nkey_variable = \"NO_SUCH_KEY\""),
            &["client ann", "NO_SUCH_KEY is not set"],
        ),
        (file("client_keys = \"same.keys\""), &["the clients ann and bob have the same key"]),
        (file("client_keys = \"missing.keys\""), &["cannot read", "wrong_files/missing.keys"]),
        (
            file("client_keys = \"empty.keys\""),
            &["empty.keys:1: a line is a name, a space and a key"],
        ),
        (file("default_model = \"other\""), &["default model other"]),
        (
            format!("{}{MODEL}", UPSTREAM.replace("\"chat\"", "\"dify\"")),
            &["4:12: upstreams[0].protocol: ", "anthropic"],
        ),
        (format!("{}{MODEL}", UPSTREAM.replace("http:", "ftp:")), &["the upstream a: ", "http"]),
        (
            format!("{UPSTREAM}key_variable = \"NO_SUCH_KEY\"\n{MODEL}"),
            &["the upstream a: ", "NO_SUCH_KEY is not set"],
        ),
        (
            format!("{UPSTREAM}key_file = \"missing.key\"\n{MODEL}"),
            &["cannot read", "wrong_files/missing.key"],
        ),
        (
            format!("{UPSTREAM}key_variable = \"A\"\nkey_file = \"B\"\n{MODEL}"),
            &["exclude each other"],
        ),
        (
            format!("{UPSTREAM}timeout_seconds = 0\n{MODEL}"),
            &["5:19: upstreams[0].timeout_seconds: ", "nonzero"],
        ),
        (format!("{UPSTREAM}{UPSTREAM}{MODEL}"), &["two upstreams have the name a"]),
        (format!("{UPSTREAM}{MODEL}{MODEL}"), &["there are two models m"]),
        (
            format!(
                "{UPSTREAM}{}{}",
                MODEL.replace("\"m\"", "\"m*\""),
                MODEL.replace("\"m\"", "\"m-*\"")
            ),
            &["the model m-* is never used: m* "],
        ),
        (
            format!("{UPSTREAM}{}", MODEL.replace("[\"a\"]", "[\"b\"]")),
            &["the model m has the upstream b"],
        ),
        (
            format!("{UPSTREAM}{}", MODEL.replace("[\"a\"]", "[3]")),
            &["models[0].upstreams", "name of an upstream"],
        ),
        (format!("{UPSTREAM}{}", MODEL.replace("[\"a\"]", "[]")), &["the model m has no upstream"]),
        (
            format!(
                "{UPSTREAM}{}",
                MODEL.replace("[\"a\"]", "[{ upstream = \"a\", modle = \"x\" }]")
            ),
            &["models[0].upstreams[0]", "modle", "`model`"],
        ),
        (
            format!("{UPSTREAM}{MODEL}price = {{ input = -1, output = 1 }}"),
            &["price.input: -1 is not a price"],
        ),
        (
            format!("{UPSTREAM}{MODEL}price = {{ input = 1, output = nan }}"),
            &["price.output", "not a price"],
        ),
        (format!("{UPSTREAM}{MODEL}price = {{ input = 1 }}"), &["models[0].price", "output"]),
        (MODEL.to_owned(), &["upstream"]),
        (String::new(), &["there is no upstream"]),
    ] {
        folder.write("gateway.toml", &text);
        let (code, out, err) = check(&folder, &[], &[]);
        assert!(code == 2 && out.is_empty(), "{text}: {code} {out}");
        for problem in problems {
            assert!(err.contains(problem), "{text}: {err}");
        }
    }
    folder.write("gateway.toml", &file(""));
    for (arguments, problem) in [
        (
            &["--upstream", "http://h", "--model", "m"][..],
            "cannot be used with a file that has upstreams",
        ),
        (&["--model", "m"], "--upstream"),
        (&["--client-keys", "missing"], "cannot read missing"),
    ] {
        let (code, _, err) = check(&folder, arguments, &[]);
        assert!(code == 2 && err.contains(problem), "{err}");
    }
    let variables =
        [("OTEL_EXPORTER_OTLP_ENDPOINT", "http://h"), ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")];
    let (code, _, err) = check(&folder, &[], &variables);
    assert!(code == 2 && err.contains("OTEL_EXPORTER_OTLP_PROTOCOL is grpc"), "{err}");
    // All problems at once.
    folder.write("gateway.toml", &file("default_model = \"x\"\nclient_keys = \"missing.keys\""));
    assert_eq!(check(&folder, &[], &variables).2.lines().count(), 3);
}

#[test]
fn the_example_of_the_guide_is_valid() {
    let guide = std::fs::read_to_string("docs/guides/gateway.md").unwrap();
    let example = guide.split("```toml config\n").nth(1).unwrap().split("```").next().unwrap();
    let folder = Folder::new("example", &[("gateway.toml", example)]);
    folder.write("clients.keys", "ann ann-0123456789abcdef\nbob bob-0123456789abcdef\n");
    let variables =
        [("OPENAI_API_KEY", KEY), ("ANTHROPIC_API_KEY", KEY), ("CI_KEY", "ci-0123456789abcdef")];
    let (code, out, err) = check(&folder, &[], &variables);
    assert_eq!((code, &*err), (0, ""), "{out}");
    // The guide shows what the command prints, apart from the limit on descriptors.
    let shown = guide.split("# agentwire serve --config gateway.toml --check\n").nth(1).unwrap();
    let shown = shown.split("```").next().unwrap();
    assert_eq!(out, shown);
    assert!(!out.contains(KEY) && !out.contains("0123456789"), "{out}");
}

#[test]
fn options_precede_the_file() {
    let text = format!(
        "listen = \"127.0.0.1:1111\"\n[limits]\nmax_headers = 50\nbody_timeout_seconds = 5\n{UPSTREAM}{MODEL}"
    );
    let folder = Folder::new("options", &[("gateway.toml", &text)]);
    let (code, out, _) =
        check(&folder, &["--listen", "127.0.0.1:2222", "--max-headers", "60"], &[]);
    assert!(
        code == 0 && out.contains("http://127.0.0.1:2222\n") && out.contains(" 60 headers"),
        "{out}"
    );
    assert!(out.contains(", 5s;") && out.contains("otherwise   requests are refused"), "{out}");
    // Settings that are possible, and probably not meant.
    let (code, out, _) = check(&folder, &["--listen", "0.0.0.0:1"], &[]);
    assert!(code == 0 && out.contains("warning     every program that can reach"), "{out}");
    folder.write(
        "gateway.toml",
        &format!("[clients.ann]\n{UPSTREAM}{}{MODEL}", UPSTREAM.replace("\"a\"", "\"b\"")),
    );
    let (code, out, _) = check(&folder, &[], &[]);
    assert!(
        code == 0
            && out.contains("the client ann has no key")
            && out.contains("no model has the upstream b"),
        "{out}"
    );
}

#[tokio::test]
async fn a_file_configures_the_gateway() {
    let fake = Fake::start(|_| Answer::Stream(corpus("chat", "text"))).await;
    let text = format!(
        "allow_hosts = [\"gateway.test\"]\ndefault_model = \"m\"\n{}key_file = \"upstream.key\"\n{MODEL}",
        UPSTREAM.replace("http://h/v1", &fake.url)
    );
    let folder =
        Folder::new("configured", &[("gateway.toml", &text), ("upstream.key", "of-a-file\n")]);
    let gateway = Gateway::run(&["--config", &folder.path("gateway.toml")], &[]).await;
    ask(&gateway.url, AG_UI, "text").await;
    let asked = &fake.asked()[0];
    assert_eq!(asked.headers["authorization"], "Bearer of-a-file");
    assert_eq!(asked.body["model"], "m");
    assert!(!gateway.log().concat().contains("warning"));
}

#[tokio::test]
async fn a_gateway_at_another_address_without_keys_warns() {
    let arguments =
        ["--upstream", "http://127.0.0.1:1/v1", "--model", "m", "--listen", "0.0.0.0:0"];
    let gateway = Gateway::run(&arguments, &[]).await;
    gateway.printed("agentwire: warning: every program that can reach the gateway").await;
    let url = gateway.url.replace("0.0.0.0", "127.0.0.1");
    let metrics = reqwest::get(format!("{url}/metrics")).await.unwrap();
    assert_eq!(metrics.status(), 403);
}
