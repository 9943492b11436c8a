//! Serde implementations for free JSON.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use serde::de::value::{self, MapAccessDeserializer, MapDeserializer, SeqDeserializer};
use serde::de::{
    Deserialize, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::value::{Member, Raw, Value, keep_last};

impl Serialize for Value {
    /// Integers of up to 64 bits stay exact; larger numbers become floating point in formats
    /// without digits.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Number(digits) => {
                match (digits.parse::<i64>(), digits.parse::<u64>(), digits.parse::<f64>()) {
                    // A JavaScript host has numbers up to 2^53, and bigints for larger integers.
                    #[cfg(target_family = "wasm")]
                    (Ok(n), _, _) if n.unsigned_abs() > 1 << 53 => {
                        serializer.serialize_i128(n.into())
                    }
                    #[cfg(target_family = "wasm")]
                    (Err(_), Ok(n), _) => serializer.serialize_u128(n.into()),
                    (Ok(n), _, _) => serializer.serialize_i64(n),
                    #[cfg(not(target_family = "wasm"))]
                    (_, Ok(n), _) => serializer.serialize_u64(n),
                    (_, _, n) => serializer.serialize_f64(n.unwrap_or(f64::NAN)),
                }
            }
            Value::String(text) => serializer.serialize_str(text),
            Value::Array(items) => {
                let mut seq = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    seq.serialize_element(item)?;
                }
                seq.end()
            }
            Value::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for member in members {
                    map.serialize_entry(&member.key, &member.value)?;
                }
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    /// Integers are exact as far as the format provides them; a repeated key takes its last value.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

/// Serializes a JSON text in any format.
pub(crate) fn serialize_json<S: Serializer>(json: &str, serializer: S) -> Result<S::Ok, S::Error> {
    Value::from_raw(Raw(json)).serialize(serializer)
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("what JSON can say")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Value::deserialize(deserializer)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Number(number.to_string().into()))
    }

    fn visit_i128<E>(self, number: i128) -> Result<Value, E> {
        Ok(Value::Number(number.to_string().into()))
    }

    fn visit_u128<E>(self, number: u128) -> Result<Value, E> {
        Ok(Value::Number(number.to_string().into()))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        match number.is_finite() {
            true => Ok(Value::Number(format!("{number:?}").into())),
            false => Err(E::custom("JSON has no infinite numbers")),
        }
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::String(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::String(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut members = Vec::new();
        while let Some((key, value)) = map.next_entry()? {
            members.push(Member { key, value });
        }
        keep_last(&mut members);
        Ok(Value::Object(members))
    }
}

/// Deserializes types from a value: `T::deserialize(value)` creates a type of the caller, for
/// example from the arguments of a tool call.
impl<'de> Deserializer<'de> for Value {
    type Error = value::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, value::Error> {
        match self {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(value),
            Value::Number(digits) => match (digits.parse::<i64>(), digits.parse::<u64>()) {
                (Ok(number), _) => visitor.visit_i64(number),
                (_, Ok(number)) => visitor.visit_u64(number),
                _ => match digits.parse::<f64>() {
                    Ok(number) => visitor.visit_f64(number),
                    Err(_) => Err(Error::custom("a number is expected here")),
                },
            },
            Value::String(text) => visitor.visit_string(text),
            Value::Array(items) => {
                let mut items = SeqDeserializer::new(items.into_iter());
                let read = visitor.visit_seq(&mut items)?;
                items.end().map(|()| read)
            }
            Value::Object(members) => {
                let mut members = MapDeserializer::new(
                    members.into_iter().map(|member| (member.key, member.value)),
                );
                let read = visitor.visit_map(&mut members)?;
                members.end().map(|()| read)
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, value::Error> {
        match self {
            Value::Null => visitor.visit_none(),
            value => visitor.visit_some(value),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, value::Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, value::Error> {
        match self {
            Value::String(name) => visitor.visit_enum(name.into_deserializer()),
            Value::Object(members) => {
                let members = members.into_iter().map(|member| (member.key, member.value));
                visitor.visit_enum(MapAccessDeserializer::new(MapDeserializer::new(members)))
            }
            _ => Err(Error::custom("a string or an object is expected here")),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de, value::Error> for Value {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}
