//! Objects that are read by taking their members: what is left is what a reader does not know.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::{FormatName, MediaForm, MediaSource, Opaque, Part};
use crate::core::Limits;
use crate::json::{Document, Member, ObjectWriter, Value, write_escaped, write_string};

/// Removes the member at a path of names with dots, and objects that are empty without it. `null`
/// is no member.
pub(crate) fn take(object: &mut Value, path: &str) -> Option<Value> {
    let Value::Object(members) = object else { return None };
    let (name, rest) = path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
    let at = members.iter().position(|member| member.key == name)?;
    let Some(rest) = rest else {
        return Some(members.remove(at).value).filter(|value| !value.is_null());
    };
    let inner = members.get_mut(at)?;
    let found = take(&mut inner.value, rest);
    if matches!(&inner.value, Value::Object(left) if left.is_empty()) {
        members.remove(at);
    }
    found
}

/// Removes a member, as text: of a string its content, of anything else its JSON.
pub(crate) fn take_text(object: &mut Value, path: &str) -> Option<String> {
    take(object, path).map(into_text)
}

/// Removes a member whose absence means an empty text.
pub(crate) fn take_string(object: &mut Value, path: &str) -> String {
    take_text(object, path).unwrap_or_default()
}

/// Removes a member that is true or false.
pub(crate) fn take_bool(object: &mut Value, path: &str) -> Option<bool> {
    take(object, path).and_then(|value| value.as_bool())
}

/// Removes a member that is a list; anything else is a list of one item.
pub(crate) fn take_list(object: &mut Value, path: &str) -> Vec<Value> {
    take(object, path).map(into_list).unwrap_or_default()
}

/// Returns the items of a list; anything else is a list of one item.
pub(crate) fn into_list(value: Value) -> Vec<Value> {
    match value {
        Value::Array(list) => list,
        Value::Null => Vec::new(),
        one => Vec::from([one]),
    }
}

/// Returns the content of a string, and the JSON of anything else.
pub(crate) fn into_text(value: Value) -> String {
    match value {
        Value::String(text) => text,
        other => other.to_json(),
    }
}

/// Whether a text is a JSON object.
pub(crate) fn is_json_object(text: &str) -> bool {
    let is_object = |document: Document<'_>| document.root().object().is_ok();
    text.trim_start().starts_with('{')
        && Document::read(text, Limits::default().json_depth).is_ok_and(is_object)
}

/// Returns the members that were not taken.
pub(crate) fn rest(object: Value) -> Vec<Member> {
    match object {
        Value::Object(mut members) => {
            members.retain(|member| !member.value.is_null());
            members
        }
        _ => Vec::new(),
    }
}

/// Sets the member at a path of names with dots.
pub(crate) fn put(object: &mut Value, path: &str, value: impl Into<Value>) {
    let Some((name, rest)) = path.split_once('.') else { return object.insert(path, value.into()) };
    if !matches!(object.get(name), Some(Value::Object(_))) {
        object.insert(name, Value::Object(Vec::new()));
    }
    if let Value::Object(members) = object
        && let Some(inner) = members.iter_mut().find(|member| member.key == name)
    {
        put(&mut inner.value, rest, value);
    }
}

/// Sets the member at a path, if there is a value.
pub(crate) fn put_some(object: &mut Value, path: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        put(object, path, value);
    }
}

/// A list that is being written: one JSON text after the other.
#[derive(Debug)]
pub(crate) struct ListWriter<'o> {
    out: &'o mut String,
    is_empty: bool,
}

impl<'o> ListWriter<'o> {
    pub(crate) fn open(out: &'o mut String) -> Self {
        out.push('[');
        ListWriter { out, is_empty: true }
    }

    /// Returns the text to which the next item is appended.
    pub(crate) fn item(&mut self) -> &mut String {
        if !core::mem::replace(&mut self.is_empty, false) {
            self.out.push(',');
        }
        self.out
    }

    /// Returns the text that the last item is in.
    pub(crate) fn current(&mut self) -> &mut String {
        self.out
    }

    pub(crate) fn close(self) {
        self.out.push(']');
    }
}

/// Collects into a set or a map, one by one. `collect` sorts first, and its code for each type is
/// large.
pub(crate) fn gathered<C: Default + Extend<T>, T>(items: impl IntoIterator<Item = T>) -> C {
    let mut all = C::default();
    all.extend(items);
    all
}

/// Writes the members of an object that is open.
pub(crate) fn write_members(members: &[Member], object: &mut ObjectWriter<'_>) {
    members.iter().for_each(|member| object.value(&member.key, Some(&member.value)));
}

