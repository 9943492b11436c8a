//! The wasm modules of the package. A further protocol is a further line.

/// One wasm module: what is compiled into it and how the compiler inlines.
#[derive(Debug)]
pub struct Variant {
    /// The stem of its files.
    pub name: &'static str,
    /// The features of the crate. No default feature is on.
    pub features: &'static str,
    /// Distinguishes it from the other builds of the crate: the end of the name of its compiled
    /// file.
    pub id: &'static str,
    /// The compiler flags that bound inlining.
    pub inlining: [&'static str; 2],
}

/// Declares the modules: the toolkit, the reader of all protocols, and one reader for each.
macro_rules! variants {
    ($($protocol:literal)*) => {
        /// The protocols with a reader of their own: the crate's registry, whose features have the
        /// same names.
        pub const PROTOCOLS: &[&str] = &[$($protocol),*];

        /// The modules of the package.
        pub const VARIANTS: &[Variant] = &[
            Variant { name: "agentwire", features: "wasm", id: "agentwire", inlining: SPARING },
            Variant {
                name: "reader",
                features: concat!("wasm-reader,binary", $(",", $protocol),*),
                id: "reader",
                inlining: MODERATE,
            },
            $(Variant {
                name: $protocol,
                features: concat!("wasm-reader,", $protocol),
                id: $protocol,
                inlining: MODERATE,
            },)*
            // The client of the runs API, with the reader of its events.
            Variant {
                name: "runs",
                features: "wasm-reader,ag-ui,runs",
                id: "runs",
                inlining: MODERATE,
            },
        ];
    };
}
variants! {
    "agent-api"
    "agentscope"
    "ag-kit"
    "ag-ui"
    "responses"
    "a2a"
    "ai-sdk"
    "chat"
    "anthropic"
    "gemini"
    "interactions"
}

/// For the toolkit, where size counts more than speed.
pub const SPARING: [&str; 2] =
    ["-Cllvm-args=--inline-threshold=5", "-Cllvm-args=--inlinehint-threshold=80"];
/// For readers: 3 % smaller than the compiler's default at the same measured speed. With an
/// `inlinehint-threshold` of 50, AG-UI is read 8 to 14 % slower; with an `inline-threshold` of 25,
/// events that arrive one by one are read 5 % slower.
const MODERATE: [&str; 2] =
    ["-Cllvm-args=--inline-threshold=40", "-Cllvm-args=--inlinehint-threshold=100"];

/// The vector instructions of wasm, which every engine supports since 2021 to 2023 (Safari 16.4 was
/// the last).
pub const VECTORS: &str = "-Ctarget-feature=+simd128";

/// The stack lies before the data and grows downwards, so that a stack overflow is a trap. Stack
/// and data end below 1 MiB, where addresses are a byte shorter.
pub const STACK: &str = "-Clink-arg=-zstack-size=983040";

/// The options of wasm-opt. Nothing lies in the first KiB of the memory, where the stack ends. A
/// function that is called in one place stays separate: engines compile a function when it is first
/// called.
pub const OPTIMISATION: [&str; 3] =
    ["-O3", "--low-memory-unused", "--one-caller-inline-max-function-size=200"];

/// Further options of a release: repeat until nothing gets smaller, and keep similar functions
/// together for the compressor.
pub const RELEASE_OPTIMISATION: [&str; 2] = ["--converge", "--reorder-functions-by-name"];

/// The features that wasm-opt may use. Never `--all-features`: node runs the result and the edge
/// runtime refuses it.
pub const WASM_FEATURES: [&str; 7] = [
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// Removes the sections that only tools read.
pub const STRIP: [&str; 3] = ["--strip-debug", "--strip-producers", "--strip-target-features"];

impl Variant {
    /// Whether this is the module with everything in it.
    pub fn is_toolkit(&self) -> bool {
        self.features.split(',').any(|feature| feature == "wasm")
    }

    /// The name of the module that a test build installs as this one. Four modules are compiled
    /// instead of fourteen: the reader of all protocols has the bindings of a reader of one.
    pub fn in_tests(&self) -> &str {
        match self.name {
            name @ ("agentwire" | "reader" | "ag-ui" | "runs") => name,
            _ => "reader",
        }
    }
}

/// The bindings of the module with this name, files in `build`.
pub fn bindings(name: &str) -> [String; 2] {
    ["js", "d.ts"].map(|end| format!("{name}.{end}"))
}

/// The WebAssembly of the module with this name, files in `dist/wasm`: the module, its text, and
/// what `#wasm/…` is on each platform.
pub fn wasm_files(name: &str) -> [String; 6] {
    ["wasm", "packed.js", "node.js", "workerd.js", "edge-light.js", "page.js"]
        .map(|end| format!("{name}.{end}"))
}
