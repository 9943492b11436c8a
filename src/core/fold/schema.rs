//! Tables of a growing answer's shape: what the numbers mean that a fold gives its sink.

use alloc::string::String;

use crate::json::{Object, put, write_list, write_string};

/// Declares a table of texts, and for each of them a constant that is its number.
macro_rules! table {
    ($(#[$meta:meta])* $names:ident: $wrap:ident { $($constant:ident = $text:literal,)+ }) => {
        $(#[$meta])*
        pub(crate) static $names: &[&str] = &[$($text),+];
        table!(@number $wrap, 0u8, $($constant)+);
    };
    (@number $wrap:ident, $n:expr, $constant:ident $($rest:ident)*) => {
        pub(crate) const $constant: $wrap = $wrap($n);
        table!(@number $wrap, $n + 1, $($rest)*);
    };
    (@number $wrap:ident, $n:expr,) => {};
}
pub(crate) use table;

/// The number of a word.
pub(crate) fn word(words: &[&str], text: &str) -> Option<u8> {
    words.iter().position(|word| *word == text).map(|at| at as u8)
}

/// The tables as one JSON text: `{"keys": [...], "words": [...], "templates": [...]}`, the templates as objects.
pub(crate) fn tables(keys: &[&str], words: &[&str], templates: &[&str]) -> String {
    let mut out = String::new();
    let mut object = Object::open(&mut out, false);
    write_list(keys, object.member("keys"), |text, out| write_string(text, out));
    write_list(words, object.member("words"), |text, out| write_string(text, out));
    write_list(templates, object.member("templates"), |json, out| put(out, json));
    object.close();
    out
}

/// The members that the interfaces of a TypeScript text declare.
#[cfg(all(test, feature = "typescript"))]
pub(crate) fn declared(typescript: &str) -> alloc::collections::BTreeSet<String> {
    let names = typescript
        .lines()
        .filter_map(|line| line.trim().strip_prefix("readonly ")?.split(':').next())
        .filter(|name| !name.starts_with('['));
    names.map(String::from).collect()
}

/// The members that objects start with.
#[cfg(all(test, feature = "typescript"))]
pub(crate) fn present(templates: &[&str]) -> alloc::collections::BTreeSet<String> {
    use crate::json::Value;
    let members = templates.iter().flat_map(|template| match Value::parse(template, 8) {
        Ok(Value::Object(members)) => members,
        _ => panic!("{template}"),
    });
    members.map(|member| member.key).collect()
}
