//! The request itself.

use alloc::string::String;
use alloc::vec::Vec;

use super::coerce;
use super::error::RequestError;
use super::message::InputMessage;
use super::tool::{self, ToolEntry};
use crate::core::id::IdSource;
use crate::core::limits::Limits;
use crate::core::request::read::{self, Diagnostics, Fields};
use crate::core::request::{Fault, PathStep};
use crate::json::{Member, Value};

/// What a client asks an agent. (Spec 1.2, `AgentRequest`.)
///
/// Absent and null are the same, `None`, unless a member says otherwise.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[non_exhaustive]
pub struct AgentRequest {
    /// The conversation so far, the newest message last.
    pub input: Vec<InputMessage>,
    /// Advisory: `/process` streams in any case (R40). True when absent; null is not accepted.
    #[cfg_attr(feature = "typescript", tsify(optional))]
    pub stream: bool,
    /// Becomes the id of the response (R40).
    #[cfg_attr(feature = "typescript", tsify(type = "string | null", optional))]
    pub id: Option<String>,
    /// The model to use.
    #[cfg_attr(feature = "typescript", tsify(type = "string | null", optional))]
    pub model: Option<String>,
    /// Nucleus sampling.
    #[cfg_attr(feature = "typescript", tsify(type = "number | null", optional))]
    pub top_p: Option<f64>,
    /// How random the answer is.
    #[cfg_attr(feature = "typescript", tsify(type = "number | null", optional))]
    pub temperature: Option<f64>,
    /// Against repeating words often.
    #[cfg_attr(feature = "typescript", tsify(type = "number | null", optional))]
    pub frequency_penalty: Option<f64>,
    /// Against repeating words at all.
    #[cfg_attr(feature = "typescript", tsify(type = "number | null", optional))]
    pub presence_penalty: Option<f64>,
    /// Most tokens of the answer.
    #[cfg_attr(feature = "typescript", tsify(type = "number | null", optional))]
    pub max_tokens: Option<i64>,
    /// Texts that end the answer.
    #[cfg_attr(feature = "typescript", tsify(type = "string | string[] | null", optional))]
    pub stop: Option<Stop>,
    /// How many answers, 1 to 5. Absent means 1, null means `None`.
    #[cfg_attr(feature = "typescript", tsify(type = "number | null", optional))]
    pub n: Option<i64>,
    /// For answers that can be repeated.
    #[cfg_attr(feature = "typescript", tsify(type = "number | null", optional))]
    pub seed: Option<i64>,
    /// What the agent may call.
    #[cfg_attr(feature = "typescript", tsify(type = "ToolEntry[] | null", optional))]
    pub tools: Option<Vec<ToolEntry>>,
    /// The conversation this belongs to. Send one always: requests without collide (R39).
    #[cfg_attr(feature = "typescript", tsify(type = "string | null", optional))]
    pub session_id: Option<String>,
    /// Who asks; the session when absent. Send one always (R39).
    #[cfg_attr(feature = "typescript", tsify(type = "string | null", optional))]
    pub user_id: Option<String>,
    /// Members the protocol does not declare, verbatim and in their order (`biz_params`, …).
    #[cfg_attr(feature = "typescript", tsify(type = "Record<string, unknown>"), serde(flatten))]
    pub extra: Vec<Member>,
}

/// One text that ends the answer, or several.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Stop {
    /// A string.
    One(String),
    /// A list of strings.
    Many(Vec<String>),
}

impl AgentRequest {
    /// A request with this conversation and nothing else.
    pub fn new(input: Vec<InputMessage>) -> Self {
        AgentRequest {
            input,
            stream: true,
            id: None,
            model: None,
            top_p: None,
            temperature: None,
            frequency_penalty: None,
            presence_penalty: None,
            max_tokens: None,
            stop: None,
            n: Some(1),
            seed: None,
            tools: None,
            session_id: None,
            user_id: None,
            extra: Vec::new(),
        }
    }

    /// Gives a request without a session a new one, as the runtime's runner does: callers without one must not meet in the
    /// same conversation (R39). An empty id counts as none.
    pub fn ensure_session(&mut self, ids: &mut dyn IdSource) {
        if self.session_id.as_deref().unwrap_or_default().is_empty() {
            self.session_id = Some(ids.next_id(""));
        }
    }

