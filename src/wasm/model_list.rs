//! The list of the models of a server.

use alloc::string::String;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::core::limits::Limits;
use crate::emit::{ListedModel, ModelList, ModelListForm, ModelListPath};
use crate::json::{Value, decimal};

/// Answers a request for models as JSON: `[status, body]`. An empty text: the path is another one.
/// `models` is a list of `{"id","displayName","contextWindowTokens"}`.
#[wasm_bindgen(js_name = modelList)]
pub fn model_list(models: &str, path: &str, query: &str, has_anthropic_version: bool) -> String {
    let Some(asked) = ModelListPath::of(path) else { return String::new() };
    let given = Value::parse(models, Limits::default().json_depth).unwrap_or_default();
    let listed = given.items().iter().map(|model| {
        let mut listed = ListedModel::new(model.text("id").unwrap_or_default());
        listed.display_name = model.text("displayName").map(String::from);
        listed.context_window = match model.get("contextWindowTokens") {
            Some(Value::Number(digits)) => digits.parse().ok(),
            _ => None,
        };
        listed
    });
    let form = ModelListForm::of(query, has_anthropic_version);
    let (status, body) = ModelList::new(listed).answer(&asked, query, form, &|_| false);
    ["[", &decimal(status.into()), ",", &body, "]"].concat()
}
