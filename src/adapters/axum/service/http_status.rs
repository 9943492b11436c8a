//! The HTTP status of a response to a request whose agent has failed before its first output.

use std::error::Error;
use std::string::String;

use super::super::HttpRefusal;

/// The HTTP status of a response to a request whose agent has failed before its first output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpStatus {
    /// The status.
    pub status: u16,
    /// The type of the error in the protocols that have types. Default: that of the status.
    pub kind: Option<String>,
    /// The member of the request that is wrong, in the protocols that name it.
    pub param: Option<String>,
    /// The value of `Retry-After`.
    pub retry_after: Option<String>,
}

impl HttpStatus {
    /// Creates a status without details.
    pub fn new(status: u16) -> Self {
        HttpStatus { status, kind: None, param: None, retry_after: None }
    }

    /// Returns the refusal with this status.
    pub(super) fn refusal(
        self,
        code: impl Into<String>,
        message: impl Into<String>,
    ) -> HttpRefusal {
        let HttpStatus { status, kind, param, retry_after } = self;
        HttpRefusal { kind, param, retry_after, ..HttpRefusal::new(status, code, message) }
    }
}

/// Returns the status of an upstream that has refused a request.
pub(super) fn upstream_status(error: &(dyn Error + 'static)) -> Option<HttpStatus> {
    #[cfg(feature = "reqwest")]
    {
        let mut cause = Some(error);
        while let Some(error) = cause {
            if let Some(http) = error.downcast_ref::<crate::adapters::reqwest::HttpError>() {
                return http.is_error_status().then(|| HttpStatus {
                    retry_after: http.retry_after().map(String::from),
                    ..HttpStatus::new(http.status.as_u16())
                });
            }
            cause = error.source();
        }
    }
    let _ = error;
    None
}
