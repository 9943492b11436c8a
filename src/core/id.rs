//! Ids and their storage. The caller supplies new ids and the time.

use alloc::string::String;
use core::fmt;
use core::ops::Deref;

use crate::json::decimal;

/// Creates the ids of a builder's objects.
///
/// A builder requests every id from this trait, so that tests are repeatable and an edge worker can use its own
/// numbering.
pub trait IdSource: Send {
    /// Returns a new id that starts with `prefix` (`"msg_"`, `"response_"`).
    fn next_id(&mut self, prefix: &str) -> String;
}

// Not a supertrait: a caller's source of ids needs no text.
impl fmt::Debug for dyn IdSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("IdSource")
    }
}

/// Numbered ids (`msg_1`, `msg_2`, …): deterministic, unique within one run only.
#[derive(Clone, Debug, Default)]
pub struct Counter(u64);

impl IdSource for Counter {
    fn next_id(&mut self, prefix: &str) -> String {
        self.0 += 1;
        [prefix, &decimal(self.0 as i64)].concat()
    }
}

/// Random version 4 UUIDs, the ids of the real servers.
#[cfg(feature = "uuid")]
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomIds;

#[cfg(feature = "uuid")]
impl IdSource for RandomIds {
    fn next_id(&mut self, prefix: &str) -> String {
        alloc::format!("{prefix}{}", uuid::Uuid::new_v4())
    }
}

#[cfg(target_has_atomic = "ptr")]
type IdText = alloc::sync::Arc<str>;
#[cfg(not(target_has_atomic = "ptr"))]
type IdText = alloc::boxed::Box<str>;

/// An id that many objects refer to. Its text is stored once, and clones share it; on processors without compare-and-swap
/// clones copy it.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(IdText);

impl Id {
    /// Returns the id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Deref for Id {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Id {
    fn from(text: &str) -> Self {
        Id(text.into())
    }
}

impl From<String> for Id {
    fn from(text: String) -> Self {
        Id(text.into())
    }
}

impl From<Id> for String {
    fn from(id: Id) -> Self {
        id.as_str().into()
    }
}

impl PartialEq<str> for Id {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Id {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl PartialEq<String> for Id {
    fn eq(&self, other: &String) -> bool {
        self.as_str() == other
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Id {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Id {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Id::from)
    }
}

/// Seconds since 1970, requested at each response that a builder starts or ends.
pub type Clock = fn() -> i64;

/// Returns the time of the system in seconds since 1970. Bare WebAssembly does not have a clock.
#[cfg(all(feature = "std", not(all(target_family = "wasm", target_os = "unknown"))))]
pub fn system_clock() -> i64 {
    use std::time::{SystemTime, UNIX_EPOCH};
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64)
}
