//! The list of models that a server offers, in the forms that its clients ask for.

use alloc::string::String;
use alloc::vec::Vec;

use crate::core::query::{decoded, pairs};
use crate::core::request::openai::error_body;
use crate::core::violation::excerpt;
use crate::json::{ObjectWriter, Raw, Value, write_list, write_string};
use crate::protocols::anthropic::error_response;

/// The models that a server offers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ModelList {
    models: Vec<ListedModel>,
}

/// A model that a server offers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListedModel {
    /// The name by which requests ask for it. Claude Code lists only names that contain `claude` or
    /// `anthropic`.
    pub id: String,
    /// The name for people. Default: the id.
    pub display_name: Option<String>,
    /// How many tokens a request and its answer can have; `None` if that is not known.
    pub context_window: Option<u64>,
}

/// The form of a list of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ModelListForm {
    /// That of OpenAI: `{"object":"list","data":[…]}`.
    OpenAi,
    /// That of Anthropic, in pages: `{"data":[…],"has_more":false,…}`.
    Anthropic,
    /// The catalog of Codex: `{"models":[…]}`.
    Codex,
}

/// The target of a request for models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ModelListPath {
    /// The list.
    List,
    /// The model with this id.
    Model(String),
}

/// The members that Codex requires of any model. The tools are those that every model can be offered.
const CODEX_MEMBERS: &[(&str, &str)] = &[
    ("shell_type", r#""unified_exec""#),
    ("apply_patch_tool_type", r#""freeform""#),
    ("use_responses_lite", "false"),
    ("supports_parallel_tool_calls", "true"),
    ("experimental_supported_tools", "[]"),
    (
        "supported_reasoning_levels",
        r#"[{"effort":"low","description":"Fast, with little reasoning"},{"effort":"medium","description":"A balance of speed and reasoning"},{"effort":"high","description":"More reasoning for difficult tasks"}]"#,
    ),
    ("supports_reasoning_summaries", "true"),
    ("support_verbosity", "false"),
    ("default_verbosity", "null"),
    ("truncation_policy", r#"{"mode":"tokens","limit":10000}"#),
    ("input_modalities", r#"["text","image"]"#),
    ("visibility", r#""list""#),
    ("supported_in_api", "true"),
    ("upgrade", "null"),
];

/// The instructions of a model in Codex, which requires some: its own are those of OpenAI's models.
const CODEX_INSTRUCTIONS: &str = include_str!("codex.md");

/// The number of models on a page of Anthropic: the default, and the maximum.
const PAGE: usize = 20;
const LONGEST_PAGE: usize = 1000;

impl ListedModel {
    /// Creates a model of which only the name is known.
    pub fn new(id: impl Into<String>) -> Self {
        ListedModel { id: id.into(), ..Self::default() }
    }

    /// Sets how many tokens a request and its answer can have.
    #[must_use]
    pub fn context_window(self, tokens: u64) -> Self {
        ListedModel { context_window: Some(tokens), ..self }
    }

    /// Returns the model in this form.
    fn to_json(&self, form: ModelListForm) -> String {
        let mut out = String::new();
        self.write(form, 0, &mut out);
        out
    }

    fn write(&self, form: ModelListForm, place: usize, out: &mut String) {
        let mut model = ObjectWriter::open(out, true);
        let shown = self.display_name.as_deref().unwrap_or(&self.id);
        let window = self.context_window.and_then(|window| i64::try_from(window).ok());
        match form {
            ModelListForm::OpenAi => {
                model.string("id", Some(&self.id));
                model.string("object", Some("model"));
                model.integer("created", Some(0));
                model.string("owned_by", Some("agentwire"));
            }
            ModelListForm::Anthropic => {
                model.string("type", Some("model"));
                model.string("id", Some(&self.id));
                model.string("display_name", Some(shown));
                // Unknown members have the values that the API has for them.
                model.string("created_at", Some("1970-01-01T00:00:00Z"));
                model.string("lifecycle", Some("active"));
                model.value("max_input_tokens", Some(&window.map_or(Value::Null, Value::from)));
                for unknown in ["max_tokens", "capabilities", "line", "deprecated_at", "retires_at"]
                {
                    model.value(unknown, Some(&Value::Null));
                }
            }
            ModelListForm::Codex => {
                model.string("slug", Some(&self.id));
                model.string("display_name", Some(shown));
                model.integer("context_window", window);
                model.integer("priority", i64::try_from(place).ok());
                model.string("base_instructions", Some(CODEX_INSTRUCTIONS.trim_end()));
                CODEX_MEMBERS.iter().for_each(|(key, json)| model.raw(key, Some(Raw(json))));
            }
        }
        model.close();
    }
}

impl From<&str> for ListedModel {
    fn from(id: &str) -> Self {
        ListedModel::new(id)
    }
}

impl ModelListForm {
    /// Returns the form that a client asks for, by the query of its request and by whether it has
    /// the header `anthropic-version`.
    pub fn of(query: &str, has_anthropic_version: bool) -> Self {
        let has = |names: &[&str]| pairs(query).any(|(key, _)| names.contains(&&*key));
        if has(&["client_version"]) {
            ModelListForm::Codex
        } else if has_anthropic_version || has(&["limit", "after_id", "before_id"]) {
            ModelListForm::Anthropic
        } else {
            ModelListForm::OpenAi
        }
    }
}

impl ModelListPath {
    /// Returns the target of a path: `/v1/models`, `/v1/models/<id>`, or the same without `/v1`.
    pub fn of(path: &str) -> Option<Self> {
        let below = path.strip_prefix("/v1").unwrap_or(path).strip_prefix("/models")?;
        match below.strip_prefix('/') {
            Some("") => Some(ModelListPath::List),
            None if below.is_empty() => Some(ModelListPath::List),
            Some(id) => Some(ModelListPath::Model(decoded(id))),
            None => None,
        }
    }
}

impl ModelList {
    /// Creates a list of models. The first one is the one that clients choose by default.
    pub fn new<M: Into<ListedModel>>(models: impl IntoIterator<Item = M>) -> Self {
        ModelList { models: models.into_iter().map(Into::into).collect() }
    }

    /// Returns the models of the list that `may_use` returns true for.
    #[cfg(feature = "axum")]
    pub fn only(&self, may_use: impl Fn(&str) -> bool) -> Self {
        let models = self.models.iter().filter(|model| may_use(&model.id));
        ModelList { models: models.cloned().collect() }
    }

    /// Returns the HTTP status of the answer to a request, and its JSON. `has` returns whether there
    /// is a model that is not in the list.
    pub fn answer(
        &self,
        asked: &ModelListPath,
        query: &str,
        form: ModelListForm,
        has: &dyn Fn(&str) -> bool,
    ) -> (u16, String) {
        let found = match asked {
            ModelListPath::List => self.to_json(form, query).map_err(|message| (400, message)),
            ModelListPath::Model(id) => match self.models.iter().find(|model| model.id == *id) {
                Some(model) => Ok(model.to_json(form)),
                None if has(id) => Ok(ListedModel::new(id).to_json(form)),
                None => Err((404, ["there is no model ", &excerpt(id)].concat())),
            },
        };
        match (found, form) {
            (Ok(json), _) => (200, json),
            (Err((status, message)), ModelListForm::Anthropic) => {
                error_response(status, &message, None)
            }
            (Err((status, message)), _) => {
                let code = Some("model_not_found").filter(|_| status == 404);
                (status, error_body(&message, "invalid_request_error", None, code))
            }
        }
    }

    /// Returns the list in this form, and for Anthropic the page that the query asks for.
    ///
    /// # Errors
    ///
    /// A message, for a page after or before a model that is not in the list.
    fn to_json(&self, form: ModelListForm, query: &str) -> Result<String, String> {
        let mut out = String::new();
        let mut list = ObjectWriter::open(&mut out, true);
        let write = |(place, model): (usize, &ListedModel), out: &mut String| {
            model.write(form, place, out);
        };
        match form {
            ModelListForm::OpenAi => {
                list.string("object", Some("list"));
                write_list(self.models.iter().enumerate(), list.member("data"), write);
            }
            ModelListForm::Codex => {
                write_list(self.models.iter().enumerate(), list.member("models"), write);
            }
            ModelListForm::Anthropic => {
                let (page, has_more) = self.page(query)?;
                write_list(page.iter().enumerate(), list.member("data"), write);
                list.bool("has_more", Some(has_more));
                for (key, model) in [("first_id", page.first()), ("last_id", page.last())] {
                    match model {
                        Some(model) => write_string(&model.id, list.member(key)),
                        None => list.member(key).push_str("null"),
                    }
                }
            }
        }
        list.close();
        Ok(out)
    }

    /// Returns a page, and whether there are more models in its direction.
    fn page(&self, query: &str) -> Result<(&[ListedModel], bool), String> {
        let given = |name: &str| pairs(query).find(|(key, _)| key == name).map(|(_, value)| value);
        let position = |id: String| {
            let place = self.models.iter().position(|model| model.id == id);
            place.ok_or_else(|| ["there is no model ", &excerpt(&id), " to page from"].concat())
        };
        let limit = given("limit").and_then(|limit| limit.parse().ok()).unwrap_or(PAGE);
        let limit = limit.clamp(1, LONGEST_PAGE);
        let all = &self.models[..];
        if let Some(before) = given("before_id") {
            let end = position(before)?;
            let start = end.saturating_sub(limit);
            return Ok((all.get(start..end).unwrap_or_default(), start > 0));
        }
        let start = given("after_id").map(position).transpose()?.map_or(0, |at| at + 1);
        let end = all.len().min(start + limit);
        Ok((all.get(start..end).unwrap_or_default(), end < all.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list() -> ModelList {
        let window = ListedModel::new("claude-b").context_window(200_000);
        ModelList::new([ListedModel::new("a/x y"), window, ListedModel::new("c")])
    }

    /// Returns the ids of a page of Anthropic, and its last members.
    fn page(query: &str) -> String {
        let json = list().to_json(ModelListForm::Anthropic, query).unwrap();
        let page = Value::parse(&json, 8).unwrap();
        let ids = page.get("data").unwrap().items().iter().filter_map(|model| model.text("id"));
        let ids = ids.collect::<Vec<_>>().join(",");
        let rest = ["has_more", "first_id", "last_id"].map(|key| page.get(key).unwrap().to_json());
        [&*ids, &rest.join(" ")].join(" ")
    }

    #[test]
    fn a_client_is_known_by_its_request() {
        for (query, has_version, form) in [
            ("", false, ModelListForm::OpenAi),
            ("", true, ModelListForm::Anthropic),
            ("limit=1000", false, ModelListForm::Anthropic),
            ("client_version=0.171.0", false, ModelListForm::Codex),
            ("other=limit", false, ModelListForm::OpenAi),
        ] {
            assert_eq!(ModelListForm::of(query, has_version), form, "{query}");
        }
    }

    #[test]
    fn paths_name_the_list_or_a_model() {
        let model = |id: &str| Some(ModelListPath::Model(id.into()));
        for (path, asked) in [
            ("/v1/models", Some(ModelListPath::List)),
            ("/models", Some(ModelListPath::List)),
            ("/v1/models/", Some(ModelListPath::List)),
            ("/v1/models/c", model("c")),
            ("/v1/models/a/x%20y", model("a/x y")),
            ("/v1/models/a%2Fx+y", model("a/x+y")),
            ("/v1/modelsx", None),
            ("/v1/messages", None),
            ("/v1", None),
        ] {
            assert_eq!(ModelListPath::of(path), asked, "{path}");
        }
    }

    #[test]
    fn a_page_begins_after_or_ends_before_a_model() {
        assert_eq!(page(""), r#"a/x y,claude-b,c false "a/x y" "c""#);
        assert_eq!(page("limit=2"), r#"a/x y,claude-b true "a/x y" "claude-b""#);
        assert_eq!(page("limit=2&after_id=claude-b"), r#"c false "c" "c""#);
        assert_eq!(page("limit=1&before_id=c"), r#"claude-b true "claude-b" "claude-b""#);
        assert_eq!(page("before_id=a%2Fx+y"), " false null null");
        assert_eq!(page("limit=0"), r#"a/x y true "a/x y" "a/x y""#);
        assert_eq!(page("limit=99999999999999999999"), page(""));
    }

    #[test]
    fn an_unknown_model_is_an_error_in_the_form_of_the_client() {
        let has = |id: &str| id.starts_with("gpt-");
        let one = |id: &str, form| list().answer(&ModelListPath::Model(id.into()), "", form, &has);
        for (id, form, status) in [
            ("c", ModelListForm::OpenAi, 200),
            ("gpt-9", ModelListForm::Anthropic, 200),
            ("d", ModelListForm::OpenAi, 404),
            ("d", ModelListForm::Anthropic, 404),
        ] {
            assert_eq!(one(id, form).0, status, "{id}");
        }
        let (_, openai) = one("d", ModelListForm::OpenAi);
        assert!(openai.contains(r#""code":"model_not_found""#), "{openai}");
        let (_, anthropic) = one("d", ModelListForm::Anthropic);
        assert!(anthropic.contains(r#""type":"not_found_error""#), "{anthropic}");
        let after =
            list().answer(&ModelListPath::List, "after_id=d", ModelListForm::Anthropic, &has);
        assert_eq!(after.0, 400);
        assert!(after.1.contains("no model d"), "{}", after.1);
    }

    #[test]
    fn codex_has_the_members_that_it_requires() {
        let json = list().to_json(ModelListForm::Codex, "").unwrap();
        let catalog = Value::parse(&json, 8).unwrap();
        let models = catalog.get("models").unwrap().items();
        assert_eq!(models.len(), 3);
        for member in [
            "slug",
            "display_name",
            "supported_reasoning_levels",
            "shell_type",
            "visibility",
            "supported_in_api",
            "priority",
            "support_verbosity",
            "truncation_policy",
            "experimental_supported_tools",
            "base_instructions",
        ] {
            assert!(models.iter().all(|model| model.get(member).is_some()), "{member}");
        }
        assert!(models[0].get("context_window").is_none());
        assert_eq!(models[1].get("context_window").unwrap().to_json(), "200000");
    }

    #[test]
    fn an_empty_list_is_a_list() {
        let empty = ModelList::default();
        for (form, json) in [
            (ModelListForm::OpenAi, r#"{"object":"list","data":[]}"#),
            (
                ModelListForm::Anthropic,
                r#"{"data":[],"has_more":false,"first_id":null,"last_id":null}"#,
            ),
            (ModelListForm::Codex, r#"{"models":[]}"#),
        ] {
            assert_eq!(empty.to_json(form, "").unwrap(), json);
        }
    }
}
