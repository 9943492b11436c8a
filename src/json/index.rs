//! An index of the members of free JSON, for objects that a stream extends member by member.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::vec::Vec;

use super::value::{Member, Value};
use crate::bytes::string_map::StringMap;

/// The minimum number of members of an object with an index: a linear search for each piece would
/// take quadratic time.
const WIDE: usize = 16;

/// The positions of the members of one object. Members are only ever appended, and replacing a
/// value removes its index.
#[derive(Clone, Debug, Default)]
pub(crate) struct MemberIndex {
    /// Empty while the object is not wide.
    places: StringMap<usize>,
    /// The indexes of the members that are objects.
    inside: StringMap<Box<MemberIndex>>,
}

impl MemberIndex {
    /// Returns the member with a name, which is added if it does not exist.
    pub fn member<'m>(&mut self, members: &'m mut Vec<Member>, name: &str) -> &'m mut Value {
        let known = if members.len() < WIDE {
            members.iter().position(|member| member.key == name)
        } else {
            // The members that were added while the object was not wide.
            for (at, member) in members.iter().enumerate().skip(self.places.len()) {
                self.places.insert(&member.key, at);
            }
            self.places.get(name).copied()
        };
        let at = known.unwrap_or_else(|| {
            members.push(Member { key: name.to_owned(), value: Value::Null });
            members.len() - 1
        });
        &mut members[at].value
    }

    /// Returns the value at a path. Missing members on the path are added as objects. `None` if a
    /// value on the path is not an object.
    pub fn value<'v>(&mut self, object: &'v mut Value, path: &[&str]) -> Option<&'v mut Value> {
        let (mut index, mut value) = (self, object);
        for (depth, step) in path.iter().enumerate() {
            if value.is_null() {
                *value = Value::Object(Vec::new());
            }
            let Value::Object(members) = value else { return None };
            value = index.member(members, step);
            if depth + 1 < path.len() {
                index = index.inside.get_or_insert_default(step);
            }
        }
        Some(value)
    }

    /// Removes the index of a value that is replaced.
    pub fn forget(&mut self, path: &[&str]) {
        let Some((last, way)) = path.split_last() else {
            *self = MemberIndex::default();
            return;
        };
        let mut index = self;
        for step in way {
            let Some(inside) = index.inside.get_mut(step) else { return };
            index = inside;
        }
        if let Some(inside) = index.inside.get_mut(last) {
            **inside = MemberIndex::default();
        }
    }
}

/// Free JSON with an index of its members: setting a member costs as much as the path to it.
#[cfg(feature = "hub")]
#[derive(Clone, Debug, Default)]
pub(crate) struct IndexedValue {
    value: Value,
    index: MemberIndex,
}

#[cfg(feature = "hub")]
impl IndexedValue {
    /// Replaces the whole value.
    pub fn replace(&mut self, value: Value) {
        *self = IndexedValue { value, index: MemberIndex::default() };
    }

    /// Sets the value at a path. Missing members on the path are added as objects. Nothing changes
    /// if a value on the path is not an object.
    pub fn set_at(&mut self, path: &[&str], value: Value) {
        if let Some(slot) = self.index.value(&mut self.value, path) {
            *slot = value;
            self.index.forget(path);
        }
    }

    /// Returns the value.
    pub fn value(&self) -> &Value {
        &self.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn index_finds_the_value_at_a_path() {
        let (mut index, mut object) = (MemberIndex::default(), Value::Object(Vec::new()));
        for round in 0..100 {
            for path in [&[&*format!("k{}", round % 40)][..], &["deep", &format!("k{round}")]] {
                *index.value(&mut object, path).unwrap() = i64::from(round).into();
            }
            if round == 50 {
                *index.value(&mut object, &["deep"]).unwrap() = Value::Object(Vec::new());
                index.forget(&["deep"]);
            }
        }
        assert_eq!(object.get("k7"), Some(&87.into()));
        let Some(Value::Object(deep)) = object.get("deep") else { panic!("an object") };
        assert_eq!(deep.len(), 49);
        assert!(
            deep.iter().enumerate().all(|(at, member)| member.value == (at as i64 + 51).into())
        );
        assert_eq!(index.value(&mut object, &["k7", "x"]), None);
    }

    #[cfg(feature = "hub")]
    #[test]
    fn indexed_value_is_the_object_that_was_set_member_by_member() {
        let mut indexed = IndexedValue::default();
        indexed.replace([("a", 1.into())].into());
        for number in 0..100_i64 {
            indexed.set_at(&[&format!("k{}", number % 40)], number.into());
            indexed.set_at(&["deep", &format!("k{number}")], number.into());
        }
        indexed.set_at(&["deep"], [("b", 2.into())].into());
        indexed.set_at(&["deep", "c"], 3.into());
        indexed.set_at(&["a", "x"], 4.into());
        assert_eq!(indexed.value().get("a"), Some(&1.into()));
        assert_eq!(indexed.value().get("k7"), Some(&87.into()));
        assert_eq!(indexed.value().get("deep"), Some(&[("b", 2.into()), ("c", 3.into())].into()));
    }
}
