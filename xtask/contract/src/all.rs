//! The declarations that all protocols share, and the lists of protocols.

use std::fmt::Write;

use agentwire::Limits;
use agentwire::internals::patch::{CONTRACT, DIGITS, LONG, Op, WIDE};
use agentwire::read::ReadOptions;

use super::Protocol;
use super::text::{doc, option_members, option_rows};

/// Returns numbers, options and limits.
pub fn generated(protocols: &[Protocol]) -> String {
    let mut out = String::new();
    numbers(&mut out);
    let names: Vec<String> =
        protocols.iter().map(|protocol| format!("\"{}\"", protocol.name)).collect();
    let _ = writeln!(
        out,
        "/** The protocols that can be read, in the order in which the core numbers them. */"
    );
    let _ = writeln!(out, "export const PROTOCOLS = [{}] as const;\n", names.join(", "));
    let written: Vec<String> = protocols
        .iter()
        .filter(|protocol| protocol.is_written())
        .map(|protocol| format!("\"{}\"", protocol.name))
        .collect();
    let _ = writeln!(out, "/** Those of them that can be written. The others are only read. */");
    let _ = writeln!(out, "export const WRITABLE = [{}] as const;\n", written.join(", "));
    let _ = writeln!(out, "/** A protocol that can be written. */");
    let _ = writeln!(out, "export type WritableProtocol = (typeof WRITABLE)[number];\n");
    let titles: Vec<String> = protocols
        .iter()
        .map(|protocol| format!("{:?}: {:?}", protocol.name, protocol.kind.title()))
        .collect();
    let _ = writeln!(out, "/** The display names of the protocols. */");
    let _ = writeln!(out, "export const PROTOCOL_TITLES = {{ {} }} as const;\n", titles.join(", "));
    let _ = writeln!(
        out,
        "/** The protocol that is read where none is named: the first event of the stream determines it. */"
    );
    let _ = writeln!(out, "export type DefaultProtocol = \"auto\";\n");
    let _ = writeln!(
        out,
        "/** The protocol that is read if no event determines it, that agents write, and that protocols of your own are read as. */"
    );
    let _ = writeln!(out, "export type FirstProtocol = {};\n", names[0]);
    let _ = writeln!(
        out,
        "/** The options of all protocols, with their positions in the core's list of options. */"
    );
    let _ =
        writeln!(out, "export const OPTIONS = {} as const;\n", option_rows(ReadOptions::ALL, 0));
    let _ = writeln!(out, "/** The options of all protocols. */");
    let _ = writeln!(
        out,
        "export interface CommonOptions {{\n{}}}\n",
        option_members(ReadOptions::ALL)
    );
    limits(&mut out);
    out
}

/// Writes the numbers of patches. They are first in the file: bundlers inline only constants that
/// have no other statement before them.
fn numbers(out: &mut String) {
    let _ = writeln!(
        out,
        "/** Identifies the build in the header of the exchange. Wasm of another build has another value. */"
    );
    let _ = writeln!(out, "export const CONTRACT = {CONTRACT};\n");
    let _ = writeln!(out, "// The numbers of the operations of a patch.");
    for (number, name) in Op::NAMES.iter().enumerate() {
        let _ = writeln!(out, "export const {name} = {number};");
    }
    let _ =
        writeln!(out, "\n/** Marks the length of a long string. */\nexport const LONG = {LONG};");
    let _ = writeln!(
        out,
        "/** Marks the length of a text in units of UTF-16. */\nexport const WIDE = {WIDE};"
    );
    let _ = writeln!(
        out,
        "/** Marks an op whose JSON has 16 digits in a row. */\nexport const DIGITS = {DIGITS};\n"
    );
}

