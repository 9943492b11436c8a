//! Tests every line of `docs/reference/losses.md`, which lists the losses of conversions for
//! everything that a source can contain. `BLESS=1 cargo test --test integration losses` writes the
//! page.

mod ag_kit;
mod agent_api;
mod kinds;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use agentwire::ProtocolKind::{self, AgKit, AgentApi};
use agentwire::ag_kit::events::Event;
use agentwire::agent_api::events::{ContentEvent, MessageEvent, ResponseEvent};
use agentwire::agent_api::{ContentType, MessageType, Role, RunStatus};

use self::ag_kit::AG_KIT;
use self::agent_api::{
    CONTENT_MEMBERS, CONTENTS, MESSAGE_MEMBERS, MESSAGES, RESPONSE_MEMBERS, ROLES, STATUSES,
};
use self::kinds::KINDS;
use super::facts::convert;

/// A feature of a source: its name, its counterpart in the other protocol, the losses that are
/// noted when it is the only event, and its data.
type Row = (&'static str, &'static str, &'static [&'static str], &'static str);

#[test]
fn the_losses_page_is_up_to_date() {
    let page = page();
    let path = "docs/reference/losses.md";
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(agentwire_cases::path(path), &page).expect("a writable page");
    }
    let committed = std::fs::read_to_string(agentwire_cases::path(path)).unwrap_or_default();
    assert!(
        committed == page,
        "{path} is not up to date; BLESS=1 cargo test --test integration losses"
    );
}

#[test]
fn everything_a_source_can_contain_is_in_a_table() {
    let complete = |table: &[Row], names: &[&str]| {
        let rows: Vec<_> = table.iter().map(|row| row.0).collect();
        assert_eq!(&rows[..names.len()], names);
    };
    complete(MESSAGES, MessageType::NAMES);
    complete(CONTENTS, ContentType::NAMES);
    complete(ROLES, Role::NAMES);
    complete(STATUSES, RunStatus::NAMES);
    complete(RESPONSE_MEMBERS, ResponseEvent::MEMBERS);
    complete(MESSAGE_MEMBERS, MessageEvent::MEMBERS);
    complete(CONTENT_MEMBERS, ContentEvent::MEMBERS);
    complete(AG_KIT, Event::TYPES);
}

