//! Names that only 0.3 by REST has: its protocol buffers as JSON. The form is that of 1.0, but a message has `content`, files and data
//! are nested (`{file: {fileWithUri, mimeType}}`, `{data: {data}}`), and a task is `CANCELLED`. (`@a2a-js/sdk` 0.3.14.)

use super::Dialect;
use super::object::{Found, member};
use super::words::named;
use crate::json::Element;

/// Whether these names count: in events without an envelope, unless 1.0 was asked for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Proto03 {
    is_asked: bool,
    is_excluded: bool,
    /// The event at work has no envelope.
    pub is_bare: bool,
}

/// What a file has, and where it is among the members of a part.
const FILE: [(&str, usize); 4] = [("fileWithBytes", 1), ("fileWithUri", 2), ("name", 5), ("mimeType", 6)];
const DATA: usize = 3;

impl Proto03 {
    /// For a reader that was told the version, or was not.
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

    /// Whether 0.3 was asked for, and this is its form.
    pub fn is_expected(self) -> bool {
        self.is_bare && self.is_asked
    }

    /// Whether a part's file is one of these.
    pub fn is_file(self, file: Element<'_, '_>) -> bool {
        let has = |name| named(file, name).is_some();
        self.counts() && (has("fileWithBytes") || has("fileWithUri"))
    }

    /// What a part holds, found where 1.0 has it. Data look like those of 1.0: they are these where 0.3 was asked for.
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
