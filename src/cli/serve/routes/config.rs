//! The configuration of upstreams and models, as the command line and the configuration file have
//! it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU32;
use std::path::PathBuf;

use agentwire::ProtocolKind;
use agentwire::json::Value;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};

use crate::protocol;

/// Upstreams, and the models that they answer for.
#[derive(Clone, Debug, Default)]
pub struct RoutesConfig {
    /// The upstreams.
    pub upstreams: Vec<UpstreamConfig>,
    /// The models that requests may name. Exact names precede patterns, and earlier patterns later
    /// ones.
    pub models: Vec<ModelConfig>,
    /// The model of requests that name none, or one that is not in `models`. Default: such requests
    /// are refused.
    pub default_model: Option<String>,
    /// Whether requests are refused of which something is lost that can make the answer wrong.
    pub strict: bool,
    /// How long the gateway waits, in all, when every upstream of a request has answered 429 and
    /// the smallest `Retry-After` is not longer than that. Default: 0, it does not wait.
    pub rate_limit_wait_seconds: u64,
}

/// An upstream: the API of a model, or an agent.
#[derive(Clone, Debug, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UpstreamConfig {
    /// The name by which models refer to it, which is in the log.
    pub name: String,
    /// The base URL of the API of a model, or the endpoint of an agent. May have a query.
    pub url: String,
    /// The protocol.
    #[serde(deserialize_with = "upstream_protocol")]
    #[schemars(schema_with = "protocols")]
    pub protocol: ProtocolKind,
    /// The environment variable with the key. Default: `AGENTWIRE_UPSTREAM_KEY`, if it is set.
    #[serde(default)]
    pub key_variable: Option<String>,
    /// The file with the key, and nothing else.
    #[serde(default)]
    pub key_file: Option<PathBuf>,
    /// The header that has the key, and nothing else. Default: the one of the protocol.
    #[serde(default)]
    pub key_header: Option<String>,
    /// Further headers of each request.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// Whether the key can be in the usual variable of the protocol: for the upstream of the
    /// command line. With several upstreams, the key of one would be sent to another one.
    #[serde(skip)]
    pub has_usual_key: bool,
    /// How long the upstream may send nothing.
    #[serde(default = "timeout", deserialize_with = "seconds")]
    #[schemars(with = "NonZeroU32")]
    pub timeout_seconds: u64,
    /// How long the first byte of an answer may take. Default: as `timeout_seconds`.
    #[serde(default, deserialize_with = "some_seconds")]
    #[schemars(with = "Option<NonZeroU32>")]
    pub first_byte_timeout_seconds: Option<u64>,
    /// How long a connection may take.
    #[serde(default = "connect_timeout", deserialize_with = "seconds")]
    #[schemars(with = "NonZeroU32")]
    pub connect_timeout_seconds: u64,
}

/// A model that requests may name, and its upstreams.
#[derive(Clone, Debug, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelConfig {
    /// The name, or a pattern with `*` for any text.
    pub name: String,
    /// The upstreams, in the order in which they are tried: each after the one before has answered
    /// 429 or 5xx, or has not answered.
    pub upstreams: Vec<TargetConfig>,
    /// The price of the tokens.
    #[serde(default)]
    pub price: Option<Price>,
    /// How many tokens a request and its answer can have, for the list of models.
    #[serde(default)]
    pub context_window: Option<u64>,
}

/// An upstream of a model: its name, or an object with the name.
#[derive(Clone, Debug)]
pub struct TargetConfig {
    /// The name of the upstream.
    pub upstream: String,
    /// The name of the model there, where `*` is what the first `*` of the pattern stands for.
    /// Default: the name in the request.
    pub model: Option<String>,
    /// The price of the tokens there. Default: the price of the model.
    pub price: Option<Price>,
    /// The settings of the answer there, in the form of its API.
    pub settings: Option<Value>,
}