impl Part {
    /// Returns the part with the members that are left of its block.
    pub(crate) fn with_rest(self, format: impl Into<FormatName>, block: Value) -> Self {
        let opaque = Opaque::new(format, rest(block));
        self.with_opaque(opaque)
    }

    /// Writes the opaque members of the part into its block. The normaliser has left only those of
    /// the target.
    pub(crate) fn write_opaque(&self, block: &mut ObjectWriter<'_>) {
        write_members(self.own_members(), block);
    }

    /// Writes the opaque members of the part into its block, without those that it has already.
    pub(crate) fn write_opaque_except(&self, written: &[&str], block: &mut ObjectWriter<'_>) {
        let left = self.own_members().iter().filter(|member| !written.contains(&&*member.key));
        left.for_each(|member| block.value(&member.key, Some(&member.value)));
    }

    /// Returns the opaque members.
    pub(crate) fn own_members(&self) -> &[Member] {
        self.opaque.as_ref().map_or(&[], |opaque| &opaque.members)
    }

    /// Returns the opaque members inside of a member: what is left of an object of the block.
    pub(crate) fn own_members_in(&self, key: &str) -> &[Member] {
        match self.opaque.as_ref().and_then(|opaque| opaque.get(key)) {
            Some(Value::Object(members)) => members,
            _ => &[],
        }
    }

    /// Whether the opaque members are a block of their own.
    pub(crate) fn is_own_block(&self) -> bool {
        self.opaque.as_ref().is_some_and(|opaque| opaque.get("type").is_some())
    }
}

/// Splits a `data:` URL with base64 into its media type and data.
pub(crate) fn of_data_url(url: &str) -> Option<(&str, &str)> {
    let (media_type, data) = url.strip_prefix("data:")?.split_once(";base64,")?;
    // Parameters of the media type are left out.
    Some((media_type.split(';').next().unwrap_or_default(), data))
}

/// Reads the source of media from a URL, a `data:` URL or base64. Returns it with its media type,
/// if that is known.
pub(crate) fn media_source(url: String) -> (MediaSource, Option<String>) {
    match of_data_url(&url) {
        Some((media_type, data)) => {
            let media_type = Some(media_type.into()).filter(|name: &String| !name.is_empty());
            (MediaSource::Base64(data.into()), media_type)
        }
        // Base64 has no colon.
        None if url.contains(':') => (MediaSource::Url(url), None),
        None => (MediaSource::Base64(url), None),
    }
}

impl MediaForm {
    /// Returns the kind of media with a media type.
    pub(crate) fn of_type(media_type: Option<&str>) -> Self {
        match media_type.unwrap_or_default().split('/').next() {
            Some("image") => MediaForm::Image,
            Some("audio") => MediaForm::Audio,
            Some("video") => MediaForm::Video,
            _ => MediaForm::File,
        }
    }

    /// Returns the media type that is most likely if none is given.
    pub(crate) fn usual_type(self) -> &'static str {
        match self {
            MediaForm::Image => "image/png",
            MediaForm::Audio => "audio/wav",
            MediaForm::Video => "video/mp4",
            MediaForm::File => "application/pdf",
        }
    }
}

impl super::Media {
    /// Returns the media type, or the most likely one: that of the name or the URL, or of the kind.
    pub(crate) fn type_or_usual(&self) -> &str {
        let url = match &self.source {
            MediaSource::Url(url) => Some(&**url),
            _ => None,
        };
        let of_name = || {
            [self.name.as_deref(), url].into_iter().flatten().find_map(super::media_type::of_name)
        };
        self.media_type.as_deref().or_else(of_name).unwrap_or(self.kind.usual_type())
    }

    /// Returns the first half of the media type: `image`, `text`.
    pub(crate) fn main_type(&self) -> Option<&str> {
        self.media_type.as_deref()?.split('/').next()
    }

    /// Returns the URL; base64 as a `data:` URL, a file by its id.
    pub(crate) fn to_url(&self) -> Cow<'_, str> {
        match &self.source {
            MediaSource::Base64(data) => {
                Cow::Owned(["data:", self.type_or_usual(), ";base64,", data].concat())
            }
            MediaSource::Url(url) | MediaSource::File { id: url, .. } | MediaSource::Text(url) => {
                Cow::Borrowed(url)
            }
        }
    }

    /// Appends the URL as a JSON string, as [`to_url`](Self::to_url) returns it.
    pub(crate) fn write_url(&self, out: &mut String) {
        match &self.source {
            MediaSource::Base64(data) => {
                out.push_str("\"data:");
                write_escaped(self.type_or_usual(), out);
                out.push_str(";base64,");
                write_escaped(data, out);
                out.push('"');
            }
            _ => write_string(&self.to_url(), out),
        }
    }
}
