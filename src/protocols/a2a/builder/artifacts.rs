//! Artifacts: how they begin, grow, and are complete. (A5 to A7.)

use alloc::{borrow::ToOwned, string::String, vec, vec::Vec};

use super::{StreamBuilder, WireEvent};
use crate::bytes::string_map::StringMap;
use crate::core::{FreeJsonCheck, Limits, UsageError};
use crate::json::{Member, Value, put, write_escaped};
use crate::protocols::a2a::request::Part;

/// What an artifact is, besides its parts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ArtifactInfo {
    /// What people call it.
    pub name: Option<String>,
    /// Free: an object.
    pub metadata: Vec<Member>,
}

#[derive(Debug)]
pub(super) struct Artifact {
    pub(super) members: Vec<Member>,
    pub(super) parts: Vec<Part>,
    pub(super) complete: bool,
}

/// What the events of a text's further pieces have in common.
#[derive(Debug)]
pub(super) struct Template {
    pub(super) artifact: String,
    pub(super) metadata: Value,
    before: String,
    after: String,
}

impl StreamBuilder {
    /// The next piece of the text with that number in an artifact. The first piece of an artifact begins it; `info` counts only
    /// then.
    pub fn text(
        &mut self,
        artifact: &str,
        index: u32,
        piece: &str,
        info: Option<&ArtifactInfo>,
    ) -> Result<WireEvent, UsageError> {
        self.piece(artifact, [("index", i64::from(index).into())].into(), piece, info)
    }

    /// The same, with all of the part's metadata.
    pub(in crate::protocols::a2a) fn piece(
        &mut self,
        id: &str,
        metadata: Value,
        piece: &str,
        info: Option<&ArtifactInfo>,
    ) -> Result<WireEvent, UsageError> {
        const CALL: &str = "text()";
        self.is_open(CALL)?;
        let known = self.artifacts.get_mut(id);
        let part = |text: &str| Part { metadata: Some(metadata.clone()), ..Part::text(text) };
        let Some(artifact) = known.filter(|artifact| !artifact.complete) else {
            return self.put(CALL, id, vec![part(piece)], info);
        };
        let known = artifact.parts.iter_mut().rev().find(|part| part.metadata.as_ref() == Some(&metadata));
        match known.and_then(|part| part.text.as_mut()) {
            Some(text) => text.push_str(piece),
            None => artifact.parts.push(part(piece)),
        }
        if let Some(template) = &self.template
            && template.artifact == id
            && template.metadata == metadata
        {
            return Ok(template.event(piece));
        }
        let template = self.template(id, metadata);
        let event = template.event(piece);
        self.template = Some(template);
        Ok(event)
    }

    pub(super) fn template(&self, id: &str, metadata: Value) -> Template {
        const EMPTY: &str = "\"text\":\"\"";
        let part = Part { metadata: Some(metadata.clone()), ..Part::text("") };
        let event = self.artifact_update(id, &[], &[part], Some(true), None);
        let json = event.json();
        // Inside of a JSON string a quote has a backslash, so only the member itself looks like this.
        let at = json.find(EMPTY).map_or(0, |at| at + EMPTY.len() - 1);
        let (before, after) = json.split_at(at);
        Template { artifact: id.to_owned(), metadata, before: before.to_owned(), after: after.to_owned() }
    }

    /// Parts of an artifact, each whole: at its end, or, where there is none of that id, as a new one that `info` tells of.
    pub fn append(
        &mut self,
        id: &str,
        parts: Vec<Part>,
        info: Option<&ArtifactInfo>,
    ) -> Result<WireEvent, UsageError> {
        const CALL: &str = "append()";
        self.is_open(CALL)?;
        check(&parts, CALL)?;
        match self.artifacts.get_mut(id).filter(|artifact| !artifact.complete) {
            None => self.put(CALL, id, parts, info),
            Some(artifact) => {
                let from = artifact.parts.len();
                artifact.parts.extend(parts);
                let added = artifact.parts.get(from..).unwrap_or_default().to_vec();
                Ok(self.artifact_update(id, &[], &added, Some(true), None))
            }
        }
    }

    /// An artifact that comes at once: its only event has all of its parts and says that it is complete.
    pub fn whole(
        &mut self,
        id: &str,
        parts: Vec<Part>,
        info: Option<&ArtifactInfo>,
    ) -> Result<WireEvent, UsageError> {
        const CALL: &str = "whole()";
        self.is_open(CALL)?;
        check(&parts, CALL)?;
        self.begin(CALL, id, parts, info, true)
    }

    /// All parts of an artifact, in place of those that it had.
    pub fn replace(
        &mut self,
        id: &str,
        parts: Vec<Part>,
        info: Option<&ArtifactInfo>,
    ) -> Result<WireEvent, UsageError> {
        const CALL: &str = "replace()";
        self.is_open(CALL)?;
        check(&parts, CALL)?;
        match self.artifacts.get_mut(id).filter(|artifact| !artifact.complete) {
            None => self.put(CALL, id, parts, info),
            Some(artifact) => {
                artifact.parts = parts;
                let (members, parts) = (artifact.members.clone(), artifact.parts.clone());
                Ok(self.artifact_update(id, &members, &parts, None, None))
            }
        }
    }

