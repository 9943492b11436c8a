//! Requests to a service, and its refusals.

use alloc::string::String;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::core::request::to_json;
use crate::json::Value;
use crate::protocols::runs::problem::{Code, Refusal};
use crate::protocols::runs::request::{CancelQuery, EventsQuery, HistoryQuery, RunInput};

/// Reads the body of `POST /runs`. Gives JSON: `[request]`, or the refusal, an object with `status`, `contentType`, `body`,
/// `message` and `problems`.
#[wasm_bindgen(js_name = parseRunInput)]
pub fn parse_run_input(body: &str) -> String {
    told(RunInput::parse(body).map(|input| to_json(&input, true)))
}

/// A request as the service takes it. Gives JSON: `["…"]` with the body, or the refusal.
#[wasm_bindgen(js_name = writeRunInput)]
pub fn write_run_input(json: &str) -> String {
    told(RunInput::parse(json).and_then(|input| input.to_json()).map(|body| Value::String(body).to_json()))
}

/// Reads the query of the events, as a JSON object of strings. Gives the same.
#[wasm_bindgen(js_name = parseRunEventsQuery)]
pub fn parse_run_events_query(json: &str) -> String {
    told(EventsQuery::parse(json).map(|query| to_json(&query, false)))
}

/// Reads the query of a cancellation.
#[wasm_bindgen(js_name = parseRunCancelQuery)]
pub fn parse_run_cancel_query(json: &str) -> String {
    told(CancelQuery::parse(json).map(|query| to_json(&query, false)))
}

/// Reads the query of the history.
#[wasm_bindgen(js_name = parseRunHistoryQuery)]
pub fn parse_run_history_query(json: &str) -> String {
    told(HistoryQuery::parse(json).map(|query| to_json(&query, true)))
}

/// The refusal with that code, or for a code that there is not, an internal error.
#[wasm_bindgen(js_name = runsRefusal)]
pub fn runs_refusal(code: &str, detail: &str) -> String {
    Refusal::new(Code::named(code).unwrap_or(Code::Internal), String::from(detail)).to_json()
}

fn told(read: Result<String, Refusal>) -> String {
    match read {
        Ok(json) => ["[", &json, "]"].concat(),
        Err(refusal) => refusal.to_json(),
    }
}
