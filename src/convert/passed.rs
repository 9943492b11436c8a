//! A request for a server of its own protocol: the same text, in which only the settings of the
//! operator are changed.

use alloc::string::String;
use alloc::vec::Vec;

use super::request::{ConvertError, ConvertedRequest, RequestOptions, known};
use crate::core::limits::Limits;
use crate::core::request::decision;
use crate::hub::conversation::members::{put, take};
use crate::hub::conversation::{Back, SettingKey, is_sealed, may_be_sealed};
use crate::json::{Document, Value};
use crate::protocols::ProtocolKind;

/// What a request says about its answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RequestHead {
    /// The name of the model.
    pub model: Option<String>,
    /// Whether the answer is a stream; `None` if the request does not say it.
    pub stream: Option<bool>,
    /// Whether a string of it seals the state of a model, which its server does not understand.
    pub is_sealed: bool,
}

impl RequestHead {
    /// Reads the head of a request, without the rest of it. Returns `None` for a text that is not a
    /// JSON object.
    pub fn read(protocol: ProtocolKind, request: &str, limits: &Limits) -> Option<Self> {
        let settings = (known(protocol).ok()?.requirements)(None).settings;
        if request.len() > limits.event_bytes {
            return None;
        }
        let document = Document::read(request, limits.json_depth).ok()?;
        document.root().object().ok()?;
        let found = |key| {
            let (path, _) =
                settings.iter().find(|(path, known)| *known == key && !path.is_empty())?;
            // As other readers: the last member of a name counts.
            path.split('.').try_fold(document.root(), |object, name| {
                let mut members = object.object().ok()?.filter(|(key, _)| key.to_str() == name);
                let first = members.next()?;
                Some(members.last().unwrap_or(first).1)
            })
        };
        let model = found(SettingKey::Model).and_then(|model| model.string().ok());
        let stream = found(SettingKey::Stream).and_then(|stream| stream.bool().ok());
        let is_sealed = may_be_sealed(request) && is_sealed(&Value::of(document.root()));
        Some(RequestHead { model: model.map(|it| it.to_str().into_owned()), stream, is_sealed })
    }
}

/// Returns a request of the same protocol; `request` is its text as it was read.
pub(super) fn passed_on(
    text: &str,
    mut request: Value,
    protocol: ProtocolKind,
    options: &RequestOptions,
) -> Result<ConvertedRequest, ConvertError> {
    let settings = (known(protocol)?.requirements)(options.model.as_deref()).settings;
    let place = |key| {
        let known = settings.iter().find(|(path, known)| *known == key && !path.is_empty());
        known.map(|(path, _)| *path)
    };
    let mut changes = Vec::new();
    if let (Some(path), Some(model)) = (place(SettingKey::Model), &options.model) {
        changes.push((path, Value::from(model.as_str())));
    }
    if let (Some(path), Some(stream)) = (place(SettingKey::Stream), options.stream) {
        changes.push((path, stream.into()));
    }
    // A protocol that has the model in the URL has it in no member.
    let (has_model, is_elsewhere) =
        (request.get("model").is_some(), place(SettingKey::Model).is_none());
    let requested = request.text("model").map(String::from);
    let is_text = !(is_elsewhere && has_model)
        && changes.iter().all(|(path, _)| !path.contains('.'))
        && decision::is_read_as(text, &request, options.limits.json_depth);
    let json = if is_text {
        with_members(text, &changes, options.limits.json_depth)
    } else {
        if is_elsewhere {
            drop(take(&mut request, "model"));
        }
        changes.into_iter().for_each(|(path, value)| put(&mut request, path, value));
        request.to_json()
    };
    Ok(ConvertedRequest { json, model: options.model.clone().or(requested), back: Back::default() })
}

/// Returns the text of an object with other values of its members. Every member of a name gets the
/// value, because servers differ in which of them they read. A name that the object does not have
/// becomes its first member.
fn with_members(text: &str, changes: &[(&str, Value)], depth: u32) -> String {
    // The text has been read as an object.
    let Ok(document) = Document::read(text, depth) else { return text.into() };
    let Ok(members) = document.root().object() else { return text.into() };
    let mut missing: Vec<&(&str, Value)> = changes.iter().collect();
    let mut edits: Vec<(usize, usize, String)> = Vec::new();
    for (key, value) in members {
        let key = key.to_str();
        if let Some((name, new)) = changes.iter().find(|(name, _)| *name == key) {
            missing.retain(|(missing, _)| missing != name);
            let start = value.offset();
            edits.push((start, start + value.raw().as_str().len(), new.to_json()));
        }
    }
    if !missing.is_empty() {
        let written = |(name, value): &&(&str, Value)| {
            [&Value::from(*name).to_json(), ":", &value.to_json()].concat()
        };
        let mut first = missing.iter().map(written).collect::<Vec<_>>().join(",");
        let start = document.root().offset() + 1;
        if !text.get(start..).is_some_and(|rest| rest.trim_ascii_start().starts_with('}')) {
            first.push(',');
        }
        edits.insert(0, (start, start, first));
    }
    let (mut out, mut copied) = (String::new(), 0);
    for (start, end, new) in edits {
        out.push_str(text.get(copied..start).unwrap_or_default());
        out.push_str(&new);
        copied = end;
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    out
}
