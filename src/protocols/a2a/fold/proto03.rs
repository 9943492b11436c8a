//! Names that only 0.3 has in the REST binding: its protocol buffers as JSON. The form is that of 1.0, but a message
//! has `content`, files and data are nested (`{file: {fileWithUri, mimeType}}`, `{data: {data}}`), and the state of a
//! canceled task is spelled `CANCELLED`. (`@a2a-js/sdk` 0.3.14.)

use super::Dialect;
use super::object::named;
use super::object::{Found, member};
use crate::json::Element;

/// The condition for these names: they are accepted in events without an envelope, unless 1.0 was requested.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Proto03 {
    is_asked: bool,
    is_excluded: bool,
    /// The current event has no envelope.
    pub is_bare: bool,
}

/// The members of a file, and the index of each among the members of a part.
const FILE: [(&str, usize); 4] = [("fileWithBytes", 1), ("fileWithUri", 2), ("name", 5), ("mimeType", 6)];
const DATA: usize = 3;

impl Proto03 {
    /// Creates the condition for a requested version, or for none.
    pub fn asked(version: Option<Dialect>) -> Self {
        Proto03 {
            is_asked: version == Some(Dialect::V0_3),
            is_excluded: version == Some(Dialect::V1),
            is_bare: false,
        }
    }

    pub fn counts(self) -> bool {
        self.is_bare && !self.is_excluded
    }

    /// Reports whether 0.3 was requested and the current event has this form.
    pub fn is_expected(self) -> bool {
        self.is_bare && self.is_asked
    }

    /// Reports whether the file of a part has these names.
    pub fn is_file(self, file: Element<'_, '_>) -> bool {
        let has = |name| named(file, name).is_some();
        self.counts() && (has("fileWithBytes") || has("fileWithUri"))
    }

    /// Moves the content of a part to the members of 1.0. Nested data cannot be distinguished from data of 1.0, so they
    /// are unpacked only if 0.3 was requested.
    pub fn part<'d, 'a>(self, part: Element<'d, 'a>, found: &mut Found<'d, 'a>) {
        if let Some(file) = member(part, "file").filter(|file| self.is_file(*file)) {
            for (name, at) in FILE {
                found[at] = named(file, name).map(|(value, _)| value);
            }
            if found[2].is_some() {
                found[1] = None;
            }
        }
        if self.is_expected() {
            found[DATA] = found[DATA].and_then(|data| member(data, "data").or(Some(data)));
        }
    }
}
