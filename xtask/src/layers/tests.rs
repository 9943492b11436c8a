use super::*;

/// Judges a crate of these files by the layers of this project.
fn judged(files: &[(&str, &str)]) -> Vec<String> {
    let file = |(path, text): &(&str, &str)| File { path: (*path).to_owned(), text: (*text).to_owned() };
    let files: Vec<File> = files.iter().map(file).collect();
    judge(&House::new(&files), LAYERS, &[])
}

#[test]
fn down_is_allowed() {
    let files = [
        ("bytes/mod.rs", ""),
        ("json/mod.rs", "use crate::bytes;"),
        ("core/mod.rs", "use crate::json::Str;"),
        ("hub/mod.rs", "use crate::core;"),
        ("protocols/mod.rs", "pub mod a; use self::a::A; use crate::protocols::a::hub::ToHub;"),
        ("protocols/a/mod.rs", "use crate::core::Fold; mod hub;"),
        ("protocols/a/hub/mod.rs", "use crate::hub::Step; use super::Event;"),
        ("cli/main.rs", "mod input; use agentwire::protocols; use crate::input::x;"),
        ("cli/input.rs", ""),
    ];
    assert_eq!(judged(&files), [""; 0]);
}

#[test]
fn up_is_not() {
    let files = [
        ("json/mod.rs", "\nuse crate::core::limits;"),
        ("core/mod.rs", "pub mod limits;"),
        ("core/limits.rs", "fn f() { crate::wasm::g() }"),
        ("wasm/mod.rs", ""),
    ];
    assert_eq!(
        judged(&files),
        [
            "json/mod.rs:2 may not name `core/limits`. The JSON text format: it knows no protocol and no stream.",
            "core/limits.rs:1 may not name `wasm`. What all protocols share: it knows what a protocol is \
             and none by name.",
        ]
    );
}

#[test]
fn a_protocol_names_no_other_and_only_its_spoke_names_the_hub() {
    let files = [
        ("hub/mod.rs", ""),
        ("protocols/mod.rs", ""),
        ("protocols/a/mod.rs", "use super::b::B;\nuse crate::hub::Step;"),
        ("protocols/a/hub.rs", "use super::super::b::hub;\nuse crate::hub::Step;"),
        ("protocols/b/mod.rs", "use super::super::protocols;"),
        ("protocols/b/hub.rs", ""),
    ];
    let complaints = judged(&files);
    let places: Vec<&str> = complaints.iter().filter_map(|line| line.split(". ").next()).collect();
    assert_eq!(
        places,
        [
            "protocols/a/mod.rs:1 may not name `protocols/b`",
            "protocols/a/mod.rs:2 may not name `hub`",
            "protocols/a/hub.rs:1 may not name `protocols/b/hub`",
            "protocols/b/mod.rs:1 may not name `protocols`",
        ]
    );
}

#[test]
fn what_the_root_gives_out_is_where_it_comes_from() {
    let files = [
        ("lib.rs", "pub use crate::core::limits::Limits;\npub use read::{Reader};"),
        ("core/mod.rs", ""),
        ("core/limits.rs", ""),
        ("read/mod.rs", ""),
        ("json/mod.rs", "use crate::Limits;\nfn f(r: crate::Reader) {}"),
    ];
    assert_eq!(judged(&files).len(), 2);
}

#[test]
fn a_folder_needs_a_layer() {
    assert_eq!(
        judged(&[("shelf/mod.rs", "")]),
        ["shelf/mod.rs: no layer has this folder: give it a row in the table"]
    );
}

#[test]
fn an_exception_holds_as_long_as_it_is_needed() {
    let exceptions = [
        Exception { from: "json", to: "core", because: "" },
        Exception { from: "sse", to: "core", because: "" },
    ];
    let files = [("json/mod.rs", "use crate::core::x;"), ("core/mod.rs", ""), ("sse/mod.rs", "")];
    let file = |(path, text): (&str, &str)| File { path: path.to_owned(), text: text.to_owned() };
    let files: Vec<File> = files.into_iter().map(file).collect();
    assert_eq!(
        judge(&House::new(&files), LAYERS, &exceptions),
        ["sse no longer names core: take the exception from the table"]
    );
}

#[test]
fn neighbours_make_no_circle() {
    let files = [
        ("core/mod.rs", "pub use one::One;"),
        ("core/one.rs", "use super::two::inner;"),
        ("core/two/mod.rs", "use crate::core::three;"),
        ("core/two/inner.rs", "use super::other;"),
        ("core/two/other.rs", "use super::inner;"),
        ("core/three.rs", "use crate::core::one;"),
        ("core/four.rs", "use crate::core::one;"),
    ];
    assert_eq!(
        judged(&files),
        [
            "core/one.rs:1: `core::one` names `core::two`, which leads back to it",
            "core/three.rs:1: `core::three` names `core::one`, which leads back to it",
            "core/two/mod.rs:1: `core::two` names `core::three`, which leads back to it",
        ]
    );
}

#[test]
fn tests_may_name_anything() {
    assert_eq!(
        judged(&[("wasm/mod.rs", ""), ("json/mod.rs", "#[cfg(test)]\nmod tests { use crate::wasm; }")]),
        [""; 0]
    );
}
