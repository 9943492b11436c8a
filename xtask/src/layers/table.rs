//! The layers of `src`, from the bottom up: what each is, and what it may know.

/// A folder below `src` whose modules may name the modules of the layers it lists, and each other.
pub struct Layer {
    /// Its folder; `*` is any one name, and the same one for all that is compared with it.
    pub folder: &'static str,
    /// The layers that it may name, by their folders.
    pub may_name: &'static [&'static str],
    /// Why it is where it is.
    pub is: &'static str,
}

/// What breaks the order today, and has a reason to. One that nothing needs any more is an error.
pub struct Exception {
    /// The module that names, with all that is in it.
    pub from: &'static str,
    /// What it names, with all that is in it.
    pub to: &'static str,
    #[expect(dead_code, reason = "for whoever reads the table")]
    pub because: &'static str,
}

impl Exception {
    pub fn covers(&self, from: &str, to: &str) -> bool {
        let is_in = |module: &str, folder: &str| {
            module.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        is_in(from, self.from) && is_in(to, self.to)
    }
}

pub const EXCEPTIONS: &[Exception] = &[];

pub const LAYERS: &[Layer] = &[
    Layer { folder: "bytes", may_name: &[], is: "Searching and comparing bytes: it knows no format." },
    Layer {
        folder: "host",
        may_name: &[],
        is: "What a JavaScript host has in the place of long tables: functions that keep and change nothing.",
    },
    Layer {
        folder: "json",
        may_name: &["bytes", "host"],
        is: "The JSON text format: it knows no protocol and no stream.",
    },
    Layer {
        folder: "sse",
        may_name: &["bytes"],
        is: "Framing: it knows where an event ends and not what it says.",
    },
    Layer {
        folder: "core",
        may_name: &["bytes", "host", "json", "sse"],
        is: "What all protocols share: it knows what a protocol is and none by name.",
    },
    Layer {
        folder: "hub",
        may_name: &["bytes", "json", "sse", "core"],
        is: "The steps that all protocols can say, and their order: it knows no protocol by name.",
    },
    Layer {
        folder: "protocols/*",
        may_name: &["bytes", "host", "json", "sse", "core"],
        is: "One protocol: it knows neither another one nor that conversion exists.",
    },
    Layer {
        folder: "protocols/*/hub",
        may_name: &["bytes", "json", "sse", "core", "hub", "protocols/*"],
        is: "A protocol's way to the steps and back: the only part of it that knows them.",
    },
    Layer {
        folder: "protocols",
        may_name: &["bytes", "json", "sse", "core", "hub", "protocols/*", "protocols/*/hub"],
        is: "The registry: the only list of the protocols.",
    },
    Layer {
        folder: "read",
        may_name: &["bytes", "json", "sse", "core", "protocols", "protocols/*"],
        is: "From bytes to an answer, of a protocol that is named or found out: it knows nothing of conversion.",
    },
    Layer {
        folder: "convert",
        may_name: &[
            "bytes",
            "json",
            "sse",
            "core",
            "hub",
            "protocols",
            "protocols/*",
            "protocols/*/hub",
            "read",
        ],
        is: "From the bytes of one protocol to those of another: it joins what reads with what writes.",
    },
    Layer {
        folder: "emit",
        may_name: &["json", "core", "hub", "protocols", "protocols/*", "convert"],
        is: "An agent's answer, written in whatever protocol: it drives what the conversions write with.",
    },
    Layer {
        folder: "adapters",
        may_name: &["core", "hub", "protocols", "protocols/*", "read", "convert", "emit"],
        is: "What other libraries call a stream, a request or a response: nothing in the crate may need them.",
    },
    Layer {
        folder: "wasm",
        may_name: &[
            "json",
            "sse",
            "core",
            "hub",
            "protocols",
            "protocols/*",
            "protocols/*/hub",
            "read",
            "convert",
        ],
        is: "The bindings for JavaScript: nothing in the crate may need them.",
    },
    Layer {
        folder: "cli",
        may_name: &[
            "json",
            "sse",
            "core",
            "hub",
            "protocols",
            "protocols/*",
            "protocols/*/hub",
            "read",
            "convert",
            "emit",
        ],
        is: "The command line: a program that uses the crate as any other does.",
    },
];
