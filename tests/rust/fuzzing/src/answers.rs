//! Native outcomes: the result of a stream, also as a line of JSON for readers in other languages.

use agentwire::AnyReader;
use agentwire::Limits;
use agentwire::ProtocolKind;
use agentwire::agent_api::DataMerge;
use agentwire::read::AnyOptions;
use agentwire::read::{AnyOutcome, Mode};
use agentwire::sse::{Framing, TrailingEvent};
use agentwire_cases::cut;
use serde_json::{Value as Json, json};

use crate::setting::{self, Setting};

/// Reads a stream that arrives in these chunks.
pub(crate) fn read(setting: &Setting, chunks: &[&[u8]]) -> AnyOutcome {
    let mut reader = AnyReader::with_options(setting.protocol, setting.choices.clone());
    chunks.iter().for_each(|chunk| {
        reader.push(chunk);
    });
    reader.finish()
}

/// Returns the native outcome for an input of the target `reading` as one line of JSON: `options`
/// for the `Decoder` of the package, `from` where the stream begins, `chunks` the lengths of its
/// chunks, `look` whether to read the snapshot after each, and `answer`, `toolCalls` (null for
/// AG-Kit) and `report` as JSON text.
pub fn line(input: &[u8]) -> String {
    let (setting, stream) = setting::split(input);
    let chunks = cut::random(stream, setting.cut);
    let outcome = read(&setting, &chunks);
    let lengths: Vec<usize> = chunks.iter().map(|chunk| chunk.len()).collect();
    json!({
        "options": options(&setting),
        "from": input.len() - stream.len(),
        "chunks": lengths,
        "look": setting.more % 2 == 1,
        "answer": outcome.snapshot.to_json(),
        "toolCalls": outcome.snapshot.calls_to_json(),
        "report": outcome.report.to_json(),
    })
    .to_string()
}

/// Returns a setting as the options of the package.
fn options(setting: &Setting) -> Json {
    let AnyOptions { agent_api, ag_kit, options, .. } = &setting.choices;
    let mode = match options.mode {
        Mode::Strict => "strict",
        Mode::Raw => "raw",
        _ => "lenient",
    };
    let mut said = json!({
        "protocol": setting.protocol.map_or("auto", ProtocolKind::as_str),
        "mode": mode,
        "ending": if options.ending == TrailingEvent::Strict { "strict" } else { "lenient" },
        "dataMerge": if agent_api.data_merge == DataMerge::Message { "message" } else { "builder" },
        "framing": if options.framing == Framing::Ndjson { "ndjson" } else { "sse" },
        "keepHeartbeats": agent_api.keep_heartbeats,
        "doneIsOptional": ag_kit.done_is_optional,
    });
    if let Some(tools) = &ag_kit.client_tools {
        said["clientTools"] = json!(tools);
    }
    if setting.small {
        said["limits"] = limits(&options.limits);
    }
    said
}

fn limits(limits: &Limits) -> Json {
    json!({
        "lineBytes": limits.line_bytes,
        "eventBytes": limits.event_bytes,
        "jsonDepth": limits.json_depth,
        "idBytes": limits.id_bytes,
        "messages": limits.messages,
        "contents": limits.contents,
        "toolCalls": limits.tool_calls,
        "contentBytes": limits.content_bytes,
        "answerBytes": limits.answer_bytes,
        "growth": limits.growth,
        "dataNodes": limits.data_nodes,
        "numberDigits": limits.number_digits,
        "undeclaredMembers": limits.undeclared_members,
        "violations": limits.violations,
        "unknown": limits.unknown,
    })
}
