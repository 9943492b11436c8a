//! Free JSON as text.

/// One JSON value as text, checked to be one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raw<'a>(pub(crate) &'a str);

impl<'a> Raw<'a> {
    /// The bytes of the value.
    pub fn as_str(self) -> &'a str {
        self.0
    }

    /// True for `null`.
    pub fn is_null(self) -> bool {
        self.0 == "null"
    }
}
