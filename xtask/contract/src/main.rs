//! Prints what JavaScript has to know of the crate, from the crate's own declarations: each file of `pkg/src` that is
//! generated, after a line with its path.

mod all;
mod entries;
mod events;
mod protocol;
mod rule_texts;
mod schemas;
mod text;

use agentwire::ProtocolKind;

fn main() {
    let protocols: Vec<Protocol> = ProtocolKind::READABLE
        .iter()
        .enumerate()
        .map(|(number, kind)| Protocol::new(number, *kind))
        .collect();
    file("generated.ts", &all::generated(&protocols));
    file("protocols.ts", &all::protocols(&protocols));
    file("protocol_types.ts", &all::protocol_types(&protocols));
    file("protocol_tools.ts", &all::names(&protocols, "index"));
    file("protocol_adapters.ts", &all::adapters(&protocols));
    file("protocol_requests.ts", &all::requests(&protocols));
    file("rule_texts.ts", &rule_texts::print());
    for protocol in &protocols {
        file(&format!("{}/tables.ts", protocol.folder), &protocol::tables(protocol));
        file(&format!("{}/events.ts", protocol.folder), &events::print(protocol));
        file(&format!("{}/reading.ts", protocol.folder), &protocol::reading(protocol));
        entries::print(
            protocol.name,
            protocol.name,
            &format!("{}/reading", protocol.folder),
            &protocol.constant,
            file,
        );
    }
    entries::print("runs", "runs", "runs/reading", "AG_UI", file);
    for protocol in &protocols {
        println!("=== /tests/schemas/{}.answer.json\n{}", protocol.name, schemas::answer(protocol));
        println!("=== /tests/schemas/{}.event.json\n{}", protocol.name, schemas::event(protocol));
    }
    entries::print("reader", "reader", "reading", "ALL", file);
    entries::print("agentwire", "agentwire", "index", "ALL", file);
    entries::print("server", "agentwire", "server", "ALL", file);
    entries::print("runs-server", "agentwire", "runs/server", "ALL", file);
}

const MADE: &str = "Made by `cargo xtask build` from the declarations in Rust; changed there, never here.";

fn file(path: &str, content: &str) {
    println!("=== {path}");
    println!("// {MADE}\n");
    println!("{}", content.trim_end());
}

/// A protocol that can be read, and what it is called in TypeScript.
struct Protocol {
    number: usize,
    kind: ProtocolKind,
    /// `ag-kit`
    name: &'static str,
    /// `ag_kit`
    folder: String,
    /// `AgKit`
    pascal: String,
    /// `AG_KIT`
    constant: String,
}

impl Protocol {
    fn new(number: usize, kind: ProtocolKind) -> Self {
        let name = kind.as_str();
        let folder = name.replace('-', "_");
        let humps = name.split('-').map(|word| word[..1].to_uppercase() + &word[1..]);
        Protocol { number, kind, name, pascal: humps.collect(), constant: folder.to_uppercase(), folder }
    }
    /// `agKit`
    fn camel(&self) -> String {
        self.pascal[..1].to_lowercase() + &self.pascal[1..]
    }
}
