//! The cases in which the engine deliberately has another result than the server, with the reason.

/// Case, members of the response that differ, reason.
pub const EXCEPTIONS: &[(&str, &[&str], &str)] = &[
    (
        "20_failed_mid_stream_unknown_error",
        &["output"],
        "R15: what was shown of an unfinished message stays; the server's output is null",
    ),
    (
        "22_failed_message_event_response_completed",
        &["output"],
        "R15: a failed message was streamed and stays; the server lists completed ones only",
    ),
    (
        "24_canceled",
        &["output"],
        "R20: the server lists the message with content null; what was streamed stays",
    ),
    (
        "25_rejected",
        &["output"],
        "R20: the server lists the message with content null; what was streamed stays",
    ),
    (
        "35_lone_surrogate_serialization_error",
        &["status", "error", "output"],
        "R30: the error frame fails the response; the server never updated its object",
    ),
    (
        "62b_agentscope_image_only",
        &["output"],
        "R15: the image message never ended and stays; the server lists completed ones only",
    ),
    (
        "65_langgraph_tool_and_text",
        &["output"],
        "R15: the stray message in progress stays, after the listed ones",
    ),
    (
        "71_interrupted_by_stop_chat",
        &["status", "output"],
        "R31: the stream just stopped, so the response is incomplete; the partial message stays",
    ),
];
