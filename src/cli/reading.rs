//! A stream being read, whatever its protocol.

use agentwire::ag_kit::{self, AgKit};
use agentwire::agent_api::{self, AgentApi, Style};
use agentwire::read::any::AnyOptions;
use agentwire::read::detect::{Detector, FALLBACK, ProtocolKind};
use agentwire::{Outcome, Reader, Report};

/// Reads a stream, once it is known of which protocol it is.
pub enum Reading {
    /// No event has told it yet.
    Undecided(AnyOptions, Box<Detector>),
    AgentApi(Box<Reader<AgentApi>>),
    AgKit(Box<Reader<AgKit>>),
}

/// What reading came to.
pub enum Answer {
    AgentApi(Box<Outcome<agent_api::Snapshot>>),
    AgKit(Box<Outcome<ag_kit::Snapshot>>),
}

impl Reading {
    /// Reads a stream of that protocol; of the one that its first event tells, if there is none.
    pub fn new(protocol: Option<ProtocolKind>, choices: AnyOptions) -> Self {
        match protocol {
            Some(protocol) => Self::of(protocol, choices),
            None => {
                let options = &choices.options;
                let detector = Detector::framed(options.limits.clone(), options.framing);
                Reading::Undecided(choices, Box::new(detector))
            }
        }
    }

    pub fn push(&mut self, bytes: &[u8]) {
        match self {
            Reading::Undecided(choices, detector) => {
                if let Some(found) = detector.push(bytes) {
                    *self = Self::decided(found, choices.clone(), &detector.take_held());
                }
            }
            Reading::AgentApi(reader) => reader.push(bytes),
            Reading::AgKit(reader) => reader.push(bytes),
        }
    }

    pub fn finish(self) -> Answer {
        match self {
            Reading::Undecided(choices, mut detector) => {
                Self::decided(detector.finish().unwrap_or(FALLBACK), choices, &detector.take_held()).finish()
            }
            Reading::AgentApi(reader) => Answer::AgentApi(Box::new(reader.finish())),
            Reading::AgKit(reader) => Answer::AgKit(Box::new(reader.finish())),
        }
    }

    fn decided(found: ProtocolKind, choices: AnyOptions, held: &[u8]) -> Self {
        let mut reading = Self::of(found, choices);
        reading.push(held);
        reading
    }

    fn of(protocol: ProtocolKind, choices: AnyOptions) -> Self {
        let AnyOptions { agent_api, ag_kit, options, .. } = choices;
        match protocol {
            // AG-UI comes from AG-Kit's servers, too, and that reader says what it is.
            ProtocolKind::AgKit | ProtocolKind::AgUi => {
                Reading::AgKit(Box::new(Reader::with(ag_kit, options)))
            }
            _ => Reading::AgentApi(Box::new(Reader::with(agent_api, options))),
        }
    }
}

impl Answer {
    pub fn into_report(self) -> Report {
        match self {
            Answer::AgentApi(outcome) => outcome.report,
            Answer::AgKit(outcome) => outcome.report,
        }
    }

    /// The answer as JSON, with the report as a further member.
    pub fn to_json(&self) -> String {
        match self {
            Answer::AgentApi(outcome) => {
                let calls = outcome.snapshot.tool_calls_json();
                let report = with_member(outcome.report.to_json(), "toolCalls", &calls);
                with_member(outcome.snapshot.response.to_json(Style::Wire), "report", &report)
            }
            Answer::AgKit(outcome) => {
                with_member(outcome.snapshot.to_json(), "report", &outcome.report.to_json())
            }
        }
    }
}

/// An object, which is not empty, with one member more.
fn with_member(mut object: String, name: &str, json: &str) -> String {
    object.pop();
    object + &format!(",\"{name}\":{json}}}")
}
