//! JSON as this crate needs it: borrowing, exact, bounded.
//!
//! A text is read once, into a [`Document`] with the position of each of its values; all other code
//! walks its
//! [`Element`]s.
//!
//! Strings stay slices of the input until their characters are requested ([`Str`]); numbers keep
//! their digits ([`Number`](Value::Number)), so an integer above 2^53 is never rounded; other
//! values stay verbatim ([`Raw`]). Lone surrogate escapes, which are legal JSON and do occur when a
//! producer cuts a UTF-16 string, are joined across pieces or replaced by U+FFFD. Depth is bounded;
//! a repeated key is visible to the caller.
//!
//! This module is independent of the protocols.

mod digits;
mod document;
mod element;
mod error;
pub(crate) mod float;
mod index;
pub(crate) mod number;
mod partial;
pub(crate) mod scan;
mod string;
mod value;
#[cfg(feature = "serde")]
mod value_serde;
mod write;

pub use digits::Digits;
pub use document::{DEEPEST, Document};
pub(crate) use document::{MemberError, Skip, Tape, read_any};
pub use element::{Element, Elements, Members};
pub use error::{Error, JsonErrorKind};
#[cfg(feature = "hub")]
pub(crate) use index::IndexedValue;
pub(crate) use index::MemberIndex;
pub use number::{add, is_integer, push_integer};
pub(crate) use number::{decimal, integer, is_number};
pub use partial::{Partial, close, partial};
pub(crate) use string::joined;
pub use string::{Str, SurrogateHalf, decode_into};
pub use value::{JsonText, Member, Raw, Value};
#[cfg(feature = "serde")]
pub(crate) use value_serde::serialize_json;
#[cfg(feature = "store")]
pub(crate) use write::write_characters;
pub use write::{ObjectWriter, write_string};
pub(crate) use write::{
    joined_parts, length_of, member_key, put_json, write_escaped, write_list, write_plain,
};

pub(crate) use crate::bytes::{between, put};
