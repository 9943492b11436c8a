//! Rust in the browser and in edge workers: reads and creates the `Response` of the JavaScript
//! host, and converts answers to its objects.
//!
//! ```no_run
//! use agentwire::adapters::web;
//! use agentwire::emit::{EmitOptions, emit};
//! use agentwire::ProtocolKind;
//! use agentwire::{AnyReader, agent_api::request::AgentRequest};
//! use web_sys::Response;
//! use web_sys::wasm_bindgen::JsValue;
//!
//! /// What a page shows of an answer that it has fetched.
//! async fn show(response: Response) -> Result<JsValue, JsValue> {
//!     let mut run = web::read(&response, AnyReader::new())?;
//!     while let Some(changes) = run.next_changes().await? {
//!         drop(changes); // draw them
//!     }
//!     web::to_js(&run.finish())
//! }
//!
//! /// What an edge worker answers.
//! fn answer(asked: JsValue) -> Result<Response, JsValue> {
//!     let request: AgentRequest = web::from_js(asked)?;
//!     let options = EmitOptions::random(ProtocolKind::AgentApi, web::now)
//!         .write(|write| write.session_id(request.session_id.unwrap_or_default()));
//!     let emission = emit(options, async |out| {
//!         out.text("Hello").await;
//!         Ok(())
//!     });
//!     web::respond(emission.map_err(|misuse| misuse.to_string())?)
//! }
//! ```

use std::boxed::Box;
use std::fmt;
use std::pin::Pin;
use std::string::String;
use std::task::{Context, Poll};
use std::vec::Vec;

use futures_core::Stream;
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_streams::ReadableStream;
use wasm_streams::readable::IntoStream;
use web_sys::js_sys::{Date, Error, Uint8Array};
use web_sys::wasm_bindgen::{JsCast, JsValue};
use web_sys::{Headers, Response, ResponseInit};

use super::futures::{PushReader, Updates, read_stream};

pub use tsify::{Ts, Tsify};

pub mod types;

/// Reads the body of a response.
///
/// # Errors
///
/// An `Error` of the host for a response with an error status, whose body is left to the caller,
/// and for a response without a body.
pub fn read<R: PushReader>(response: &Response, reader: R) -> Result<Updates<Chunks, R>, JsValue> {
    if !response.ok() {
        let sentence =
            std::format!("the server answered {} {}", response.status(), response.status_text());
        return Err(Error::new(&sentence).into());
    }
    let body =
        response.body().ok_or_else(|| JsValue::from(Error::new("the response has no body")))?;
    Ok(read_stream(chunks(body)?, reader))
}

/// Returns the bytes of a stream of the host. Dropping them cancels the stream.
///
/// # Errors
///
/// An `Error` of the host for a stream that is locked.
pub fn chunks(body: web_sys::ReadableStream) -> Result<Chunks, JsValue> {
    let stream = ReadableStream::from_raw(body).try_into_stream();
    stream.map(Chunks).map_err(|(error, _)| error.into())
}

/// The bytes of a stream of the host, chunk by chunk.
pub struct Chunks(IntoStream<'static>);

impl Stream for Chunks {
    type Item = Result<Vec<u8>, JsValue>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let bytes = |chunk: JsValue| match chunk.dyn_into::<Uint8Array>() {
            Ok(chunk) => Ok(chunk.to_vec()),
            Err(_) => Err(Error::new("a chunk of the stream is not a Uint8Array").into()),
        };
        Pin::new(&mut self.0)
            .poll_next(context)
            .map(|chunk| chunk.map(|chunk| chunk.and_then(bytes)))
    }
}

impl fmt::Debug for Chunks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chunks").finish_non_exhaustive()
    }
}

/// Creates a response from a stream of server-sent events: the stream of
/// [`emit`](crate::emit::emit), or any other stream of whole events. It is polled when the client reads, and dropped when the client goes.
///
/// # Errors
///
/// The error of the host if it cannot create the response.
pub fn respond<S: Stream<Item = String> + 'static>(events: S) -> Result<Response, JsValue> {
    let headers = Headers::new()?;
    headers.set("content-type", "text/event-stream; charset=utf-8")?;
    headers.set("cache-control", "no-cache, no-transform")?;
    headers.set("x-accel-buffering", "no")?;
    let init = ResponseInit::new();
    init.set_headers(&headers);
    let body = ReadableStream::from_stream(EncodedFrames(Box::pin(events))).into_raw();
    Response::new_with_opt_readable_stream_and_init(Some(&body), &init)
}

struct EncodedFrames<S>(Pin<Box<S>>);

impl<S: Stream<Item = String>> Stream for EncodedFrames<S> {
    type Item = Result<JsValue, JsValue>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let encode = |text: String| Ok(Uint8Array::from(text.as_bytes()).into());
        self.0.as_mut().poll_next(context).map(|text| text.map(encode))
    }
}

/// Converts an answer, a part of one, a report or a request to an object of the host, with the
/// members of its JSON. Integers beyond 2^53 become `bigint`s.
///
/// # Errors
///
/// The error of `serde_wasm_bindgen` for a value that it cannot write.
pub fn to_js<T: Serialize + ?Sized>(value: &T) -> Result<JsValue, JsValue> {
    value.serialize(&serde_wasm_bindgen::Serializer::json_compatible()).map_err(Into::into)
}

/// Creates a request, an answer or a report from an object of the host.
///
/// # Errors
///
/// The error of `serde_wasm_bindgen` for an object that is not a `T`.
pub fn from_js<T: DeserializeOwned>(value: JsValue) -> Result<T, JsValue> {
    serde_wasm_bindgen::from_value(value).map_err(Into::into)
}

/// Returns the time of the host, in seconds since 1970: the clock of a builder.
pub fn now() -> i64 {
    (Date::now() / 1000.0) as i64
}
