//! Free JSON that a caller made: whether it can be written so that readers will be able to read it.

use crate::bytes::string_map::StringMap;
use crate::core::error::UsageError;
use crate::json::{self, Member, Value, decimal};

/// A check of free JSON in one call of a builder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FreeJsonCheck<'a> {
    /// How deep it may nest, as the refusal says it.
    pub deepest: u32,
    /// The call, as the refusal names it.
    pub call: &'a str,
}

impl FreeJsonCheck<'_> {
    /// A value that may nest `depth` deep.
    pub fn value(self, value: &Value, depth: u32) -> Result<(), UsageError> {
        match value {
            Value::Null | Value::Bool(_) | Value::String(_) => Ok(()),
            Value::Number(digits) => self.number(digits),
            Value::Array(_) | Value::Object(_) if depth == 0 => Err(UsageError::new(
                "too-deep",
                [
                    self.call,
                    " was given JSON that nests deeper than ",
                    &decimal(self.deepest.into()),
                    " levels",
                ]
                .concat(),
                "flatten it, or send it as text",
            )),
            Value::Array(items) => items.iter().try_for_each(|item| self.value(item, depth - 1)),
            Value::Object(entries) => self.members(entries, depth - 1),
        }
    }

    /// The members of an object, whose values may nest `depth` deep.
    pub fn members(self, entries: &[Member], depth: u32) -> Result<(), UsageError> {
        // Most objects have few members; those of one with many are looked up, or wide data would cost their square.
        const MANY: usize = 16;
        let mut keys = StringMap::default();
        for (at, Member { key, value }) in entries.iter().enumerate() {
            let known = if entries.len() > MANY {
                let before = keys.len();
                keys.insert(key, ());
                keys.len() == before
            } else {
                entries[..at].iter().any(|before| before.key == *key)
            };
            if known {
                return Err(duplicate(key, self.call));
            }
            self.value(value, depth)?;
        }
        Ok(())
    }

    fn number(self, digits: &str) -> Result<(), UsageError> {
        json::is_number(digits).then_some(()).ok_or_else(|| {
            UsageError::new(
                "not-a-number",
                [self.call, " was given `", digits, "` as a number"].concat(),
                "give JSON numbers their JSON spelling",
            )
        })
    }
}

/// The refusal of a member that stands twice.
pub(crate) fn duplicate(key: &str, call: &str) -> UsageError {
    UsageError::new(
        "duplicate-key",
        [call, " was given the member `", key, "` twice"].concat(),
        "give each member once",
    )
}
