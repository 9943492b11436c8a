//! Pieces: most of them append to a value, a few replace it.

use alloc::string::String;

use super::full_value::FullValue;
use super::outline::Outline;
use super::part::main_member;
use super::state::{CellValue, MessageState};
use super::{AgentApiMeaning, outline, set_other_texts};
use crate::core::Observed;
use crate::engine::{Context, Digest, Node};
use crate::json::{Element, Str, SurrogateHalf, joined};
use crate::protocols::agent_api::events::ContentEvent;
use crate::protocols::agent_api::model::DataContent;
use crate::protocols::agent_api::{ContentType, rules};

/// The place where a piece was appended: the positions of the message and of the content in it, and the key if the
/// piece extended a text in its data.
#[derive(Debug, Default)]
pub(super) struct Target {
    pub at: usize,
    pub place: usize,
    pub key: Option<String>,
    pub node: Node,
}

impl Target {
    /// Returns the digest and the pending half of a character of the text in the data.
    fn data<'m>(&self, messages: &'m mut [MessageState]) -> Option<(&'m mut Digest, &'m mut SurrogateHalf)> {
        let part = &mut messages[self.at].parts[self.place];
        let Some(Outline::Object(members)) = part.shape.as_deref_mut() else { return None };
        match members.get_mut(self.key.as_deref()?) {
            Some(Outline::Text(digest, half)) => Some((digest, half)),
            _ => None,
        }
    }
}

impl AgentApiMeaning {
    /// R26: applies a piece of a value.
    pub(super) fn delta(
        &mut self,
        at: usize,
        index: u32,
        event: &ContentEvent<'_>,
        kind: &ContentType,
        ended: bool,
        cx: &mut Context<'_>,
    ) {
        if ended {
            self.breach_in(cx, &rules::DELTA_COMPLETED, at, Some(index), Observed::Words("delta true"));
        }
        let known = self.messages[at].part(index).ok();
        let Some(place) = known.or_else(|| self.new_part(at, index, kind, cx)) else { return };
        let part = &mut self.messages[at].parts[place];
        part.fingerprints = None;
        if part.kind != *kind {
            let got = (kind.clone(), part.kind.clone());
            let got = Observed::Instead(got.0.as_str(), got.1.as_str());
            return self.breach_in(cx, &rules::CONTENT_TYPE_CHANGED, at, Some(index), got);
        }
        let unknown = matches!(kind, ContentType::Other(_));
        if event.0.has_undeclared() || unknown {
            let node = part.node;
            for (name, value) in event.extra(kind) {
                cx.set_extra(node, &name, value);
            }
        }
        if unknown {
            return;
        }
        if *kind == ContentType::Data {
            if let Some(data) = event.data() {
                if ended && self.continues_data(at, place, data) {
                    return self.whole_part(at, index, event, FullValue::Completed, cx);
                }
                self.merge_data(at, place, data, cx);
            }
            return;
        }
        let (node, main) = (part.node, main_member(kind));
        set_other_texts(node, event, kind, cx);
        let Some(text) = event.string(main) else { return };
        if (ended && self.continues_text(at, place, text)) || *kind == ContentType::Video {
            return self.replace_text(at, index, event, ended, cx);
        }
        if matches!(kind, ContentType::Image | ContentType::Audio | ContentType::File)
            && self.is_repeated_media(at, place, text, kind)
        {
            self.breach_in(cx, &rules::MEDIA_REPEATED, at, Some(index), Observed::Text(&text.to_str()));
            return self.replace_text(at, index, event, ended, cx);
        }
        // The next piece of an image may be the same URL again.
        if matches!(kind, ContentType::Text | ContentType::Refusal) {
            self.appended = Target { at, place, node, key: None };
            cx.appends(node, main, text);
        }
        self.append(at, place, text, cx);
    }

