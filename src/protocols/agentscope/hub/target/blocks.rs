//! Texts, reasoning and media.

use alloc::borrow::ToOwned;
use alloc::string::String;

use super::super::super::events::Event;
use super::super::DATA;
use super::{ToAgentScope, WireOutput};
use crate::bytes::Base64Joiner;
use crate::bytes::string_map::{Numbers, StringMap, pair};
use crate::core::PieceTemplate;
use crate::hub::payload::{audio_format, of_data_url};
use crate::hub::{MediaKind, Payload, message_id};
use crate::json::decimal;

/// The blocks that were started.
#[derive(Debug, Default)]
pub(super) struct WrittenBlocks {
    /// The ids of messages, until their first block.
    ids: Numbers<String>,
    used: StringMap<()>,
    open: Numbers<WrittenBlock>,
    /// The text of the last step, if it was a piece of one.
    latest: Option<(u64, PieceTemplate)>,
}

#[derive(Debug)]
struct WrittenBlock {
    id: String,
    kind: BlockKind,
    /// The final text, if it is not the pieces.
    text: Option<String>,
    /// Letters of base64 that do not fill a group.
    rest: String,
}

#[derive(Debug)]
enum BlockKind {
    Text,
    Thinking,
    /// Media of a type.
    Data(String),
}

impl WrittenBlocks {
    pub fn latest(&self) -> Option<&PieceTemplate> {
        self.latest.as_ref().map(|(_, template)| template)
    }

    pub fn forget_latest(&mut self) {
        self.latest = None;
    }

    /// A message begins: its first block has its id.
    pub fn open(&mut self, message: u32, id: Option<&str>, out: &mut WireOutput<'_>) {
        if let Some(id) = message_id(id, out)
            && self.used.get(id).is_none()
        {
            self.used.insert(id, ());
            self.ids.insert(message.into(), id.to_owned());
        }
    }
}

impl ToAgentScope {
    /// Returns the id of a new block: that of its message, or another one.
    fn block_id(&mut self, message: u32) -> String {
        if let Some(id) = self.blocks.ids.remove(message.into()) {
            return id;
        }
        loop {
            self.number += 1;
            let id = [&*self.reply, "_", &*decimal(self.number)].concat();
            if self.blocks.used.get(&id).is_none() {
                return id;
            }
        }
    }

    /// Writes a piece of a text or of reasoning.
    pub(super) fn piece(
        &mut self,
        (message, part): (u32, u32),
        is_thought: bool,
        piece: &str,
        out: &mut WireOutput<'_>,
    ) {
        let at = pair(message, part);
        if let Some(WrittenBlock { text: Some(text), .. }) = self.blocks.open.get_mut(at) {
            text.push_str(piece);
        }
        if let Some((last, template)) = &self.blocks.latest
            && *last == at
        {
            return out.emit(template.event(None, piece));
        }
        if self.blocks.open.get(at).is_none() {
            let kind = if is_thought { BlockKind::Thinking } else { BlockKind::Text };
            self.start_block(at, message, kind, None, out);
        }
        let Some(WrittenBlock { id, kind, .. }) = self.blocks.open.get(at) else { return };
        let (reply_id, block_id, delta) = ((&*self.reply).into(), (&**id).into(), "".into());
        let (id, created_at, metadata) = (None, None, None);
        let event = match kind {
            BlockKind::Text => {
                Event::TextBlockDelta { reply_id, block_id, delta, id, created_at, metadata }
            }
            BlockKind::Thinking => {
                Event::ThinkingBlockDelta { reply_id, block_id, delta, id, created_at, metadata }
            }
            BlockKind::Data(_) => return,
        };
        let template = PieceTemplate::new(&event.to_wire(), None);
        out.emit(template.event(None, piece));
        self.blocks.latest = Some((at, template));
    }

    fn start_block(
        &mut self,
        at: u64,
        message: u32,
        kind: BlockKind,
        name: Option<&str>,
        out: &mut WireOutput<'_>,
    ) {
        let block = self.block_id(message);
        let (event_id, time) = (self.event_id(), self.now());
        let (id, created_at, metadata) = (Some(event_id.into()), Some(time.into()), None);
        let (reply_id, block_id) = ((&*self.reply).into(), (&*block).into());
        let event = match &kind {
            BlockKind::Text => {
                Event::TextBlockStart { reply_id, block_id, id, created_at, metadata }
            }
            BlockKind::Thinking => {
                Event::ThinkingBlockStart { reply_id, block_id, id, created_at, metadata }
            }
            BlockKind::Data(media_type) => Event::DataBlockStart {
                reply_id,
                block_id,
                media_type: (&**media_type).into(),
                name: name.map(Into::into),
                id,
                created_at,
                metadata,
            },
        };
        out.emit(event.to_wire());
        let block = WrittenBlock { id: block, kind, text: None, rest: String::new() };
        self.blocks.open.insert(at, block);
    }

    fn end_block(&mut self, at: u64, out: &mut WireOutput<'_>) {
        let Some(mut block) = self.blocks.open.remove(at) else { return };
        let rest = core::mem::take(&mut block.rest);
        if let (BlockKind::Data(media_type), false) = (&block.kind, rest.is_empty())
            && is_base64(&rest)
        {
            self.data_delta(&block.id, media_type, (Some(&rest), None), out);
        }
        let (event_id, time) = (self.event_id(), self.now());
        let (id, created_at, metadata) = (Some(event_id.into()), Some(time.into()), None);
        let (reply_id, block_id) = ((&*self.reply).into(), (&*block.id).into());
        let event = match block.kind {
            BlockKind::Text => {
                let text = block.text.map(Into::into);
                Event::TextBlockEnd { reply_id, block_id, text, id, created_at, metadata }
            }
            BlockKind::Thinking => {
                Event::ThinkingBlockEnd { reply_id, block_id, id, created_at, metadata }
            }
            BlockKind::Data(_) => {
                Event::DataBlockEnd { reply_id, block_id, id, created_at, metadata }
            }
        };
        out.emit(event.to_wire());
    }

