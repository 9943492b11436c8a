//! Running the tools that a model calls.

use std::boxed::Box;
use std::collections::BTreeMap;
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::string::String;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::vec::Vec;

use bytes::Bytes;
use futures_core::Stream;

use super::call::{CallError, Model, ModelBytes, Prepared};
use crate::AnyReader;
use crate::builder::RandomIds;
use crate::convert::{ToolRounds, WaitingCall};
use crate::core::limits::Limits;
use crate::emit::{AnswerStream, AnyError, ForwardError, ForwardedCall, Out};
use crate::hub::{EndStatus, Losses, RunEnd, add_usage};
use crate::json::Value;
use crate::protocols::agent_api::request::{
    AgentRequest, FunctionTool, Tool, ToolEntry, ToolParameters,
};
use crate::read::AnyOptions;

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
    /// Adds a tool: its name, its purpose, the JSON Schema of its arguments, and the function that
    /// runs it. The function returns the result as text, often JSON text. It also returns problems
    /// of the tool as text, so that the model can react to them. An error is masked: the client and
    /// the model receive `Error: the tool failed, its id is …`, and the function of
    /// [`EmitOptions::on_error`](crate::emit::EmitOptions::on_error) the error, whose result
    /// replaces the text.
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

    /// Returns the tools as those of a request.
    fn offered(&self) -> impl Iterator<Item = ToolEntry> {
        self.0.iter().map(|(name, tool)| {
            let parameters = match &tool.parameters {
                object @ Value::Object(_) => ToolParameters::from(object.clone()),
                _ => ToolParameters::default(),
            };
            ToolEntry::Tool(Tool::function(FunctionTool::new(name, &*tool.description, parameters)))
        })
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
    /// How often the model is called. Default: 8, as in TypeScript.
    pub rounds: usize,
    /// How many tools run, in all rounds. Default: 50.
    pub calls: usize,
    /// The length of a result, in bytes. A longer one is cut off. Default: 65,536.
    pub result_bytes: usize,
}

impl Default for ToolLimits {
    fn default() -> Self {
        ToolLimits { rounds: 8, calls: 50, result_bytes: 1 << 16 }
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
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ToolError::Call(error) => error.fmt(f),
            ToolError::Answer(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ToolError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(match self {
            ToolError::Call(error) => error,
            ToolError::Answer(error) => error,
        })
    }
}

/// Calls a model, passes its answer on, runs the tools that it calls at the same time, and calls it
/// again with their results, until it calls none. Returns the end of the run, with the token usage
/// of all answers, which the agent returns, or passes to [`Out::end`].
///
/// The model can also call the tools of the request. They belong to the client: the run ends, and
/// the client sends their results with its next request. A run that reaches one of the `limits`
/// ends as incomplete, with the reason `max_rounds` or `tool_calls`.
///
/// ```
/// use std::sync::Arc;
///
/// use agentwire::ProtocolKind;
/// use agentwire::emit::{AnyError, ConversationRequest, Out};
/// use agentwire::hub::RunEnd;
/// use agentwire::json::Value;
/// use agentwire::model::{Model, ToolLimits, Tools, run_tools};
///
/// # fn main() -> Result<(), agentwire::UsageError> {
/// let model = Model::new(ProtocolKind::Chat, "http://127.0.0.1:8000/v1")?.name("qwen3");
/// let clock = Tools::default().with("get_time", "Returns the time.", Value::Null, async |_| Ok("12:00".into()));
/// let shared = Arc::new((model, clock));
///
/// // An agent for `AgentService` of the feature `axum`.
/// let agent = move |out: Out, request: ConversationRequest, _| {
///     let shared = shared.clone();
///     async move {
///         let (model, tools) = &*shared;
///         Ok(run_tools(&out, model, request, tools, ToolLimits::default()).await?)
///     }
/// };
/// # fn is_an_agent<F, A>(_: F) where F: Fn(Out, ConversationRequest, ()) -> A, A: Future<Output = Result<RunEnd, AnyError>> + Send {}
/// # is_an_agent(agent);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// [`ToolError`] if a call of the model or its answer fails.
pub async fn run_tools(
    out: &Out,
    model: &Model,
    request: impl Into<AgentRequest>,
    tools: &Tools,
    limits: ToolLimits,
) -> Result<RunEnd, ToolError> {
    let mut request = request.into();
    request.tools.get_or_insert_default().extend(tools.offered());
    let prepared = model.prepare(&request, &model.options()).map_err(ToolError::Call)?;
    drop(request);
    let Prepared { url, mut json, back, losses } = prepared;
    out.add_losses(&losses);
    let convert = |error| ToolError::Call(CallError::Convert(error));
    let rounds = ToolRounds::new(model.protocol(), &json, model.options(), back.clone());
    let mut rounds = rounds.map_err(convert)?;
    let (mut usage, mut ran) = (None, 0);
    for _ in 0..limits.rounds {
        let bytes = model.answer(url.clone(), json).await.map_err(ToolError::Call)?;
        let reader =
            Arc::new(Mutex::new(AnyReader::with_options(model.protocol(), AnyOptions::default())));
        let mut answer = AnswerStream::new(model.protocol(), Tee { bytes, reader: reader.clone() });
        answer.back.clone_from(&back);
        answer.scope = model.options().scope;
        let answer = out.forward(answer).await.map_err(ToolError::Answer)?;
        let mut end = answer.end;
        add_usage(&mut usage, end.usage.take());
        if end.status != EndStatus::Completed {
            return Ok(RunEnd { usage, ..end });
        }
        let waiting = rounds.append(&snapshot(&reader)).map_err(convert)?;
        let calls = pair(answer.calls, waiting.calls);
        let is_own = |(call, _): &(ForwardedCall, WaitingCall)| tools.0.contains_key(&call.name);
        if !waiting.again && !calls.iter().any(is_own) {
            return Ok(RunEnd { usage, ..end });
        }
        let (own, others): (Vec<_>, Vec<_>) = calls.into_iter().partition(is_own);
        ran += own.len();
        if ran > limits.calls {
            return Ok(RunEnd { usage, ..RunEnd::incomplete("tool_calls") });
        }
        let results = run(out, tools, own.iter().map(|(call, _)| call)).await;
        for ((call, waiting), ToolOutcome { mut text, is_error }) in own.iter().zip(results) {
            truncate(&mut text, limits.result_bytes);
            out.result(&call.id, &text).await;
            rounds.fill(&waiting.id, &text, is_error);
        }
        // The client has to answer the other calls before the model can go on.
        if !others.is_empty() {
            return Ok(RunEnd { usage, ..end });
        }
        let mut losses = Losses::default();
        json = rounds.next_request(&mut RandomIds, &mut losses).map_err(convert)?;
        out.add_losses(&losses);
    }
    Ok(RunEnd { usage, ..RunEnd::incomplete("max_rounds") })
}

/// The bytes of an answer, which are also read into its snapshot.
struct Tee {
    bytes: ModelBytes,
    reader: Arc<Mutex<AnyReader>>,
}

impl Stream for Tee {
    type Item = Result<Bytes, CallError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let chunk = ready!(Pin::new(&mut self.bytes).poll_next(context));
        if let Some(Ok(bytes)) = &chunk {
            self.reader.lock().unwrap_or_else(PoisonError::into_inner).push(bytes);
        }
        Poll::Ready(chunk)
    }
}

