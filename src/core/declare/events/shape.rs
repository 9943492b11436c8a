//! What the reader of events does not need of their declarations: documentation, and names for TypeScript and JSON Schema.

use crate::core::declare::model::shape::{UnionShape, WordsShape};

/// What one kind of event is called, and what it is for.
#[derive(Debug)]
pub struct RowShape {
    /// What it is called in TypeScript, if it has a name of its own there.
    pub name: Option<&'static str>,
    /// Its documentation, line by line.
    pub doc: &'static [&'static str],
    /// Its members, in the order of the row.
    pub members: &'static [MemberShape],
    /// The objects of the answer whose own members are the last ones of the row: each event has those of its variant.
    pub variants: Option<&'static UnionShape>,
}

/// What one member of an event is for.
#[derive(Debug)]
pub struct MemberShape {
    /// Its documentation, line by line.
    pub doc: &'static [&'static str],
    /// The words that it usually is one of.
    pub words: Option<&'static WordsShape>,
}

impl RowShape {
    /// Of rows that say no more.
    pub(super) const NONE: &'static RowShape =
        &RowShape { name: None, doc: &[], members: &[], variants: None };

    /// The members that only some variants have: their names, each once.
    pub fn varying(&self) -> impl Iterator<Item = &'static str> {
        let variants = self.variants.map_or(&[][..], |union| union.variants);
        let all = move || variants.iter().flat_map(|(_, object)| object.members).map(|member| member.name);
        all()
            .enumerate()
            .filter(move |(at, name)| all().position(|other| other == *name) == Some(*at))
            .map(|(_, name)| name)
    }
}
