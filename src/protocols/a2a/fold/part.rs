//! The content of a part: exactly one member, in 0.3 according to its kind; and texts with
//! characters that were split between two parts. (A2A 2.2, A12, A13, X1.)

use alloc::string::String;

use super::object::{Destination, FoundMembers, member, named};
use super::{A2aFold, Dialect};
use crate::core::Observed;
use crate::engine::Context;
use crate::json::{self, Element, Str, SurrogateHalf, joined};
use crate::protocols::a2a::{Part, rules};

impl A2aFold {
    /// Reduces the members of a part to one content, in 0.3 according to its kind. Reports a part
    /// without exactly one content.
    pub(super) fn part<'d, 'a>(
        &mut self,
        json: Element<'d, 'a>,
        found: &mut FoundMembers<'d, 'a>,
        to: Destination,
        cx: &mut Context<'_>,
    ) {
        let is_right = match to.dialect {
            Dialect::V1 => {
                self.proto03.part(json, found);
                let mut contents =
                    found.iter_mut().take(CONTENTS).filter(|content| content.is_some());
                let first = contents.next();
                let is_one = first.is_some() & (contents.map(Option::take).count() == 0);
                // The client of 1.0 throws on bytes that are not a string.
                let has_bytes = found[RAW].take_if(|raw| raw.string().is_err()).is_none();
                is_one && has_bytes
            }
            Dialect::V0_3 => legacy_part(json, found, to, cx),
        };
        if !is_right {
            let rule = if to.dialect == Dialect::V1 {
                &rules::PART_CONTENT
            } else {
                &rules::LEGACY_REQUIRED
            };
            to.record(rule, Observed::Text(json.raw().as_str()), cx);
        }
    }

    /// Writes the text of a part. A split character is written to the part with its second half.
    pub(super) fn piece(&mut self, text: Str<'_>, to: Destination, cx: &mut Context<'_>) {
        let mut half =
            self.halves.remove(to.parent.into()).map_or(SurrogateHalf::NONE, |(half, _)| half);
        let mut scratch = String::new();
        let (characters, lone) = joined(text, &mut half, &mut scratch);
        cx.set_text(to.node, Part::text, characters);
        if lone > 0 {
            to.record(&rules::LONE_SURROGATE, Observed::Count(lone.into()), cx);
        }
        if half.is_waiting() {
            self.halves.insert(to.parent.into(), (half, to.node));
        }
    }

    /// Ends the parts of an object: half a character that still waits is replaced by U+FFFD.
    pub(super) fn end_text(&mut self, to: Destination, cx: &mut Context<'_>) {
        if let Some((_, part)) = self.halves.remove(to.node.into()) {
            cx.append_text(part, Part::text, "\u{fffd}");
            to.record(&rules::LONE_SURROGATE, Observed::Words("a half at the end"), cx);
        }
    }
}

/// The members of a part of which it has one, in this order.
const CONTENTS: usize = 4;
const CONTENT: [usize; CONTENTS] = [0, 1, 2, 3];
const RAW: usize = 1;
const METADATA: usize = 4;
/// The members of a part that a file of 0.3 has: its bytes, its URL, its name and its media type.
const FILE: [usize; 4] = [1, 2, 5, 6];

/// Converts a part of 0.3 to 1.0. Returns false if its kind is unknown or its content is missing.
/// In 0.3, data that are not an object are wrapped in one, and the metadata mark them.
fn legacy_part<'d, 'a>(
    json: Element<'d, 'a>,
    found: &mut FoundMembers<'d, 'a>,
    to: Destination,
    cx: &mut Context<'_>,
) -> bool {
    const WRAPPED: &str = "data_part_compat";
    let kind = member(json, "kind").and_then(|kind| kind.string().ok()).map(Str::to_str);
    let [text, .., data] = CONTENT.map(|at| found[at].take());
    match kind.as_deref() {
        Some("text") => found[0] = text,
        Some("file") => {
            let Some(file) = member(json, "file") else { return false };
            for (name, at) in ["bytes", "uri", "name", "mimeType"].into_iter().zip(FILE) {
                found[at] = member(file, name);
            }
            found[2] = found[2].filter(|_| found[1].is_none());
        }
        Some("data") => {
            found[3] = data;
            let metadata = found[METADATA].filter(|metadata| {
                member(*metadata, WRAPPED).is_some_and(|flag| flag.bool() == Ok(true))
            });
            if let Some(metadata) = metadata {
                found[METADATA] = None;
                found[3] = data.and_then(|data| data.member("value")).or(data);
                let mut rest = String::new();
                let mut object = json::ObjectWriter::open(&mut rest, false);
                for (name, value) in
                    metadata.object().into_iter().flatten().filter(|(name, _)| *name != WRAPPED)
                {
                    object.raw(&name.to_str(), Some(value.raw()));
                }
                object.close();
                if rest.len() > "{}".len() {
                    cx.set_json(to.node, Part::metadata, &rest);
                }
            }
        }
        _ => return false,
    }
    CONTENT.into_iter().any(|at| found[at].is_some())
}

/// The condition for the names that only 0.3 has in the REST binding, its protocol buffers as JSON.
/// They are accepted in events without an envelope, unless 1.0 was requested.
///
/// The form is that of 1.0, but a message has `content`, files and data are nested
/// (`{file: {fileWithUri, mimeType}}`, `{data: {data}}`), and the state of a canceled task is
/// spelled `CANCELLED`. (`@a2a-js/sdk` 0.3.14.)
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Proto03 {
    is_requested: bool,
    is_excluded: bool,
    /// The current event has no envelope.
    pub is_bare: bool,
}

const DATA: usize = 3;

impl Proto03 {
    /// Creates the condition for a requested version, or for none.
    pub fn requested(version: Option<Dialect>) -> Self {
        Proto03 {
            is_requested: version == Some(Dialect::V0_3),
            is_excluded: version == Some(Dialect::V1),
            is_bare: false,
        }
    }

    pub fn applies(self) -> bool {
        self.is_bare && !self.is_excluded
    }

    /// Reports whether 0.3 was requested and the current event has this form.
    pub fn is_expected(self) -> bool {
        self.is_bare && self.is_requested
    }

    /// Reports whether the file of a part has these names.
    pub fn is_file(self, file: Element<'_, '_>) -> bool {
        let has = |name| named(file, name).is_some();
        self.applies() && (has("fileWithBytes") || has("fileWithUri"))
    }

    /// Moves the content of a part to the members of 1.0. Nested data cannot be distinguished from
    /// data of 1.0, so they are unpacked only if 0.3 was requested.
    pub fn part<'d, 'a>(self, part: Element<'d, 'a>, found: &mut FoundMembers<'d, 'a>) {
        if let Some(file) = member(part, "file").filter(|file| self.is_file(*file)) {
            for (name, at) in
                ["fileWithBytes", "fileWithUri", "name", "mimeType"].into_iter().zip(FILE)
            {
                found[at] = named(file, name);
            }
            found[1] = found[1].filter(|_| found[2].is_none());
        }
        if self.is_expected() {
            found[DATA] = found[DATA].and_then(|data| member(data, "data").or(Some(data)));
        }
    }
}