/// Returns the answer that was read.
fn snapshot(reader: &Mutex<AnyReader>) -> String {
    let mut reader = reader.lock().unwrap_or_else(PoisonError::into_inner);
    std::mem::take(&mut *reader).finish().snapshot.to_json()
}

/// Returns the calls of an answer as they were passed on, each with the call that waits in the
/// request. Both have the order of the answer.
fn pair(
    passed: Vec<ForwardedCall>,
    waiting: Vec<WaitingCall>,
) -> Vec<(ForwardedCall, WaitingCall)> {
    if passed.len() == waiting.len() {
        return passed.into_iter().zip(waiting).collect();
    }
    let mut by_id: BTreeMap<String, WaitingCall> =
        waiting.into_iter().map(|call| (call.id.clone(), call)).collect();
    let of_passed = |call: ForwardedCall| by_id.remove(&call.id).map(|waiting| (call, waiting));
    passed.into_iter().filter_map(of_passed).collect()
}

/// Cuts a text off after at most so many bytes.
fn truncate(text: &mut String, bytes: usize) {
    let end = (0..=bytes.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    text.truncate(end.unwrap_or_default());
}

/// The result of a tool, for the client and the model.
struct ToolOutcome {
    text: String,
    is_error: bool,
}

impl ToolOutcome {
    fn error(message: &str) -> Self {
        ToolOutcome { text: ["Error: ", message].concat(), is_error: true }
    }
}

/// A tool that runs, or its result.
enum ToolRun<'c> {
    Running(&'c str, ToolFuture),
    Ended(ToolOutcome),
}

/// Runs the tools of calls at the same time. Returns their results in the order of the calls.
async fn run<'c>(
    out: &Out,
    tools: &Tools,
    calls: impl Iterator<Item = &'c ForwardedCall>,
) -> Vec<ToolOutcome> {
    let start = |call: &'c ForwardedCall| {
        let arguments = if call.arguments.trim().is_empty() { "{}" } else { &call.arguments };
        match (tools.0.get(&call.name), Value::parse(arguments, Limits::default().json_depth)) {
            (Some(tool), Ok(arguments)) => ToolRun::Running(&call.name, (tool.run)(arguments)),
            _ => ToolRun::Ended(ToolOutcome::error("the arguments are not JSON")),
        }
    };
    let mut runs: Vec<_> = calls.map(start).collect();
    poll_fn(|context| {
        for run in &mut runs {
            if let ToolRun::Running(name, future) = run
                && let Poll::Ready(done) = future.as_mut().poll(context)
            {
                *run = ToolRun::Ended(match done {
                    Ok(text) => ToolOutcome { text, is_error: false },
                    Err(error) => ToolOutcome::error(&out.report_tool_error(name, &*error)),
                });
            }
        }
        let has_ended = runs.iter().all(|run| matches!(run, ToolRun::Ended(_)));
        if has_ended { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    let results = runs.into_iter().map(|run| match run {
        ToolRun::Ended(result) => Some(result),
        ToolRun::Running(..) => None,
    });
    results.flatten().collect()
}
