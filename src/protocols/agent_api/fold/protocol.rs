//! The Agent API as a protocol that a reader is made for, and the choices that it leaves to it.

use super::{AgentApiSemantics, ROOT};
use crate::core::fold::{AnswerLayout, Counted, Folding, Limited, Protocol, Sink};
use crate::core::options::{OptionShape, OptionValue, OptionValues, ReadOptions, options};
use crate::protocols::agent_api::merge::DataMerge;
use crate::protocols::agent_api::model::{Response, Snapshot};

/// The Agent API protocol, with the choices that it leaves to a reader.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct AgentApi {
    /// Which of the two official rules merges data pieces (R29).
    pub data_merge: DataMerge,
    /// Keep messages of type heartbeat in the answer (R34).
    pub keep_heartbeats: bool,
}

/// The state machine of the Agent API.
pub type AgentApiFold = Folding<AgentApiSemantics>;

impl Protocol for AgentApi {
    type Fold = Limited<AgentApiFold>;
    type Snapshot = Snapshot;

    const TITLE: &'static str = "Agent API";

    const OPTIONS: &'static [OptionShape] = options! {
        /// Which of the two official rules merges pieces of data. `builder` (the default) adds, concatenates and replaces as
        /// the server's builder does; `message` only continues texts and lists that are already there.
        "dataMerge": OptionValues::Words(&["builder", "message"]);
        /// Keep messages of type heartbeat in the answer.
        "keepHeartbeats": OptionValues::Flag;
    };

    const LAYOUT: AnswerLayout = AnswerLayout {
        snapshot: Some("response"),
        tool_calls: Some(("toolCalls", None)),
        calls_inside: None,
    };

    fn fold(self, options: &ReadOptions, sink: &mut dyn Sink) -> Limited<AgentApiFold> {
        Limited::new(&options.limits, sink, |sink| {
            sink.open(Response::KIND, ROOT, Snapshot::response, Counted::Once, u32::MAX);
            Folding::new(AgentApiSemantics::new(self, options), options)
        })
    }

    fn set_option(&mut self, place: usize, value: OptionValue) {
        match (place, value) {
            (0, OptionValue::Number(1)) => self.data_merge = DataMerge::Message,
            (1, OptionValue::Number(keep)) => self.keep_heartbeats = keep == 1,
            _ => {}
        }
    }
}
