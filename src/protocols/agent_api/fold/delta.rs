//! Pieces: what appends, and the few that do not.

use super::full_value::FullValue;
use super::part::{field_key, main_field};
use super::replay::Target;
use super::state::CellValue;
use super::{AgentApiFold, outline};
use crate::core::fold::{Digest, Metered};
use crate::core::observed::Observed;
use crate::json::{Element, Str, joined};
use crate::protocols::agent_api::ContentType;
use crate::protocols::agent_api::event::{ContentEvent, Field};
use crate::protocols::agent_api::lifecycle::Phase;
use crate::protocols::agent_api::rules;

impl AgentApiFold {
    /// R26: a piece of a value.
    pub(super) fn delta(
        &mut self,
        at: usize,
        index: u32,
        event: &ContentEvent<'_>,
        kind: &ContentType,
        ended: bool,
        sink: &mut Metered<'_>,
    ) {
        if ended {
            self.breach_in(&rules::DELTA_COMPLETED, at, Some(index), Observed::Words("delta true"));
        }
        let (mut known, known_at) = (true, self.messages[at].part(index));
        let place = match known_at {
            Ok(place) => place,
            Err(_) => match self.new_part(at, index, kind, sink) {
                Some(place) => {
                    known = false;
                    place
                }
                None => return,
            },
        };
        let part = &mut self.messages[at].parts[place];
        part.fingerprints = None;
        // Nothing but the pieces themselves changes anything, so an event of the same shape does the same.
        let plain = known && !ended && !event.0.has_undeclared() && part.phase == Phase::InProgress;
        if part.kind != *kind {
            let got = (kind.clone(), part.kind.clone());
            let got = Observed::Instead(got.0.as_str(), got.1.as_str());
            return self.breach_in(&rules::CONTENT_TYPE_CHANGED, at, Some(index), got);
        }
        let unknown = matches!(kind, ContentType::Other(_));
        if event.0.has_undeclared() || unknown {
            let node = part.node;
            for (name, value) in event.extra() {
                sink.set_extra(node, &name, value);
            }
        }
        if unknown {
            return;
        }
        if *kind == ContentType::Data {
            if let Some(data) = event.data() {
                if ended && self.continues_data(at, place, data) {
                    return self.whole_part(at, index, event, FullValue::Completed, sink);
                }
                self.merge_data(at, place, data, plain, sink);
            }
            return;
        }
        let main = main_field(kind);
        for &field in Field::of_type(kind) {
            if field == main {
                continue;
            }
            if let Some(text) = event.string(field) {
                let node = self.messages[at].parts[place].node;
                self.set_string(node, field_key(field), text, sink);
            }
        }
        let Some(text) = event.string(main) else {
            return;
        };
        if (ended && self.continues_text(at, place, text)) || *kind == ContentType::Video {
            return self.replace_text(at, index, event, ended, sink);
        }
        if matches!(kind, ContentType::Image | ContentType::Audio | ContentType::File)
            && self.is_repeated_media(at, place, text, kind)
        {
            self.breach_in(&rules::MEDIA_REPEATED, at, Some(index), Observed::Text(&text.to_str()));
            return self.replace_text(at, index, event, ended, sink);
        }
        if plain && matches!(kind, ContentType::Text | ContentType::Refusal) {
            self.repeat.appended(Target::Text(at, place), text);
        }
        self.append(at, place, text, sink);
    }

    fn replace_text(
        &mut self,
        at: usize,
        index: u32,
        event: &ContentEvent<'_>,
        ended: bool,
        sink: &mut Metered<'_>,
    ) {
        let how = if ended { FullValue::Completed } else { FullValue::Snapshot };
        if let Ok(place) = self.messages[at].part(index) {
            // It says again what the pieces said, so it is no mismatch.
            self.messages[at].parts[place].pieces = false;
        }
        self.whole_part(at, index, event, how, sink);
    }

    pub(super) fn append(&mut self, at: usize, place: usize, text: Str<'_>, sink: &mut Metered<'_>) {
        let keys = &self.keys;
        let part = &mut self.messages[at].parts[place];
        part.pieces = true;
        let (characters, lone) = joined(text, &mut part.half, &mut self.scratch);
        if !sink.append(part.node, field_key(main_field(&part.kind)), characters) {
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
            self.breach_in(&rules::LONE_SURROGATE, at, Some(index), Observed::Count(lone.into()));
        }
    }

    /// R26: whether a completed piece says again, from its beginning, what the pieces before it said.
    fn continues_text(&self, at: usize, place: usize, text: Str<'_>) -> bool {
        let part = &self.messages[at].parts[place];
        let CellValue::Text(digest) = &part.value else {
            return false;
        };
        outline::starts_with(&text.to_str(), digest, &self.keys)
    }

    /// The same question for data: every text in it begins with the text that is there.
    fn continues_data(&self, at: usize, place: usize, data: Element<'_, '_>) -> bool {
        let part = &self.messages[at].parts[place];
        part.shape.as_ref().is_some_and(|shape| outline::continues(shape, data, &self.keys))
    }

    /// R29b: a server that sends the whole URL with every chunk means the same one again.
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
