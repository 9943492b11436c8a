//! The artifacts of a task: the events that begin, extend and complete them. (A5 to A7.)

use alloc::{borrow::ToOwned, string::String, vec, vec::Vec};

use super::TaskWriter;
use crate::bytes::string_map::StringMap;
use crate::core::{FreeJsonCheck, Limits, PieceTemplate, WireEvent};
use crate::json::{Member, Value};
use crate::protocols::a2a::request::Part;

/// The properties of an artifact in addition to its id and its parts.
#[derive(Clone, Debug, Default)]
pub(crate) struct ArtifactInfo {
    /// The display name.
    pub name: Option<String>,
    /// Arbitrary data: the members of an object.
    pub metadata: Vec<Member>,
}

#[derive(Debug)]
pub(super) struct WrittenArtifact {
    members: Vec<Member>,
    /// The parts that the last event has once more, or `None` if it has no parts.
    parts: Option<Vec<Part>>,
    /// The places of the last texts in them, by their metadata as JSON. Without parts, it is empty.
    texts: StringMap<usize>,
    /// The approximate size of the parts in bytes.
    bytes: usize,
    complete: bool,
}

/// The maximum size in bytes of an artifact that is sent once more. The official clients refuse
/// events of more than 4 MiB, and escaped text has up to six times its size.
const RESENT: usize = 512 << 10;

impl WrittenArtifact {
    fn new(members: Vec<Member>, parts: Vec<Part>, resend: bool) -> Self {
        let (bytes, texts) = (parts.iter().map(size).sum(), StringMap::default());
        let parts = Some(parts).filter(|_| resend && bytes <= RESENT);
        let mut artifact = WrittenArtifact { members, parts, texts, bytes, complete: false };
        artifact.find_texts(0);
        artifact
    }

    /// Counts content that was sent, and returns whether the parts to which it belongs are sent
    /// once more.
    fn grow(&mut self, bytes: usize) -> bool {
        self.bytes += bytes;
        if self.parts.take_if(|_| self.bytes > RESENT).is_some() {
            self.texts = StringMap::default();
        }
        self.parts.is_some()
    }

    /// Adds parts that were sent.
    fn add(&mut self, parts: &[Part]) {
        if self.grow(parts.iter().map(size).sum())
            && let Some(known) = &mut self.parts
        {
            let from = known.len();
            known.extend_from_slice(parts);
            self.find_texts(from);
        }
    }

    /// Adds a piece of a text that was sent: to the last text with the same metadata, or as a new
    /// part.
    fn add_piece(&mut self, metadata: &Value, piece: &str, part: impl Fn(&str) -> Part) {
        if !self.grow(piece.len()) {
            return;
        }
        let place = self.texts.get(&metadata.to_json()).copied();
        let known = self.parts.as_mut().and_then(|parts| parts.get_mut(place?)?.text.as_mut());
        match known {
            Some(text) => text.push_str(piece),
            None => {
                // The piece is counted already.
                self.bytes -= piece.len();
                self.add(&[part(piece)]);
            }
        }
    }

    /// Notes the places of the texts from this one on.
    fn find_texts(&mut self, from: usize) {
        let parts = self.parts.as_deref().unwrap_or_default();
        for (at, part) in parts.iter().enumerate().skip(from) {
            if let (Some(_), Some(metadata)) = (&part.text, &part.metadata) {
                self.texts.insert(&metadata.to_json(), at);
            }
        }
    }
}

/// The template of the events of a text's further pieces.
#[derive(Debug)]
pub(super) struct Template {
    artifact: String,
    metadata: Value,
    pieces: PieceTemplate,
}

