//! What the tests of the codecs have in common.

use alloc::string::String;
use alloc::vec::Vec;

use super::{Back, Conversation, RequestCodec, SettingKey, normalise};
use crate::core::id::IdSource;
use crate::hub::Losses;
use crate::json::{Value, decimal};

/// Creates the ids `1`, `2`, …
#[derive(Default)]
struct Count(i64);

impl IdSource for Count {
    fn next_id(&mut self, prefix: &str) -> String {
        self.0 += 1;
        [prefix, &*decimal(self.0)].concat()
    }
}

pub(crate) fn parsed(json: &str) -> Value {
    Value::parse(json, 64).unwrap_or_else(|error| panic!("{error}: {json}"))
}

/// A request that was converted.
pub(crate) struct Sent {
    pub request: Value,
    pub back: Back,
    /// Class, kind and location of the losses.
    pub losses: Vec<String>,
}

/// Makes a conversation valid for a protocol, and writes it.
pub(crate) fn sent(mut conversation: Conversation, to: &RequestCodec) -> Sent {
    let mut losses = Losses::default();
    let requirements = (to.requirements)(conversation.settings.text(SettingKey::Model));
    let back = normalise(&mut conversation, requirements, Some("scope"), &mut losses);
    let json = (to.write)(&conversation, &mut Count::default());
    let mut again = conversation.clone();
    normalise(&mut again, requirements, Some("scope"), &mut Losses::default());
    assert_eq!(again, conversation, "normalising twice changes something");
    let losses = losses.iter().map(|loss| [loss.class.as_str(), loss.kind, &loss.location].join(" "));
    Sent { request: parsed(&json), back, losses: losses.collect() }
}

/// Converts a request.
pub(crate) fn converted(from: &RequestCodec, request: &str, to: &RequestCodec) -> Sent {
    sent((from.read)(parsed(request)), to)
}

/// Returns the JSON of a value whose members are in the order of their names.
pub(crate) fn sorted(value: &Value) -> String {
    fn sort(value: &mut Value) {
        match value {
            Value::Object(members) => {
                members.sort_by(|one, other| one.key.cmp(&other.key));
                members.iter_mut().for_each(|member| sort(&mut member.value));
            }
            Value::Array(list) => list.iter_mut().for_each(sort),
            _ => {}
        }
    }
    let mut value = value.clone();
    sort(&mut value);
    value.to_json()
}

/// Asserts that a request is the same after it was read and written.
pub(crate) fn assert_identity(codec: &RequestCodec, request: &str) {
    let sent = converted(codec, request, codec);
    assert_eq!(sorted(&sent.request), sorted(&parsed(request)));
    assert_eq!(sent.losses, Vec::<String>::new(), "{request}");
    assert!(sent.back.is_empty(), "{request}");
}

/// Returns the value at a path of names and numbers with dots.
pub(crate) fn at<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('.').try_fold(value, |value, name| match value {
        Value::Array(list) => list.get(name.parse::<usize>().ok()?),
        value => value.get(name),
    })
}

/// Asserts that a value at a path has this JSON; `None`: that there is none.
pub(crate) fn assert_at(value: &Value, path: &str, expected: Option<&str>) {
    let found = at(value, path).map(sorted);
    let expected = expected.map(|expected| sorted(&parsed(expected)));
    assert_eq!(found, expected, "{path} of {}", value.to_json());
}
