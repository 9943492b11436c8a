//! The judge of a stream that is being written: the reader of the protocol, which forgets an event
//! that it has refused.

use alloc::borrow::Cow;
use alloc::string::String;

use super::EventError;
use crate::core::detect;
use crate::core::options::{Mode, ReadOptions};
use crate::core::violation::{Location, Rule, Severity, Violation, shortened};
use crate::core::wire::WireEvent;
use crate::engine::{Declaration, Discard, Engine, Sink};
use crate::json::{DEEPEST, Document, Value, put_json};
use crate::read::StreamDecoder;
use crate::sse::{Framing, TrailingEvent};

/// Expected: no event after [`finish`](super::EventWriter::finish).
pub static AFTER_FINISH: Rule = Rule::new(
    "after-finish",
    Severity::Error,
    "R1",
    "no event after the end of the stream",
    "event dropped",
);

/// The number of characters of an event that a rejection has.
const MOST: usize = 1_000;

/// Judges the events of one stream.
#[derive(Debug)]
pub(super) struct EventJudge {
    /// The reader of what was written. It reads each event after `ahead` has taken it.
    written: StreamDecoder<Engine>,
    /// The reader of the next event. If it refuses the event, it becomes a copy of `written` again.
    ahead: StreamDecoder<Engine>,
    declaration: &'static Declaration,
    /// The end marker was written.
    marked: bool,
    finished: bool,
}

impl EventJudge {
    pub(super) fn new(
        mut options: ReadOptions,
        engine: impl FnOnce(&ReadOptions, &mut dyn Sink) -> Engine,
    ) -> Self {
        options.mode = Mode::Lenient;
        options.framing = Framing::Sse;
        options.ending = TrailingEvent::Strict;
        // A violation is looked at, and never counted only.
        options.limits.violations = options.limits.violations.max(8);
        let engine = engine(&options, &mut Discard);
        let declaration = engine.declaration();
        let written = StreamDecoder::new(engine, &options);
        let ahead = written.clone();
        EventJudge { written, ahead, declaration, marked: false, finished: false }
    }

    /// Writes the event with these data.
    pub(super) fn write(&mut self, data: &str) -> Result<WireEvent, EventError> {
        if self.finished {
            return Err(self.rejected(&AFTER_FINISH, data));
        }
        let given = data.trim_ascii();
        if given.is_empty() {
            return Err(self.rejected(self.declaration.malformed_event(), given));
        }
        let data = on_one_line(given);
        let event = self.framed(&data);
        self.judge(|reader| reader.push(event.as_sse().as_bytes(), &mut Discard), given)?;
        self.written.push(event.as_sse().as_bytes(), &mut Discard);
        self.written.forget_violations();
        self.marked |= detect::is_done(&data);
        Ok(event)
    }

    /// Ends the stream, with the end marker if the protocol has one.
    pub(super) fn finish(&mut self) -> Result<Option<WireEvent>, EventError> {
        if self.finished {
            return Ok(None);
        }
        let marker = self.declaration.end.filter(|_| !self.marked).map(|end| self.framed(end));
        self.judge(
            |reader| {
                if let Some(marker) = &marker {
                    reader.push(marker.as_sse().as_bytes(), &mut Discard);
                }
                reader.finish(&mut Discard);
            },
            "",
        )?;
        self.finished = true;
        Ok(marker)
    }

    /// Reads ahead. If that violates a rule, the reader is what it was before. An event that ends
    /// the stream is also judged by what is missing then.
    fn judge(
        &mut self,
        read: impl FnOnce(&mut StreamDecoder<Engine>),
        data: &str,
    ) -> Result<(), EventError> {
        read(&mut self.ahead);
        let mut broken = violation(&self.ahead);
        if broken.is_none() && self.ahead.has_ended() {
            let mut ended = self.ahead.clone();
            ended.finish(&mut Discard);
            broken = violation(&ended);
        }
        self.ahead.forget_violations();
        let Some(violation) = broken else { return Ok(()) };
        self.ahead = self.written.clone();
        Err(EventError { violation, event: shortened(data, MOST) })
    }

    fn rejected(&self, rule: &'static Rule, data: &str) -> EventError {
        let report = self.written.report();
        let at = Location { event: report.events, offset: report.bytes, ..Location::default() };
        let event = shortened(data, MOST);
        EventError { violation: Violation { rule, at, got: shortened(data, 120) }, event }
    }

    /// Returns the event with these data, with its name if the protocol's events have names.
    fn framed(&self, data: &str) -> WireEvent {
        let name = self.declaration.names_events.then(|| type_of(data)).flatten();
        match name {
            Some(name) => WireEvent::named(&name, data.len(), None, |frame| put_json(frame, data)),
            None => WireEvent::written(data.len(), None, |frame| put_json(frame, data)),
        }
    }
}

/// Returns the first violation that a reader has found, without notes.
fn violation(reader: &StreamDecoder<Engine>) -> Option<Violation> {
    let mut found = reader.report().violations.iter();
    found.find(|found| found.rule.severity > Severity::Note).cloned()
}

/// Returns data without line breaks between their JSON values, so that they are one line. Data that
/// are not JSON are refused anyway.
fn on_one_line(data: &str) -> Cow<'_, str> {
    match data.contains(['\n', '\r']) {
        true => match Value::parse(data, DEEPEST) {
            Ok(value) => Cow::Owned(value.to_json()),
            Err(_) => Cow::Owned(data.replace(['\n', '\r'], " ")),
        },
        false => Cow::Borrowed(data),
    }
}

/// Returns the type of an event, if it is a name that a line can have.
fn type_of(data: &str) -> Option<String> {
    let document = Document::read(data, DEEPEST).ok()?;
    let name = document.root().member("type")?.string().ok()?.to_str();
    Some(name.into_owned()).filter(|name| !name.contains(['\r', '\n']))
}
