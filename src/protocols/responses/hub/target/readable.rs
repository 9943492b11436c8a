//! The values and members that readers of Responses can read: no others are written.

use super::types::ItemRow;
use super::{UNREADABLE, WireOutput};
use crate::bytes::string_map::StringMap;
use crate::core::declare::model::shape::ValueShape;
use crate::core::{FreeJsonCheck, Limits};
use crate::json::{Member, Value};
use crate::protocols::responses::{ItemType, MODEL};

/// The depth that is left for a member: an item of a response in an event is three levels deep.
fn deepest() -> u32 {
    Limits::default().json_depth - 4
}

/// Whether readers can read free JSON.
pub(super) fn is_readable(value: &Value) -> bool {
    FreeJsonCheck { deepest: deepest(), call: "" }.value(value, deepest()).is_ok()
}

/// Returns the members that an item of that type can have. The others are noted as losses: those
/// that its state writes, and those that readers could not read. (O19.)
pub(super) fn readable_members(
    mut members: Value,
    (r#type, row): (&str, &ItemRow),
    out: &mut WireOutput<'_>,
) -> Value {
    let shape = MODEL.objects[usize::from(ItemType::from(r#type).kind().0)];
    let has_its_type = |Member { key, value }: &Member| {
        shape.member(key).is_none_or(|member| {
            let (shape, is_nullable) = member.shape.inner();
            match value {
                Value::String(_) => true,
                Value::Null if is_nullable => true,
                _ => !matches!(shape, ValueShape::Text | ValueShape::Words(_)),
            }
        })
    };
    let check = FreeJsonCheck { deepest: deepest(), call: "" };
    let are_readable = |members: &[Member]| {
        members.iter().all(|member| !row.writes(&member.key) && has_its_type(member))
            && check.members(members, deepest() - 1).is_ok()
    };
    if let Value::Object(members) = &mut members
        && !are_readable(members)
    {
        let mut keys = StringMap::default();
        members.retain(|member| {
            let before = keys.len();
            keys.insert(&member.key, ());
            let is_kept = keys.len() > before && are_readable(core::slice::from_ref(member));
            if !is_kept {
                out.lose("refused", &member.key, UNREADABLE);
            }
            is_kept
        });
    }
    members
}
