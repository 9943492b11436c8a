//! The log of an answer: the frames of a protocol as they are sent, or one outcome in place of
//! them, and one entry after them.

use std::borrow::ToOwned as _;
use std::string::{String, ToString as _};
use std::vec;
use std::vec::Vec;

use super::ending::end_frames;
use super::task_frames::failed_frame;
use crate::emit::AnyError;
use crate::json::Value;
use crate::protocols::ProtocolKind;
use crate::protocols::runs::log::StoredEvent;
use crate::threads::{RunFailure, RunScript, now, parsed};

/// The kinds of entries. The last one is not sent. An outcome is in place of frames.
pub(super) const FRAME: &str = "frame";
const OUTCOME: &str = "outcome";
pub(super) const END: &str = "end";

/// The start of the last entry of an answer.
const ENDED: &str = "{\"ended\":";
/// The start of a first frame with the losses that were known before it.
const LOST: &str = ": agentwire-losses ";

/// The outcome of a request that has no frames.
#[derive(Debug)]
pub(super) enum AnswerOutcome {
    /// A response.
    Response { status: u16, headers: Vec<(String, String)>, body: String },
    /// The failure of the service.
    Failure { code: String, message: String },
}

impl AnswerOutcome {
    pub fn to_entry(&self) -> String {
        let json: Value = match self {
            AnswerOutcome::Response { status, headers, body } => {
                let pair = |(name, value): &(String, String)| {
                    Value::Array(vec![name.as_str().into(), value.as_str().into()])
                };
                [
                    ("status", i64::from(*status).into()),
                    ("headers", Value::Array(headers.iter().map(pair).collect())),
                    ("body", body.as_str().into()),
                ]
                .into()
            }
            AnswerOutcome::Failure { code, message } => {
                let failure =
                    [("code", code.as_str().into()), ("message", message.as_str().into())];
                [("failure", failure.into())].into()
            }
        };
        json.to_json()
    }

    /// Returns the outcome in the first entry of an answer, unless it is a frame.
    pub fn of_entry(entry: &str) -> Option<Self> {
        // A frame begins with the name of a field.
        if !entry.starts_with('{') {
            return None;
        }
        let json = parsed(entry);
        if let Some(failure) = json.get("failure") {
            let text = |name| failure.text(name).unwrap_or_default().to_owned();
            return Some(AnswerOutcome::Failure { code: text("code"), message: text("message") });
        }
        let status = match json.get("status") {
            Some(Value::Number(digits)) => digits.parse().unwrap_or(500),
            _ => 500,
        };
        let pair = |pair: &Value| {
            let [name, value] = pair.items() else { return None };
            Some((name.as_str()?.to_owned(), value.as_str()?.to_owned()))
        };
        let headers = json.get("headers").map(Value::items).unwrap_or_default();
        Some(AnswerOutcome::Response {
            status,
            headers: headers.iter().filter_map(pair).collect(),
            body: json.text("body").unwrap_or_default().to_owned(),
        })
    }
}

/// Returns the time in the last entry of an answer.
pub(super) fn end_in(entries: &[StoredEvent]) -> u64 {
    let last = entries.last().map(|entry| parsed(&entry.data)).unwrap_or_default();
    match last.get("ended") {
        Some(Value::Number(digits)) => digits.parse().unwrap_or(0),
        _ => 0,
    }
}

/// Returns the frames in the entries of an answer.
pub(super) fn frames_in<'e>(entries: impl IntoIterator<Item = &'e str>) -> Vec<&'e str> {
    // An outcome, and the end, are JSON.
    entries.into_iter().map(frame_in).filter(|data| !data.starts_with('{')).collect()
}

/// Returns a first frame with the losses that were known before it, in a comment.
pub(super) fn with_losses(frame: &str, losses: Option<&str>) -> String {
    match losses {
        Some(losses) => [LOST, losses, "\n", frame].concat(),
        None => frame.to_owned(),
    }
}

/// Returns the losses in the first entry of an answer.
pub(super) fn losses_in(entry: &str) -> Option<&str> {
    entry.strip_prefix(LOST)?.split('\n').next()
}

/// Returns the frame in an entry, without its losses.
pub(super) fn frame_in(entry: &str) -> &str {
    match entry.strip_prefix(LOST) {
        Some(rest) => rest.split_once('\n').map_or("", |(_, frame)| frame),
        None => entry,
    }
}

/// Returns the data of a frame.
pub(super) fn data_in(frame: &str) -> Value {
    let data = frame.lines().find_map(|line| line.strip_prefix("data: "));
    data.map(parsed).unwrap_or_default()
}

/// The rules for the entries of an answer.
pub(super) struct FrameScript {
    /// The frames so far, on which the end of an answer that was cut off depends.
    frames: Vec<String>,
    /// Whether the agent has sent an outcome.
    has_outcome: bool,
    is_over: bool,
    protocol: ProtocolKind,
    /// The message of A2A, as it was accepted.
    accepted: Option<String>,
}

impl FrameScript {
    /// `stored` are the entries that the run has already.
    pub fn new(protocol: ProtocolKind, stored: &[StoredEvent], accepted: Option<String>) -> Self {
        let (has_outcome, is_over) = (false, false);
        let mut script =
            FrameScript { frames: Vec::new(), has_outcome, is_over, protocol, accepted };
        for entry in stored {
            script.take(&entry.data);
        }
        script
    }

    fn take(&mut self, data: &str) -> &'static str {
        if data.starts_with('{') {
            self.is_over = data.starts_with(ENDED);
            self.has_outcome |= !self.is_over;
            return if self.is_over { END } else { OUTCOME };
        }
        self.frames.push(frame_in(data).to_owned());
        FRAME
    }
}

impl RunScript for FrameScript {
    fn split(&mut self, chunk: String) -> Vec<String> {
        // An outcome is one line of JSON.
        if chunk.starts_with('{') {
            return vec![chunk];
        }
        let frames = chunk.split_inclusive("\n\n");
        let is_frame = |frame: &&str| !frame.starts_with(':') || frame.starts_with(LOST);
        frames.filter(is_frame).map(String::from).collect()
    }

    fn append(&mut self, data: &str) -> Result<String, AnyError> {
        Ok(self.take(data).to_owned())
    }

    fn is_over(&self) -> bool {
        self.is_over
    }

    fn ending(&mut self, failure: Option<RunFailure>, has_ended: bool) -> Vec<String> {
        let end = [ENDED, &now().to_string(), "}"].concat();
        // An agent that has ended has written the end of its protocol, also after a cancellation.
        if self.has_outcome || (!self.frames.is_empty() && (has_ended || failure.is_none())) {
            return vec![end];
        }
        let (code, message) = match failure {
            Some(RunFailure { code, message }) => (code, message),
            None => ("AGENT_FAILED", "the agent has sent nothing"),
        };
        if self.frames.is_empty() {
            let first = match &self.accepted {
                Some(accepted) => failed_frame(accepted, code, message),
                None => {
                    let (code, message) = (code.into(), message.into());
                    AnswerOutcome::Failure { code, message }.to_entry()
                }
            };
            return vec![first, end];
        }
        let mut frames = end_frames(self.protocol, &self.frames, code, message);
        frames.push(end);
        frames
    }
}
