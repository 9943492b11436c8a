//! Annotations of texts: those of other protocols that have the address of a page are citations of
//! this one.

use super::{PartKind, PartPlace, ToResponses, WireOutput};
use crate::json::Value;

/// An annotation as it is written.
#[derive(Debug, PartialEq)]
pub(super) enum WrittenAnnotation {
    /// It is complete.
    Whole(Value),
    /// It cites the page for the whole text, whose end it gets when the text has ended.
    OfText(Value),
}

/// The member with the end of the cited text.
const END: &str = "end_index";

/// The members of an annotation that its citation has.
const OF_CITATION: &[&str] = &[
    "type",
    "url",
    "uri",
    "source",
    "title",
    "start_index",
    "end_index",
    "startIndex",
    "endIndex",
    "url_citation",
    "web",
    "retrievedContext",
];

/// Returns an annotation in the form of this protocol; `None` if it has no address. One of an
/// unknown form is kept. The places of Anthropic's types are in a document, not in the text.
pub(super) fn annotation(annotation: &Value) -> Option<WrittenAnnotation> {
    // Chat Completions, and the sources of Gemini, have the members in an object.
    let inner = ["url_citation", "web", "retrievedContext"];
    let inner = inner.iter().find_map(|name| annotation.get(name));
    let kind = annotation.text("type");
    let is_foreign = match kind {
        None => annotation.text("uri").is_some(),
        Some(kind) => kind.ends_with("_location"),
    };
    if inner.is_none() && !is_foreign {
        return Some(WrittenAnnotation::Whole(annotation.clone()));
    }
    let from = inner.unwrap_or(annotation);
    let source =
        from.text("source").filter(|source| source.starts_with("http") && source.contains("://"));
    let url = from.text("url").or(from.text("uri")).or(source)?;
    let title = from.text("title").unwrap_or(url);
    let index = |names: [&str; 2]| names.iter().find_map(|name| from.get(name)?.integer::<i64>());
    let (start, end) = (index(["start_index", "startIndex"]), index([END, "endIndex"]));
    let mut citation = Value::from([
        ("type", "url_citation".into()),
        ("url", url.into()),
        ("title", title.into()),
        ("start_index", start.filter(|_| end.is_some()).unwrap_or(0).into()),
    ]);
    Some(match end {
        Some(end) => {
            citation.insert(END, end.into());
            WrittenAnnotation::Whole(citation)
        }
        None => WrittenAnnotation::OfText(citation),
    })
}

/// Returns whether the citation of an annotation has less than the annotation.
pub(super) fn is_more_than_cited(annotation: &Value) -> bool {
    !annotation.members_without(OF_CITATION).is_empty()
}

impl ToResponses {
    /// Adds an annotation to an open text.
    pub(super) fn write_annotation(
        &mut self,
        PartPlace { item, kind, index }: PartPlace,
        annotation: &Value,
        out: &mut WireOutput<'_>,
    ) {
        let Some(text) = self.items[item].parts_mut(kind).get_mut(index) else { return };
        let number = text.annotations.len();
        text.annotations.push(annotation.clone());
        let (item, events) = (&self.items[item], PartKind::Text.row().streamed.events);
        self.events.write_of(item, [events, "annotation.added"], out, |object| {
            object.integer("content_index", Some(index as i64));
            object.integer("annotation_index", Some(number as i64));
            object.value("annotation", Some(annotation));
        });
    }

    /// Adds the citations of a text that ends.
    pub(super) fn end_citations(&mut self, place: PartPlace, out: &mut WireOutput<'_>) {
        let part = self.items[place.item].parts_mut(place.kind).get_mut(place.index);
        let Some(part) = part.filter(|part| part.is_open) else { return };
        let end = i64::try_from(part.text.chars().count()).unwrap_or(i64::MAX);
        for mut citation in core::mem::take(&mut part.citations) {
            citation.insert(END, end.into());
            self.write_annotation(place, &citation, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::*;

    fn written(json: &str) -> Option<String> {
        Some(match annotation(&Value::parse(json, 16).expect("JSON"))? {
            WrittenAnnotation::Whole(value) => value.to_json(),
            WrittenAnnotation::OfText(value) => ["of the text: ", &value.to_json()].concat(),
        })
    }

    #[test]
    fn annotations_with_an_address_are_citations() {
        let of_text =
            r#"of the text: {"type":"url_citation","url":"https://a","title":"t","start_index":0}"#;
        for json in [
            r#"{"type":"web_search_result_location","url":"https://a","title":"t","cited_text":"c","encrypted_index":"e"}"#,
            r#"{"type":"search_result_location","source":"https://a","title":"t","cited_text":"c","search_result_index":0,"start_block_index":0,"end_block_index":1}"#,
            r#"{"web":{"uri":"https://a","title":"t"}}"#,
            r#"{"uri":"https://a","title":"t"}"#,
        ] {
            assert_eq!(written(json).as_deref(), Some(of_text), "{json}");
        }
        let here = r#"{"type":"url_citation","url":"https://a","title":"t","start_index":2,"end_index":5}"#;
        for json in [
            here,
            r#"{"type":"url_citation","url_citation":{"url":"https://a","title":"t","start_index":2,"end_index":5}}"#,
            r#"{"uri":"https://a","title":"t","startIndex":2,"endIndex":5}"#,
        ] {
            assert_eq!(written(json).as_deref(), Some(here), "{json}");
        }
    }

    #[test]
    fn annotations_of_other_protocols_without_an_address_are_not_written() {
        for json in [
            r#"{"type":"char_location","cited_text":"c","document_index":0,"document_title":null,"start_char_index":0,"end_char_index":1}"#,
            r#"{"type":"search_result_location","source":"kb-7","title":"t","cited_text":"c"}"#,
            r#"{"web":{"title":"t"}}"#,
        ] {
            assert_eq!(written(json), None, "{json}");
        }
    }

    #[test]
    fn own_annotations_and_unknown_ones_are_kept() {
        for json in
            [r#"{"type":"file_citation","file_id":"f","index":0}"#, r#"{"type":"x"}"#, r#"{"a":1}"#]
        {
            assert_eq!(written(json).as_deref(), Some(json));
        }
    }
}
