//! Reads answers from their JSON by their shape, for `serde::Deserialize`.

use alloc::string::String;
use alloc::vec::Vec;

use serde::de::{Deserialize, Deserializer, Error};

use super::member::{DeclaredObject, EXTRA, MemberSlot, ModelPathStep};
use super::shape::{ModelShape, ObjectShape, ValueShape, WordsShape};
use crate::core::sink::{FieldValue, ObjectKind};
use crate::json::{Member as JsonMember, Raw, Value};

/// Reads an object of a model, or one of a union. `new` creates one of a kind, as an engine opens
/// it.
///
/// A missing member keeps its initial value. Undeclared members are kept if the object keeps them,
/// and ignored otherwise. A declared member of another type is an error with its path.
pub(crate) fn deserialize<'de, D: Deserializer<'de>, T: DeclaredObject>(
    deserializer: D,
    model: &ModelShape,
    shape: &ValueShape,
    new: impl FnOnce(ObjectKind) -> T,
) -> Result<T, D::Error> {
    let value = Value::deserialize(deserializer)?;
    let shape = variant(model, shape, &value)?;
    let mut object = new(ObjectKind(shape.kind));
    ObjectReading { object: &mut object, model, way: Vec::new() }.members(shape, value)?;
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
    model: &ModelShape,
    shape: &ValueShape,
    value: &Value,
) -> Result<&'static ObjectShape, E> {
    let union = match shape {
        ValueShape::Union(union) => union,
        ValueShape::Object(object) => {
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
struct ObjectReading<'a> {
    object: &'a mut dyn DeclaredObject,
    model: &'a ModelShape,
    /// The way to the current object, the last step first.
    way: Vec<ModelPathStep>,
}

impl ObjectReading<'_> {
    fn members<E: Error>(&mut self, shape: &'static ObjectShape, value: Value) -> Result<(), E> {
        let Value::Object(members) = value else {
            return Err(E::custom("an object is expected here"));
        };
        let base = shape.base.map_or(&[][..], |base| base.members);
        for member in members {
            let declared = base.iter().chain(shape.members).find(|known| known.name == member.key);
            // The kind for undeclared tags keeps its tag as a member.
            match declared.map(|known| &known.shape) {
                Some(ValueShape::Fixed(_)) => {}
                Some(ValueShape::Tag) => self.tag(member),
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
            slot.set(FieldValue::Str(tag));
        }
    }

    fn undeclared(&mut self, member: JsonMember) {
        let extra = self.object.find(&self.way, EXTRA).and_then(|extra| extra.slot(true));
        if let Some(MemberSlot::Extra(extra)) = extra {
            extra.push(member);
        }
    }

    fn member<E: Error>(&mut self, shape: &ValueShape, name: &str, value: Value) -> Result<(), E> {
        let Some(key) = self.model.find_key(name) else { return Ok(()) };
        let wrong = |expected: &str| Err(E::custom(format_args!("{expected} is expected here")));
        let Some(slot) = self.object.find(&self.way, key) else { return Ok(()) };
        match (shape, value) {
            (ValueShape::Nullable(_), Value::Null) => slot.set(FieldValue::Null),
            (ValueShape::Nullable(inner) | ValueShape::Absent(inner), value) => {
                return self.member(inner, name, value);
            }
            (ValueShape::Json | ValueShape::Tree, value) => {
                slot.set(FieldValue::Json(Raw(&value.to_json())))
            }
            (ValueShape::JsonObject, value @ Value::Object(_)) => {
                slot.set(FieldValue::Json(Raw(&value.to_json())))
            }
            (ValueShape::Text, Value::String(text)) => slot.set(FieldValue::Str(&text)),
            (ValueShape::Words(words), Value::String(text)) => {
                slot.set(self.model.value_of(words, &text))
            }
            (ValueShape::Integer, Value::Number(digits)) => match digits.parse() {
                Ok(number) => slot.set(FieldValue::Int(number)),
                Err(_) => return wrong("an integer"),
            },
            // Values that are not objects are set as a whole.
            (ValueShape::List(item), value @ Value::Array(_))
                if !matches!(item, ValueShape::Object(_) | ValueShape::Union(_)) =>
            {
                slot.set(FieldValue::Json(Raw(&value.to_json())));
            }
            (ValueShape::List(item), Value::Array(items)) => {
                if items.is_empty() {
                    slot.set(FieldValue::Json(Raw("[]")));
                }
                for item_value in items {
                    self.open(item, key, item_value)?;
                }
            }
            (ValueShape::Object(_) | ValueShape::Union(_), value @ Value::Object(_)) => {
                self.open(shape, key, value)?
            }
            (ValueShape::JsonObject | ValueShape::Object(_) | ValueShape::Union(_), _) => {
                return wrong("an object");
            }
            (ValueShape::Text | ValueShape::Words(_), _) => return wrong("a string"),
            (ValueShape::Integer, _) => return wrong("an integer"),
            (ValueShape::List(_), _) => return wrong("an array"),
            (ValueShape::Fixed(_) | ValueShape::Tag, _) => {}
        }
        Ok(())
    }

    /// Opens a further object in a member, and sets its members from JSON.
    fn open<E: Error>(
        &mut self,
        shape: &ValueShape,
        key: crate::core::sink::Field,
        value: Value,
    ) -> Result<(), E> {
        let object = variant(self.model, shape, &value)?;
        let Some(list) = self.object.find(&self.way, key) else { return Ok(()) };
        let at = list.open(ObjectKind(object.kind)) as u32;
        self.way.insert(0, ModelPathStep { list: key, at });
        let read = self.members(object, value);
        self.way.remove(0);
        read
    }
}
