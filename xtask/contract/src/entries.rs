//! The entry points of a module: the way in which each platform loads the wasm.

const BROWSER: &str = r#"
// Pages: the first `init()` loads the wasm, which is a separate compressed chunk. The import itself has no side effects.

import { bind } from "../../{{module}}.js";
import { {{READS}} } from "../../{{from}}.js";
{{imports of connect}}import { type init as declared, load } from "../../wasm.js";
import { inPage } from "../page.js";

export * from "../../{{index}}.js";

export const init: typeof declared = (source) => load(bind, {{reads}}, () => inPage(source, () => import("../../{{module}}.packed.js")));
{{connect}}"#;

/// Parts of [`BROWSER`] for entry points that have `connect`.
const CONNECT: [(&str, &str); 2] = [
    (
        "{{imports of connect}}",
        r#"import { preparedBy } from "../../connect/connection.js";
import { connect as connected } from "../../{{index}}.js";
"#,
    ),
    (
        "{{connect}}",
        r#"
/** Connects to an agent, as in Node. The first request calls `init()` and waits for it. */
export const connect: typeof connected = (...given) => preparedBy(init, connected(...given));
"#,
    ),
];

const NODE: &str = r#"
// Node, Deno, Bun: ready at import. The wasm is inlined, so that no bundler and no file tracing can lose it.

import { bind } from "../../{{module}}.js";
import base64 from "../../{{module}}.inline.js";
import { {{READS}} } from "../../{{from}}.js";
import { expectCheapCalls } from "../../text.js";
import { install } from "../../wasm.js";
import { bytesOf } from "../base64.js";

export * from "../../{{index}}.js";

expectCheapCalls();
install(bind, {{reads}}, bytesOf(base64));
"#;

const SLIM: &str = r#"
// Without wasm: for content security policies, service workers, and pages that stream the wasm from their own address.

import { bind } from "../../{{module}}.js";
import { {{READS}} } from "../../{{from}}.js";
import { type WasmSource, load } from "../../wasm.js";
import { given } from "../given.js";

export * from "../../{{index}}.js";

/**
 * Prepares the module with the wasm of `agentwire/{{module}}.wasm`. Further calls return the result of the first one.
 *
 * @param source the compiled module, its bytes, or the response of a `fetch` (or a promise of one of these)
 */
export function init(source: WasmSource | PromiseLike<WasmSource>): Promise<void> {
  return given("{{entry}}", source) ?? load(bind, {{reads}}, () => source);
}
"#;

const WORKERD: &str = r#"
// Cloudflare-style workers: ready at import. They compile wasm only at deployment, as a separate module.

import { bind } from "../../{{module}}.js";
import module from "../../{{module}}.wasm";
import { {{READS}} } from "../../{{from}}.js";
import { install } from "../../wasm.js";

export * from "../../{{index}}.js";

install(bind, {{reads}}, module);
"#;

const EDGE_LIGHT: &str = r#"
// The edge runtimes of Vercel and Next: ready at import. They compile wasm only if it is built into the function (`?module`).

import { bind } from "../../{{module}}.js";
import module from "../../{{module}}.wasm?module";
import { {{READS}} } from "../../{{from}}.js";
import { install } from "../../wasm.js";

export * from "../../{{index}}.js";

install(bind, {{reads}}, module);
"#;

/// Prints the entries of an entry point, which may share its module with another one.
pub fn print(entry: &str, module: &str, index: &str, reads: &str, file: impl Fn(&str, &str)) {
    let path = entry.replace("runs-server", "runs/server");
    let slim = if entry == "agentwire" { "agentwire/slim".into() } else { format!("agentwire/{path}/slim") };
    let (from, list) = match index.strip_suffix("/reading") {
        Some(folder) => (format!("{folder}/protocol"), format!("[{reads}]")),
        None => ("protocols".into(), reads.to_owned()),
    };
    let platforms = [
        ("browser", BROWSER),
        ("edge-light", EDGE_LIGHT),
        ("node", NODE),
        ("slim", SLIM),
        ("workerd", WORKERD),
    ];
    let is_server = index.ends_with("server");
    for (name, text) in platforms {
        let text = CONNECT.iter().fold(text.to_owned(), |text, (place, part)| {
            text.replace(place, if is_server { "" } else { part })
        });
        let text = text
            .replace("{{module}}", module)
            .replace("{{index}}", index)
            .replace("{{from}}", &from)
            .replace("{{READS}}", reads)
            .replace("{{reads}}", &list)
            .replace("{{entry}}", &slim);
        file(&format!("entries/{entry}/{name}.ts"), text.trim());
    }
}
