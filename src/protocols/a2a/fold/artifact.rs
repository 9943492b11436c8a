//! The artifacts of the task, whole or in pieces. (A5 to A7.)

use alloc::vec::Vec;

use super::object::Placing;
use super::object::named;
use super::task::merge;
use super::{A2aMeaning, Dialect};
use crate::core::{DecodeError, Observed, Rule};
use crate::engine::{Context, Counted, Node, Owner};
use crate::json::Element;
use crate::protocols::a2a::{Artifact, Part, Task, rules};

/// An artifact of the task.
#[derive(Debug)]
pub(super) struct ArtifactFold {
    node: Node,
    owner: Owner,
    parts: Vec<Node>,
    has_metadata: bool,
}

/// Returns the rule that a value of another type instead of an artifact violates. The client of 0.3 throws on it.
fn wrong_type(dialect: Dialect) -> &'static Rule {
    if dialect == Dialect::V0_3 { &rules::LEGACY_REQUIRED } else { &rules::MEMBER_TYPE }
}

/// The indexes of members of an artifact, in the order of the model.
const NAME: usize = 1;
const PARTS: usize = 3;
const METADATA: usize = 4;

impl A2aMeaning {
    /// Handles an artifact update.
    pub(super) fn artifact_update(&mut self, json: Element<'_, '_>, dialect: Dialect, cx: &mut Context<'_>) {
        let Some(state) = self.updated(json, cx) else { return };
        let Some((artifact, _)) = named(json, "artifact") else {
            return cx.breach(wrong_type(dialect), Observed::Named("no", "artifact"));
        };
        if state.is_terminal() {
            cx.breach(&rules::ARTIFACT_AFTER_TERMINAL, Observed::Name(state.as_str()));
        } else if state.is_interrupted() {
            cx.breach(&rules::AFTER_INTERRUPTION, Observed::Name(state.as_str()));
        }
        let append = named(json, "append").is_some_and(|(append, _)| append.bool() == Ok(true));
        let node = self.artifact(artifact, append, dialect, cx);
        let is_last = named(json, "lastChunk").is_some_and(|(last, _)| last.bool() == Ok(true));
        if let Some(node) = node.filter(|_| is_last) {
            cx.say_end(node, Artifact::parts);
        }
        self.more(named(json, "metadata").map(|(metadata, _)| metadata), cx);
    }

    /// Adds or replaces an artifact, or appends to one, and returns its node. (A5, A6.)
    pub(super) fn artifact(
        &mut self,
        json: Element<'_, '_>,
        append: bool,
        dialect: Dialect,
        cx: &mut Context<'_>,
    ) -> Option<Node> {
        let task = self.task.as_mut()?;
        let id = named(json, "artifactId").map(|(id, _)| id);
        if json.object().is_err() {
            cx.breach(wrong_type(dialect), Observed::Named("another type for", "artifact"));
            return None;
        }
        if let Some(Err(error)) = id.filter(|id| id.string().is_ok()).map(Element::id) {
            let error = DecodeError::new(error, "artifactId");
            cx.malformed(&error, "an artifact", Owner::NONE, None);
            return None;
        }
        let id = id.map(Element::words).unwrap_or_default();
        let known = task.artifacts.as_ref().and_then(|artifacts| artifacts.get(&id));
        let is_known = known.is_some();
        if !is_known {
            if task.artifacts.is_none() {
                cx.set_json(task.node, Task::artifacts, "[]");
            }
            let owner = cx.next_owner();
            let node = cx.open(Artifact::KIND, task.node, Task::artifacts, Counted::Messages, owner);
            let artifacts = task.artifacts.get_or_insert_default();
            let node = node?;
            let owner = cx.own(&id);
            artifacts.insert(&id, ArtifactFold { node, owner, parts: Vec::new(), has_metadata: false });
            if append {
                cx.breach_of(&rules::APPEND_UNKNOWN, &id, Observed::Words("the first piece has `append`"));
            }
        }
        let artifact = task.artifacts.as_mut().and_then(|artifacts| artifacts.get_mut(&id))?;
        let (node, owner) = (artifact.node, artifact.owner);
        let to = Placing { owner, ..Placing::new(Artifact::SHAPE, node, dialect) };
        let mut parts = core::mem::take(&mut artifact.parts);
        let mut has_metadata = artifact.has_metadata;
        let mut found = self.find(json, to, cx);
        let (said, metadata) = (found[PARTS].take(), found[METADATA].take());
        if is_known {
            found[0] = None;
        }
        if is_known && append {
            let is_said = |text: &Element<'_, '_>| text.string().is_ok_and(|text| !text.is_empty());
            if found[NAME..PARTS].iter().flatten().any(is_said) {
                cx.breach_of(&rules::APPEND_RENAMES, &id, Observed::Words("a name or description"));
            }
            found[METADATA..].fill(None);
        } else if is_known {
            self.end_text(to, cx);
            cx.arrange(node, Artifact::parts, &[]);
            parts.drain(..).for_each(|part| cx.release(part));
            for key in [
                Artifact::name,
                Artifact::description,
                Artifact::parts,
                Artifact::metadata,
                Artifact::extensions,
            ] {
                cx.unset(node, key);
            }
            has_metadata = false;
        }
        self.parts(said, &mut parts, to, cx);
        merge(node, Artifact::metadata, &mut has_metadata, metadata, cx);
        self.tell(&found, to, cx);
        let artifacts = self.task.as_mut().and_then(|task| task.artifacts.as_mut());
        if let Some(artifact) = artifacts.and_then(|artifacts| artifacts.get_mut(&id)) {
            (artifact.parts, artifact.has_metadata) = (parts, has_metadata);
        }
        Some(node)
    }

    /// Adds parts to an artifact, after its other parts.
    fn parts(
        &mut self,
        said: Option<Element<'_, '_>>,
        parts: &mut Vec<Node>,
        to: Placing,
        cx: &mut Context<'_>,
    ) {
        let Some(said) = said.filter(|said| to.dialect == Dialect::V1 || said.array().is_ok()) else {
            if to.dialect == Dialect::V0_3 {
                to.breach(&rules::LEGACY_REQUIRED, Observed::Words("an artifact without parts"), cx);
            }
            return;
        };
        for item in to.items(said, "parts", cx) {
            if parts.is_empty() {
                cx.set_json(to.node, Artifact::parts, "[]");
            }
            let part = cx.open(Part::KIND, to.node, Artifact::parts, Counted::Messages, to.owner);
            let Some(part) = part else { return };
            parts.push(part);
            self.place(item, Placing { shape: Part::SHAPE, node: part, parent: to.node, ..to }, cx);
        }
    }
}
