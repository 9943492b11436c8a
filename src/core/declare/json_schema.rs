//! Declarations as JSON Schema (draft 2020-12): the schema of every answer, and of the events that its reader accepts.

use alloc::string::String;
use alloc::vec::Vec;

use super::events::form::{Check, Null};
use super::events::row::{EventRow, MemberRow};
use super::events::table::EventTable;
use super::model::shape::{Model, ObjectShape, Shape, UnionShape, WordsShape};
use crate::json::{self, Value};

/// The version of JSON Schema of all schemas.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

impl Model {
    /// Returns the JSON Schema of an answer. `root` is the name in TypeScript of its object; all objects are under
    /// `$defs` by their names.
    ///
    /// Members that may be absent are not required, all others are. An object that keeps undeclared members allows any
    /// others, a closed one does not.
    pub fn json_schema(&self, root: &str) -> Value {
        let objects = self.objects.iter().map(|object| (self.definition(object), self.object(object)));
        let unions = self.unions.iter().map(|union| (union.name.into(), self.union(union)));
        let words = self.words.iter().map(|words| (words.name.into(), one_of_words(words)));
        schema([("$ref", reference(root))], objects.chain(unions).chain(words))
    }

    /// Returns the name of an object. The objects of an open union with an unknown tag have a different name from the
    /// union.
    fn definition(&self, object: &ObjectShape) -> String {
        let is_other =
            self.unions.iter().any(|union| union.other.is_some_and(|other| other.kind == object.kind));
        [if is_other { "Other" } else { "" }, object.name].concat()
    }

    fn object(&self, object: &ObjectShape) -> Value {
        let (mut properties, mut required) = (Value::Object(Vec::new()), Vec::new());
        let tag = self.tag(object);
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
                (Shape::Tag, Some(_)) => {}
                (Shape::Tag, None) => put(member.name, self.other_tag(object), true),
                (shape, _) => put(member.name, self.shape(&shape), !matches!(shape, Shape::Absent(_))),
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
        let is_its = |union: &&&UnionShape| union.other.is_some_and(|other| other.kind == object.kind);
        let known = self.unions.iter().find(is_its).map_or(&[][..], |union| union.variants);
        let known = known.iter().map(|(name, _)| Value::from(*name)).collect();
        Value::from([("type", "string".into()), ("not", Value::from([("enum", Value::Array(known))]))])
    }

    fn union(&self, union: &UnionShape) -> Value {
        let variants = union.variants.iter().map(|(_, object)| *object).chain(union.other);
        any_of(variants.map(|object| to(&self.definition(object))))
    }

    fn shape(&self, shape: &Shape) -> Value {
        match shape {
            Shape::Text | Shape::Tag => of_type("string"),
            Shape::Integer => of_type("integer"),
            Shape::Json | Shape::Tree | Shape::Nullable(Shape::Json) => true.into(),
            Shape::JsonObject => of_type("object"),
            Shape::Words(words) => to(words.name),
            Shape::Nullable(inner) => any_of([self.shape(inner), of_type("null")]),
            Shape::Absent(inner) => self.shape(inner),
            Shape::List(item) => Value::from([("type", "array".into()), ("items", self.shape(item))]),
            // The object of an open union represents the union.
            Shape::Object(object) => to(object.name),
            Shape::Union(union) => to(union.name),
            Shape::Fixed(text) => constant(Value::parse(text, 1).unwrap_or_default()),
        }
    }
}

impl EventTable {
    /// Returns the JSON Schema of an event that its reader accepts: an object with the members of its kind in their
    /// types, and any others. An object of an undeclared kind is also an event. The schema does not include checks of
    /// several members together or [`Limits`](crate::Limits).
    pub fn json_schema(&self) -> Value {
        let mut definitions = Vec::new();
        let root = self.dispatch(&mut definitions);
        schema([("type", "object".into()), root], definitions)
    }

