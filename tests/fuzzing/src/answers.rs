//! Native answers: what a stream comes to, and the same as a line of JSON for whoever reads it elsewhere.

use agentwire::ag_kit::{self, AgKit};
use agentwire::agent_api::{self, AgentApi, DataMerge, Style};
use agentwire::read::Mode;
use agentwire::read::any::AnyOptions;
use agentwire::read::detect::{Detector, FALLBACK, ProtocolKind};
use agentwire::sse::{Ending, Framing};
use agentwire::{Limits, Outcome, Reader, Report};
use agentwire_cases::cut;
use serde_json::{Value as Json, json};

use crate::setting::{self, Setting};

/// What reading came to.
pub(crate) enum Answer {
    AgentApi(Box<Outcome<agent_api::Snapshot>>),
    AgKit(Box<Outcome<ag_kit::Snapshot>>),
}

impl Answer {
    pub fn report(&self) -> &Report {
        match self {
            Answer::AgentApi(outcome) => &outcome.report,
            Answer::AgKit(outcome) => &outcome.report,
        }
    }

    pub fn to_json(&self) -> String {
        match self {
            Answer::AgentApi(outcome) => outcome.snapshot.response.to_json(Style::Wire),
            Answer::AgKit(outcome) => outcome.snapshot.to_json(),
        }
    }

    /// For the Agent API: AG-Kit's are parts of its answer.
    pub fn tool_calls_json(&self) -> Option<String> {
        match self {
            Answer::AgentApi(outcome) => Some(outcome.snapshot.tool_calls_json()),
            Answer::AgKit(_) => None,
        }
    }
}

/// Reads a stream that comes in these chunks.
pub(crate) fn read(setting: &Setting, chunks: &[&[u8]]) -> Answer {
    let mut reading = match setting.protocol {
        Some(protocol) => Reading::of(protocol, &setting.choices),
        None => Reading::Undecided(Box::new(Detector::framed(
            setting.choices.options.limits.clone(),
            setting.choices.options.framing,
        ))),
    };
    for chunk in chunks {
        reading.push(chunk, &setting.choices);
    }
    reading.finish(&setting.choices)
}

enum Reading {
    Undecided(Box<Detector>),
    AgentApi(Box<Reader<AgentApi>>),
    AgKit(Box<Reader<AgKit>>),
}

impl Reading {
    fn of(protocol: ProtocolKind, choices: &AnyOptions) -> Self {
        let AnyOptions { agent_api, ag_kit, options, .. } = choices.clone();
        match protocol {
            ProtocolKind::AgentApi => Reading::AgentApi(Box::new(Reader::with(agent_api, options))),
            _ => Reading::AgKit(Box::new(Reader::with(ag_kit, options))),
        }
    }

    fn push(&mut self, chunk: &[u8], choices: &AnyOptions) {
        match self {
            Reading::Undecided(detector) => {
                if let Some(found) = detector.push(chunk) {
                    let held = detector.take_held();
                    *self = Self::of(found, choices);
                    self.push(&held, choices);
                }
            }
            Reading::AgentApi(reader) => reader.push(chunk),
            Reading::AgKit(reader) => reader.push(chunk),
        }
    }

    fn finish(self, choices: &AnyOptions) -> Answer {
        match self {
            Reading::Undecided(mut detector) => {
                let mut reading = Self::of(detector.finish().unwrap_or(FALLBACK), choices);
                reading.push(&detector.take_held(), choices);
                reading.finish(choices)
            }
            Reading::AgentApi(reader) => Answer::AgentApi(Box::new(reader.finish())),
            Reading::AgKit(reader) => Answer::AgKit(Box::new(reader.finish())),
        }
    }
}

/// An input of the target `reading` and its native answer as one line of JSON: `options` for the package's `Decoder`,
/// `from` where the stream begins, `chunks` the lengths of its pieces, `look` whether to ask for the answer after each,
/// and `answer`, `toolCalls` (null for AG-Kit) and `report` as JSON text.
pub fn line(input: &[u8]) -> String {
    let (setting, stream) = setting::split(input);
    let chunks = cut::random(stream, setting.cut);
    let answer = read(&setting, &chunks);
    let lengths: Vec<usize> = chunks.iter().map(|chunk| chunk.len()).collect();
    json!({
        "options": options(&setting),
        "from": input.len() - stream.len(),
        "chunks": lengths,
        "look": setting.more % 2 == 1,
        "answer": answer.to_json(),
        "toolCalls": answer.tool_calls_json(),
        "report": answer.report().to_json(),
    })
    .to_string()
}

/// A setting in the words of the package.
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
        "ending": if options.ending == Ending::Strict { "strict" } else { "lenient" },
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
        "dataNodes": limits.data_nodes,
        "numberDigits": limits.number_digits,
        "undeclaredMembers": limits.undeclared_members,
        "violations": limits.violations,
        "unknown": limits.unknown,
    })
}
