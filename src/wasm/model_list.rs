//! The list of the models of a server.

use alloc::string::String;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::core::limits::Limits;
use crate::emit::{ListedModel, ModelList, ModelListForm, ModelListPath};
use crate::json::{ObjectWriter, Value};

/// Answers a request for models as JSON: `{"protocol","body"}`, or `{"protocol","status","code",
/// "message"}` if it is refused. The protocol is that of the client. `models` is a list of
/// `{"id","displayName","contextWindow"}`. An empty text: the path is another one.
#[wasm_bindgen(js_name = modelList)]
pub fn model_list(models: &str, path: &str, query: &str, has_anthropic_version: bool) -> String {
    let Some(asked) = ModelListPath::of(path) else { return String::new() };
    let given = Value::parse(models, Limits::default().json_depth).unwrap_or_default();
    let listed = given.items().iter().map(|model| {
        let mut listed = ListedModel::new(model.text("id").unwrap_or_default());
        listed.display_name = model.text("displayName").map(String::from);
        listed.context_window = match model.get("contextWindow") {
            Some(Value::Number(digits)) => digits.parse().ok(),
            _ => None,
        };
        listed
    });
    let models = ModelList::new(listed);
    let form = ModelListForm::of(query, has_anthropic_version);
    let json = match &asked {
        ModelListPath::List => models.to_json(form, query).map_err(|error| (400, error.problem)),
        ModelListPath::Model(id) => match models.get(id) {
            Some(model) => Ok(model.to_json(form)),
            None => Err((404, ["there is no model ", id].concat())),
        },
    };
    let mut out = String::new();
    let mut answer = ObjectWriter::open(&mut out, true);
    answer.string("protocol", Some(form.protocol().as_str()));
    match json {
        Ok(json) => answer.string("body", Some(&json)),
        Err((status, message)) => {
            answer.integer("status", Some(status));
            answer.string("code", Some("model_not_found"));
            answer.string("message", Some(&message));
        }
    }
    answer.close();
    out
}
