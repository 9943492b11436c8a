//! A protocol outside of the crate: `{"say":"Hel"}`, `{"say":"lo"}`, `{"bye":true}`. To use the
//! reader of the crate, it has a rule, a meaning and a snapshot.

use agentwire::Severity;
use agentwire::json::Document;
use agentwire::protocol::{
    Context, Declaration, Field, FieldValue, Fold, Located, ObjectId, Protocol, Sink, Subject,
    TextSlot,
};
use agentwire::read::ReadOptions;
use agentwire::report::{Observed, Rule};
use agentwire::snapshot::{Path, PathStep};
use agentwire::sse::SseEvent;

/// An event that is not of the protocol.
pub static MALFORMED: Rule =
    Rule::new("malformed", Severity::Error, "C1", "`say` or `bye`", "it was left out");

/// The members of the snapshot, by the keys that the meaning sets.
const SAID: Field = Field(0);
const OVER: Field = Field(1);
const ROOT: ObjectId = 0;

/// The snapshot.
#[derive(Debug, Default, PartialEq)]
pub struct Chat {
    /// The whole text.
    pub said: String,
    /// Whether the text is complete.
    pub over: bool,
}

/// The protocol.
#[derive(Debug, Default)]
pub struct Chatter;

impl Protocol for Chatter {
    type Snapshot = Chat;

    const DECLARATION: &'static Declaration = &Declaration::untyped(&MALFORMED);
    const TITLE: &'static str = "Chatter";

    fn fold(self, _: &ReadOptions) -> Box<dyn Fold> {
        Box::new(ChatFold { text: None, over: false })
    }
}

/// The state of one stream.
#[derive(Clone, Debug)]
pub struct ChatFold {
    text: Option<TextSlot>,
    over: bool,
}

impl Fold for ChatFold {
    fn start(&mut self, cx: &mut Context<'_>) {
        self.text = Some(cx.text(ROOT, SAID, Subject::NONE));
    }

    /// Decodes the event directly: the protocol declares no event types.
    fn before(&mut self, event: &SseEvent<'_>, cx: &mut Context<'_>) -> bool {
        let document = Document::read(event.data, cx.options().limits.json_depth).ok();
        let members = document.as_ref().and_then(|document| document.root().object().ok());
        for (name, value) in members.into_iter().flatten() {
            match (&*name.to_str(), value.string(), value.bool()) {
                ("say", Ok(text), _) => _ = self.text.map(|cell| cx.append(cell, text)),
                ("bye", _, Ok(true)) => {
                    self.over = true;
                    cx.set(ROOT, OVER, FieldValue::Bool(true));
                }
                _ => cx.record(&MALFORMED, Observed::Text(event.data)),
            }
        }
        if document.is_none() {
            cx.record(&MALFORMED, Observed::Text(event.data));
        }
        false
    }

    fn has_ended(&self) -> bool {
        self.over
    }
}

/// Stores the decisions of the meaning. The meaning opens no objects, so most methods of a sink are
/// never called.
impl Sink for Chat {
    fn set(&mut self, _: ObjectId, key: Field, value: FieldValue<'_>) {
        if key == OVER {
            self.over = value == FieldValue::Bool(true);
        }
    }

    fn append(&mut self, _: ObjectId, key: Field, text: &str) {
        if key == SAID {
            self.said.push_str(text);
        }
    }
}

/// Paths of the changes that `push` returns.
impl Located for Chat {
    fn locate(&mut self, node: ObjectId) -> Option<Path> {
        (node == ROOT).then(Path::default)
    }

    fn member_name(&self, key: Field) -> Option<&'static str> {
        ["said", "over"].get(usize::from(key.0)).copied()
    }

    fn text(&mut self, _: ObjectId, key: Field) -> Option<&str> {
        (key == SAID).then_some(&*self.said)
    }
}

/// Returns the first step of a path, if it is a member: for the tests.
pub fn member(path: &Path) -> Option<&str> {
    match path.0.first()? {
        PathStep::Member(name) => Some(name),
        PathStep::Place(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use agentwire::read::Mode;
    use agentwire::{Change, EndReason, Reader};

    use super::*;

    const STREAM: &[u8] =
        "data: {\"say\":\"Hé\"}\n\ndata: {\"say\":\"llo\"}\n\ndata: {\"sing\":1}\n\ndata: {\"bye\":true}\n\n"
            .as_bytes();

    #[test]
    fn the_protocol_is_read_at_any_chunk_boundary() {
        for size in 1..=STREAM.len() {
            let mut reader = Reader::new(Chatter);
            STREAM.chunks(size).for_each(|chunk| {
                reader.push(chunk);
            });
            let outcome = reader.finish();
            assert_eq!(outcome.snapshot, Chat { said: "Héllo".to_owned(), over: true });
            assert_eq!(
                (outcome.report.end_reason, outcome.report.count("malformed")),
                (EndReason::Terminal, 1)
            );
            assert_eq!(outcome.report.violations[0].at.event, 2);
        }
    }

    #[test]
    fn strict_mode_stops_at_the_first_error() {
        let mut options = ReadOptions::default();
        options.mode = Mode::Strict;
        let mut reader = Reader::with_options(Chatter, options);
        reader.push(STREAM);
        let outcome = reader.finish();
        assert_eq!((outcome.snapshot.over, outcome.report.end_reason), (false, EndReason::Refused));
    }

    #[test]
    fn changes_and_limits_apply_to_the_protocol() {
        let mut options = ReadOptions::default();
        options.limits.content_bytes = 4;
        let mut reader = Reader::with_options(Chatter, options);
        let changes = reader.push(b"data: {\"say\":\"ab\"}\n\n").to_vec();
        assert!(
            matches!(&changes[..], [Change::Append { path, from: 0, piece }] if member(path) == Some("said") && piece == "ab")
        );
        reader.push(b"data: {\"say\":\"cdefg\"}\n\n");
        let outcome = reader.finish();
        assert_eq!(
            (outcome.snapshot.said.as_str(), outcome.report.count("limit-exceeded")),
            ("ab", 1)
        );
    }
}
