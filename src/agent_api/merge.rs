//! How a data delta changes the data it belongs to: the one place that knows.
//!
//! The runtime has two official rules for the same event, and the wire does not say which one a server used (spec
//! section 2 and 1.3, R29). A completed content carries the whole data, so the choice matters only until then.
//!
//! | value so far | delta | [`Builder`](DataMerge::Builder) | [`Message`](DataMerge::Message) |
//! |---|---|---|---|
//! | (no such key) | anything | taken | dropped |
//! | string | string | concatenated | concatenated |
//! | array | array | concatenated | concatenated |
//! | number | number | added, exactly | dropped |
//! | object | object | merged key by key | dropped |
//! | anything else | anything else | replaced | dropped |
//!
//! ```
//! use agentwire::agent_api::merge::{DataMerge, merge};
//! use agentwire::json::Value;
//!
//! let read = |text: &str| Value::parse(text, 64).unwrap();
//! let delta = read(r#"{"arguments":"1}","n":1,"new":true}"#);
//!
//! let mut data = read(r#"{"arguments":"{\"a\":","n":9007199254740993}"#);
//! merge(&mut data, &delta, DataMerge::Builder);
//! assert_eq!(data.to_json(), r#"{"arguments":"{\"a\":1}","n":9007199254740994,"new":true}"#);
//!
//! let mut data = read(r#"{"arguments":"{\"a\":","n":9007199254740993}"#);
//! merge(&mut data, &delta, DataMerge::Message);
//! assert_eq!(data.to_json(), r#"{"arguments":"{\"a\":1}","n":9007199254740993}"#);
//! ```

use crate::json::{Member, Value};
use std::collections::BTreeMap;

/// One of the runtime's two rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum DataMerge {
    /// What `ContentBuilder.complete` does: nothing is lost. (Spec section 2, B:238.)
    #[default]
    Builder,
    /// What `Message.add_delta_content` does: only strings and arrays that are there already grow. (Spec 1.3, S:683.)
    Message,
}

/// Merges `delta` into `base`.
///
/// `data` is an object by the protocol (spec 1.2): a delta that is none changes nothing, and a base that is none becomes
/// an empty object first under the builder rule, while the message rule finds no key in it.
///
/// Costs one pass over the keys of every object that the delta touches.
pub fn merge(base: &mut Value, delta: &Value, rule: DataMerge) {
    let Value::Object(delta) = delta else { return };
    match rule {
        DataMerge::Builder => {
            if !matches!(base, Value::Object(_)) {
                *base = Value::Object(Vec::new());
            }
            if let Value::Object(base) = base {
                each_key(base, delta, |found, value| match found {
                    Found::There(old) => grow_or_replace(old, value),
                    Found::Missing(base, key) => {
                        base.push(Member { key: key.to_owned(), value: value.clone() })
                    }
                });
            }
        }
        DataMerge::Message => {
            if let Value::Object(base) = base {
                each_key(base, delta, |found, value| {
                    if let Found::There(old) = found {
                        grow(old, value);
                    }
                });
            }
        }
    }
}

/// Concatenates two strings or two arrays; false when they are something else.
fn grow(old: &mut Value, new: &Value) -> bool {
    match (old, new) {
        (Value::String(old), Value::String(new)) => old.push_str(new),
        (Value::Array(old), Value::Array(new)) => old.extend_from_slice(new),
        _ => return false,
    }
    true
}

fn grow_or_replace(old: &mut Value, new: &Value) {
    if grow(old, new) {
        return;
    }
    match (&mut *old, new) {
        (Value::Number(a), Value::Number(b)) => *old = add(a, b),
        (Value::Object(_), Value::Object(_)) => merge(old, new, DataMerge::Builder),
        _ => *old = new.clone(),
    }
}

enum Found<'a> {
    There(&'a mut Value),
    Missing(&'a mut Vec<Member>, &'a str),
}

