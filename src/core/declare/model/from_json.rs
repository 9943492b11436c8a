//! Reads answers from their JSON by their shape, for `serde::Deserialize`.

use alloc::string::String;
use alloc::vec::Vec;

use serde::de::{Deserialize, Deserializer, Error};

use super::member::{EXTRA, Object, Slot, Step};
use super::shape::{Model, ObjectShape, Shape, WordsShape};
use crate::core::sink::{Kind, SinkValue};
use crate::json::{Member as JsonMember, Raw, Value};

/// Reads an object of a model, or one of a union. `new` creates one of a kind, as an engine opens
/// it.
///
/// A missing member keeps its initial value. Undeclared members are kept if the object keeps them,
/// and ignored otherwise. A declared member of another type is an error with its path.
pub(crate) fn deserialize<'de, D: Deserializer<'de>, T: Object>(
    deserializer: D,
    model: &Model,
    shape: &Shape,
    new: impl FnOnce(Kind) -> T,
) -> Result<T, D::Error> {
    let value = Value::deserialize(deserializer)?;
    let shape = variant(model, shape, &value)?;
    let mut object = new(Kind(shape.kind));
    Reading { object: &mut object, model, way: Vec::new() }.members(shape, value)?;
    Ok(object)
}

/// Reads one of a list of words.
pub(crate) fn deserialize_word<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    words: &'static WordsShape,
    named: impl FnOnce(&str) -> Option<T>,
) -> Result<T, D::Error> {
    let text = String::deserialize(deserializer)?;
    named(&text).ok_or_else(|| Error::unknown_variant(&text, words.words))
}

/// Returns the shape of a JSON object with a tag: of a union, or of an object with members that
/// depend on the tag.
fn variant<E: Error>(
    model: &Model,
    shape: &Shape,
    value: &Value,
) -> Result<&'static ObjectShape, E> {
    let union = match shape {
        Shape::Union(union) => union,
        Shape::Object(object) => {
            let is_other = |other: &ObjectShape| other.kind == object.kind;
            match model.unions.iter().find(|union| union.other.is_some_and(is_other)) {
                Some(union) => union,
                None => return Ok(object),
            }
        }
        _ => return Err(E::custom("no object is expected here")),
    };
    let tag = value.get(union.tag).and_then(Value::as_str).unwrap_or_default();
    let known = union.variants.iter().find(|(name, _)| *name == tag).map(|(_, object)| *object);
    known
        .or(union.other)
        .ok_or_else(|| E::custom(format_args!("no object here has the {} `{tag}`", union.tag)))
}

/// Sets the members of an object from JSON.
struct Reading<'a> {
    object: &'a mut dyn Object,
    model: &'a Model,
    /// The way to the current object, the last step first.
    way: Vec<Step>,
}

impl Reading<'_> {
    fn members<E: Error>(&mut self, shape: &'static ObjectShape, value: Value) -> Result<(), E> {
        let Value::Object(members) = value else {
            return Err(E::custom("an object is expected here"));
        };
        let base = shape.base.map_or(&[][..], |base| base.members);
        for member in members {
            let declared = base.iter().chain(shape.members).find(|known| known.name == member.key);
            // The kind for undeclared tags keeps its tag as a member.
            match declared.map(|known| &known.shape) {
                Some(Shape::Fixed(_)) => {}
                Some(Shape::Tag) => self.tag(member),
                Some(shape) => self
                    .member(shape, &member.key, member.value)
                    .map_err(|error: E| E::custom(format_args!("{}: {error}", member.key)))?,
                None if self.model.tag(shape).is_some_and(|(tag, _)| tag == member.key) => {}
                None => self.undeclared(member),
            }
        }
        Ok(())
    }

    fn tag(&mut self, JsonMember { key, value }: JsonMember) {
        let key = self.model.find_key(&key);
        if let (Some(slot), Some(tag)) =
            (key.and_then(|key| self.object.find(&self.way, key)), value.as_str())
        {
            slot.set(SinkValue::Str(tag));
        }
    }

    fn undeclared(&mut self, member: JsonMember) {
        let extra = self.object.find(&self.way, EXTRA).and_then(|extra| extra.slot(true));
        if let Some(Slot::Extra(extra)) = extra {
            extra.push(member);
        }
    }

    fn member<E: Error>(&mut self, shape: &Shape, name: &str, value: Value) -> Result<(), E> {
        let Some(key) = self.model.find_key(name) else { return Ok(()) };
        let wrong = |expected: &str| Err(E::custom(format_args!("{expected} is expected here")));
        let Some(slot) = self.object.find(&self.way, key) else { return Ok(()) };
        match (shape, value) {
            (Shape::Nullable(_), Value::Null) => slot.set(SinkValue::Null),
            (Shape::Nullable(inner) | Shape::Absent(inner), value) => {
                return self.member(inner, name, value);
            }
            (Shape::Json | Shape::Tree, value) => slot.set(SinkValue::Json(Raw(&value.to_json()))),
            (Shape::JsonObject, value @ Value::Object(_)) => {
                slot.set(SinkValue::Json(Raw(&value.to_json())))
            }
            (Shape::Text, Value::String(text)) => slot.set(SinkValue::Str(&text)),
            (Shape::Words(words), Value::String(text)) => {
                slot.set(self.model.value_of(words, &text))
            }
            (Shape::Integer, Value::Number(digits)) => match digits.parse() {
                Ok(number) => slot.set(SinkValue::Int(number)),
                Err(_) => return wrong("an integer"),
            },
            // Values that are not objects are set as a whole.
            (Shape::List(item), value @ Value::Array(_))
                if !matches!(item, Shape::Object(_) | Shape::Union(_)) =>
            {
                slot.set(SinkValue::Json(Raw(&value.to_json())));
            }
            (Shape::List(item), Value::Array(items)) => {
                if items.is_empty() {
                    slot.set(SinkValue::Json(Raw("[]")));
                }
                for item_value in items {
                    self.open(item, key, item_value)?;
                }
            }
            (Shape::Object(_) | Shape::Union(_), value @ Value::Object(_)) => {
                self.open(shape, key, value)?
            }
            (Shape::JsonObject | Shape::Object(_) | Shape::Union(_), _) => {
                return wrong("an object");
            }
            (Shape::Text | Shape::Words(_), _) => return wrong("a string"),
            (Shape::Integer, _) => return wrong("an integer"),
            (Shape::List(_), _) => return wrong("an array"),
            (Shape::Fixed(_) | Shape::Tag, _) => {}
        }
        Ok(())
    }

    /// Opens a further object in a member, and sets its members from JSON.
    fn open<E: Error>(
        &mut self,
        shape: &Shape,
        key: crate::core::sink::Key,
        value: Value,
    ) -> Result<(), E> {
        let object = variant(self.model, shape, &value)?;
        let Some(list) = self.object.find(&self.way, key) else { return Ok(()) };
        let at = list.open(Kind(object.kind)) as u32;
        self.way.insert(0, Step { list: key, at });
        let read = self.members(object, value);
        self.way.remove(0);
        read
    }
}