#[test]
fn the_tables_match_the_conversions() {
    let lost = |from: ProtocolKind, to: ProtocolKind, stream: &str| -> BTreeSet<String> {
        let (_, losses) = convert(from, to, [stream.as_bytes()], false);
        losses.counts().iter().map(|(what, _)| (*what).to_owned()).collect()
    };
    let check = |row: &Row, from, to, stream: String| {
        let expected: BTreeSet<_> = row.2.iter().map(|loss| (*loss).to_owned()).collect();
        assert_eq!(lost(from, to, &stream), expected, "{}: {stream}", row.0);
    };
    let message = |members: &str, part: &str| {
        let start = r#"data: {"object":"response","status":"created"}"#;
        let end = r#"data: {"object":"response","status":"completed"}"#;
        let message = r#""object":"message","status":"completed","id":"m""#;
        format!("{start}\n\ndata: {{{message},{members},\"content\":[{part}]}}\n\n{end}\n\n")
    };
    for row in MESSAGES {
        let error = if row.0 == "error" { r#","code":"C","message":"m""# } else { "" };
        let stream = message(&format!(r#""type":"{}"{error}"#, row.0), row.3);
        check(row, AgentApi, AgKit, stream);
    }
    for row in CONTENTS {
        check(row, AgentApi, AgKit, message(r#""type":"message""#, row.3));
    }
    for row in ROLES {
        let stream = message(&format!(r#""role":"{}""#, row.0), r#"{"type":"text","text":"x"}"#);
        check(row, AgentApi, AgKit, stream);
    }
    for row in MESSAGE_MEMBERS {
        check(row, AgentApi, AgKit, message(row.3, r#"{"type":"text","text":"x"}"#));
    }
    for row in CONTENT_MEMBERS {
        check(
            row,
            AgentApi,
            AgKit,
            message(r#""type":"message""#, &format!(r#"{{"type":"text",{}}}"#, row.3)),
        );
    }
    for row in STATUSES {
        let stream =
            format!("data: {{\"object\":\"response\",\"status\":\"{}\"{}}}\n\n", row.0, row.3);
        check(row, AgentApi, AgKit, stream);
    }
    for row in RESPONSE_MEMBERS {
        let start =
            format!("data: {{\"object\":\"response\",\"status\":\"created\",{}}}\n\n", row.3);
        let start = if row.0 == "status" { String::new() } else { start };
        check(
            row,
            AgentApi,
            AgKit,
            start + "data: {\"object\":\"response\",\"status\":\"completed\"}\n\n",
        );
    }
    for row in AG_KIT {
        check(row, AgKit, AgentApi, format!("data: {}\n\ndata: [DONE]\n\n", row.3));
    }
}

#[test]
fn the_page_lists_exactly_the_existing_kinds_of_loss() {
    let mut said = BTreeSet::new();
    let mut folders = vec![agentwire_cases::path("src/hub")];
    folders.extend(
        ["agent_api", "ag_kit", "ag_ui", "responses", "a2a", "ai_sdk", "chat"]
            .map(|name| agentwire_cases::path(&format!("src/protocols/{name}/hub"))),
    );
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let source = std::fs::read_to_string(&path).unwrap();
            let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
            let code: String = code.flat_map(|line| [line.trim(), " "]).collect();
            // A call whose arguments are on lines of their own.
            let code = code.replace("( ", "(");
            let names = ["lose(", "note(", "add(LossClass::", "add(class, ", "add(key.class(), "];
            let calls = names.into_iter().flat_map(|name| code.match_indices(name));
            // A table has the kinds that a target has no room for.
            for table in code
                .split("UnsupportedSteps = &[")
                .skip(1)
                .filter_map(|rest| rest.split("];").next())
            {
                let rows = table.split("(\"").skip(1).filter_map(|row| row.split('"').next());
                said.extend(rows.filter(|kind| *kind != "*").map(str::to_owned));
            }
            for (at, _) in calls.chain(code.match_indices("lost: \"")) {
                let call = &code[at..];
                let call = &call[..call.find(')').unwrap_or(call.len())];
                // Other texts are reasons.
                let is_kind = |kind: &&str| {
                    kind.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-')
                };
                if let Some(kind) = call.split('"').nth(1).filter(is_kind) {
                    said.insert(kind.to_owned());
                }
            }
        }
    }
    // Those of members and items that stand for messages have a table.
    said.extend(["item-reference", "previous-response"].map(str::to_owned));
    // Those of parts are chosen by their type.
    said.extend(["data", "image", "audio", "video", "file"].map(str::to_owned));
    let listed: BTreeSet<_> = KINDS.iter().map(|(kind, _)| (*kind).to_owned()).collect();
    assert_eq!(said, listed);
}

fn page() -> String {
    let mut page = String::from(
        "# Losses\n\n\
         A conversion notes a loss for everything that the target protocol cannot represent. Kinds are stable: match on them and\n\
         count them. [Conversion steps](hub.md) has one page per protocol with the mapping of every event.\n\n\
         A loss has a class: `cosmetic` is nothing that a user would notice, with `quality` the answer can be worse, with\n\
         `contract` it can be wrong. [What is lost](../guides/models.md#what-is-lost) describes where losses are visible, and how a\n\
         server refuses requests that would have some.\n\n\
         The rows below are checked by `tests/rust/integration/adapt/losses.rs`: converted alone, each row notes exactly the listed losses.\n\
         Names in the column *source* are those of the [Agent API](https://runtime.agentscope.io/en/protocol.html) and of\n\
         [AG-Kit](https://docs.ag-kit.dev/openai-agent-sdk-ts/building-apps/http-api).\n\n\
         ## Kinds\n\n| loss | effect |\n|---|---|\n",
    );
    for (kind, effect) in KINDS {
        let _ = writeln!(page, "| `{kind}` | {effect} |");
    }
    let tables: [(&str, &[Row]); 8] = [
        ("Agent API to AG-Kit: message types", MESSAGES),
        ("Agent API to AG-Kit: content types", CONTENTS),
        ("Agent API to AG-Kit: roles of text messages", ROLES),
        ("Agent API to AG-Kit: statuses of the response", STATUSES),
        ("Agent API to AG-Kit: properties of the response", RESPONSE_MEMBERS),
        ("Agent API to AG-Kit: properties of messages", MESSAGE_MEMBERS),
        ("Agent API to AG-Kit: properties of contents", CONTENT_MEMBERS),
        ("AG-Kit to Agent API", AG_KIT),
    ];
    for (title, rows) in tables {
        let _ = writeln!(page, "\n## {title}\n\n| source | target | losses |\n|---|---|---|");
        for (name, becomes, losses, _) in rows {
            let losses: Vec<_> = losses.iter().map(|loss| format!("`{loss}`")).collect();
            let name =
                if name.contains([' ', '`']) { (*name).to_owned() } else { format!("`{name}`") };
            let _ = writeln!(page, "| {name} | {becomes} | {} |", losses.join(", "));
        }
    }
    page
}
