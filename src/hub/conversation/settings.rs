//! The settings of a request: scalars by one table per protocol, and the two that have a shape of
//! their own.

use alloc::string::String;
use alloc::vec::Vec;

use super::Tool;
use super::members::{put, take};
use super::openai::{ToolNesting, read_choice, read_output, write_choice, write_output};
use crate::hub::loss::LossClass;
use crate::json::{Raw, Value};

/// The settings of the answer.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase", default)
)]
pub struct Settings {
    /// The settings with one value.
    #[cfg_attr(feature = "serde", serde(with = "super::serde_forms::scalars"))]
    pub scalars: Vec<(SettingKey, Value)>,
    /// The format of the answer; text if there is none.
    pub output: Option<Output>,
    /// Which tools the model can call; as it decides if there is none.
    pub choice: Option<ToolChoice>,
}

/// The format of a structured answer.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase", default)
)]
pub struct Output {
    /// The name of the schema.
    pub name: Option<String>,
    /// Its purpose, for the model.
    pub description: Option<String>,
    /// The JSON Schema of the answer. Without one, the answer is any JSON object.
    pub schema: Option<Value>,
    /// Whether the model follows the schema exactly.
    pub strict: Option<bool>,
}

/// Which tools a model can call.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub enum ToolChoice {
    /// As the model decides.
    Auto,
    /// No tool.
    None,
    /// At least one.
    Required,
    /// This one.
    Named(String),
    /// One of these.
    Allowed {
        /// Whether at least one has to be called.
        required: bool,
        /// Their names.
        names: Vec<String>,
    },
}

