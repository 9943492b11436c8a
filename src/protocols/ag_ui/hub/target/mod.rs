//! Conversion from the hub to AG-UI.
//!
//! Messages begin with their first piece, because a message of the hub may contain parts that are
//! not messages in AG-UI: media and data become activities, and questions are written at the end of
//! the run.

mod calls;
mod documents;
mod end;
mod ids;
mod lists;
mod messages;
mod notes;
mod opaque;
mod run;
mod spans;
mod text;
mod writer;

use alloc::{string::String, vec::Vec};

use self::calls::CallStart;
use self::ids::WrittenIds;
use self::lists::{ListedTexts, ONLY_GROWS};
use self::messages::WrittenItem;
use self::opaque::Values;
use self::run::WrittenRun;
use self::spans::OpenSpans;
use self::writer::RunWriter;
use crate::bytes::string_map::{Numbers, StringMap, pair};
use crate::core::WireEvent;
use crate::hub::metadata::Metadata;
use crate::hub::{
    CallIds, EventOutput, FromHub, LossChecker, MediaBuffer, MessageEnd, PendingMetadata, Step,
    UnsupportedSteps, WriteOptions, present_members,
};
use crate::json::{Member, Value};

/// The steps that AG-UI cannot represent.
const UNSUPPORTED: UnsupportedSteps = &[
    ("approval", "in AG-UI an answer is a member of a request"),
    ("part-dropped", ONLY_GROWS),
    ("status", "AG-UI's runs do not wait before they start"),
];

/// Writes AG-UI: the target of a conversion. Heartbeats are not events of the protocol: they are
/// left out here, and a
/// [`Converter`](crate::convert::Converter) writes them as comments.
#[derive(Debug)]
pub struct ToAgUi {
    write: RunWriter,
    /// The ids of the thread and of the first run, if the options have them.
    session_id: Option<String>,
    run_id: Option<String>,
    losses: LossChecker,
    /// The messages that have not ended.
    items: Numbers<WrittenItem>,
    /// The numbers of these messages, by the ids of texts.
    texts: StringMap<u32>,
    /// The ids of texts whose own id another message had got, by their own ids.
    renamed: StringMap<String>,
    pending: PendingMetadata,
    ids: WrittenIds,
    /// The ids of all messages that have been written, by their numbers.
    written: Numbers<String>,
    /// The ids of the texts and calls that have not ended, and of parts with a preview, by message
    /// and part.
    parts: Numbers<String>,
    previews: Numbers<String>,
    media: MediaBuffer,
    call_ids: CallIds,
    /// The lanes and the metadata of the calls that have not ended.
    calls: StringMap<Option<(Option<String>, Metadata)>>,
    /// The calls that the last list of messages had before they came, as long as they equal the
    /// list.
    repeated: Numbers<CallStart>,
    /// The spans of reasoning that are open, by lane.
    spans: StringMap<OpenSpans>,
    run: WrittenRun,
    listed: ListedTexts,
    /// The messages that were cut off, perhaps by the end of the run.
    cut_off: Vec<(u32, MessageEnd)>,
    /// The opaque members that wait.
    values: Values,
    /// The message of the current turn that the next call belongs to, and its lane.
    turn: Option<(String, Option<String>)>,
    /// Whether a list of messages was written.
    has_list: bool,
}

impl ToAgUi {
    /// Creates a target at the start of a stream. Ids that the options do not have are taken from
    /// the source, if it has them.
    pub fn new(options: WriteOptions) -> Self {
        let WriteOptions { ids, run_id, session_id, .. } = options;
        ToAgUi {
            write: RunWriter::default(),
            session_id,
            run_id,
            losses: LossChecker::default(),
            items: Numbers::default(),
            texts: StringMap::default(),
            renamed: StringMap::default(),
            pending: PendingMetadata::default(),
            ids: WrittenIds::new(ids),
            written: Numbers::default(),
            parts: Numbers::default(),
            previews: Numbers::default(),
            media: MediaBuffer::default(),
            call_ids: CallIds::default(),
            calls: StringMap::default(),
            repeated: Numbers::default(),
            spans: StringMap::default(),
            run: WrittenRun::default(),
            listed: ListedTexts::default(),
            cut_off: Vec::new(),
            values: Values::default(),
            turn: None,
            has_list: false,
        }
    }

    pub(super) fn can_write_pieces(&self) -> bool {
        self.write.can_write_pieces()
    }

    pub(super) fn write_pieces(&mut self, text: &str, ends: &[usize], out: &mut String) {
        self.write.write_pieces(text, ends, out);
    }
}

impl FromHub for ToAgUi {
    type Event = WireEvent;

    fn feed(&mut self, step: &Step<'_>, out: &mut EventOutput<'_, WireEvent>) {
        if !self.cut_off.is_empty() {
            self.close_cut_off(step, out);
        }
        self.losses.check(UNSUPPORTED, step, out);
        match *step {
            Step::Text { message, part, piece } => self.piece(message, part, piece, None, out),
            Step::Refusal { message, part, piece } => {
                self.piece(message, part, piece, Some("refusal"), out)
            }
            Step::Reasoning { message, part, piece, summary } => {
                self.piece(message, part, piece, summary.then_some("summary"), out);
            }
            Step::Arguments { message, part, piece } => {
                self.arguments(pair(message, part), piece, out)
            }
            Step::Start { id, session_id, parent_id, model, created_at } => {
                let more = present_members([
                    ("model", model.map(Value::from)),
                    ("createdAt", created_at.map(Value::from)),
                ]);
                self.start([id, session_id, parent_id], more, out);
            }
            Step::Open { .. } => self.open(step, out),
            Step::Call { .. } => self.call(step, out),
            Step::Result { id, output, preview: true, .. } => {
                let value = Value::from([("id", id.into()), ("output", output.into())]);
                self.custom("result", &value, out);
            }
            Step::Result { message, id, output, content, more, .. } => {
                self.result(Some(message), (id, output, content), more, out);
            }
            Step::Interrupt { message, .. } => {
                // The context has the metadata of the question. Discards the copy for a message
                // that was made only for the question.
                self.pending.take(message);
                self.run.ask(step, out.meta());
            }
            // The client does not have to answer a question that was answered in the run.
            Step::Answer { id, .. } => _ = self.run.interrupts.take(id),
            Step::Whole { message, part, payload, preview } => {
                self.whole(message, part, payload, preview, out)
            }
            Step::Media { message, part, kind, piece, media_type } => {
                self.media.add(pair(message, part), kind, piece, media_type);
            }
            Step::EndPart { message, part, whole } => {
                let at = pair(message, part);
                if self.repeated.remove(at).is_some() {
                    return;
                }
                if let Some(media) = self.media.take(at) {
                    return self.whole(message, part, media.payload(), false, out);
                }
                if out.kind(message).is_tool() {
                    if whole {
                        self.end_call(at, false, out);
                    }
                    return;
                }
                // The part ends with its message, which may add metadata, or before the next part.
                self.end_part(message, None, out);
                if let Some(item) = self.items.get_mut(message.into()) {
                    item.ended = Some(part);
                }
            }
            Step::Close { message, end } => self.close(message, end, out),
            Step::Note(ref note) => self.note(note, out),
            Step::Heartbeat => {}
            Step::End(end) => self.end(end, out),
        }
    }

    fn can_reopen(&self) -> bool {
        true
    }

    fn has_lists(&self) -> bool {
        true
    }
}

/// Returns metadata as an object, or `None` if they are empty.
fn object(members: Vec<Member>) -> Option<Value> {
    (!members.is_empty()).then_some(Value::Object(members))
}