fn limits(out: &mut String) {
    let names: Vec<String> =
        Limits::ALL.iter().map(|limit| format!("  \"{}\",\n", limit.name)).collect();
    let _ =
        writeln!(out, "/** The limits, in their order after the options in the core's list. */");
    let _ = writeln!(out, "export const LIMITS = [\n{}] as const;\n", names.concat());
    let bounded = Limits::ALL.iter().filter(|limit| limit.most < u32::MAX);
    let most: Vec<String> =
        bounded.map(|limit| format!("{}: {}", limit.name, limit.most)).collect();
    let _ = writeln!(out, "/** The maximum values of the limits that have one. */");
    let _ = writeln!(out, "export const MOST: Partial<Limits> = {{ {} }};\n", most.join(", "));
    *out += &doc(
        &[
            " The limits on the memory and the work that a stream can cause: integers below 2^32. Real servers reach none of the",
            " defaults. Values beyond a limit are dropped and reported as a violation, and reading continues.",
        ],
        "",
    );
    let _ = writeln!(out, "export interface Limits {{");
    for limit in Limits::ALL {
        let most = if limit.most == u32::MAX {
            String::new()
        } else {
            format!(", {} at most", limit.most)
        };
        let default = format!(" {} by default{most}.", size(limit.default));
        *out += &doc(&[&format!("{}{}", limit.doc.join(""), default)], "  ");
        let _ = writeln!(out, "  readonly {}: number;", limit.name);
    }
    let _ = writeln!(out, "}}");
}

/// Formats a size for people.
fn size(number: u32) -> String {
    match number {
        _ if number.is_multiple_of(1 << 20) => format!("{} MiB", number >> 20),
        _ if number.is_multiple_of(1 << 10) && number >= 1 << 13 => format!("{} KiB", number >> 10),
        _ => number.to_string(),
    }
}

/// Returns the list of the protocols, and their properties by position.
pub fn protocols(protocols: &[Protocol]) -> String {
    let mut out = String::new();
    for protocol in protocols {
        let Protocol { folder, constant, .. } = protocol;
        let camel = protocol.camel();
        let _ = writeln!(
            out,
            "import {{ {constant}, callsOf as {camel}Calls }} from \"../../{folder}/protocol.js\";"
        );
    }
    let _ = writeln!(out, "\n/** All protocols. */");
    let all = each(protocols, |protocol| protocol.constant.clone());
    let _ = writeln!(out, "export const ALL = [{all}] as const;\n");
    let _ = writeln!(
        out,
        "/** The functions that find the tool calls of a snapshot. Each returns undefined for the snapshots of other protocols. */"
    );
    let calls = each(protocols, |protocol| format!("{}Calls", protocol.camel()));
    let _ = writeln!(out, "export const CALLS = [{calls}] as const;");
    out
}

/// Returns the types of each protocol, by its name.
pub fn protocol_types(protocols: &[Protocol]) -> String {
    let mut out = String::new();
    for Protocol { folder, pascal, .. } in protocols {
        let _ = writeln!(out, "import type {{ {pascal}Options }} from \"../{folder}/tables.js\";");
        let _ = writeln!(out, "import type {{ {pascal}Types }} from \"../{folder}/types.js\";");
    }
    out.push('\n');
    let mut interface = |doc: &str, name: &str, member: fn(&Protocol) -> String| {
        out += &by_name(protocols, doc, name, member);
    };
    interface(
        "The types of the snapshot and of its tool calls in each protocol.",
        "Snapshots",
        |protocol| format!("Pick<{}Types, \"answer\" | \"toolCall\">", protocol.pascal),
    );
    interface("The events of each protocol.", "Events", |protocol| {
        format!("{}Types[\"event\"]", protocol.pascal)
    });
    interface("The requests of each protocol.", "RequestInputs", |protocol| {
        format!("{}Types[\"request\"]", protocol.pascal)
    });
    interface("The options that only one protocol has, by protocol.", "OptionsOf", |protocol| {
        format!("{}Options", protocol.pascal)
    });
    let _ = writeln!(out, "/** The options that only some protocols have. */");
    let _ = writeln!(
        out,
        "export interface AllOptions extends {} {{}}",
        each(protocols, |protocol| format!("{}Options", protocol.pascal))
    );
    out
}

fn each(protocols: &[Protocol], pick: fn(&Protocol) -> String) -> String {
    protocols.iter().map(pick).collect::<Vec<_>>().join(", ")
}