macro_rules! setting_keys {
    ($($(#[$doc:meta])* $key:ident = $name:literal $class:ident,)*) => {
        /// A setting with one value. Values have the form of OpenAI's APIs, unless noted otherwise.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum SettingKey { $($(#[$doc])* $key,)* }

        impl SettingKey {
            /// Returns the setting with that name.
            #[cfg(feature = "serde")]
            pub(super) fn named(name: &str) -> Option<Self> {
                const ALL: &[SettingKey] = &[$(SettingKey::$key),*];
                ALL.iter().copied().find(|key| key.name() == name)
            }

            /// Returns the name in losses.
            pub const fn name(self) -> &'static str {
                match self { $(SettingKey::$key => $name,)* }
            }

            /// Returns what the loss of the setting means.
            pub(crate) const fn class(self) -> LossClass {
                match self { $(SettingKey::$key => LossClass::$class,)* }
            }
        }
    };
}

setting_keys! {
    /// The name of the model.
    Model = "model" Contract,
    /// Whether the answer is a stream.
    Stream = "stream" Cosmetic,
    /// The maximum number of output tokens.
    MaxTokens = "max_tokens" Contract,
    /// The sampling temperature.
    Temperature = "temperature" Quality,
    /// The probability mass for nucleus sampling.
    TopP = "top_p" Quality,
    /// The number of tokens that are sampled from.
    TopK = "top_k" Quality,
    /// The texts that end the answer: a string or a list.
    Stop = "stop" Contract,
    /// The seed of sampling.
    Seed = "seed" Quality,
    /// The penalty for tokens by their frequency.
    Frequency = "frequency_penalty" Quality,
    /// The penalty for tokens that have occurred.
    Presence = "presence_penalty" Quality,
    /// The number of answers.
    Count = "n" Contract,
    /// Whether several tools can be called in parallel.
    Parallel = "parallel_tool_calls" Contract,
    /// The effort of reasoning: `none`, `minimal`, `low`, `medium`, `high`, `xhigh`, `max`.
    Effort = "reasoning_effort" Quality,
    /// The number of tokens for reasoning.
    Budget = "thinking_budget" Quality,
    /// Whether the model thinks: `enabled`, `adaptive`, `disabled`.
    Thinking = "thinking" Quality,
    /// The form of the summary of the reasoning.
    Summary = "reasoning_summary" Cosmetic,
    /// The length of the answer: `low`, `medium`, `high`.
    Verbosity = "verbosity" Quality,
    /// The id of the end user.
    User = "user" Cosmetic,
    /// The id of the end user, for the provider's safety checks.
    Safety = "safety_identifier" Cosmetic,
    /// Arbitrary data: an object.
    Metadata = "metadata" Cosmetic,
    /// The service tier.
    ServiceTier = "service_tier" Quality,
    /// The key of the prompt cache.
    CacheKey = "prompt_cache_key" Quality,
    /// Whether the server stores the answer.
    Store = "store" Cosmetic,
}

impl SettingKey {
    /// Whether a value is of the type of the setting.
    pub(crate) fn fits(self, value: &Value) -> bool {
        use SettingKey::*;
        match self {
            Model | Effort | Thinking | Summary | Verbosity | User | Safety | ServiceTier
            | CacheKey => value.as_str().is_some(),
            Stream | Parallel | Store => value.as_bool().is_some(),
            Temperature | TopP | Frequency | Presence => matches!(value, Value::Number(_)),
            MaxTokens | TopK | Seed | Count | Budget => match value {
                Value::Number(digits) => {
                    digits.parse::<f64>().is_ok_and(|number| number % 1.0 == 0.0)
                }
                _ => false,
            },
            Stop => match value {
                Value::Array(list) => list.iter().all(|text| text.as_str().is_some()),
                text => text.as_str().is_some(),
            },
            Metadata => matches!(value, Value::Object(_)),
        }
    }
}

/// The settings by their names in Chat Completions, and `thinking` as Anthropic has it: for agents
/// and their clients, whose protocols have few settings of their own.
pub(crate) const CHAT_NAMES: SettingPaths = {
    use SettingKey::*;
    &[
        ("model", Model),
        ("stream", Stream),
        ("max_tokens", MaxTokens),
        ("max_completion_tokens", MaxTokens),
        ("temperature", Temperature),
        ("top_p", TopP),
        ("top_k", TopK),
        ("stop", Stop),
        ("seed", Seed),
        ("frequency_penalty", Frequency),
        ("presence_penalty", Presence),
        ("n", Count),
        ("parallel_tool_calls", Parallel),
        ("reasoning_effort", Effort),
        ("reasoning_summary", Summary),
        ("thinking.budget_tokens", Budget),
        ("thinking.type", Thinking),
        ("verbosity", Verbosity),
        ("user", User),
        ("safety_identifier", Safety),
        ("metadata", Metadata),
        ("service_tier", ServiceTier),
        ("prompt_cache_key", CacheKey),
        ("store", Store),
    ]
};

/// The settings that clients of agents can have, below a prefix: those of Chat Completions that are
/// not about the client.
macro_rules! client_settings {
    ($prefix:literal) => {{
        use $crate::hub::conversation::settings::SettingKey::*;
        &[
            (concat!($prefix, "model"), Model),
            (concat!($prefix, "max_tokens"), MaxTokens),
            (concat!($prefix, "max_completion_tokens"), MaxTokens),
            (concat!($prefix, "temperature"), Temperature),
            (concat!($prefix, "top_p"), TopP),
            (concat!($prefix, "top_k"), TopK),
            (concat!($prefix, "stop"), Stop),
            (concat!($prefix, "seed"), Seed),
            (concat!($prefix, "frequency_penalty"), Frequency),
            (concat!($prefix, "presence_penalty"), Presence),
            (concat!($prefix, "parallel_tool_calls"), Parallel),
            (concat!($prefix, "reasoning_effort"), Effort),
            (concat!($prefix, "reasoning_summary"), Summary),
            (concat!($prefix, "thinking.budget_tokens"), Budget),
            (concat!($prefix, "thinking.type"), Thinking),
            (concat!($prefix, "verbosity"), Verbosity),
            (concat!($prefix, "service_tier"), ServiceTier),
        ]
    }};
}
pub(crate) use client_settings;

/// Where a protocol has its settings: paths of names with dots, each with the setting that is
/// copied from and to it. If a setting has two paths, both are read, and the first is written. An
/// empty path: the protocol has the setting, and its reader and writer treat it themselves.
pub(crate) type SettingPaths = &'static [(&'static str, SettingKey)];

impl Settings {
    /// Returns a setting.
    pub fn get(&self, key: SettingKey) -> Option<&Value> {
        self.scalars.iter().find(|(known, _)| *known == key).map(|(_, value)| value)
    }

    /// Returns a setting that is a number.
    pub fn number(&self, key: SettingKey) -> Option<f64> {
        match self.get(key)? {
            Value::Number(digits) => digits.parse().ok(),
            _ => None,
        }
    }

    /// Returns a setting that is a text.
    pub fn text(&self, key: SettingKey) -> Option<&str> {
        self.get(key).and_then(Value::as_str)
    }

