//! Parts of the declarations that the reader of events does not need: documentation, and names for TypeScript and JSON
//! Schema.

use crate::core::declare::model::shape::{UnionShape, WordsShape};

/// The name and documentation of one kind of event.
#[derive(Debug)]
pub struct RowShape {
    /// The name in TypeScript, if it has a separate one.
    pub name: Option<&'static str>,
    /// Its documentation, line by line.
    pub doc: &'static [&'static str],
    /// Its members, in the order of the row.
    pub members: &'static [MemberShape],
    /// The objects of the answer whose own members are the last ones of the row: each event has the members of its
    /// variant.
    pub variants: Option<&'static UnionShape>,
}

/// The documentation of one member of an event.
#[derive(Debug)]
pub struct MemberShape {
    /// Its documentation, line by line.
    pub doc: &'static [&'static str],
    /// The usual words of the member.
    pub words: Option<&'static WordsShape>,
}

impl RowShape {
    /// The shape of rows without documentation.
    pub(super) const NONE: &'static RowShape =
        &RowShape { name: None, doc: &[], members: &[], variants: None };

    /// Returns the names of the members that only some variants have, each once.
    pub fn varying(&self) -> impl Iterator<Item = &'static str> {
        let variants = self.variants.map_or(&[][..], |union| union.variants);
        let all = move || variants.iter().flat_map(|(_, object)| object.members).map(|member| member.name);
        all()
            .enumerate()
            .filter(move |(at, name)| all().position(|other| other == *name) == Some(*at))
            .map(|(_, name)| name)
    }
}