/// Returns an interface with a member for each protocol.
fn by_name<'p>(
    protocols: impl IntoIterator<Item = &'p Protocol>,
    doc: &str,
    name: &str,
    member: fn(&Protocol) -> String,
) -> String {
    let members: String = protocols
        .into_iter()
        .map(|protocol| format!("  readonly \"{}\": {};\n", protocol.name, member(protocol)))
        .collect();
    format!("/** {doc} */\nexport interface {name} {{\n{members}}}\n\n")
}

/// Returns the `connect` of each protocol, by its name.
pub fn dialects(protocols: &[&Protocol]) -> String {
    let mut out = String::new();
    for Protocol { folder, pascal, constant, .. } in protocols {
        let names = format!("{constant}_DIALECT, type {pascal}ConnectOptions");
        let _ = writeln!(out, "import {{ {names} }} from \"../../{folder}/connect.js\";");
    }
    out.push('\n');
    out += &by_name(
        protocols.iter().copied(),
        "The options of `connect` in each protocol.",
        "DialectOptions",
        |protocol| format!("{}ConnectOptions", protocol.pascal),
    );
    let _ = writeln!(out, "/** The dialect of each protocol. */\nexport const DIALECTS = {{");
    for protocol in protocols {
        let _ = writeln!(out, "  \"{}\": {}_DIALECT,", protocol.name, protocol.constant);
    }
    let _ = writeln!(out, "}} as const;");
    out
}

/// Returns the adapter of each protocol, by its name.
pub fn adapters(protocols: &[&Protocol]) -> String {
    let mut out = String::new();
    for protocol in protocols {
        let (folder, camel) = (&protocol.folder, protocol.camel());
        let _ = writeln!(out, "import {{ {camel}Adapter }} from \"../../{folder}/adapter.js\";");
    }
    let _ = writeln!(out, "\n/** The adapter of each protocol. */\nexport const ADAPTERS = {{");
    for protocol in protocols {
        let _ = writeln!(out, "  \"{}\": {}Adapter,", protocol.name, protocol.camel());
    }
    let _ = writeln!(out, "}} as const;");
    out
}

/// Returns the functions of each protocol for requests, by its name.
pub fn requests(protocols: &[Protocol]) -> String {
    let mut out = String::from(
        "import { AgentwireError } from \"../../core/errors.js\";\nimport { PROTOCOLS } from \"../contract.js\";\n",
    );
    for protocol in protocols {
        let (folder, camel) = (&protocol.folder, protocol.camel());
        let _ =
            writeln!(out, "import {{ REQUESTS as {camel} }} from \"../../{folder}/request.js\";");
    }
    let _ = writeln!(out, "import type {{ RequestInputs }} from \"./types.js\";");
    let _ = writeln!(out, "import type {{ RequestTools }} from \"../../convert/request.js\";");
    let _ = writeln!(
        out,
        "\nconst REQUESTS: {{ readonly [P in keyof RequestInputs]: RequestTools<RequestInputs[P]> }} = {{"
    );
    for protocol in protocols {
        let _ = writeln!(out, "  \"{}\": {},", protocol.name, protocol.camel());
    }
    out += "};\n
/** Returns the functions of a protocol for its requests. Throws an `AgentwireError` with code `unknown-protocol`. */
export function toolsOf<P extends keyof RequestInputs>(protocol: P): RequestTools<RequestInputs[P]> {
  if (!PROTOCOLS.includes(protocol)) {
    throw new AgentwireError(\"unknown-protocol\", `the protocol is one of ${PROTOCOLS.join(\", \")}, not ${protocol}`);
  }
  return REQUESTS[protocol];
}
";
    out
}

/// Returns the exports for servers of each protocol: its adapter, and what else its `index.ts` has.
pub fn tools(protocols: &[&Protocol]) -> String {
    let mut out = String::new();
    for protocol in protocols {
        let (folder, camel) = (&protocol.folder, protocol.camel());
        let _ = writeln!(out, "export {{ {camel}Adapter }} from \"../../{folder}/adapter.js\";");
        if protocol.has("index") {
            let _ = writeln!(out, "export * from \"../../{folder}/index.js\";");
        }
    }
    out
}
