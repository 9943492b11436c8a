//! `docs/losses.md` says what conversions do with everything that a source can say, and every line of it is tried.
//! `BLESS=1 cargo test --test suite losses` writes it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use agentwire::ag_kit::Event;
use agentwire::agent_api::event::{ContentEvent, MessageEvent, ResponseEvent};
use agentwire::agent_api::{ContentType, MessageType, Role, RunStatus};
use agentwire::read::detect::ProtocolKind::{self, AgKit, AgentApi};

use super::facts::convert;

/// Something that a source can say: its name, what becomes of it in the other protocol, the losses that are noted when
/// it is said alone, and the data that says it.
type Row = (&'static str, &'static str, &'static [&'static str], &'static str);

const MESSAGES: &[Row] = &[
    ("message", "text", &[], r#"{"type":"text","text":"x"}"#),
    ("function_call", "tool call", &[], CALL),
    ("function_call_output", "tool result", &["call-missing"], OUTPUT),
    ("plugin_call", "tool call", &["tool-family"], CALL),
    ("plugin_call_output", "tool result", &["tool-family", "call-missing"], OUTPUT),
    ("component_call", "tool call", &["tool-family"], CALL),
    ("component_call_output", "tool result", &["tool-family", "call-missing"], OUTPUT),
    (
        "mcp_list_tools",
        "lost",
        &["data"],
        r#"{"type":"data","data":{"id":"l","server_label":"s","tools":[]}}"#,
    ),
    (
        "mcp_approval_request",
        "interrupt at the end of the run",
        &[],
        r#"{"type":"data","data":{"id":"a","name":"f","arguments":"{}"}}"#,
    ),
    (
        "mcp_call",
        "tool call, without its server",
        &["tool-family", "call-members"],
        r#"{"type":"data","data":{"call_id":"c","name":"f","arguments":"{}","server_label":"s"}}"#,
    ),
    (
        "mcp_approval_response",
        "lost; what it answers is left out",
        &["approval-without-request"],
        r#"{"type":"data","data":{"approval_request_id":"a","approve":true}}"#,
    ),
    ("mcp_call_output", "tool result", &["tool-family", "call-missing"], OUTPUT),
    ("reasoning", "lost", &["reasoning"], r#"{"type":"text","text":"x"}"#),
    ("heartbeat", "comment", &[], r#"{"type":"text","text":"x"}"#),
    ("error", "its text", &["error-message"], r#"{"type":"text","text":"x"}"#),
    ("a2ui_response", "lost", &["data"], r#"{"type":"data","data":{"a2ui":1}}"#),
    ("a2ui_action", "lost", &["data"], r#"{"type":"data","data":{"a2ui":1}}"#),
];

const CALL: &str = r#"{"type":"data","data":{"call_id":"c","name":"f","arguments":"{}"}}"#;
const OUTPUT: &str = r#"{"type":"data","data":{"call_id":"c","name":"f","output":"o"}}"#;

const CONTENTS: &[Row] = &[
    ("text", "text", &[], r#"{"type":"text","text":"x"}"#),
    ("data", "lost, unless its message is of a tool", &["data"], r#"{"type":"data","data":{"a":1}}"#),
    ("image", "lost", &["image"], r#"{"type":"image","image_url":"https://e.com/a.png"}"#),
    ("audio", "lost", &["audio"], r#"{"type":"audio","data":"AA==","format":"wav"}"#),
    ("file", "lost", &["file"], r#"{"type":"file","file_url":"https://e.com/a"}"#),
    ("refusal", "text", &["refusal"], r#"{"type":"refusal","refusal":"x"}"#),
    ("video", "lost", &["video"], r#"{"type":"video","video_url":"https://e.com/a"}"#),
    ("any other", "lost", &["content-type", "undeclared-member"], r#"{"type":"hologram","beam":1}"#),
];

const ROLES: &[Row] = &[
    ("assistant", "text", &[], ""),
    ("user", "text", &["role"], ""),
    ("system", "text", &["role"], ""),
    ("tool", "text", &["role"], ""),
];

const STATUSES: &[Row] = &[
    ("created", "not said", &["status"], ""),
    ("in_progress", "not said", &["status"], ""),
    ("completed", "`[DONE]`", &[], ""),
    ("canceled", "an error that says so", &["status"], ""),
    ("failed", "an error", &["error-code"], r#","error":{"code":"C","message":"m"}"#),
    ("rejected", "an error that says so", &["status"], ""),
    ("unknown", "not said", &["status"], ""),
    ("queued", "not said", &["status"], ""),
    ("incomplete", "`[DONE]` after interrupts, else an error that says so", &["status"], ""),
];

const RESPONSE_MEMBERS: &[Row] = &[
    ("sequence_number", "not said: the order is the same", &[], r#""sequence_number":2"#),
    ("object", "not said", &[], r#""object":"response""#),
    ("status", "see statuses", &[], r#""status":"completed""#),
    ("error", "message of an error, without its code", &[], r#""error":null"#),
    ("id", "lost", &["run-ids"], r#""id":"r""#),
    ("response_id", "lost", &["run-ids"], r#""response_id":"r""#),
    ("created_at", "not said: a stream is of now", &[], r#""created_at":1"#),
    ("completed_at", "not said: a stream is of now", &[], r#""completed_at":1"#),
    ("output", "what of it was not said before", &[], r#""output":[]"#),
    ("usage", "lost", &["usage"], r#""usage":{"input_tokens":1}"#),
    ("session_id", "lost", &["run-ids"], r#""session_id":"s""#),
    ("any other", "lost", &["undeclared-member"], r#""more":1"#),
];

const MESSAGE_MEMBERS: &[Row] = &[
    ("sequence_number", "not said", &[], r#""sequence_number":2"#),
    ("object", "not said", &[], r#""object":"message""#),
    ("status", "lost, unless completed", &["message-status"], r#""status":"failed""#),
    (
        "error",
        "lost with the status",
        &["message-status"],
        r#""status":"failed","error":{"code":"C","message":"m"}"#,
    ),
    ("id", "not said: there are no messages", &[], r#""id":"m""#),
    ("type", "see types of messages", &[], r#""type":"message""#),
    ("role", "see roles", &[], r#""role":"assistant""#),
    ("content", "see types of contents", &[], r#""content":[]"#),
    ("code", "lost", &["error-message"], r#""code":"C""#),
    ("message", "lost", &["error-message"], r#""message":"m""#),
    ("usage", "lost", &["usage"], r#""usage":{"input_tokens":1}"#),
    ("metadata", "lost", &["metadata"], r#""metadata":{"a":1}"#),
    ("any other", "lost", &["undeclared-member"], r#""more":1"#),
];

const CONTENT_MEMBERS: &[Row] = &[
    ("sequence_number", "not said", &[], r#""sequence_number":2"#),
    ("object", "not said", &[], r#""object":"content""#),
    ("status", "not said; a call that is not completed does not end", &[], r#""status":"completed""#),
    ("error", "lost", &["content-error"], r#""error":{"code":"C","message":"m"}"#),
    ("type", "see types of contents", &[], r#""type":"text""#),
    ("index", "not said: parts come as they came", &[], r#""index":0"#),
    ("delta", "not said", &[], r#""delta":false"#),
    ("msg_id", "not said", &[], r#""msg_id":"m""#),
    ("text", "text", &[], r#""text":"x""#),
    ("refusal", "text", &["refusal"], r#""type":"refusal","refusal":"x""#),
    ("image_url", "lost", &["image"], r#""type":"image","image_url":"u""#),
    ("video_url", "lost", &["video"], r#""type":"video","video_url":"u""#),
    ("data", "calls, results and interrupts, else lost", &["data"], r#""type":"data","data":{"a":1}"#),
    ("format", "lost", &["audio"], r#""type":"audio","data":"AA==","format":"wav""#),
    ("file_url", "lost", &["file"], r#""type":"file","file_url":"u""#),
    ("file_id", "lost", &["file"], r#""type":"file","file_id":"u""#),
    ("filename", "lost", &["file"], r#""type":"file","filename":"u""#),
    ("file_data", "lost", &["file"], r#""type":"file","file_data":"u""#),
    ("any other", "lost", &["undeclared-member"], r#""more":1"#),
];

const AG_KIT: &[Row] = &[
    ("text", "pieces of a text in a message", &[], r#"{"type":"text","content":"x"}"#),
    (
        "tool-call-start",
        "message of type `function_call`",
        &["call-cut-off"],
        r#"{"type":"tool-call-start","toolCallId":"c","toolCallName":"f"}"#,
    ),
    ("tool-call-args", "pieces of `arguments`", &[], CALL_AND_RESULT),
    ("tool-call-end", "the call's message completed", &[], CALL_AND_RESULT),
    ("tool-result", "message of type `function_call_output`", &[], CALL_AND_RESULT),
    (
        "interrupt",
        "message of type `mcp_approval_request`, `reason` and `payload` in its data; the response incomplete",
        &[],
        r#"{"type":"interrupt","id":"i","payload":1}"#,
    ),
    (
        "error",
        "response failed, with the code `unknown_error`; `details` after the message",
        &[],
        r#"{"type":"error","error":"m"}"#,
    ),
    ("an error without a type", "the same", &[], r#"{"error":"m","details":"d"}"#),
    ("`[DONE]`", "response completed; calls that wait for the client stay without an output", &[], "[DONE]"),
    ("any other", "lost", &["unknown-event"], r#"{"type":"other"}"#),
];

const CALL_AND_RESULT: &str = r#"{"type":"tool-call-start","toolCallId":"c","toolCallName":"f"}

data: {"type":"tool-call-args","toolCallId":"c","delta":"{}"}

data: {"type":"tool-call-end","toolCallId":"c"}

data: {"type":"tool-result","toolCallId":"c","result":"o"}"#;

/// Kind of loss, and what it means. The first ones are noted in any conversion.
const KINDS: &[(&str, &str)] = &[
    (
        "after-end",
        "What came after the end of its part or message got a message of its own; after the end of the run it is lost.",
    ),
    (
        "approval",
        "A question that was answered in the run is not asked again, and its answer is not sent. In a request: a second answer.",
    ),
    (
        "approval-not-understood",
        "In a request: an answer to a question that neither approves nor declines in a way that is understood declines.",
    ),
    ("approval-without-request", "An answer to a question that was not asked is left out."),
    ("arguments-replaced", "Other arguments had been sent when these came."),
    ("arguments-without-call", "Arguments of a call that was not open are left out."),
    ("audio", "Audio is left out."),
    ("call-cut-off", "A call whose arguments never ended is not ended: a client would run it."),
    (
        "call-id",
        "A call got another id: the Agent API's readers take no empty one for one, and none above 1024 bytes.",
    ),
    ("call-id-missing", "A call had no id and got one."),
    ("call-name-missing", "A call did not say which tool: its name is empty."),
    ("call-members", "Members of a call or result other than id, name, arguments and output are left out."),
    ("call-missing", "A result came without its call: one without arguments was made."),
    ("call-repeated", "A second call of an id was taken as the same call."),
    ("content-error", "The error of a content is left out."),
    ("content-type", "A content of a type that the Agent API does not have is left out."),
    ("data", "Data that is no call, result or question is left out."),
    ("error-code", "The code of an error is left out."),
    ("error-message", "Code and text of a message of type error are left out."),
    ("file", "A file is left out."),
    ("image", "An image is left out."),
    (
        "interrupt-hidden",
        "Several questions are asked at once: AG-Kit's official client shows the last one only, and takes one answer.",
    ),
    ("late-type", "The type of a message came after its text, which stays what it was."),
    ("message-id", "The id of a message is longer than 1,024 bytes: it got another."),
    ("message-repeated", "A message was opened twice."),
    ("message-status", "The status of a message that did not end well is left out."),
    ("message-type", "A part that does not suit the type of its message got a message of its own."),
    ("metadata", "Metadata is left out."),
    ("part-dropped", "A message came without a part that had been sent."),
    ("part-repeated", "A part came twice: the first one stays."),
    ("reasoning", "Reasoning is left out."),
    ("refusal", "A refusal became text."),
    ("refused", "The target's readers could not have read it, for example because it nests too deep."),
    ("result-repeated", "A second result of a call is left out."),
    ("role", "The role of a text is not said."),
    ("run-ids", "The ids of run and conversation are not said."),
    ("status", "The status has no equal: it became an error that says so, or is not said."),
    ("text-replaced", "Another text had been sent when this one came."),
    ("tool-family", "The kind of a tool (plugin, component, MCP) is not said."),
    ("undeclared-member", "Members that the protocol does not declare are left out."),
    ("unknown-event", "An event that the protocol does not have is left out."),
    ("activity", "What the agent is doing, for people, is left out."),
    ("alternative", "One of several alternative answers is not told from the others."),
    ("annotation", "A citation or source is left out."),
    ("call-input", "Arguments that are plain text are said as arguments, which others take for JSON text."),
    ("custom", "Something that only this application understands is left out."),
    ("interrupt-members", "Members of a question other than id, reason and payload are left out."),
    ("lane", "Which subagent it was is not said."),
    ("message-members", "The name of a message's author, or the message that it belongs to, is not said."),
    ("messages", "The list of the conversation's messages is left out."),
    ("opaque", "A signature or an encrypted value is left out."),
    ("output", "What a tool said while it ran is left out."),
    ("preview", "A preview is left out; what it was for follows."),
    ("progress", "How far a call was is left out."),
    ("result-parts", "Of a result, only its text is said."),
    ("run-result", "What the run came to, besides its messages, is left out."),
    ("state", "State and changes of it are left out."),
    ("step", "The beginning or end of a named stretch of the run is left out."),
    ("tool-error", "The error of a call became its result."),
    (
        "unknown-step",
        "A protocol of one's own said a step that the hub does not have, or one that lacks something; it is left out.",
    ),
    ("usage", "Token counts are left out."),
    ("video", "A video is left out."),
    ("conversation", "In a request: no `session_id`, and AG-Kit needs a conversation."),
    ("history", "In a request: messages that AG-Kit's server has."),
    ("parameter", "In a request: a member that AG-Kit's requests do not have."),
    ("part", "In a request: a part that is no text."),
    ("tool", "In a request: a tool that is no function."),
    ("tool-parameters", "In a request: parameters that are no JSON object."),
];

#[test]
fn the_losses_page_is_up_to_date() {
    let page = page();
    let path = "docs/losses.md";
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &page).expect("a writable page");
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert!(committed == page, "{path} is not what the tables say; BLESS=1 cargo test --test suite losses");
}

#[test]
fn everything_that_a_source_can_say_is_in_a_table() {
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
fn the_tables_say_what_conversions_do() {
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
        let stream = format!("data: {{\"object\":\"response\",\"status\":\"{}\"{}}}\n\n", row.0, row.3);
        check(row, AgentApi, AgKit, stream);
    }
    for row in RESPONSE_MEMBERS {
        let start = format!("data: {{\"object\":\"response\",\"status\":\"created\",{}}}\n\n", row.3);
        let start = if row.0 == "status" { String::new() } else { start };
        check(row, AgentApi, AgKit, start + "data: {\"object\":\"response\",\"status\":\"completed\"}\n\n");
    }
    for row in AG_KIT {
        check(row, AgKit, AgentApi, format!("data: {}\n\ndata: [DONE]\n\n", row.3));
    }
}

#[test]
fn every_kind_of_loss_is_on_the_page_and_every_one_on_the_page_exists() {
    let mut said = BTreeSet::new();
    let mut folders = ["src/hub", "src/protocols/agent_api/hub", "src/protocols/ag_kit/hub"]
        .map(std::path::PathBuf::from)
        .to_vec();
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
            let calls = code.match_indices("lose(").chain(code.match_indices("note("));
            // What a target has no room for stands in a table.
            for table in code.split("Lacks = &[").skip(1).filter_map(|rest| rest.split("];").next()) {
                let rows = table.split("(\"").skip(1).filter_map(|row| row.split('"').next());
                said.extend(rows.filter(|kind| *kind != "*").map(str::to_owned));
            }
            for (at, _) in calls.chain(code.match_indices("lost: \"")) {
                let call = &code[at..];
                let call = &call[..call.find(')').unwrap_or(call.len())];
                if let Some(kind) = call.split('"').nth(1) {
                    said.insert(kind.to_owned());
                }
            }
        }
    }
    // Those of parts are chosen by their type.
    said.extend(["data", "image", "audio", "video", "file"].map(str::to_owned));
    let listed: BTreeSet<_> = KINDS.iter().map(|(kind, _)| (*kind).to_owned()).collect();
    assert_eq!(said, listed);
}

fn page() -> String {
    let mut page = String::from(
        "# Losses\n\n\
         What conversions cannot carry, and what becomes of it. Kinds are stable; match on them, count them.\n\
         The lines of the tables are tried by `tests/suite/adapt/losses.rs`: said alone,\n\
         each notes the losses that are named, and no others.\n",
    );
    let tables: [(&str, &[Row]); 8] = [
        ("Agent API to AG-Kit: types of messages", MESSAGES),
        ("Agent API to AG-Kit: types of contents", CONTENTS),
        ("Agent API to AG-Kit: roles of text messages", ROLES),
        ("Agent API to AG-Kit: statuses of the response", STATUSES),
        ("Agent API to AG-Kit: members of the response", RESPONSE_MEMBERS),
        ("Agent API to AG-Kit: members of messages", MESSAGE_MEMBERS),
        ("Agent API to AG-Kit: members of contents", CONTENT_MEMBERS),
        ("AG-Kit to Agent API", AG_KIT),
    ];
    for (title, rows) in tables {
        let _ = writeln!(page, "\n## {title}\n\n| source | becomes | losses noted |\n|---|---|---|");
        for (name, becomes, losses, _) in rows {
            let losses: Vec<_> = losses.iter().map(|loss| format!("`{loss}`")).collect();
            let name = if name.contains([' ', '`']) { (*name).to_owned() } else { format!("`{name}`") };
            let _ = writeln!(page, "| {name} | {becomes} | {} |", losses.join(", "));
        }
    }
    page += "\n## Kinds\n\n| loss | meaning |\n|---|---|\n";
    for (kind, meaning) in KINDS {
        let _ = writeln!(page, "| `{kind}` | {meaning} |");
    }
    page
}