impl TaskWriter {
    /// Returns the event with the next piece of the text of an artifact that has these metadata.
    /// The first piece begins the artifact; `info` is used only for that piece.
    pub(crate) fn piece(
        &mut self,
        id: &str,
        metadata: Value,
        piece: &str,
        info: Option<&ArtifactInfo>,
    ) -> Option<WireEvent> {
        if !self.is_open() {
            return None;
        }
        let known = self.artifacts.get_mut(id);
        let part = |text: &str| Part { metadata: Some(metadata.clone()), ..Part::text(text) };
        let Some(artifact) = known.filter(|artifact| !artifact.complete) else {
            return self.begin(id, vec![part(piece)], info, false);
        };
        artifact.add_piece(&metadata, piece, part);
        if let Some(template) = &self.template
            && template.artifact == id
            && template.metadata == metadata
        {
            return Some(template.pieces.event(None, piece));
        }
        let template = self.template(id, metadata);
        let event = template.pieces.event(None, piece);
        self.template = Some(template);
        Some(event)
    }

    fn template(&self, id: &str, metadata: Value) -> Template {
        const EMPTY: &str = "\"text\":\"\"";
        let part = Part { metadata: Some(metadata.clone()), ..Part::text("") };
        let event = self.artifact_update(id, &[], vec![part.into_value()], Some(true), None);
        // Inside a JSON string a quote follows a backslash, so only the member itself matches.
        let rest = event.json().split_once(EMPTY).map_or("", |(_, rest)| rest);
        let pieces = PieceTemplate::before(&event, None, &["\"", rest].concat());
        Template { artifact: id.to_owned(), metadata, pieces }
    }

    /// Returns the event that appends whole parts to an artifact. An unknown id begins a new
    /// artifact with `info`.
    pub(crate) fn append(
        &mut self,
        id: &str,
        parts: Vec<Part>,
        info: Option<&ArtifactInfo>,
    ) -> Option<WireEvent> {
        if !self.is_open() || !are_readable(&parts) {
            return None;
        }
        let Some(artifact) = self.artifacts.get_mut(id).filter(|artifact| !artifact.complete)
        else {
            return self.begin(id, parts, info, false);
        };
        artifact.add(&parts);
        Some(self.artifact_update(id, &[], values(parts), Some(true), None))
    }

    /// Returns the only event of an artifact: it has all of the parts and marks the artifact as
    /// complete.
    pub(crate) fn whole(
        &mut self,
        id: &str,
        parts: Vec<Part>,
        info: Option<&ArtifactInfo>,
    ) -> Option<WireEvent> {
        if !self.is_open() || !are_readable(&parts) {
            return None;
        }
        self.begin(id, parts, info, true)
    }

    /// Returns the event that replaces all parts of an artifact. An unknown id begins a new
    /// artifact with `info`.
    pub(crate) fn replace(
        &mut self,
        id: &str,
        parts: Vec<Part>,
        info: Option<&ArtifactInfo>,
    ) -> Option<WireEvent> {
        if !self.is_open() || !are_readable(&parts) {
            return None;
        }
        let Some(artifact) = self.artifacts.get_mut(id).filter(|artifact| !artifact.complete)
        else {
            return self.begin(id, parts, info, false);
        };
        let members = core::mem::take(&mut artifact.members);
        *artifact = WrittenArtifact::new(members.clone(), parts.clone(), self.resend);
        Some(self.artifact_update(id, &members, values(parts), None, None))
    }

    /// Returns the event that completes an artifact: it has all of the parts once more if they are
    /// not larger than 512 KiB, and otherwise no parts. Stores then have one part for each text,
    /// and clients that use the parts of the last event as the answer have all of it (see
    /// [`resend`](Self::resend)). `metadata` is merged into that of the artifact.
    pub(crate) fn complete(&mut self, id: &str, metadata: Option<&[Member]>) -> Option<WireEvent> {
        if !self.is_open() {
            return None;
        }
        let artifact = self.artifacts.get_mut(id).filter(|artifact| !artifact.complete)?;
        if !metadata.is_none_or(have_readable_values) {
            return None;
        }
        artifact.complete = true;
        artifact.texts = StringMap::default();
        self.template = None;
        let more: Vec<Member> = metadata.unwrap_or_default().to_vec();
        let mut members = core::mem::take(&mut artifact.members);
        if let Some(parts) = artifact.parts.take().filter(|parts| !parts.is_empty()) {
            merge(&mut members, more);
            return Some(self.artifact_update(id, &members, values(parts), None, Some(true)));
        }
        Some(self.artifact_update(
            id,
            metadata_of(more).as_slice(),
            Vec::new(),
            Some(true),
            Some(true),
        ))
    }

