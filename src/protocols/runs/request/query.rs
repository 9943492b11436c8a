//! The declaration of the queries of requests. (C.1.)

use alloc::{string::String, vec::Vec};

use super::input::{is_uuid, run_id_fault};
use crate::core::request::{self, Diagnostics, Fault, Problem};
use crate::core::requests;
use crate::protocols::runs::problem::{Code, RefusedRequest};

requests! {
    objects {
        /// The query of `GET /runs/{thread_id}/events`.
        EventsQuery as "RunEventsQuery" with check_query {
            /// The id of the run whose events are sent.
            run_id as "runId": String,
            /// The number of idle periods after which the connection is closed, 1 to 3600.
            idle_limit: i64 [Default, Within(1, 3600)] = 300,
        }
        /// The query of `POST /runs/{thread_id}/cancel`.
        CancelQuery as "RunCancelQuery" with check_query {
            /// The id of the run to stop.
            run_id as "runId": String,
        }
        /// The query of `GET /history`.
        HistoryQuery as "RunHistoryQuery" with check_query {
            /// The id of the conversation. Absent means the user's latest conversation.
            thread_id as "threadId": Option<String>,
            /// A day, `YYYY-MM-DD`: selects the nearest earlier day that has messages. Absent means
            /// the latest day.
            before: Option<String>,
        }
    }
}

impl EventsQuery {
    /// Parses the query, a JSON object of strings. Returns [`Code::InvalidRunId`] or
    /// [`Code::PayloadInvalid`] if it is invalid.
    pub fn parse(json: &str) -> Result<Self, RefusedRequest> {
        parse(json)
    }

    fn check_query(&self, diagnostics: &mut Diagnostics) {
        check_run_id(&self.run_id, diagnostics);
    }
}

impl CancelQuery {
    /// Parses the query, a JSON object of strings. Returns [`Code::InvalidRunId`] if it is invalid.
    pub fn parse(json: &str) -> Result<Self, RefusedRequest> {
        parse(json)
    }

    fn check_query(&self, diagnostics: &mut Diagnostics) {
        check_run_id(&self.run_id, diagnostics);
    }
}

impl HistoryQuery {
    /// Parses the query, a JSON object of strings. Returns [`Code::PayloadInvalid`] or
    /// [`Code::ThreadIdInvalid`] if it is invalid.
    pub fn parse(json: &str) -> Result<Self, RefusedRequest> {
        parse(json)
    }

    fn check_query(&self, diagnostics: &mut Diagnostics) {
        if let Some(id) = self.thread_id.as_deref().filter(|id| !is_uuid(id)) {
            let fault = Fault::Other("uuid_parsing", "Input should be a valid UUID");
            diagnostics.note_member("threadId", fault, &id.into());
        }
        if let Some(day) = self.before.as_deref().filter(|day| !is_day(day)) {
            let fault = Fault::Other("date_parsing", "Input should be a day such as 2026-03-19");
            diagnostics.note_member("before", fault, &day.into());
        }
    }
}

fn parse<T: request::Typed>(json: &str) -> Result<T, RefusedRequest> {
    let query: T = super::read(json).map_err(refusal)?;
    let problems = request::check(&query, None);
    if problems.is_empty() { Ok(query) } else { Err(refusal(problems)) }
}

fn check_run_id(id: &str, diagnostics: &mut Diagnostics) {
    if let Some(fault) = run_id_fault(id) {
        diagnostics.note_member("runId", fault, &id.into());
    }
}

/// Returns the refusal. Each parameter has a code; that of the run has precedence.
fn refusal(problems: Vec<Problem>) -> RefusedRequest {
    let is_of = |name: &str| problems.iter().any(|problem| problem.path() == name);
    let code = match () {
        () if is_of("runId") => Code::InvalidRunId,
        () if is_of("threadId") => Code::ThreadIdInvalid,
        () => Code::PayloadInvalid,
    };
    RefusedRequest::of(code, problems)
}

/// Returns whether the text is a day of the calendar, in the form `YYYY-MM-DD`.
fn is_day(text: &str) -> bool {
    let is_written = text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    let number = |from, to| {
        text.get(from..to).and_then(|digits: &str| digits.parse::<u32>().ok()).unwrap_or(0)
    };
    let (year, month, day) = (number(0, 4), number(5, 7), number(8, 10));
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    is_written && (1..=days).contains(&day)
}
