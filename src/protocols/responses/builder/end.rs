//! Writes the Response object, and ends streams.

use alloc::{string::String, vec::Vec};
use core::fmt;

use super::{Stage, StreamBuilder, WireEvent};
use crate::core::UsageError;
use crate::json::{Object, Raw, Value, write_list};
use crate::protocols::responses::rules;

/// The end of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End<'a> {
    Completed,
    /// The code and the message of the error.
    Failed(&'a str, &'a str),
    /// The reason, if it is known.
    Incomplete(Option<&'a str>),
    Cancelled,
}

impl StreamBuilder {
    /// Completes the response. Returns an error while an item is open. (O12.)
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

    /// Ends the response as failed. Open items end as incomplete. (O13.)
    pub fn fail(&mut self, code: &str, message: &str) -> Result<Vec<WireEvent>, UsageError> {
        self.is_created("fail()")?;
        Ok(self.end(End::Failed(code, message)))
    }

    /// Ends the response before it is complete, with the reason `max_output_tokens`, `content_filter` or any other.
    /// Open items end as incomplete. (O13.)
    pub fn incomplete(&mut self, reason: Option<&str>) -> Result<Vec<WireEvent>, UsageError> {
        self.is_created("incomplete()")?;
        Ok(self.end(End::Incomplete(reason)))
    }

    /// Ends the response as canceled. The protocol has no event for this: it is the status of an incomplete response.
    /// Open items end as incomplete. (O20.)
    pub fn cancel(&mut self) -> Result<Vec<WireEvent>, UsageError> {
        self.is_created("cancel()")?;
        Ok(self.end(End::Cancelled))
    }

    /// Ends the stream at any stage: as failed if there is an error (code and message), as incomplete if an item is
    /// open, and otherwise as completed. It cannot fail, and after an end it does nothing.
    #[must_use = "events that are not sent are missing from the stream"]
    pub fn finish_with(&mut self, error: Option<(&str, &str)>) -> Vec<WireEvent> {
        let mut events = Vec::new();
        if self.stage == Stage::Ended {
            return events;
        }
        // These return errors if the events were made before.
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

    /// Ends the open items as incomplete.
    pub(in crate::protocols::responses) fn end_items(&mut self) -> Vec<WireEvent> {
        let mut events = Vec::new();
        for item in 0..self.items.len() as u32 {
            if self.items[item as usize].done.is_none() {
                events.extend(self.end_item(item, "incomplete", Value::Null).unwrap_or_default());
            }
        }
        events
    }

    /// Writes an event with the whole response.
    pub(super) fn lifecycle(&mut self, name: &str, status: &str, end: Option<End<'_>>) -> WireEvent {
        let mut response = String::new();
        self.response(&mut response, status, end);
        self.event(name, |object| object.raw("response", Some(Raw(&response))))
    }

    /// Writes the Response object: the members that the types of the official clients have, and those that were set.
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
        // Only the last response contains items (O2): before that, events transfer them.
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

/// The members that typed clients require in every response, with their default values.
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
