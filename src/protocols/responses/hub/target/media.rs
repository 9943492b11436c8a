//! Parts that are not texts: images, audio and data.

use super::{ToResponses, WireOutput, WrittenPlace};
use crate::bytes::string_map::pair;
use crate::hub::{MediaKind, Payload, Step};
use crate::json::{Member, Value};
use crate::protocols::responses::hub::FORMAT;

impl ToResponses {
    /// Writes a piece of audio, which does not belong to an item. The pieces of an image are
    /// collected; videos and files are lost, which is noted already.
    pub(super) fn media(&mut self, step: &Step<'_>, out: &mut WireOutput<'_>) {
        let Step::Media { message, part, kind, piece, media_type } = *step else { return };
        match kind {
            MediaKind::Audio => {
                self.in_progress(out);
                self.parts.insert(pair(message, part), WrittenPlace::Audio);
                self.events.write("response.audio.delta", out, |object| {
                    object.string("delta", Some(piece));
                });
                self.count_item(message);
            }
            MediaKind::Image => self.images.add(pair(message, part), kind, piece, media_type),
            MediaKind::Video | MediaKind::File => {}
        }
    }

    /// Writes a whole part. An image in a data URL becomes an item, and so does the list of an MCP
    /// server's tools.
    pub(super) fn whole(
        &mut self,
        (message, part): (u32, u32),
        payload: Payload<'_>,
        preview: bool,
        out: &mut WireOutput<'_>,
    ) {
        let lists_tools = self.messages.get(message.into()).is_some_and(|open| open.lists_tools);
        let image = match payload {
            Payload::Image { url: Some(url) } => {
                url.strip_prefix("data:image/").and_then(|url| url.split_once(";base64,"))
            }
            Payload::Data(Value::Object(data)) if lists_tools => {
                let is_own = |member: &&Member| {
                    matches!(&*member.key, "id" | "type") || member.value.is_null()
                };
                let members = data.iter().filter(|member| !is_own(member));
                let own = self.next_id(message);
                let members = Value::Object(members.cloned().collect());
                return self.whole_item("mcp_list_tools", own.as_deref(), members, out);
            }
            _ => None,
        };
        match image {
            Some((format, base64)) => self.image((message, part), (format, base64), preview, out),
            None => {
                // The losses of the others are noted already.
                if matches!(
                    payload,
                    Payload::Image { .. } | Payload::Audio { .. } | Payload::Data(_)
                ) {
                    let reason = "messages of Responses are text, and images are items only where their bytes are here";
                    out.lose(payload.name(), out.place(message), reason);
                }
                self.count_item(message);
            }
        }
    }

    /// Writes an image, or an intermediate version of it, which the next one replaces.
    fn image(
        &mut self,
        (message, part): (u32, u32),
        (format, base64): (&str, &str),
        preview: bool,
        out: &mut WireOutput<'_>,
    ) {
        let at = pair(message, part);
        let begun = match self.parts.get(at) {
            Some(&WrittenPlace::Image { item, previews }) => Some((item, previews)),
            _ => {
                let own = self.next_id(message);
                // The protocol's name of the format differs from that in the media type.
                let format = if format == "svg+xml" { "svg" } else { format };
                let members = Value::from([("result", Value::Null), (FORMAT, format.into())]);
                self.item("image_generation_call", own.as_deref(), members, out)
                    .map(|item| (item, 0))
            }
        };
        let Some((item, previews)) = begun else { return };
        if preview {
            let name = ["response.image_generation_call", "partial_image"];
            self.events.write_of(&self.items[item], name, out, |object| {
                object.integer("partial_image_index", Some(previews.into()));
                object.string("partial_image_b64", Some(base64));
            });
            self.parts.insert(at, WrittenPlace::Image { item, previews: previews + 1 });
        } else {
            self.parts.remove(at);
            self.progress(item, "completed", out);
            self.end_item(item, "completed", Value::from([("result", base64.into())]), out);
        }
    }
}
