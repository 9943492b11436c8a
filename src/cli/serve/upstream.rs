//! The agent of the gateway: it calls the upstream and passes the answer on.

use std::env;
use std::sync::Arc;
use std::time::Duration;

use agentwire::agent_api::request::AgentRequest;
use agentwire::emit::{AnyError, ForwardError, Out};
use agentwire::hub::EndError;
use agentwire::model::{CallError, Model, call_model};

use super::Arguments;
use super::log::Entry;
use crate::input::Unreadable;

/// How often a comment shows that the connection is alive.
const BEAT: Duration = Duration::from_secs(15);
const CONNECT: Duration = Duration::from_secs(10);

/// The variable with the key of any upstream.
const KEY: &str = "AGENTWIRE_UPSTREAM_KEY";

pub struct Upstream {
    model: Model,
    name: Option<String>,
    allowed: Vec<String>,
    /// The key, which no error may contain.
    key: Option<String>,
}

impl Upstream {
    pub fn new(arguments: &Arguments) -> Result<Self, Unreadable> {
        let refused = |error: &dyn std::fmt::Display| Unreadable(error.to_string());
        let mut model =
            Model::new(arguments.upstream_protocol, &arguments.upstream).map_err(|e| refused(&e))?;
        if !arguments.upstream.starts_with("http://") && !arguments.upstream.starts_with("https://") {
            return Err(Unreadable("the URL of --upstream starts with http:// or https://".into()));
        }
        if model.key_variable().is_some() && arguments.model.is_none() {
            return Err(Unreadable("--model is required for the API of a model".into()));
        }
        let client = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECT)
            .read_timeout(Duration::from_secs(arguments.timeout))
            .build();
        model = model.client(client.map_err(|error| refused(&error))?);
        if let Some(name) = &arguments.model {
            model = model.name(name);
        }
        let key =
            [Some(KEY), model.key_variable()].into_iter().flatten().find_map(|name| env::var(name).ok());
        let key = key.filter(|key| !key.trim().is_empty());
        if let Some(key) = &key {
            model = model.key(key).map_err(|error| refused(&error))?;
        }
        let (name, allowed) = (arguments.model.clone(), arguments.allow_model.clone());
        Ok(Upstream { model, name, allowed, key: key.map(|key| key.trim().into()) })
    }

    /// Returns the name for the agent card.
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or("agent")
    }

    /// Returns the models that requests may name; the first one is the default.
    pub fn models(&self) -> impl Iterator<Item = &str> {
        self.name.iter().chain(&self.allowed).map(String::as_str)
    }

    /// Answers a request, until `ends` is ready.
    pub async fn answer(
        &self,
        request: AgentRequest,
        out: Out,
        entry: Arc<Entry>,
        ends: impl Future<Output = ()>,
    ) -> Result<(), AnyError> {
        let beats = async {
            loop {
                tokio::time::sleep(BEAT).await;
                out.heartbeat();
            }
        };
        let answered = tokio::select! {
            answered = self.forward(&request, &out, &entry) => answered,
            () = ends => Err(error("gateway_stopping", "the gateway stops")),
            () = beats => Ok(()),
        };
        if let Err(error) = answered {
            let code = error.code.unwrap_or_default();
            let message = match &self.key {
                Some(key) => error.message.replace(key, "***"),
                None => error.message,
            };
            entry.failed(&code);
            out.fail(&code, &message);
        }
        Ok(())
    }

    async fn forward(&self, request: &AgentRequest, out: &Out, entry: &Entry) -> Result<(), EndError> {
        let is_stored = |member: &agentwire::json::Member| member.key == "previous_response_id";
        if self.model.key_variable().is_some() && request.extra.iter().any(is_stored) {
            let why = "the gateway stores no responses: send the whole conversation instead of `previous_response_id`";
            return Err(error("unsupported", why));
        }
        let mut model = self.model.clone();
        if let Some(name) = request.model.as_ref().filter(|name| self.allowed.contains(name)) {
            model = model.name(name);
            entry.calls(name);
        } else if let Some(name) = &self.name {
            entry.calls(name);
        }
        let answer = match call_model(&model, request).await {
            Ok(answer) => answer,
            Err(error) => {
                error.status().into_iter().for_each(|status| entry.upstream(status));
                return Err(not_called(&error));
            }
        };
        entry.upstream(answer.bytes.status());
        match out.forward(answer).await {
            Ok(forwarded) => {
                out.end(forwarded.end);
                Ok(())
            }
            Err(ForwardError::Failed(mut failed)) => {
                failed.code.get_or_insert_with(|| "upstream_failed".into());
                Err(failed)
            }
            Err(ForwardError::Stream(_)) => {
                Err(error("upstream_cut_off", "the answer of the upstream broke off"))
            }
            Err(other) => Err(error("unsupported", &other.to_string())),
        }
    }
}

/// Returns the error for the client. The text of the upstream is passed on if it is about the request; other texts can
/// contain details of the account.
fn not_called(failed: &CallError) -> EndError {
    match failed {
        CallError::Http(http) => {
            let status = http.status.as_u16();
            let said = failed.message().filter(|_| matches!(status, 400 | 404 | 413 | 422));
            let said = said.map(|said| format!(": {said}")).unwrap_or_default();
            error(&format!("upstream_{status}"), &format!("the upstream answered {}{said}", http.status))
        }
        CallError::Network(network) if network.is_timeout() => {
            error("upstream_timeout", "the upstream does not answer in time")
        }
        CallError::Network(_) => error("upstream_unreachable", "the upstream cannot be reached"),
        other => error("unsupported", &other.to_string()),
    }
}

fn error(code: &str, message: &str) -> EndError {
    let mut error = EndError::default();
    error.code = Some(code.into());
    error.message = message.into();
    error
}
