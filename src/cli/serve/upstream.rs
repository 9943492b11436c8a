//! An upstream: how the requests for one are sent.

mod client;
mod error;
mod headers;
mod kind;

use std::env;

use agentwire::ProtocolKind;
use agentwire::model::Model;
use reqwest::header::{HeaderName, HeaderValue};

use super::routes::{Target, UpstreamConfig};
use crate::input::Unreadable;
use client::with_client;
pub use error::UpstreamError;
pub use headers::{of_request, of_response, query_of};
pub use kind::ReportedError;

/// The variable with the key of any upstream.
const KEY: &str = "AGENTWIRE_UPSTREAM_KEY";

/// An upstream, with its connections.
pub struct Upstream {
    name: String,
    model: Model,
    /// The key, which no error may contain.
    key: Option<String>,
}

impl Upstream {
    /// Creates an upstream. Nothing is sent.
    pub fn new(config: &UpstreamConfig, strict: bool) -> Result<Self, Unreadable> {
        let of = |problem: &str| Unreadable(format!("the upstream {}: {problem}", config.name));
        let model = Model::new(config.protocol, &config.url);
        let mut model =
            model.map_err(|error| of(&format!("{}: {}", error.problem, error.instead)))?;
        for (name, value) in &config.headers {
            let header = HeaderName::try_from(name).ok().zip(HeaderValue::from_str(value).ok());
            let (name, value) = header.ok_or_else(|| of(&format!("{name} is not a header")))?;
            model = model.header(name, value);
        }
        let key = match &config.key_variable {
            Some(name) => Some(env::var(name).map_err(|_| of(&format!("{name} is not set")))?),
            None => [Some(KEY), model.key_variable()]
                .into_iter()
                .flatten()
                .find_map(|name| env::var(name).ok()),
        };
        let key = key.map(|key| key.trim().to_owned()).filter(|key| !key.is_empty());
        if let Some(key) = &key {
            model = match &config.key_header {
                None => model.key(key).map_err(|error| of(&error.to_string()))?,
                Some(name) => {
                    let value = HeaderValue::from_str(key).ok().map(|mut value| {
                        value.set_sensitive(true);
                        value
                    });
                    let header = HeaderName::try_from(name).ok().zip(value);
                    let (name, value) =
                        header.ok_or_else(|| of("the key or its header is not valid"))?;
                    model.header(name, value)
                }
            };
        }
        let model = with_client(model.strict(strict), config);
        let model = model.map_err(|error| of(&error.to_string()))?;
        Ok(Upstream { name: config.name.clone(), model, key })
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the protocol.
    pub fn protocol(&self) -> ProtocolKind {
        self.model.protocol()
    }

    /// Whether it is the API of a model, which receives the whole conversation with each request.
    pub fn is_model(&self) -> bool {
        Model::is_of(self.protocol())
    }

    /// Removes the key from a text.
    pub fn without_key(&self, text: &str) -> String {
        match &self.key {
            Some(key) => text.replace(key, "***"),
            None => text.into(),
        }
    }
}

impl Target<'_> {
    /// Returns the model that is called.
    pub fn called(&self) -> Model {
        let model = self.upstream.model.clone();
        match &self.model {
            Some(name) => model.name(name),
            None => model,
        }
    }
}
