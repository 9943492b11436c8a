//! Reading a stream of any protocol, natively.

use agentwire::ag_kit::AgKit;
use agentwire::agent_api::{AgentApi, Style};
use agentwire::core::fold::Protocol;
use agentwire::read::any::AnyOptions;
use agentwire::read::detect::ProtocolKind;
use agentwire::{Outcome, Reader, Report, Rule};
use agentwire_cases::Case;

/// A protocol that is read: its kind, its name for people, and its rules.
pub struct Known {
    pub kind: ProtocolKind,
    pub title: &'static str,
    pub rules: &'static [&'static Rule],
}

pub static PROTOCOLS: &[Known] = &[
    Known { kind: ProtocolKind::AgentApi, title: "Agent API", rules: agentwire::agent_api::rules::ALL },
    Known { kind: ProtocolKind::AgKit, title: "AG-Kit", rules: agentwire::ag_kit::rules::ALL },
];

/// The protocol of a case.
pub fn protocol_of(case: &Case) -> ProtocolKind {
    let known = PROTOCOLS.iter().find(|known| known.kind.as_str() == case.protocol);
    known.unwrap_or_else(|| panic!("{case}: no reader of {}", case.protocol)).kind
}

/// What a stream comes to.
pub struct Answer {
    /// The snapshot as JSON.
    pub snapshot: String,
    /// The tool calls as JSON, where a protocol keeps them beside its snapshot.
    pub tool_calls: Option<String>,
    pub report: Report,
}

/// Reads a stream that comes in these chunks.
pub fn read<'a>(
    kind: ProtocolKind,
    options: AnyOptions,
    chunks: impl IntoIterator<Item = &'a [u8]>,
) -> Answer {
    let AnyOptions { agent_api, ag_kit, options, .. } = options;
    match kind {
        ProtocolKind::AgKit => {
            let outcome = outcome(Reader::<AgKit>::with(ag_kit, options), chunks);
            Answer { snapshot: outcome.snapshot.to_json(), tool_calls: None, report: outcome.report }
        }
        _ => {
            let Outcome { snapshot, report, .. } =
                outcome(Reader::<AgentApi>::with(agent_api, options), chunks);
            let tool_calls = Some(snapshot.tool_calls_json());
            Answer { snapshot: snapshot.response.to_json(Style::Wire), tool_calls, report }
        }
    }
}

/// What a case tells its reader. The names are those of the package's options.
pub fn options(case: &Case) -> AnyOptions {
    let mut options = AnyOptions::default();
    for (name, value) in case.options() {
        match name.as_str() {
            "doneIsOptional" => options.ag_kit.done_is_optional = value.as_bool().expect("a bool"),
            "clientTools" => {
                let names = value.as_array().expect("a list").iter();
                options.ag_kit.client_tools =
                    Some(names.map(|name| name.as_str().expect("a name").to_owned()).collect());
            }
            "limits" => {
                for (name, limit) in value.as_object().expect("an object") {
                    match name.as_str() {
                        "contentBytes" => {
                            options.options.limits.content_bytes = limit.as_u64().expect("a number")
                        }
                        _ => panic!("{case}: no limit {name}"),
                    }
                }
            }
            _ => panic!("{case}: no option {name}"),
        }
    }
    options
}

fn outcome<'a, P: Protocol>(
    mut reader: Reader<P>,
    chunks: impl IntoIterator<Item = &'a [u8]>,
) -> Outcome<P::Snapshot> {
    chunks.into_iter().for_each(|chunk| reader.push(chunk));
    reader.finish()
}
