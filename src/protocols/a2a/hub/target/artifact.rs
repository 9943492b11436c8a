//! Messages of the hub as artifacts: their parts and their ends.

use alloc::{borrow::ToOwned, string::String, vec, vec::Vec};

use super::writer::{ArtifactInfo, TaskWriter, size};
use super::{ToA2a, WireOutput, call_part, error, media_part, send};
use crate::bytes::string_map::{Numbers, pair};
use crate::hub::{EndStatus, MessageEnd, Note, OPAQUE, PendingMetadata, Step, present_members};
use crate::json::{Member, Value};
use crate::protocols::a2a::request::Part;

impl ToA2a {
    /// Begins an artifact and returns its name and metadata, or `None` if it has begun already.
    fn begin(
        pending: &mut PendingMetadata,
        message: u32,
        item: &mut WrittenItem,
    ) -> Option<ArtifactInfo> {
        if core::mem::replace(&mut item.begun, true) {
            return None;
        }
        item.info.metadata = pending.take(message);
        Some(core::mem::take(&mut item.info))
    }

    pub(super) fn piece(
        &mut self,
        message: u32,
        part: u32,
        piece: &str,
        kind: Option<&str>,
        out: &mut WireOutput<'_>,
    ) {
        let Some(item) = self.items.get_mut(message.into()) else { return };
        let metadata = match item.part(part) {
            Some(Part { text: Some(text), metadata: Some(metadata), .. }) => {
                text.push_str(piece);
                let metadata = metadata.clone();
                item.bytes += piece.len();
                metadata
            }
            _ => {
                let mut metadata = item.next_index();
                kind.into_iter().for_each(|kind| metadata.insert("kind", kind.into()));
                item.add(part, Part { metadata: Some(metadata.clone()), ..Part::text(piece) });
                metadata
            }
        };
        let info = Self::begin(&mut self.pending, message, item);
        send(
            self.writer.piece(&item.artifact, metadata, piece, info.as_ref()),
            &item.artifact,
            out,
        );
    }

    /// Sends a whole part. It replaces the part of the message with the same number.
    pub(super) fn part(
        &mut self,
        message: u32,
        number: u32,
        mut part: Part,
        out: &mut WireOutput<'_>,
    ) {
        // The part that waits is not the only part of its message.
        if self.unsent == Some(message) {
            self.release(out);
        }
        let Some(item) = self.items.get_mut(message.into()) else { return };
        if out.kind(message).is_tool() && item.parts.is_empty() && !item.begun {
            part.metadata = Some(item.next_index());
            item.add(number, part);
            self.unsent = Some(message);
            return;
        }
        if item.part(number).is_some() {
            return self.change(message, out, |item| item.put(number, part));
        }
        let info = Self::begin(&mut self.pending, message, item);
        part.metadata = Some(item.next_index());
        item.add(number, part.clone());
        send(self.writer.append(&item.artifact, vec![part], info.as_ref()), &item.artifact, out);
    }

    /// Sends the event that waits for the end of its message, unless the step is this end or adds
    /// data to the message.
    pub(super) fn release_before(&mut self, step: &Step<'_>, out: &mut WireOutput<'_>) {
        let Some(unsent) = self.unsent else { return };
        let may_wait = match *step {
            Step::Close { message, .. } | Step::EndPart { message, .. } => message == unsent,
            Step::Note(
                Note::Metadata { message: Some(message), .. }
                | Note::Usage { message: Some(message), .. }
                | Note::Opaque { message: Some(message), .. }
                | Note::Annotation { message, .. },
            ) => message == unsent,
            Step::Heartbeat => true,
            _ => false,
        };
        if !may_wait {
            self.release(out);
        }
    }

    /// Sends the event that waits for the end of its message.
    pub(super) fn release(&mut self, out: &mut WireOutput<'_>) {
        let Some(message) = self.unsent.take() else { return };
        let Some(item) = self.items.get_mut(message.into()) else { return };
        let info = Self::begin(&mut self.pending, message, item);
        send(self.writer.append(&item.artifact, item.whole(), info.as_ref()), &item.artifact, out);
    }