    /// Returns the conditions for an object of each kind.
    fn dispatch(&self, definitions: &mut Vec<(String, Value)>) -> (&'static str, Value) {
        let kinds: Vec<Value> = self
            .rows
            .iter()
            .map(|row| {
                let then = to(&row.define(definitions));
                let (condition, needed) = match (row.name, row.members.first()) {
                    ("", Some(first)) => (of_type("null"), first.name),
                    (name, _) => (constant(name.into()), self.tag),
                };
                let condition = [
                    ("required", Value::Array([needed.into()].into())),
                    ("properties", Value::from([(self.tag, condition)])),
                ];
                Value::from([("if", Value::from(condition)), ("then", then)])
            })
            .collect();
        ("allOf", Value::Array(kinds))
    }

    /// Returns the schema of the objects at one place of an event.
    fn nested(&self, definitions: &mut Vec<(String, Value)>) -> Value {
        match self.rows {
            [row] if self.tag.is_empty() => to(&row.define(definitions)),
            _ => Value::from([("type", "object".into()), self.dispatch(definitions)]),
        }
    }
}

impl EventRow {
    /// Adds the definition and returns its name.
    fn define(&self, definitions: &mut Vec<(String, Value)>) -> String {
        let name: String = match self.shape.name {
            Some(name) => name.into(),
            None if self.name.is_empty() => "untagged".into(),
            None => self.name.into(),
        };
        if !definitions.iter().any(|(defined, _)| *defined == name) {
            let at = definitions.len();
            definitions.push((name.clone(), Value::Null));
            let defined = self.schema(definitions);
            if let Some((_, place)) = definitions.get_mut(at) {
                *place = defined;
            }
        }
        name
    }

    fn schema(&self, definitions: &mut Vec<(String, Value)>) -> Value {
        let varying: Vec<&str> = self.shape.varying().collect();
        let own = self.members.iter().filter(|member| !varying.contains(&member.name));
        let mut properties = Value::Object(Vec::new());
        let mut required = Vec::new();
        for member in own {
            properties.insert(member.name, member.schema(definitions));
            if !member.may_be_absent {
                required.push(Value::from(member.name));
            }
        }
        let mut schema = Value::from([("type", "object".into()), ("properties", properties)]);
        if !required.is_empty() {
            schema.insert("required", Value::Array(required));
        }
        if let Some(union) = self.shape.variants {
            schema.insert("allOf", Value::Array(variants(union)));
        }
        schema
    }
}

/// Returns the own members of each variant, all of which are optional.
fn variants(union: &UnionShape) -> Vec<Value> {
    let variant = |(name, object): &(&str, &ObjectShape)| {
        let is_it = Value::from([("properties", Value::from([(union.tag, constant((*name).into()))]))]);
        let mut condition = is_it;
        condition.insert("required", Value::Array([union.tag.into()].into()));
        let mut own = Value::Object(Vec::new());
        for member in object.members {
            let shape = match member.shape {
                Shape::Nullable(Shape::JsonObject) => "object",
                _ => "string",
            };
            own.insert(member.name, any_of([of_type(shape), of_type("null")]));
        }
        Value::from([("if", condition), ("then", Value::from([("properties", own)]))])
    };
    union.variants.iter().map(variant).collect()
}

impl MemberRow {
    fn schema(&self, definitions: &mut Vec<(String, Value)>) -> Value {
        let shape = match self.check {
            Check::Text | Check::Id => of_type("string"),
            Check::Integer => {
                let digits = [("type", "string".into()), ("pattern", "^-?[0-9]+$".into())];
                any_of([of_type("integer"), Value::from(digits)])
            }
            Check::Bool => of_type("boolean"),
            Check::List(table) => {
                Value::from([("type", "array".into()), ("items", table.nested(definitions))])
            }
            Check::Object(table) => table.nested(definitions),
            Check::Message | Check::Any | Check::Unread => return true.into(),
        };
        if self.null == Null::Refused { shape } else { any_of([shape, of_type("null")]) }
    }
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
