//! Requests as they are sent: templates, bodies, and where they go.

use agentwire::builder::{IdSource as _, RandomIds};
use agentwire::json::{Member, Value};
use reqwest::{Method, Url};

use super::check::{Contract, Fault};
use super::client::Request;
use super::evidence::Answers;

/// A request, and the conversation that it has.
pub struct Sent {
    pub request: Request,
    /// The request of the protocol before it was framed, if the response continues it.
    pub body: Value,
    /// The body as it was framed.
    pub framed: Value,
}

/// The server that is probed.
pub struct Target {
    pub url: Url,
    pub model: String,
}

impl Target {
    /// Returns the URL of a path below that of the user, whose query is kept.
    pub fn below(&self, path: &[&str]) -> Url {
        let mut url = self.url.clone();
        url.set_fragment(None);
        if !path.is_empty()
            && let Ok(mut segments) = url.path_segments_mut()
        {
            segments.pop_if_empty().extend(path);
        }
        url
    }

    /// Returns the URL of a path of the same origin.
    pub fn at_origin(&self, path: &str) -> Url {
        let mut url = self.url.clone();
        url.set_fragment(None);
        url.set_query(None);
        url.set_path(path);
        url
    }
}

/// The context of a new request.
pub struct Asking<'a> {
    pub contract: &'a Contract,
    pub target: &'a Target,
    pub answers: &'a Answers,
}

impl Asking<'_> {
    /// Returns a request of a method at a URL, without a body.
    pub fn bare(&self, method: Method, url: Url) -> Sent {
        let mut headers = self.contract.headers.to_vec();
        headers.push(("accept-encoding", "identity"));
        let request = Request { method, url, headers, body: None, is_cut: false, is_bearer: false };
        Sent { request, body: Value::Null, framed: Value::Null }
    }

    /// Returns a request with a text as its body, to the endpoint of the protocol.
    pub fn post(&self, body: String, content_type: &'static str) -> Sent {
        let mut sent = self.bare(Method::POST, self.target.below(self.contract.path));
        sent.request.headers.push(("content-type", content_type));
        sent.request.body = Some(body);
        sent
    }

    /// Returns a request of the protocol.
    pub fn ask(&self, body: Value, streamed: bool) -> Result<Sent, Fault> {
        if streamed {
            (self.contract.streams)(self.answers)?;
        }
        let framed = (self.contract.framed)(body.clone(), streamed);
        let mut sent = self.post(framed.to_json(), "application/json");
        let accept = if streamed { "text/event-stream" } else { "application/json" };
        sent.request.headers.push(("accept", accept));
        Ok(Sent { body, framed, ..sent })
    }

    /// Returns the first request of a new conversation.
    pub fn first(&self, text: &str) -> Value {
        self.filled(self.contract.question, text)
    }

    /// Returns the JSON of a template.
    pub fn filled(&self, template: &str, text: &str) -> Value {
        let mut value = Value::parse(template, 32).unwrap_or_default();
        fill(&mut value, self.target, text);
        value
    }
}

fn fill(value: &mut Value, target: &Target, text: &str) {
    match value {
        Value::String(string) => match string.as_str() {
            "$text" => *string = text.into(),
            "$model" => string.clone_from(&target.model),
            "$id" => *string = new_id(),
            _ => {}
        },
        Value::Array(items) => items.iter_mut().for_each(|item| fill(item, target, text)),
        Value::Object(members) => {
            for Member { value, .. } in members {
                fill(value, target, text);
            }
        }
        _ => {}
    }
}

/// Returns an id that no server has seen.
pub fn new_id() -> String {
    RandomIds.next_id("probe_")
}
