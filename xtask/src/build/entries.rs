//! The entry points: for each platform, the way in which it loads the wasm of a module. They are
//! written to `dist` beside the modules.

use std::path::Path;

use super::{package::write, variant::PROTOCOLS};
use crate::{checkout, failure::Outcome};

const PLATFORMS: [(&str, &str); 6] = [
    ("browser.js", BROWSER),
    ("edge-light.js", EDGE_LIGHT),
    ("node.js", NODE),
    ("slim.js", SLIM),
    ("slim.d.ts", SLIM_TYPES),
    ("workerd.js", WORKERD),
];

const BROWSER: &str = r#"// Pages: the first `init()` loads the wasm, which is a separate compressed chunk. The import itself has no side effects.

import { bind } from "../../{{module}}.js";
import { {{READS}} } from "../../{{from}}.js";
{{imports of connect}}import { inPage } from "../../core/load.js";
import { load } from "../../core/wasm.js";

export * from "../../{{index}}.js";

export const init = (source) => load(bind, {{reads}}, () => inPage(source, () => import("../../{{module}}.packed.js")));
{{connect}}"#;

/// Parts of [`BROWSER`] for entry points that have `connect`.
const CONNECT: [(&str, &str); 2] = [
    (
        "{{imports of connect}}",
        r#"import { preparedBy } from "../../connect/create_chat.js";
import { connect as connected } from "../../{{index}}.js";
"#,
    ),
    (
        "{{connect}}",
        r#"
/** Connects to an agent, as in Node. The first request calls `init()` and waits for it. */
export const connect = (...given) => preparedBy(init, connected(...given));
"#,
    ),
];

const NODE: &str = r#"// Node, Deno, Bun: ready at import. The wasm is inlined, so that no bundler and no file tracing can lose it.

import { bind } from "../../{{module}}.js";
import base64 from "../../{{module}}.inline.js";
import { {{READS}} } from "../../{{from}}.js";
import { bytesOf } from "../../core/load.js";
import { expectCheapCalls } from "../../core/text.js";
import { install } from "../../core/wasm.js";

export * from "../../{{index}}.js";

expectCheapCalls();
install(bind, {{reads}}, bytesOf(base64));
"#;

const SLIM: &str = r#"// Without wasm: for content security policies, service workers, and pages that stream the wasm from their own address.

import { bind } from "../../{{module}}.js";
import { {{READS}} } from "../../{{from}}.js";
import { given } from "../../core/load.js";
import { load } from "../../core/wasm.js";

export * from "../../{{index}}.js";

export function init(source) {
  return given("{{slim}}", source) ?? load(bind, {{reads}}, () => source);
}
"#;

const SLIM_TYPES: &str = r#"import { type WasmSource } from "../../core/wasm.js";
export * from "../../{{index}}.js";
/**
 * Prepares the module with the wasm of `agentwire/{{module}}.wasm`. Further calls return the result of the first one.
 *
 * @param source the compiled module, its bytes, or the response of a `fetch` (or a promise of one of these)
 */
export declare function init(source: WasmSource | PromiseLike<WasmSource>): Promise<void>;
"#;

const WORKERD: &str = r#"// Cloudflare-style workers: ready at import. They compile wasm only at deployment, as a separate module.

import { bind } from "../../{{module}}.js";
import module from "../../{{module}}.wasm";
import { {{READS}} } from "../../{{from}}.js";
import { install } from "../../core/wasm.js";

export * from "../../{{index}}.js";

install(bind, {{reads}}, module);
"#;

const EDGE_LIGHT: &str = r#"// The edge runtimes of Vercel and Next: ready at import. They compile wasm only if it is built into the function (`?module`).

import { bind } from "../../{{module}}.js";
import module from "../../{{module}}.wasm?module";
import { {{READS}} } from "../../{{from}}.js";
import { install } from "../../core/wasm.js";

export * from "../../{{index}}.js";

install(bind, {{reads}}, module);
"#;

/// An entry point.
struct Entry {
    name: &'static str,
    /// The module, which several entry points can share.
    module: &'static str,
    /// The file with the exports.
    index: String,
    /// The file with the protocols, and their name in it.
    reads: (String, String),
    has_connect: bool,
}

/// Lists the entry points: one for each protocol, and those of the runs client and of all
/// protocols.
fn entries() -> Vec<Entry> {
    let of = |name, module, index: &str, from: &str, reads: &str| Entry {
        name,
        module,
        index: index.into(),
        reads: (from.into(), reads.into()),
        has_connect: !index.ends_with("server"),
    };
    let protocol = |name: &&'static str| {
        let folder = name.replace('-', "_");
        let from = format!("{folder}/protocol");
        let entry =
            of(name, name, &format!("generated/{folder}/reading"), &from, &folder.to_uppercase());
        // The API of a model is not an agent.
        let connect = checkout::root().join("pkg/src").join(folder).join("connect.ts");
        Entry { has_connect: connect.exists(), ..entry }
    };
    let all = |name, module, index| of(name, module, index, "generated/registry/protocols", "ALL");
    PROTOCOLS
        .iter()
        .map(protocol)
        .chain([
            of("runs", "runs", "runs/reading", "ag_ui/protocol", "AG_UI"),
            all("reader", "reader", "reading"),
            all("agentwire", "agentwire", "index"),
            all("server", "agentwire", "server"),
            all("runs-server", "agentwire", "runs/server"),
        ])
        .collect()
}

/// Returns the files of the entry points with their content, as paths in `dist`.
fn files() -> impl Iterator<Item = (String, String)> {
    entries().into_iter().flat_map(|entry| {
        PLATFORMS.map(|(file, text)| (format!("entries/{}/{file}", entry.name), entry.filled(text)))
    })
}

impl Entry {
    fn filled(&self, text: &str) -> String {
        let Self { name, module, index, reads: (from, constant), has_connect } = self;
        let list = if constant == "ALL" { constant.clone() } else { format!("[{constant}]") };
        let slim = match *name {
            "agentwire" => "agentwire/slim".into(),
            name => format!("agentwire/{}/slim", name.replace("runs-server", "runs/server")),
        };
        CONNECT
            .iter()
            .fold(text.to_owned(), |text, (place, part)| {
                text.replace(place, if *has_connect { part } else { "" })
            })
            .replace("{{module}}", module)
            .replace("{{index}}", index)
            .replace("{{from}}", from)
            .replace("{{READS}}", constant)
            .replace("{{reads}}", &list)
            .replace("{{slim}}", &slim)
    }
}

/// Writes the entry points to a `dist` and returns their paths in it.
pub fn install(dist: &Path) -> Outcome<Vec<String>> {
    files()
        .map(|(path, content)| write(&dist.join(&path), content.as_bytes()).map(|()| path))
        .collect()
}
