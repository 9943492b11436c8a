//! Free JSON as text.

/// The text of one valid JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raw<'a>(pub(crate) &'a str);

impl<'a> Raw<'a> {
    /// Returns the bytes of the value.
    pub fn as_str(self) -> &'a str {
        self.0
    }

    /// Reports whether the value is `null`.
    pub fn is_null(self) -> bool {
        self.0 == "null"
    }
}
