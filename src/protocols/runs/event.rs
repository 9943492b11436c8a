//! The members of an event that the endpoints read: its type, and the run that it names.

use alloc::borrow::Cow;

use crate::core::Limits;
use crate::json::{Document, Element};

/// The type and the run of an event.
#[derive(Debug, Default, PartialEq)]
pub(super) struct RunEventHead<'a> {
    /// The type; empty if the event has none.
    pub kind: Cow<'a, str>,
    pub run_id: Option<Cow<'a, str>>,
}

/// Returns whether an event of this type ends a run.
pub(super) fn is_terminal(kind: &str) -> bool {
    matches!(kind, "RUN_FINISHED" | "RUN_ERROR")
}

impl<'a> RunEventHead<'a> {
    /// Reads the members. Returns `None` if the text is not a JSON object.
    pub fn of(data: &'a str) -> Option<Self> {
        let document = Document::read(data, Limits::DEEPEST).ok()?;
        let mut head = RunEventHead::default();
        for (key, value) in document.root().object().ok()? {
            match &*key.to_str() {
                "type" => head.kind = text(value).unwrap_or_default(),
                "runId" => head.run_id = text(value),
                _ => {}
            }
        }
        Some(head)
    }
}

fn text<'a>(value: Element<'_, 'a>) -> Option<Cow<'a, str>> {
    value.string().ok().map(|text| text.to_str())
}
