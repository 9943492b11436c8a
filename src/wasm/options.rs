//! Reading options as JavaScript writes them.

use alloc::format;

use wasm_bindgen::JsValue;

use super::error::thrown;
use crate::agent_api::{AgentApi, DataMerge};
use crate::json::{Member, Value};
use crate::read::{Mode, Options};
use crate::sse::Ending;

/// Reads `{"mode": …, "ending": …, "dataMerge": …, "keepHeartbeats": …, "limits": {…}}`; every member is optional.
pub(super) fn parse(json: &str, seed: u64) -> Result<(AgentApi, Options), JsValue> {
    let (mut protocol, mut options) = (AgentApi::default(), Options::default());
    options.seed = seed;
    let parsed = Value::parse(json, 8).map_err(|_| wrong("options", "an object"))?;
    for Member { key, value } in members(&parsed) {
        match (key.as_str(), value.as_str()) {
            ("mode", Some("strict")) => options.mode = Mode::Strict,
            ("mode", Some("lenient")) => options.mode = Mode::Lenient,
            ("mode", Some("raw")) => options.mode = Mode::Raw,
            ("mode", _) => return Err(wrong("mode", "strict, lenient or raw")),
            ("ending", Some("strict")) => options.ending = Ending::Strict,
            ("ending", Some("lenient")) => options.ending = Ending::Lenient,
            ("ending", _) => return Err(wrong("ending", "strict or lenient")),
            ("dataMerge", Some("builder")) => protocol.data_merge = DataMerge::Builder,
            ("dataMerge", Some("message")) => protocol.data_merge = DataMerge::Message,
            ("dataMerge", _) => return Err(wrong("dataMerge", "builder or message")),
            ("keepHeartbeats", _) => protocol.keep_heartbeats = *value == Value::Bool(true),
            ("limits", _) => limits(value, &mut options)?,
            _ => {}
        }
    }
    Ok((protocol, options))
}

fn limits(value: &Value, options: &mut Options) -> Result<(), JsValue> {
    let limits = &mut options.limits;
    for Member { key, value } in members(value) {
        let number = match value {
            Value::Number(digits) => digits.parse::<u32>().ok(),
            _ => None,
        };
        let number = number.ok_or_else(|| wrong(key, "an integer from 0 to 4294967295"))?;
        match key.as_str() {
            "lineBytes" => limits.line_bytes = number as usize,
            "eventBytes" => limits.event_bytes = number as usize,
            "jsonDepth" => limits.json_depth = number,
            "messages" => limits.messages = number as usize,
            "contents" => limits.contents = number as usize,
            "contentBytes" => limits.content_bytes = number.into(),
            "dataNodes" => limits.data_nodes = number as usize,
            "violations" => limits.violations = number as usize,
            "unknown" => limits.unknown = number as usize,
            _ => return Err(wrong(key, "one of the limits of `Limits`")),
        }
    }
    Ok(())
}

pub(super) fn members(value: &Value) -> &[Member] {
    match value {
        Value::Object(members) => members,
        _ => &[],
    }
}

pub(super) fn wrong(name: &str, expected: &str) -> JsValue {
    thrown("wrong-option", &format!("option `{name}` is {expected}"))
}
