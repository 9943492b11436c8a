//! Checks of the objects that a caller provides.

use crate::core::{FreeJsonCheck, Limits, UsageError, free_json};
use crate::json::{Member, Value};

/// Checks that readers can read an object of the caller (`data`, `usage`, `metadata`).
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

/// Checks a value inside such an object.
pub(super) fn inside_object(value: &Value, call: &str) -> Result<(), UsageError> {
    FreeJsonCheck { deepest: deepest(), call }.value(value, deepest() - 1)
}

/// Checks members that the protocol does not declare.
pub(super) fn extra(extra: &[Member], declared: &[&str], call: &str) -> Result<(), UsageError> {
    if let Some(member) = extra.iter().find(|m| declared.contains(&m.key.as_str())) {
        return Err(free_json::duplicate(&member.key, call));
    }
    FreeJsonCheck { deepest: deepest(), call }.members(extra, deepest())
}

/// Returns the maximum nesting depth of free JSON: in the final response it is inside response, output, message,
/// content and part, and readers limit the total depth.
fn deepest() -> u32 {
    Limits::default().json_depth - 5
}
