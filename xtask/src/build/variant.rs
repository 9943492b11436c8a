//! The wasm modules that the package is made of. A further protocol is a further line.

/// One wasm module: what is compiled into it and how it is shrunk.
pub struct Variant {
    /// The stem of its files in `dist`.
    pub name: &'static str,
    /// The crate's features that it is compiled with; none are on by default.
    pub features: &'static str,
    /// The profile, each variant its own: cargo gives every module of the crate the same file name.
    pub profile: &'static str,
    /// How the compiler inlines, where it should not do it by itself.
    pub inlining: &'static [&'static str],
}

/// The modules: the toolkit, the reader of all protocols, and one reader for each.
macro_rules! variants {
    ($($protocol:literal)*) => {
        /// The protocols that have a reader of their own: the crate's registry, whose features have the same names.
        pub const PROTOCOLS: &[&str] = &[$($protocol),*];

        /// What is shipped.
        pub const VARIANTS: &[Variant] = &[
            Variant { name: "agentwire", features: "wasm", profile: "wasm", inlining: &SPARING },
            Variant {
                name: "reader",
                features: concat!("wasm-reader", $(",", $protocol),*),
                profile: "wasm-reader",
                inlining: &MODERATE,
            },
            $(Variant {
                name: $protocol,
                features: concat!("wasm-reader,", $protocol),
                profile: concat!("wasm-", $protocol),
                inlining: &MODERATE,
            },)*
            // What follows a run, with the reader of its events.
            Variant {
                name: "runs",
                features: "wasm-reader,ag-ui,runs",
                profile: "wasm-runs",
                inlining: &MODERATE,
            },
        ];
    };
}
variants! {
    "agent-api"
    "ag-kit"
    "ag-ui"
    "responses"
    "a2a"
}

/// What the declarations of the first one are generated from. It is never run, so nothing is optimised.
pub const DECLARATIONS: Variant =
    Variant { name: "declarations", features: "typescript", profile: "dev", inlining: &[] };

/// In the place of a call goes what is about as small as the call, and more of what is marked `#[inline]`, but less than
/// the compiler would put there by itself. That makes a module smaller and reading slower: the toolkit is to be small.
pub const SPARING: [&str; 2] = ["-Cllvm-args=--inline-threshold=5", "-Cllvm-args=--inlinehint-threshold=80"];
/// Somewhat less than the compiler would, and of what is marked `#[inline]`, which is most of the standard library, half as much
/// as it would: that is 3 % of a module, at a price that stays within what one measuring differs from the next. With 50 in the
/// place of 100 the core reads AG-UI 8 to 14 % slower. Of what is not marked, below 40, events that come one by one are read 5 %
/// slower (25) to 7 % (10), and the modules get 0.3 to 1 % smaller.
const MODERATE: [&str; 2] = ["-Cllvm-args=--inline-threshold=40", "-Cllvm-args=--inlinehint-threshold=100"];

/// The vectors of wasm, which every engine has had since 2021 to 2023 (Safari 16.4 was the last).
pub const VECTORS: &str = "-Ctarget-feature=+simd128";

/// What is left of the first MiB of the memory by data of up to 64 KiB: an address below 1 MiB is a byte shorter in the code. The stack
/// lies before the data and grows downwards, so that running out of it is a trap.
pub const STACK: &str = "-Clink-arg=-zstack-size=983040";

/// wasm-opt's trade between speed and size; that nothing is kept in the first KiB of the memory, where the stack, which
/// grows downwards, has its end; and that what stands by itself stays by itself, even if it is called in one place:
/// engines compile a function when it is first called, and the first chunk should not wait for what it does not need.
/// It goes on until nothing gets smaller. Functions of one Rust module stand together: they are alike, which a compressor sees.
pub const OPTIMISATION: [&str; 5] = [
    "-O3",
    "--low-memory-unused",
    "--one-caller-inline-max-function-size=200",
    "--converge",
    "--reorder-functions-by-name",
];

/// What wasm-opt may emit. Never `--all-features`: node runs the result and the edge runtime refuses it.
pub const WASM_FEATURES: [&str; 7] = [
    "--enable-simd",
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
    /// What it is imported as.
    pub fn import(&self) -> String {
        if self.name == VARIANTS[0].name { self.name.to_owned() } else { format!("agentwire/{}", self.name) }
    }

    /// The entries that bring it to a platform, as modules of `dist`.
    pub fn entry(&self, platform: &str) -> String {
        format!("entries/{}/{platform}.js", self.name)
    }

    /// The file names in `dist` that come from this build.
    pub fn files(&self) -> [String; 8] {
        ["js", "d.ts", "wasm", "wasm.d.ts", "inline.js", "inline.d.ts", "packed.js", "packed.d.ts"]
            .map(|end| format!("{}.{end}", self.name))
    }

    /// What its declarations are generated from, if that is another module: the types of whole objects take a
    /// generator with the standard library, which is not shipped.
    pub fn declared_by(&self) -> Option<&'static Variant> {
        (self.name == VARIANTS[0].name).then_some(&DECLARATIONS)
    }
}