/// The price of a million tokens, in any currency.
#[derive(Clone, Copy, Debug, PartialEq, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Tokens of the input that were not read from a cache.
    #[serde(deserialize_with = "amount")]
    #[schemars(range(min = 0.0))]
    pub input: f64,
    /// Tokens of the input that were read from a cache. Default: as `input`.
    #[serde(default, deserialize_with = "some_amount")]
    #[schemars(range(min = 0.0))]
    pub cached_input: Option<f64>,
    /// Tokens of the output, with those of the reasoning.
    #[serde(deserialize_with = "amount")]
    #[schemars(range(min = 0.0))]
    pub output: f64,
}

impl UpstreamConfig {
    /// Creates an upstream with the usual key and limits.
    pub fn new(name: impl Into<String>, url: impl Into<String>, protocol: ProtocolKind) -> Self {
        UpstreamConfig {
            name: name.into(),
            url: url.into(),
            protocol,
            key_variable: None,
            key_file: None,
            has_usual_key: true,
            key_header: None,
            headers: BTreeMap::new(),
            timeout_seconds: timeout(),
            first_byte_timeout_seconds: None,
            connect_timeout_seconds: connect_timeout(),
        }
    }
}

impl<'de> Deserialize<'de> for TargetConfig {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TargetVisitor)
    }
}

impl JsonSchema for TargetConfig {
    fn schema_name() -> Cow<'static, str> {
        "TargetConfig".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let table = generator.subschema_for::<TargetMembers>();
        json_schema!({
            "description": "An upstream of a model: its name, or a table with the name.",
            "anyOf": [{ "type": "string" }, table],
        })
    }
}

/// An upstream of a model, as a table.
#[derive(serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TargetMembers {
    /// The name of the upstream.
    upstream: String,
    /// The name of the model there, where `*` is what the first `*` of the pattern stands for.
    /// Default: the name in the request.
    #[serde(default)]
    model: Option<String>,
    /// The price of the tokens there. Default: the price of the model.
    #[serde(default)]
    price: Option<Price>,
    /// The settings of the answer there: members of the body of each request, in the form of the
    /// API of the upstream, such as `{ thinking = { type = "adaptive" } }`. Those of the client
    /// precede them.
    #[serde(default, deserialize_with = "table")]
    #[schemars(schema_with = "any_table")]
    settings: Option<Value>,
}

struct TargetVisitor;

impl<'de> Visitor<'de> for TargetVisitor {
    type Value = TargetConfig;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of an upstream, or a table with `upstream`")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<TargetConfig, E> {
        Ok(TargetConfig { upstream: name.into(), model: None, price: None, settings: None })
    }

    fn visit_map<M: MapAccess<'de>>(self, members: M) -> Result<TargetConfig, M::Error> {
        let read = TargetMembers::deserialize(MapAccessDeserializer::new(members))?;
        let TargetMembers { upstream, model, price, settings } = read;
        Ok(TargetConfig { upstream, model, price, settings })
    }
}

fn seconds<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    Ok(NonZeroU32::deserialize(from)?.get().into())
}

fn some_seconds<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    seconds(from).map(Some)
}

fn table<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    let value = Value::deserialize(from)?;
    match value {
        Value::Object(_) => Ok(Some(value)),
        _ => Err(D::Error::custom("expected a table")),
    }
}

fn amount<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    let amount = f64::deserialize(from)?;
    match amount.is_finite() && amount >= 0.0 {
        true => Ok(amount),
        false => Err(D::Error::custom(format!("{amount} is not a price"))),
    }
}

fn some_amount<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    amount(from).map(Some)
}

const fn timeout() -> u64 {
    300
}

const fn connect_timeout() -> u64 {
    10
}

fn any_table(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "object" })
}

fn protocols(_: &mut SchemaGenerator) -> Schema {
    let names: Vec<_> = protocol::upstream_names().collect();
    json_schema!({ "type": "string", "enum": names })
}

fn upstream_protocol<'de, D: Deserializer<'de>>(from: D) -> Result<ProtocolKind, D::Error> {
    let name = String::deserialize(from)?;
    protocol::upstream_named(&name).ok_or_else(|| {
        let names: Vec<_> = protocol::upstream_names().collect();
        D::Error::custom(format!("{name} is not one of the protocols {}", names.join(", ")))
    })
}
