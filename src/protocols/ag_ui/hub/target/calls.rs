//! Tool calls and their results.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use super::ids::IdUse;
use super::writer::{end_of, text};
use super::{ToAgUi, object};
use crate::bytes::string_map::pair;
use crate::core::WireEvent;
use crate::hub::metadata::Metadata;
use crate::hub::{EventOutput, InputFormat, Step};
use crate::json::{Member, Value};
use crate::protocols::ag_ui::events::{Event, event};
use crate::protocols::ag_ui::lifecycle::StreamKind;

/// The start of a call. It is kept while the events of the call repeat a list of messages.
#[derive(Debug)]
pub(super) struct CallStart {
    pub at: (u32, u32),
    pub id: String,
    pub name: String,
    pub input: InputFormat,
    pub more: Vec<Member>,
    /// The number of bytes of its arguments that its events have repeated.
    pub repeated: usize,
}

impl ToAgUi {
    pub(super) fn call(&mut self, step: &Step<'_>, out: &mut EventOutput<'_, WireEvent>) {
        let Step::Call { message, part, id, name, input, more } = *step else { return };
        let id = self.call_ids.of(id, out).to_owned();
        let is_listed = self.calls.get(&id).is_none() && self.listed.arguments(&id).is_some();
        let (at, name, more) = ((message, part), name.to_owned(), more.to_vec());
        let call = CallStart { at, id, name, input, more, repeated: 0 };
        if is_listed {
            // Clients have the call from the last list of messages. Writing it would duplicate it.
            self.items.get_mut(message.into()).into_iter().for_each(|item| item.has_written = true);
            self.repeated.insert(pair(message, part), call);
        } else {
            self.begin_call(call, out);
        }
    }

    /// Begins the text message of a call before the call. Otherwise clients would create a message
    /// without a text.
    pub(super) fn begin_parent(&mut self, call: u32, out: &mut EventOutput<'_, WireEvent>) {
        let parent = self.items.get(call.into()).and_then(|item| item.parent.as_deref());
        let Some(&text) = parent.and_then(|parent| self.texts.get(parent)) else { return };
        if self.items.get(text.into()).is_some_and(|item| !item.has_written) {
            self.begin(text, 0, out);
        }
    }

    fn begin_call(&mut self, call: CallStart, out: &mut EventOutput<'_, WireEvent>) {
        let CallStart { at: (message, part), id, name, input, more, .. } = call;
        self.begin_parent(message, out);
        let Some(item) = self.items.get_mut(message.into()) else { return };
        item.has_written = true;
        if input == InputFormat::Text {
            self.pending.set(message, "input", "text".into());
        }
        self.pending.merge(message, &more);
        let metadata = object(self.pending.take(message));
        let (lane, parent) = (item.lane.clone(), item.parent.as_deref());
        let lane = lane.as_deref();
        let renamed = parent.and_then(|parent| self.renamed.get(parent));
        // Calls of one turn are in one message: a model takes them back only together.
        let of_turn =
            self.turn.as_ref().filter(|(_, of)| of.as_deref() == lane).map(|(id, _)| id.clone());
        // A call with the id of a message is in a message of its own; a list of messages can have
        // another one of an id.
        let of_turn =
            of_turn.filter(|turn| !self.has_list && *turn != id && self.ids.is_message(turn));
        let parent = renamed.map(String::as_str).or(parent);
        let is_given = parent.is_some();
        let parent = parent.map(ToOwned::to_owned).or(of_turn);
        let start = |parent, metadata| {
            event!(ToolCallStart in lane, metadata; {
                tool_call_id: text(&id), tool_call_name: text(&name), parent_message_id: parent,
            })
        };
        let mut begun = None;
        if let Some(parent) = &parent {
            let can_be = self.ids.can_be_parent(parent);
            let begins =
                can_be && self.write.try_send(&start(Some(text(parent)), metadata.clone()), out);
            begun = begins.then(|| parent.clone());
            if !begins && is_given {
                // A message of another lane or kind, or of the user, cannot have calls.
                out.lose(
                    "message-members",
                    &id,
                    "AG-UI's message of that id cannot have this call",
                );
            }
        }
        if begun.is_some() || self.write.send(&id, &start(None, metadata), out) {
            // Clients name the message of a call without one after the call.
            let of_turn = begun.or_else(|| self.ids.owns(&id, IdUse::Call).then(|| id.clone()));
            let lane = lane.map(ToOwned::to_owned);
            self.turn = of_turn.map(|turn| (turn, lane.clone()));
            self.calls.insert(&id, Some((lane.clone(), Metadata::default())));
            self.call_begun(&id, lane.as_deref(), out);
            self.parts.insert(pair(message, part), id);
        }
    }

