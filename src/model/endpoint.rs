//! The endpoints of models and agents: one row for each protocol.

use std::string::String;
use std::vec::Vec;

use reqwest::Url;

use super::unary;
use crate::builder::{IdSource as _, RandomIds};
use crate::core::error::UsageError;
use crate::hub::Losses;
use crate::hub::request::{HubRequest as _, Request};
use crate::json::Value;
use crate::protocols::ProtocolKind;
use crate::protocols::a2a::request::SendMessageRequest;
use crate::protocols::ag_kit::request::SendMessageInput;
use crate::protocols::ag_ui::request::RunAgentInput;
use crate::protocols::agent_api::Style;
use crate::protocols::agent_api::request::AgentRequest;
use crate::protocols::ai_sdk::request::UiRequest;
use crate::protocols::anthropic::request::MessagesRequest;
use crate::protocols::chat::request::ChatRequest;
use crate::protocols::gemini::request::GenerateContentRequest;
use crate::protocols::responses::request::CreateResponse;

/// How a protocol is requested over HTTP.
pub(super) struct Endpoint {
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
    /// Converts a request to the body.
    pub body: fn(Request<'_>, &mut Losses) -> Result<String, UsageError>,
}

/// The place of the name of the model in a path.
const MODEL: &str = "{model}";

const BEARER: (&str, &str) = ("authorization", "Bearer ");
const OPENAI_KEY: Option<&str> = Some("OPENAI_API_KEY");

pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint {
        protocol: ProtocolKind::Chat,
        path: &["chat", "completions"],
        query: None,
        key: BEARER,
        variable: OPENAI_KEY,
        headers: &[],
        body: |request, losses| Ok(ChatRequest::from_hub(request, losses).to_json()),
    },
    Endpoint {
        protocol: ProtocolKind::Responses,
        path: &["responses"],
        query: None,
        key: BEARER,
        variable: OPENAI_KEY,
        headers: &[],
        body: |request, losses| Ok(CreateResponse::from_hub(request, losses).to_json()),
    },
    Endpoint {
        protocol: ProtocolKind::Anthropic,
        path: &["v1", "messages"],
        query: None,
        key: ("x-api-key", ""),
        variable: Some("ANTHROPIC_API_KEY"),
        headers: &[("anthropic-version", "2023-06-01")],
        body: |request, losses| Ok(MessagesRequest::from_hub(request, losses).to_json()),
    },
    Endpoint {
        protocol: ProtocolKind::Gemini,
        path: &["models", "{model}:streamGenerateContent"],
        query: Some(("alt", "sse")),
        key: ("x-goog-api-key", ""),
        variable: Some("GEMINI_API_KEY"),
        headers: &[],
        body: |request, losses| {
            // The model is part of the URL.
            let input =
                GenerateContentRequest { model: None, ..GenerateContentRequest::from_hub(request, losses) };
            Ok(input.to_json())
        },
    },
    Endpoint {
        protocol: ProtocolKind::AiSdk,
        path: &[],
        query: None,
        key: BEARER,
        variable: None,
        headers: &[],
        body: |request, losses| Ok(UiRequest::from_hub(request, losses).to_json()),
    },
    Endpoint {
        protocol: ProtocolKind::AgentApi,
        path: &[],
        query: None,
        key: BEARER,
        variable: None,
        headers: &[],
        body: |request, losses| Ok(AgentRequest::from_hub(request, losses).to_json(Style::Compact)),
    },
    Endpoint {
        protocol: ProtocolKind::AgUi,
        path: &[],
        query: None,
        key: BEARER,
        variable: None,
        headers: &[],
        body: |request, losses| {
            let mut input = RunAgentInput::from_hub(request, losses);
            for id in [&mut input.thread_id, &mut input.run_id] {
                if id.is_empty() {
                    *id = RandomIds.next_id("");
                }
            }
            input.to_json()
        },
    },
    Endpoint {
        protocol: ProtocolKind::AgKit,
        path: &[],
        query: None,
        key: BEARER,
        variable: None,
        headers: &[],
        body: |request, losses| {
            let mut input = SendMessageInput::from_hub(request, losses);
            input.messages.iter_mut().for_each(|message| message.identify(&mut RandomIds));
            input.to_json()
        },
    },
    Endpoint {
        protocol: ProtocolKind::A2a,
        path: &[],
        query: None,
        key: BEARER,
        variable: None,
        headers: &[("a2a-version", "1.0")],
        body: |request, losses| {
            let mut input = SendMessageRequest::from_hub(request, losses);
            // The id of a run of the client is not the id of a task of the server.
            input.message.task_id = None;
            input.message.identify(&mut RandomIds);
            Ok(unary::call(unary::STREAM, Value::from_raw(crate::json::Raw(&input.to_json()?))))
        },
    },
];

impl Endpoint {
    pub fn of(protocol: ProtocolKind) -> Option<&'static Endpoint> {
        ENDPOINTS.iter().find(|endpoint| endpoint.protocol == protocol)
    }

    /// Whether the name of the model is a part of the URL.
    pub fn names_model(&self) -> bool {
        self.path.iter().any(|segment| segment.contains(MODEL))
    }

    /// Returns the URL of a request. Its path is before the query of the base URL; a fragment is left out.
    pub fn url(&self, base: &Url, model: &str) -> Url {
        let mut url = base.clone();
        url.set_fragment(None);
        if let Ok(mut path) = url.path_segments_mut()
            && !self.path.is_empty()
        {
            path.pop_if_empty().extend(self.path.iter().map(|segment| segment.replace(MODEL, model)));
        }
        if let Some((name, value)) = self.query {
            let pairs = base.query().unwrap_or_default().split('&');
            let others = pairs.filter(|pair| !pair.is_empty() && pair.split('=').next() != Some(name));
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
