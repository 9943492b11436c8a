//! The paths of the service, and the responses at each.

use std::boxed::Box;
use std::vec::Vec;

use axum_core::extract::Request;
use axum_core::response::Response;
use http::{HeaderValue, Method};

use super::super::{HttpRefusal, JSON, answer};
use super::AgentService;
use super::answers::marked;
use super::context::{RequestId, RequestUser};
use crate::emit::{ModelList, ModelListForm, ModelListPath};
use crate::protocols::ProtocolKind;
use crate::protocols::a2a::card::CARD_PATHS;
use crate::protocols::ag_kit::request::SendMessageInput;
use crate::protocols::ag_ui::request::RunAgentInput;
use crate::protocols::agent_api::request::AgentRequest;
use crate::protocols::ai_sdk::request::UiRequest;
use crate::protocols::chat::request::ChatRequest;

/// The paths of the protocols.
const PATHS: &[(ProtocolKind, &str)] = &[
    (ProtocolKind::AgentApi, "/process"),
    (ProtocolKind::AgentScope, "/chat/"),
    (ProtocolKind::AgKit, "/send-message"),
    (ProtocolKind::AgUi, "/ag-ui"),
    (ProtocolKind::Responses, "/v1/responses"),
    (ProtocolKind::Chat, "/v1/chat/completions"),
    (ProtocolKind::Chat, "/chat/completions"),
    (ProtocolKind::Anthropic, "/v1/messages"),
    (ProtocolKind::Anthropic, COUNT_TOKENS_PATH),
    (ProtocolKind::AiSdk, "/api/chat"),
    (ProtocolKind::A2a, A2A_PATH),
];

/// The protocols whose clients ask for a list of models.
const MODEL_APIS: [ProtocolKind; 3] =
    [ProtocolKind::Responses, ProtocolKind::Chat, ProtocolKind::Anthropic];

/// The path at which Anthropic Messages counts the tokens of a request.
pub(super) const COUNT_TOKENS_PATH: &str = "/v1/messages/count_tokens";

/// The path of JSON-RPC. Those of REST are below it.
const A2A_PATH: &str = "/a2a";

impl AgentService {
    /// Returns the protocol that is served at this path.
    pub fn protocol_of(path: &str) -> Option<ProtocolKind> {
        let is_below = path.strip_prefix(A2A_PATH).is_some_and(|below| below.starts_with('/'));
        let path = if is_below { A2A_PATH } else { path };
        PATHS.iter().find(|(_, known)| *known == path).map(|(kind, _)| *kind)
    }