    /// Returns the event that begins an artifact, and completes it if `complete` is true.
    fn begin(
        &mut self,
        id: &str,
        parts: Vec<Part>,
        info: Option<&ArtifactInfo>,
        complete: bool,
    ) -> Option<WireEvent> {
        if id.is_empty() || self.artifacts.get(id).is_some() {
            return None;
        }
        let info = info.cloned().unwrap_or_default();
        if !have_readable_values(&info.metadata) {
            return None;
        }
        let name = info.name.map(|name| Member { key: "name".to_owned(), value: name.into() });
        let members: Vec<Member> = name.into_iter().chain(metadata_of(info.metadata)).collect();
        let artifact = if complete {
            WrittenArtifact { complete, ..WrittenArtifact::new(Vec::new(), Vec::new(), false) }
        } else {
            self.begun.push(id.to_owned());
            WrittenArtifact::new(members.clone(), parts.clone(), self.resend)
        };
        self.artifacts.insert(id, artifact);
        Some(self.artifact_update(id, &members, values(parts), None, complete.then_some(true)))
    }

    fn artifact_update(
        &self,
        id: &str,
        members: &[Member],
        parts: Vec<Value>,
        append: Option<bool>,
        last: Option<bool>,
    ) -> WireEvent {
        let mut artifact = Value::from([("artifactId", id.into())]);
        members.iter().for_each(|member| artifact.insert(&member.key, member.value.clone()));
        artifact.insert("parts", Value::Array(parts));
        let of = |flag: Option<bool>| flag.map(Value::from);
        self.update(
            "artifactUpdate",
            [("artifact", Some(artifact)), ("append", of(append)), ("lastChunk", of(last))],
        )
    }
}

fn values(parts: Vec<Part>) -> Vec<Value> {
    parts.into_iter().map(Part::into_value).collect()
}

const METADATA: &str = "metadata";

/// Returns the member with metadata, if there are any.
fn metadata_of(members: Vec<Member>) -> Option<Member> {
    (!members.is_empty())
        .then(|| Member { key: METADATA.to_owned(), value: Value::Object(members) })
}

fn merge(members: &mut Vec<Member>, more: Vec<Member>) {
    let known = members.iter_mut().find(|member| member.key == METADATA);
    let Some(Member { value: Value::Object(known), .. }) = known else {
        return members.extend(metadata_of(more));
    };
    let mut places = StringMap::default();
    known.iter().enumerate().for_each(|(at, member)| places.insert(&member.key, at));
    for member in more {
        let at = places.get(&member.key).copied().unwrap_or(known.len());
        match known.get_mut(at) {
            Some(known) => *known = member,
            None => {
                places.insert(&member.key, at);
                known.push(member);
            }
        }
    }
}

/// Returns the approximate number of bytes that a part adds to an artifact.
pub(crate) fn size(part: &Part) -> usize {
    const MEMBERS: usize = 48;
    let json = [&part.data, &part.metadata].into_iter().flatten().map(|json| json.to_json().len());
    let texts = [&part.text, &part.raw, &part.url, &part.filename, &part.media_type];
    MEMBERS + json.chain(texts.into_iter().flatten().map(String::len)).sum::<usize>()
}

/// The maximum depth of free JSON: the event, the artifact and the part nest around it.
const DEEPEST: u32 = 96;

/// Returns whether readers take free JSON.
pub(crate) fn is_readable(value: &Value) -> bool {
    let deepest = DEEPEST.min(Limits::default().json_depth);
    FreeJsonCheck { deepest, call: "" }.value(value, deepest).is_ok()
}

fn have_readable_values(members: &[Member]) -> bool {
    FreeJsonCheck { deepest: DEEPEST, call: "" }.members(members, DEEPEST).is_ok()
}

/// Returns whether readers take these parts.
pub(crate) fn are_readable(parts: &[Part]) -> bool {
    parts.iter().all(|part| {
        part.check_content("").is_ok()
            && [&part.data, &part.metadata].into_iter().flatten().all(is_readable)
    })
}
