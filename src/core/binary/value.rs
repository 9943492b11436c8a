//! `Struct` and `Value`, the messages for any JSON.

use alloc::string::String;
use alloc::vec::Vec;

use super::read::MessageReading;
use super::write::MessageEncoder;
use super::{Fields, ProtobufValue, WireError, put_bytes, put_float, put_integer};
use crate::core::error::DecodeError;
use crate::json::{self, Element, Str, push_integer, write_string};

const NULL: u32 = 1;
const NUMBER: u32 = 2;
const STRING: u32 = 3;
const BOOL: u32 = 4;
const STRUCT: u32 = 5;
const LIST: u32 = 6;

/// The field of the entries in a `Struct` and in a list, and the fields of the key and the value of
/// an entry.
const ITEMS: u32 = 1;
const KEY: u32 = 1;
const VALUE: u32 = 2;

/// The largest integer up to which floating point numbers represent all integers.
const SAFE: u64 = 1 << 53;

impl MessageReading {
    /// Reads a `Value`.
    pub fn value(&mut self, message: &[u8]) -> Result<(), WireError> {
        let fields = Fields(message);
        let arm = fields.arm(LIST)?;
        match arm.map_or(Ok(None), |arm| fields.last(arm))? {
            Some(ProtobufValue::Fixed64(bits)) if arm == Some(NUMBER) => {
                self.float(f64::from_bits(bits))?
            }
            Some(ProtobufValue::Bytes(text)) if arm == Some(STRING) => self.text(text),
            Some(ProtobufValue::Varint(value)) if arm == Some(BOOL) => {
                self.out.push_str(if value == 0 { "false" } else { "true" });
            }
            Some(ProtobufValue::Bytes(_)) if arm == Some(STRUCT) => {
                let all = fields.message(STRUCT)?.unwrap_or_default();
                self.nested(|reading| reading.object(&all))?;
            }
            Some(ProtobufValue::Bytes(_)) if arm == Some(LIST) => {
                let all = fields.message(LIST)?.unwrap_or_default();
                self.nested(|reading| {
                    reading.list(ITEMS, &all, |reading, item| reading.value(item)).map(drop)
                })?;
            }
            None | Some(ProtobufValue::Varint(_)) => self.out.push_str("null"),
            Some(_) => return Err("a value of its kind"),
        }
        Ok(())
    }

    /// Reads a `Struct`.
    pub fn object(&mut self, message: &[u8]) -> Result<(), WireError> {
        let mut fields = Fields(message);
        self.out.push('{');
        while let Some((number, entry)) = fields.next()? {
            let ProtobufValue::Bytes(entry) = entry else { continue };
            if number != ITEMS {
                continue;
            }
            self.comma();
            let entry = Fields(entry);
            match entry.last(KEY)? {
                Some(ProtobufValue::Bytes(key)) => self.text(key),
                _ => self.out.push_str("\"\""),
            }
            self.out.push(':');
            let value = entry.message(VALUE)?.unwrap_or_default();
            self.check_room()?;
            self.value(&value)?;
        }
        self.out.push('}');
        Ok(())
    }

    fn float(&mut self, number: f64) -> Result<(), WireError> {
        let whole = number as i64;
        let is_minus_zero = whole == 0 && number.is_sign_negative();
        match () {
            () if !number.is_finite() => return Err("a number that JSON has"),
            () if !is_minus_zero && whole as f64 == number && whole.unsigned_abs() <= SAFE => {
                push_integer(whole, &mut self.out)
            }
            () => self.out.push_str(&SPELLING.of(number)),
        }
        Ok(())
    }
}

/// The spelling of JavaScript, except for the fraction of numbers without an exponent.
const SPELLING: json::float::FloatFormat =
    json::float::FloatFormat { plain_from: 1e-6, wide: false };

impl MessageEncoder {
    /// Writes a `Value`.
    pub fn value(&mut self, value: Element<'_, '_>, out: &mut Vec<u8>) -> Result<(), DecodeError> {
        if value.is_null() {
            put_integer(out, NULL, 0);
        } else if let Ok(text) = value.string() {
            let text = self.characters(text);
            put_bytes(out, STRING, text.as_bytes());
        } else if let Ok(is) = value.bool() {
            put_integer(out, BOOL, u64::from(is));
        } else if value.object().is_ok() {
            put_bytes(out, STRUCT, &self.object(value)?);
        } else if let Ok(items) = value.array() {
            let mut list = Vec::new();
            for (at, item) in items.enumerate() {
                self.path.push(json::decimal(at as i64));
                let mut message = Vec::new();
                self.value(item, &mut message)?;
                put_bytes(&mut list, ITEMS, &message);
                self.path.pop();
            }
            put_bytes(out, LIST, &list);
        } else {
            let digits = value.raw().as_str();
            let number = json::float::parse(digits).filter(|number| number.is_finite());
            let number = number.ok_or_else(|| {
                self.wrong(value, "a number that a floating point number is near to")
            })?;
            let is_exact =
                || json::integer(digits).is_some_and(|whole| whole.unsigned_abs() <= SAFE);
            if json::is_integer(digits) && !is_exact() {
                self.lose();
            }
            put_float(out, NUMBER, number);
        }
        Ok(())
    }

    /// Writes a `Struct`.
    pub fn object(&mut self, value: Element<'_, '_>) -> Result<Vec<u8>, DecodeError> {
        let mut out = Vec::new();
        for (key, value) in value.object().map_err(|_| self.wrong(value, "object"))? {
            let key = self.characters(key);
            self.path.push(key.clone());
            let (mut entry, mut message) = (Vec::new(), Vec::new());
            if !key.is_empty() {
                put_bytes(&mut entry, KEY, key.as_bytes());
            }
            self.value(value, &mut message)?;
            put_bytes(&mut entry, VALUE, &message);
            put_bytes(&mut out, ITEMS, &entry);
            self.path.pop();
        }
        Ok(out)
    }

    /// Returns the characters of a string. An unpaired surrogate becomes U+FFFD.
    pub fn characters(&mut self, text: Str<'_>) -> String {
        let (mut half, mut out) = (json::SurrogateHalf::NONE, String::new());
        let lone = json::decode_into(text, &mut half, &mut out);
        if half.is_waiting() {
            out.push('\u{fffd}');
        }
        if lone > 0 || half.is_waiting() {
            self.lose();
        }
        out
    }
}

impl MessageReading {
    /// Reads a string. Bytes that are not UTF-8 become U+FFFD.
    pub fn text(&mut self, bytes: &[u8]) {
        let text = crate::sse::characters(bytes);
        self.replaced |= matches!(text, alloc::borrow::Cow::Owned(_));
        write_string(&text, &mut self.out);
    }
}