/// Calls `apply` for each member of `delta` with its place in `base`.
fn each_key(base: &mut Vec<Member>, delta: &[Member], mut apply: impl FnMut(Found<'_>, &Value)) {
    // A delta has two or three keys; one with many is looked up in one pass, or wide data would cost their product.
    const MANY: usize = 16;
    let mut places = BTreeMap::new();
    if delta.len() > MANY {
        let wanted: BTreeMap<&str, ()> = delta.iter().map(|m| (m.key.as_str(), ())).collect();
        for (at, member) in base.iter().enumerate() {
            if let Some((&key, ())) = wanted.get_key_value(member.key.as_str()) {
                places.entry(key).or_insert(at);
            }
        }
    }
    for Member { key, value } in delta {
        let place = if delta.len() > MANY {
            places.get(key.as_str()).copied()
        } else {
            base.iter().position(|m| m.key == *key)
        };
        match place {
            Some(at) => apply(Found::There(&mut base[at].value), value),
            None => {
                let end = base.len();
                apply(Found::Missing(base, key), value);
                if base.len() > end {
                    places.insert(key, end);
                }
            }
        }
    }
}

/// The sum of two JSON numbers: exact for two integers of any size, floating point as soon as one is none (spec
/// section 2). A sum that floating point cannot hold is null, as the runtime writes it (spec 3.1).
fn add(a: &str, b: &str) -> Value {
    let is_integer = |digits: &str| !digits.contains(['.', 'e', 'E']);
    if is_integer(a) && is_integer(b) {
        let small = || a.parse::<i64>().ok()?.checked_add(b.parse().ok()?);
        return match small() {
            Some(sum) => Value::from(sum),
            None => add_integers(a, b).map_or(Value::Null, Value::Number),
        };
    }
    match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) if (a + b).is_finite() => Value::Number(float(a + b)),
        _ => Value::Null,
    }
}

/// A finite float as the runtime spells it: always with a fraction or an exponent, the latter from 1e16 up and below
/// 1e-5.
pub(crate) fn float(value: f64) -> String {
    match value.abs() {
        0.0 | 1e-5..1e16 => {
            let text = value.to_string();
            if text.contains('.') { text } else { text + ".0" }
        }
        _ => format!("{value:e}"),
    }
}

fn add_integers(a: &str, b: &str) -> Option<String> {
    let (a, b) = (Magnitude::read(a)?, Magnitude::read(b)?);
    let (negative, digits) = if a.negative == b.negative {
        (a.negative, sum(a.digits, b.digits))
    } else if a.is_larger_than(&b) {
        (a.negative, difference(a.digits, b.digits))
    } else {
        (b.negative, difference(b.digits, a.digits))
    };
    let digits = digits.trim_start_matches('0');
    Some(match digits {
        "" => "0".to_owned(),
        digits if negative => format!("-{digits}"),
        digits => digits.to_owned(),
    })
}

struct Magnitude<'a> {
    negative: bool,
    digits: &'a [u8],
}

impl<'a> Magnitude<'a> {
    fn read(text: &'a str) -> Option<Self> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text),
        };
        let digits = digits.trim_start_matches('0').as_bytes();
        let whole = digits.iter().all(u8::is_ascii_digit);
        whole.then_some(Magnitude { negative, digits })
    }

    fn is_larger_than(&self, other: &Self) -> bool {
        (self.digits.len(), self.digits) > (other.digits.len(), other.digits)
    }
}

fn sum(a: &[u8], b: &[u8]) -> String {
    let mut carry = 0;
    columns(a, b, |x, y| {
        let column = x + y + carry;
        carry = column / 10;
        column % 10
    })
}

/// `a - b`, where `a` is not the smaller one.
fn difference(a: &[u8], b: &[u8]) -> String {
    let mut borrow = 0;
    columns(a, b, |x, y| {
        let column = 10 + x - y - borrow;
        borrow = u8::from(column < 10);
        column % 10
    })
}

/// Goes through the digits of both from the right, one column more than the longer has.
fn columns(a: &[u8], b: &[u8], mut digit: impl FnMut(u8, u8) -> u8) -> String {
    let width = a.len().max(b.len()) + 1;
    let from_right = |digits: &[u8], i: usize| match digits.len().checked_sub(i + 1) {
        Some(at) => digits[at] - b'0',
        None => 0,
    };
    let mut out: Vec<char> =
        (0..width).map(|i| char::from(b'0' + digit(from_right(a, i), from_right(b, i)))).collect();
    out.reverse();
    out.into_iter().collect()
}
