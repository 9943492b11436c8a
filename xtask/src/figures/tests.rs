use super::*;

/// A made tree: one protocol with all parts, and files around it.
const FILES: &[(&str, &str)] = &[
    ("src/lib.rs", "pub mod protocols;\n"),
    ("src/protocols/mod.rs", "pub mod ag_kit;\n"),
    ("src/protocols/ag_kit/mod.rs", "//! AG-Kit.\n\nmod fold;\n#[cfg(test)]\nmod cases;\n"),
    ("src/protocols/ag_kit/cases.rs", "fn a() {}\n"),
    ("src/protocols/ag_kit/fold/text.rs", "fn b() {}\n#[cfg(test)]\nmod tests {\n    fn c() {}\n}\n"),
    ("src/protocols/ag_kit/hub/to_hub.rs", "fn d() {}\nfn e() {}\n"),
    ("src/protocols/ag_kit/request/mod.rs", "fn f() {}\n"),
    ("src/protocols/ag_kit/builder.rs", "// G.\nfn g() {}\n"),
    ("src/protocols/ag_kit/rules.rs", "fn h() {}\n"),
    ("src/wasm/ag_kit/mod.rs", "fn i() {}\n"),
    ("src/json.rs", "fn video() {}\n"),
    ("pkg/src/entries/ag-kit.ts", "export * from \"../ag_kit/a.js\";\n"),
    ("pkg/src/ag_kit/a.ts", "/** A. */\nexport const a = \"video\";\n"),
    ("pkg/src/read.ts", "const AgKit = 1;\n"),
    ("pkg/dist/read.js", "const AgKit = 1;\n"),
    ("tests/corpus/a.md", "AG-Kit\n"),
    ("tests/suite/main.rs", "fn j() { ag_kit() }\n"),
    ("docs/protocols.md", "AG-Kit and video\n"),
    ("target/debug/x.rs", "ag_kit\n"),
];

#[test]
fn a_made_tree_is_counted() {
    let root = std::env::temp_dir().join(format!("agentwire-count-{}", std::process::id()));
    for (path, text) in FILES {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let report = report(&root);
    std::fs::remove_dir_all(&root).unwrap();
    let told = report.unwrap().join("\n");
    let lines: Vec<String> =
        told.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for expected in [
        "ag-kit, all of its Rust 6 10 7",
        "spoke to the hub 1 2 2",
        "requests 1 1 1",
        "builder 1 2 1",
        "rules, lifecycle 1 1 1",
        "model, events, fold 2 4 2",
        "beside it: bindings 1 1 1",
        "beside it: TypeScript 2 3 2",
        "ag-kit, files of its own left out 4 1 1 1 1",
        "the content type video 3 1 1 0 1",
        "src/protocols/ag_kit/fold/text.rs 5",
        "src 11 14 11 7",
        "pkg/src 3 4 3 0",
        "tests 1 0 0 1",
    ] {
        assert!(lines.iter().any(|line| line == expected), "{expected} in\n{told}");
    }
}

/// What a protocol of three events may cost. When it costs more, what it repeats belongs in the core or in the hub.
#[test]
fn the_toy_is_small() {
    let tree = Tree::read(&checkout::root()).unwrap();
    let lines = protocol::code(&tree, "toy");
    assert!((50..=150).contains(&lines), "{lines} lines");
}