    /// Changes or retracts parts of a message. The whole artifact is sent again, at once or, if
    /// that is too much output for the input so far, when the message ends.
    pub(super) fn change(
        &mut self,
        message: u32,
        out: &mut WireOutput<'_>,
        change: impl FnOnce(&mut WrittenItem),
    ) {
        let Some(item) = self.items.get_mut(message.into()) else {
            return out.lose("message-ended", "", "its artifact is complete already");
        };
        change(item);
        // A message without content begins with its first part.
        if item.parts.is_empty() && !item.begun {
            return;
        }
        const EVENT: usize = 200;
        item.is_stale = !out.may_repeat((item.bytes + EVENT) as u64);
        if !item.is_stale {
            Self::send_whole(&mut self.pending, &mut self.writer, message, item, out);
        }
    }

    fn send_whole(
        pending: &mut PendingMetadata,
        writer: &mut TaskWriter,
        message: u32,
        item: &mut WrittenItem,
        out: &mut WireOutput<'_>,
    ) {
        let info = Self::begin(pending, message, item);
        send(writer.replace(&item.artifact, item.whole(), info.as_ref()), &item.artifact, out);
    }

    pub(super) fn rewrite(
        &mut self,
        (message, part): (u32, u32),
        text: &str,
        out: &mut WireOutput<'_>,
    ) {
        if let Some(call) = self.arguments.get_mut(pair(message, part)) {
            call.text = text.to_owned();
            return;
        }
        self.change(message, out, |item| item.put(part, Part::text(text)));
    }

    pub(super) fn end_part(
        &mut self,
        message: u32,
        part: u32,
        whole: bool,
        out: &mut WireOutput<'_>,
    ) {
        let at = pair(message, part);
        if let Some(media) = self.media.take(at) {
            return self.whole(message, part, media_part(media.payload()), out);
        }
        self.end_call(message, part, whole, out);
    }

    /// Ends a call whose result arrives before the call is whole: the received part of the call is
    /// sent before the result.
    pub(super) fn cut_off(&mut self, call: &str, out: &mut WireOutput<'_>) {
        if let Some((message, part)) = self.calls.get(call).copied() {
            self.end_call(message, part, false, out);
            self.release(out);
        }
    }

    fn end_call(&mut self, message: u32, part: u32, whole: bool, out: &mut WireOutput<'_>) {
        let Some(call) = self.arguments.remove(pair(message, part)) else { return };
        let WrittenCall { id, name, text, mut more, number } = call;
        if self.open_calls.first().is_some_and(|first| *first < number) {
            out.lose(
                "call-order",
                &id,
                "in A2A a call comes when it is whole: it comes before one that began earlier",
            );
        }
        self.open_calls.remove(&number);
        if !whole {
            more.push(Member::new("incomplete", true));
        }
        self.part(message, part, call_part(&id, &name, text, &more), out);
    }

    pub(super) fn whole(
        &mut self,
        message: u32,
        part: u32,
        made: Option<Part>,
        out: &mut WireOutput<'_>,
    ) {
        match made {
            Some(made) => self.part(message, part, made, out),
            None => out.lose(
                "file",
                out.place(message),
                "A2A's files are bytes or an address, not an id",
            ),
        }
    }