    /// Sets a setting.
    pub fn set(&mut self, key: SettingKey, value: impl Into<Value>) {
        match self.scalars.iter_mut().find(|(known, _)| *known == key) {
            Some((_, known)) => *known = value.into(),
            None => self.scalars.push((key, value.into())),
        }
    }

    /// Removes a setting and returns it.
    pub fn remove(&mut self, key: SettingKey) -> Option<Value> {
        let at = self.scalars.iter().position(|(known, _)| *known == key)?;
        Some(self.scalars.remove(at).1)
    }

    /// Takes the settings of a request.
    pub(crate) fn read(request: &mut Value, paths: SettingPaths) -> Self {
        let mut settings = Settings::default();
        for (path, key) in paths {
            if !path.is_empty()
                && let Some(value) = take(request, path)
                && settings.get(*key).is_none()
            {
                settings.set(*key, value);
            }
        }
        settings
    }

    /// Takes the settings of a client's request, which has members of other meanings too: only
    /// values of the type of the setting. `place` is the path of the object that has `thinking`,
    /// `tool_choice` and `response_format`, with a dot.
    pub(crate) fn read_of_client(request: &mut Value, paths: SettingPaths, place: &str) -> Self {
        let fits = |(path, key): &&(&str, SettingKey)| {
            let value = path.split('.').try_fold(&*request, |value, name| value.get(name));
            value.is_some_and(|value| key.fits(value))
        };
        let fitting: Vec<_> = paths.iter().filter(fits).collect();
        let mut settings = Settings::default();
        for (path, key) in fitting {
            if settings.get(*key).is_none()
                && let Some(value) = take(request, path)
            {
                settings.set(*key, value);
            }
        }
        let mut member = |name: &str, read: &mut dyn FnMut(Value) -> Result<(), Value>| {
            let path = [place, name].concat();
            if let Some(Err(other)) = take(request, &path).map(read) {
                put(request, &path, other);
            }
        };
        member("thinking", &mut |value| settings.read_thinking(value));
        member("tool_choice", &mut |value| {
            read_choice(value).map(|choice| settings.choice = Some(choice))
        });
        member("response_format", &mut |value| {
            read_output(value).map(|output| settings.output = output)
        });
        settings
    }

    /// Reads a word or a yes or no for thinking.
    fn read_thinking(&mut self, value: Value) -> Result<(), Value> {
        match &value {
            Value::Bool(true) => self.set(SettingKey::Effort, "medium"),
            Value::Bool(false) => self.set(SettingKey::Effort, "none"),
            Value::String(word) => match &**word {
                "enabled" => self.set(SettingKey::Effort, "medium"),
                "adaptive" | "disabled" => self.set(SettingKey::Thinking, value),
                "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max" => {
                    self.set(SettingKey::Effort, value);
                }
                _ => return Err(value),
            },
            _ => return Err(value),
        }
        Ok(())
    }

    /// Sets the members of a client's request, as [`read_of_client`](Self::read_of_client) reads
    /// them. `tools` are those that are offered.
    pub(crate) fn write_of_client(
        &self,
        tools: &[Tool],
        request: &mut Value,
        paths: SettingPaths,
        place: &str,
    ) {
        self.write(request, paths);
        let mut member = |name: &str, json: String| {
            let value = Value::from_raw(Raw(&json));
            put(request, &[place, name].concat(), value);
        };
        let mut json = String::new();
        if let Some(choice) = &self.choice {
            write_choice(choice, tools, ToolNesting::Nested, &mut json);
            member("tool_choice", core::mem::take(&mut json));
        }
        if let Some(output) = &self.output {
            write_output(output, ToolNesting::Nested, &mut json);
            member("response_format", json);
        }
    }

    /// Sets the members of a request. The normaliser has left only settings that the protocol has.
    pub(crate) fn write(&self, request: &mut Value, paths: SettingPaths) {
        self.write_known(request, paths, &[]);
    }

    /// Sets the members of a request as [`write`](Self::write). A setting that `paths` do not have
    /// is at its place in `others`.
    pub(crate) fn write_known(
        &self,
        request: &mut Value,
        paths: SettingPaths,
        others: SettingPaths,
    ) {
        for (key, value) in &self.scalars {
            let mut known = paths.iter().chain(others);
            if let Some((path, _)) = known.find(|(path, known)| known == key && !path.is_empty()) {
                put(request, path, value.clone());
            }
        }
    }
}
