//! The reasons why a call of a thread has no answer.

use crate::emit::AnyError;
use crate::protocols::runs::problem::{Code, RefusedRequest};

/// The reason why a call of a thread has no answer.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// The client receives it.
    Client(RefusedRequest),
    /// The store has failed.
    Store(AnyError),
    /// Something else has failed.
    Internal(AnyError),
}

impl From<RefusedRequest> for Refusal {
    fn from(refusal: RefusedRequest) -> Self {
        Refusal::Client(refusal)
    }
}

impl From<AnyError> for Refusal {
    fn from(error: AnyError) -> Self {
        Refusal::Store(error)
    }
}

/// Returns a refusal as an error.
pub(crate) fn reject<T>(code: Code, detail: &'static str) -> Result<T, Refusal> {
    Err(Refusal::Client(RefusedRequest::new(code, detail)))
}