    /// An artifact is whole: it is sent once more with all of its parts. That leaves one part of each text in the stores, and
    /// clients that take the parts of the last event for the answer have all of it (see [`resend`](Self::resend)). `metadata` is
    /// merged into that of the artifact.
    pub fn complete(&mut self, id: &str, metadata: Option<&[Member]>) -> Result<WireEvent, UsageError> {
        const CALL: &str = "complete()";
        self.is_open(CALL)?;
        let Some(artifact) = self.artifacts.get_mut(id).filter(|artifact| !artifact.complete) else {
            return Err(UsageError::new(
                "artifact-unknown",
                [CALL, " was given `", id, "`, which is no artifact that is not complete"].concat(),
                "call `text()` or `append()` with that id first, and this once",
            ));
        };
        if let Some(metadata) = metadata {
            FreeJsonCheck { deepest: DEEPEST, call: CALL }.members(metadata, DEEPEST)?;
        }
        artifact.complete = true;
        self.template = None;
        let more: Vec<Member> = metadata.unwrap_or_default().to_vec();
        let whole = self.resend && !artifact.parts.is_empty();
        let parts = core::mem::take(&mut artifact.parts);
        let mut members = core::mem::take(&mut artifact.members);
        Ok(match whole {
            true => {
                merge(&mut members, more);
                self.artifact_update(id, &members, &parts, None, Some(true))
            }
            false => {
                let more = (!more.is_empty())
                    .then(|| Member { key: METADATA.to_owned(), value: Value::Object(more) });
                self.artifact_update(id, more.as_slice(), &[], Some(true), Some(true))
            }
        })
    }

    /// A new artifact.
    pub(super) fn put(
        &mut self,
        call: &str,
        id: &str,
        parts: Vec<Part>,
        info: Option<&ArtifactInfo>,
    ) -> Result<WireEvent, UsageError> {
        self.begin(call, id, parts, info, false)
    }

    /// A new artifact, which may be complete.
    fn begin(
        &mut self,
        call: &str,
        id: &str,
        parts: Vec<Part>,
        info: Option<&ArtifactInfo>,
        complete: bool,
    ) -> Result<WireEvent, UsageError> {
        if id.is_empty() || self.has(id) {
            return Err(UsageError::new(
                "artifact-id",
                [call, " was given the artifact `", id, "`, which is complete or has no id"].concat(),
                "give every artifact an id of its own",
            ));
        }
        let info = info.cloned().unwrap_or_default();
        FreeJsonCheck { deepest: DEEPEST, call }.members(&info.metadata, DEEPEST)?;
        let name = info.name.map(|name| Member { key: "name".to_owned(), value: name.into() });
        let metadata = Some(info.metadata).filter(|metadata| !metadata.is_empty());
        let metadata =
            metadata.map(|members| Member { key: METADATA.to_owned(), value: Value::Object(members) });
        let members: Vec<Member> = name.into_iter().chain(metadata).collect();
        let event = self.artifact_update(id, &members, &parts, None, complete.then_some(true));
        let kept = if complete { (Vec::new(), Vec::new()) } else { (members, parts) };
        self.artifacts.insert(id, Artifact { members: kept.0, parts: kept.1, complete });
        if !complete {
            self.begun.push(id.to_owned());
        }
        Ok(event)
    }

    fn artifact_update(
        &self,
        id: &str,
        members: &[Member],
        parts: &[Part],
        append: Option<bool>,
        last: Option<bool>,
    ) -> WireEvent {
        let mut artifact = Value::from([("artifactId", id.into())]);
        members.iter().for_each(|member| artifact.insert(&member.key, member.value.clone()));
        artifact.insert("parts", Value::Array(parts.iter().map(Part::to_value).collect()));
        let of = |flag: Option<bool>| flag.map(Value::from);
        self.update(
            "artifactUpdate",
            [("artifact", Some(artifact)), ("append", of(append)), ("lastChunk", of(last))],
        )
    }
}

impl Template {
    pub(super) fn event(&self, piece: &str) -> WireEvent {
        const ROOM: usize = 16;
        WireEvent::written(self.before.len() + piece.len() + self.after.len() + ROOM, None, |frame| {
            put(frame, &self.before);
            write_escaped(piece, frame);
            put(frame, &self.after);
        })
    }
}

const METADATA: &str = "metadata";

fn merge(members: &mut Vec<Member>, more: Vec<Member>) {
    if more.is_empty() {
        return;
    }
    match members.iter_mut().find(|member| member.key == METADATA) {
        Some(Member { value: Value::Object(known), .. }) => {
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
        Some(_) => {}
        None => members.push(Member { key: METADATA.to_owned(), value: Value::Object(more) }),
    }
}

/// How deep free JSON may nest: around it there are the event, the artifact and the part.
const DEEPEST: u32 = 96;

pub(super) fn free(value: &Value, call: &str) -> Result<(), UsageError> {
    let deepest = DEEPEST.min(Limits::default().json_depth);
    FreeJsonCheck { deepest, call }.value(value, deepest)
}

pub(super) fn check(parts: &[Part], call: &str) -> Result<(), UsageError> {
    parts.iter().try_for_each(|part| {
        part.check_content(call)?;
        [&part.data, &part.metadata].into_iter().flatten().try_for_each(|value| free(value, call))
    })
}
