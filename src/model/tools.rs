//! Running the tools that a model calls.

use std::boxed::Box;
use std::collections::BTreeMap;
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::string::String;
use std::task::Poll;
use std::vec::Vec;

use super::call::{CallError, Model, call_model};
use crate::core::limits::Limits;
use crate::emit::{AnyError, ForwardError, ForwardedCall, Out};
use crate::hub::request::{HubRequest as _, Request, RequestMessage, Tool};
use crate::hub::{EndStatus, Losses, Role, RunEnd, ToolKind};
use crate::json::Value;
use crate::protocols::agent_api::request::AgentRequest;

type ToolFuture = Pin<Box<dyn Future<Output = Result<String, AnyError>> + Send>>;

/// The tools of an agent.
///
/// ```
/// use agentwire::json::Value;
/// use agentwire::model::Tools;
///
/// let schema = Value::parse(r#"{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}"#, 8).unwrap();
/// let tools = Tools::default().with("get_weather", "Returns the weather of a city.", schema, async |arguments| {
///     let city = arguments.get("city").and_then(Value::as_str).unwrap_or("nowhere");
///     Ok(format!("It is 21 degrees in {city}."))
/// });
/// ```
#[derive(Default)]
pub struct Tools(BTreeMap<String, RegisteredTool>);

struct RegisteredTool {
    description: String,
    parameters: Value,
    run: Box<dyn Fn(Value) -> ToolFuture + Send + Sync>,
}

impl Tools {
    /// Adds a tool: its name, its purpose, the JSON Schema of its arguments, and the function that runs it. The function
    /// returns the result as text, often JSON text. It also returns problems of the tool as text, so that the model can
    /// react to them; an error ends the run.
    pub fn with<F, R>(
        mut self,
        name: impl Into<String>,
        description: impl Into<String>,
        parameters: Value,
        run: F,
    ) -> Self
    where
        F: Fn(Value) -> R + Send + Sync + 'static,
        R: Future<Output = Result<String, AnyError>> + Send + 'static,
    {
        let description = description.into();
        let run = Box::new(move |arguments| -> ToolFuture { Box::pin(run(arguments)) });
        self.0.insert(name.into(), RegisteredTool { description, parameters, run });
        self
    }
}

impl fmt::Debug for Tools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

/// The limits of a run with tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolLimits {
    /// How often the model is called. Default: 10.
    pub rounds: usize,
    /// How many tools run, in all rounds. Default: 50.
    pub calls: usize,
    /// The length of a result, in bytes. A longer one is cut off. Default: 65,536.
    pub result_bytes: usize,
}

impl Default for ToolLimits {
    fn default() -> Self {
        ToolLimits { rounds: 10, calls: 50, result_bytes: 1 << 16 }
    }
}

/// The error of a run with tools.
#[derive(Debug)]
#[non_exhaustive]
pub enum ToolError {
    /// The model was not called.
    Call(CallError),
    /// The answer of the model has failed.
    Answer(ForwardError),
    /// A tool returned an error.
    Tool(AnyError),
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ToolError::Call(error) => error.fmt(f),
            ToolError::Answer(error) => error.fmt(f),
            ToolError::Tool(error) => write!(f, "a tool has failed: {error}"),
        }
    }
}

impl std::error::Error for ToolError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(match self {
            ToolError::Call(error) => error,
            ToolError::Answer(error) => error,
            ToolError::Tool(error) => &**error,
        })
    }
}

/// Calls a model, passes its answer on, runs the tools that it calls at the same time, and calls it again with their
/// results, until it calls none. Returns the end of the run, with the token usage of all answers, for [`Out::end`].
///
/// The model can also call the tools of the request. They belong to the client: the run ends, and the client sends their
/// results with its next request. A run that reaches one of the `limits` ends as incomplete, with the reason `tool_rounds`
/// or `tool_calls`.
///
/// ```
/// use std::sync::Arc;
///
/// use agentwire::ProtocolKind;
/// use agentwire::agent_api::request::AgentRequest;
/// use agentwire::emit::{AnyError, Out};
/// use agentwire::json::Value;
/// use agentwire::model::{Model, ToolLimits, Tools, run_tools};
///
/// # fn main() -> Result<(), agentwire::UsageError> {
/// let model = Model::new(ProtocolKind::Chat, "http://127.0.0.1:8000/v1")?.name("qwen3");
/// let clock = Tools::default().with("get_time", "Returns the time.", Value::Null, async |_| Ok("12:00".into()));
/// let shared = Arc::new((model, clock));
///
/// // An agent for `AgentService` of the feature `axum`.
/// let agent = move |request: AgentRequest, out: Out| {
///     let shared = shared.clone();
///     async move {
///         let (model, tools) = &*shared;
///         let end = run_tools(&out, model, request, tools, ToolLimits::default()).await?;
///         out.end(end);
///         Ok::<(), AnyError>(())
///     }
/// };
/// # fn is_an_agent<F, A>(_: F) where F: Fn(AgentRequest, Out) -> A, A: Future<Output = Result<(), AnyError>> + Send {}
/// # is_an_agent(agent);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// [`ToolError`] if a call of the model, its answer, or a tool fails.
pub async fn run_tools(
    out: &Out,
    model: &Model,
    mut request: AgentRequest,
    tools: &Tools,
    limits: ToolLimits,
) -> Result<RunEnd, ToolError> {
    request.tools.get_or_insert_default().extend(offered(tools));
    let (mut usage, mut ran) = (None, 0);
    for _ in 0..limits.rounds {
        let answer = call_model(model, &request).await.map_err(ToolError::Call)?;
        let (answer, text) = out.forward_turn(answer, true).await.map_err(ToolError::Answer)?;
        let mut end = answer.end;
        add(&mut usage, end.usage.take());
        let is_own = |call: &ForwardedCall| tools.0.contains_key(&call.name);
        if end.status != EndStatus::Completed || !answer.calls.iter().any(is_own) {
            return Ok(RunEnd { usage, ..end });
        }
        let (own, others): (Vec<_>, Vec<_>) = answer.calls.into_iter().partition(is_own);
        ran += own.len();
        if ran > limits.calls {
            return Ok(RunEnd { usage, ..RunEnd::incomplete("tool_calls") });
        }
        let mut results = run(tools, &own).await.map_err(ToolError::Tool)?;
        for (call, result) in own.iter().zip(&mut results) {
            truncate(result, limits.result_bytes);
            out.result(&call.id, result).await;
        }
        // The client has to answer the other calls before the model can go on.
        if !others.is_empty() {
            return Ok(RunEnd { usage, ..end });
        }
        request.input.extend(turn(&text, &own, results));
    }
    Ok(RunEnd { usage, ..RunEnd::incomplete("tool_rounds") })
}

