//! The names by which requests address the gateway. A page whose name was changed to resolve to a
//! loopback address (DNS rebinding) sends its own name in `Host`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

use agentwire::adapters::axum::HttpRefusal;
use axum::extract::{Request, State};
use axum::http::header::HOST;
use axum::middleware::Next;
use axum::response::Response;

use super::refused;

/// The names that are answered.
pub struct Hosts {
    /// Whether only these names are answered.
    is_checked: bool,
    /// Names other than those of the loopback interface, in lower case.
    names: Vec<String>,
}

impl Hosts {
    /// Creates the names for a server at an address, with further names.
    pub fn new(address: IpAddr, names: Vec<String>) -> Self {
        Hosts { is_checked: address.to_canonical().is_loopback() || !names.is_empty(), names }
    }

    /// Refuses a request with another name.
    pub async fn check(State(hosts): State<Arc<Self>>, request: Request, next: Next) -> Response {
        match hosts.refusal(&request) {
            Some(refusal) => refused(&refusal, request.uri().path()),
            None => next.run(request).await,
        }
    }

    fn refusal(&self, request: &Request) -> Option<HttpRefusal> {
        if !self.is_checked {
            return None;
        }
        let mut hosts = request.headers().get_all(HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else {
            return Some(HttpRefusal::new(400, "host_missing", "a request has exactly one `Host`"));
        };
        let host = host.to_str().unwrap_or_default();
        // The name in the target of a request, `GET http://name/ HTTP/1.1`, counts before that of
        // the header.
        let target = request.uri().authority().map(|authority| authority.as_str());
        let wrong = [Some(host), target].into_iter().flatten().find(|name| !self.allows(name))?;
        let wrong: String = wrong.chars().take(250).collect();
        let message =
            format!("requests for the host {wrong} are not answered; `--allow-host` adds a name");
        Some(HttpRefusal::new(403, "host_not_allowed", message))
    }

    /// Whether requests for this name are answered. A port may follow it.
    fn allows(&self, host: &str) -> bool {
        let (host, port) = match host.rfind(':').filter(|at| !host[*at..].contains(']')) {
            Some(at) => (&host[..at], &host[at + 1..]),
            None => (host, ""),
        };
        if !port.bytes().all(|byte| byte.is_ascii_digit()) {
            return false;
        }
        let host = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
        let literal = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        let address = match literal {
            Some(address) => address.parse::<Ipv6Addr>().map(IpAddr::V6),
            None => host.parse::<Ipv4Addr>().map(IpAddr::V4),
        };
        host == "localhost"
            || address.is_ok_and(|address| address.to_canonical().is_loopback())
            || self.names.contains(&host)
    }
}

/// Reads a name of `--allow-host`.
pub fn name(text: &str) -> Result<String, String> {
    let is_name = |byte: u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'[' | b']' | b':')
    };
    let name = text.strip_suffix('.').unwrap_or(text);
    let has_port = name.contains(':') && !name.starts_with('[');
    match !name.is_empty() && !has_port && name.bytes().all(is_name) {
        true => Ok(name.to_ascii_lowercase()),
        false => Err("a name without scheme, port and path, such as gateway.example.com".into()),
    }
}
