//! Citations of texts.

use super::opaque::is_readable;
use super::{ToAnthropic, WireOutput};
use crate::json::Value;
use crate::protocols::anthropic::carrier::UNINDEXED;

/// The types of the protocol's own citations.
const OWN: [&str; 6] = [
    "char_location",
    "page_location",
    "content_block_location",
    "search_result_location",
    "web_search_result_location",
    "web_fetch_result_location",
];

impl ToAnthropic {
    /// Adds a citation to a text. One of another protocol that has an address is that of a search
    /// result.
    pub(super) fn annotate(
        &mut self,
        (message, part): (u32, u32),
        annotation: &Value,
        out: &mut WireOutput<'_>,
    ) {
        let Some(citation) = citation(annotation).filter(is_readable) else {
            let reason = "citations have a place in a document, or an address";
            return out.lose("annotation", out.place(message), reason);
        };
        if out.message(message).is_none_or(|message| !message.open) {
            return out.lose("annotation", out.place(message), "its text has ended");
        }
        let at = self.text_block((message, part));
        if !is_own(annotation) && has_place(annotation) {
            out.lose("annotation", out.place(message), "a citation has no place in the text");
        }
        self.blocks.cite(at, citation);
    }

    /// Replaces the citations of a text by those that the server of the protocol has made.
    pub(super) fn own_citations(&mut self, message: u32, part: u32, citations: &Value) {
        let citations = citations.items();
        if citations.iter().all(|citation| is_own(citation) && is_readable(citation)) {
            let at = self.text_block((message, part));
            self.blocks.set_citations(at, citations.to_vec());
        }
    }
}

fn is_own(annotation: &Value) -> bool {
    annotation.text("type").is_some_and(|name| OWN.contains(&name))
}

/// Whether an annotation has more than an address and a title.
fn has_place(annotation: &Value) -> bool {
    annotation.members().iter().any(|member| match &member.value {
        inner @ Value::Object(_) => has_place(inner),
        value => !value.is_null() && !["type", "url", "uri", "title"].contains(&&*member.key),
    })
}

/// Returns an annotation as a citation of the protocol.
fn citation(annotation: &Value) -> Option<Value> {
    if is_own(annotation) {
        return Some(annotation.clone());
    }
    // Chat Completions, and the sources of Gemini, have the members in an object.
    let inner = ["url_citation", "web", "retrievedContext"];
    let from = inner.iter().find_map(|name| annotation.get(name)).unwrap_or(annotation);
    let url = from.text("url").or(from.text("uri")).or(annotation.text("sourceUrl"))?;
    let title = from.text("title").map_or(Value::Null, Value::from);
    Some(Value::from([
        ("type", "web_search_result_location".into()),
        ("cited_text", "".into()),
        ("url", url.into()),
        ("title", title),
        ("encrypted_index", UNINDEXED.into()),
    ]))
}