/// Cuts a text off after at most so many bytes.
fn truncate(text: &mut String, bytes: usize) {
    let end = (0..=bytes.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    text.truncate(end.unwrap_or_default());
}

/// Returns the tools as the tools of a request.
fn offered(tools: &Tools) -> Vec<crate::protocols::agent_api::request::ToolEntry> {
    let tools = tools.0.iter().map(|(name, tool)| {
        let (description, parameters, more) = (&*tool.description, tool.parameters.clone(), Vec::new());
        Tool::Function { name, description, parameters, more }
    });
    let request = Request { tools: tools.collect(), ..Request::default() };
    AgentRequest::from_hub(request, &mut Losses::default()).tools.unwrap_or_default()
}

/// Runs the tools of calls at the same time.
async fn run(tools: &Tools, calls: &[ForwardedCall]) -> Result<Vec<String>, AnyError> {
    let mut results: Vec<Option<String>> = calls.iter().map(|_| None).collect();
    let mut running: Vec<Option<ToolFuture>> = Vec::new();
    for (call, result) in calls.iter().zip(&mut results) {
        let arguments = if call.arguments.trim().is_empty() { "{}" } else { &call.arguments };
        let arguments = Value::parse(arguments, Limits::default().json_depth);
        running.push(match (tools.0.get(&call.name), arguments) {
            (Some(tool), Ok(arguments)) => Some((tool.run)(arguments)),
            _ => {
                *result = Some("The arguments are not JSON.".into());
                None
            }
        });
    }
    poll_fn(|context| {
        for (work, result) in running.iter_mut().zip(&mut results) {
            if let Some(running) = work
                && let Poll::Ready(done) = running.as_mut().poll(context)
            {
                *work = None;
                match done {
                    Ok(text) => *result = Some(text),
                    Err(error) => return Poll::Ready(Err(error)),
                }
            }
        }
        if running.iter().all(Option::is_none) { Poll::Ready(Ok(())) } else { Poll::Pending }
    })
    .await?;
    Ok(results.into_iter().map(Option::unwrap_or_default).collect())
}

/// Returns the messages of an answer with calls, and of their results.
fn turn(
    text: &str,
    calls: &[ForwardedCall],
    results: Vec<String>,
) -> Vec<crate::protocols::agent_api::request::InputMessage> {
    let text_message = (!text.is_empty()).then(|| RequestMessage::text(Role::Assistant, text));
    let call_messages = calls
        .iter()
        .map(|call| RequestMessage::call(ToolKind::Function, &call.id, &call.name, call.arguments.as_str()));
    let results = calls.iter().zip(results);
    let result_messages =
        results.map(|(call, result)| RequestMessage::result(ToolKind::Function, &call.id, result));
    let messages = text_message.into_iter().chain(call_messages).chain(result_messages).collect();
    AgentRequest::from_hub(Request { messages, ..Request::default() }, &mut Losses::default()).input
}

/// Adds the numbers of another token usage.
fn add(sum: &mut Option<Value>, usage: Option<Value>) {
    let Some(usage) = usage else { return };
    match (sum.as_mut(), &usage) {
        (Some(Value::Object(members)), Value::Object(more)) => {
            for member in more {
                let mut known = members.iter_mut().find(|known| known.key == member.key);
                match known.as_mut().map(|known| &mut known.value) {
                    Some(value) => {
                        let mut total = Some(std::mem::take(value));
                        add(&mut total, Some(member.value.clone()));
                        *value = total.unwrap_or_default();
                    }
                    None => members.push(member.clone()),
                }
            }
        }
        (Some(Value::Number(one)), Value::Number(other)) => {
            let total = one.parse::<i64>().ok().zip(other.parse::<i64>().ok());
            if let Some(total) = total.and_then(|(one, other)| one.checked_add(other)) {
                *sum = Some(total.into());
            }
        }
        _ => *sum = Some(usage),
    }
}
