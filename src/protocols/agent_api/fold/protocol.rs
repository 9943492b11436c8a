//! The Agent API as a protocol that a reader is made for, and the choices that it leaves to it.

use super::{AgentApiSemantics, ROOT};
use crate::core::ReadOptions;
use crate::core::fold::{AnswerLayout, Counted, Folding, Limited, Sink, protocol};
use crate::protocols::agent_api::events::EVENTS;
use crate::protocols::agent_api::{DataMerge, Response, Snapshot, rules};

protocol! {
    /// The Agent API protocol, with the choices that it leaves to a reader (R29, R34).
    AgentApi "Agent API": AgentApiSemantics => Snapshot {
        /// The official rule by which deltas of data are merged. `builder` (the default) adds, concatenates and replaces
        /// values as the server's builder does; `message` only appends to strings and lists that already exist.
        data_merge as "dataMerge": DataMerge { "builder" => DataMerge::Builder, "message" => DataMerge::Message },
        /// Whether the snapshot keeps messages of type `heartbeat`. False by default.
        keep_heartbeats as "keepHeartbeats": bool,
    }
    impl {
        const LAYOUT: AnswerLayout = AnswerLayout {
            snapshot: Some("response"),
            ..AnswerLayout::calls_in("toolCalls")
        };

        fn fold(self, options: &ReadOptions, sink: &mut dyn Sink) -> Self::Fold {
            Limited::new(&options.limits, sink, |sink| {
                sink.open(Response::KIND, ROOT, Snapshot::response, Counted::Once, u32::MAX);
                Folding::new(AgentApiSemantics::new(self, options), options)
            })
        }
    }
}
