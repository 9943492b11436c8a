//! The log of a thread, whose entries JavaScript stores, and the requests to a service.

use alloc::string::String;

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::core::request::to_json;
use crate::json::Value;
use crate::protocols::runs::cursor::Cursor;
use crate::protocols::runs::log::{
    LogWriter, StoredEvent, Subscription, SubscriptionEnd, run_error,
};
use crate::protocols::runs::problem::{Code, RefusedRequest};
use crate::protocols::runs::request::{CancelQuery, EventsQuery, HistoryQuery, RunInput};

/// Checks the events of one run before they are stored.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawRunWriter(LogWriter);

#[wasm_bindgen]
impl RawRunWriter {
    /// `has_begun`: whether the log already contains the start of the run.
    #[wasm_bindgen(constructor)]
    pub fn new(run_id: &str, has_begun: bool) -> RawRunWriter {
        RawRunWriter(if has_begun { LogWriter::running(run_id) } else { LogWriter::new(run_id) })
    }

    /// Checks an event before it is stored. Returns its type.
    pub fn append(&mut self, data: &str) -> Result<String, JsValue> {
        Ok(self.0.append(data)?)
    }

    #[wasm_bindgen(js_name = isOver)]
    pub fn is_over(&self) -> bool {
        self.0.is_over()
    }
}

/// Returns the terminal event of a run that cannot continue, as JSON.
#[wasm_bindgen(js_name = runErrorEvent)]
pub fn run_error_event(code: &str, message: &str) -> String {
    run_error(code, message)
}

/// Parses a cursor. Returns its number, or -1 if it is not a cursor of this generation.
#[wasm_bindgen(js_name = cursorNumber)]
pub fn cursor_number(text: &str, generation: &str) -> f64 {
    match Cursor::parse(text) {
        Ok(cursor) if cursor.generation == generation => cursor.number as f64,
        _ => -1.0,
    }
}

/// Selects the events for one connection.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawSubscription {
    reader: Subscription,
    out: String,
}

#[wasm_bindgen]
impl RawSubscription {
    /// Starts after a number of the log.
    #[wasm_bindgen(constructor)]
    pub fn new(run_id: &str, generation: &str, after: f64, idle_limit: u32) -> RawSubscription {
        let after = Cursor { generation: generation.into(), number: after as u64 };
        RawSubscription { reader: Subscription::new(run_id, after, idle_limit), out: String::new() }
    }

    /// Processes the next entry of the log.
    pub fn read(&mut self, number: f64, run_id: &str, kind: &str, data: &str) {
        let entry = StoredEvent {
            number: number as u64,
            run_id: run_id.into(),
            kind: kind.into(),
            data: data.into(),
        };
        self.reader.read(&entry, &mut self.out);
    }

    /// Processes an interval without entries.
    pub fn idle(&mut self) {
        self.reader.idle(&mut self.out);
    }

    /// Returns the frames to send, when the log has no further entry for now.
    pub fn flush(&mut self) -> String {
        self.reader.flush(&mut self.out);
        core::mem::take(&mut self.out)
    }

    /// Returns the number of the last entry that was processed.
    pub fn after(&self) -> f64 {
        self.reader.after() as f64
    }

    /// Returns 0 while the connection continues, 1 after the end of the run, 2 when it was idle for
    /// too long.
    pub fn end(&self) -> u32 {
        match self.reader.end() {
            None => 0,
            Some(SubscriptionEnd::Terminal) => 1,
            Some(SubscriptionEnd::Idle) => 2,
        }
    }
}

// Requests to a service, and its refusals.

/// Parses the body of `POST /runs`. Returns JSON: `[request]`, or the error, an object with
/// `status`, `contentType`, `body`, `message` and `problems`.
#[wasm_bindgen(js_name = parseRunInput)]
pub fn parse_run_input(body: &str) -> String {
    parsed(RunInput::parse(body).map(|input| to_json(&input, true)))
}

/// Converts a request to the form that the service accepts. Returns JSON: `["…"]` with the body, or
/// the error.
#[wasm_bindgen(js_name = writeRunInput)]
pub fn write_run_input(json: &str) -> String {
    parsed(
        RunInput::parse(json)
            .and_then(|input| input.to_json())
            .map(|body| Value::String(body).to_json()),
    )
}

/// Parses the query of the events, a JSON object of strings. Returns `[query]`, or the error.
#[wasm_bindgen(js_name = parseRunEventsQuery)]
pub fn parse_run_events_query(json: &str) -> String {
    parsed(EventsQuery::parse(json).map(|query| to_json(&query, false)))
}

/// Parses the query of a cancellation.
#[wasm_bindgen(js_name = parseRunCancelQuery)]
pub fn parse_run_cancel_query(json: &str) -> String {
    parsed(CancelQuery::parse(json).map(|query| to_json(&query, false)))
}

/// Parses the query of the history.
#[wasm_bindgen(js_name = parseRunHistoryQuery)]
pub fn parse_run_history_query(json: &str) -> String {
    parsed(HistoryQuery::parse(json).map(|query| to_json(&query, true)))
}

/// Returns the error with a code; an internal error for an unknown code.
#[wasm_bindgen(js_name = runsRefusal)]
pub fn runs_refusal(code: &str, detail: &str) -> String {
    RefusedRequest::new(Code::named(code).unwrap_or(Code::Internal), String::from(detail)).to_json()
}

fn parsed(read: Result<String, RefusedRequest>) -> String {
    match read {
        Ok(json) => ["[", &json, "]"].concat(),
        Err(refusal) => refusal.to_json(),
    }
}
