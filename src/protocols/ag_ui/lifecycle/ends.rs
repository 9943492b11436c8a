//! The events that end implicit texts and calls. (B.5.)

/// The lanes in which an event ends texts and calls that begin and end implicitly: chunks, and the texts of a builder
/// (B.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::protocols::ag_ui) enum Ends {
    /// All lanes.
    All,
    /// The lane of the event.
    Lane,
    Nothing,
}

/// Returns the lanes in which an event of that name ends chunks. A chunk that continues a text or call is recognized
/// by its id instead.
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
