//! Conversations: the conversion of requests between all protocols, and the rounds of a model that
//! calls tools.

use alloc::string::String;

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::a2a::parsed;
use crate::convert::{ConvertError, RequestOptions, ToolRounds, Waiting, convert_request};
use crate::core::error::UsageError;
use crate::hub::Losses;
use crate::hub::conversation::{Back, scope};
use crate::json::{ObjectWriter, Value, write_list};
use crate::protocols::ProtocolKind;
use crate::wasm::framed::HostIds;
use crate::wasm::request::refusal;

/// Converts a request. `options` is an object with `model` and `scope`. Returns JSON:
/// `[request, losses, names]`, where `names` maps the names of calls back, or the error of a
/// request that a server of its protocol rejects: an object.
#[wasm_bindgen(js_name = convertRequest)]
pub fn convert(from: &str, to: &str, request: &str, options: &str) -> Result<String, JsValue> {
    let (from, to) = (protocol(from)?, protocol(to)?);
    if let Some(error) = refusal(from, request) {
        return Ok(error);
    }
    let mut losses = Losses::default();
    let options = request_options(&parsed(options));
    Ok(match convert_request(from, request, to, &options, &mut HostIds, &mut losses) {
        Ok(sent) => {
            ["[", &sent.json, ",", &losses.to_json(), ",", &sent.back.to_json(), "]"].concat()
        }
        Err(ConvertError::Request(error)) => error.to_json(),
        Err(ConvertError::Usage(error)) => return Err(error.into()),
    })
}

/// Returns the scope of opaque members of a model at a server: 8 hexadecimal digits.
#[wasm_bindgen(js_name = requestScope)]
pub fn request_scope(url: &str, model: &str) -> String {
    scope(url, model)
}

fn protocol(name: &str) -> Result<ProtocolKind, UsageError> {
    let known = ProtocolKind::READABLE.iter().copied().find(|kind| kind.as_str() == name);
    known.ok_or_else(|| {
        let given = ["the protocol `", name, "` was given for a request"].concat();
        UsageError::new("protocol-not-converted", given, "use the name of a protocol")
    })
}

fn request_options(given: &Value) -> RequestOptions {
    let text = |name: &str| given.text(name).map(String::from);
    let mut options = RequestOptions::default();
    (options.model, options.scope) = (text("model"), text("scope"));
    options
}

/// The requests of one loop.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawToolRounds(ToolRounds);

#[wasm_bindgen]
impl RawToolRounds {
    /// Starts with a request of a model. `options` is an object with `model`, `scope`, and `names`
    /// as [`convert`] returns them.
    #[wasm_bindgen(constructor)]
    pub fn new(protocol: &str, request: &str, options: &str) -> Result<RawToolRounds, JsValue> {
        let given = parsed(options);
        let names = given.get("names").map(Back::from_json).unwrap_or_default();
        let rounds =
            ToolRounds::new(self::protocol(protocol)?, request, request_options(&given), names);
        rounds.map(RawToolRounds).map_err(refused)
    }

    /// Adds the snapshot of an answer. Returns
    /// `{"calls":[{"id","name","namespace","arguments","isText"}],"again"}`.
    pub fn append(&mut self, answer: &str) -> Result<String, JsValue> {
        self.0.append(answer).map(|waiting| json(&waiting)).map_err(refused)
    }

    /// Sets the result of a call.
    pub fn fill(&mut self, id: &str, result: &str, error: bool) {
        self.0.fill(id, result, error);
    }

    /// Returns `[request, losses]`: the next request.
    pub fn next(&mut self) -> Result<String, JsValue> {
        let mut losses = Losses::default();
        let request = self.0.next_request(&mut HostIds, &mut losses).map_err(refused)?;
        Ok(["[", &request, ",", &losses.to_json(), "]"].concat())
    }
}

fn json(waiting: &Waiting) -> String {
    let mut out = String::new();
    let mut object = ObjectWriter::open(&mut out, true);
    write_list(&waiting.calls, object.member("calls"), |call, out| {
        let mut object = ObjectWriter::open(out, true);
        object.string("id", Some(&call.id));
        object.string("name", Some(&call.name));
        object.string("namespace", call.namespace.as_deref());
        object.string("arguments", Some(&call.arguments));
        object.bool("isText", Some(call.is_text).filter(|is_text| *is_text));
        object.close();
    });
    object.bool("again", Some(waiting.again).filter(|again| *again));
    object.close();
    out
}

fn refused(error: ConvertError) -> JsValue {
    match error {
        ConvertError::Usage(error) => error.into(),
        // The package passes objects.
        ConvertError::Request(_) => {
            let given = "the request or the answer of the model is too long, or nests too deeply";
            UsageError::new("too-deep", given, "raise the limits of the reader with care").into()
        }
    }
}
