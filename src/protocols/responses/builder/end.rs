//! The Response object, and how a stream ends.

use alloc::{string::String, vec::Vec};
use core::fmt;

use super::{Stage, StreamBuilder, WireEvent};
use crate::core::UsageError;
use crate::json::{Object, Raw, Value, write_list};
use crate::protocols::responses::rules;

/// How a response ends that is not complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End<'a> {
    Completed,
    /// Code and message.
    Failed(&'a str, &'a str),
    /// Why, if that is known.
    Incomplete(Option<&'a str>),
    Cancelled,
}

impl StreamBuilder {
    /// The response is complete. Refused while an item is open. (O12.)
    pub fn complete(&mut self) -> Result<Vec<WireEvent>, UsageError> {
        const CALL: &str = "complete()";
        self.is_in_progress(CALL)?;
        match self.open {
            0 => Ok(self.end(End::Completed)),
            _ => Err(self.refuse(
                &rules::UNFINISHED,
                CALL,
                "call `end_item()` for each open item, or `finish_with()` (O12)",
            )),
        }
    }

    /// The response has failed. What is open ends incomplete. (O13.)
    pub fn fail(&mut self, code: &str, message: &str) -> Result<Vec<WireEvent>, UsageError> {
        self.is_created("fail()")?;
        Ok(self.end(End::Failed(code, message)))
    }

    /// The response ends before it is complete: `max_output_tokens`, `content_filter`, or any other reason. What is open ends
    /// incomplete. (O13.)
    pub fn incomplete(&mut self, reason: Option<&str>) -> Result<Vec<WireEvent>, UsageError> {
        self.is_created("incomplete()")?;
        Ok(self.end(End::Incomplete(reason)))
    }

    /// Somebody has stopped the response. The protocol has no event for it: the status of an incomplete response says so.
    /// What is open ends incomplete. (O20.)
    pub fn cancel(&mut self) -> Result<Vec<WireEvent>, UsageError> {
        self.is_created("cancel()")?;
        Ok(self.end(End::Cancelled))
    }

    /// Ends the stream from wherever it is: as failed where there is an error to tell (code and message), otherwise
    /// completed, or incomplete while something is open. It cannot fail, and after an end it does nothing.
    #[must_use = "events that are not sent are missing from the stream"]
    pub fn finish_with(&mut self, error: Option<(&str, &str)>) -> Vec<WireEvent> {
        let mut events = Vec::new();
        if self.stage == Stage::Ended {
            return events;
        }
        // Refused where they have been said.
        events.extend(self.created());
        events.extend(self.in_progress());
        events.extend(self.end(match error {
            Some((code, message)) => End::Failed(code, message),
            None if self.open > 0 => End::Incomplete(None),
            None => End::Completed,
        }));
        events
    }

    fn end(&mut self, end: End<'_>) -> Vec<WireEvent> {
        let mut events = self.end_items();
        let (event, status) = match end {
            End::Completed => ("response.completed", "completed"),
            End::Failed(..) => ("response.failed", "failed"),
            End::Incomplete(_) => ("response.incomplete", "incomplete"),
            End::Cancelled => ("response.incomplete", "cancelled"),
        };
        events.push(self.lifecycle(event, status, Some(end)));
        self.stage = Stage::Ended;
        self.items = Vec::new();
        events
    }

    /// What is open ends incomplete.
    pub(in crate::protocols::responses) fn end_items(&mut self) -> Vec<WireEvent> {
        let mut events = Vec::new();
        for item in 0..self.items.len() as u32 {
            if self.items[item as usize].done.is_none() {
                events.extend(self.end_item(item, "incomplete", Value::Null).unwrap_or_default());
            }
        }
        events
    }

    /// An event with the whole response.
    pub(super) fn lifecycle(&mut self, name: &str, status: &str, end: Option<End<'_>>) -> WireEvent {
        let mut response = String::new();
        self.response(&mut response, status, end);
        self.event(name, |object| object.raw("response", Some(Raw(&response))))
    }

    /// The Response object: what the types of the official clients have, and what it was given besides.
    fn response(&self, out: &mut String, status: &str, end: Option<End<'_>>) {
        let mut object = Object::open(out, false);
        object.string("id", Some(&self.id));
        object.string("object", Some("response"));
        object.integer("created_at", Some(self.created_at));
        object.string("status", Some(status));
        match end {
            Some(End::Failed(code, message)) => {
                let mut error = Object::open(object.member("error"), false);
                error.string("code", Some(code));
                error.string("message", Some(message));
                error.close();
            }
            _ => object.value("error", None),
        }
        match end {
            Some(End::Incomplete(Some(reason))) => {
                let mut details = Object::open(object.member("incomplete_details"), false);
                details.string("reason", Some(reason));
                details.close();
            }
            _ => object.value("incomplete_details", None),
        }
        object.string("model", Some(&self.model));
        // Items are only in the last one (O2): until then they are events.
        let there = self.items.iter().filter(|item| end.is_some() && !item.is_dropped);
        write_list(there, object.member("output"), |item, out| item.write_done(out));
        object.value("usage", self.usage.as_ref().filter(|_| end.is_some()));
        for (key, json) in USUAL {
            if !self.members.iter().any(|member| member.key == *key) {
                object.raw(key, Some(Raw(json)));
            }
        }
        for member in &self.members {
            object.value(&member.key, Some(&member.value));
        }
        object.close();
    }
}

/// What typed clients want in every response, where nothing else is known.
const USUAL: &[(&str, &str)] = &[
    ("instructions", "null"),
    ("metadata", "{}"),
    ("parallel_tool_calls", "true"),
    ("temperature", "null"),
    ("tool_choice", "\"auto\""),
    ("tools", "[]"),
    ("top_p", "null"),
];

impl fmt::Debug for StreamBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamBuilder")
            .field("id", &self.id)
            .field("stage", &self.stage)
            .field("next", &self.next)
            .field("items", &self.items.len())
            .finish_non_exhaustive()
    }
}
