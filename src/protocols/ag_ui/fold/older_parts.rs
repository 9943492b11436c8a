//! Parts of messages as older versions write them. (U8.)

use alloc::{borrow::Cow, string::String, vec::Vec};

use crate::bytes::{between, holds, put};
use crate::core::json_patch::Node as Tree;
use crate::json::{Element, Value};

/// Replaces the `binary` parts in messages with parts of their media type. Returns `None` if there are not any.
pub(super) fn without_binary(value: Element<'_, '_>) -> Option<String> {
    let whole = value.raw().as_str();
    if !holds(whole, b"\"binary\"") {
        return None;
    }
    let messages = if value.object().is_ok() { value.member("messages")? } else { value };
    let (mut out, mut from) = (String::new(), 0);
    for message in messages.items() {
        let Some(content) = message.member("content") else { continue };
        let (mut modern, mut present) = (Vec::new(), Vec::new());
        for part in content.items() {
            let modern_part = upgraded(&|name| Some(part.member(name)?.string().ok()?.to_str()));
            modern.push(modern_part.map(|part| part.to_json()));
        }
        if modern.iter().all(Option::is_none) {
            continue;
        }
        let old = content.raw().as_str();
        let start = (old.as_ptr() as usize).checked_sub(whole.as_ptr() as usize)?;
        put(&mut out, between(whole, from, start));
        from = start + old.len();
        for part in content.items() {
            present.push(Tree::of(part).to_json());
        }
        out.push('[');
        for (part, modern) in content.items().zip(&modern) {
            let json = match modern {
                Some(modern) if present.contains(modern) => continue,
                Some(modern) => modern.as_str(),
                None => part.raw().as_str(),
            };
            if !out.ends_with('[') {
                out.push(',');
            }
            put(&mut out, json);
        }
        out.push(']');
    }
    (from > 0).then(|| {
        put(&mut out, between(whole, from, whole.len()));
        out
    })
}

/// Converts one part. The argument returns the texts of the part by name.
pub(in crate::protocols::ag_ui) fn upgraded<'t>(
    text: &dyn Fn(&str) -> Option<Cow<'t, str>>,
) -> Option<Value> {
    let filled = |name| text(name).filter(|text| !text.is_empty());
    filled("type").filter(|name| name == "binary")?;
    let media = text("mimeType")?;
    let kind = match media.split_once('/') {
        Some((kind @ ("image" | "audio" | "video"), _)) => kind,
        _ => "document",
    };
    let (of, value) =
        filled("data").map(|data| ("data", data)).or_else(|| filled("url").map(|url| ("url", url)))?;
    let source = [("type", of.into()), ("value", (&*value).into()), ("mimeType", (&*media).into())];
    let mut part = Value::from([("type", kind.into()), ("source", Value::from(source))]);
    if let Some(name) = filled("filename") {
        part.insert("metadata", Value::from([("filename", (&*name).into())]));
    }
    Some(part)
}
