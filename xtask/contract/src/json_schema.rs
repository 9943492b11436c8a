//! Declarations as JSON Schema (draft 2020-12): the schema of every answer, and of the events that
//! its reader accepts.

use agentwire::internals::declare::events::form::{Check, Null};
use agentwire::internals::declare::events::table::{EventMemberRow, EventRow, EventTable};
use agentwire::internals::declare::model::shape::{
    ModelShape, ObjectShape, UnionShape, ValueShape, WordsShape,
};
use agentwire::json::{self, Value};

/// The version of JSON Schema of all schemas.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Returns the JSON Schema of an answer. `root` is the name in TypeScript of its object; all
/// objects are under `$defs` by their names.
///
/// Members that may be absent are not required, all others are. An object that keeps undeclared
/// members allows any others, a closed one does not.
pub fn of_snapshot(model: &ModelShape, root: &str) -> Value {
    let snapshot = Snapshot { model };
    let objects =
        model.objects.iter().map(|object| (snapshot.definition(object), snapshot.object(object)));
    let unions = model.unions.iter().map(|union| (union.name.into(), snapshot.union(union)));
    let words = model.words.iter().map(|words| (words.name.into(), one_of_words(words)));
    schema([("$ref", reference(root))], objects.chain(unions).chain(words))
}

/// The objects of a snapshot.
struct Snapshot<'a> {
    model: &'a ModelShape,
}

impl Snapshot<'_> {
    /// Returns the name of an object. The objects of an open union with an unknown tag have a
    /// different name from the union.
    fn definition(&self, object: &ObjectShape) -> String {
        let is_other = self
            .model
            .unions
            .iter()
            .any(|union| union.other.is_some_and(|other| other.kind == object.kind));
        [if is_other { "Other" } else { "" }, object.name].concat()
    }

    fn object(&self, object: &ObjectShape) -> Value {
        let (mut properties, mut required) = (Value::Object(Vec::new()), Vec::new());
        let tag = self.model.tag(object);
        let mut put = |name: &str, value: Value, is_required: bool| {
            properties.insert(name, value);
            if is_required {
                required.push(Value::from(name));
            }
        };
        if let Some((tag, name)) = tag {
            put(tag, constant(name.into()), true);
        }
        let base = object.base.map_or(&[][..], |base| base.members);
        for member in base.iter().chain(object.members) {
            match (member.shape, tag) {
                (ValueShape::Tag, Some(_)) => {}
                (ValueShape::Tag, None) => put(member.name, self.other_tag(object), true),
                (shape, _) => {
                    put(member.name, self.shape(&shape), !matches!(shape, ValueShape::Absent(_)))
                }
            }
        }
        let mut schema = Value::from([("type", "object".into()), ("properties", properties)]);
        schema.insert("required", Value::Array(required));
        if !object.open && !object.base.is_some_and(|base| base.open) {
            schema.insert("additionalProperties", false.into());
        }
        schema
    }

    /// Returns the schema of tags that the object's union does not declare.
    fn other_tag(&self, object: &ObjectShape) -> Value {
        let is_its =
            |union: &&&UnionShape| union.other.is_some_and(|other| other.kind == object.kind);
        let known = self.model.unions.iter().find(is_its).map_or(&[][..], |union| union.variants);
        let known = known.iter().map(|(name, _)| Value::from(*name)).collect();
        Value::from([
            ("type", "string".into()),
            ("not", Value::from([("enum", Value::Array(known))])),
        ])
    }

    fn union(&self, union: &UnionShape) -> Value {
        let variants = union.variants.iter().map(|(_, object)| *object).chain(union.other);
        any_of(variants.map(|object| to(&self.definition(object))))
    }

    fn shape(&self, shape: &ValueShape) -> Value {
        match shape {
            ValueShape::Text | ValueShape::Tag => of_type("string"),
            ValueShape::Integer => of_type("integer"),
            ValueShape::Json | ValueShape::Tree | ValueShape::Nullable(ValueShape::Json) => {
                true.into()
            }
            ValueShape::JsonObject => of_type("object"),
            ValueShape::Words(words) => to(words.name),
            ValueShape::Nullable(inner) => any_of([self.shape(inner), of_type("null")]),
            ValueShape::Absent(inner) => self.shape(inner),
            ValueShape::List(item) => {
                Value::from([("type", "array".into()), ("items", self.shape(item))])
            }
            // The object of an open union represents the union.
            ValueShape::Object(object) => to(object.name),
            ValueShape::Union(union) => to(union.name),
            ValueShape::Fixed(text) => constant(Value::parse(text, 1).unwrap_or_default()),
        }
    }
}

/// Returns the JSON Schema of an event that its reader accepts: an object with the members of its
/// kind in their types, and any others. An object of an undeclared kind is also an event. The
/// schema does not include checks of several members together or [`Limits`](agentwire::Limits).
pub fn of_events(table: &EventTable) -> Value {
    let mut definitions = Vec::new();
    let root = dispatch(table, &mut definitions);
    schema([("type", "object".into()), root], definitions)
}

