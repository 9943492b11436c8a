//! Which events end what begins and ends by itself. (B.5.)

/// The lanes in which an event ends what begins and ends by itself: chunks, and what a builder writes in their way (B.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::protocols::ag_ui) enum Ends {
    /// All of them.
    All,
    /// Its own.
    Lane,
    Nothing,
}

/// What an event of that name ends. Of chunks, those that go on say so by their ids.
pub(in crate::protocols::ag_ui) fn ends_chunks(name: &str) -> Ends {
    match name {
        "RUN_STARTED" | "RUN_FINISHED" | "RUN_ERROR" | "MESSAGES_SNAPSHOT" => Ends::All,
        "RAW"
        | "ACTIVITY_SNAPSHOT"
        | "ACTIVITY_DELTA"
        | "REASONING_ENCRYPTED_VALUE"
        | "SUBAGENT_STARTED"
        | "TEXT_MESSAGE_CHUNK"
        | "TOOL_CALL_CHUNK"
        | "REASONING_MESSAGE_CHUNK" => Ends::Nothing,
        _ => Ends::Lane,
    }
}