    /// Reads the body of a request as the runtime does, containers nested at most as deep as [`Limits`] says.
    pub fn parse(json: &str) -> Result<Self, RequestError> {
        Self::parse_within(json, &Limits::default())
    }

    /// Reads the body of a request; of the limits, `event_bytes` and `json_depth` count.
    pub fn parse_within(json: &str, limits: &Limits) -> Result<Self, RequestError> {
        if json.len() > limits.event_bytes {
            return Err(RequestError::body(Fault::TooLong(limits.event_bytes), Value::Null));
        }
        let value =
            Value::parse(json, limits.json_depth).map_err(|error| RequestError::not_json(json, error))?;
        Self::from_value(value)
    }

    /// Reads a request from JSON that has been read already.
    pub fn from_value(value: Value) -> Result<Self, RequestError> {
        if !matches!(value, Value::Object(_)) {
            return Err(RequestError::body(Fault::DictType, value));
        }
        let mut diagnostics = Diagnostics::default();
        match Self::read(value, &mut diagnostics) {
            Some(request) if diagnostics.found.is_empty() => Ok(request),
            _ => Err(RequestError::new("AgentRequest", diagnostics.found)),
        }
    }

    /// The id that the client wants the response to have: `id`, or `response_id` as it was called before 1.0.
    pub fn response_id(&self) -> Option<&str> {
        let old = || self.extra.iter().find(|m| m.key == "response_id");
        match &self.id {
            Some(id) => Some(id),
            None => old().and_then(|member| member.value.as_str()),
        }
    }

    fn read(value: Value, diagnostics: &mut Diagnostics) -> Option<Self> {
        let mut fields = Fields::open(value, &["input"], Fault::DictType, diagnostics)?;
        let mut request = AgentRequest::new(fields.required("input", input));
        request.stream = fields.defaulted("stream", coerce::boolean).unwrap_or(true);
        fields.fill("id", read::string, &mut request.id);
        fields.fill("model", read::string, &mut request.model);
        fields.fill("top_p", coerce::number, &mut request.top_p);
        fields.fill("temperature", coerce::number, &mut request.temperature);
        fields.fill("frequency_penalty", coerce::number, &mut request.frequency_penalty);
        fields.fill("presence_penalty", coerce::number, &mut request.presence_penalty);
        fields.fill("max_tokens", coerce::integer, &mut request.max_tokens);
        fields.fill("stop", stop, &mut request.stop);
        request.n = match fields.take("n") {
            None => Some(1),
            Some(Value::Null) => None,
            Some(value) => fields.also("n", value, choices),
        };
        fields.fill("seed", coerce::integer, &mut request.seed);
        fields.fill("tools", tools, &mut request.tools);
        fields.fill("session_id", read::string, &mut request.session_id);
        fields.fill("user_id", read::string, &mut request.user_id);
        request.extra = fields.rest();
        Some(request)
    }
}

fn input(value: Value, diagnostics: &mut Diagnostics) -> Option<Vec<InputMessage>> {
    read::list(value, diagnostics, InputMessage::read)
}

fn tools(value: Value, diagnostics: &mut Diagnostics) -> Option<Vec<ToolEntry>> {
    read::list(value, diagnostics, tool::entry)
}

fn choices(value: Value, diagnostics: &mut Diagnostics) -> Option<i64> {
    let n = coerce::integer(value.clone(), diagnostics)?;
    match choices_fault(n) {
        None => Some(n),
        Some(fault) => diagnostics.report(fault, value),
    }
}

/// Why so many answers cannot be asked for.
pub(super) fn choices_fault(n: i64) -> Option<Fault> {
    match n {
        ..1 => Some(Fault::AtLeast(1)),
        1..=5 => None,
        6.. => Some(Fault::AtMost(5)),
    }
}

fn stop(value: Value, diagnostics: &mut Diagnostics) -> Option<Stop> {
    let value = match value {
        Value::String(text) => return Some(Stop::One(text)),
        other => other,
    };
    // The runtime reports both alternatives when neither fits.
    let mut tried = diagnostics.branch();
    let many = tried.inside("list[str]", |tried| read::strings(value.clone(), tried));
    if tried.found.is_empty() {
        return many.map(Stop::Many);
    }
    diagnostics
        .inside(PathStep::from("str"), |diagnostics| diagnostics.report::<()>(Fault::StringType, value));
    diagnostics.found.append(&mut tried.found);
    None
}