    /// Returns the paths of the protocols that are served.
    fn paths(&self) -> Vec<&'static str> {
        let served = PATHS.iter().filter(|(kind, _)| self.0.protocols.contains(kind));
        served.map(|(_, path)| *path).collect()
    }

    /// Responds to a request.
    pub async fn respond(&self, mut request: Request) -> Response {
        #[cfg(feature = "runs-server")]
        if let Some(stored) = self.stored() {
            request = match stored.run(request).await {
                Ok(response) => return response,
                Err(other) => other,
            };
        }
        let RequestId(id) = RequestId::give(&mut request);
        let mut response = match self.identified(request).await {
            Ok(request) => self.kept(request).await,
            Err(refused) => *refused,
        };
        if let Ok(id) = HeaderValue::from_str(&id) {
            response.headers_mut().insert(RequestId::HEADER, id);
        }
        response
    }

    /// Finds out the user of a request.
    ///
    /// # Errors
    ///
    /// The response to a request without a user, if there must be one.
    async fn identified(&self, mut request: Request) -> Result<Request, Box<Response>> {
        let path = request.uri().path();
        let is_public = CARD_PATHS.contains(&path) || request.method() == Method::OPTIONS;
        let kind = Self::protocol_of(path).unwrap_or(ProtocolKind::AgentApi);
        let user = match &self.0.authenticate {
            Some(_) if !is_public => {
                let (head, body) = request.into_parts();
                let user = self.user_of(&head).await;
                request = Request::from_parts(head, body);
                let refused = match user {
                    Ok(Some(user)) => Ok(Some(user)),
                    Ok(None) => Err(HttpRefusal::new(
                        401,
                        "AUTH_UNAUTHORIZED",
                        "the request has no user: it needs a valid token",
                    )),
                    Err(error) => {
                        self.report(&*error);
                        Err(HttpRefusal::new(500, "internal_error", "something went wrong"))
                    }
                };
                refused.map_err(|refusal| {
                    let mut response = refusal.response(kind);
                    if refusal.status == 401 {
                        let scheme = HeaderValue::from_static("Bearer");
                        response.headers_mut().insert("www-authenticate", scheme);
                    }
                    Box::new(response)
                })?
            }
            _ => self.0.user.as_ref().and_then(|user| user(&request)),
        };
        request.extensions_mut().insert(RequestUser(user));
        Ok(request)
    }

    /// Responds to a request whose user is known.
    async fn kept(&self, request: Request) -> Response {
        // The messages of a socket are answered with the store, too.
        #[cfg(feature = "axum-ws")]
        if super::super::Sockets::are_asked(&request)
            && Self::protocol_of(request.uri().path()) == Some(ProtocolKind::Responses)
            && self.serves(ProtocolKind::Responses)
        {
            return self.0.sockets.respond(request, self.clone());
        }
        #[cfg(feature = "store")]
        if let Some(stored) = self.stored() {
            return stored.respond(request).await;
        }
        self.routed(request).await
    }

    /// Returns whether a protocol is served.
    pub(in super::super) fn serves(&self, kind: ProtocolKind) -> bool {
        self.0.protocols.contains(&kind)
    }

    /// Responds to a request without the store.
    pub(in super::super) async fn routed(&self, request: Request) -> Response {
        let path = request.uri().path();
        let serves = |kind| self.serves(kind);
        if serves(ProtocolKind::A2a) {
            if CARD_PATHS.contains(&path) {
                return match *request.method() {
                    Method::GET => self.card_of(&request),
                    _ => other_method(ProtocolKind::A2a, "GET"),
                };
            }
            if Self::protocol_of(path) == Some(ProtocolKind::A2a) {
                return self.0.tasks.respond(self, request).await;
            }
        }
        // Clients of Anthropic Messages ask so whether the server is there.
        if path == "/" && request.method() == Method::HEAD && serves(ProtocolKind::Anthropic) {
            return Response::default();
        }
        if let Some(asked) = ModelListPath::of(path).filter(|_| MODEL_APIS.into_iter().any(&serves))
        {
            return self.models_of(&asked, &request);
        }
        let Some(kind) =
            Self::protocol_of(path).filter(|kind| *kind != ProtocolKind::A2a && serves(*kind))
        else {
            return self.not_found(path);
        };
        if request.method() != Method::POST {
            return other_method(kind, "POST");
        }
        let responded = match kind {
            ProtocolKind::AgKit => self.converted::<SendMessageInput>(kind, request).await,
            ProtocolKind::AgentScope => self.agentscope(request).await,
            ProtocolKind::AgUi => self.converted::<RunAgentInput>(kind, request).await,
            ProtocolKind::AiSdk => self.converted::<UiRequest>(kind, request).await.map(marked),
            ProtocolKind::Responses => self.responses(request).await,
            ProtocolKind::Chat => self.model_api::<ChatRequest>(kind, request, None).await,
            ProtocolKind::Anthropic => self.messages(request).await,
            _ => self.converted::<AgentRequest>(kind, request).await,
        };
        responded.unwrap_or_else(|rejection| rejection)
    }

    /// Responds to a request for the list of models, or for one of them.
    fn models_of(&self, asked: &ModelListPath, request: &Request) -> Response {
        let query = request.uri().query().unwrap_or_default();
        let has_version = request.headers().contains_key("anthropic-version");
        let form = ModelListForm::of(query, has_version);
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            let kind = match form {
                ModelListForm::Anthropic => ProtocolKind::Anthropic,
                _ => ProtocolKind::Chat,
            };
            return other_method(kind, "GET");
        }
        let named;
        let models = match &self.0.models {
            Some(models) => models,
            None => {
                named = ModelList::new([&*self.0.card.name]);
                &named
            }
        };
        let may_use =
            |id: &str| self.0.may_use_model.as_ref().is_none_or(|may_use| may_use(request, id));
        let has = |id: &str| may_use(id) && self.0.has_model.as_ref().is_some_and(|has| has(id));
        let permitted;
        let models = match self.0.may_use_model {
            Some(_) => {
                permitted = models.only(may_use);
                &permitted
            }
            None => models,
        };
        let (status, json) = models.answer(asked, query, form, &has);
        answer(status, JSON, json)
    }

    /// Responds to a request for another path, in the form of the protocol that is served above it.
    fn not_found(&self, path: &str) -> Response {
        let served = PATHS.iter().filter(|(kind, _)| self.0.protocols.contains(kind));
        let is_above =
            |above: &str| path.strip_prefix(above).is_some_and(|below| below.starts_with('/'));
        let kind = served.map(|(kind, above)| (*kind, *above)).find(|(_, above)| is_above(above));
        let detail =
            ["there is nothing here; protocols are at ", &self.paths().join(", ")].concat();
        let kind = kind.map_or(ProtocolKind::AgentApi, |(kind, _)| kind);
        HttpRefusal::new(404, "not_found", detail).response(kind)
    }

    fn card_of(&self, request: &Request) -> Response {
        let mut card = self.0.card.clone();
        if card.url.is_empty() {
            let host = request.headers().get("host").and_then(|host| host.to_str().ok());
            card.url = ["http://", host.unwrap_or("localhost"), A2A_PATH].concat();
        }
        answer(200, JSON, card.to_json())
    }
}

fn other_method(kind: ProtocolKind, allowed: &'static str) -> Response {
    let message = ["this path takes ", allowed].concat();
    let mut response = HttpRefusal::new(405, "method_not_allowed", message).response(kind);
    response.headers_mut().insert("allow", HeaderValue::from_static(allowed));
    response
}
