//! The endpoints of models and agents: one row for each protocol.

use std::vec::Vec;

use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use crate::protocols::ProtocolKind;

/// How a protocol is requested over HTTP.
pub(super) struct HttpEndpoint {
    pub protocol: ProtocolKind,
    /// The segments of the path below the base URL. `{model}` is replaced by the name of the model.
    pub path: &'static [&'static str],
    /// A parameter of the query.
    pub query: Option<(&'static str, &'static str)>,
    /// The header with the key, and the text before the key.
    pub key: (&'static str, &'static str),
    /// The environment variable with the key; `None` for agents.
    pub variable: Option<&'static str>,
    /// Further headers.
    pub headers: &'static [(&'static str, &'static str)],
}

/// The place of the name of the model in a path.
const MODEL: &str = "{model}";

const BEARER: (&str, &str) = ("authorization", "Bearer ");
const OPENAI_KEY: Option<&str> = Some("OPENAI_API_KEY");

pub(super) const ENDPOINTS: &[HttpEndpoint] = &[
    HttpEndpoint {
        protocol: ProtocolKind::Chat,
        path: &["chat", "completions"],
        query: None,
        key: BEARER,
        variable: OPENAI_KEY,
        headers: &[],
    },
    HttpEndpoint {
        protocol: ProtocolKind::Responses,
        path: &["responses"],
        query: None,
        key: BEARER,
        variable: OPENAI_KEY,
        headers: &[],
    },
    HttpEndpoint {
        protocol: ProtocolKind::Anthropic,
        path: &["v1", "messages"],
        query: None,
        key: ("x-api-key", ""),
        variable: Some("ANTHROPIC_API_KEY"),
        headers: &[("anthropic-version", "2023-06-01")],
    },
    HttpEndpoint {
        protocol: ProtocolKind::Gemini,
        path: &["models", "{model}:streamGenerateContent"],
        query: Some(("alt", "sse")),
        key: ("x-goog-api-key", ""),
        variable: Some("GEMINI_API_KEY"),
        headers: &[],
    },
    HttpEndpoint {
        protocol: ProtocolKind::Interactions,
        path: &["interactions"],
        query: None,
        key: ("x-goog-api-key", ""),
        variable: Some("GEMINI_API_KEY"),
        headers: &[],
    },
    HttpEndpoint {
        protocol: ProtocolKind::AiSdk,
        path: &[],
        query: None,
        key: BEARER,
        variable: None,
        headers: &[],
    },
    HttpEndpoint {
        protocol: ProtocolKind::AgentApi,
        path: &[],
        query: None,
        key: BEARER,
        variable: None,
        headers: &[],
    },
    HttpEndpoint {
        protocol: ProtocolKind::AgentScope,
        path: &[],
        query: None,
        key: BEARER,
        variable: None,
        headers: &[],
    },
    HttpEndpoint {
        protocol: ProtocolKind::AgUi,
        path: &[],
        query: None,
        key: BEARER,
        variable: None,
        headers: &[],
    },
    HttpEndpoint {
        protocol: ProtocolKind::AgKit,
        path: &[],
        query: None,
        key: BEARER,
        variable: None,
        headers: &[],
    },
    HttpEndpoint {
        protocol: ProtocolKind::A2a,
        path: &[],
        query: None,
        key: BEARER,
        variable: None,
        headers: &[("a2a-version", "1.0")],
    },
];

impl HttpEndpoint {
    pub fn of(protocol: ProtocolKind) -> Option<&'static HttpEndpoint> {
        ENDPOINTS.iter().find(|endpoint| endpoint.protocol == protocol)
    }

    /// Returns the headers of a request.
    pub fn usual_headers(&self) -> HeaderMap {
        let usual = [("content-type", "application/json"), ("accept", "text/event-stream")];
        let headers = usual.iter().chain(self.headers);
        let value = |value: &'static str| HeaderValue::from_static(value);
        headers.map(|(name, text)| (HeaderName::from_static(name), value(text))).collect()
    }

    /// Whether the name of the model is a part of the URL.
    pub fn names_model(&self) -> bool {
        self.path.iter().any(|segment| segment.contains(MODEL))
    }

    /// Returns the URL of a request. Its path is before the query of the base URL; a fragment is
    /// left out.
    pub fn url(&self, base: &Url, model: &str) -> Url {
        let mut url = base.clone();
        url.set_fragment(None);
        if let Ok(mut path) = url.path_segments_mut()
            && !self.path.is_empty()
        {
            path.pop_if_empty()
                .extend(self.path.iter().map(|segment| segment.replace(MODEL, model)));
        }
        if let Some((name, value)) = self.query {
            let pairs = base.query().unwrap_or_default().split('&');
            let others =
                pairs.filter(|pair| !pair.is_empty() && pair.split('=').next() != Some(name));
            let own = [name, "=", value].concat();
            url.set_query(Some(&others.chain([&*own]).collect::<Vec<_>>().join("&")));
        }
        url
    }

    /// Whether it is the API of a model, which receives the whole conversation with each request.
    pub fn is_model(&self) -> bool {
        self.variable.is_some()
    }
}
