//! The JSON Schema of the configuration file.

use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;

use super::config::ConfigFile;

/// Returns the schema as JSON.
pub fn of_config() -> String {
    let settings = SchemaSettings::draft2020_12().with_transform(RecursiveTransform(without_null));
    let schema = settings.into_generator().into_root_schema_for::<ConfigFile>();
    format!("{:#}\n", schema.to_value())
}

/// Removes null from a schema: TOML has none.
fn without_null(schema: &mut Schema) {
    let Some(members) = schema.as_object_mut() else { return };
    if members.get("default").is_some_and(|value| value.is_null()) {
        members.remove("default");
    }
    if let Some(types) = members.get_mut("type").and_then(|types| types.as_array_mut()) {
        types.retain(|name| name != "null");
        if let [only] = &types[..] {
            let only = only.clone();
            members.insert("type".into(), only);
        }
    }
    let Some(forms) = members.get_mut("anyOf").and_then(|forms| forms.as_array_mut()) else {
        return;
    };
    forms.retain(|form| form.get("type").is_none_or(|name| name != "null"));
    let only = forms.first().filter(|_| forms.len() == 1).and_then(|form| form.as_object());
    if let Some(only) = only.cloned() {
        members.remove("anyOf");
        members.extend(only);
    }
}
