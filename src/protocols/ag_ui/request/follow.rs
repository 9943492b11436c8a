//! Requests that follow a stream: the next turn, answers to calls, and answers to interrupts.
//! (B.8.)

use alloc::{string::String, vec::Vec};

use super::{InputMessage, ResumeEntry, RunAgentInput};
use crate::core::declare::model::member::object_to_json;
use crate::core::request::{self, InvalidRequest};
use crate::core::violation::excerpt;
use crate::core::{IdSource, UsageError};
use crate::json::{Value, decimal, write_list};
use crate::protocols::ag_ui::Snapshot;

impl RunAgentInput {
    /// Creates a request that continues the thread after a stream, with the messages and the state
    /// of the stream, and the tools, the context and the properties of this request. The caller
    /// adds the new messages to `messages`.
    ///
    /// Fails if the stream has left a message that cannot be sent: one of a user or a tool without
    /// content.
    pub fn after(&self, run_id: impl Into<String>, turn: &Snapshot) -> Result<Self, UsageError> {
        let mut messages = String::new();
        write_list(&turn.messages, &mut messages, |message, out| {
            out.push_str(&object_to_json(message))
        });
        let messages = Value::parse(&messages, u32::MAX).unwrap_or_default();
        let messages = request::read(messages, Some("messages")).map_err(|problems| {
            let problem = InvalidRequest::new(problems).text();
            UsageError::new(
                "message-not-sendable",
                problem,
                "leave the message out, or give it what it lacks",
            )
        })?;
        Ok(RunAgentInput {
            run_id: run_id.into(),
            parent_run_id: None,
            state: turn.state.to_value(),
            messages,
            resume: Vec::new(),
            ..self.clone()
        })
    }

    /// Creates a request that answers the calls that a stream left to the client, in the order of
    /// the calls. `answers` are call ids with the outputs of the tools.
    ///
    /// Fails if an answer is missing, if there is one too many, or if the stream left no calls.
    pub fn tool_answers<I: AsRef<str>, A: Into<String>>(
        &self,
        run_id: impl Into<String>,
        turn: &Snapshot,
        answers: impl IntoIterator<Item = (I, A)>,
        ids: &mut impl IdSource,
    ) -> Result<Self, UsageError> {
        let results =
            request::answers_in_order(&turn.pending_tool_call_ids, answers, "tool_answers()")?;
        let mut next = self.after(run_id, turn)?;
        for (call, answer) in results {
            next.messages.push(InputMessage::tool(ids.next_id("msg_"), call, answer));
        }
        Ok(next)
    }

    /// Creates a request that answers all interrupts of the agent. `now` is the time in
    /// milliseconds since 1970: an expired interrupt can only be cancelled.
    ///
    /// Fails if an interrupt does not have an answer, if an answer does not have an interrupt, or
    /// if an answer is too late.
    pub fn resuming(
        &self,
        run_id: impl Into<String>,
        turn: &Snapshot,
        entries: Vec<ResumeEntry>,
        now: i64,
    ) -> Result<Self, UsageError> {
        check_resume(&turn.pending_interrupts, &entries, now)?;
        let mut next = self.after(run_id, turn)?;
        next.resume = entries;
        Ok(next)
    }
}

