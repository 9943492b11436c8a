//! The metadata of the provider `agentwire`, which the client keeps with a part:
//!
//! | member | value |
//! |---|---|
//! | `state` | the members that only another protocol has, sealed |
//! | `summary` | the reasoning is a summary |
//! | `refusal` | the text is a refusal |
//! | `detail` | the resolution at which a model looks at an image |
//! | `custom` | the input of the tool is a text |
//! | `namespace` | the namespace of the tool |
//! | `run_by` | `client_builtin` if the client runs a tool that the provider declares |
//!
//! Metadata of other providers, and other members, are opaque members of the AI SDK.

use alloc::string::String;

use super::FORMAT;
use crate::hub::conversation::members::{take, take_bool, take_text, write_members};
use crate::hub::conversation::{Content, Opaque, RunBy, Sealed};
use crate::json::{Member, ObjectWriter, Value};

/// The provider.
const PROVIDER: &str = "agentwire";

/// What the metadata of a part say.
#[derive(Debug, Default)]
pub(super) struct Meta {
    pub sealed: Option<Sealed>,
    pub is_summary: bool,
    pub is_refusal: bool,
    pub is_custom: bool,
    pub detail: Option<String>,
    pub namespace: Option<String>,
    pub by: RunBy,
}

impl Meta {
    /// Takes the metadata from a part: the member `name` of it.
    pub fn take(part: &mut Value, name: &str) -> Self {
        let path = [name, ".", PROVIDER].concat();
        let Some(mut own) = take(part, &path) else { return Meta::default() };
        let state = own.text("state").and_then(Sealed::open);
        if state.is_some() {
            take(&mut own, "state");
        }
        let meta = Meta {
            sealed: state,
            is_summary: take_bool(&mut own, "summary") == Some(true),
            is_refusal: take_bool(&mut own, "refusal") == Some(true),
            is_custom: take_bool(&mut own, "custom") == Some(true),
            detail: take_text(&mut own, "detail"),
            namespace: take_text(&mut own, "namespace"),
            by: match take_text(&mut own, "run_by").as_deref() {
                Some("client_builtin") => RunBy::ClientBuiltin,
                _ => RunBy::Client,
            },
        };
        // Other members stay.
        if matches!(&own, Value::Object(members) if !members.is_empty()) {
            crate::hub::conversation::members::put(part, &path, own);
        }
        meta
    }
}

/// The metadata of a part that is written.
#[derive(Debug, Default)]
pub(super) struct WrittenMetadata<'a> {
    pub opaque: Option<&'a Opaque>,
    /// The content that they belong to, unless it is a result.
    pub content: Option<&'a Content>,
    pub is_summary: bool,
    pub is_refusal: bool,
    pub is_custom: bool,
    pub detail: Option<&'a str>,
    pub namespace: Option<&'a str>,
    pub by: RunBy,
}

impl WrittenMetadata<'_> {
    /// Writes the metadata: the member `name` of a part.
    pub fn write(&self, name: &str, part: &mut ObjectWriter<'_>) {
        let own = self.opaque.filter(|own| own.format == FORMAT).and_then(|own| own.get(name));
        let foreign = self.opaque.filter(|own| own.format != FORMAT);
        let is_marked = self.is_summary
            || self.is_refusal
            || self.is_custom
            || self.detail.is_some()
            || self.namespace.is_some()
            || self.by == RunBy::ClientBuiltin;
        if foreign.is_none() && !is_marked {
            return part.value(name, own);
        }
        let members = own.map(Value::members).unwrap_or_default();
        let is_ours = |member: &&Member| member.key == PROVIDER;
        let mut metadata = ObjectWriter::open(part.member(name), true);
        members.iter().filter(|member| !is_ours(member)).for_each(|member| {
            metadata.value(&member.key, Some(&member.value));
        });
        let mut ours = ObjectWriter::open(metadata.member(PROVIDER), true);
        if let Some(others) = members.iter().find(is_ours) {
            write_members(others.value.members(), &mut ours);
        }
        if let Some(foreign) = foreign {
            let sealed = match self.content {
                Some(content) => foreign.sealed_for(content),
                None => Sealed::new(foreign.clone()).seal(),
            };
            ours.string("state", Some(&sealed));
        }
        ours.bool("summary", self.is_summary.then_some(true));
        ours.bool("refusal", self.is_refusal.then_some(true));
        ours.bool("custom", self.is_custom.then_some(true));
        ours.string("detail", self.detail);
        ours.string("namespace", self.namespace);
        ours.string("run_by", (self.by == RunBy::ClientBuiltin).then_some("client_builtin"));
        ours.close();
        metadata.close();
    }
}
