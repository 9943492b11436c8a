//! The names by which requests address the gateway.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::program::Gateway;

/// Sends the head of a request, and returns the status of the response.
pub async fn status(address: &str, head: &str) -> u16 {
    let mut connection = TcpStream::connect(address).await.unwrap();
    connection.write_all(format!("{head}\r\nConnection: close\r\n\r\n").as_bytes()).await.unwrap();
    let mut response = String::new();
    connection.read_to_string(&mut response).await.unwrap();
    response.split(' ').nth(1).unwrap_or_else(|| panic!("{head}: {response}")).parse().unwrap()
}

async fn gateway(arguments: &[&str]) -> (Gateway, String) {
    let gateway =
        Gateway::start("http://127.0.0.1:1/v1", &[&["--model", "m"], arguments].concat()).await;
    let address = gateway.url.strip_prefix("http://").unwrap().to_owned();
    (gateway, address)
}

#[tokio::test]
async fn other_hosts_are_refused_at_a_loopback_address() {
    let (_gateway, address) = gateway(&[]).await;
    for host in [
        "localhost",
        "LOCALHOST",
        "localhost.",
        "localhost:1",
        "localhost:",
        "127.0.0.1",
        "127.9.8.7:80",
        "[::1]",
        "[::1]:65535",
        "[0:0:0:0:0:0:0:1]",
        "[::ffff:127.0.0.1]",
    ] {
        for path in ["/healthz", "/v1/models"] {
            assert_eq!(
                status(&address, &format!("GET {path} HTTP/1.1\r\nHost: {host}")).await,
                200,
                "{host}"
            );
        }
    }
    for host in [
        "rebound.evil.example",
        "rebound.evil.example:8787",
        "localhost.evil.example",
        "evil.localhost",
        "localhost..",
        "127.0.0.1.evil.example",
        "127.0.0.1.nip.io",
        "0.0.0.0",
        "10.0.0.1",
        "127.1",
        "2130706433",
        "0x7f.0.0.1",
        "[::]",
        "[::2]",
        "::1",
        "[::1",
        "[::1]x",
        "localhost:x",
        "localhost:80:80",
        "user@localhost",
        "localhost@evil",
        "localhost/",
        "localhost, evil",
        "localhost evil",
        "é",
        ".",
    ] {
        for path in ["/healthz", "/v1/models", "/a2a/tasks", "/nowhere"] {
            let found = status(&address, &format!("GET {path} HTTP/1.1\r\nHost: {host}")).await;
            assert!(found == 403 || found == 400, "{host}: {found}");
        }
    }
    let body = r#"{"model":"m","input":"x"}"#;
    for host in ["evil.example", ""] {
        let head = format!(
            "POST /v1/responses HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json"
        );
        let head = format!("{head}\r\nContent-Length: {}", body.len());
        assert_eq!(status(&address, &head).await, 403);
    }
    for (head, expected) in [
        ("GET /healthz HTTP/1.1", 400),
        ("GET /healthz HTTP/1.0", 400),
        ("GET /healthz HTTP/1.0\r\nHost: localhost", 200),
        ("GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: localhost", 400),
        ("GET /healthz HTTP/1.1\r\nHost: localhost\r\nhOST: evil", 400),
        ("GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost", 403),
        ("GET http://localhost@evil.example/healthz HTTP/1.1\r\nHost: localhost", 403),
        ("GET http://localhost:1/healthz HTTP/1.1\r\nHost: localhost", 200),
        ("GET http://localhost/healthz HTTP/1.1\r\nHost: evil.example", 403),
        ("OPTIONS * HTTP/1.1\r\nHost: evil.example", 403),
        ("GET /healthz HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: localhost", 403),
    ] {
        assert_eq!(status(&address, head).await, expected, "{head}");
    }
}

#[tokio::test]
async fn further_hosts_are_allowed_by_an_option() {
    let (_gateway, address) =
        gateway(&["--allow-host", "Gateway.example.com.", "--allow-host", "[fd00::1]"]).await;
    for (host, expected) in [
        ("gateway.example.com", 200),
        ("GATEWAY.example.com.:443", 200),
        ("localhost", 200),
        ("[fd00::1]:80", 200),
        ("x.gateway.example.com", 403),
        ("[fd00::2]", 403),
    ] {
        assert_eq!(
            status(&address, &format!("GET /healthz HTTP/1.1\r\nHost: {host}")).await,
            expected,
            "{host}"
        );
    }
}
