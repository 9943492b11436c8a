//! How messages and runs end.

use alloc::string::String;
use alloc::vec::Vec;

use super::kind::EndStatus;
use crate::core::report::Report;
use crate::core::violation::Severity;
use crate::json::Value;

/// How a message ends, with the fields that are known only then.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MessageEnd {
    /// The status.
    pub status: EndStatus,
    /// The error of a message that failed.
    pub error: Option<EndError>,
    /// Error code of a message of type error.
    pub code: Option<String>,
    /// Error text of a message of type error.
    pub message: Option<String>,
    /// Tokens used: an object.
    pub usage: Option<Value>,
    /// Free metadata: an object.
    pub metadata: Option<Value>,
}

impl MessageEnd {
    /// Creates an end with a status.
    pub fn new(status: EndStatus) -> Self {
        MessageEnd { status, error: None, code: None, message: None, usage: None, metadata: None }
    }
}

/// How a run ends.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RunEnd {
    /// The status.
    pub status: EndStatus,
    /// The error of a run that failed or was rejected.
    pub error: Option<EndError>,
    /// The short reason of a run that is incomplete.
    pub reason: Option<String>,
    /// The result of the run: any JSON.
    pub result: Option<Value>,
    /// The calls that wait for the client, where the source names them.
    pub pending: Vec<String>,
    /// Tokens used: an object.
    pub usage: Option<Value>,
}

/// Why a message or run failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct EndError {
    /// An error code, if the source has one.
    pub code: Option<String>,
    /// A text for people.
    pub message: String,
}

impl RunEnd {
    /// The reason of a run whose source stopped before its end.
    pub const CUT_OFF: &'static str = "eof";

    /// Creates an end with a status.
    pub fn new(status: EndStatus) -> Self {
        RunEnd { status, error: None, reason: None, result: None, pending: Vec::new(), usage: None }
    }

    /// Whether the run may wait for answers to its questions. A run that failed does not wait, and a run that was cut
    /// off may have had more questions.
    pub(crate) fn may_ask(&self) -> bool {
        matches!(self.status, EndStatus::Completed | EndStatus::Incomplete) && !self.is_cut_off()
    }

    /// Whether the run has ended to wait for an answer, where a question is open.
    pub(crate) fn waits(&self) -> bool {
        const WAITS: [&str; 3] = ["interrupt", "input-required", "auth-required"];
        self.status == EndStatus::Incomplete
            && self.reason.as_deref().is_none_or(|reason| WAITS.contains(&reason))
    }

    /// Whether the source stopped before its end.
    pub(crate) fn is_cut_off(&self) -> bool {
        self.status == EndStatus::Incomplete && self.reason.as_deref() == Some(Self::CUT_OFF)
    }

    /// Returns the calls that wait for the client as a list, or `None` if the list is empty.
    pub(crate) fn pending_list(&self) -> Option<Value> {
        (!self.pending.is_empty()).then(|| Value::list_of(&self.pending))
    }

    /// Creates the end of a run that failed.
    pub fn failed(code: Option<&str>, message: impl Into<String>) -> Self {
        let error = EndError { code: code.map(Into::into), message: message.into() };
        RunEnd { error: Some(error), ..Self::new(EndStatus::Failed) }
    }

    /// Creates the end of an incomplete run with a reason.
    pub fn incomplete(reason: impl Into<String>) -> Self {
        RunEnd { reason: Some(reason.into()), ..Self::new(EndStatus::Incomplete) }
    }

    /// Creates the end of a run whose source stopped before its end: it was aborted or cut off.
    pub(super) fn stopped(is_aborted: bool) -> Self {
        if is_aborted { Self::new(EndStatus::Canceled) } else { Self::incomplete(Self::CUT_OFF) }
    }

    /// Creates the end of a stream that its reader has refused.
    pub(super) fn refused(report: &Report) -> Self {
        let gravest = report.violations.iter().find(|violation| violation.rule.severity == Severity::Error);
        let mut message = String::from("The upstream could not be read: ");
        message += gravest.map_or("it broke its protocol", |violation| violation.rule.recovery);
        message.push('.');
        Self::failed(Some("UPSTREAM_REFUSED"), message)
    }
}
