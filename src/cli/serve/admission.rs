//! The limits of a request before it is handled: the size of its head, and the size and time of its
//! body.

use std::sync::Arc;

use agentwire::adapters::axum::HttpRefusal;
use axum::body::Bytes;
use axum::extract::{FromRequest as _, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;

use super::coding::{ACCEPTED, decoded};
use super::limits::Limits;
use super::refused;

/// Refuses a request whose head is too long.
pub async fn head(State(limits): State<Arc<Limits>>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let lengths = headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4);
    let target = request.uri().path_and_query().map_or(0, |target| target.as_str().len());
    let length = lengths.sum::<usize>() + target;
    let message = if length > limits.max_head_bytes {
        format!("the head of a request has at most {} bytes", limits.max_head_bytes)
    } else if headers.len() > limits.max_headers {
        format!("a request has at most {} headers", limits.max_headers)
    } else {
        return next.run(request).await;
    };
    refused(&HttpRefusal::new(431, "head_too_long", message), request.uri().path())
}

/// Reads the body of a request before it is handled, and removes its content coding.
pub async fn body(State(limits): State<Arc<Limits>>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let whole = Request::from_parts(parts.clone(), body);
    let refusal =
        match tokio::time::timeout(limits.body_timeout, Bytes::from_request(whole, &())).await {
            Ok(Ok(bytes)) => match decoded(&mut parts.headers, bytes, limits.max_body_bytes) {
                Ok(bytes) => return next.run(Request::from_parts(parts, bytes.into())).await,
                Err(refusal) => {
                    let mut response = refused(&refusal, parts.uri.path());
                    if refusal.status == 415 {
                        let accepted = HeaderValue::from_static(ACCEPTED);
                        response.headers_mut().insert(header::ACCEPT_ENCODING, accepted);
                    }
                    return response;
                }
            },
            Ok(Err(rejection)) => {
                let too_long = rejection.status() == StatusCode::PAYLOAD_TOO_LARGE;
                let code = if too_long { "body_too_long" } else { "body_unreadable" };
                HttpRefusal::new(rejection.status().as_u16(), code, rejection.body_text())
            }
            Err(_) => {
                let seconds = limits.body_timeout.as_secs();
                let message = format!("the body has to arrive within {seconds} seconds");
                HttpRefusal::new(408, "body_timeout", message)
            }
        };
    refused(&refusal, parts.uri.path())
}
