//! The Agent API as the protocol of a reader, and its options.

use super::AgentApiMeaning;
use crate::engine::{AnswerLayout, protocol};
use crate::protocols::agent_api::{DataMerge, Snapshot};

protocol! {
    /// The Agent API protocol, with the choices that it leaves to a reader (R29, R34).
    AgentApi "Agent API": AgentApiMeaning => Snapshot {
        /// The official rule by which deltas of data are merged. `builder` (the default) adds, concatenates and replaces
        /// values as the server's builder does; `message` only appends to strings and lists that already exist.
        data_merge as "dataMerge": DataMerge { "builder" => DataMerge::Builder, "message" => DataMerge::Message },
        /// Whether the snapshot keeps messages of type `heartbeat`. False by default.
        keep_heartbeats as "keepHeartbeats": bool,
    }
    begins |choices, options| AgentApiMeaning::new(choices, options);
    impl {
        const LAYOUT: AnswerLayout = AnswerLayout {
            snapshot: Some("response"),
            ..AnswerLayout::calls_in("toolCalls")
        };
    }
}
