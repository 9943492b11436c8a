//! Events as they are sent: what the builders of all protocols hand out.

use alloc::string::String;

use core::fmt;

/// One event, exactly as it goes on the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "an event that is not sent is missing from the stream"]
pub struct WireEvent {
    json: String,
    sequence_number: Option<i64>,
}

impl WireEvent {
    pub(crate) fn new(json: String, sequence_number: Option<i64>) -> Self {
        WireEvent { json, sequence_number }
    }

    /// An event of another sender, as it was read.
    #[cfg(feature = "hub")]
    pub(crate) fn raw(data: &str) -> Self {
        WireEvent { json: data.into(), sequence_number: None }
    }

    /// The event's data: one JSON object on one line, or the end marker of protocols that have one (`[DONE]`).
    pub fn json(&self) -> &str {
        &self.json
    }

    /// The event's data, without copying it.
    pub fn into_json(self) -> String {
        self.json
    }

    /// The event as one server-sent event, blank line included.
    pub fn to_sse(&self) -> String {
        let mut out = String::with_capacity(self.json.len() + 8);
        self.write_sse(&mut out);
        out
    }

    /// Appends the event as [`to_sse`](Self::to_sse) has it. What a builder made is one line: strings and keys are escaped,
    /// and builders take no number that is none. An event of another sender can have several.
    pub(crate) fn write_sse(&self, out: &mut String) {
        for line in self.json.split('\n') {
            out.push_str("data: ");
            out.push_str(line);
            out.push('\n');
        }
        out.push('\n');
    }

    /// The event's number, for senders that have to put events of several tasks in order; `None` where the protocol has
    /// no numbers.
    pub fn sequence_number(&self) -> Option<i64> {
        self.sequence_number
    }
}

impl fmt::Display for WireEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.json)
    }
}
