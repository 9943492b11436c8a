//! An upstream: how the requests for one are sent.

mod client;
mod error;
mod headers;
mod kind;

use std::{env, fs};

use agentwire::ProtocolKind;
use agentwire::model::Model;
use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use super::routes::{Target, UpstreamConfig};
use crate::input::Unreadable;
use client::with_client;
pub use error::UpstreamError;
pub use headers::{of_request, of_response, query_of};
pub use kind::ReportedError;

/// The variable with the key of each upstream that has none of its own.
const KEY: &str = "AGENTWIRE_UPSTREAM_KEY";

/// An upstream, with its connections.
pub struct Upstream {
    name: String,
    model: Model,
    host: String,
    port: u16,
    /// The key, which no error may contain.
    key: Option<String>,
    key_source: Option<String>,
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
        let key = key_of(config, &model).map_err(|problem| of(&problem))?;
        let (key, key_source) = key.unzip();
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
        let url = Url::parse(&config.url).map_err(|error| of(&error.to_string()))?;
        let (host, port) = (url.host_str().unwrap_or_default().into(), url.port_or_known_default());
        Ok(Upstream {
            name: config.name.clone(),
            model,
            host,
            port: port.unwrap_or(0),
            key,
            key_source,
        })
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the variable or the file with the key.
    pub fn key_source(&self) -> Option<&str> {
        self.key_source.as_deref()
    }

    /// Returns the host of its URL.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Returns the port of its URL.
    pub fn port(&self) -> u16 {
        self.port
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

/// Returns the key of an upstream, and where it was.
fn key_of(config: &UpstreamConfig, model: &Model) -> Result<Option<(String, String)>, String> {
    let of_variable = |name: &str| {
        let key = env::var(name).ok()?.trim().to_owned();
        (!key.is_empty()).then(|| (key, name.to_owned()))
    };
    match (&config.key_variable, &config.key_file) {
        (Some(_), Some(_)) => Err("`key_variable` and `key_file` exclude each other".into()),
        (Some(name), None) => match of_variable(name) {
            None => Err(format!("the variable {name} is not set")),
            key => Ok(key),
        },
        (None, Some(path)) => {
            let shown = path.display().to_string();
            let key = fs::read_to_string(path)
                .map_err(|error| format!("cannot read {shown}: {error}"))?;
            match key.trim() {
                "" => Err(format!("{shown} has no key")),
                key => Ok(Some((key.into(), shown))),
            }
        }
        (None, None) => {
            let usual = model.key_variable().filter(|_| config.has_usual_key);
            Ok([Some(KEY), usual].into_iter().flatten().find_map(of_variable))
        }
    }
}

impl Target<'_> {
    /// Returns the model that is called, with further headers.
    pub fn called(&self, headers: HeaderMap) -> Model {
        let mut model = self.upstream.model.clone();
        for (name, value) in headers {
            model = name.into_iter().fold(model, |model, name| model.header(name, value.clone()));
        }
        if let Some(settings) = self.settings {
            model = model.settings(settings.clone());
        }
        match &self.model {
            Some(name) => model.name(name),
            None => model,
        }
    }
}
