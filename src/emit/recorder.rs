//! The answer of a run a second time, as a response of the Agent API: what a conversation keeps of it.

use std::string::String;

use super::writer::CallerSteps;
use crate::AnyReader;
use crate::convert::{ConversionSide, Target, write};
use crate::core::id::{RandomIds, system_clock};
use crate::core::limits::Limits;
use crate::hub::{Hub, Step, Then, ToHub as _};
use crate::json::Value;
use crate::protocols::ProtocolKind;
use crate::protocols::agent_api::builder::BuilderOptions;
use crate::read::AnyOptions;

/// Writes an answer as events of the Agent API, and reads them into the response.
#[derive(Debug)]
pub(super) struct Recorder {
    then: Then<CallerSteps, Target>,
    text: String,
    reader: AnyReader,
}

impl Default for Recorder {
    fn default() -> Self {
        let options = BuilderOptions::new(RandomIds, system_clock);
        let target = Target::new(ConversionSide::Protocol(ProtocolKind::AgentApi), options);
        let reader = AnyReader::with_options(ProtocolKind::AgentApi, AnyOptions::default());
        let mut recorder = Recorder { then: CallerSteps.then(target), text: String::new(), reader };
        let Recorder { then, text, .. } = &mut recorder;
        then.with(&mut |sent| write(text, sent), |_, hub| hub.emit(&Step::start(None, None)));
        recorder
    }
}

impl Recorder {
    /// Passes the steps of `work` on to a hub, and records them.
    pub fn also(&mut self, hub: &mut Hub<'_>, work: impl FnOnce(&mut Hub<'_>)) {
        let Recorder { then, text, reader } = self;
        then.with(&mut |sent| write(text, sent), |_, own| hub.both(own, work));
        reader.push(text.as_bytes());
        text.clear();
    }

    pub fn limit_repeats(&mut self, is_limited: bool) {
        self.then.limit_repeats(is_limited);
    }

    pub fn add_input_bytes(&mut self, bytes: u64) {
        self.then.add_input_bytes(bytes);
    }

    /// Returns the response. One that has not ended is incomplete.
    pub fn finish(mut self) -> Value {
        let Recorder { then, text, reader } = &mut self;
        then.finish(true, |sent| write(text, sent));
        reader.push(text.as_bytes());
        let snapshot = self.reader.finish().snapshot.to_json();
        Value::parse(&snapshot, Limits::DEEPEST).unwrap_or_default()
    }
}
