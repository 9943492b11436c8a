//! The answers to requests that are refused, or fail.

use std::string::String;

use axum_core::body::Body;
use axum_core::response::{IntoResponse, Response};
use http::HeaderValue;

use crate::protocols::runs::problem::{Code, RefusedRequest};
use crate::threads::Refusal;

/// Returns the response of a refusal; `report` receives the errors that clients do not.
pub(super) fn respond(
    refusal: Refusal,
    report: impl FnOnce(&(dyn std::error::Error + 'static)),
) -> Response {
    let refusal = match refusal {
        Refusal::Client(refusal) => refusal,
        Refusal::Store(error) => {
            report(&*error);
            RefusedRequest::new(
                Code::StorageUnavailable,
                "the storage is not available, or is full",
            )
        }
        Refusal::Internal(error) => {
            report(&*error);
            RefusedRequest::new(
                Code::Internal,
                "the request has failed; its `x-request-id` identifies the error",
            )
        }
    };
    let mut response = with(refusal.code.status(), "application/problem+json", refusal.body());
    let header = match refusal.code {
        Code::Unauthorized => ("www-authenticate", "Bearer"),
        Code::RunActive => ("retry-after", "1"),
        code if matches!(code.status(), 429 | 503) => ("retry-after", "5"),
        _ => return response,
    };
    response.headers_mut().insert(header.0, HeaderValue::from_static(header.1));
    response
}

/// Returns a response that is not stored by caches.
pub(super) fn with(status: u16, kind: &'static str, body: String) -> Response {
    let mut response = Body::from(body).into_response();
    *response.status_mut() = status.try_into().unwrap_or_default();
    response.headers_mut().insert("content-type", HeaderValue::from_static(kind));
    response.headers_mut().insert("cache-control", HeaderValue::from_static("no-store"));
    response
}
