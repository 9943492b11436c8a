//! Text, and what all texts that come in pieces share.

use alloc::string::String;

use super::replay::Target;
use super::{AgKitFold, NO_CALL};
use crate::core::fold::{Key, Metered, Node};
use crate::core::observed::Observed;
use crate::json::{Str, SurrogateHalf, joined};
use crate::protocols::ag_kit::{rules, schema};

/// A text that is coming in pieces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text {
    pub node: Node,
    key: Key,
    /// The first half of a character that the last piece was cut in.
    half: SurrogateHalf,
}

impl Text {
    pub fn new(node: Node, key: Key) -> Self {
        Text { node, key, half: SurrogateHalf::NONE }
    }

    /// Whether the next piece begins where a character does.
    pub fn is_between_characters(&self) -> bool {
        !self.half.is_waiting()
    }
}

impl AgKitFold {
    /// K1: the turn's text goes on. What comes after another part is a part of its own.
    pub(super) fn say_text(&mut self, data: &str, content: Str<'_>, sink: &mut Metered<'_>) {
        if self.text.is_none() {
            self.text = self.open(schema::KIND_TEXT, NO_CALL, sink).map(|node| Text::new(node, schema::TEXT));
        }
        if self.text.is_some() {
            self.repeat.appended(Target::Text, data, content);
            self.append_text(content, sink);
        }
    }

    pub(super) fn append_text(&mut self, content: Str<'_>, sink: &mut Metered<'_>) {
        if let Some(mut text) = self.text {
            self.append(&mut text, content, None, None, sink);
            self.text = Some(text);
        }
    }

    /// Another part comes, or nothing: what waits for its other half waits in vain.
    pub(super) fn end_text(&mut self, sink: &mut Metered<'_>) {
        if let Some(mut text) = self.text.take() {
            self.flush(&mut text, None, None, sink);
        }
    }

    /// Appends a piece, to the sink and to `kept`; `id` is that of the call, if it is one's arguments.
    pub(super) fn append(
        &mut self,
        text: &mut Text,
        piece: Str<'_>,
        kept: Option<&mut String>,
        id: Option<&str>,
        sink: &mut Metered<'_>,
    ) {
        let (characters, lone) = joined(piece, &mut text.half, &mut self.scratch);
        if !sink.append(text.node, text.key, characters) {
            return;
        }
        if let Some(kept) = kept {
            kept.push_str(characters);
        }
        if lone > 0 {
            self.breach(&rules::LONE_SURROGATE, id, Observed::Count(lone.into()));
        }
    }

    /// The text is over.
    pub(super) fn flush(
        &mut self,
        text: &mut Text,
        kept: Option<&mut String>,
        id: Option<&str>,
        sink: &mut Metered<'_>,
    ) {
        if !core::mem::take(&mut text.half).is_waiting() {
            return;
        }
        if sink.append(text.node, text.key, "\u{fffd}")
            && let Some(kept) = kept
        {
            kept.push('\u{fffd}');
        }
        self.breach(&rules::LONE_SURROGATE, id, Observed::Words("a half at the end"));
    }
}