    /// Ends a text, media or the input of a call. A text that was cut off ends with the reply.
    pub(super) fn end_part(
        &mut self,
        (message, part): (u32, u32),
        whole: bool,
        out: &mut WireOutput<'_>,
    ) {
        let at = pair(message, part);
        if self.blocks.open.get(at).is_some() {
            self.end_block(at, out);
        } else if whole {
            self.end_input(at, out);
        }
    }

    /// Keeps the final text of a block until its end. (M5.)
    pub(super) fn replace_text(
        &mut self,
        (message, part): (u32, u32),
        text: &str,
        out: &mut WireOutput<'_>,
    ) {
        match self.blocks.open.get_mut(pair(message, part)) {
            Some(block) if matches!(block.kind, BlockKind::Text) => block.text = Some(text.into()),
            _ => out.lose(
                "text-replaced",
                out.place(message),
                "only a text that has not ended can be replaced",
            ),
        }
    }

    fn data_delta(
        &mut self,
        block: &str,
        media_type: &str,
        (data, url): (Option<&str>, Option<&str>),
        out: &mut WireOutput<'_>,
    ) {
        out.emit(
            Event::DataBlockDelta {
                reply_id: (&*self.reply).into(),
                block_id: block.into(),
                media_type: media_type.into(),
                data: data.map(Into::into),
                url: url.map(Into::into),
                id: None,
                created_at: None,
                metadata: None,
            }
            .to_wire(),
        );
    }

    /// Writes a piece of media. Each is base64 by itself: letters that do not fill a group wait for
    /// the next piece. (M6.)
    pub(super) fn media(
        &mut self,
        (message, part): (u32, u32),
        (kind, media_type): (MediaKind, Option<&str>),
        piece: &str,
        out: &mut WireOutput<'_>,
    ) {
        let at = pair(message, part);
        if self.blocks.open.get(at).is_none() {
            let media_type = media_type_of(kind, media_type);
            self.start_block(at, message, BlockKind::Data(media_type), None, out);
        }
        let Some(block) = self.blocks.open.get_mut(at) else { return };
        let BlockKind::Data(media_type) = &block.kind else { return };
        block.rest.push_str(piece);
        let groups = block.rest.len() / 4 * 4;
        if groups == 0 || !block.rest.is_ascii() {
            return;
        }
        let rest = block.rest.split_off(groups);
        let data = core::mem::replace(&mut block.rest, rest);
        let (id, media_type) = (block.id.clone(), media_type.clone());
        if is_base64(&data) {
            self.data_delta(&id, &media_type, (Some(&data), None), out);
        } else {
            out.lose(kind.as_str(), out.place(message), NO_DATA);
        }
    }

    /// Writes a whole part.
    pub(super) fn whole(
        &mut self,
        (message, part): (u32, u32),
        payload: Payload<'_>,
        out: &mut WireOutput<'_>,
    ) {
        let (kind, source, format, name) = match payload {
            Payload::Data(value) => return self.custom(DATA, value.clone(), out),
            Payload::Image { url } => (MediaKind::Image, url, None, None),
            Payload::Video { url } => (MediaKind::Video, url, None, None),
            Payload::Audio { data, format } => (MediaKind::Audio, data, format, None),
            Payload::File { url, id, name, data } => {
                if let Some(id) = id {
                    out.lose("file", id, "files have a URL or their bytes");
                }
                (MediaKind::File, url.or(data), None, name)
            }
        };
        let Some(source) = source else {
            return out.lose(payload.name(), out.place(message), NO_DATA);
        };
        let (media_type, data, url) = match of_data_url(source) {
            Some((media_type, data)) => (Some(media_type), Some(data), None),
            None if is_url(source) => (None, None, Some(source)),
            None => (None, Some(source), None),
        };
        if data.is_some_and(|data| !is_base64(data)) {
            return out.lose(payload.name(), out.place(message), NO_DATA);
        }
        let media_type = media_type_of(kind, media_type.or(format));
        let at = pair(message, part);
        self.start_block(at, message, BlockKind::Data(media_type.clone()), name, out);
        if let Some(block) = self.blocks.open.get(at) {
            let id = block.id.clone();
            self.data_delta(&id, &media_type, (data, url), out);
        }
        self.end_block(at, out);
    }
}

const NO_DATA: &str = "media have a URL or their bytes";

fn is_base64(data: &str) -> bool {
    !data.is_empty() && Base64Joiner::default().add(data).is_some()
}

/// Whether media are given by where they are. Base64 has no colon.
fn is_url(source: &str) -> bool {
    source.contains(':')
}

/// Returns the media type of media. That of audio can be a format.
fn media_type_of(kind: MediaKind, given: Option<&str>) -> String {
    match (kind, given.filter(|given| !given.is_empty())) {
        (_, Some(media_type)) if media_type.contains('/') => media_type.to_owned(),
        (MediaKind::Audio, Some(format)) => {
            ["audio/", audio_format(format).unwrap_or(format)].concat()
        }
        (MediaKind::File, _) => "application/octet-stream".to_owned(),
        (kind, _) => [kind.as_str(), "/*"].concat(),
    }
}