    pub(super) fn close(&mut self, message: u32, end: &MessageEnd, out: &mut WireOutput<'_>) {
        let Some(mut item) = self.items.remove(message.into()) else { return };
        // Questions are part of the state at the end of the run.
        let is_question = out.kind(message).is_tool() && item.parts.is_empty() && !item.begun;
        if is_question {
            if self.pending.take(message).iter().any(|member| member.key == OPAQUE) {
                out.lose("opaque", out.place(message), "what it belongs to is not written");
            }
            return;
        }
        self.pending.merge(message, end.metadata.as_ref().map(Value::members).unwrap_or_default());
        if end.status != EndStatus::Completed {
            self.pending.set(message, "status", end.status.as_str().into());
        }
        let failed =
            end.error.as_ref().map(|failed| error(failed.code.as_deref(), &failed.message));
        let text = |text: &Option<String>| text.as_deref().map(Value::from);
        let fields = present_members([
            ("error", failed),
            ("code", text(&end.code)),
            ("message", text(&end.message)),
            ("usage", end.usage.clone()),
        ]);
        self.pending.merge(message, &fields);
        self.unsent.take_if(|unsent| *unsent == message);
        if item.is_stale {
            Self::send_whole(&mut self.pending, &mut self.writer, message, &mut item, out);
        }
        if item.parts.is_empty() && !item.begun {
            // Artifacts have at least one part.
            item.add(0, Part { metadata: Some(item.next_index()), ..Part::text("") });
        }
        // A message that has not begun is sent in one event.
        if let Some(info) = Self::begin(&mut self.pending, message, &mut item) {
            return send(
                self.writer.whole(&item.artifact, item.whole(), Some(&info)),
                &item.artifact,
                out,
            );
        }
        let metadata = self.pending.take(message);
        send(self.writer.complete(&item.artifact, Some(&metadata)), &item.artifact, out);
    }
}

#[derive(Debug, Default)]
pub(super) struct WrittenItem {
    pub(super) artifact: String,
    pub(super) info: ArtifactInfo,
    /// The parts of the artifact, without those at the end that were retracted; `None` for any
    /// other that was.
    pub(super) parts: Vec<Option<Part>>,
    /// The places of the parts by their numbers.
    pub(super) places: Numbers<usize>,
    pub(super) begun: bool,
    /// The approximate size of the parts in bytes.
    pub(super) bytes: usize,
    /// The parts have changed and were not sent: they are sent when the message ends.
    pub(super) is_stale: bool,
}

#[derive(Debug)]
pub(super) struct WrittenCall {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) text: String,
    pub(super) more: Vec<Member>,
    /// The number of the call in the run.
    pub(super) number: u32,
}

impl WrittenItem {
    /// Returns the part with this number, if it was received.
    pub(super) fn part(&mut self, number: u32) -> Option<&mut Part> {
        self.parts.get_mut(*self.places.get(number.into())?)?.as_mut()
    }

    /// Returns the metadata of a new part: the index by which readers distinguish adjacent texts.
    pub(super) fn next_index(&self) -> Value {
        let last = self.parts.last().and_then(|part| part.as_ref()?.metadata.as_ref());
        let index = last.and_then(|metadata| metadata.get("index")?.integer::<i64>());
        [("index", Value::from(index.map_or(0, |last| last.saturating_add(1))))].into()
    }

    /// Adds a part after the others.
    pub(super) fn add(&mut self, number: u32, part: Part) {
        self.bytes += size(&part);
        self.places.insert(number.into(), self.parts.len());
        self.parts.push(Some(part));
    }

    /// Replaces the part with this number, or adds the part after the others.
    pub(super) fn put(&mut self, number: u32, mut part: Part) {
        let size_of = size(&part);
        match self.part(number) {
            Some(known) => {
                part.metadata = known.metadata.take();
                let before = size(known);
                *known = part;
                self.bytes = (self.bytes + size_of).saturating_sub(before);
            }
            None => {
                part.metadata = Some(self.next_index());
                self.add(number, part);
            }
        }
    }

    /// Removes the part with this number, or all parts.
    pub(super) fn retract(&mut self, part: Option<u32>) {
        let Some(number) = part else {
            (self.parts, self.places, self.bytes) = Default::default();
            return;
        };
        let place = self.places.remove(number.into());
        let gone = place.and_then(|at| self.parts.get_mut(at)?.take());
        self.bytes = self.bytes.saturating_sub(gone.as_ref().map_or(0, size));
        while let Some(None) = self.parts.last() {
            self.parts.pop();
        }
    }

    pub(super) fn whole(&self) -> Vec<Part> {
        self.parts.iter().flatten().cloned().collect()
    }
}
