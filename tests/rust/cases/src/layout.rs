//! The files that the folder of a case may have.

use std::fs;

use crate::case::{Case, Kind};

/// The members of `case.json`: name, and whether every case has it.
const MEMBERS: &[(&str, bool)] = &[
    ("protocol", true),
    ("kind", true),
    ("provenance", true),
    ("note", false),
    ("options", false),
    ("ended", false),
    ("detected", false),
    ("from", false),
    ("http", false),
];

/// The files of each kind: those that every case has, and those that it may have.
fn files(kind: Kind) -> (&'static [&'static str], &'static [&'static str]) {
    match kind {
        Kind::Read => (
            &["case.json", "snapshot.json", "violations.json"],
            &[
                "stream.sse",
                "stream.bin",
                "tool_calls.json",
                "server.json",
                "client.json",
                "events.json",
                "request.json",
                "agent_input.json",
            ],
        ),
        Kind::Frames => (&["case.json", "stream.sse", "frames.json"], &[]),
        Kind::Request => (
            &["case.json"],
            &["request.json", "agent_input.json", "reply.json", "reply.sse", "rows.json"],
        ),
        Kind::Build => (&["case.json"], &["calls.json", "programs.jsonl.gz"]),
        Kind::Accumulate => (&["case.json", "steps.json"], &[]),
    }
}

/// Returns the errors of a folder: a file or a member that no test reads, one that is missing, a
/// protocol that differs from that of its folder.
pub fn complaints(case: &Case) -> Vec<String> {
    let mut found = Vec::new();
    let (needed, optional) = files(case.kind);
    let entries = fs::read_dir(case.path("")).into_iter().flatten();
    let names: Vec<String> =
        entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let known =
        |name: &&String| needed.contains(&name.as_str()) || optional.contains(&name.as_str());
    found.extend(
        names.iter().filter(|name| !known(name)).map(|name| format!("{case}/{name}: no such file")),
    );
    found.extend(
        needed
            .iter()
            .filter(|file| !case.path(file).is_file())
            .map(|file| format!("{case}/{file}: missing")),
    );
    if names.len() < 2 {
        found.push(format!("{case}: nothing but case.json"));
    }

    let about = case.about.as_object().cloned().unwrap_or_default();
    let known = |name: &str| MEMBERS.iter().any(|(member, _)| *member == name);
    found.extend(
        about
            .keys()
            .filter(|name| !known(name))
            .map(|name| format!("{case}/case.json: no member {name}")),
    );
    let missing = MEMBERS.iter().filter(|(name, always)| *always && !about.contains_key(*name));
    found.extend(missing.map(|(name, _)| format!("{case}/case.json: no {name}")));
    if case.about["protocol"] != case.protocol.as_str() {
        found.push(format!("{case}/case.json: the protocol is not that of the folder"));
    }
    let origin = case.about["provenance"]["origin"].as_str();
    if !origin.is_some_and(|origin| ["recorded", "library", "hand-written"].contains(&origin)) {
        found.push(format!("{case}/case.json: no origin {origin:?}"));
    }
    let streams =
        ["stream.sse", "stream.bin"].iter().filter(|file| case.path(file).is_file()).count();
    if case.kind == Kind::Read && streams != 1 {
        found.push(format!("{case}: {streams} streams"));
    }
    if case.kind == Kind::Read && case.about["ended"].as_str().is_none() {
        found.push(format!("{case}/case.json: no ended"));
    }
    found
}