/// Returns the conditions for an object of each kind.
fn dispatch(table: &EventTable, definitions: &mut Vec<(String, Value)>) -> (&'static str, Value) {
    let kinds: Vec<Value> = table
        .rows
        .iter()
        .map(|row| {
            let then = to(&define(row, definitions));
            let (condition, needed) = match (row.name, row.members.first()) {
                ("", Some(first)) => (of_type("null"), first.name),
                (name, _) => (constant(name.into()), table.tag),
            };
            let condition = [
                ("required", Value::Array([needed.into()].into())),
                ("properties", Value::from([(table.tag, condition)])),
            ];
            Value::from([("if", Value::from(condition)), ("then", then)])
        })
        .collect();
    ("allOf", Value::Array(kinds))
}

/// Returns the schema of the objects at one place of an event.
fn nested(table: &EventTable, definitions: &mut Vec<(String, Value)>) -> Value {
    match table.rows {
        [row] if table.tag.is_empty() => to(&define(row, definitions)),
        _ => Value::from([("type", "object".into()), dispatch(table, definitions)]),
    }
}

/// Adds the definition and returns its name.
fn define(row: &EventRow, definitions: &mut Vec<(String, Value)>) -> String {
    let name: String = match row.shape.name {
        Some(name) => name.into(),
        None if row.name.is_empty() => "untagged".into(),
        None => row.name.into(),
    };
    if !definitions.iter().any(|(defined, _)| *defined == name) {
        let at = definitions.len();
        definitions.push((name.clone(), Value::Null));
        let defined = row_schema(row, definitions);
        if let Some((_, place)) = definitions.get_mut(at) {
            *place = defined;
        }
    }
    name
}

fn row_schema(row: &EventRow, definitions: &mut Vec<(String, Value)>) -> Value {
    let varying: Vec<&str> = row.shape.varying().collect();
    let own = row.members.iter().filter(|member| !varying.contains(&member.name));
    let mut properties = Value::Object(Vec::new());
    let mut required = Vec::new();
    for member in own {
        properties.insert(member.name, member_schema(member, definitions));
        if !member.may_be_absent {
            required.push(Value::from(member.name));
        }
    }
    let mut schema = Value::from([("type", "object".into()), ("properties", properties)]);
    if !required.is_empty() {
        schema.insert("required", Value::Array(required));
    }
    if let Some(union) = row.shape.variants {
        schema.insert("allOf", Value::Array(variants(union)));
    }
    schema
}

/// Returns the own members of each variant, all of which are optional.
fn variants(union: &UnionShape) -> Vec<Value> {
    let variant = |(name, object): &(&str, &ObjectShape)| {
        let is_it =
            Value::from([("properties", Value::from([(union.tag, constant((*name).into()))]))]);
        let mut condition = is_it;
        condition.insert("required", Value::Array([union.tag.into()].into()));
        let mut own = Value::Object(Vec::new());
        for member in object.members {
            let shape = match member.shape {
                ValueShape::Nullable(ValueShape::JsonObject) => "object",
                _ => "string",
            };
            own.insert(member.name, any_of([of_type(shape), of_type("null")]));
        }
        Value::from([("if", condition), ("then", Value::from([("properties", own)]))])
    };
    union.variants.iter().map(variant).collect()
}

fn member_schema(member: &EventMemberRow, definitions: &mut Vec<(String, Value)>) -> Value {
    let shape = match member.check {
        Check::Text | Check::Id => of_type("string"),
        Check::Integer => {
            let digits = [("type", "string".into()), ("pattern", "^-?[0-9]+$".into())];
            any_of([of_type("integer"), Value::from(digits)])
        }
        Check::Bool => of_type("boolean"),
        Check::List(table) => {
            Value::from([("type", "array".into()), ("items", nested(table, definitions))])
        }
        Check::Object(table) => nested(table, definitions),
        // The other checks are those of the JSON inside of events.
        _ => return true.into(),
    };
    if member.null == Null::Rejected { shape } else { any_of([shape, of_type("null")]) }
}

/// Creates a schema with its definitions.
fn schema<const N: usize>(
    members: [(&str, Value); N],
    definitions: impl IntoIterator<Item = (String, Value)>,
) -> Value {
    let mut schema = Value::from([("$schema", DIALECT.into())]);
    members.into_iter().for_each(|(name, value)| schema.insert(name, value));
    let definitions = definitions.into_iter().map(|(key, value)| json::Member { key, value });
    schema.insert("$defs", Value::Object(definitions.collect()));
    schema
}

fn reference(definition: &str) -> Value {
    ["#/$defs/", definition].concat().into()
}

fn to(definition: &str) -> Value {
    Value::from([("$ref", reference(definition))])
}

fn of_type(name: &str) -> Value {
    Value::from([("type", name.into())])
}

fn constant(value: Value) -> Value {
    Value::from([("const", value)])
}

fn any_of(schemas: impl IntoIterator<Item = Value>) -> Value {
    Value::from([("anyOf", Value::Array(schemas.into_iter().collect()))])
}

/// Returns the schema of one of the words; any text if other names are allowed.
fn one_of_words(words: &WordsShape) -> Value {
    let names = Value::Array(words.words.iter().map(|word| Value::from(*word)).collect());
    Value::from([("type", "string".into()), (if words.open { "examples" } else { "enum" }, names)])
}
