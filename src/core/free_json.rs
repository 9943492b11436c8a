//! Checks that readers will be able to read free JSON that a caller has created.

use crate::bytes::string_map::StringMap;
use crate::core::error::UsageError;
use crate::json::{self, Member, Value, decimal};

/// A check of free JSON in one call of a builder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FreeJsonCheck<'a> {
    /// The maximum depth in the error message.
    pub deepest: u32,
    /// The name of the call in the error message.
    pub call: &'a str,
}

impl FreeJsonCheck<'_> {
    /// Checks a value that may nest `depth` deep.
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

    /// Checks the members of an object whose values may nest `depth` deep.
    pub fn members(self, entries: &[Member], depth: u32) -> Result<(), UsageError> {
        // Most objects have few members. The keys of an object with many members are looked up in a
        // map, so that the time stays linear.
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

/// Creates the error of a duplicate member.
pub(crate) fn duplicate(key: &str, call: &str) -> UsageError {
    UsageError::new(
        "duplicate-key",
        [call, " was given the member `", key, "` twice"].concat(),
        "give each member once",
    )
}