    fn replace_text(
        &mut self,
        at: usize,
        index: u32,
        event: &ContentEvent<'_>,
        ended: bool,
        cx: &mut Context<'_>,
    ) {
        let how = if ended { FullValue::Completed } else { FullValue::Snapshot };
        if let Ok(place) = self.messages[at].part(index) {
            // The event repeats the value of the pieces, so a difference is not a mismatch.
            self.messages[at].parts[place].pieces = false;
        }
        self.whole_part(at, index, event, how, cx);
    }

    fn append(&mut self, at: usize, place: usize, text: Str<'_>, cx: &mut Context<'_>) {
        let keys = &self.keys;
        let part = &mut self.messages[at].parts[place];
        part.pieces = true;
        let (characters, lone) = joined(text, &mut part.half, &mut self.scratch);
        let (node, key) = (part.node, main_member(&part.kind));
        if !cx.append_text(node, key, characters) {
            return;
        }
        match &mut part.value {
            CellValue::Text(digest) => digest.push(keys, characters.as_bytes()),
            CellValue::None | CellValue::Pieces => {
                let mut digest = Digest::default();
                digest.push(keys, characters.as_bytes());
                part.value = CellValue::Text(digest);
            }
        }
        if lone > 0 {
            let index = part.index;
            self.breach_in(cx, &rules::LONE_SURROGATE, at, Some(index), Observed::Count(lone.into()));
        }
    }

    /// Appends to the value that the previous event extended.
    #[inline]
    pub(super) fn append_to_target(&mut self, text: Str<'_>, cx: &mut Context<'_>) {
        let (at, place) = (self.appended.at, self.appended.place);
        if self.appended.key.is_none() {
            return self.append(at, place, text, cx);
        }
        let (Some((digest, half)), Some(key)) =
            (self.appended.data(&mut self.messages), self.appended.key.as_deref())
        else {
            return;
        };
        let (characters, _) = joined(text, half, &mut self.scratch);
        let node = self.appended.node;
        if cx.append_in(node, DataContent::data, &[key], characters) {
            digest.push(&self.keys, characters.as_bytes());
        }
    }

    pub(super) fn target_is_waiting(&mut self) -> bool {
        match self.appended.key {
            None => self.messages[self.appended.at].parts[self.appended.place].half.is_waiting(),
            Some(_) => self.appended.data(&mut self.messages).is_some_and(|(_, half)| half.is_waiting()),
        }
    }

    /// R26: returns whether a completed piece repeats, from the beginning, the text of the pieces before it.
    fn continues_text(&self, at: usize, place: usize, text: Str<'_>) -> bool {
        let part = &self.messages[at].parts[place];
        let CellValue::Text(digest) = &part.value else {
            return false;
        };
        outline::starts_with(&text.to_str(), digest, &self.keys)
    }

    /// R26: returns whether every text in a completed piece of data begins with the existing text.
    fn continues_data(&self, at: usize, place: usize, data: Element<'_, '_>) -> bool {
        let part = &self.messages[at].parts[place];
        part.shape.as_ref().is_some_and(|shape| outline::continues(shape, data, &self.keys))
    }

    /// R29b: returns whether a piece repeats the whole value, as from servers that send the whole URL with every chunk.
    fn is_repeated_media(&self, at: usize, place: usize, text: Str<'_>, kind: &ContentType) -> bool {
        let part = &self.messages[at].parts[place];
        let CellValue::Text(digest) = &part.value else {
            return false;
        };
        if digest.len() == 0 {
            return false;
        }
        let text = text.to_str();
        let said = self.keys.digest(&text);
        let is_url = starts_like_a_url(&text);
        // Two equal pieces of base64 are two pieces; two equal URLs are one.
        is_url || (said == *digest && *kind == ContentType::Image)
    }
}

fn starts_like_a_url(text: &str) -> bool {
    ["http://", "https://", "data:", "file://", "blob:"].iter().any(|scheme| text.starts_with(scheme))
}
