//! Objects that a caller made: whether they can be written.

use crate::core::{FreeJsonCheck, Limits, UsageError, free_json};
use crate::json::{Member, Value};

/// An object of the caller (`data`, `usage`, `metadata`) that readers will be able to read.
pub(super) fn object(value: &Value, call: &str) -> Result<(), UsageError> {
    if !matches!(value, Value::Object(_)) {
        return Err(UsageError::new(
            "not-an-object",
            [call, " was given something else than a JSON object"].concat(),
            "put it into an object, under a key",
        ));
    }
    FreeJsonCheck { deepest: deepest(), call }.value(value, deepest())
}

/// A value inside such an object.
pub(super) fn inside_object(value: &Value, call: &str) -> Result<(), UsageError> {
    FreeJsonCheck { deepest: deepest(), call }.value(value, deepest() - 1)
}

/// Members that the protocol does not declare.
pub(super) fn extra(extra: &[Member], declared: &[&str], call: &str) -> Result<(), UsageError> {
    if let Some(member) = extra.iter().find(|m| declared.contains(&m.key.as_str())) {
        return Err(free_json::duplicate(&member.key, call));
    }
    FreeJsonCheck { deepest: deepest(), call }.members(extra, deepest())
}

/// How deep free JSON may nest: in the final response it stands below response, output, message, content and part, and
/// readers bound the whole.
fn deepest() -> u32 {
    Limits::default().json_depth - 5
}
