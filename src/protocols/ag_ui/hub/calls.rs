//! Open calls: their arguments and their ends.

use super::from_hub::ToAgUi;
use super::listed::Repeated;
use super::writer::{event, text};
use crate::hub::Out;
use crate::protocols::ag_ui::builder::WireEvent;
use crate::protocols::ag_ui::events::Event;

impl ToAgUi {
    /// Begins the text message of a call before the call. Otherwise clients would create a message without a text.
    pub(super) fn begin_parent(&mut self, call: u32, out: &mut Out<'_, WireEvent>) {
        let parent = self.items.get(call.into()).and_then(|item| item.parent.as_deref());
        let Some(&text) = parent.and_then(|parent| self.texts.get(parent)) else { return };
        if self.items.get(text.into()).is_some_and(|item| !item.has_said) {
            self.begin(text, 0, out);
        }
    }

    pub(super) fn arguments(&mut self, at: u64, piece: &str, out: &mut Out<'_, WireEvent>) {
        let mut piece = piece;
        if let Some(call) = self.repeated.get_mut(at) {
            let listed = self.listed.arguments(&call.id).unwrap_or_default();
            let rest = listed.get(call.said..).unwrap_or_default();
            if rest.starts_with(piece) {
                call.said += piece.len();
                return;
            }
            piece = piece.strip_prefix(rest).unwrap_or(piece);
            self.begin_repeated(at, out);
        }
        let ToAgUi { parts, calls, write, .. } = self;
        let Some(id) = parts.get(at) else { return };
        let Some(Some((lane, _))) = calls.get(id) else { return };
        let event = event!(ToolCallArgs in lane.as_deref(), None; {
            tool_call_id: text(id), delta: Some(text(piece)),
        });
        write.send(id, &event, out);
    }

    /// Begins a call that the last list of messages contained, in order to continue it.
    pub(super) fn begin_repeated(&mut self, at: u64, out: &mut Out<'_, WireEvent>) {
        let Some(Repeated { at, id, name, input, more, .. }) = self.repeated.remove(at) else { return };
        self.begin_call(at, id, &name, input, &more, out);
    }

    /// Ends a call, with its metadata.
    pub(super) fn end_call(&mut self, at: u64, out: &mut Out<'_, WireEvent>) {
        let Some(id) = self.parts.remove(at) else { return };
        let Some((lane, metadata)) = self.calls.get_mut(&id).and_then(Option::take) else { return };
        let event = event!(ToolCallEnd in lane.as_deref(), metadata.object(); { tool_call_id: text(&id) });
        self.write.send(&id, &event, out);
    }

    /// Writes the metadata of a call that a failure has cut off. The call does not end.
    pub(super) fn cut_off_call(&mut self, at: u64, out: &mut Out<'_, WireEvent>) {
        let Some(id) = self.parts.remove(at) else { return };
        let Some((lane, metadata)) = self.calls.get_mut(&id).and_then(Option::take) else { return };
        let Some(metadata) = metadata.object() else { return };
        let event = event!(ToolCallArgs in lane.as_deref(), Some(metadata); {
            tool_call_id: text(&id), delta: Some(text("")),
        });
        self.write.send(&id, &event, out);
    }
}
