//! The two rules by which a data delta changes the data it belongs to.
//!
//! The runtime has two official rules for the same event, and the wire does not show which one a
//! server used (spec section 2 and 1.3, R29). A completed content carries the whole data, so the
//! choice matters only until then.
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
//! use agentwire::agent_api::{DataMerge, merge};
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

use alloc::{borrow::ToOwned, vec::Vec};

use crate::bytes::string_map::StringMap;
use crate::json::{self, Member, Value};

/// One of the runtime's two rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum DataMerge {
    /// The rule of `ContentBuilder.complete`: nothing is lost. (Spec section 2, B:238.)
    #[default]
    Builder,
    /// The rule of `Message.add_delta_content`: only existing strings and arrays grow. (Spec 1.3,
    /// S:683.)
    Message,
}

/// Merges `delta` into `base`.
///
/// `data` is an object by the protocol (spec 1.2): a delta of another type changes nothing. A base
/// of another type is replaced by an empty object under the builder rule and stays unchanged under
/// the message rule.
///
/// Takes one pass over the keys of every object that the delta touches.
pub fn merge(base: &mut Value, delta: &Value, rule: DataMerge) {
    let Value::Object(delta) = delta else { return };
    let builds = rule == DataMerge::Builder;
    if builds && !matches!(base, Value::Object(_)) {
        *base = Value::Object(Vec::new());
    }
    let Value::Object(base) = base else { return };
    // Most deltas have two or three keys. The keys of a wide delta are found in one pass over
    // `base`: a search for each key would take time proportional to the product of both lengths.
    const MANY: usize = 16;
    let is_wide = delta.len() > MANY;
    let mut places = StringMap::default();
    if is_wide {
        delta.iter().for_each(|wanted| places.insert(&wanted.key, None));
        for (at, member) in base.iter().enumerate() {
            if let Some(place @ None) = places.get_mut(&member.key) {
                *place = Some(at);
            }
        }
    }
    for Member { key, value } in delta {
        let place = match is_wide {
            true => places.get(key).copied().flatten(),
            false => base.iter().position(|member| member.key == *key),
        };
        match place {
            Some(at) => {
                let old = &mut base[at].value;
                if !grow(old, value) && builds {
                    replace(old, value);
                }
            }
            None if builds => {
                if is_wide {
                    places.insert(key, Some(base.len()));
                }
                base.push(Member { key: key.to_owned(), value: value.clone() });
            }
            None => {}
        }
    }
}

/// Concatenates two strings or two arrays; returns false for other values.
fn grow(old: &mut Value, new: &Value) -> bool {
    match (old, new) {
        (Value::String(old), Value::String(new)) => old.push_str(new),
        (Value::Array(old), Value::Array(new)) => old.extend_from_slice(new),
        _ => return false,
    }
    true
}

fn replace(old: &mut Value, new: &Value) {
    match (&mut *old, new) {
        (Value::Number(a), Value::Number(b)) if json::is_number(a) && json::is_number(b) => {
            *a = json::add(a, b).into();
        }
        (Value::Object(_), Value::Object(_)) => merge(old, new, DataMerge::Builder),
        _ => *old = new.clone(),
    }
}
