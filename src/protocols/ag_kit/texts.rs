//! The texts of the agent in a turn.

use alloc::format;

use super::Part;
use super::model::{Snapshot, TextPart};
use crate::core::changes::{AgentText, TextKind, Texts};
use crate::core::sink::Key;

impl Texts for Snapshot {
    const TEXTS: &'static [Key] = &[TextPart::text];
    const HOLDERS: &'static [Key] = &[Snapshot::parts];

    fn text_at(&self, way: &[(Key, usize)], key: Key) -> Option<AgentText<'_>> {
        let (&[(Snapshot::parts, at)], TextPart::text) = (way, key) else { return None };
        let Part::Text(part) = self.parts.get(at)? else { return None };
        Some(AgentText::new(format!("{at}"), TextKind::Answer, &part.text))
    }
}
