//! OpenAI Responses.

pub mod items;
pub mod parts;

const CREATED: &str = r#"{"type":"response.created","sequence_number":0,"response":{"id":"r","object":"response","status":"in_progress","output":[]}}"#;

/// An item that is added as `$i`.
const ITEM: &str = r#"{"type":"response.output_item.added","output_index":$i,"item":{"id":"m$i","type":"message","status":"in_progress","role":"assistant","content":[]}}"#;