/// Checks that answers are to all open interrupts, to no others, and in time. Errors have the
/// official client's messages.
fn check_resume(open: &Value, entries: &[ResumeEntry], now: i64) -> Result<(), UsageError> {
    let open = match open {
        Value::Array(open) => &open[..],
        _ => &[],
    };
    let text = |interrupt: &Value, name: &str| {
        interrupt.get(name).and_then(Value::as_str).map(String::from)
    };
    let ids: Vec<String> = open.iter().filter_map(|interrupt| text(interrupt, "id")).collect();
    let named = |id: &str| entries.iter().find(|entry| entry.interrupt_id == id);
    let missing: Vec<&str> = ids.iter().map(|id| &**id).filter(|id| named(id).is_none()).collect();
    if !missing.is_empty() {
        let count = decimal(missing.len() as i64);
        return Err(UsageError::new(
            "answer-missing",
            [
                "Thread has ",
                &count,
                " pending interrupt(s) not addressed by resume: ",
                &excerpt(&missing.join(", ")),
            ]
            .concat(),
            "answer all of `pendingInterrupts` in one request, or cancel them",
        ));
    }
    let answered = entries.iter().map(|entry| &*entry.interrupt_id);
    let unknown: Vec<&str> = answered.filter(|id| !ids.iter().any(|open| open == id)).collect();
    if !unknown.is_empty() {
        return Err(UsageError::new(
            "not-pending",
            ["responses reference unknown interrupt ids: ", &excerpt(&unknown.join(", "))].concat(),
            "answer what is in `pendingInterrupts`",
        ));
    }
    for interrupt in open {
        let (Some(id), Some(until)) = (text(interrupt, "id"), text(interrupt, "expiresAt")) else {
            continue;
        };
        let is_late = milliseconds(&until).is_some_and(|until| until <= now);
        if is_late && named(&id).is_some_and(|entry| entry.status != "cancelled") {
            return Err(UsageError::new(
                "interrupt-expired",
                [
                    "Interrupt ",
                    &excerpt(&id),
                    " expired at ",
                    &excerpt(&until),
                    " and can no longer be answered.",
                ]
                .concat(),
                "cancel it to continue the thread",
            ));
        }
    }
    Ok(())
}

/// Parses a time like `2026-01-31T23:59:59.999+01:00` to milliseconds since 1970. Seconds and their
/// fraction are optional; `Z` or no offset means UTC. A day alone is its beginning. Returns `None`
/// for anything else.
fn milliseconds(text: &str) -> Option<i64> {
    let (day, time) = text.split_once(['T', ' ']).unwrap_or((text, "00:00Z"));
    let mut parts = day.splitn(3, '-');
    let year = number(parts.next()?, 4)?;
    let month = number(parts.next()?, 2).filter(|month| (1..=12).contains(month))?;
    let day = number(parts.next()?, 2).filter(|day| (1..=31).contains(day))?;
    let (time, offset) = match time.find(['Z', 'z', '+', '-']) {
        None => (time, 0),
        Some(at) => (time.get(..at)?, offset(time.get(at..)?)?),
    };
    let mut parts = time.splitn(3, ':');
    let hour = number(parts.next()?, 2).filter(|hour| *hour <= 24)?;
    let minute = number(parts.next()?, 2).filter(|minute| *minute < 60)?;
    let (second, fraction) = parts.next().map_or(Some((0, 0)), |seconds| {
        let (whole, fraction) = seconds.split_once('.').unwrap_or((seconds, "0"));
        let thousandths: String = fraction.chars().chain("000".chars()).take(3).collect();
        Some((number(whole, 2).filter(|second| *second <= 60)?, number(&thousandths, 3)?))
    })?;
    let minutes = (days(year, month, day) * 24 + hour) * 60 + minute - offset;
    Some((minutes * 60 + second) * 1000 + fraction)
}

/// Returns the minutes that a clock is ahead of UTC.
fn offset(text: &str) -> Option<i64> {
    let sign = match text.get(..1)? {
        "Z" | "z" => return (text.len() == 1).then_some(0),
        "+" => 1,
        _ => -1,
    };
    let (hours, minutes) = text.get(1..)?.split_once(':')?;
    Some(sign * (number(hours, 2)? * 60 + number(minutes, 2)?))
}

fn number(digits: &str, length: usize) -> Option<i64> {
    let is_plain = digits.len() == length && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_plain.then(|| digits.parse().ok())?
}

/// Returns the days since 1970. Years begin in March here, so that a leap day is the last of its
/// year.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let of_year = (153 * month + 2) / 5 + day - 1;
    const OF_1970: i64 = 719_468;
    365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + of_year
        - OF_1970
}
