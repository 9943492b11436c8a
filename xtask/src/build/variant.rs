//! The wasm modules that the package is made of. A further one is a further row.

/// One wasm module: what is compiled into it and how it is shrunk.
pub struct Variant {
    /// The stem of its files in `dist`.
    pub name: &'static str,
    /// The crate's features that it is compiled with; none are on by default.
    pub features: &'static [&'static str],
    /// wasm-opt's trade between speed and size.
    pub optimisation: &'static str,
}

pub const VARIANTS: &[Variant] = &[Variant { name: "agentwire", features: &["wasm"], optimisation: "-O3" }];

/// What wasm-opt may emit. Never `--all-features`: node runs the result and the edge runtime refuses it.
pub const WASM_FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// Sections that only tools read; the bindings generator was the last of them.
pub const STRIP: [&str; 3] = ["--strip-debug", "--strip-producers", "--strip-target-features"];

impl Variant {
    /// The file names in `dist` that come from this build.
    pub fn files(&self) -> [String; 6] {
        ["js", "d.ts", "wasm", "wasm.d.ts", "inline.js", "inline.d.ts"]
            .map(|end| format!("{}.{end}", self.name))
    }
}