    pub(super) fn arguments(&mut self, at: u64, piece: &str, out: &mut EventOutput<'_, WireEvent>) {
        let mut piece = piece;
        if let Some(call) = self.repeated.get_mut(at) {
            let listed = self.listed.arguments(&call.id).unwrap_or_default();
            let rest = listed.get(call.repeated..).unwrap_or_default();
            if rest.starts_with(piece) {
                call.repeated += piece.len();
                return;
            }
            piece = piece.strip_prefix(rest).unwrap_or(piece);
            self.begin_repeated(at, out);
        }
        let ToAgUi { parts, calls, write, .. } = self;
        let Some(id) = parts.get(at) else { return };
        let Some(Some((lane, _))) = calls.get(id) else { return };
        write.piece(StreamKind::Call, (id, lane.as_deref()), piece, out);
    }

    /// Begins a call that the last list of messages contained, in order to continue it.
    pub(super) fn begin_repeated(&mut self, at: u64, out: &mut EventOutput<'_, WireEvent>) {
        if let Some(call) = self.repeated.remove(at) {
            self.begin_call(call, out);
        }
    }

    /// Ends a call, with its metadata. A call that a failure has cut off does not end: only its
    /// metadata are written.
    pub(super) fn end_call(
        &mut self,
        at: u64,
        is_cut_off: bool,
        out: &mut EventOutput<'_, WireEvent>,
    ) {
        let Some(id) = self.parts.remove(at) else { return };
        let Some((lane, metadata)) = self.calls.get_mut(&id).and_then(Option::take) else { return };
        let (lane, metadata) = (lane.as_deref(), metadata.object());
        let event = match is_cut_off {
            true if metadata.is_none() => return,
            true => {
                event!(ToolCallArgs in lane, metadata; { tool_call_id: text(&id), delta: Some(text("")) })
            }
            false => end_of(StreamKind::Call, &id, lane, metadata),
        };
        self.write.send(&id, &event, out);
    }

    pub(super) fn result(
        &mut self,
        message: Option<u32>,
        (call, output, parts): (&str, &str, Option<&Value>),
        more: &[Member],
        out: &mut EventOutput<'_, WireEvent>,
    ) {
        let call = self.call_ids.of(call, out).to_owned();
        let (mut id, mut lane, mut metadata) = (None, None, Vec::new());
        let known = message.and_then(|message| self.items.get(message.into())?.listed.as_ref());
        if known.is_some_and(|(text, _)| text == output) {
            return;
        }
        if let Some(message) = message {
            self.pending.merge(message, more);
            metadata = self.pending.take(message);
            let item = self.items.get_mut(message.into());
            if let Some(item) = item {
                (id, lane) =
                    (Some(item.take_id(IdUse::Result, &mut self.ids, out)), item.lane.clone());
            }
        } else {
            metadata.extend_from_slice(more);
        }
        let id = id.unwrap_or_else(|| self.ids.create("msg_"));
        let (metadata, lane) = (object(metadata), lane.as_deref());
        let result = |content: Value, metadata| {
            event!(ToolCallResult in lane, metadata; {
                message_id: text(&id), tool_call_id: Some(text(&call)), content: Some(content), role: Some(text("tool")),
            })
        };
        // The next call begins another turn.
        self.turn = None;
        let mut is_written = false;
        if let Some(parts) = parts {
            is_written = self.write.try_send(&result(parts.clone(), metadata.clone()), out);
            if !is_written {
                out.lose("result-parts", &call, "results of AG-UI have no parts: the text stays");
            }
        }
        if !is_written {
            self.write.send(&call, &result(output.into(), metadata), out);
        }
        self.result_written(&call, (&id, lane), out);
    }
}
